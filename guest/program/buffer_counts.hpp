// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>

namespace guest {

// Counts of buffers and memory in the kernel, to find leaks.
struct BufferCounts {
    size_t objects;       // etnaviv's buffers, from debugfs
    size_t dma_bufs;      // from debugfs
    size_t available_kib; // MemAvailable

    static BufferCounts now();
};

} // namespace guest

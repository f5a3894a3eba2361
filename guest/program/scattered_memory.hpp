// SPDX-License-Identifier: GPL-2.0-or-later
// Fragments memory, so that buffers have scattered pages and a core needs its MMU.
#pragma once

#include "device.hpp"

#include <memory>
#include <span>
#include <vector>

namespace guest {

// While this object exists, the kernel must allocate the driver's buffers from single free pages,
// between pages that the object holds. The held pages are buffers of the driver, too, since the
// kernel keeps separate lists of free pages per kind of use (linux mm/page_alloc.c: migrate types).
class ScatteredMemory {
public:
    explicit ScatteredMemory(Device& device);

private:
    std::vector<std::unique_ptr<Buffer>> m_pages;
};

// Returns how many of the buffers of these sizes (whole pages) are mapped through the MMU in the
// address space of the last job. Contiguous buffers may bypass an MMU of version 1 (linux
// etnaviv_mmu.c).
size_t count_behind_mmu(std::span<const size_t> sizes);

} // namespace guest

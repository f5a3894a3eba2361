// SPDX-License-Identifier: GPL-2.0-or-later
// Fragments memory, so that buffers have scattered pages and a core needs its MMU.
#pragma once

#include "device.hpp"

#include <memory>
#include <span>
#include <vector>

namespace guest {

// While it exists, the kernel allocates the driver's buffers from the single free pages between the
// ones that it holds. It holds buffers, too, since the kernel keeps a list of free pages per kind
// of use (linux mm/page_alloc.c: migrate types).
class ScatteredMemory {
public:
    explicit ScatteredMemory(Device& device);

private:
    std::vector<std::unique_ptr<Buffer>> m_pages;
};

// Returns how many of the buffers of these sizes (whole pages) the MMU maps for the core that drew
// last. Version 1 MMUs bypass the mapping for contiguous buffers (linux etnaviv_mmu.c).
size_t count_behind_mmu(std::span<const size_t> sizes);

} // namespace guest

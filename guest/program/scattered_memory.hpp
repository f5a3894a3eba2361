// SPDX-License-Identifier: GPL-2.0-or-later
// Buffers whose pages are far apart: a core needs its MMU to find them.
#pragma once

#include "device.hpp"

#include <memory>
#include <span>
#include <vector>

namespace guest {

// While it exists, the kernel takes single pages for the driver's buffers first: those between the
// ones that this keeps. These are buffers, too, for the kernel has lists of free pages for each
// kind of use (linux mm/page_alloc.c: migrate types).
class ScatteredMemory {
public:
    explicit ScatteredMemory(Device& device);

private:
    std::vector<std::unique_ptr<Buffer>> m_pages;
};

// How many of the buffers of so many bytes each, whole pages, the core that drew last finds through
// its MMU. MMUs of version 1 do without for buffers in one piece (linux etnaviv_mmu.c).
size_t count_behind_mmu(std::span<const size_t> sizes);

} // namespace guest

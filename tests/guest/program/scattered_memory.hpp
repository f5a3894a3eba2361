// SPDX-License-Identifier: GPL-2.0-or-later
// Buffers whose pages are far apart: a core needs its MMU to find them.
#pragma once

#include <cstddef>
#include <span>

namespace guest {

// While it exists, the kernel's free pages are single ones.
class ScatteredMemory {
public:
    ScatteredMemory();
    ~ScatteredMemory();
    ScatteredMemory(const ScatteredMemory&) = delete;
    ScatteredMemory& operator=(const ScatteredMemory&) = delete;

private:
    std::span<char> m_pages;
};

// Whether the core that drew last finds a buffer of that size through its MMU. MMUs of version 1 do
// without for buffers in one piece (linux etnaviv_mmu.c).
bool is_behind_mmu(size_t bytes);

} // namespace guest

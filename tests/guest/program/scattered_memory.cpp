// SPDX-License-Identifier: GPL-2.0-or-later
#include "scattered_memory.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/mman.h>
#include <system_error>

namespace guest {

namespace {

constexpr size_t PAGE = 4096;
constexpr size_t PAGES = 8192; // of these every second is given back

} // namespace

ScatteredMemory::ScatteredMemory() {
    void* memory =
        mmap(nullptr, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "map memory");
    m_pages = {static_cast<char*>(memory), PAGES * PAGE};
    madvise(memory, m_pages.size(), MADV_NOHUGEPAGE);
    for (size_t i = 0; i < PAGES; ++i)
        m_pages[i * PAGE] = 1;
    for (size_t i = 0; i < PAGES; i += 2)
        madvise(&m_pages[i * PAGE], PAGE, MADV_DONTNEED);
}

ScatteredMemory::~ScatteredMemory() {
    munmap(m_pages.data(), m_pages.size());
}

// debugfs has, for each address space, lines like
// "0x0000000080000000-0x0000000080001000: 4096: used".
bool is_behind_mmu(size_t bytes) {
    const std::string wanted = ": " + std::to_string(bytes) + ": used";
    for (const auto& folder : std::filesystem::directory_iterator("/sys/kernel/debug/dri")) {
        std::ifstream spaces(folder.path() / "mmu");
        for (std::string line; std::getline(spaces, line);)
            if (line.ends_with(wanted))
                return true;
    }
    return false;
}

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
#include "scattered_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace guest {

namespace {

constexpr size_t PAGES = 4096; // half of them (8 MiB) are freed again

} // namespace

ScatteredMemory::ScatteredMemory(Device& device) {
    for (size_t i = 0; i < PAGES; ++i) {
        m_pages.push_back(std::make_unique<Buffer>(device, PAGE));
        m_pages.back()->words()[0] = 1; // allocates its page
    }
    for (size_t i = 0; i < PAGES; i += 2)
        m_pages[i].reset();
}

// debugfs has lines such as "0x0000000080000000-0x0000000080001000: 4096: used" for each mapping of
// an address space.
size_t count_behind_mmu(std::span<const size_t> sizes) {
    const std::multiset<size_t> all(sizes.begin(), sizes.end());
    size_t most = 0;
    for (const auto& folder : std::filesystem::directory_iterator("/sys/kernel/debug/dri")) {
        std::multiset<size_t> missing = all;
        std::ifstream spaces(folder.path() / "mmu");
        for (std::string line; std::getline(spaces, line);) {
            size_t bytes = 0;
            if (line.ends_with(": used") && std::sscanf(line.c_str(), "%*[^:]: %zu", &bytes) == 1)
                if (const auto found = missing.find(bytes); found != missing.end())
                    missing.erase(found);
        }
        most = std::max(most, all.size() - missing.size());
    }
    return most;
}

} // namespace guest

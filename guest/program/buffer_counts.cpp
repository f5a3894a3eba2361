// SPDX-License-Identifier: GPL-2.0-or-later
#include "buffer_counts.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace guest {

namespace {

// Returns the number in the first line that the format matches.
size_t number_in(const std::filesystem::path& path, const char* format) {
    std::ifstream file(path);
    size_t number = 0;
    for (std::string line; std::getline(file, line);)
        if (std::sscanf(line.c_str(), format, &number) == 1)
            return number;
    throw std::runtime_error(path.string() + " has no such number");
}

// Among the tested drivers, only etnaviv has a file "gem" (linux etnaviv_drv.c). Each of the
// device's nodes has a folder.
std::filesystem::path gem_file() {
    for (const auto& folder : std::filesystem::directory_iterator("/sys/kernel/debug/dri"))
        if (std::filesystem::exists(folder.path() / "gem"))
            return folder.path() / "gem";
    throw std::runtime_error("debugfs does not list etnaviv's buffers");
}

} // namespace

BufferCounts BufferCounts::now() {
    return {number_in(gem_file(), "Total %zu objects"),
            number_in("/sys/kernel/debug/dma_buf/bufinfo", "Total %zu objects"),
            number_in("/proc/meminfo", "MemAvailable: %zu kB")};
}

} // namespace guest

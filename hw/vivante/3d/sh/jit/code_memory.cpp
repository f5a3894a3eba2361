// SPDX-License-Identifier: GPL-2.0-or-later
#include "code_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <utility>

namespace pixmill::vivante::jit {

CodeMemory::CodeMemory(std::span<const uint8_t> code) {
    const auto page = size_t(sysconf(_SC_PAGESIZE));
    const size_t bytes = (code.size() + page - 1) / page * page;
    if (!bytes)
        return;
    void* const pages =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return;
    std::memcpy(pages, code.data(), code.size());
    if (mprotect(pages, bytes, PROT_READ | PROT_EXEC)) {
        munmap(pages, bytes);
        return;
    }
    pages_ = pages;
    bytes_ = bytes;
}

CodeMemory::~CodeMemory() {
    if (pages_)
        munmap(pages_, bytes_);
}

CodeMemory::CodeMemory(CodeMemory&& other) noexcept
    : pages_(std::exchange(other.pages_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CodeMemory& CodeMemory::operator=(CodeMemory&& other) noexcept {
    std::swap(pages_, other.pages_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

} // namespace pixmill::vivante::jit

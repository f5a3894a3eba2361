// Executable memory for machine code.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pixmill::vivante::jit {

/// Pages that are written once and then made executable. The pages are never writable and
/// executable at the same time, and are mapped only once.
class CodeMemory {
public:
    CodeMemory() = default;
    /// Copies `code`. The object is empty if allocation fails or the host forbids executable
    /// memory.
    explicit CodeMemory(std::span<const uint8_t> code);
    ~CodeMemory();
    CodeMemory(CodeMemory&& other) noexcept;
    CodeMemory& operator=(CodeMemory&& other) noexcept;
    CodeMemory(const CodeMemory&) = delete;
    CodeMemory& operator=(const CodeMemory&) = delete;

    explicit operator bool() const { return pages_ != nullptr; }
    const uint8_t* data() const { return static_cast<const uint8_t*>(pages_); }
    size_t bytes() const { return bytes_; } ///< whole pages

private:
    void* pages_ = nullptr;
    size_t bytes_ = 0;
};

} // namespace pixmill::vivante::jit

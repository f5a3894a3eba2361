// Memory that machine code is executed in.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pixmill::vivante::jit {

/// Pages that are written once, before anybody may execute them: they are never writable and
/// executable at once, and nothing else is mapped to them.
class CodeMemory {
public:
    CodeMemory() = default;
    /// A copy of `code`. Empty where the host has no memory for it, or does not let it be executed.
    explicit CodeMemory(std::span<const uint8_t> code);
    ~CodeMemory();
    CodeMemory(CodeMemory&& other) noexcept;
    CodeMemory& operator=(CodeMemory&& other) noexcept;
    CodeMemory(const CodeMemory&) = delete;
    CodeMemory& operator=(const CodeMemory&) = delete;

    explicit operator bool() const { return pages_ != nullptr; }
    const uint8_t* data() const { return static_cast<const uint8_t*>(pages_); }
    size_t bytes() const { return bytes_; } ///< of whole pages

private:
    void* pages_ = nullptr;
    size_t bytes_ = 0;
};

} // namespace pixmill::vivante::jit

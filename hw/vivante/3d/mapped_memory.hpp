// Guest memory that has been looked up, for threads that must not ask the host for more.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/memory/byte_range.hpp"
#include "common/memory/memory.hpp"

namespace pixmill::vivante {

/// Looked up by one thread, then read by several. Good for the slice of work it was made in.
class MappedMemory {
public:
    /// Bytes that follow each other in host memory.
    struct Stretch {
        uint64_t address, length;
        std::byte* host;
        Access access;
    };

    void clear();
    /// Looks up `length` bytes, at least one. False if they are not all host memory, wrap, or are
    /// too many; nothing of that is an access.
    [[nodiscard]] bool add(Memory& memory, uint32_t address, uint64_t length, Access access);
    /// Null if nobody has looked it up.
    [[nodiscard]] const Stretch* find(uint64_t address) const;

    std::span<const Stretch> stretches() const { return stretches_; }

private:
    struct Range {
        ByteRange bytes;
        size_t first, behind; ///< of its stretches
    };
    std::vector<Stretch> stretches_; ///< those of a range in order
    std::vector<Range> ranges_;
};

/// Whether no byte that is written is another one, too, that has been looked up.
bool apart(std::span<const MappedMemory* const> memories);

/// What has been looked up as Memory, for one thread. Notes what is written.
class MappedView final : public Memory {
public:
    explicit MappedView(const MappedMemory& mapped) : mapped_(mapped) {}

    /// What has not been looked up is a hole.
    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override;
    void mark_dirty(uint64_t address, uint64_t length) override;
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;

    /// Marks in `to` what is dirty here, and forgets it.
    void flush_dirty(Memory& to);

private:
    struct Rows {
        uint64_t address, length;
        uint32_t stride, rows;
    };
    const MappedMemory& mapped_;
    std::vector<Rows> dirty_;
    bool all_dirty_ = false; ///< there was no memory to note what exactly
};

} // namespace pixmill::vivante

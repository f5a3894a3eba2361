// Guest memory that is mapped by one thread and then used by several, which never call the host.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "byte_range.hpp"
#include "memory.hpp"

namespace pixmill {

/// Mapped by one thread, then read by several. Good for the slice of work it was made in.
class MappedMemory {
public:
    /// Bytes that are contiguous in host memory.
    struct Span {
        uint64_t address, length;
        std::byte* host;
        Access access;
    };

    void clear();
    /// Maps a range, at least one byte, page by page. False if it is not all host memory; that is
    /// no access.
    [[nodiscard]] bool add(Memory& memory, const ByteRange& bytes, Access access);
    /// The same of a range that is one span, else false.
    [[nodiscard]] bool add_contiguous(Memory& memory, const ByteRange& bytes, Access access);
    /// Null if it is not mapped.
    [[nodiscard]] const Span* find(uint64_t address) const;

    std::span<const Span> spans() const { return spans_; }

private:
    struct Range {
        ByteRange bytes;
        size_t first, end; ///< of its spans
    };
    std::vector<Span> spans_; ///< those of a range in order
    std::vector<Range> ranges_;
};

/// True if no byte that is written is mapped a second time. Compares host addresses: pages of the
/// guest may share memory.
bool apart(std::span<const MappedMemory* const> memories);

/// What is mapped as Memory, for one thread. Keeps what is dirty.
class MappedView final : public Memory {
public:
    explicit MappedView(const MappedMemory& mapped) : mapped_(mapped) {}

    /// What is not mapped is a hole.
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

} // namespace pixmill

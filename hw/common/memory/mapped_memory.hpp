// Guest memory that one thread maps and several threads access without calling the host.
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

/// Spans that one thread maps and several threads then access. They are valid during the slice of
/// work in which they were mapped.
class MappedMemory {
public:
    /// Bytes that are contiguous in host memory.
    struct Span {
        uint64_t address, length;
        std::byte* host;
        Access access;
    };

    void clear();
    /// Maps a non-empty range page by page. Returns false if part of it is not host memory. Mapping
    /// is not an access: it raises no fault.
    [[nodiscard]] bool add(Memory& memory, const ByteRange& bytes, Access access);
    /// Maps a range as a single span. Returns false if it is not contiguous in host memory.
    [[nodiscard]] bool add_contiguous(Memory& memory, const ByteRange& bytes, Access access);
    /// Returns null if `address` is not mapped.
    [[nodiscard]] const Span* find(uint64_t address) const;
    /// See Memory::mapped_pages(). Returns null if `bytes` are not within one range of add(). The
    /// result is valid until the next call of clear() or add().
    [[nodiscard]] const uintptr_t* pages(const ByteRange& bytes) const;

    std::span<const Span> spans() const { return spans_; }

private:
    struct Range {
        ByteRange bytes;
        size_t first, end; ///< indices of its spans
        size_t first_page; ///< index in pages_, or no_pages
    };
    static constexpr size_t no_pages = SIZE_MAX;

    std::vector<Span> spans_; ///< sorted by address within each range
    std::vector<Range> ranges_;
    std::vector<uintptr_t> pages_; ///< host addresses of the pages of the ranges of add()
};

/// True if no written byte is mapped twice. Compares host addresses, because several guest pages
/// may share memory.
bool apart(std::span<const MappedMemory* const> memories);

/// Lets one thread access MappedMemory through the interface Memory. Collects dirty ranges.
class MappedView final : public Memory {
public:
    explicit MappedView(const MappedMemory& mapped) : mapped_(mapped) {}

    /// Returns a hole for an address that is not mapped.
    [[nodiscard]] HostSpan map(uint64_t address, uint64_t length, Access access) override;
    [[nodiscard]] std::byte* map_contiguous(uint64_t address, uint64_t length,
                                            Access access) override;
    [[nodiscard]] const uintptr_t* mapped_pages(uint64_t address, uint64_t length) const override;
    void mark_dirty(uint64_t address, uint64_t length) override;
    void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                         uint32_t rows) override;

    /// Marks the collected ranges dirty in `to` and then forgets them.
    void flush_dirty(Memory& to);

private:
    struct Rows {
        uint64_t address, length;
        uint32_t stride, rows;
    };
    const MappedMemory& mapped_;
    std::vector<Rows> dirty_;
    bool all_dirty_ = false; ///< growing dirty_ failed: report every writable span as dirty
};

} // namespace pixmill

// Guest memory as seen by drawing code, which passes device addresses and gets host spans.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pixmill {

enum class Access : uint8_t { read, write };

/// Kinds of HostSpan.
enum class Mapping : uint8_t {
    host,  ///< `length` bytes at `host`, which the caller may access
    hole,  ///< no memory for `length` bytes: reads return `hole_value`, writes are dropped
    fault, ///< the access stalls forever: stop drawing
};

/// Contiguous host memory, or a hole. It may cover several guest pages.
struct HostSpan {
    Mapping mapping = Mapping::fault;
    uint8_t hole_value = 0;
    std::byte* host = nullptr;
    uint64_t length = 0; ///< at least 1, except for a fault
    /// Host address of the bytes after the span, if known. Use it only for prefetching; map these
    /// bytes before accessing them.
    const std::byte* next = nullptr;
};

/// A device's view of guest memory. Addresses are those that the device uses: virtual if it has an
/// MMU. Map whole spans, not single pixels, because each call is costly.
class Memory {
public:
    /// Size of the pages of map_pages() and mapped_pages().
    static constexpr uint64_t page_bytes = 0x1000;
    /// Maximum number of pages that are translated at once, in a run that does not cross a multiple
    /// of it. Calling map_pages() for more pages gains nothing.
    static constexpr uint32_t run_pages = 64;

    /// Maps up to `length` (at least 1) bytes from `address`. If the returned span is shorter, call
    /// again for the rest. A span is valid until the drawing call returns.
    ///
    /// Only `address` itself may fault, because the caller is about to access it. The bytes after
    /// it may belong to a gap between rows that is never accessed. Spans mapped for writing may
    /// also be read.
    [[nodiscard]] virtual HostSpan map(uint64_t address, uint64_t length, Access access) = 0;

    /// Marks bytes dirty that were written through one or more adjacent spans of map(). The range
    /// may include transparent pixels after the first drawn pixel of a row. Called after the data
    /// is written and before the drawing call returns.
    virtual void mark_dirty(uint64_t address, uint64_t length) = 0;
    /// Marks `rows` (at least 1) rows of `length` bytes dirty. The rows are `stride` bytes apart
    /// and within one span.
    virtual void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                                 uint32_t rows) {
        for (uint32_t row = 0; row < rows; row++)
            mark_dirty(address + uint64_t(row) * stride, length);
    }

    /// Returns the host address of `length` bytes at `address` if they are contiguous in host
    /// memory, else null. The result is valid until the drawing call returns. The call does not
    /// count as an access: it raises no fault and no error.
    [[nodiscard]] virtual std::byte* map_contiguous(uint64_t /*address*/, uint64_t /*length*/,
                                                    Access /*access*/) {
        return nullptr;
    }

    /// Stores the host addresses of up to `hosts.size()` whole pages, starting at `address`, which
    /// is the start of a page, and returns their number. Stops early, possibly returning 0, before
    /// a page for which map() or map_contiguous() must be called. The result is valid until the
    /// drawing call returns. The call does not count as an access: it raises no fault and no error.
    [[nodiscard]] virtual size_t map_pages(uint64_t /*address*/, std::span<std::byte*> /*hosts*/,
                                           Access /*access*/) {
        return 0;
    }

    /// Returns the host addresses of the pages that hold `length` bytes at `address` if all these
    /// bytes are mapped for reading already, else null. Entry 0 is where the page of `address`
    /// begins, even if only the bytes from `address` on are mapped. The call does not count as an
    /// access. The result is valid until the list of mapped memory changes (MappedMemory).
    [[nodiscard]] virtual const uintptr_t* mapped_pages(uint64_t /*address*/,
                                                        uint64_t /*length*/) const {
        return nullptr;
    }

    /// True if the host watches accesses: each map() for reading counts as an access to all bytes
    /// of the span, so map only bytes that are read. map_contiguous() does not map for reading
    /// then.
    [[nodiscard]] virtual bool watched() const { return false; }

    /// Returns the cost of all calls so far, as a number of bytes that could be copied in the same
    /// time. It stays 0 for a Memory that does not translate addresses.
    uint64_t cost() const { return cost_; }

protected:
    ~Memory() = default;
    uint64_t cost_ = 0;
};

} // namespace pixmill

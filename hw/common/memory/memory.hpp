// Guest memory as drawing code sees it: device addresses in, host spans out.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill {

enum class Access : uint8_t { read, write };

/// Kinds of HostSpan.
enum class Mapping : uint8_t {
    host,  ///< the caller may access `length` bytes at `host`
    hole,  ///< no memory for `length` bytes: reads give `hole_value`, writes are dropped
    fault, ///< the access stalls forever: stop drawing
};

/// Contiguous host memory, or a hole. It may cover several guest pages.
struct HostSpan {
    Mapping mapping = Mapping::fault;
    uint8_t hole_value = 0;
    std::byte* host = nullptr;
    uint64_t length = 0; ///< at least 1 unless `fault`
    /// Host address of the bytes after the span, if known, for prefetching. They must be mapped
    /// before they are accessed.
    const std::byte* next = nullptr;
};

/// A device's view of guest memory. Addresses are the device's own, virtual ones if it has an MMU.
/// Calls are meant for spans, not for single pixels.
class Memory {
public:
    /// Maps up to `length` (at least 1) bytes from `address`. If the span is shorter, map the rest
    /// with another call. Valid until the drawing call returns.
    ///
    /// The byte at `address` is about to be accessed. The bytes after it may turn out to be a gap
    /// between rows, so only `address` itself may fault. Spans mapped for writing may also be read.
    [[nodiscard]] virtual HostSpan map(uint64_t address, uint64_t length, Access access) = 0;

    /// Marks bytes dirty that were written through one or several adjacent spans of map().
    /// Transparent pixels after the first drawn pixel of a row may be included. Called after the
    /// data is written and before the drawing call returns.
    virtual void mark_dirty(uint64_t address, uint64_t length) = 0;
    /// The same for `rows` (at least 1) rows of `length` bytes, `stride` apart, within one span.
    virtual void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                                 uint32_t rows) {
        for (uint32_t row = 0; row < rows; row++)
            mark_dirty(address + uint64_t(row) * stride, length);
    }

    /// Returns the host address of `length` bytes at `address` if they are contiguous in host
    /// memory, else null. Valid until the drawing call returns. This is not an access: it raises no
    /// fault and no error.
    [[nodiscard]] virtual std::byte* map_contiguous(uint64_t /*address*/, uint64_t /*length*/,
                                                    Access /*access*/) {
        return nullptr;
    }

    /// Cost of all calls so far, in bytes copied in the same time. 0 for a Memory that does not
    /// translate.
    uint64_t cost() const { return cost_; }

protected:
    ~Memory() = default;
    uint64_t cost_ = 0;
};

} // namespace pixmill

// Guest memory as what reads and draws sees it: device addresses, spans of host memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace pixmill {

enum class Access : uint8_t { read, write };

/// What Memory::map() found at an address.
enum class Mapping : uint8_t {
    host,  ///< `host` points at `length` bytes that the caller may touch
    hole,  ///< `length` bytes without memory: reads give `hole_value`, writes are dropped
    fault, ///< the access stalls forever: stop drawing
};

/// Bytes that follow each other in host memory, or a hole. They may be several pages of the
/// guest's.
struct HostSpan {
    Mapping mapping = Mapping::fault;
    uint8_t hole_value = 0;
    std::byte* host = nullptr;
    uint64_t length = 0; ///< at least 1 unless `fault`
    /// Where the bytes after the span are stored, if that is known: to prefetch them. They must not
    /// be touched before they are mapped.
    const std::byte* next = nullptr;
};

/// A device's view of guest memory: addresses are the device's own (virtual)
/// addresses. One call answers for many bytes, never for a pixel.
class Memory {
public:
    /// Maps up to `length` (at least 1) bytes from `address` on. The span may be
    /// shorter: ask again for the rest. Good until the drawing call returns.
    ///
    /// The byte at `address` is about to be accessed; those behind it may turn
    /// out to be a gap between rows. So only what is at `address` may fault.
    /// What is mapped for writing may be read, too.
    [[nodiscard]] virtual HostSpan map(uint64_t address, uint64_t length, Access access) = 0;

    /// Bytes that were written through spans of map(), one or several that follow each other. Of
    /// the transparent pixels of a row, those behind the first that is drawn may be among them.
    /// Called after the data is there, before the drawing call returns.
    virtual void mark_dirty(uint64_t address, uint64_t length) = 0;
    /// The same of rows of `length` bytes, at least one, `stride` apart, of one span.
    virtual void mark_dirty_rows(uint64_t address, uint64_t length, uint32_t stride,
                                 uint32_t rows) {
        for (uint32_t row = 0; row < rows; row++)
            mark_dirty(address + uint64_t(row) * stride, length);
    }

    /// Where `length` bytes from `address` on lie, if they are one span of host memory, good until
    /// the drawing call returns; else null. It is no access: nothing faults, nothing is an error.
    [[nodiscard]] virtual std::byte* map_contiguous(uint64_t /*address*/, uint64_t /*length*/,
                                                    Access /*access*/) {
        return nullptr;
    }

    /// What all calls have cost so far, in bytes that are copied in the same time. 0 if a Memory
    /// translates nothing.
    uint64_t cost() const { return cost_; }

protected:
    ~Memory() = default;
    uint64_t cost_ = 0;
};

} // namespace pixmill

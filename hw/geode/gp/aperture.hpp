// The 16 MiB aperture in which an operand is located.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/memory/physical_memory.hpp"

namespace pixmill::geode {

/// Offsets wrap at the end of the aperture, addresses at the end of the address space. According to
/// 33234H, 6.4.2.16, an offset selects a location in a 16 MiB region that begins at the base.
class Aperture {
public:
    static constexpr uint32_t size = 1u << 24;

    Aperture() = default;
    Aperture(PhysicalMemory& memory, uint32_t base) : memory_(&memory), base_(base) {}

    uint32_t base() const { return base_; }

    /// Returns a pointer to `length` bytes from `offset` on: in place if one host span contains
    /// them all, else in `scratch`. Bytes outside memory read as 0.
    [[nodiscard]] const std::byte* read(int64_t offset, uint32_t length, std::byte* scratch) const;
    /// Returns a host pointer to the bytes if one span contains them all, else null.
    [[nodiscard]] std::byte* map_contiguous(int64_t offset, uint32_t length, Access access) const;
    void mark_dirty(int64_t offset, uint32_t length) const;
    /// Marks rows of `length` bytes dirty. All rows must be in one mapped span.
    void mark_dirty_rows(int64_t offset, uint32_t length, uint32_t stride, uint32_t rows) const;
    void write(int64_t offset, uint32_t length, const std::byte* from) const;

private:
    uint64_t address(int64_t offset) const { return uint32_t(base_ + uint32_t(offset) % size); }
    uint32_t piece(int64_t offset, uint32_t length) const;

    PhysicalMemory* memory_ = nullptr;
    uint32_t base_ = 0;
};

/// Address range that an operand may access.
struct Extent {
    ByteRange bytes;
    bool wraps = false; ///< offsets or addresses wrap; `bytes` is then the whole address space

    bool overlaps(const Extent& other) const { return bytes.overlaps(other.bytes); }
    /// Returns the extent of offsets [first, end) of an aperture.
    static Extent of(uint32_t base, int64_t first, int64_t end);
};

} // namespace pixmill::geode

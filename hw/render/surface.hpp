// Surfaces: a pixel grid in guest memory.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "format.hpp"
#include "memory.hpp"

namespace pixmill::render {

/// Half open; coordinates are pixels. Empty when right <= left or bottom <= top.
struct Rect {
    int32_t left = 0, top = 0, right = 0, bottom = 0;
    constexpr bool empty() const { return right <= left || bottom <= top; }
    constexpr int64_t width() const { return int64_t(right) - left; }
    constexpr int64_t height() const { return int64_t(bottom) - top; }
    constexpr Rect intersect(const Rect& o) const;
    constexpr bool operator==(const Rect&) const = default;
};

struct SurfaceDesc {
    Format format;
    uint64_t base = 0;         ///< address of pixel (0, 0)
    uint32_t stride = 0;       ///< bytes from a row to the next; 0 is legal: all rows are one
    uint8_t address_bits = 32; ///< addresses wrap at 1 << address_bits
};

/// A surface together with the rectangle of it that an operation may touch.
/// This is the one place where extents are computed, in 64 bits: make() proves
/// that no byte of `touched` lies outside the address space, and every row()
/// lies inside `touched`.
class Surface {
public:
    /// Nothing if a byte of `touched` has an address below 0 or past the end of
    /// the address space, or if the format has no layout.
    static std::optional<Surface> make(Memory& memory, const SurfaceDesc& desc,
                                       const Rect& touched);
    // (see surface.cpp)
};

} // namespace pixmill::render

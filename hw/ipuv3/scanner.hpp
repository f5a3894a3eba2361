// Draws rows of a picture: reads the planes, converts their pixels, and blends them as the display
// processor does.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/host.hpp"
#include "common/memory/physical_memory.hpp"
#include "picture.hpp"
#include "render/yuv.hpp"

namespace pixmill::ipuv3 {

class Scanner {
public:
    /// `host` must outlive this object. Rows have at most `max_width` pixels.
    Scanner(Host& host, uint32_t max_width);

    /// Draws rows [begin, end) of `picture`, which are in its active area. Returns the number of
    /// bytes read from memory.
    uint64_t draw(const Picture& picture, uint32_t begin, uint32_t end, std::byte* pixels,
                  size_t pitch);

private:
    bool copy(const Picture& picture, uint32_t begin, uint32_t end, std::byte* pixels,
              size_t pitch);
    void draw_row(const Picture& picture, uint32_t y, uint32_t* row);
    void blend_overlay(const Picture& picture, uint32_t y, uint32_t* row, uint32_t background);
    void decode(const Plane& plane, uint32_t y, uint32_t count, uint32_t* out);
    void decode_rgb(const Plane& plane, const std::byte* from, uint32_t count, uint32_t* out);
    void decode_yuv(const Plane& plane, const std::byte* luma, uint32_t y, uint32_t count,
                    uint32_t* out);
    void replace_alpha(const Plane& alpha, uint32_t y, uint32_t count, uint32_t* pixels);
    const std::byte* fetch(const Plane& plane, uint32_t area, uint32_t y, uint32_t count);

    Host& host_;
    PhysicalMemory memory_;
    uint64_t bytes_ = 0; ///< read in this call
    /// Conversions of the background and the overlay.
    render::ColorMatrix base_matrix_, overlay_matrix_;
    std::vector<uint32_t> overlay_;     ///< a row of the overlay
    std::vector<std::byte> scratch_[3]; ///< a row of each area that is not contiguous
    std::vector<uint32_t> words_;       ///< three-byte pixels as words
};

} // namespace pixmill::ipuv3

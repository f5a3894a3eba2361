// How much of a tile a few primitives cover together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "ra.hpp"
#include "render_tile.hpp"

namespace pixmill::vivante {

/// What primitives cover of a tile.
class TileCoverage {
public:
    TileCoverage(const render::Rect& square, const RaSetup& ra) : square_(square), ra_(ra) {}

    /// False if it covers pixels by some of their samples, perhaps.
    bool add(const render::Shape& shape) {
        const render::Overlap overlap = shape.overlap(square_.left, square_.top, edge);
        if (overlap == render::Overlap::some)
            return ra_.samples == 1 && add_blocks(shape);
        if (overlap == render::Overlap::none)
            return true;
        const auto all = uint64_t(square_.width() * square_.height());
        pixels_ += all;
        quads_ += all / 4;
        seen_.fill(~render::BlockMask(0));
        return true;
    }
    bool is_whole() const {
        return std::ranges::all_of(
            seen_, [](render::BlockMask block) { return block == ~render::BlockMask(0); });
    }
    uint64_t pixels() const { return pixels_; } ///< of each primitive
    uint64_t quads() const { return quads_; }   ///< likewise

private:
    static constexpr int32_t edge = RenderTile::edge, block_edge = 8;

    bool add_blocks(const render::Shape& shape) {
        constexpr render::BlockMask first_of_quads = 0x0055005500550055;
        render::BlockMask* seen = seen_.data();
        for (int32_t y = square_.top; y < square_.bottom; y += block_edge)
            for (int32_t x = square_.left; x < square_.right; x += block_edge) {
                const render::Overlap overlap = shape.overlap(x, y, block_edge);
                const render::BlockMask mask =
                    overlap == render::Overlap::all    ? ~render::BlockMask(0)
                    : overlap == render::Overlap::none ? 0
                                                       : shape.cover(x, y, ra_.sample[0]);
                const render::BlockMask pairs = mask | mask >> 1;
                *seen++ |= mask;
                pixels_ += uint64_t(std::popcount(mask));
                quads_ += uint64_t(std::popcount((pairs | pairs >> 8) & first_of_quads));
            }
        return true;
    }

    const render::Rect square_;
    const RaSetup& ra_;
    std::array<render::BlockMask, size_t(edge / block_edge) * (edge / block_edge)> seen_{};
    uint64_t pixels_ = 0, quads_ = 0;
};

} // namespace pixmill::vivante

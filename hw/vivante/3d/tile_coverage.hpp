// How much of a tile a few primitives cover together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

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
        if (overlap == render::Overlap::none)
            return true;
        if (overlap == render::Overlap::all) {
            count(uint64_t(square_.width() * square_.height()));
            whole_ = true;
            return true;
        }
        if (ra_.samples > 1)
            return false;
        if (!seen_)
            seen_.emplace();
        add_quarters(shape, square_.left, square_.top, edge);
        return true;
    }
    bool is_whole() const {
        return whole_ || (seen_ && std::ranges::all_of(*seen_, [](render::BlockMask block) {
                              return block == ~render::BlockMask(0);
                          }));
    }
    uint64_t pixels() const { return pixels_; } ///< of each primitive
    uint64_t quads() const { return quads_; }   ///< likewise

private:
    static constexpr int32_t edge = RenderTile::edge, block_edge = 8;
    static constexpr size_t blocks = edge / block_edge;

    void add_quarters(const render::Shape& shape, int32_t x, int32_t y, int32_t side) {
        const int32_t half = side / 2;
        for (const int32_t below : {0, half})
            for (const int32_t right : {0, half})
                add_square(shape, x + right, y + below, half);
    }
    /// Squares that the shape's edges cross are four smaller ones, down to blocks.
    void add_square(const render::Shape& shape, int32_t x, int32_t y, int32_t side) {
        const render::Overlap overlap = shape.overlap(x, y, side);
        if (overlap == render::Overlap::all)
            add_whole(x, y, side);
        else if (overlap == render::Overlap::some && side > block_edge)
            add_quarters(shape, x, y, side);
        else if (overlap == render::Overlap::some)
            add_block(x, y, shape.cover(x, y, ra_.sample[0]));
    }
    void add_whole(int32_t x, int32_t y, int32_t side) {
        count(uint64_t(side * side));
        for (int32_t row = 0; row < side; row += block_edge)
            std::fill_n(&seen(x, y + row), side / block_edge, ~render::BlockMask(0));
    }
    void count(uint64_t pixels) {
        pixels_ += pixels;
        quads_ += pixels / 4;
    }
    void add_block(int32_t x, int32_t y, render::BlockMask mask) {
        constexpr render::BlockMask first_of_quads = 0x0055005500550055;
        const render::BlockMask pairs = mask | mask >> 1;
        seen(x, y) |= mask;
        pixels_ += count_bits(mask);
        quads_ += count_bits((pairs | pairs >> 8) & first_of_quads);
    }
    render::BlockMask& seen(int32_t x, int32_t y) {
        return (*seen_)[size_t(y - square_.top) / block_edge * blocks +
                        size_t(x - square_.left) / block_edge];
    }

    const render::Rect square_;
    const RaSetup& ra_;
    bool whole_ = false; ///< by one primitive
    /// Else, by those that cover some of it.
    std::optional<std::array<render::BlockMask, blocks * blocks>> seen_;
    uint64_t pixels_ = 0, quads_ = 0;
};

} // namespace pixmill::vivante

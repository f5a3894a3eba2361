// A program of the fragment processor, decoded into steps over rows of pixels.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "nema/log.hpp"
#include "nema/rows/kernels.hpp"

namespace pixmill::nema {

/// What a program's result depends on, but for texels, coordinates and a gradient's colors.
struct FragmentSource {
    std::array<uint32_t, 64> imem{};     ///< 32 slots, low word first
    std::array<uint32_t, 4> constants{}; ///< C0 to C3, ARGB
    uint32_t code_pointer = 0;           ///< of the foreground
    uint32_t color = 0;                  ///< T0 of all pixels, unless they have a gradient
    bool has_gradient = false;

    bool operator==(const FragmentSource&) const = default;
};

/// A coordinate that has been walked from the pixel's own: value * 2^-halvings + offset.
struct Walked {
    uint8_t halvings = 0;
    double offset = 0;

    constexpr bool whole() const { return halvings == 0; }
    bool operator==(const Walked&) const = default;
};

struct Step {
    enum class Kind : uint8_t {
        compute,       ///< out = op(a, b, c)
        read_texture,  ///< out = texels of `image` at TXTY
        read_screen,   ///< out = texels of `image` at (walked_x, walked_y)
        interpolate,   ///< the coordinates TXTY, as the matrix says
        take_t1,       ///< the coordinates TXTY from a, but where c is all ones
        walk,          ///< the coordinates TXTY take post-step `walk`
        write_screen,  ///< a to `image` at XY
        write_walked,  ///< at (walked_x, walked_y)
        write_texture, ///< at TXTY
    };
    Kind kind = Kind::compute;
    RowOp op = RowOp::multiply_add;
    uint8_t image = 0;
    uint8_t walk = 0;
    /// Reads at TXTY: no step has touched the coordinates, those of the matrix are asked for.
    bool interpolated = false;
    uint16_t out = 0, a = 0, b = 0, c = 0; ///< rows
    uint16_t kill = 0;                     ///< of writes: the row that is all ones where killed
    Walked walked_x, walked_y;
};

struct FragmentProgram {
    static constexpr uint16_t working_rows = 32; ///< rows from here on are constants
    static constexpr uint16_t color_row = 0;     ///< where a gradient's colors are

    std::vector<Step> steps;
    std::vector<uint32_t> constants; ///< of row working_rows on
    std::vector<Complaint> complaints;
    uint8_t reads = 0;           ///< bit n: TEXn is read
    uint8_t reads_elsewhere = 0; ///< not only at the pixel itself
    uint8_t writes = 0;
    bool writes_elsewhere = false;
    uint16_t no_kill = 0; ///< the row of zeros

    bool constant(uint16_t row) const { return row >= working_rows; }
    uint32_t value(uint16_t row) const { return constants[row - working_rows]; }
    /// The step writes every pixel, in its place.
    bool writes_all(const Step& step) const {
        return step.kind == Step::Kind::write_screen && step.kill == no_kill;
    }

    void compile(const FragmentSource& source);
};

} // namespace pixmill::nema

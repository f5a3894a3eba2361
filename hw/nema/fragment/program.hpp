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

/// The inputs of a program, apart from texels, coordinates and gradient colors.
struct FragmentSource {
    std::array<uint32_t, 64> imem{};     ///< 32 slots, low word first
    std::array<uint32_t, 4> constants{}; ///< C0 to C3, ARGB
    uint32_t code_pointer = 0;           ///< pointer to the foreground program
    uint32_t color = 0;                  ///< initial T0 of all pixels, unless has_gradient
    bool has_gradient = false;

    bool operator==(const FragmentSource&) const = default;
};

/// Maps a pixel's x or y to the coordinate after post-steps: value * 2^-halvings + offset.
struct Walked {
    uint8_t halvings = 0;
    double offset = 0;

    constexpr bool whole() const { return halvings == 0; }
    bool operator==(const Walked&) const = default;
};

struct Step {
    enum class Kind : uint8_t {
        compute,       ///< out = op(a, b, c)
        read_texture,  ///< out = texels of `image` at TXTY, undefined where c is all ones
        read_screen,   ///< the same, at (walked_x, walked_y)
        interpolate,   ///< TXTY = coordinates from the matrix
        take_t1,       ///< TXTY = a, except where c is all ones
        walk,          ///< applies post-step `walk` to TXTY
        write_screen,  ///< writes a to `image` at XY
        write_walked,  ///< writes a at (walked_x, walked_y)
        write_texture, ///< writes a at TXTY
    };
    Kind kind = Kind::compute;
    RowOp op = RowOp::multiply_add;
    uint8_t image = 0;
    uint8_t walk = 0;
    /// For read_texture: the coordinates are those of the matrix, unchanged by earlier steps.
    bool interpolated = false;
    uint16_t out = 0, a = 0, b = 0, c = 0; ///< row indices
    uint16_t kill = 0;                     ///< for writes: all ones where a pixel is killed
    Walked walked_x, walked_y;
};

struct FragmentProgram {
    static constexpr uint16_t working_rows = 32; ///< higher rows are constants
    static constexpr uint16_t color_row = 0;     ///< row of a gradient's colors

    std::vector<Step> steps;
    std::vector<uint32_t> constants; ///< values of rows from working_rows on
    std::vector<Unsupported> unsupported;
    uint8_t reads = 0;           ///< bit n: TEXn is read
    uint8_t reads_elsewhere = 0; ///< bit n: pixels read TEXn at other positions, too
    uint8_t writes = 0;
    bool writes_elsewhere = false;
    uint16_t no_kill = 0; ///< index of a row of zeros

    bool constant(uint16_t row) const { return row >= working_rows; }
    uint32_t value(uint16_t row) const { return constants[row - working_rows]; }
    /// True if the step writes every pixel, each at its own position.
    bool writes_all(const Step& step) const {
        return step.kind == Step::Kind::write_screen && step.kill == no_kill;
    }

    void compile(const FragmentSource& source);
};

} // namespace pixmill::nema

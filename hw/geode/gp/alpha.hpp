// The alpha unit: two channels and a factor, by an equation.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "render/kernels/kernels.hpp"

namespace pixmill::geode {

/// RASTER_MODE.OS. A and B are the channels.
enum class Equation : uint8_t { a, b, a_plus_b, both };

/// RASTER_MODE.AS: where the factor comes from.
enum class AlphaSelect : uint8_t {
    alpha_a,
    alpha_b,
    constant,
    one,
    color_a,
    color_b,
    channel3,
    also_one,
};

struct AlphaMode {
    uint32_t blended = 0; ///< channels of a pixel that the equation is for; the others are A's, or,
                          ///< where the equation leaves A out, B's
    Equation equation = Equation::a;
    AlphaSelect select = AlphaSelect::alpha_a;
    uint8_t constant = 0;
    bool destination_is_a = false;

    AlphaMode() = default;
    explicit AlphaMode(uint32_t raster_mode);

    bool enabled() const { return blended; }
    bool reads_channel3() const { return select == AlphaSelect::channel3; }
};

/// Rows of ARGB values; pitches are words from a row to the next.
struct AlphaOperand {
    render::ConstRow words = nullptr;
    size_t pitch = 0;
};
struct AlphaRows {
    render::Row out; ///< may be where one of the others is
    size_t pitch = 0;
    AlphaOperand a, b;
    AlphaOperand channel3; ///< whose alpha is channel 3's
    size_t count = 0;
    uint32_t rows = 1;
};
using AlphaKernel = void (*)(const AlphaMode& mode, const AlphaRows& rows);

/// The one for the mode's equation and factor, the fastest for the processor that this runs on.
AlphaKernel alpha_kernel(const AlphaMode& mode);

} // namespace pixmill::geode

// The alpha unit, which combines channels A and B with a factor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "render/kernels/kernels.hpp"

namespace pixmill::geode {

/// RASTER_MODE.OS: the equation that combines channels A and B.
enum class Equation : uint8_t { a, b, a_plus_b, both };

/// RASTER_MODE.AS: the source of the factor.
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
    /// Bits of a pixel that the equation computes. The others are copied from A, or from B if the
    /// equation omits A.
    uint32_t blended = 0;
    Equation equation = Equation::a;
    AlphaSelect select = AlphaSelect::alpha_a;
    uint8_t constant = 0;
    bool destination_is_a = false;

    AlphaMode() = default;
    explicit AlphaMode(uint32_t raster_mode);

    bool enabled() const { return blended; }
    bool reads_channel3() const { return select == AlphaSelect::channel3; }
};

/// Rows of ARGB values. Pitches are in words.
struct AlphaOperand {
    render::ConstRow words = nullptr;
    size_t pitch = 0;
};
struct AlphaRows {
    render::Row out; ///< may alias one of the inputs
    size_t pitch = 0;
    AlphaOperand a, b;
    AlphaOperand channel3; ///< pixels of channel 3, for its alpha
    size_t count = 0;
    uint32_t rows = 1;
};
using AlphaKernel = void (*)(const AlphaMode& mode, const AlphaRows& rows);

/// Returns the fastest kernel for the mode's equation and factor on the host's CPU.
AlphaKernel alpha_kernel(const AlphaMode& mode);

} // namespace pixmill::geode

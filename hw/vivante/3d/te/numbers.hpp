// Texels whose channels are not unsigned fractions: floats, integers and signed fractions. They are
// decoded lane by lane, and filtered afterwards.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "formats.hpp"
#include "memory.hpp"
#include "setup.hpp"

namespace pixmill::vivante::te {

/// Decoder of a sampler's texels, if they are Packing::numbers.
struct NumberDecoder {
    const TextureFormat* format = nullptr;
    std::array<Channel, 4> swizzle{};
    bool extends_sign = false; ///< of integers

    NumberDecoder() = default;
    explicit NumberDecoder(const Sampler& sampler);

    /// Returns the components that the shader sees. Integers are bit patterns.
    std::array<float, 4> operator()(uint64_t texel) const;
};

/// Fetches and decodes the texels in column `x` and row `y` of the taps. Lanes that are not live
/// are undefined.
void fetch_numbers(TexelMemory& memory, const TexelSource& source, const Taps& taps, unsigned x,
                   unsigned y, const NumberDecoder& decoder, Vector& texels);

} // namespace pixmill::vivante::te

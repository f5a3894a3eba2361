// SPDX-License-Identifier: GPL-2.0-or-later
#include "numbers.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "vivante/3d/half.hpp"

namespace pixmill::vivante::te {

namespace {

/// Returns the bits of a channel that has some.
uint32_t bits_of(uint64_t texel, const Component& c) {
    return uint32_t(texel >> c.low) & (~0u >> (32 - c.width));
}

int32_t signed_of(uint32_t bits, unsigned width) {
    return int32_t(bits << (32 - width)) >> (32 - width);
}

float decoded(uint64_t texel, const Component& c, const NumberDecoder& how) {
    const uint32_t bits = bits_of(texel, c);
    constexpr unsigned exponent_bits = 5, exponent_low = 27, bias_and_fraction = 24;
    switch (how.format->number) {
    case TexelNumber::snorm: {
        const auto most = float((1 << (c.width - 1)) - 1);
        return std::max(float(signed_of(bits, c.width)) / most, -1.0f);
    }
    case TexelNumber::half:
        return from_half(bits);
    case TexelNumber::single:
        return std::bit_cast<float>(bits);
    case TexelNumber::small_float: // the high bits of a half-precision number
        return from_half(bits << (10 + exponent_bits - c.width));
    case TexelNumber::shared_exponent:
        return std::ldexp(float(bits), int(texel >> exponent_low & 31) - int(bias_and_fraction));
    case TexelNumber::integer:
        break;
    }
    return std::bit_cast<float>(how.extends_sign ? uint32_t(signed_of(bits, c.width)) : bits);
}

float constant(bool one, const NumberDecoder& how) {
    if (!one)
        return 0;
    return how.format->is_integer() ? std::bit_cast<float>(1u) : 1.0f;
}

} // namespace

NumberDecoder::NumberDecoder(const Sampler& sampler)
    : format(sampler.format), swizzle(sampler.swizzle) {
    // CONFIG2 has a sign for channels of 8 bits and another for channels of 16 bits.
    const unsigned width = sampler.format->rgba[0].width;
    extends_sign = width == 8 ? sampler.signed8 : width == 16 && sampler.signed16;
}

std::array<float, 4> NumberDecoder::operator()(uint64_t texel) const {
    std::array<float, 4> result;
    for (unsigned c = 0; c < 4; c++) {
        const Channel from = swizzle[c];
        if (from >= Channel::zero) {
            result[c] = constant(from == Channel::one, *this);
            continue;
        }
        const Component& component = format->rgba[unsigned(from)];
        result[c] = component.width ? decoded(texel, component, *this)
                                    : constant(component.constant != 0, *this);
    }
    return result;
}

void fetch_numbers(TexelMemory& memory, const TexelSource& source, const Taps& taps, unsigned x,
                   unsigned y, const NumberDecoder& decoder, Vector& texels) {
    for (LaneMask left = taps.live; left; left &= left - 1) {
        const auto l = unsigned(std::countr_zero(left));
        const uint32_t offset = taps.row[y].w[l] + taps.column[x].w[l];
        const std::array<float, 4> texel =
            decoder(memory.wide(source, unsigned(taps.level->i[l]), offset));
        for (unsigned c = 0; c < 4; c++)
            texels[c].f[l] = texel[c];
    }
}

} // namespace pixmill::vivante::te

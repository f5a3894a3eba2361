// SPDX-License-Identifier: GPL-2.0-or-later
//
// Formats and output modes: rnndb state_3d.xml (PE); Mesa 25.0 etnaviv_blend.c, etnaviv_shader.c.
#include "numbers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "vivante/3d/half.hpp"
#include "vivante/3d/srgb.hpp"

namespace pixmill::vivante {

namespace {

using Color = std::array<float, 4>;
using Channel = TargetFormat::Channel;

constexpr uint32_t largest(unsigned bits) {
    return ~0u >> (32 - bits);
}

/// Clamps to 0 .. 1. NaN becomes 0.
float clamped(float v) {
    return v > 0 ? std::min(v, 1.0f) : 0;
}

// ---- sRGB --------------------------------------------------------------------------------------

constexpr unsigned codes = 256;

constexpr std::array<float, codes> linear_of_code = [] {
    std::array<float, codes> values{};
    for (unsigned i = 0; i < codes; i++)
        values[i] = float(srgb_to_linear(i / 255.0));
    return values;
}();

/// The linear values halfway between two codes, as 8-bit targets round.
constexpr std::array<float, codes - 1> boundaries = [] {
    std::array<float, codes - 1> values{};
    for (unsigned i = 0; i < codes - 1; i++)
        values[i] = float(srgb_to_linear((i + 0.5) / 255.0));
    return values;
}();

uint32_t srgb_code(float linear) {
    return uint32_t(std::ranges::upper_bound(boundaries, clamped(linear)) - boundaries.begin());
}

// ---- Small floats -----------------------------------------------------------

/// Decodes a float without a sign, with 5 bits of exponent and `fraction` bits of fraction. These
/// are the high bits of a half-precision number.
float from_small(uint32_t bits, unsigned fraction) {
    return from_half(bits << (10 - fraction));
}

/// Rounds to nearest, ties to even. Negative numbers become 0, and NaNs stay NaNs.
uint32_t to_small(float v, unsigned fraction) {
    const uint32_t infinity = 31u << fraction;
    if (v != v)
        return infinity | 1;
    if (!(v > 0))
        return 0;
    constexpr int bias = 15;
    const int exponent = std::max(std::ilogb(v), 1 - bias);
    if (exponent > bias)
        return infinity;
    // The sum carries into the exponent if the fraction rounds up to 2.
    const float scaled = std::ldexp(v, int(fraction) - exponent);
    const auto units = uint32_t(std::nearbyint(scaled));
    const uint32_t bits = (uint32_t(exponent + bias - 1) << fraction) + units;
    return std::min(bits, infinity);
}

// ---- Pixels ------------------------------------------------------------------------------------

/// Describes how channel `c` of a target is stored.
struct Codec {
    const ColorTarget& target;
    unsigned c;

    Channel channel() const { return target.format->channel[c]; }
    bool on_curve() const { return target.srgb && c < 3; }

    float unpack(uint64_t pixel) const {
        const Channel at = channel();
        if (!at.bits)
            return 1;
        const uint32_t bits = uint32_t(pixel >> at.shift) & largest(at.bits);
        switch (target.format->number) {
        case TargetNumber::half:
            return from_half(bits);
        case TargetNumber::small_float:
            return from_small(bits, at.bits - 5u);
        default:
            return on_curve() ? linear_of_code[bits & (codes - 1)]
                              : float(bits) / float(largest(at.bits));
        }
    }
    uint32_t pack(float v) const {
        const Channel at = channel();
        switch (target.format->number) {
        case TargetNumber::half:
            return to_half(v);
        case TargetNumber::small_float:
            return to_small(v, at.bits - 5u);
        default:
            return on_curve() ? srgb_code(v)
                              : uint32_t(clamped(v) * float(largest(at.bits)) + 0.5f);
        }
    }
    /// Converts the shader's value, which blending does not change.
    uint32_t store(float v) const {
        const auto bits = std::bit_cast<uint32_t>(v);
        const uint32_t most = largest(channel().bits);
        const auto number = int32_t(bits);
        switch (target.mode) {
        case OutputMode::normal: // unfit for these formats
            if (target.format->number == TargetNumber::bits)
                return bits;
            return uint32_t(int64_t(v == v ? std::clamp(v, -0x1p31f, 0x1p31f) : 0)) & most;
        case OutputMode::u8:
            return std::min(bits, 0xFFu) & most;
        case OutputMode::u16:
            return std::min(bits, 0xFFFFu) & most;
        case OutputMode::i8:
            return uint32_t(std::clamp(number, -0x80, 0x7F)) & most;
        case OutputMode::i16:
            return uint32_t(std::clamp(number, -0x8000, 0x7FFF)) & most;
        case OutputMode::any_integer:
            return target.clamps_integers ? std::min(bits, most) : bits & most;
        default:
            return bits & most;
        }
    }
};

float operand(BlendOperand which, unsigned c, const Color& s, const Color& d) {
    switch (which) {
    case BlendOperand::source:
        return s[c];
    case BlendOperand::source_alpha:
        return s[3];
    case BlendOperand::target:
        return d[c];
    case BlendOperand::target_alpha:
        return d[3];
    case BlendOperand::saturate:
        return std::min(s[3], 1 - d[3]);
    default:
        return 0;
    }
}

float blended(const BlendChannel& how, unsigned c, const Color& s, const Color& d) {
    switch (how.equation) {
    case BlendEquation::min:
        return s[c] < d[c] ? s[c] : d[c];
    case BlendEquation::max:
        return s[c] > d[c] ? s[c] : d[c];
    default:
        break;
    }
    const auto factor = [&](const BlendFactor& f) {
        return f.base + f.gain * operand(f.operand, c, s, d);
    };
    return s[c] * factor(how.source) + d[c] * factor(how.target);
}

bool is_computed(TargetNumber number) {
    return number != TargetNumber::bits && number != TargetNumber::integer;
}

uint64_t new_pixel(const ColorSetup& setup, const ColorTarget& target, Color s, uint64_t old) {
    const bool computed = is_computed(target.format->number);
    Color d{};
    if (computed && target.saturate)
        for (float& v : s)
            v = clamped(v);
    if (computed && target.blend)
        for (unsigned c = 0; c < 4; c++)
            d[c] = Codec{target, c}.unpack(old);
    uint64_t pixel = target.format->padding;
    for (unsigned c = 0; c < 4; c++) {
        const Codec codec{target, c};
        const Channel at = codec.channel();
        if (!at.bits)
            continue;
        const uint32_t bits = !computed      ? codec.store(s[c])
                              : target.blend ? codec.pack(blended(target.channel[c], c, s, d))
                                             : codec.pack(s[c]);
        pixel |= uint64_t(bits) << at.shift;
    }
    // Logic operations apply to integers, but not to sRGB.
    const uint32_t op = setup.logic_op;
    const bool combines = op != ColorSetup::copy && !target.srgb &&
                          (target.format->number == TargetNumber::unorm ||
                           target.format->number == TargetNumber::integer);
    if (!combines)
        return pixel;
    return (op & 8 ? pixel & old : 0) | (op & 4 ? pixel & ~old : 0) | (op & 2 ? ~pixel & old : 0) |
           (op & 1 ? ~(pixel | old) : 0);
}

} // namespace

void draw_numbers(const ColorSetup& setup, unsigned number, RenderTile& tile,
                  const LanePlaces& places, LaneMask lanes, const Vector& color) {
    const ColorTarget& target = setup.target[number];
    const bool wide = target.format->bytes > sizeof(uint32_t);
    for (LaneMask rest = lanes; rest; rest &= rest - 1) {
        const auto lane = unsigned(std::countr_zero(rest));
        const size_t at =
            places.at[lane / 4] + (lane & 1) * places.right + (lane >> 1 & 1) * places.down;
        uint32_t &low = tile.color[number][at], &high = tile.high[number][at];
        const uint64_t old = low | (wide ? uint64_t(high) << 32 : 0);
        const Color s{color[0].f[lane], color[1].f[lane], color[2].f[lane], color[3].f[lane]};
        const uint64_t pixel =
            (new_pixel(setup, target, s, old) & target.write_mask) | (old & ~target.write_mask);
        low = uint32_t(pixel);
        if (wide)
            high = uint32_t(pixel >> 32);
    }
}

} // namespace pixmill::vivante

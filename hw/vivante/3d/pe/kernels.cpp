// SPDX-License-Identifier: GPL-2.0-or-later
//
// Most formats, functions and masks are run-time values, the same for all lanes. Only depth
// functions and A8R8G8B8 have specialized loops, which are faster.
#include "kernels.hpp"

#include <bit>
#include <cstring>

#include "numbers.hpp"
#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante {

namespace {

#define PIXMILL_INNER [[gnu::always_inline]] inline

using Plane = RenderTile::Plane;

/// One word per lane.
struct alignas(64) Words {
    uint32_t w[lane_count];
};

// ---- lanes and places ------------------------------------------------------------------------

/// Four pairs of words. A row of a block's quads is two such vectors, each with two quads: upper
/// and lower pair of the first, then of the second. As pixels, it is two rows of four pairs.
typedef uint64_t Pairs __attribute__((vector_size(32)));

PIXMILL_INNER void gather_block(Words& words, const Plane& plane, const LanePlaces& places) {
    for (unsigned q = 0; q < quad_count; q += 4) {
        const uint32_t* const from = plane.data() + places.at[q];
        Pairs upper, lower;
        std::memcpy(&upper, from, sizeof upper);
        std::memcpy(&lower, from + RenderTile::edge, sizeof lower);
        const Pairs left = __builtin_shufflevector(upper, lower, 0, 4, 1, 5);
        const Pairs right = __builtin_shufflevector(upper, lower, 2, 6, 3, 7);
        std::memcpy(words.w + 4 * q, &left, sizeof left);
        std::memcpy(words.w + 4 * q + 8, &right, sizeof right);
    }
}

PIXMILL_INNER void scatter_block(Plane& plane, const LanePlaces& places, const Words& words) {
    for (unsigned q = 0; q < quad_count; q += 4) {
        uint32_t* const to = plane.data() + places.at[q];
        Pairs left, right;
        std::memcpy(&left, words.w + 4 * q, sizeof left);
        std::memcpy(&right, words.w + 4 * q + 8, sizeof right);
        const Pairs upper = __builtin_shufflevector(left, right, 0, 2, 4, 6);
        const Pairs lower = __builtin_shufflevector(left, right, 1, 3, 5, 7);
        std::memcpy(to, &upper, sizeof upper);
        std::memcpy(to + RenderTile::edge, &lower, sizeof lower);
    }
}

PIXMILL_INNER void gather(Words& words, const Plane& plane, const LanePlaces& places) {
    const size_t right = places.right, down = places.down;
    if (places.block)
        return gather_block(words, plane, places);
    if (right == 1) {
        // Write whole vectors: a vector load after several smaller stores would stall.
        typedef uint64_t Quads __attribute__((vector_size(32)));
        const auto row = [&](size_t at) {
            uint64_t pair;
            std::memcpy(&pair, plane.data() + at, 8);
            return pair;
        };
        for (unsigned q = 0; q < quad_count; q += 2) {
            const size_t a = places.at[q], b = places.at[q + 1];
            const Quads two = {row(a), row(a + down), row(b), row(b + down)};
            std::memcpy(words.w + 4 * q, &two, sizeof two);
        }
        return;
    }
    for (unsigned q = 0; q < quad_count; q++) {
        const uint32_t* const from = plane.data() + places.at[q];
        for (unsigned i = 0; i < 4; i++)
            words.w[4 * q + i] = from[(i & 1) * right + (i >> 1) * down];
    }
}

/// Stores the words of `lanes`.
PIXMILL_INNER void scatter(Plane& plane, const LanePlaces& places, LaneMask lanes,
                           const Words& words) {
    const size_t right = places.right, down = places.down;
    if (places.block && lanes == ~LaneMask(0))
        return scatter_block(plane, places, words);
    const auto store_quad = [&](unsigned q) {
        uint32_t* const to = plane.data() + places.at[q];
        std::memcpy(to, words.w + 4 * q, 8);
        std::memcpy(to + down, words.w + 4 * q + 2, 8);
    };
    if (lanes == ~LaneMask(0) && right == 1) {
        for (unsigned q = 0; q < quad_count; q++)
            store_quad(q);
        return;
    }
    for (unsigned q = 0; q < quad_count; q++) {
        const auto some = unsigned(lanes >> 4 * q & 0xF);
        if (some == 0xF && right == 1) {
            store_quad(q);
        } else if (some) {
            uint32_t* const to = plane.data() + places.at[q];
            for (unsigned i = 0; i < 4; i++)
                if (some >> i & 1)
                    to[(i & 1) * right + (i >> 1) * down] = words.w[4 * q + i];
        }
    }
}

struct LaneBits {
    uint32_t lane[32];
};
constexpr LaneBits bit_of = [] {
    LaneBits b{};
    for (unsigned i = 0; i < 32; i++)
        b.lane[i] = 1u << i;
    return b;
}();

/// Returns the lanes whose words are all ones. All other words must be 0.
PIXMILL_INNER LaneMask mask_of(const Words& ones) {
    uint32_t low = 0, high = 0;
    for (unsigned i = 0; i < 32; i++) {
        low |= ones.w[i] & bit_of.lane[i];
        high |= ones.w[i + 32] & bit_of.lane[i];
    }
    return LaneMask(high) << 32 | low;
}

PIXMILL_INNER void spread(LaneMask mask, Words& ones) {
    const auto low = uint32_t(mask), high = uint32_t(mask >> 32);
    for (unsigned i = 0; i < 32; i++) {
        ones.w[i] = low & bit_of.lane[i] ? ~0u : 0;
        ones.w[i + 32] = high & bit_of.lane[i] ? ~0u : 0;
    }
}

/// Compares `value` with `stored` by the function `func`. Returns all ones if it passes, else 0.
/// Both values must be less than 2^31.
PIXMILL_INNER uint32_t passes(uint32_t func, uint32_t value, uint32_t stored) {
    const uint32_t less = int32_t(value) < int32_t(stored) ? ~0u : 0;
    const uint32_t equal = value == stored ? ~0u : 0;
    return (less & (0 - (func & 1))) | (equal & (0 - (func >> 1 & 1))) |
           (~(less | equal) & (0 - (func >> 2 & 1)));
}

/// Clamps to 0 .. 1. NaN becomes 0. Compares integers, which order like non-negative floats: GCC
/// would compile float comparisons to branches here, which it cannot vectorize.
PIXMILL_INNER float clamped(float v) {
    const int32_t bits = std::bit_cast<int32_t>(v) & -int32_t(v > 0);
    const int32_t one = std::bit_cast<int32_t>(1.0f);
    return std::bit_cast<float>(bits < one ? bits : one);
}

/// Scales to 0 .. `most` and rounds to nearest, halves up.
PIXMILL_INNER uint32_t quantized(float v, float most) {
    return uint32_t(int32_t(clamped(v) * most + 0.5f));
}

// ---- tests -----------------------------------------------------------------------------------

PIXMILL_INNER LaneMask test_alpha(const AlphaTest& test, const Lanes& alpha) {
    Words ones;
    const uint32_t func = test.func, ref = test.ref;
    for (unsigned i = 0; i < lane_count; i++)
        ones.w[i] = passes(func, quantized(alpha.f[i], 255), ref);
    return mask_of(ones);
}

/// Rounds to nearest, ties to even. Adding 2^52 rounds and leaves the integer in the low bits.
PIXMILL_INNER void to_integers(const Lanes& depth, double scale, Words& integers) {
    for (unsigned i = 0; i < lane_count; i++) {
        const double sum = double(clamped(depth.f[i])) * scale + 0x1p52;
        integers.w[i] = uint32_t(std::bit_cast<uint64_t>(sum));
    }
}

/// Template argument of the loop for any function and format. Other arguments are a function of the
/// loop for D24S8.
constexpr uint32_t any = 8;

template<uint32_t Func>
PIXMILL_INNER LaneMask test_depth(const DepthSetup& setup, Plane& plane, const LanePlaces& places,
                                  LaneMask lanes, LaneMask, const Lanes& depth) {
    Words stored, integers, ones;
    gather(stored, plane, places);
    to_integers(depth, setup.scale, integers);
    const bool d24s8 = Func != any || setup.d24s8;
    const uint32_t func = Func != any ? Func : setup.func, stencil = d24s8 ? 0xFF : 0;
    const uint32_t shift = d24s8 ? 8 : 0, field = d24s8 ? 0xFFFFFF : 0xFFFF;
    for (unsigned i = 0; i < lane_count; i++) {
        ones.w[i] = passes(func, integers.w[i], stored.w[i] >> shift & field);
        stored.w[i] = integers.w[i] << shift | (stored.w[i] & stencil);
    }
    const LaneMask passed = mask_of(ones) & lanes;
    if (setup.write)
        scatter(plane, places, passed, stored);
    return passed;
}

PIXMILL_INNER uint32_t changed(const StencilOp& op, uint32_t stored) {
    int32_t v = ((int32_t(stored) & op.keep) ^ op.flip) + op.add;
    v = v < op.low ? op.low : v;
    v = v > op.high ? op.high : v;
    return uint32_t(v) & 0xFF;
}

/// `near` is all ones where the depth test passes. Sets `ones` to all ones where the stencil test
/// passes as well, and `next` to the new stencil values.
PIXMILL_INNER void test_side(const StencilSide& given, const Words& stored, const Words& near,
                             Words& ones, Words& next) {
    const StencilSide side = given;
    const uint32_t func = side.func, mask = side.mask, ref = side.ref & mask,
                   write = side.write_mask;
    for (unsigned i = 0; i < lane_count; i++) {
        const uint32_t s = stored.w[i] & 0xFF;
        const uint32_t pass = passes(func, ref, s & mask);
        const uint32_t tested =
            (changed(side.pass, s) & near.w[i]) | (changed(side.depth_fail, s) & ~near.w[i]);
        const uint32_t value = (tested & pass) | (changed(side.fail, s) & ~pass);
        next.w[i] = (s & ~write) | (value & write);
        ones.w[i] = pass & near.w[i];
    }
}

PIXMILL_INNER LaneMask test_stencil(const DepthSetup& setup, Plane& plane, const LanePlaces& places,
                                    LaneMask lanes, LaneMask positive, const Lanes& depth) {
    Words stored, integers, near, ones, next;
    gather(stored, plane, places);
    to_integers(depth, setup.scale, integers);
    const uint32_t func = setup.func;
    for (unsigned i = 0; i < lane_count; i++)
        near.w[i] = passes(func, integers.w[i], stored.w[i] >> 8);

    const LaneMask back = lanes & ~positive;
    test_side(back == lanes ? setup.back : setup.front, stored, near, ones, next);
    if (back && back != lanes) {
        Words back_ones, back_next, is_back;
        test_side(setup.back, stored, near, back_ones, back_next);
        spread(back, is_back);
        for (unsigned i = 0; i < lane_count; i++) {
            ones.w[i] = (ones.w[i] & ~is_back.w[i]) | (back_ones.w[i] & is_back.w[i]);
            next.w[i] = (next.w[i] & ~is_back.w[i]) | (back_next.w[i] & is_back.w[i]);
        }
    }
    const uint32_t write = setup.write ? ~0u : 0;
    for (unsigned i = 0; i < lane_count; i++) {
        const uint32_t taken = ones.w[i] & write;
        const uint32_t z = (integers.w[i] & taken) | (stored.w[i] >> 8 & ~taken);
        stored.w[i] = z << 8 | next.w[i];
    }
    scatter(plane, places, lanes, stored);
    return mask_of(ones) & lanes;
}

// ---- colors ----------------------------------------------------------------------------------

constexpr unsigned most_bits = 10; ///< per channel

constexpr float most(unsigned channel_bits) {
    return float((1u << channel_bits) - 1);
}

/// 1 / most() as a sum: c * high is exact, so c * high + c * low is c / most(), correctly rounded.
struct Inverse {
    float high = 0, low = 0;

    constexpr Inverse() = default;
    constexpr explicit Inverse(unsigned channel_bits) {
        const double exact = 1.0 / most(channel_bits);
        high = std::bit_cast<float>(std::bit_cast<uint32_t>(float(exact)) & 0xFFFFFC00);
        low = float(exact - high);
    }
    constexpr float operator()(float c) const { return c * high + c * low; }
};

constexpr std::array<Inverse, most_bits + 1> inverse = [] {
    std::array<Inverse, most_bits + 1> of_bits{};
    for (unsigned n = 1; n <= most_bits; n++)
        of_bits[n] = Inverse(n);
    return of_bits;
}();

static_assert([] {
    for (unsigned n = 1; n <= most_bits; n++)
        for (unsigned c = 0; c < 1u << n; c++)
            if (inverse[n](float(c)) != float(c) / most(n))
                return false;
    return true;
}());

constexpr TargetFormat argb = {6, 4, {{{8, 16}, {8, 8}, {8, 0}, {8, 24}}}};

/// Constants for packing and unpacking a channel.
struct Codec {
    uint32_t shift, mask;
    float most, absent; ///< value read from a channel without bits
    Inverse inverse;

    PIXMILL_INNER explicit Codec(TargetFormat::Channel c)
        : shift(c.shift), mask((1u << c.bits) - 1), most(float(int32_t(mask))),
          absent(c.bits ? 0 : 1), inverse(vivante::inverse[c.bits]) {}

    PIXMILL_INNER float unpack(uint32_t word) const {
        const auto c = float(int32_t(word >> shift & mask));
        return absent + (c * inverse.high + c * inverse.low);
    }
    PIXMILL_INNER uint32_t pack(float v) const { return quantized(v, most) << shift; }
};

struct Codecs {
    Codec r, g, b, a;

    PIXMILL_INNER explicit Codecs(const TargetFormat& format)
        : r(format.channel[0]), g(format.channel[1]), b(format.channel[2]), a(format.channel[3]) {}
};

PIXMILL_INNER void pack(const TargetFormat& format, uint32_t padding, const Vector& color,
                        Words& pixels) {
    const Codecs codecs(format);
    const auto& [r, g, b, a] = color;
    for (unsigned i = 0; i < lane_count; i++)
        pixels.w[i] = codecs.r.pack(r.f[i]) | codecs.g.pack(g.f[i]) | codecs.b.pack(b.f[i]) |
                      codecs.a.pack(a.f[i]) | padding;
}

template<bool Argb>
PIXMILL_INNER void replace(const ColorSetup& setup, unsigned number, RenderTile& tile,
                           const LanePlaces& places, LaneMask lanes, const Vector& color) {
    Plane& plane = tile.color[number];
    const TargetFormat& format = *setup.target[number].format;
    Words pixels;
    pack(Argb ? argb : format, format.padding, color, pixels);
    scatter(plane, places, lanes, pixels);
}

PIXMILL_INNER void keep_unwritten(uint32_t mask, const Words& old, Words& pixels) {
    for (unsigned i = 0; i < lane_count; i++)
        pixels.w[i] = (pixels.w[i] & mask) | (old.w[i] & ~mask);
}

PIXMILL_INNER void merge(const ColorSetup& setup, unsigned number, RenderTile& tile,
                         const LanePlaces& places, LaneMask lanes, const Vector& color) {
    Plane& plane = tile.color[number];
    const ColorTarget& target = setup.target[number];
    const uint32_t op = setup.logic_op;
    const uint32_t neither = 0 - (op & 1), only_old = 0 - (op >> 1 & 1),
                   only_new = 0 - (op >> 2 & 1), both = 0 - (op >> 3 & 1);
    Words old, pixels;
    gather(old, plane, places);
    pack(*target.format, target.format->padding, color, pixels);
    for (unsigned i = 0; i < lane_count; i++) {
        const uint32_t s = pixels.w[i], d = old.w[i];
        pixels.w[i] =
            (s & d & both) | (s & ~d & only_new) | (~s & d & only_old) | (~(s | d) & neither);
    }
    keep_unwritten(uint32_t(target.write_mask), old, pixels);
    scatter(plane, places, lanes, pixels);
}

constexpr Lanes no_operand{};

/// Operands of blending.
struct Blended {
    Vector source, target;
    Lanes saturate;

    PIXMILL_INNER const float* operand(BlendOperand which, unsigned channel) const {
        switch (which) {
        case BlendOperand::source:
            return source[channel].f.data();
        case BlendOperand::source_alpha:
            return source[3].f.data();
        case BlendOperand::target:
            return target[channel].f.data();
        case BlendOperand::target_alpha:
            return target[3].f.data();
        case BlendOperand::saturate:
            return saturate.f.data();
        case BlendOperand::zero:
            break;
        }
        return no_operand.f.data();
    }
};

PIXMILL_INNER void load(Blended& blended, const ColorTarget& target, const Vector& color,
                        const Words& old) {
    for (unsigned c = 0; c < 4; c++) {
        const Codec codec(target.format->channel[c]);
        const float* const from = color[c].f.data();
        float* const source = blended.source[c].f.data();
        for (unsigned i = 0; i < lane_count; i++)
            blended.target[c].f[i] = codec.unpack(old.w[i]);
        if (target.saturate)
            for (unsigned i = 0; i < lane_count; i++)
                source[i] = clamped(from[i]);
        else
            std::memcpy(source, from, sizeof(Lanes));
    }
    const float *const as = blended.source[3].f.data(), *const ad = blended.target[3].f.data();
    for (unsigned i = 0; i < lane_count; i++) {
        const float rest = 1 - ad[i];
        blended.saturate.f[i] = as[i] < rest ? as[i] : rest;
    }
}

PIXMILL_INNER void combine(const BlendChannel& how, const Blended& blended, unsigned channel,
                           Lanes& result) {
    const float *const s = blended.source[channel].f.data(), *const d =
                                                                 blended.target[channel].f.data();
    float* const to = result.f.data();
    switch (how.equation) {
    case BlendEquation::min:
        for (unsigned i = 0; i < lane_count; i++)
            to[i] = s[i] < d[i] ? s[i] : d[i];
        break;
    case BlendEquation::max:
        for (unsigned i = 0; i < lane_count; i++)
            to[i] = s[i] > d[i] ? s[i] : d[i];
        break;
    case BlendEquation::sum:
        const BlendFactor f = how.source, g = how.target;
        const float *const x = blended.operand(f.operand, channel), *const y = blended.operand(
                                                                        g.operand, channel);
        for (unsigned i = 0; i < lane_count; i++)
            to[i] = s[i] * (f.base + f.gain * x[i]) + d[i] * (g.base + g.gain * y[i]);
        break;
    }
}

PIXMILL_INNER void blend(const ColorSetup& setup, unsigned number, RenderTile& tile,
                         const LanePlaces& places, LaneMask lanes, const Vector& color) {
    Plane& plane = tile.color[number];
    const ColorTarget& target = setup.target[number];
    Words old, pixels;
    Blended blended;
    Vector result;
    gather(old, plane, places);
    load(blended, target, color, old);
    for (unsigned c = 0; c < 4; c++)
        combine(target.channel[c], blended, c, result[c]);
    pack(*target.format, target.format->padding, result, pixels);
    keep_unwritten(uint32_t(target.write_mask), old, pixels);
    scatter(plane, places, lanes, pixels);
}

PIXMILL_INNER void blend_over_argb(const ColorSetup& setup, unsigned number, RenderTile& tile,
                                   const LanePlaces& places, LaneMask lanes, const Vector& color) {
    Plane& plane = tile.color[number];
    const uint32_t padding = setup.target[number].format->padding;
    const Codecs codecs(argb);
    Words words;
    gather(words, plane, places);
    const auto& [r, g, b, a] = color;
    for (unsigned i = 0; i < lane_count; i++) {
        const uint32_t old = words.w[i];
        const float alpha = clamped(a.f[i]), rest = 1 - alpha;
        const auto over = [&](const Codec& codec, float s) {
            return codec.pack(s * alpha + codec.unpack(old) * rest);
        };
        words.w[i] = over(codecs.r, clamped(r.f[i])) | over(codecs.g, clamped(g.f[i])) |
                     over(codecs.b, clamped(b.f[i])) | over(codecs.a, alpha) | padding;
    }
    scatter(plane, places, lanes, words);
}

template<template<auto> class Isa>
constexpr PeKernels table = {
    .alpha = Isa<test_alpha>::run,
    .depth = {Isa<test_depth<0>>::run, Isa<test_depth<1>>::run, Isa<test_depth<2>>::run,
              Isa<test_depth<3>>::run, Isa<test_depth<4>>::run, Isa<test_depth<5>>::run,
              Isa<test_depth<6>>::run, Isa<test_depth<7>>::run},
    .depth_any = Isa<test_depth<any>>::run,
    .stencil = Isa<test_stencil>::run,
    .replace = Isa<replace<false>>::run,
    .merge = Isa<merge>::run,
    .blend = Isa<blend>::run,
    .replace_argb = Isa<replace<true>>::run,
    .blend_over_argb = Isa<blend_over_argb>::run,
    .numbers = draw_numbers,
};

#undef PIXMILL_INNER

} // namespace

const PeKernels& pe_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return table<render::Avx2>;
#endif
    return table<render::Baseline>;
}

} // namespace pixmill::vivante

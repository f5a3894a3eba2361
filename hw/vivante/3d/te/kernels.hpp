// Loops of the texture units over 64 lanes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "setup.hpp"
#include "vivante/3d/lanes.hpp"

namespace pixmill::vivante::te {

struct alignas(64) LaneInts {
    std::array<int32_t, lane_count> i;
};
struct alignas(64) LaneWords {
    std::array<uint32_t, lane_count> w;
};

/// The texels that coordinates select on one axis: index 0, and index 1, which is mixed in by
/// `fraction`. Indices are always within the level. `outside` is -1 for texels beyond a border,
/// else 0; only Wrap::clamp_to_border writes it.
struct Axis {
    std::array<LaneInts, 2> index, outside;
    Lanes fraction;
};

/// Maps levels of detail to mip levels. Values are in levels, whereas the states use 1/32 levels.
struct LodRange {
    float min = 0, max = 0;
    float threshold = 0; ///< texels are magnified up to this level of detail
    float half = 0.5f;   ///< the nearest level begins this much before it, exclusively
    Filter mip = Filter::none;
    int32_t last = 0;
};

struct Selected {
    unsigned magnified = 0; ///< number of lanes that magnify
    bool mixed = false;     ///< at least one lane mixes two levels
};

/// Range, over all lanes, of the squared distance between adjacent pixels, in texels.
struct Lengths {
    float least = 0, most = 0;
};

/// Conversion of a texel's bits to a channel of the result.
struct ChannelOf {
    enum class Kind : uint8_t {
        constant,
        unorm, ///< bits * (high + rest)
        snorm, ///< (bits - bias) * (high + rest)
        wide,  ///< bits / mask, for channels of more than 16 bits
        curve, ///< curve[bits]
        same,  ///< copy of the earlier channel `other`
    } kind = Kind::constant;
    uint8_t low = 0;
    uint8_t other = 0;
    uint32_t mask = 0;
    float constant = 0;
    float bias = 0;
    float high = 0, rest = 0; ///< their sum is the scale
    const float* curve = nullptr;
};
using Channels = std::array<ChannelOf, 4>;

/// Splits the scale of a unorm channel, 1 / largest, into `high` and `rest`. `largest` has at most
/// 16 bits, so the product of `high` and a number up to `largest` is exact, and the result is the
/// quotient, rounded once.
void set_scale(ChannelOf& channel, uint32_t largest);

/// Returns the sRGB curve, indexed by 8-bit values.
const float* srgb_curve();

/// Order of texels, or of 4x4 tiles of texels, in memory.
enum class Order : uint8_t { linear, tiled, super_tiled, new_super_tiled, count };

/// Layout of a level in memory. An offset is the sum of a column's part and a row's part.
struct Pitches {
    uint32_t width = 0, height = 0; ///< of level 0
    uint32_t align = 1;             ///< alignment of widths, a power of two
    uint32_t align_rows = 1;        ///< alignment of heights, a power of two
    uint8_t shift = 0;              ///< log2 of a texel's bytes
    uint32_t stride = 0;            ///< linear textures only
    uint32_t slice = 0; ///< bytes of a layer of level 0, except for blocks; 0: as sizes require
};

struct TeKernels {
    /// Computes differences within quads, for the first `count` components.
    void (*differences)(const Vector& of, unsigned count, Vector& dx, Vector& dy);
    /// Computes the cube faces that directions hit, and s and t on these faces.
    void (*project)(const Vector& direction, Vector& coordinate, LaneInts& face);
    /// Converts `d`, a derivative of the direction, to derivatives of s and t on the direction's
    /// face, by the quotient rule.
    void (*project_change)(const Vector& direction, Vector& d);
    /// Computes the squared length of `d` in texels.
    void (*square)(const Vector& d, unsigned count, const std::array<float, 3>& size, Lanes& out);
    /// Computes the level of detail: half the base-2 logarithm of the larger squared length.
    void (*lod)(const Lanes& x, const Lanes& y, Lanes& lod);
    /// Returns the range, over all lanes, of the larger squared length.
    Lengths (*lengths)(const Lanes& x, const Lanes& y);
    /// True if select() gives the same result for all lengths in `of`, which is then returned. The
    /// range must not mix levels.
    bool (*one_level)(const Lengths& of, const LodRange& range, float bias, int32_t& level,
                      bool& magnified);
    /// Like lod(), but for anisotropic filters, which take up to `most` taps along the longer axis.
    /// Also computes the number of taps and the axis.
    void (*taps)(const Lanes& x, const Lanes& y, unsigned most, const Vector& dx, const Vector& dy,
                 LaneInts& count, Vector& along, Lanes& lod);
    /// Computes the position of a tap: c + along * ((number + 1/2) / count - 1/2), in s and t.
    void (*step)(const Vector& c, const Vector& along, const LaneInts& count, int32_t number,
                 Vector& out);
    /// add_tap() adds `texel` where number < count. average() divides the sum by count.
    void (*add_tap)(Vector& sum, const Vector& texel, const LaneInts& count, int32_t number);
    void (*average)(Vector& sum, const LaneInts& count);

    void (*add)(Lanes& to, const Lanes& lanes);
    void (*add_constant)(Lanes& to, float value);
    Selected (*select)(const LodRange& range, const Lanes& lod, LaneInts& level, Lanes& fraction,
                       LaneInts& magnified);
    void (*next)(const LaneInts& level, int32_t last, LaneInts& next);

    /// Computes the size of each lane's level from the size of level 0.
    void (*sizes)(const LaneInts& level, uint32_t size, LaneInts& out);
    void (*layers)(const Lanes& coordinate, uint32_t count, LaneInts& layer);
    using AxisKernel = void (*)(const Lanes& coordinate, const LaneInts& size, Axis& axis);
    std::array<std::array<AxisKernel, 2>, 4> axis; ///< by wrap mode, then nearest or linear

    using ColumnKernel = void (*)(const LaneInts& x, const Pitches& pitches, LaneWords& offset);
    /// `layer` is null if there is only one layer.
    using RowKernel = void (*)(const LaneInts& y, const LaneInts* layer, const LaneInts& level,
                               const Pitches& pitches, LaneWords& offset);
    std::array<ColumnKernel, size_t(Order::count)> column; ///< by order
    std::array<RowKernel, size_t(Order::count)> row;
    /// Rounds columns down to even numbers, for texels stored in pairs.
    void (*pairs)(LaneInts& x);
    /// Replaces texels that are outside with `border`.
    void (*blank)(const LaneInts& outside, uint32_t border, LaneWords& words);

    void (*nearest)(const LaneWords& words, const Channels& channels, Vector& texel);
    /// `words`: (0, 0), (1, 0), (0, 1), (1, 1)
    void (*bilinear)(const std::array<LaneWords, 4>& words, const Lanes& a, const Lanes& b,
                     const Channels& channels, Vector& texel);
    /// Computes to + (from - to) * fraction.
    void (*mix)(Vector& to, const Vector& from, const Lanes& fraction);
    void (*choose)(Vector& to, const Vector& from, const LaneInts& where);
};

/// Returns the kernels for this processor.
const TeKernels& te_kernels();

} // namespace pixmill::vivante::te

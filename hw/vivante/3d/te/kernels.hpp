// The loops over lanes of the texture units.
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

/// Which texels a coordinate selects on its axis: index 0, and index 1 to mix in by `fraction`.
/// Indices are always within the level. What is outside of a border (-1, else 0) is written by
/// Wrap::clamp_to_border only.
struct Axis {
    std::array<LaneInts, 2> index, outside;
    Lanes fraction;
};

/// How a level of detail selects levels. In levels, not in units of the states.
struct LodRange {
    float min = 0, max = 0;
    float threshold = 0; ///< up to here texels are magnified
    Filter mip = Filter::none;
    int32_t last = 0;
};

struct Selected {
    unsigned magnified = 0; ///< lanes
    bool mixed = false;     ///< of a lane at least, two levels are to be mixed
};

/// How far a position moves from pixel to pixel, in texels, squared: of all lanes.
struct Lengths {
    float least = 0, most = 0;
};

/// A channel of the texels that the unit returns.
struct ChannelOf {
    enum class Kind : uint8_t {
        constant,
        unorm, ///< the bits times `high` and `rest`
        snorm, ///< the same, less `bias` before
        wide,  ///< the bits by `mask`: of more than 16
        curve, ///< what the curve makes of the bits
        same,  ///< as channel `other`, an earlier one
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

/// Sets the scale of an unorm channel to 1 / largest, in two parts: what up to `largest`, of at
/// most 16 bits, times the first is, is exact, so the sum is the quotient, rounded once.
void set_scale(ChannelOf& channel, uint32_t largest);

/// The curve of sRGB for values of 8 bits.
const float* srgb_curve();

/// In what order texels, or tiles of 4 x 4 of them, follow each other.
enum class Order : uint8_t { linear, tiled, super_tiled };

/// Where texels lie in a level, apart for columns and rows.
struct Pitches {
    uint32_t width = 0, height = 0; ///< of level 0
    uint32_t align = 1;             ///< widths, a power of two
    uint32_t align_rows = 1;        ///< heights, likewise
    uint8_t shift = 0;              ///< log2 of a texel's bytes
    uint32_t stride = 0;            ///< linear
};

struct TeKernels {
    /// Differences in quads of the first `count` components.
    void (*differences)(const Vector& of, unsigned count, Vector& dx, Vector& dy);
    /// Faces of directions, and s and t on them.
    void (*project)(const Vector& direction, Vector& coordinate, LaneInts& face);
    /// What `d` is as a change of s and t. By the quotient rule, on the face of the direction.
    void (*project_change)(const Vector& direction, Vector& d);
    /// The square of the length of `d` in texels.
    void (*square)(const Vector& d, unsigned count, const std::array<float, 3>& size, Lanes& out);
    /// Half of the logarithm of the larger one.
    void (*lod)(const Lanes& x, const Lanes& y, Lanes& lod);
    /// Of the larger one.
    Lengths (*lengths)(const Lanes& x, const Lanes& y);
    /// Whether select() says the same of all such lengths, and what, with a range that mixes no
    /// levels.
    bool (*one_level)(const Lengths& of, const LodRange& range, float bias, int32_t& level,
                      bool& magnified);
    /// lod() where the longer axis is sampled up to `most` times: how often, and how far apart.
    void (*taps)(const Lanes& x, const Lanes& y, unsigned most, const Vector& dx, const Vector& dy,
                 LaneInts& count, Vector& along, Lanes& lod);
    /// c + along * ((number + 1/2) / count - 1/2), in s and t
    void (*step)(const Vector& c, const Vector& along, const LaneInts& count, int32_t number,
                 Vector& out);
    /// Adds `texel` where number < count; divides the sum by count.
    void (*add_tap)(Vector& sum, const Vector& texel, const LaneInts& count, int32_t number);
    void (*average)(Vector& sum, const LaneInts& count);

    void (*add)(Lanes& to, const Lanes& lanes);
    void (*add_constant)(Lanes& to, float value);
    Selected (*select)(const LodRange& range, const Lanes& lod, LaneInts& level, Lanes& fraction,
                       LaneInts& magnified);
    void (*next)(const LaneInts& level, int32_t last, LaneInts& next);

    /// Sizes of levels.
    void (*sizes)(const LaneInts& level, uint32_t size, LaneInts& out);
    void (*layers)(const Lanes& coordinate, uint32_t count, LaneInts& layer);
    using AxisKernel = void (*)(const Lanes& coordinate, const LaneInts& size, Axis& axis);
    std::array<std::array<AxisKernel, 2>, 4> axis; ///< by wrap mode, nearest or linear

    using ColumnKernel = void (*)(const LaneInts& x, const Pitches& pitches, LaneWords& offset);
    /// `layer`: null for one
    using RowKernel = void (*)(const LaneInts& y, const LaneInts* layer, const LaneInts& level,
                               const Pitches& pitches, LaneWords& offset);
    std::array<ColumnKernel, 3> column; ///< by order
    std::array<RowKernel, 3> row;
    /// The even ones: pairs.
    void (*pairs)(LaneInts& x);
    /// Words of texels outside become `border`.
    void (*blank)(const LaneInts& outside, uint32_t border, LaneWords& words);

    void (*nearest)(const LaneWords& words, const Channels& channels, Vector& texel);
    /// `words`: (0, 0), (1, 0), (0, 1), (1, 1)
    void (*bilinear)(const std::array<LaneWords, 4>& words, const Lanes& a, const Lanes& b,
                     const Channels& channels, Vector& texel);
    /// to + (from - to) * fraction
    void (*mix)(Vector& to, const Vector& from, const Lanes& fraction);
    void (*choose)(Vector& to, const Vector& from, const LaneInts& where);
};

/// For this processor.
const TeKernels& te_kernels();

} // namespace pixmill::vivante::te

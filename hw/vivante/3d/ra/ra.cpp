// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml; tables of sample positions: Mesa 25.0 etnaviv_context.c and
// etnaviv_emit.c. For undocumented behavior see docs/hardware/vivante-3d.md.
#include "ra.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "render/cpu_dispatch.hpp"
#include "states.hpp"
#include "vivante/3d/gl_states.hpp"
#include "vivante/3d/pa/states.hpp"

#define PIXMILL_INNER [[gnu::always_inline]] inline
/// Stops GCC from unrolling a loop over four lanes, which it would then no longer vectorize.
#define PIXMILL_LOOP _Pragma("GCC unroll 1")

namespace pixmill::vivante {

namespace {

using render::SamplePosition;
using render::subpixels;

constexpr double unit = 1.0 / subpixels;

// ---- States ------------------------------------------------------------------

/// Rounds down and clamps to 0 .. 8192. NaN becomes 0.
int32_t edge_of_scissor(float v) {
    constexpr float most = 8192;
    return v > 0 ? int32_t(std::min(v, most)) : 0;
}

/// Decodes a byte of the position tables: x and y in 1/16 pixel, x in the low nibble.
constexpr SamplePosition position(uint32_t byte) {
    return {uint8_t((byte & 15) * 16), uint8_t((byte >> 4 & 15) * 16)};
}

/// Sets the positions of samples and centroids on HALTI5, which has no tables of them. The samples
/// are those that drivers choose on earlier cores, and a centroid is the mean of covered samples.
void set_fixed_positions(RaSetup& s) {
    constexpr uint32_t of_two = 0x0000AA22, of_four = 0xEAA26E26; // Mesa 25.0 etnaviv_context.c
    for (unsigned i = 0; i < s.samples; i++)
        s.sample[i] = position((s.samples == 2 ? of_two : of_four) >> 8 * i);
    for (unsigned mask = 1; mask < 1u << s.samples; mask++) {
        unsigned x = 0, y = 0;
        for (unsigned i = 0; i < s.samples; i++) {
            x += mask >> i & 1 ? s.sample[i].x : 0;
            y += mask >> i & 1 ? s.sample[i].y : 0;
        }
        const auto count = unsigned(std::popcount(mask));
        constexpr unsigned step = 16; // Mesa's tables are in 1/16 pixel, rounded down
        s.centroid[mask] = {uint8_t(x / count / step * step), uint8_t(y / count / step * step)};
    }
}

} // namespace

RaSetup RaSetup::decode(States states, const Features3d& features) {
    RaSetup s;
    s.scissor = {edge_of_scissor(states.real(SE_SCISSOR_LEFT)),
                 edge_of_scissor(states.real(SE_SCISSOR_TOP)),
                 edge_of_scissor(states.real(SE_SCISSOR_RIGHT)),
                 edge_of_scissor(states.real(SE_SCISSOR_BOTTOM))};
    s.varyings = Varyings::decode(states, features);
    s.samples = gl::sample_count(states);
    if (s.samples == 1) {
        s.varyings.ignore_centered();
        return s;
    }
    s.enabled = uint8_t(gl::multi_sample_config::msaa_enables(states[GL_MULTI_SAMPLE_CONFIG]) &
                        ((1u << s.samples) - 1));
    if (features.halti5) {
        set_fixed_positions(s);
        return s;
    }
    for (unsigned i = 0; i < s.samples; i++)
        s.sample[i] = position(states[RA_MULTISAMPLE_UNK00E10] >> 8 * i);
    for (unsigned mask = 0; mask < s.centroid.size(); mask++)
        s.centroid[mask] = position(states[RA_CENTROID_TABLE + mask / 4 * 4] >> 8 * (mask % 4));
    return s;
}

namespace {

// ---- Lanes -------------------------------------------------------------------

/// Positions in units of 1/256 pixel. All are integers.
struct Positions {
    alignas(64) std::array<double, lane_count> x, y;
};

/// A batch of arbitrary quads.
struct Quads {
    std::array<QuadRef, quad_count> quad;

    const Primitive& primitive(unsigned q) const { return *quad[q].primitive; }
    bool uniform() const {
        return std::ranges::all_of(
            quad, [&](const QuadRef& other) { return other.primitive == quad[0].primitive; });
    }
    /// Computes the position of a sample in all pixels.
    PIXMILL_INNER static void positions(const Quads& quads, const SamplePosition& sample,
                                        Positions& out) {
        const SamplePosition in_pixel = sample; // a copy cannot alias `out`
        for (unsigned q = 0; q < quad_count; q++)
            for (unsigned i = 0; i < 4; i++) {
                const QuadRef& quad = quads.quad[q];
                out.x[4 * q + i] = (quad.x + int32_t(i & 1)) * subpixels + in_pixel.x;
                out.y[4 * q + i] = (quad.y + int32_t(i >> 1)) * subpixels + in_pixel.y;
            }
    }
};

/// Positions of a block's pixels, relative to the first.
constexpr Positions pixels_of_block = [] {
    Positions at{};
    for (unsigned lane = 0; lane < lane_count; lane++) {
        const unsigned quad = lane / 4;
        const unsigned column = quad % 4 * 2 + lane % 2, row = quad / 4 * 2 + lane / 2 % 2;
        at.x[lane] = column * subpixels;
        at.y[lane] = row * subpixels;
    }
    return at;
}();

/// A batch that is a single block.
struct Block {
    BlockRef block;

    const Primitive& primitive(unsigned) const { return *block.primitive; }
    static constexpr bool uniform() { return true; }
    PIXMILL_INNER static void positions(const Block& at, const SamplePosition& sample,
                                        Positions& out) {
        const double x = at.block.x * subpixels + sample.x;
        const double y = at.block.y * subpixels + sample.y;
        for (unsigned i = 0; i < lane_count; i++) {
            out.x[i] = pixels_of_block.x[i] + x;
            out.y[i] = pixels_of_block.y[i] + y;
        }
    }
};

/// Converts to pixels.
PIXMILL_INNER void scale(const std::array<double, lane_count>& from, Lanes& to) {
    for (unsigned i = 0; i < lane_count; i++)
        to.f[i] = float(from[i] * unit);
}

/// Does nothing: all samples of a block are covered.
void move_to_centroids(const RaSetup&, const Block&, Positions&) {}

/// Moves partly covered pixels to their centroid if their center is not covered.
void move_to_centroids(const RaSetup& setup, const Quads& quads, Positions& at) {
    constexpr SamplePosition center;
    const unsigned all = (1u << setup.samples) - 1;
    for (unsigned q = 0; q < quad_count; q++) {
        const QuadRef& quad = quads.quad[q];
        unsigned covered[4] = {}, some = 0;
        for (unsigned i = 0; i < 4; i++) {
            for (unsigned s = 0; s < setup.samples; s++)
                covered[i] |= (quad.covered[s] >> i & 1u) << s;
            some |= unsigned(covered[i] != 0 && covered[i] != all) << i;
        }
        if (!some)
            continue;
        const render::BlockMask block = quad.primitive->shape.cover(quad.x, quad.y, {});
        const unsigned centers = unsigned((block & 3) | (block >> 6 & 12));
        for (unsigned i = 0; i < 4; i++)
            if ((some & ~centers) >> i & 1) {
                const SamplePosition centroid = setup.centroid[covered[i]];
                at.x[4 * q + i] += centroid.x - center.x;
                at.y[4 * q + i] += centroid.y - center.y;
            }
    }
}

/// Weights of vertices 1 and 2 in each pixel. Vertex 0 has the remaining weight.
struct Weights {
    Lanes of_1, of_2, rhw;
};

/// Computes perspective-correct weights.
template<unsigned lanes>
PIXMILL_INNER void weigh(const Primitive& p, const Positions& at, unsigned first, Weights& out) {
    const Primitive::Share one = p.share[0], two = p.share[1];
    const double total = p.total, inverse = p.inverse_total;
    const float rhw_0 = p.rhw[0], rhw_1 = p.rhw[1], rhw_2 = p.rhw[2];
    const double* __restrict x = &at.x[first], * __restrict y = &at.y[first];
    float* __restrict of_1 = &out.of_1.f[first];
    float* __restrict of_2 = &out.of_2.f[first];
    float* __restrict rhws = &out.rhw.f[first];
    PIXMILL_LOOP
    for (unsigned i = 0; i < lanes; i++) {
        // All operations are exact, except for the products with the inverse.
        const double e1 = x[i] * one.dx + y[i] * one.dy + one.constant;
        const double e2 = x[i] * two.dx + y[i] * two.dy + two.constant;
        const float w0 = rhw_0 * float((total - e1 - e2) * inverse);
        const float w1 = rhw_1 * float(e1 * inverse), w2 = rhw_2 * float(e2 * inverse);
        const float rhw = w0 + w1 + w2;
        of_1[i] = w1 / rhw;
        of_2[i] = w2 / rhw;
        rhws[i] = rhw;
    }
}

/// Computes the weights of a linear interpolation in the window.
template<unsigned lanes>
PIXMILL_INNER void weigh_linearly(const Primitive& p, const Positions& at, unsigned first,
                                  Weights& out) {
    const Primitive::Share one = p.share[0], two = p.share[1];
    const double inverse = p.inverse_total;
    const double* __restrict x = &at.x[first], * __restrict y = &at.y[first];
    float* __restrict of_1 = &out.of_1.f[first];
    float* __restrict of_2 = &out.of_2.f[first];
    PIXMILL_LOOP
    for (unsigned i = 0; i < lanes; i++) {
        of_1[i] = float((x[i] * one.dx + y[i] * one.dy + one.constant) * inverse);
        of_2[i] = float((x[i] * two.dx + y[i] * two.dy + two.constant) * inverse);
    }
}

/// Clamps to 0 .. 1. NaN becomes 0.
PIXMILL_INNER float clamp_depth(float z) {
    z = z > 0 ? z : 0;
    return z < 1 ? z : 1;
}

template<unsigned lanes>
PIXMILL_INNER void measure(const Primitive& p, const Positions& at, unsigned first, Lanes& depth) {
    const double z0 = p.z0;
    const float offset = p.z_offset;
    const double* __restrict x = &at.x[first], * __restrict y = &at.y[first];
    float* __restrict to = &depth.f[first];
    if (p.segment) {
        const Primitive::Share share = p.share[0];
        const double total = p.total, run = p.z_run;
        PIXMILL_LOOP
        for (unsigned i = 0; i < lanes; i++) {
            const double t = (x[i] * share.dx + y[i] * share.dy + share.constant) / total;
            to[i] = clamp_depth(float(z0 + t * run) + offset);
        }
        return;
    }
    const double x0 = p.x0, y0 = p.y0, zx = p.zx, zy = p.zy;
    PIXMILL_LOOP
    for (unsigned i = 0; i < lanes; i++) {
        const double z = z0 + ((x[i] * unit - x0) * zx + (y[i] * unit - y0) * zy);
        to[i] = clamp_depth(float(z) + offset);
    }
}

/// Like measure(), for triangles, but computes products once for each column and each row.
PIXMILL_INNER void measure_block(const Primitive& p, const BlockRef& block,
                                 const SamplePosition& sample, Lanes& depth) {
    typedef double Four __attribute__((vector_size(32))); // a quad
    typedef float FourFloats __attribute__((vector_size(16)));
    const double x = block.x * subpixels + sample.x, y = block.y * subpixels + sample.y;
    const double x0 = p.x0, y0 = p.y0, z0 = p.z0, zx = p.zx, zy = p.zy;
    const float offset = p.z_offset;
    const Four column = {0, subpixels, 0, subpixels}, row = {0, 0, subpixels, subpixels};
    constexpr unsigned edge = 4; // of a block, in quads
    Four of_column[edge];
    for (unsigned n = 0; n < edge; n++)
        of_column[n] = ((column + (x + 2 * n * subpixels)) * unit - x0) * zx;
    for (unsigned n = 0; n < edge; n++) {
        const Four of_row = ((row + (y + 2 * n * subpixels)) * unit - y0) * zy;
        for (unsigned q = 0; q < edge; q++) {
            const FourFloats z = __builtin_convertvector(z0 + (of_column[q] + of_row), FourFloats);
            std::memcpy(&depth.f[16 * n + 4 * q], &z, sizeof z);
        }
    }
    for (float& z : depth.f)
        z = clamp_depth(z + offset);
}

/// Interpolates a component of a varying.
template<unsigned lanes>
PIXMILL_INNER void mix(const Primitive::Varying& varying, unsigned component,
                       const Weights& weights, unsigned first, Lanes& out) {
    const float value = varying.value[component];
    const float more_1 = varying.more_1[component], more_2 = varying.more_2[component];
    const float* __restrict of_1 = &weights.of_1.f[first];
    const float* __restrict of_2 = &weights.of_2.f[first];
    float* __restrict to = &out.f[first];
    PIXMILL_LOOP
    for (unsigned i = 0; i < lanes; i++)
        to[i] = value + of_1[i] * more_1 + of_2[i] * more_2;
}

PIXMILL_INNER void fill(Lanes& lanes, float value) {
    for (float& f : lanes.f)
        f = value;
}

bool is_flat(const Varyings& varyings, uint32_t v, unsigned component) {
    return varyings.flat[v] >> component & 1;
}

/// Returns a mask of the components that a varying has and the program reads.
unsigned components_of(const Varyings& varyings, uint32_t v, const PixelInputs& out) {
    return out.components(1 + v) & ((1u << varyings.components[v]) - 1);
}

/// Calls work(component) for each bit of a mask.
template<class Work>
void for_each_bit(unsigned mask, const Work& work) {
    for (; mask; mask &= mask - 1)
        work(unsigned(std::countr_zero(mask)));
}

/// Calls work(varying, component, lanes) for each component that the program reads.
template<class Work>
void for_each_varying(const Varyings& varyings, const PixelInputs& out, const Work& work) {
    for (uint32_t v = 0; v < varyings.count; v++)
        for_each_bit(components_of(varyings, v, out),
                     [&](unsigned c) { work(v, c, out.t[1 + v][c]); });
}

// ---- Planes ------------------------------------------------------------------

/// Eight lanes of a block: two quads.
typedef float Eight __attribute__((vector_size(32)));

/// Distances of a block's pixels from the first, in pixels. Quads come in rows of four, so lanes
/// have the columns of one of two vectors and the rows of one of four.
constexpr Eight columns_of_block[2] = {{0, 1, 0, 1, 2, 3, 2, 3}, {4, 5, 4, 5, 6, 7, 6, 7}};
constexpr Eight rows_of_block[4] = {{0, 0, 1, 1, 0, 0, 1, 1},
                                    {2, 2, 3, 3, 2, 2, 3, 3},
                                    {4, 4, 5, 5, 4, 4, 5, 5},
                                    {6, 6, 7, 7, 6, 6, 7, 7}};

/// Computes value + column dx + row dy for each pixel of a block.
PIXMILL_INNER void spread(float value, float dx, float dy, Lanes& out) {
    Eight across[2];
    for (unsigned half = 0; half < 2; half++)
        across[half] = value + columns_of_block[half] * dx;
    for (unsigned row = 0; row < 4; row++) {
        const Eight down = rows_of_block[row] * dy;
        for (unsigned half = 0; half < 2; half++) {
            const Eight sum = across[half] + down;
            std::memcpy(&out.f[16 * row + 8 * half], &sum, sizeof sum);
        }
    }
}

using Planes = BlockPlanes::Planes;

PIXMILL_INNER void spread_all(const Planes& planes, int32_t column, int32_t row) {
    constexpr SamplePosition center;
    const double x = column * subpixels + center.x, y = row * subpixels + center.y;
    const auto weight = [&](const Planes::Weight& of) {
        return (x * of.dx + y * of.dy + of.constant) * planes.inverse_total;
    };
    const double one = weight(planes.weight[0]), two = weight(planes.weight[1]);
    for (size_t n = 0; n < planes.planes; n++) {
        const Planes::Plane& plane = planes.plane[n];
        spread(float(plane.value + one * plane.more_1 + two * plane.more_2), plane.dx, plane.dy,
               *plane.to);
    }
    for (size_t n = 0; n < planes.constants; n++)
        fill(*planes.constant[n].to, planes.constant[n].value);
}

/// Adds the varyings of a block if w is the same at all vertices: they are then linear in the
/// window, without a division by w. Returns false if w differs.
bool add_varyings(const Varyings& varyings, const Primitive& p, const PixelInputs& out,
                  Planes& planes) {
    if (p.rhw[0] != p.rhw[1] || p.rhw[0] != p.rhw[2] || !std::isnormal(p.rhw[0]))
        return false;
    for (unsigned n = 0; n < 2; n++)
        planes.weight[n] = {p.share[n].dx, p.share[n].dy, p.share[n].constant};
    planes.inverse_total = p.inverse_total;
    // Per pixel.
    const auto step = [&](double one, double two, double more_1, double more_2) {
        return float(one * subpixels * p.inverse_total * more_1 +
                     two * subpixels * p.inverse_total * more_2);
    };
    for_each_varying(varyings, out, [&](uint32_t v, unsigned c, Lanes& to) {
        const Primitive::Varying& varying = p.varying[v];
        if (is_flat(varyings, v, c))
            return planes.add(varying.value[c], to);
        const double more_1 = varying.more_1[c], more_2 = varying.more_2[c];
        planes.plane[planes.planes++] = {varying.value[c],
                                         more_1,
                                         more_2,
                                         step(p.share[0].dx, p.share[1].dx, more_1, more_2),
                                         step(p.share[0].dy, p.share[1].dy, more_1, more_2),
                                         &to};
    });
    if (out.wants(0, 3))
        planes.add(p.rhw[0], out.t[0][3]);
    return true;
}

/// Interpolates the varyings of a block if they are linear in the window. Otherwise returns false.
template<template<auto> class Isa>
bool interpolate_planes(const Varyings& varyings, const Block& block, PixelInputs& out) {
    Planes planes;
    if (!add_varyings(varyings, block.primitive(0), out, planes))
        return false;
    Isa<&spread_all>::run(planes, block.block.x, block.block.y);
    return true;
}

/// A quad need not be inside its primitive. In a sliver, its first pixel may be so far outside that
/// a plane through it is too inexact.
template<template<auto> class Isa>
bool interpolate_planes(const Varyings&, const Quads&, PixelInputs&) {
    return false;
}

/// Calls work.template operator()<lanes>(primitive, first lane) for each run of quads of one
/// primitive. Runs are split into powers of two, so that the number of lanes is constant.
template<class Quads, class Work>
void for_each_primitive(const Quads& quads, bool uniform, const Work& work) {
    if (uniform) {
        work.template operator()<lane_count>(quads.primitive(0), 0);
        return;
    }
    for (unsigned q = 0; q < quad_count;) {
        const Primitive& primitive = quads.primitive(q);
        unsigned run = 1;
        while (q + run < quad_count && &quads.primitive(q + run) == &primitive)
            run++;
        const auto take = [&]<unsigned count>() {
            if (!(run & count))
                return;
            work.template operator()<4 * count>(primitive, 4 * q);
            q += count;
        };
        static_assert(quad_count == 16); // so a run has at most 15 quads
        take.template operator()<8>();
        take.template operator()<4>();
        take.template operator()<2>();
        take.template operator()<1>();
    }
}

/// Calls work(value, lanes) for components that a varying lacks, and for the register that
/// multisampling adds, which no driver reads.
template<class Work>
void for_each_undefined(const RaSetup& setup, const PixelInputs& out, const Work& work) {
    const Varyings& varyings = setup.varyings;
    for (uint32_t v = 0; v < varyings.count; v++)
        for_each_bit(out.components(1 + v) & ~components_of(varyings, v, out),
                     [&](unsigned c) { work(float(c == 3), out.t[1 + v][c]); });
    if (setup.samples == 1)
        return;
    for_each_bit(out.components(1 + varyings.count),
                 [&](unsigned c) { work(0.0f, out.t[1 + varyings.count][c]); });
}

template<class Quads>
void fill_faces(const Quads& quads, bool uniform, PixelInputs& out) {
    if (uniform) {
        const bool positive = quads.primitive(0).positive;
        out.positive = positive ? ~LaneMask(0) : 0;
        if (out.face)
            fill(*out.face, positive);
        return;
    }
    out.positive = 0;
    for (unsigned q = 0; q < quad_count; q++) {
        const bool positive = quads.primitive(q).positive;
        out.positive |= (positive ? LaneMask(15) : 0) << 4 * q;
        for (unsigned i = 4 * q; out.face && i < 4 * q + 4; i++)
            out.face->f[i] = positive;
    }
}

/// True if the program reads an input that depends on the weights of vertices.
bool wants_weights(const Varyings& varyings, const PixelInputs& out) {
    unsigned wanted = out.wants(0, 3);
    for (uint32_t v = 0; v < varyings.count; v++)
        wanted |= components_of(varyings, v, out);
    return wanted != 0;
}

/// Measures the depth of a sample in all pixels of a block, without positions.
template<template<auto> class Isa>
void measure_all(const Block& block, bool, const SamplePosition& sample, const Positions& at,
                 Lanes& depth) {
    const Primitive& p = block.primitive(0);
    if (p.segment)
        Isa<&measure<lane_count>>::run(p, at, 0, depth);
    else
        Isa<&measure_block>::run(p, block.block, sample, depth);
}

/// Measures the depth at all positions.
template<template<auto> class Isa>
void measure_all(const Quads& quads, bool uniform, const SamplePosition&, const Positions& at,
                 Lanes& depth) {
    for_each_primitive(quads, uniform, [&]<unsigned lanes>(const Primitive& p, unsigned first) {
        Isa<&measure<lanes>>::run(p, at, first, depth);
    });
}

bool measures_positions(const Block& block) {
    return block.primitive(0).segment;
}
bool measures_positions(const Quads&) {
    return true;
}

/// Interpolates all varyings, and 1/w. `at` has the centers of pixels, or their centroids.
template<template<auto> class Isa, class Quads>
void interpolate_varyings(const RaSetup& setup, const Quads& quads, bool uniform,
                          const Positions& at, PixelInputs& out) {
    const Varyings& varyings = setup.varyings;
    for_each_bit(varyings.rules, [&](unsigned rule) {
        Positions centers;
        const bool centered = rule & Varyings::centered;
        if (centered)
            Isa<&Quads::positions>::run(quads, {}, centers);
        const Positions& from = centered ? centers : at;
        Weights weights;
        for_each_primitive(quads, uniform, [&]<unsigned lanes>(const Primitive& p, unsigned first) {
            if (rule & Varyings::linear)
                Isa<&weigh_linearly<lanes>>::run(p, from, first, weights);
            else
                Isa<&weigh<lanes>>::run(p, from, first, weights);
            for_each_varying(varyings, out, [&](uint32_t v, unsigned c, Lanes& to) {
                if (varyings.rule[v][c] != rule)
                    return;
                if (is_flat(varyings, v, c))
                    std::fill_n(&to.f[first], lanes, p.varying[v].value[c]);
                else
                    Isa<&mix<lanes>>::run(p.varying[v], c, weights, first, to);
            });
        });
        if (!rule && out.wants(0, 3))
            out.t[0][3] = weights.rhw;
    });
}

/// Each loop is a separate function. If it were inlined here, after the index checks, GCC would
/// consider it cold and would not vectorize it.
template<template<auto> class Isa, class Quads>
void interpolate_with(const RaSetup& setup, const Quads& quads, PixelInputs& out) {
    const Varyings& varyings = setup.varyings;
    const bool uniform = quads.uniform();
    Vector& position = out.t[0];
    fill_faces(quads, uniform, out);
    for_each_undefined(setup, out, [](float value, Lanes& to) { fill(to, value); });
    const bool weights_wanted =
        wants_weights(varyings, out) && !interpolate_planes<Isa>(varyings, quads, out);
    const bool z_wanted = out.wants(0, 2);
    const bool measured = z_wanted || out.depth;
    const bool placed = weights_wanted || out.wants(0, 0) || out.wants(0, 1);
    if (!measured && !placed)
        return;
    Positions at;
    if (placed || measures_positions(quads))
        Isa<&Quads::positions>::run(quads, {}, at);
    if (out.wants(0, 0))
        Isa<&scale>::run(at.x, position[0]);
    if (out.wants(0, 1))
        Isa<&scale>::run(at.y, position[1]);
    if (setup.samples > 1)
        move_to_centroids(setup, quads, at);
    const bool one_depth = out.depth && setup.samples == 1;
    if (z_wanted || one_depth)
        measure_all<Isa>(quads, uniform, {}, at, one_depth ? out.depth[0] : position[2]);
    if (z_wanted && one_depth)
        position[2] = out.depth[0];
    if (weights_wanted)
        interpolate_varyings<Isa>(setup, quads, uniform, at, out);
    if (!out.depth || one_depth)
        return;
    for (unsigned s = 0; s < setup.samples; s++) {
        if (measures_positions(quads))
            Isa<&Quads::positions>::run(quads, setup.sample[s], at);
        measure_all<Isa>(quads, uniform, setup.sample[s], at, out.depth[s]);
    }
}

template<class Quads>
void interpolate_on_this(const RaSetup& setup, const Quads& quads, PixelInputs& out) {
#ifdef __x86_64__
    if (render::use_avx2())
        return interpolate_with<render::Avx2>(setup, quads, out);
#endif
    interpolate_with<render::Baseline>(setup, quads, out);
}

} // namespace

bool BlockPlanes::prepare(const RaSetup& setup, const Primitive& primitive,
                          const PixelInputs& out) {
    constexpr unsigned position = 7; // x, y, z
    planes_.planes = planes_.constants = 0;
    interpolate_ = render::Baseline<&spread_all>::run;
#ifdef __x86_64__
    if (render::use_avx2())
        interpolate_ = render::Avx2<&spread_all>::run;
#endif
    if (out.depth || out.components(0) & position)
        return false;
    if (out.face)
        planes_.add(primitive.positive, *out.face);
    for_each_undefined(setup, out, [&](float value, Lanes& to) { planes_.add(value, to); });
    return !wants_weights(setup.varyings, out) ||
           add_varyings(setup.varyings, primitive, out, planes_);
}

void interpolate(const RaSetup& setup, std::span<const QuadRef> quads, PixelInputs& out) {
    Quads all;
    for (unsigned q = 0; q < quad_count; q++)
        all.quad[q] = quads[std::min<size_t>(q, quads.size() - 1)];
    interpolate_on_this(setup, all, out);
}

void interpolate(const RaSetup& setup, const BlockRef& block, PixelInputs& out) {
    interpolate_on_this(setup, Block{block}, out);
}

} // namespace pixmill::vivante

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sources: rnndb state_3d.xml (TE); behavior that drivers rely on: Mesa 25.0
// etnaviv_texture_state.c; filters and levels of detail: OpenGL ES 2.0 specification, 3.7.
#include "te.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "seamless.hpp"

namespace pixmill::vivante::te {

/// A request in progress.
struct TextureUnits::Batch {
    // Leaves lanes uninitialized.
    Batch(const Unit& u, const TextureRequest& q)
        : unit(u), request(q), position(q.coordinate), live(q.live) {}

    /// True if the position is read only once, so that the texel may overwrite its operands.
    bool needs_position_once() const {
        return !anisotropic && !selected.mixed && unit.linear_min == unit.linear_mag &&
               !reference();
    }

    /// Returns the depths to compare, or null if the sampler does not compare.
    const Lanes* reference() const { return unit.comparison ? request.reference : nullptr; }

    const Unit& unit;
    const TextureRequest& request;
    const Vector* position; ///< s, t, and r for volumes
    LaneMask live;
    Vector on_face;
    LaneInts layer;

    Lanes lod;
    LaneInts level, magnified;
    Lanes fraction; ///< weight of the next level
    Selected selected{};

    bool anisotropic = false;
    LaneInts tap_count;
    Vector along; ///< the longer axis of a pixel, in s and t
};

namespace {

void fill(const Channels& channels, Vector& texel) {
    for (unsigned c = 0; c < 4; c++)
        texel[c].f.fill(channels[c].constant);
}

void fill(LaneInts& lanes, int32_t value) {
    lanes.i.fill(value);
}

constexpr unsigned direction_axes = 3;

} // namespace

void TextureUnits::bind(const TeSetup& setup, Memory& memory) {
    kernels_ = &te_kernels();
    setup_ = &setup;
    memory_.bind(memory);
    for (std::optional<Unit>& unit : units_)
        unit.reset();
    known_ = {};
}

const Unit& TextureUnits::unit(unsigned sampler) {
    std::optional<Unit>& unit = units_[sampler];
    if (!unit)
        unit = make_unit(setup_->sampler[sampler], setup_->exchanges_t_colors, *kernels_,
                         memory_.memory());
    return *unit;
}

void TextureUnits::sample(const TextureRequest& request, Vector& texel) {
    if (request.sampler >= sampler_count)
        return fill(unconfigured_channels(), texel);
    const Unit& u = unit(request.sampler);
    if (u.constant)
        return fill(u.channels, texel);
    Batch batch(u, request);
    find_position(batch);
    if (!u.needs_lod)
        fill(batch.level, u.first_level);
    else if (!find_lod(batch))
        batch.selected =
            kernels_->select(u.range, batch.lod, batch.level, batch.fraction, batch.magnified);
    if (batch.needs_position_once())
        return level(batch, u.linear_min, batch.level, texel);
    Vector result;
    if (batch.anisotropic)
        taps(batch, result);
    else
        filtered(batch, result);
    texel = result;
}

/// Lanes usually read the same words.
void TextureUnits::load(const LoadRequest& request, Vector& numbers) {
    const unsigned unused = 32 - 8 * request.bytes;
    std::array<uint32_t, 4> words{};
    uint32_t known = 0;
    bool any = false;
    for (LaneMask rest = request.live; rest; rest &= rest - 1) {
        const auto lane = unsigned(std::countr_zero(rest));
        const auto address = std::bit_cast<uint32_t>(request.base->f[lane]) +
                             (std::bit_cast<uint32_t>(request.offset->f[lane]) << request.shift);
        for (unsigned n = 0; n < request.count && !(any && address == known); n++) {
            uint32_t word = 0;
            memory_.read(address + n * request.bytes, &word, request.bytes);
            words[n] = request.is_signed ? uint32_t(int32_t(word << unused) >> unused) : word;
        }
        known = address;
        any = true;
        for (unsigned n = 0; n < request.count; n++)
            numbers[n].f[lane] = std::bit_cast<float>(words[n]);
    }
}

// ---- Position and level of detail --------------------------------------------------------------

void TextureUnits::find_position(Batch& batch) const {
    const Vector& coordinate = *batch.request.coordinate;
    const Unit& u = batch.unit;
    switch (u.layers) {
    case Layers::faces:
        kernels_->project(coordinate, batch.on_face, batch.layer);
        batch.position = &batch.on_face;
        break;
    case Layers::rows:
        kernels_->layers(coordinate[1], u.pitches.height, batch.layer);
        break;
    case Layers::slices:
        kernels_->layers(coordinate[2], u.depth, batch.layer);
        break;
    default:
        break;
    }
}

/// Computes the derivatives of the position.
void TextureUnits::find_changes(Batch& batch, Vector& dx, Vector& dy) const {
    const TextureRequest& q = batch.request;
    const bool direction = batch.unit.layers == Layers::faces;
    const unsigned axes = direction ? direction_axes : batch.unit.axes;
    if (q.lod == Lod::gradients) {
        std::copy_n(q.dx->begin(), axes, dx.begin());
        std::copy_n(q.dy->begin(), axes, dy.begin());
    } else {
        kernels_->differences(*q.coordinate, axes, dx, dy);
    }
    if (direction) {
        kernels_->project_change(*q.coordinate, dx);
        kernels_->project_change(*q.coordinate, dy);
    }
}

/// Computes levels of detail. Returns true if they are not needed, because all lanes select the
/// same level.
bool TextureUnits::find_lod(Batch& batch) {
    const TextureRequest& q = batch.request;
    const Unit& u = batch.unit;
    const Lanes& given = q.level ? *q.level : (*q.coordinate)[3];
    if (q.lod == Lod::given) {
        batch.lod = given;
    } else if (q.lod != Lod::gradients && !q.quads) {
        batch.lod.f.fill(0);
    } else {
        Vector dx, dy;
        Lanes x, y;
        find_changes(batch, dx, dy);
        kernels_->square(dx, u.axes, u.size, x);
        kernels_->square(dy, u.axes, u.size, y);
        batch.anisotropic = u.most_taps > 1;
        const bool mixes = batch.anisotropic || u.range.mip == Filter::linear;
        if (!mixes && q.lod != Lod::bias && find_level(batch, x, y))
            return true;
        if (batch.anisotropic)
            kernels_->taps(x, y, u.most_taps, dx, dy, batch.tap_count, batch.along, batch.lod);
        else
            kernels_->lod(x, y, batch.lod);
    }
    if (q.lod == Lod::bias)
        kernels_->add(batch.lod, given);
    if (u.bias != 0)
        kernels_->add_constant(batch.lod, u.bias);
    return false;
}

/// True if all lanes select the same level. Does not compute a logarithm per lane to find out.
bool TextureUnits::find_level(Batch& batch, const Lanes& x, const Lanes& y) {
    const Unit& u = batch.unit;
    Known& known = known_[batch.request.sampler];
    const Lengths lengths = kernels_->lengths(x, y);
    if (lengths.least < known.lengths.least || lengths.most > known.lengths.most) {
        Known now{lengths};
        if (!kernels_->one_level(lengths, u.range, u.bias, now.level, now.magnified))
            return false;
        // Lengths between two that select the same level also select that level.
        if (known.lengths.least <= known.lengths.most && now.level == known.level &&
            now.magnified == known.magnified)
            now.lengths = {std::min(lengths.least, known.lengths.least),
                           std::max(lengths.most, known.lengths.most)};
        known = now;
    }
    fill(batch.level, known.level);
    batch.selected.magnified = known.magnified ? lane_count : 0;
    return true;
}

// ---- Texels ----------------------------------------------------------------------------------

/// The texels that a batch of lanes selects in a level.
struct TextureUnits::Selection {
    Selection(const Unit& u, bool is_linear, const LaneInts& level_of, LaneMask live)
        : unit(u), linear(is_linear), level(level_of) {
        taps.edge = linear ? 2 : 1;
        taps.live = live;
        taps.level = &level;
    }

    const Unit& unit;
    bool linear;
    const LaneInts& level;
    const Lanes* reference = nullptr; ///< depths to compare
    Axis x, y;
    Taps taps;
};

void TextureUnits::columns(Selection& s) const {
    const bool pairs =
        s.unit.source.packing == Packing::yuy2 || s.unit.source.packing == Packing::uyvy;
    for (unsigned i = 0; i < s.taps.edge; i++) {
        s.taps.x[i] = &s.x.index[i];
        if (!pairs) {
            s.unit.column(s.x.index[i], s.unit.pitches, s.taps.column[i]);
            continue;
        }
        LaneInts even = s.x.index[i];
        kernels_->pairs(even);
        s.unit.column(even, s.unit.pitches, s.taps.column[i]);
    }
}

/// Replaces texels that are outside with the border color. `outside` marks the lanes whose slice is
/// outside, and may be null.
void TextureUnits::blank(Selection& s, const LaneInts* outside) const {
    const Unit& u = s.unit;
    const auto borders = [&](unsigned axis) { return u.wrap[axis] == Wrap::clamp_to_border; };
    for (unsigned i = 0; i < s.taps.edge * s.taps.edge; i++) {
        LaneWords& words = s.taps.word[i];
        if (borders(0))
            kernels_->blank(s.x.outside[i % s.taps.edge], u.border, words);
        if (borders(1) && u.layers != Layers::rows)
            kernels_->blank(s.y.outside[i / s.taps.edge], u.border, words);
        if (borders(2) && outside)
            kernels_->blank(*outside, u.border, words);
    }
}

/// Samples slice `layer` of the level, or the only slice if it is null.
void TextureUnits::slice(Selection& s, const LaneInts* layer, const LaneInts* outside,
                         Vector& texel) {
    const Unit& u = s.unit;
    Taps& taps = s.taps;
    for (unsigned i = 0; i < taps.edge; i++)
        u.row(s.y.index[i], layer, s.level, u.pitches, taps.row[i]);
    if (!u.fetch)
        return numbers(s, outside, texel);
    u.fetch(memory_, u.source, taps);
    blank(s, outside);
    if (s.reference)
        return compared(s, texel);
    if (s.linear)
        kernels_->bilinear(taps.word, s.x.fraction, s.y.fraction, u.channels, texel);
    else
        kernels_->nearest(taps.word[0], u.channels, texel);
}

/// Samples texels of Packing::numbers. Borders are 0.
void TextureUnits::numbers(const Selection& s, const LaneInts* outside, Vector& texel) {
    const Unit& u = s.unit;
    const unsigned edge = s.taps.edge;
    const auto borders = [&](unsigned axis) { return u.wrap[axis] == Wrap::clamp_to_border; };
    std::array<Vector, 4> corner;
    for (unsigned i = 0; i < edge * edge; i++) {
        const unsigned x = i % edge, y = i / edge;
        fetch_numbers(memory_, u.source, s.taps, x, y, u.numbers, corner[i]);
        for (unsigned l = 0; l < lane_count; l++) {
            const bool is_outside =
                (borders(0) && s.x.outside[x].i[l]) ||
                (borders(1) && u.layers != Layers::rows && s.y.outside[y].i[l]) ||
                (borders(2) && outside && outside->i[l]);
            for (unsigned c = 0; is_outside && c < 4; c++)
                corner[i][c].f[l] = 0;
        }
    }
    filter(s, corner, texel);
}

/// Compares the texels that have been fetched.
void TextureUnits::compared(const Selection& s, Vector& texel) {
    std::array<Vector, 4> corner;
    for (unsigned i = 0; i < s.taps.edge * s.taps.edge; i++)
        (*s.unit.comparison)(*kernels_, s.taps.word[i], *s.reference, corner[i]);
    filter(s, corner, texel);
}

/// Mixes the texels at the corners, if the filter is linear.
void TextureUnits::filter(const Selection& s, std::array<Vector, 4>& corner, Vector& texel) const {
    if (s.taps.edge > 1) {
        kernels_->mix(corner[0], corner[1], s.x.fraction);
        kernels_->mix(corner[2], corner[3], s.x.fraction);
        kernels_->mix(corner[0], corner[2], s.y.fraction);
    }
    texel = corner[0];
}

/// Filters linearly across the edges of a cube's faces (OpenGL ES 3.0, 3.8.10).
void TextureUnits::seamless(const Batch& batch, const LaneInts& level, Vector& texel) {
    const Unit& u = batch.unit;
    constexpr unsigned taps_count = 4, no_corner = taps_count;
    std::array<LaneInts, taps_count> x, y, face;
    std::array<uint8_t, lane_count> corner{};
    Lanes a, b;
    for (unsigned l = 0; l < lane_count; l++) {
        const auto n = int32_t(std::max(u.pitches.width >> level.i[l], 1u));
        const auto place = [n](float coordinate) {
            const float inside = coordinate > 0 ? std::min(coordinate, 1.0f) : 0; // NaN: 0
            return inside * float(n) - 0.5f;
        };
        const float s = place((*batch.position)[0].f[l]), t = place((*batch.position)[1].f[l]);
        const float left = std::floor(s), top = std::floor(t);
        a.f[l] = s - left;
        b.f[l] = t - top;
        corner[l] = no_corner;
        for (unsigned i = 0; i < taps_count; i++) {
            const CubeTexel at{batch.layer.i[l], int32_t(left) + int32_t(i & 1),
                               int32_t(top) + int32_t(i >> 1)};
            const bool beyond_x = at.x < 0 || at.x >= n, beyond_y = at.y < 0 || at.y >= n;
            if (beyond_x && beyond_y)
                corner[l] = uint8_t(i);
            const CubeTexel found = beyond_x && beyond_y ? CubeTexel{} : across_edge(at, n);
            x[i].i[l] = found.x;
            y[i].i[l] = found.y;
            face[i].i[l] = found.face;
        }
    }
    std::array<Vector, taps_count> tap;
    Taps taps;
    taps.live = batch.live;
    taps.level = &level;
    for (unsigned i = 0; i < taps_count; i++) {
        taps.x[0] = &x[i];
        u.column(x[i], u.pitches, taps.column[0]);
        u.row(y[i], &face[i], level, u.pitches, taps.row[0]);
        if (!u.fetch) {
            fetch_numbers(memory_, u.source, taps, 0, 0, u.numbers, tap[i]);
            continue;
        }
        u.fetch(memory_, u.source, taps);
        if (const Lanes* reference = batch.reference())
            (*u.comparison)(*kernels_, taps.word[0], *reference, tap[i]);
        else
            kernels_->nearest(taps.word[0], u.channels, tap[i]);
    }
    // No texel is beyond a corner: the other three are averaged.
    for (unsigned l = 0; l < lane_count; l++)
        for (unsigned c = 0; corner[l] != no_corner && c < 4; c++) {
            const unsigned i = corner[l];
            tap[i][c].f[l] = (tap[i ^ 1][c].f[l] + tap[i ^ 2][c].f[l] + tap[i ^ 3][c].f[l]) / 3;
        }
    kernels_->mix(tap[0], tap[1], a);
    kernels_->mix(tap[2], tap[3], a);
    kernels_->mix(tap[0], tap[2], b);
    texel = tap[0];
}

void TextureUnits::level(const Batch& batch, bool linear, const LaneInts& level, Vector& texel) {
    const Unit& u = batch.unit;
    if (linear && u.seamless)
        return seamless(batch, level, texel);
    const Vector& position = *batch.position;
    Selection s(u, linear, level, batch.live);
    s.reference = batch.reference();
    LaneInts size;
    kernels_->sizes(level, u.pitches.width, size);
    (*u.axis[0])[linear](position[0], size, s.x);
    if (u.layers == Layers::rows) {
        s.y.index = {batch.layer, batch.layer};
        s.y.fraction.f.fill(0);
    } else {
        kernels_->sizes(level, u.pitches.height, size);
        (*u.axis[1])[linear](position[1], size, s.y);
    }
    columns(s);
    if (u.layers != Layers::volume)
        return slice(s, u.sliced ? &batch.layer : nullptr, nullptr, texel);
    Axis z;
    kernels_->sizes(level, u.depth, size);
    (*u.axis[2])[linear](position[2], size, z);
    slice(s, &z.index[0], &z.outside[0], texel);
    if (!linear)
        return;
    Vector second;
    slice(s, &z.index[1], &z.outside[1], second);
    kernels_->mix(texel, second, z.fraction);
}

// ---- Filters -----------------------------------------------------------------------------------

/// Averages taps along the longer axis of a pixel.
void TextureUnits::taps(Batch& batch, Vector& texel) {
    const Vector& middle = *batch.position;
    const LaneMask live = batch.live;
    Vector at;
    for (Lanes& lanes : texel)
        lanes.f.fill(0);
    for (int32_t number = 0;; number++) {
        batch.live = 0;
        for (unsigned l = 0; l < lane_count; l++)
            batch.live |= LaneMask(number < batch.tap_count.i[l]) << l;
        batch.live &= live;
        if (!batch.live)
            break;
        kernels_->step(middle, batch.along, batch.tap_count, number, at);
        batch.position = &at;
        Vector tap;
        filtered(batch, tap);
        kernels_->add_tap(texel, tap, batch.tap_count, number);
    }
    kernels_->average(texel, batch.tap_count);
}

void TextureUnits::filtered(const Batch& batch, Vector& texel) {
    const Unit& u = batch.unit;
    const unsigned magnified = batch.selected.magnified;
    if (u.linear_min == u.linear_mag || magnified == 0)
        return levels(batch, u.linear_min, texel);
    if (magnified == lane_count)
        return levels(batch, u.linear_mag, texel);
    Vector larger;
    levels(batch, u.linear_min, texel);
    levels(batch, u.linear_mag, larger);
    kernels_->choose(texel, larger, batch.magnified);
}

void TextureUnits::levels(const Batch& batch, bool linear, Vector& texel) {
    level(batch, linear, batch.level, texel);
    if (!batch.selected.mixed)
        return;
    LaneInts next;
    Vector other;
    kernels_->next(batch.level, batch.unit.range.last, next);
    level(batch, linear, next, other);
    kernels_->mix(texel, other, batch.fraction);
}

} // namespace pixmill::vivante::te

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cost.hpp"

#include <algorithm>

namespace pixmill::render {

namespace {

/// Costs per pixel. With a key, each drawn pixel may have to be marked dirty separately.
constexpr uint64_t keyed = 24, composed = 24, filtered = 96, planar = 96;
/// Costs of looking up a bit, of mapping part of a tile (per pixel), and of accessing an isolated
/// pixel (worst case: a TLB miss).
constexpr uint64_t looked_up = 48, tiled = 32, alone = 1024;
/// Cost per byte of turning rows into columns.
constexpr uint64_t turned_byte = 2;
/// Number of source pixels per destination pixel above which each is fetched separately.
constexpr uint64_t dense = 4, dense_filter = 16;

uint64_t planes_of(const Source& source) {
    return source.kind == Source::Kind::yuv ? source.layout.planes : 1;
}

/// Returns the cost per source pixel of locating it in memory.
uint64_t place_cost(const Source& source) {
    return source.kind == Source::Kind::none || source.surface[0].linear() ? 0 : tiled;
}

/// True if source pixels are so far apart that each is fetched separately.
bool far(const Axis& axis) {
    return !axis.unit() && axis.source > dense * axis.target;
}

/// The larger the step between outputs, the fewer source pixels they share.
uint64_t filter_cost(const Source& source) {
    const Filter& filter = *source.filter;
    const auto apart = [](uint32_t factor) { return std::clamp<uint64_t>(factor >> 16, 1, 16); };
    const uint64_t across = apart(filter.factor_x), down = apart(filter.factor_y);
    const uint64_t pixel =
        place_cost(source) + (filter.surface.transpose ? alone / Filter::taps : 0);
    uint64_t work = filtered * across * down;
    // Each output is computed separately, from nine runs of nine pixels.
    if (filter.factor_x >> 16 >= dense_filter)
        work += planes_of(source) * Filter::taps * (alone + Filter::taps * pixel);
    return work + planes_of(source) * pixel * across * std::min<uint64_t>(down, Filter::taps);
}

/// Returns the same bound as the public pages_of_columns(), but for one source. A row of a super
/// tile spans four pages, and the pixels that a filter needs are in two rows of tiles.
uint64_t pages_of_columns(const Source& source, uint32_t rows) {
    const bool turned = source.placement.transpose, linear = source.surface[0].linear();
    const uint64_t planes = planes_of(source), of_rows = planes * (linear ? 1 : 4);
    if (!source.filter) {
        const Axis& axis = source.placement.x;
        if (far(axis))
            return planes * rows * cost_columns;
        if (turned)
            return planes * (linear ? 1 : 2) * cost_columns;
        return axis.unit() ? 0 : of_rows * dense;
    }
    const uint64_t across =
        std::clamp<uint64_t>((source.filter->factor_x >> 16) + 1, 1, dense_filter);
    const bool one_by_one = turned || across == dense_filter;
    const uint64_t columns = source.filter->surface.transpose ? across : 0;
    const uint64_t lone = columns + (one_by_one ? Filter::taps : 0);
    return planes * lone * rows * cost_columns + 2 * of_rows * across;
}

uint64_t source_cost(const Source& source, uint32_t rows) {
    if (source.filter)
        return filter_cost(source);
    if (source.kind == Source::Kind::none)
        return composed;
    if (source.kind == Source::Kind::stream)
        return composed + looked_up;
    const Placement& p = source.placement;
    // A column of a block is fetched at once, unless its pixels are so far apart that each is
    // fetched separately.
    const uint64_t place = far(p.x) ? alone : p.transpose ? alone / rows : 0;
    const uint64_t pixels = p.x.unit() ? 1 : dense; // fetched per destination pixel
    return composed + planes_of(source) * (place + pixels * place_cost(source));
}

} // namespace

uint64_t composed_cost(const Operation& op, uint32_t rows) {
    uint64_t work = op.planar ? planar : 0;
    work += op.destination.linear() ? 0 : tiled;
    for (unsigned i = 0; i < op.stage_count; i++) {
        const Stage& stage = op.stages[i];
        work += source_cost(stage.source, rows) + (stage.mask ? looked_up : 0);
    }
    return work;
}

uint64_t pages_of_columns(const Operation& op, uint32_t rows) {
    uint64_t pages = 0;
    for (unsigned i = 0; i < op.stage_count; i++)
        if (op.stages[i].source.kind > Source::Kind::none)
            pages += pages_of_columns(op.stages[i].source, rows);
    return pages;
}

uint64_t turned_cost(const Operation& op) {
    return op.destination.format.bytes() * turned_byte;
}

uint64_t simple_row_cost(const Operation& op, uint64_t row_bytes, bool reads) {
    const Stage& stage = op.stages[0];
    if (stage.source_key || stage.destination_key)
        return row_cost + uint64_t(op.rect.width()) * keyed;
    return row_cost + row_bytes / (reads ? 1 : fill_speed);
}

} // namespace pixmill::render

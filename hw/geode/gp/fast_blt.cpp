// SPDX-License-Identifier: GPL-2.0-or-later
#include "fast_blt.hpp"

#include <algorithm>
#include <cstdlib>

namespace pixmill::geode {

using render::Rop3;

namespace {

/// Returns `rop` with the source operand replaced by the pattern.
constexpr Rop3 with_source_as_pattern(Rop3 rop) {
    unsigned result = 0;
    for (unsigned i = 0; i < 8; i++)
        result |= unsigned(rop >> ((i & 4) / 2 + (i & 1)) & 1) << i;
    return Rop3(result);
}
static_assert(with_source_as_pattern(render::copy_source) == render::copy_pattern);

/// A rectangle in an aperture.
struct Place {
    int64_t first; ///< offset of the first pixel in drawing order
    uint32_t base, stride;
};

uint64_t upper_left(const Blt& blt, const Place& place, uint32_t bytes) {
    const int64_t across = int64_t(blt.width() - 1) * bytes;
    const int64_t down = int64_t(blt.height() - 1) * place.stride;
    return place.base + uint64_t(place.first - (blt.left() ? across : 0) - (blt.up() ? down : 0));
}

/// True if a pixel-by-pixel copy in the BLT's direction never reads a pixel that it has written.
/// Both rectangles have the same format and stride, and the destination begins `distance` bytes
/// after the source.
bool reads_first(const Blt& blt, int64_t distance, int64_t bytes) {
    const int64_t row = blt.width() * bytes, stride = std::max<int64_t>(blt.stride(), row);
    const int64_t nearest = distance / stride;
    // Each written pixel is the source of the pixel that is `down` rows and `rest` bytes further
    // on.
    for (int64_t down = nearest - 1; down <= nearest + 1; down++) {
        const int64_t rest = distance - down * stride;
        const int64_t rows = blt.up() ? -down : down, ahead = blt.left() ? -rest : rest;
        const bool meets = std::abs(rest) < row && std::abs(rows) < blt.height();
        if (meets && (rows > 0 || (rows == 0 && ahead > 0)))
            return false;
    }
    return true;
}

} // namespace

bool FastBlt::set_up(const Blt& blt) {
    const Raster& raster = blt.raster();
    const uint32_t bytes = raster.format().bytes();
    const bool rows_apart = blt.height() == 1 || blt.stride() >= blt.width() * bytes;
    if (blt.underflows() || !blt.length() || blt.tests_transparency() || blt.takes(Port::hst_src) ||
        blt.takes(Port::ch3_hsrc) || !rows_apart || blt.extent().wraps)
        return false;
    operation_.destination = {};
    operation_.destination.format = raster.format();
    operation_.destination.base = upper_left(blt, {blt.start(), blt.base(), blt.stride()}, bytes);
    operation_.destination.stride = blt.stride();
    operation_.rect = {0, 0, int32_t(blt.width()), int32_t(blt.height())};
    return raster.alpha().enabled() ? find_blend(blt) : find_operands(blt);
}

/// Sets up Porter-Duff Over or Add of a channel 3 picture onto r5g6b5. The picture keeps the color
/// and alpha bits that r5g6b5 lacks. 32-bit destinations are left to Blt, which is faster for them
/// and supports alpha from the source.
bool FastBlt::find_blend(const Blt& blt) {
    const AlphaMode& mode = blt.raster().alpha();
    const bool over = mode.select == AlphaSelect::channel3;
    const bool adds = mode.select == AlphaSelect::constant && !mode.constant;
    if (blt.raster().format() != render::formats::r5g6b5 || mode.equation != Equation::a_plus_b ||
        !(mode.blended & 0x00FFFFFF) || !(over || adds) || mode.destination_is_a ||
        !blt.raster().reads_destination() || !blt.channel3_mode().streams() ||
        !blt.channel3_mode().replaces_source())
        return false;
    render::Stage& stage = operation_.stages[0];
    stage.rop = render::copy_source;
    stage.blend.emplace();
    stage.blend->destination.factor = over ? render::Factor::inverse_alpha : render::Factor::one;
    return find_channel3(blt, stage);
}

bool FastBlt::find_operands(const Blt& blt) {
    const Raster& raster = blt.raster();
    render::Stage& stage = operation_.stages[0];
    stage.rop = raster.rop();
    stage.blend.reset();
    if (!raster.reads_destination())
        stage.rop = render::without(stage.rop, 1);
    stage.source.kind = render::Source::Kind::none;
    stage.source.placement = {};
    operation_.pattern.packed = operation_.pattern.solid = true;
    return (!render::uses_pattern(stage.rop) || find_pattern(blt)) &&
           (!render::uses_source(stage.rop) || find_source(blt, stage));
}

bool FastBlt::find_pattern(const Blt& blt) {
    const Pattern* const pattern = blt.fixed_pattern();
    if (!pattern)
        return false;
    operation_.pattern.solid = pattern->solid;
    // Position of the upper left pixel relative to the first pixel drawn.
    const int32_t right = blt.left() ? 1 - int32_t(blt.width()) : 0;
    const int32_t down = blt.up() ? 1 - int32_t(blt.height()) : 0;
    for (int32_t i = 0; i < 64; i++)
        operation_.pattern.color[size_t(i)] =
            pattern->word[pattern->at(right + i % 8, down + i / 8)];
    return true;
}

bool FastBlt::find_source(const Blt& blt, render::Stage& stage) {
    if (blt.has_constant_source()) {
        if (render::uses_pattern(stage.rop))
            return false;
        stage.rop = with_source_as_pattern(stage.rop);
        operation_.pattern.color[0] = blt.foreground();
        return true;
    }
    const bool streams = blt.channel3_mode().streams() && blt.channel3_mode().replaces_source();
    return streams ? find_channel3(blt, stage) : find_color_source(blt, stage);
}

bool FastBlt::find_color_source(const Blt& blt, render::Stage& stage) {
    const Source& source = blt.source();
    if (source.kind() != Source::Kind::color || source.extent().wraps)
        return false;
    const Place place{source.line(0), source.base(), source.stride()};
    const render::Format& format = blt.raster().format();
    set_surface(stage, format, upper_left(blt, place, format.bytes()), place.stride);
    return !blt.overlaps() || copies_in_order(blt, stage);
}

/// Sets up the placement of channel 3's pixels, for any directions of channel 3 and the BLT. Lines
/// of a rotated channel 3 are vertical.
bool FastBlt::find_channel3(const Blt& blt, render::Stage& stage) {
    const Channel3& channel3 = blt.channel3();
    if (!channel3.is_picture() || channel3.line_pixels() != blt.width())
        return false;
    const bool turned = channel3.rotates();
    const auto width = int32_t(blt.width()), height = int32_t(blt.height());
    const auto axis = [](int32_t size, bool backward, bool downward) {
        render::Axis made;
        made.begin = backward ? size - 1 : 0;
        made.first = downward ? size - 1 : 0;
        made.backward = backward;
        made.downward = downward;
        return made;
    };
    const bool left = channel3.leftward(), up = channel3.upward();
    const render::Axis by_x = axis(width, blt.left(), turned ? up : left);
    const render::Axis by_y = axis(height, blt.up(), turned ? left : up);
    render::Placement& placement = stage.source.placement;
    placement.transpose = turned;
    placement.x = turned ? by_y : by_x;
    placement.y = turned ? by_x : by_y;
    const render::Format& format = channel3.format().format;
    const int64_t across = left ? int64_t((turned ? height : width) - 1) * format.bytes() : 0;
    const int64_t down = up ? int64_t((turned ? width : height) - 1) * channel3.stride() : 0;
    set_surface(stage, format, channel3.base() + uint64_t(channel3.line(0) - across - down),
                channel3.stride());
    return !blt.overlaps() || (placement.upright() && copies_in_order(blt, stage));
}

void FastBlt::set_surface(render::Stage& stage, const render::Format& format, uint64_t base,
                          uint32_t stride) {
    stage.source.kind = render::Source::Kind::rgb;
    render::SurfaceDesc& from = stage.source.surface[0];
    from = {};
    from.format = format;
    from.base = base;
    from.stride = stride;
}

/// For overlapping rectangles, returns true if all pixels are read before they are overwritten.
bool FastBlt::copies_in_order(const Blt& blt, const render::Stage& stage) const {
    const render::SurfaceDesc &to = operation_.destination, &from = stage.source.surface[0];
    const auto distance = int64_t(to.base) - int64_t(from.base), bytes = int64_t(to.format.bytes());
    return from.format == to.format && from.stride == to.stride && to.stride &&
           distance % bytes == 0 && to.stride % bytes == 0 && reads_first(blt, distance, bytes);
}

bool FastBlt::prepare(PhysicalMemory& memory) {
    return !pipeline_.prepare(memory, operation_);
}

render::Progress FastBlt::draw(render::Reached from, uint64_t work) {
    return pipeline_.run(from, work);
}

} // namespace pixmill::geode

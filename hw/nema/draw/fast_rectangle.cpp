// SPDX-License-Identifier: GPL-2.0-or-later
#include "fast_rectangle.hpp"

namespace pixmill::nema {

namespace {

using render::Factor;

/// Blends with at most one factor other than 0 and 1. hw/render rounds each product, whereas the
/// render output unit rounds the sum. With only one product, the results are equal: (a * b + 127) /
/// 255 rounds to nearest, as hw/render does, and there are no ties because 255 is odd. In, Out,
/// their reverses and Over reversed would be exact, too, but no client uses them.
struct PorterDuff {
    uint32_t source, destination; ///< codes of ROPBLENDER_BLEND_MODE
    render::Blend blend;
};
constexpr PorterDuff blends[] = {
    {1, 1, {{}, {.factor = Factor::one}}},
    {1, 5, {{}, {.factor = Factor::inverse_alpha}}},
};

const render::Blend* find_blend(const BlendFactors& factors) {
    for (const PorterDuff& known : blends)
        if (known.source == factors.source && known.destination == factors.destination)
            return &known.blend;
    return nullptr;
}

bool is_over(const render::Blend& blend) {
    return blend.destination.factor == Factor::inverse_alpha;
}

/// True if pixels are words with three color channels in a layout that hw/render knows.
bool has_colors(const Format& format) {
    const render::Format& layout = format.layout;
    return format.kind == Format::Kind::words && layout.valid() && layout.red.width &&
           layout.green.width && layout.blue.width && !format.luminance();
}

bool is_565(const Format& format) {
    return format.bits() == 16 && format.layout.green.width == 6;
}

/// True for 32-bit words with alpha in the top byte.
bool has_alpha_on_top(const Format& format) {
    const auto order = word_order(format);
    return order && !order->set;
}

bool red_first(const Format& format) {
    return format.layout.red.shift < format.layout.blue.shift;
}

/// True for blends that are faster in hw/render than in the render output unit.
bool blends_in_memory(const render::Blend& blend, const Format& to) {
    return has_alpha_on_top(to) || (is_565(to) && is_over(blend));
}

/// Turns the alpha bits into padding. fill_padding() does the reverse.
void drop_alpha(render::Format& format) {
    format.padding = format.alpha.width ? format.alpha : format.padding;
    format.alpha = {};
}

void fill_padding(render::Format& format) {
    format.alpha = format.alpha.width ? format.alpha : format.padding;
    format.padding = {};
}

uint32_t pixel_word(const Format& format, uint32_t color) {
    uint32_t word = 0;
    store(format, reinterpret_cast<std::byte*>(&word), &color, 1);
    return word;
}

/// Finds the formats for the conversion: plain words if both formats are equal, else their layouts.
/// Padding is stored as ones.
bool find_conversion(const Format& from, const Format& to, render::Format& source,
                     render::Format& target) {
    const bool pads = to.layout.padding.width;
    if (&from == &to && from.kind == Format::Kind::words && !pads && from.layout.valid()) {
        source = target = render::plain_format(from.layout.bytes());
        return true;
    }
    if (pads) {
        drop_alpha(source);
        fill_padding(target);
    }
    return has_colors(from) && has_colors(to);
}

} // namespace

bool FastRectangle::prepare_fill(const DrawSetup& setup, unsigned to, uint32_t color,
                                 const render::Rect& rect, Memory& memory) {
    const Work work{&memory, setup.surface[to], {}, setup.blend, color, setup.dithers[to], false};
    return prepare(work, rect);
}

bool FastRectangle::prepare_blit(const DrawSetup& setup, const Blit& blit, const render::Rect& rect,
                                 Memory& memory) {
    const Texture& from = blit.from();
    const render::Rect texels{rect.left + blit.dx(), rect.top + blit.dy(), rect.right + blit.dx(),
                              rect.bottom + blit.dy()};
    if (texels.left < 0 || texels.top < 0 || texels.right > int32_t(from.width) ||
        texels.bottom > int32_t(from.height))
        return false;
    const unsigned to = blit.to();
    const Work work{&memory, setup.surface[to], from, setup.blend, 0, setup.dithers[to], true};
    render::Placement& placement = operation_.stages[0].source.placement;
    placement.x.begin = rect.left;
    placement.x.first = texels.left;
    placement.y.begin = rect.top;
    placement.y.first = texels.top;
    return prepare(work, rect);
}

/// Keeps the operation of the last draw, because consecutive draws often differ only in their
/// rectangles.
bool FastRectangle::prepare(const Work& work, const render::Rect& rect) {
    const bool same = work == work_;
    if (!same) {
        work_ = work;
        prepared_ = false;
        can_ = describe(work);
    }
    // The comparison also excludes overlapping rows and negative strides.
    if (!can_ || work.to.stride < rect.width() * operation_.destination.format.bytes())
        return false;
    operation_.rect = rect;
    const auto error = prepared_ ? pipeline_.move() : pipeline_.prepare(*work.memory, operation_);
    prepared_ = !error;
    return prepared_ && !pipeline_.composes();
}

/// Sets up operation_, except for the rectangle.
bool FastRectangle::describe(const Work& work) {
    const Format& to = *find_format(work.to.format);
    if ((work.dithers && to.dithers()) || work.blend.keyed())
        return false;
    render::SurfaceDesc& destination = operation_.destination;
    destination.format = to.layout;
    destination.base = work.to.base;
    destination.stride = uint32_t(work.to.stride);
    render::Stage& stage = operation_.stages[0];
    stage.blend.reset();
    if (!work.blend.replaces()) {
        const render::Blend* const blend = find_blend(work.blend.factors);
        if (!blend || !blends_in_memory(*blend, to))
            return false;
        stage.blend = *blend;
    }
    return work.blits ? describe_blit(work, to) : describe_fill(work, to);
}

bool FastRectangle::describe_fill(const Work& work, const Format& to) {
    render::Stage& stage = operation_.stages[0];
    stage.source.kind = render::Source::Kind::none;
    stage.rop = render::copy_pattern;
    stage.blend_pattern = stage.blend.has_value();
    operation_.pattern.packed = !stage.blend;
    operation_.pattern.color[0] = work.color;
    if (stage.blend)
        return is_over(*stage.blend);
    if (!to.layout.valid())
        return false;
    operation_.destination.format = render::plain_format(to.layout.bytes());
    operation_.pattern.color[0] = pixel_word(to, work.color);
    return true;
}

bool FastRectangle::describe_blit(const Work& work, const Format& to) {
    const Format& from = *find_format(work.from.format);
    render::Stage& stage = operation_.stages[0];
    stage.rop = render::copy_source;
    stage.blend_pattern = false;
    stage.source.kind = render::Source::Kind::rgb;
    render::SurfaceDesc& source = stage.source.surface[0];
    source.format = from.layout;
    source.base = work.from.base;
    source.stride = uint32_t(work.from.stride);
    if (work.from.stride < 0)
        return false;
    if (stage.blend)
        return has_alpha_on_top(from) && red_first(from) == red_first(to);
    return find_conversion(from, to, source.format, operation_.destination.format);
}

render::Progress FastRectangle::draw(uint32_t row, uint64_t work) {
    return pipeline_.run({row, 0}, work);
}

} // namespace pixmill::nema

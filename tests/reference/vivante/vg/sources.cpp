// Images and paints: texels, filters, gradients, and the resulting pixel color (vg_lite.c:
// vg_lite_blit, vg_lite_draw_pattern, vg_lite_draw_grad and the words that they emit).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>
#include <cmath>

namespace pixmill::reference::vivante_vg {
namespace {

enum SourceFormat : uint32_t {
    source_l8,
    source_a4,
    source_a8,
    source_4444,
    source_5551,
    source_565,
    source_x888,
    source_8888,
    source_yuy2
};
enum ExtendedFormat : uint32_t {
    extended_index1 = 1,
    extended_index2,
    extended_index4,
    extended_index8,
    extended_2222
};
enum Tiling : uint32_t { tiling_fill, tiling_pad, tiling_repeat, tiling_reflect };
enum Filter : uint32_t { filter_point, filter_linear, filter_bilinear, filter_gaussian };
enum ImageMode : uint32_t { no_image, normal_image, multiply_image, stencil_image, filter_image };
enum PaintType : uint32_t { solid_paint, linear_paint, radial_paint, pattern_paint };

/* A position in an image, in units of 1/256 texel. */
struct Place {
    int64_t texel;
    uint32_t fraction;
};

/*
 * VD44: rounds to eight fraction bits. Returns nothing for NaN and for positions more than 2^23
 * texels away, which are outside any image.
 */
std::optional<Place> place_of(double texels) {
    const double fixed = std::floor(texels * 256 + 0.5);
    if (!(std::abs(fixed) < 0x1p31))
        return {};
    const int64_t value = static_cast<int64_t>(fixed);
    return Place{value >> 8, static_cast<uint32_t>(value & 255)};
}

/* The source color formats (3-bit codes) have the same layouts as target formats. */
Layout layout_of(uint32_t format, uint32_t swizzle) {
    constexpr uint32_t of_target[] = {4, 5, 1, 2, 3}; /* 4444 5551 565 X888 8888 */
    return target_layout(of_target[format - source_4444], swizzle);
}

} // namespace

/* ---- Source ------------------------------------------------------------------------------- */

Source::Source(Engine& engine, uint32_t set) : engine_(engine) {
    const States& states = engine.states;
    const uint32_t config = states[SOURCE_CONFIG + set];
    decode_format(config);
    index_from_the_top_ = bit(config, 14);
    bt709_ = bit(config, 15);
    multiplies_ = !bit(config, 8);
    divides_ = !bit(config, 24);
    tiling_ = bits(config, 13, 12);
    filter_ = bits(config, 17, 16);
    address_ = states[SOURCE_ADDRESS + set];
    stride_ = bits(states[SOURCE_STRIDE + set], 17, 0);
    in_tiles_ = bit(states[SOURCE_STRIDE + set], 28);
    origin_ = states.pair(SOURCE_ORIGIN + set);
    size_ = states.pair(SOURCE_SIZE + set);
    /* VD48: the color around an image is premultiplied like a texel. */
    const Color around = color_of_register(states[FILL_COLOR + set]);
    filtered_fill_ = multiplies_ ? multiplied_by_alpha(around) : around;
}

void Source::decode_format(uint32_t config) {
    const uint32_t format = bits(config, 3, 0), swizzle = bits(config, 5, 4);
    const uint32_t extended = bits(config, 11, 9);
    const bool small = engine_.chip.has_small_formats;
    const bool packed = bits(config, 30, 29) != 0; /* 24-bit pixels, only on later cores */
    const auto becomes = [this](Kind kind, unsigned pixel_bits) {
        kind_ = kind;
        pixel_bits_ = pixel_bits;
    };
    if (extended >= extended_index1 && extended <= extended_index8 && small) {
        constexpr uint32_t tables[] = {CLUT_1, CLUT_2, CLUT_4, CLUT_8};
        clut_ = tables[extended - extended_index1];
        becomes(Kind::indexed, 1u << (extended - extended_index1));
    } else if (extended == extended_2222 && small) {
        layout_ = target_layout(7, swizzle);
        becomes(Kind::color, 8);
    } else if (!extended && !packed && format == source_l8) {
        becomes(Kind::luminance, 8);
    } else if (!extended && !packed && format == source_a4) {
        becomes(Kind::alpha4, 4);
    } else if (!extended && !packed && format == source_a8) {
        becomes(Kind::alpha8, 8);
    } else if (!extended && !packed && format >= source_4444 && format <= source_8888) {
        layout_ = layout_of(format, swizzle);
        becomes(Kind::color, 8 * layout_.bytes);
    } else if (!extended && !packed && format == source_yuy2 && small) {
        becomes(Kind::yuy2, 16);
    }
    has_color_ = kind_ != Kind::alpha4 && kind_ != Kind::alpha8;
}

/*
 * Applies the tiling mode to a texel index. Returns nothing if the texel is outside of the image.
 */
std::optional<uint32_t> Source::tiled(int64_t index, uint32_t count) const {
    if (index >= 0 && index < count)
        return static_cast<uint32_t>(index);
    if (count == 0 || tiling_ == tiling_fill)
        return {};
    if (tiling_ == tiling_pad)
        return index < 0 ? 0 : count - 1;
    const int64_t period = tiling_ == tiling_reflect ? 2 * int64_t{count} : count;
    const int64_t in_period = (index % period + period) % period;
    return static_cast<uint32_t>(in_period < count ? in_period : period - 1 - in_period);
}

/* Returns the texel, premultiplied if the source is configured that way. */
Color Source::texel(std::optional<uint32_t> i, std::optional<uint32_t> j) const {
    if (!i || !j)
        return filtered_fill_;
    const Color color = stored(*i + origin_.x, *j + origin_.y);
    return multiplies_ ? multiplied_by_alpha(color) : color;
}

Color Source::stored(uint32_t x, uint32_t y) const {
    if (kind_ == Kind::none)
        return transparent_black;
    /* VD63: tiles of 4x4 pixels are stored one after another. */
    const uint64_t row =
        address_ + (in_tiles_ ? uint64_t{y >> 2} * 4 * stride_ : uint64_t{y} * stride_);
    const uint64_t number = in_tiles_ ? uint64_t{x >> 2} * 16 + (y & 3) * 4 + (x & 3) : x;
    const uint64_t bit_number = number * pixel_bits_;
    if (kind_ == Kind::yuy2)
        return stored_yuy2(row, x);
    if (kind_ == Kind::color)
        return unpack(layout_, engine_.fetch(row + bit_number / 8, layout_.bytes));

    const uint32_t byte = engine_.fetch(row + bit_number / 8, 1);
    if (kind_ == Kind::luminance) {
        const int luminance = static_cast<int>(byte);
        return {luminance, luminance, luminance, 255};
    }
    if (kind_ == Kind::alpha8)
        return {255, 255, 255, static_cast<int>(byte)};
    /* VD41, VD60: the first pixel is in the low bits; bit 14 reverses this for indices. */
    uint32_t low = bit_number & 7;
    if (kind_ == Kind::indexed && index_from_the_top_)
        low = 8 - pixel_bits_ - low;
    const uint32_t value = byte >> low & ((1u << pixel_bits_) - 1);
    if (kind_ == Kind::alpha4)
        return {255, 255, 255, static_cast<int>(value) * 17};
    return unpack(layout_of(source_8888, 0), engine_.states[clut_ + value]); /* VD60: BGRA */
}

/* VD61: BT.601 or BT.709 with range 16 to 235; the byte order is Y0 U Y1 V. */
Color Source::stored_yuy2(uint64_t row, uint32_t x) const {
    const uint64_t pair = row + uint64_t{x / 2} * 4;
    const double y = 1.164 * (engine_.fetch(pair + (x & 1) * 2, 1) - 16.0);
    const double u = engine_.fetch(pair + 1, 1) - 128.0, v = engine_.fetch(pair + 3, 1) - 128.0;
    const auto nearest = [](double value) {
        return clamp_to_8_bits(static_cast<int64_t>(std::floor(value + 0.5)));
    };
    if (bt709_)
        return {nearest(y + 1.793 * v), nearest(y - 0.534 * v - 0.213 * u), nearest(y + 2.115 * u),
                255};
    return {nearest(y + 1.596 * v), nearest(y - 0.813 * v - 0.391 * u), nearest(y + 2.018 * u),
            255};
}

Color Source::finished(const Color& filtered) const {
    return divides_ ? divided_by_alpha(filtered) : filtered;
}

/* Blends (0,0), (1,0), (0,1), (1,1) bilinearly with 8-bit fractions, rounding once. */
Color Source::blend(const std::array<Color, 4>& texels, uint32_t u, uint32_t v) const {
    const uint32_t weights[] = {(256 - u) * (256 - v), u * (256 - v), (256 - u) * v, u * v};
    Color result;
    for (unsigned c = 0; c < 4; c++) {
        uint32_t sum = 32768;
        for (unsigned i = 0; i < 4; i++)
            sum += weights[i] * static_cast<uint32_t>(texels[i][c]);
        result[c] = static_cast<int>(sum >> 16);
    }
    return result;
}

/* VD45: does not subtract half a texel; clients that want this offset have already applied it. */
Color Source::at(double u, double v) const {
    const std::optional<Place> i = place_of(u), j = place_of(v);
    if (!i || !j || !size_.x || !size_.y)
        return fill();
    /*
     * VD49: LINEAR is meant for one-row ramps, so v is clamped to row 0 and its fraction is
     * ignored.
     */
    const bool one_row = filter_ == filter_linear && size_.y == 1;
    const auto column = [&](int64_t step) { return tiled(i->texel + step, size_.x); };
    const auto row = [&](int64_t step) {
        return one_row ? std::optional<uint32_t>{0} : tiled(j->texel + step, size_.y);
    };
    if (filter_ == filter_point)
        return finished(texel(column(0), row(0)));
    const Color left = texel(column(0), row(0)), right = texel(column(1), row(0));
    if (filter_ == filter_linear)
        return finished(blend({left, right, left, right}, i->fraction, 0));
    return finished(blend({left, right, texel(column(0), row(1)), texel(column(1), row(1))},
                          i->fraction, j->fraction));
}

/* VD50: a ramp is an image with one row. */
Color Source::at_ramp(double position) const {
    const std::optional<Place> i = place_of(position * size_.x);
    if (!i || !size_.x)
        return fill();
    const Color left = texel(tiled(i->texel, size_.x), 0);
    if (filter_ == filter_point)
        return finished(left);
    const Color right = texel(tiled(i->texel + 1, size_.x), 0);
    return finished(blend({left, right, left, right}, i->fraction, 0));
}

bool Source::is_outside(double u, double v) const {
    const std::optional<Place> i = place_of(u), j = place_of(v);
    return !i || !j || i->texel < 0 || i->texel >= size_.x || j->texel < 0 || j->texel >= size_.y;
}

/* ---- Colors ------------------------------------------------------------------------------- */

Colors::Colors(Engine& engine)
    : states_(engine.states), control_(states_[VG_CONTROL]), image_mode_(bits(control_, 14, 12)),
      paint_type_(bits(control_, 25, 24)), culls_(engine.chip.culls_borders && bit(control_, 15)),
      solid_(color_of_register(states_[COLOR])), image_(engine, Source::image),
      paint_(engine, Source::paint) {
    if (image_mode_ > filter_image)
        engine.complaints.insert("an image mode of another core");
    const bool paints =
        image_mode_ == no_image || image_mode_ == multiply_image || image_mode_ == stencil_image;
    if ((image_mode_ != no_image && !image_.is_readable()) ||
        (paints && paint_type_ != solid_paint && !paint_.is_readable()))
        engine.complaints.insert("a source of a format that there is not");
}

std::optional<Color> Colors::at(uint32_t x, uint32_t y) const {
    Color color;
    if (image_mode_ == no_image) {
        color = paint_at(x, y);
    } else {
        const std::optional<Color> image = image_at(x, y);
        if (!image)
            return {};
        color = *image;
    }
    if (bit(control_, 16))
        color = transformed(color); /* VD55: applies before premultiplication */
    return bit(control_, 28) ? color : multiplied_by_alpha(color);
}

std::optional<Color> Colors::image_at(uint32_t x, uint32_t y) const {
    const auto along = [&](uint32_t i) {
        return states_.real(IMAGE_CONSTANT + i) + x * states_.real(IMAGE_X + i) +
               y * states_.real(IMAGE_Y + i);
    };
    const double w = along(2);
    const double u = along(0) / w * image_.size().x, v = along(1) / w * image_.size().y;
    const bool in_front = w > 0; /* VD46: w <= 0 or NaN is outside of the image */
    if (culls_ && (!in_front || image_.is_outside(u, v)))
        return {};
    Color image = in_front ? image_.at(u, v) : image_.fill();
    /* VD52: FILTER and modes of other cores act like NORMAL. */
    if (image_mode_ != multiply_image && image_mode_ != stencil_image)
        return image;
    /* VD53: a stencil without colors keeps the colors of the paint. */
    const bool keeps_paint = image_mode_ == stencil_image && !image_.has_color();
    const Color paint = paint_at(x, y);
    for (const Channel channel : {red, green, blue})
        image[channel] = keeps_paint ? paint[channel] : mul(image[channel], paint[channel]);
    image[alpha] = mul(image[alpha], paint[alpha]);
    return image;
}

/*
 * VD69: bits 9 and 10 of TESSELLATION_CONFIG, which the client sets according to the paint, are
 * ignored.
 */
Color Colors::paint_at(uint32_t x, uint32_t y) const {
    if (paint_type_ == solid_paint)
        return solid_;
    if (paint_type_ != pattern_paint)
        return paint_.at_ramp(gradient_at(x, y));
    const double u = states_.real(GRADIENT_CONSTANT) + x * states_.real(GRADIENT_X) +
                     y * states_.real(GRADIENT_Y);
    const double v =
        states_.real(RADIAL_CONSTANT) + x * states_.real(RADIAL_X) + y * states_.real(RADIAL_Y);
    return paint_.at(u * paint_.size().x, v * paint_.size().y);
}

double Colors::gradient_at(double x, double y) const {
    const double linear = states_.real(GRADIENT_CONSTANT) + x * states_.real(GRADIENT_X) +
                          y * states_.real(GRADIENT_Y);
    if (paint_type_ == linear_paint)
        return linear;
    const double square = states_.real(RADIAL_CONSTANT) + x * states_.real(RADIAL_X) +
                          y * states_.real(RADIAL_Y) + x * x * states_.real(RADIAL_XX) +
                          y * y * states_.real(RADIAL_YY) + x * y * states_.real(RADIAL_XY);
    return linear + (square > 0 ? std::sqrt(square) : 0); /* VD51: no root if negative */
}

/*
 * VD55: scale and bias are 8.8, and a bias of 1 is full intensity. The channel order is that of the
 * driver's array.
 */
Color Colors::transformed(const Color& color) const {
    Color result;
    for (unsigned c = 0; c < 4; c++) {
        const Pair pair = states_.pair(TRANSFORM_RED + c);
        const int64_t scale = static_cast<int16_t>(pair.x), bias = static_cast<int16_t>(pair.y);
        result[c] = clamp_to_8_bits((color[c] * scale + bias * 255 + 128) >> 8);
    }
    return result;
}

} // namespace pixmill::reference::vivante_vg

// SPDX-License-Identifier: GPL-2.0-or-later
#include "vector.hpp"

#include <bit>

#include "channel3.hpp"
#include "formats.hpp"

namespace pixmill::geode {
namespace {

/// LUT indices of a vector's dash pattern: the bits of the pattern, and a mask that gives the
/// pattern's length.
constexpr uint32_t lut_dash = 0x100, lut_dash_mask = 0x101;

int32_t signed_half(uint32_t value) {
    return int16_t(uint16_t(value));
}

} // namespace

void Vector::set_up(const Latched& latched) {
    const uint32_t mode = latched[VECTOR_MODE], error = latched[SRC_OFFSET];
    const uint32_t raster = latched[RASTER_MODE];
    const render::Format& format = destination_format(raster_mode::bpp(raster));
    length_ = vec_len::length(latched[WID_HEIGHT]);
    initial_ = signed_half(vec_len::initial(latched[WID_HEIGHT]));
    axial_ = signed_half(vec_err::axial(error));
    diagonal_ = signed_half(vec_err::diagonal(error));
    y_major_ = vector_mode::y_major(mode);
    step_major_ = vector_mode::major_positive(mode) ? 1 : -1;
    step_minor_ = vector_mode::minor_positive(mode) ? 1 : -1;
    base_ = latched.destination_base();
    bytes_ = format.bytes();
    stride_ = stride::destination(latched[STRIDE]);
    start_ = offset::bytes(latched[DST_OFFSET]) & ~(bytes_ - 1);
    raster_.set_up(latched, format, vector_mode::read(mode));
    raster_.open();
    pattern_ = Pattern::of_raster_mode(latched, format);
    color_ = latched[SRC_COLOR_FG] & ~0u >> (32 - format.bits);
    wide_color_ = render::unpack(format, color_);
    own_alpha_ = uint32_t{raster_.alpha().constant} << 24;
    const Channel3Mode channel3(latched);
    dash_length_ = 0;
    if (channel3.on && channel3.has_pattern) {
        const auto ones = uint32_t(std::popcount(latched.lut[lut_dash_mask]));
        dash_length_ = ones ? ones : 32;
        dash_ = latched.lut[lut_dash];
    }
    number_ = 0;
    error_ = initial_;
    x_ = y_ = 0;
}

/// Advances to pixel `number`. Each step advances the major axis, and the minor axis only if the
/// error is not negative.
void Vector::walk_to(uint32_t number) {
    for (; number_ < number; number_++) {
        const bool both = error_ >= 0;
        error_ += both ? diagonal_ : axial_;
        (y_major_ ? y_ : x_) += step_major_;
        if (both)
            (y_major_ ? x_ : y_) += step_minor_;
    }
}

bool Vector::is_drawn() const {
    return !dash_length_ || dash_ >> number_ % dash_length_ & 1;
}

void Vector::draw(uint32_t number) {
    walk_to(number);
    const uint32_t at = pattern_.at(x_, y_);
    const bool transparent = !raster_.alpha().enabled() && pattern_.transparent >> at & 1;
    if (transparent || !is_drawn())
        return;
    const int64_t offset = start_ + int64_t(x_) * bytes_ + y_ * stride_;
    std::byte pixel[4];
    const std::byte* const destination =
        raster_.reads_destination() ? aperture_.read(offset, bytes_, pixel) : nullptr;
    raster_.draw({&color_, &wide_color_, &own_alpha_, &pattern_.word[at], destination}, 1, pixel);
    aperture_.write(offset, bytes_, pixel);
}

} // namespace pixmill::geode

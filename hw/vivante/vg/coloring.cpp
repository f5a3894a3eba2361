// SPDX-License-Identifier: GPL-2.0-or-later
#include "coloring.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::vivante::vg {

namespace {

Linear linear(const States& states, uint32_t constant, uint32_t x, uint32_t y) {
    return {states.real(constant), states.real(x), states.real(y)};
}

} // namespace

Coloring::Coloring(const States& states, const Features& features)
    : image_mode_(ImageMode(control::image_mode(states[VG_CONTROL]))),
      paint_type_(PaintType(control::paint(states[VG_CONTROL]))),
      culls_(features.culls_borders && control::border_culling(states[VG_CONTROL]) &&
             image_mode_ != ImageMode::none),
      transforms_(control::color_transform(states[VG_CONTROL])),
      multiplies_(!control::no_multiply(states[VG_CONTROL])), color_(color_of_state(states[COLOR])),
      image_u_(linear(states, IMAGE_CONSTANT, IMAGE_X, IMAGE_Y)),
      image_v_(linear(states, IMAGE_CONSTANT + 1, IMAGE_X + 1, IMAGE_Y + 1)),
      image_w_(linear(states, IMAGE_CONSTANT + 2, IMAGE_X + 2, IMAGE_Y + 2)),
      paint_u_(linear(states, GRADIENT_CONSTANT, GRADIENT_X, GRADIENT_Y)),
      paint_v_{linear(states, RADIAL_CONSTANT, RADIAL_X, RADIAL_Y), states.real(RADIAL_XX),
               states.real(RADIAL_YY), states.real(RADIAL_XY)} {
    if (image_mode_ != ImageMode::none)
        image_.emplace(states, Source::image, features);
    if (paints() && paint_type_ != PaintType::solid)
        paint_.emplace(states, Source::paint, features);
    for (unsigned c = 0; c < 4; c++) {
        const Pair pair = states.pair(TRANSFORM + c);
        transform_[c] = {int16_t(pair.x), int16_t(pair.y)};
    }
    if (!image_ && !paint_) {
        Pixels one;
        put(one, color_);
        finish(one, 1);
        solid_ = {one[red][0], one[green][0], one[blue][0], one[alpha][0]};
    }
}

bool Coloring::paints() const {
    return image_mode_ == ImageMode::none || image_mode_ == ImageMode::multiply ||
           image_mode_ == ImageMode::stencil;
}

bool Coloring::unreadable() const {
    return (image_ && !image_->readable()) || (paint_ && !paint_->readable());
}

bool Coloring::overlaps(uint64_t begin, uint64_t end) const {
    return (image_ && image_->overlaps(begin, end)) || (paint_ && paint_->overlaps(begin, end));
}

void Coloring::begin(PhysicalMemory& memory) {
    if (image_)
        image_->begin(memory);
    if (paint_)
        paint_->begin(memory);
}

/// Computes the positions of pixels in the image. A pixel whose w is not positive, or is NaN, has
/// no texel (VD46).
void Coloring::place_image(uint32_t x, uint32_t y, Places& places, size_t count) const {
    const double width = image_->size().x, height = image_->size().y;
    const Kernels& loops = kernels();
    if (image_w_.constant == 1 && image_w_.x == 0 && image_w_.y == 0) {
        loops.find_along(image_u_, x, y, width, places.u, count);
        loops.find_along(image_v_, x, y, height, places.v, count);
        return;
    }
    Reals w;
    loops.along(image_w_, x, y, 1, w, count);
    const auto find = [&](const Linear& line, double size, Fixed& to) {
        Reals texels;
        loops.along(line, x, y, 1, texels, count);
        loops.project(w, size, texels, count);
        loops.find(texels, to, count);
    };
    find(image_u_, width, places.u);
    find(image_v_, height, places.v);
}

void Coloring::cull(uint32_t x, uint32_t y, uint8_t* coverage, size_t count) const {
    Places places;
    place_image(x, y, places, count);
    image_->cull(places, coverage, count);
}

void Coloring::read(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to,
                    size_t count) const {
    if (solid_) {
        fill(to, *solid_, count);
        return;
    }
    if (image_mode_ == ImageMode::none)
        read_paint(memory, x, y, to, count);
    else
        read_image(memory, x, y, to, count);
    finish(to, count);
}

void Coloring::read_image(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to,
                          size_t count) const {
    Places places;
    place_image(x, y, places, count);
    image_->read(memory, places, to, count);
    if (!paints()) // FILTER, and the modes of other cores, act as NORMAL (VD52)
        return;
    Pixels paint;
    read_paint(memory, x, y, paint, count);
    // A stencil that has no colors keeps the colors of the paint (VD53).
    const bool keeps_paint = image_mode_ == ImageMode::stencil && !image_->has_color();
    for (const Channel c : colors) {
        if (keeps_paint)
            std::memcpy(to[c], paint[c], count);
        else
            multiply(to[c], paint[c], count);
    }
    multiply(to[alpha], paint[alpha], count);
}

bool Coloring::gives_words(const ByteOrder& order) const {
    return image_ && !paints() && !transforms_ && !multiplies_ && image_->gives_words(order);
}

bool Coloring::read_words(uint32_t x, uint32_t y, Words& to, size_t count) const {
    Places places;
    place_image(x, y, places, count);
    return image_->read_words(places, to, count);
}

/// Reads the colors of the paint. Bits 9 and 10 of TESSELLATION_CONFIG, which the driver sets
/// according to the paint, are ignored (VD69).
void Coloring::read_paint(PhysicalMemory& memory, uint32_t x, uint32_t y, Pixels& to,
                          size_t count) const {
    if (!paint_) {
        fill(to, color_, count);
        return;
    }
    Places places;
    const double width = paint_->size().x, height = paint_->size().y;
    if (paint_type_ == PaintType::radial) {
        Reals texels;
        kernels().along(paint_u_, x, y, 1, texels, count);
        kernels().add_root(paint_v_, x, y, width, texels, count);
        kernels().find(texels, places.u, count);
    } else {
        kernels().find_along(paint_u_, x, y, width, places.u, count);
    }
    if (paint_type_ != PaintType::pattern) {
        paint_->read_ramp(memory, places, to, count);
        return;
    }
    kernels().find_along(paint_v_.linear, x, y, height, places.v, count);
    paint_->read(memory, places, to, count);
}

/// Applies the color transform. It rounds to nearest and precedes premultiplication (VD55).
void Coloring::transform(Pixels& pixels, size_t count) const {
    for (unsigned c = 0; c < 4; c++) {
        const auto [scale, bias] = transform_[c];
        kernels().transform(pixels[c], scale, bias * 255 + 128, count);
    }
}

void Coloring::finish(Pixels& pixels, size_t count) const {
    if (transforms_)
        transform(pixels, count);
    if (multiplies_)
        multiply(pixels, count);
}

} // namespace pixmill::vivante::vg

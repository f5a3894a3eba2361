// SPDX-License-Identifier: GPL-2.0-or-later
#include "blit.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pixmill::nema {

namespace {

/// True if storing a texel writes exactly the bytes that were read.
bool same_bytes(const Texture& from, const Texture& to, bool dithers) {
    const Format* const format = find_format(from.format);
    return from.format == to.format && format->kind == Format::Kind::words &&
           format->bits() % 8 == 0 && !format->layout.padding.width &&
           !(dithers && format->dithers());
}

} // namespace

void Blit::prepare(const DrawSetup& setup, const FragmentProgram& program,
                   const Coordinates& coordinates, FragmentSurfaces& surfaces) {
    if (!find(setup, program, coordinates, surfaces))
        output_ = nullptr;
}

bool Blit::find(const DrawSetup& setup, const FragmentProgram& program,
                const Coordinates& coordinates, FragmentSurfaces& surfaces) {
    const auto& steps = program.steps;
    if (steps.size() != 2 || steps[0].kind != Step::Kind::read_texture || !steps[0].interpolated ||
        !program.writes_all(steps[1]) || !surfaces.takes(steps[1].image) ||
        steps[1].a != steps[0].out)
        return false;
    from_ = &setup.surface[steps[0].image];
    to_image_ = steps[1].image;
    to_ = &setup.surface[to_image_];
    texture_ = &surfaces.textures[steps[0].image];
    output_ = &surfaces.outputs[steps[1].image];
    const Format* const format = find_format(from_->format);
    if (!format || output_->target().compressed() || !translates(coordinates))
        return false;
    copies_ = output_->replaces() && same_bytes(*from_, *to_, setup.dithers[steps[1].image]);
    order_ = output_->blends_words() ? word_order(*format) : std::nullopt;
    mask_ = output_->blends_words() ? mask_format(*format) : std::nullopt;
    return true;
}

/// True if each pixel maps to one texel, and adjacent pixels to adjacent texels. Sets dx_ and dy_.
bool Blit::translates(const Coordinates& coordinates) {
    constexpr Field filter_and_wrap{"", 3, 0}; // bits of the mode
    if (from_->mode & ~filter_and_wrap.mask() || !coordinates.translates())
        return false;
    double x = 0, y = 0; // coordinates of pixel (0, 0)
    coordinates.row(0, 0, &x, &y, 1);
    const bool filters = texture_mode::bilinear(from_->mode);
    const auto to_texel = [&](double coordinate, int32_t& texel) {
        constexpr double far = 1 << 23; // well inside the range that coordinates are clamped to
        const double at = std::floor((coordinate - (filters ? 0.5 : 0)) * 16);
        if (!(std::abs(coordinate) < far) || (filters && std::fmod(at, 16) != 0))
            return false;
        texel = int32_t(std::floor(at / 16));
        return true;
    };
    return to_texel(x, dx_) && to_texel(y, dy_);
}

void Blit::open(Memory& memory) {
    memory_ = &memory;
    ahead_.rows = 0;
}

bool Blit::whole_rows(int32_t width) const {
    return in_memory() && dx_ == 0 && int32_t(from_->width) == width &&
           from_->stride == to_->stride &&
           find_format(from_->format)->bits() == output_->target().format().bits();
}

/// Returns texels [u, u + count) of row v. Fetches several rows at once if rows are short, as in
/// glyphs.
ConstRow Blit::texels(uint32_t u, uint32_t v, uint32_t count) {
    if (ahead_.u == u && ahead_.count == count && v >= ahead_.v && v - ahead_.v < ahead_.rows)
        return &ahead_.texel[(v - ahead_.v) * ahead_.pitch];
    const uint32_t pitch = texture_->pitch();
    const bool close = pitch >= count && pitch <= 2 * count;
    const uint32_t rows = close ? (row_pixels - count) / pitch + 1 : 1;
    ahead_.u = u;
    ahead_.v = v;
    ahead_.count = count;
    ahead_.rows = std::min(rows, from_->height - v);
    ahead_.pitch = pitch;
    if (ahead_.rows > 1)
        texture_->fetch_long(u, v, ahead_.texel.data(), (ahead_.rows - 1) * pitch + count);
    else
        texture_->fetch(int32_t(u), int32_t(v), ahead_.texel.data(), count);
    return ahead_.texel.data();
}

/// Like run(), but for texels that must be converted to ARGB. All texels must be inside the source.
uint32_t Blit::decoded_run(int32_t x, int32_t y, uint32_t count) {
    const auto u = uint32_t(x + dx_), v = uint32_t(y + dy_);
    for (uint32_t done = 0; done < count; done += row_pixels) {
        const uint32_t n = std::min(count - done, row_pixels);
        const ConstRow source = texels(u + done, v, n);
        if (texture_->faulted())
            break;
        output_->write(x + int32_t(done), y, n, source, nullptr, nullptr);
    }
    return count;
}

/// Copies pixels. Returns false if they must be drawn `in_order` and the destination overlaps
/// source pixels that have not been read yet, or if the destination is not contiguous.
bool Blit::copy(int32_t x, int32_t y, uint32_t count, const std::byte* from, bool in_order) {
    std::byte* const to = output_->target().in_place(x, y, count);
    const size_t bytes = size_t(count) * (output_->target().format().bits() / 8);
    if (!to || (in_order && to > from && to < from + bytes))
        return false;
    std::memmove(to, from, bytes);
    output_->drawn_in_place(x, y, count);
    return true;
}

uint32_t Blit::run(int32_t x, int32_t y, uint32_t count, bool in_order) {
    const int64_t u = int64_t(x) + dx_, v = int64_t(y) + dy_;
    if (u < 0 || v < 0 || u >= from_->width || v >= from_->height)
        return 0;
    count = uint32_t(std::min<int64_t>(count, from_->width - u));
    if (!in_memory())
        return in_order ? 0 : decoded_run(x, y, count);
    const uint32_t bytes = output_->target().format().bits() / 8;
    const uint32_t address =
        from_->base + uint32_t(v) * uint32_t(from_->stride) + uint32_t(u) * bytes;
    const std::byte* const from =
        memory_->map_contiguous(address, uint64_t(count) * bytes, Access::read);
    if (!from)
        return 0;
    const bool drawn = copies_ ? copy(x, y, count, from, in_order)
                               : !in_order && output_->blend_words(x, y, count, from, *order_);
    return drawn ? count : 0;
}

bool Blit::masked(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    const int64_t u = int64_t(x) + dx_, v = int64_t(y) + dy_;
    if (u < 0 || v < 0 || u + count > from_->width || v + rows > from_->height)
        return false;
    const std::byte* const row = texture_->row_in_place(uint32_t(v));
    if (!row)
        return false;
    const uint32_t bits = find_format(from_->format)->bits(), bit = uint32_t(u) * bits;
    return output_->blend_masked(x, y, *mask_,
                                 {.texels = row + bit / 8,
                                  .texel_pitch = from_->stride,
                                  .first = bit % 8 / bits,
                                  .width = count,
                                  .rows = rows,
                                  .color = from_->color & 0x00FFFFFF});
}

bool Blit::rows(int32_t y, uint32_t count) {
    const int64_t v = int64_t(y) + dy_;
    if (v < 0 || v + count > from_->height)
        return false;
    const auto stride = uint32_t(from_->stride);
    const std::byte* const from = memory_->map_contiguous(from_->base + uint32_t(v) * stride,
                                                          uint64_t(stride) * count, Access::read);
    if (!from)
        return false;
    return copies_ ? output_->copy_rows(y, count, from)
                   : output_->blend_rows(y, count, from, *order_);
}

} // namespace pixmill::nema

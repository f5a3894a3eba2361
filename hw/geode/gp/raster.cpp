// SPDX-License-Identifier: GPL-2.0-or-later
#include "raster.hpp"

#include <utility>

namespace pixmill::geode {

void Raster::set_up(const Latched& latched, const render::Format& format, bool reads_destination) {
    const uint32_t mode = latched[RASTER_MODE];
    format_ = &format;
    is_argb_ = format == render::formats::a8r8g8b8;
    alpha_ = AlphaMode(mode);
    rop_ = render::Rop3(raster_mode::rop(mode));
    reads_destination_ = reads_destination;
}

void Raster::open() {
    kernels_ = &render::kernels();
    codec_ = render::Codec(*format_);
    size_ = render::size_index(*format_);
    fetch_ = kernels_->unpack(*format_);
    store_ = kernels_->pack(*format_);
    blend_ = alpha_kernel(alpha_);
    terms_ = render::RopPolynomial::of(rop_);
}

const uint32_t* Raster::narrow(const uint32_t* argb, uint32_t count, uint32_t* words) {
    if (is_argb_)
        return argb;
    store_(codec_, bytes_.data(), argb, count);
    unpack(bytes_.data(), count, words);
    return words;
}

const uint32_t* Raster::widen(const uint32_t* words, uint32_t count, uint32_t* argb) {
    if (is_argb_)
        return words;
    pack(words, count, bytes_.data());
    fetch_(codec_, argb, bytes_.data(), count);
    return argb;
}

/// Returns the pixels at `from` as words. If `from` is null, the words are 0.
const uint32_t* Raster::words(const std::byte* from, uint32_t count) {
    static constexpr Words none{};
    if (!from)
        return none.data();
    if (const uint32_t* const found = is_argb_ ? words_at(from) : nullptr)
        return found;
    unpack(from, count, destination_.data());
    return destination_.data();
}

const uint32_t* Raster::argb(const std::byte* from, uint32_t count) {
    if (!from || is_argb_)
        return widen(words(from, count), count, destination_.data());
    fetch_(codec_, destination_.data(), from, count);
    return destination_.data();
}

void Raster::draw(const Operands& operands, uint32_t count, std::byte* to) {
    if (alpha_.enabled())
        return draw_alpha(operands, count, to);
    const uint32_t* const destination = words(operands.destination, count);
    uint32_t* const found = in_place(to);
    uint32_t* const out = found ? found : out_.data();
    kernels_->rop_row(terms_, out, destination, operands.source, operands.pattern, count);
    if (!found)
        pack(out, count, to);
}

void Raster::draw_alpha(const Operands& operands, uint32_t count, std::byte* to) {
    const uint32_t *a = operands.wide_source, *b = argb(operands.destination, count);
    if (alpha_.destination_is_a)
        std::swap(a, b);
    uint32_t* const found = in_place(to);
    uint32_t* const out = found ? found : out_.data();
    blend({out, 0, {a}, {b}, {operands.channel3}, count});
    if (!found)
        store_(codec_, to, out, count);
}

} // namespace pixmill::geode

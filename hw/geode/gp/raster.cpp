// SPDX-License-Identifier: GPL-2.0-or-later
#include "raster.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace pixmill::geode {

void Raster::set_up(const Latched& latched, const render::Format& format, bool reads_destination) {
    const uint32_t mode = latched[RASTER_MODE];
    kernels_ = &render::kernels();
    format_ = &format;
    codec_ = render::Codec(format);
    size_ = render::size_index(format);
    is_argb_ = format == render::formats::a8r8g8b8;
    fetch_ = kernels_->unpack(format);
    store_ = kernels_->pack(format);
    alpha_ = AlphaMode(mode);
    blend_ = alpha_kernel();
    rop_ = render::Rop3(raster_mode::rop(mode));
    terms_ = render::RopPolynomial::of(rop_);
    reads_destination_ = reads_destination;
}

void Raster::narrow(const uint32_t* argb, uint32_t count, uint32_t* words) {
    if (is_argb_) {
        std::memmove(words, argb, count * sizeof *words);
        return;
    }
    store_(codec_, bytes_.data(), argb, count);
    unpack(bytes_.data(), count, words);
}

void Raster::widen(const uint32_t* words, uint32_t count, uint32_t* argb) {
    pack(words, count, bytes_.data());
    fetch_(codec_, argb, bytes_.data(), count);
}

const uint32_t* Raster::draw(const Operands& operands, uint32_t count) {
    if (alpha_.enabled())
        return draw_alpha(operands, count);
    if (operands.destination)
        unpack(operands.destination, count, destination_.data());
    else
        std::fill_n(destination_.data(), count, 0);
    kernels_->rop_row(terms_, out_.data(), destination_.data(), operands.source, operands.pattern,
                      count);
    return out_.data();
}

const uint32_t* Raster::draw_alpha(const Operands& operands, uint32_t count) {
    if (operands.destination) {
        fetch_(codec_, destination_.data(), operands.destination, count);
    } else {
        std::fill_n(out_.data(), count, 0);
        widen(out_.data(), count, destination_.data());
    }
    const uint32_t *a = operands.wide_source, *b = destination_.data();
    if (alpha_.destination_is_a)
        std::swap(a, b);
    blend_(alpha_, out_.data(), a, b, operands.channel3, count);
    if (!is_argb_)
        narrow(out_.data(), count, out_.data());
    return out_.data();
}

} // namespace pixmill::geode

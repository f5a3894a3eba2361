// Pixel operations: the raster operation and the alpha unit.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "alpha.hpp"
#include "latched.hpp"
#include "rows.hpp"

namespace pixmill::geode {

/// The operation that RASTER_MODE selects, without operands.
class Raster {
public:
    void set_up(const Latched& latched, const render::Format& format, bool reads_destination);
    /// Called before rows are drawn. Most BLTs do not need it, because hw/render draws them.
    void open();

    const render::Format& format() const { return *format_; }
    const AlphaMode& alpha() const { return alpha_; }
    bool reads_destination() const { return reads_destination_; }
    /// True if pixel words of the destination's format are ARGB values.
    bool is_argb() const { return is_argb_; }
    render::Rop3 rop() const { return rop_; }

    /// Operands of draw(). `destination` is null, and treated as 0, if it is not read.
    struct Operands {
        const uint32_t* source = nullptr;      ///< words of the destination's format
        const uint32_t* wide_source = nullptr; ///< ARGB, for the alpha unit
        const uint32_t* channel3 = nullptr;    ///< ARGB; only the alpha is used
        const uint32_t* pattern = nullptr;     ///< words of the destination's format
        const std::byte* destination = nullptr;
    };
    /// Draws pixels to `to`, in the format of the destination. `to` may be the destination operand.
    void draw(const Operands& operands, uint32_t count, std::byte* to);
    /// Blends ARGB values with the alpha unit. The caller assigns A and B as the mode requires.
    void blend(const AlphaRows& rows) const { blend_(alpha_, rows); }
    /// Convert ARGB to words of the destination's format, and back. If both are the same, they
    /// return the input, else `words` or `argb`.
    const uint32_t* narrow(const uint32_t* argb, uint32_t count, uint32_t* words);
    const uint32_t* widen(const uint32_t* words, uint32_t count, uint32_t* argb);

private:
    void draw_alpha(const Operands& operands, uint32_t count, std::byte* to);
    uint32_t* in_place(std::byte* to) { return is_argb_ ? words_at(to) : nullptr; }
    void pack(const uint32_t* words, uint32_t count, std::byte* to) const {
        kernels_->store_raw[size_]({}, to, words, count);
    }
    void unpack(const std::byte* from, uint32_t count, uint32_t* words) const {
        kernels_->fetch_raw[size_]({}, words, from, count);
    }
    const uint32_t* words(const std::byte* from, uint32_t count);
    const uint32_t* argb(const std::byte* from, uint32_t count);

    const render::Kernels* kernels_ = nullptr;
    const render::Format* format_ = nullptr;
    render::Codec codec_;
    render::FetchKernel fetch_ = nullptr;
    render::StoreKernel store_ = nullptr;
    unsigned size_ = 0;
    bool is_argb_ = false;
    AlphaMode alpha_;
    AlphaKernel blend_ = nullptr;
    render::Rop3 rop_ = 0;
    render::RopPolynomial terms_;
    bool reads_destination_ = false;
    Words destination_, out_;
    Bytes bytes_;
};

} // namespace pixmill::geode

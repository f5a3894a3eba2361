// SPDX-License-Identifier: GPL-2.0-or-later
#include "render_output.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "nema/rows/runs.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::nema {

namespace {

constexpr uint32_t known_factors = 12; ///< number of known codes; others select 0
constexpr uint32_t first_destination_factor = 6, last_destination_factor = 9;

bool looks_at_destination(uint32_t factor) {
    return factor >= first_destination_factor && factor <= last_destination_factor;
}

uint32_t channel(uint32_t argb, unsigned shift) {
    return argb >> shift & 0xFF;
}

/// Returns the factor of the channel at `shift`, for codes that do not depend on the destination.
uint32_t source_factor(uint32_t code, uint32_t color, uint32_t constant, unsigned shift) {
    switch (code) {
    case 1:
        return 255;
    case 2:
        return channel(color, shift);
    case 3:
        return 255 - channel(color, shift);
    case 4:
        return channel(color, 24);
    case 5:
        return 255 - channel(color, 24);
    case 10:
        return channel(constant, shift);
    case 11:
        return channel(constant, 24);
    default:
        return 0;
    }
}

} // namespace

bool RenderOutput::prepare(const Texture& surface, bool dithers, const BlendState& blend,
                           const RowKernels& kernels) {
    if (!target_.prepare(surface, dithers))
        return false;
    kernels_ = &kernels;
    width_ = int32_t(surface.width);
    height_ = int32_t(surface.height);
    blend_ = blend;
    for (uint32_t* factor : {&blend_.factors.source, &blend_.factors.destination})
        if (*factor >= known_factors)
            *factor = 0;
    const BlendFactors& f = blend_.factors;
    keyed_ = blend.keyed();
    copies_source_ = f.source == 1 && f.destination == 0;
    reads_ = f.destination != 0 || looks_at_destination(f.source) || keyed_;
    replaces_ = copies_source_ && !keyed_;
    const KnownBlend* const known = kernels.known(f);
    blend_kernel_ = known ? known->rows : kernels.blend_any;
    in_memory_ = keyed_ ? nullptr : known;
    order_ = word_order(target_.format());
    if (keyed_)
        std::fill_n(key_.words, row_pixels + 8, blend.key);
    fill_ = Fill::unknown;
    return true;
}

void RenderOutput::open(Memory& memory) {
    target_.open(memory);
}

void RenderOutput::reset_counts() {
    pixels_ = 0;
}

render::Rect RenderOutput::take_dirty() {
    return std::exchange(dirty_, {});
}

void RenderOutput::note(int32_t x, int32_t y, uint32_t count, uint32_t rows) {
    pixels_ += uint64_t(count) * rows;
    const render::Rect row{x, y, x + int32_t(count), y + int32_t(rows)};
    if (dirty_.empty())
        dirty_ = row;
    else
        dirty_ = {std::min(dirty_.left, row.left), std::min(dirty_.top, row.top),
                  std::max(dirty_.right, row.right), std::max(dirty_.bottom, row.bottom)};
}

/// Returns the part of a row that is inside the surface.
RenderOutput::Clipped RenderOutput::clipped(int32_t x, int32_t y, uint32_t count) const {
    const int64_t left = std::max<int64_t>(x, 0);
    const int64_t right = std::min<int64_t>(int64_t(x) + count, width_);
    if (y < 0 || y >= height_ || left >= right)
        return {};
    return {int32_t(left), uint32_t(right - left), uint32_t(left - x)};
}

// ---- Rows of different pixels ----------------------------------------------------------

void RenderOutput::store(int32_t x, int32_t y, uint32_t count, ConstRow pixels) {
    if (target_.store(x, y, count, pixels))
        note(x, y, count);
}

void RenderOutput::store_where_clear(int32_t x, int32_t y, uint32_t count, ConstRow pixels,
                                     ConstRow mask) {
    each_run(
        count, [&](uint32_t i) { return !mask[i]; },
        [&](uint32_t first, uint32_t n) { store(x + int32_t(first), y, n, pixels + first); });
}

ConstRow RenderOutput::blended(ConstRow source, const uint8_t* coverage, uint32_t count) {
    if (copies_source_ && !coverage)
        return source;
    if (copies_source_)
        std::copy_n(source, count, out_.words);
    else
        blend_kernel_(blend_.factors, out_.words, source, destination_.words, count);
    if (coverage)
        kernels_->cover(out_.words, destination_.words, coverage, count);
    return out_.words;
}

/// Returns a mask of the pixels that are not drawn, or null if all are drawn.
ConstRow RenderOutput::masked(ConstRow kill, const uint8_t* coverage, uint32_t count) {
    const bool gaps = coverage && std::memchr(coverage, 0, count);
    if (!keyed_ && !gaps)
        return kill;
    if (kill)
        std::copy_n(kill, count, mask_.words);
    else
        std::fill_n(mask_.words, count, 0);
    const auto add = [&](RowOp op) {
        kernels_->op[size_t(op)](mask_.words, destination_.words, key_.words, mask_.words, count);
    };
    if (blend_.key_equal)
        add(RowOp::color_differs);
    if (blend_.key_differs)
        add(RowOp::color_equal);
    for (uint32_t i = 0; gaps && i < count; i++)
        mask_.words[i] |= coverage[i] ? 0 : ~0u;
    return mask_.words;
}

/// Reports that the pixels of the target are compared with the key.
void RenderOutput::watch(int32_t x, int32_t y, uint32_t count, ConstRow kill,
                         const uint8_t* coverage) {
    each_run(
        count, [&](uint32_t i) { return !(kill && kill[i]) && !(coverage && !coverage[i]); },
        [&](uint32_t first, uint32_t n) { target_.watch(x + int32_t(first), y, n); });
}

void RenderOutput::write(int32_t x, int32_t y, uint32_t count, ConstRow source, ConstRow kill,
                         const uint8_t* coverage) {
    const Clipped inside = clipped(x, y, count);
    if (!inside.count)
        return;
    source += inside.skipped;
    kill = kill ? kill + inside.skipped : nullptr;
    coverage = coverage ? coverage + inside.skipped : nullptr;
    constexpr WordOrder argb{};
    if (!kill && !coverage &&
        blend_words(inside.x, y, inside.count, reinterpret_cast<const std::byte*>(source), argb))
        return;
    if ((reads_ || coverage) && !target_.load(inside.x, y, inside.count, destination_.words))
        return;
    if (keyed_ && target_.watched()) [[unlikely]]
        watch(inside.x, y, inside.count, kill, coverage);
    const ConstRow pixels = blended(source, coverage, inside.count);
    if (const ConstRow mask = masked(kill, coverage, inside.count))
        store_where_clear(inside.x, y, inside.count, pixels, mask);
    else
        store(inside.x, y, inside.count, pixels);
}

WordBlend RenderOutput::word_blend(const WordOrder& source) const {
    return {source.red_first != order_->red_first, source.set, order_->set};
}

void RenderOutput::blend_at(std::byte* to, uint64_t count, const std::byte* source,
                            const WordOrder& order) {
    in_memory_->words(word_blend(order), to, source, count);
}

bool RenderOutput::blend_words(int32_t x, int32_t y, uint32_t count, const std::byte* source,
                               const WordOrder& order) {
    std::byte* const to = blends_words() ? target_.in_place(x, y, count) : nullptr;
    if (!to)
        return false;
    blend_at(to, count, source, order);
    drawn_in_place(x, y, count);
    return true;
}

bool RenderOutput::blend_masked(int32_t x, int32_t y, MaskFormat format, MaskedRows rows) {
    rows.destination = target_.rows_in_place(x, y, rows.width, rows.rows);
    if (!rows.destination)
        return false;
    rows.pitch = target_.pitch();
    constexpr WordOrder argb{};
    in_memory_->masks[size_t(format)](word_blend(argb), rows);
    for (uint32_t row = 0; row < rows.rows; row++)
        target_.mark_dirty(x, y + int32_t(row), rows.width);
    note(x, y, rows.width, rows.rows);
    return true;
}

// ---- Rows of one color ------------------------------------------------------------------

/// Prepares a fill that computes each result byte as an affine function of one destination byte.
/// Returns false if the blend does not have that form.
bool RenderOutput::affine_fill(uint32_t color) {
    const render::Format& layout = target_.format().layout;
    const BlendFactors& f = blend_.factors;
    if (layout.bits != 32 || keyed_ || looks_at_destination(f.source) ||
        looks_at_destination(f.destination))
        return false;
    constexpr uint16_t always_255 = 255 * 255 + 127;
    fill_affine_.offset.fill(always_255); // bytes that hold no channel
    fill_affine_.factor.fill(0);
    const struct {
        render::Channel channel;
        unsigned shift;
    } channels[] = {{layout.alpha, 24}, {layout.red, 16}, {layout.green, 8}, {layout.blue, 0}};
    for (const auto& c : channels) {
        if (!c.channel.width)
            continue;
        const uint32_t own = source_factor(f.source, color, f.constant, c.shift);
        const uint32_t other = source_factor(f.destination, color, f.constant, c.shift);
        fill_affine_.offset[c.channel.shift / 8] = uint16_t(channel(color, c.shift) * own + 127);
        fill_affine_.factor[c.channel.shift / 8] = uint16_t(other);
    }
    return true;
}

void RenderOutput::prepare_fill(uint32_t color) {
    fill_color_ = color;
    std::fill_n(color_.words, row_pixels + 8, color);
    fill_ = Fill::rows;
    if (target_.compressed() || target_.dithers())
        return;
    const uint32_t bytes = target_.format().bits() / 8;
    if (replaces_ && std::has_single_bit(bytes)) {
        auto* const pattern = reinterpret_cast<std::byte*>(fill_constant_.constant.data());
        constexpr uint32_t size = sizeof fill_constant_.constant;
        nema::store(target_.format(), pattern, color_.words, size / bytes);
        fill_ = Fill::constant;
    } else if (!replaces_ && affine_fill(color)) {
        fill_ = Fill::affine;
    }
}

void RenderOutput::fill_bytes(std::byte* to, uint64_t count) {
    if (fill_ == Fill::constant)
        render::kernels().fill(fill_constant_,
                               {to, nullptr, size_t(count) * (target_.format().bits() / 8)});
    else
        kernels_->affine(fill_affine_, to, count);
}

bool RenderOutput::fill_in_place(int32_t x, int32_t y, uint32_t count) {
    std::byte* const to = fill_ == Fill::rows ? nullptr : target_.in_place(x, y, count);
    if (!to)
        return false;
    fill_bytes(to, count);
    drawn_in_place(x, y, count);
    return true;
}

void RenderOutput::fill(int32_t x, int32_t y, uint32_t count, uint32_t color) {
    const Clipped inside = clipped(x, y, count);
    if (!inside.count)
        return;
    if (fill_ == Fill::unknown || fill_color_ != color)
        prepare_fill(color);
    if (fill_in_place(inside.x, y, inside.count))
        return;
    for (uint32_t done = 0; done < inside.count && !target_.faulted(); done += row_pixels)
        write(inside.x + int32_t(done), y, std::min(inside.count - done, row_pixels), color_.words,
              nullptr, nullptr);
}

void RenderOutput::drawn_in_place(int32_t x, int32_t y, uint32_t count) {
    target_.mark_dirty(x, y, count);
    note(x, y, count);
}

// ---- Whole rows -----------------------------------------------------------------------------

template<class Draw>
bool RenderOutput::draw_rows(int32_t y, uint32_t rows, Draw draw) {
    const uint64_t count = uint64_t(rows) * uint32_t(width_);
    std::byte* const to = target_.in_place(0, y, count);
    if (!to)
        return false;
    draw(to, count);
    target_.mark_dirty(0, y, count);
    note(0, y, uint32_t(width_), rows);
    return true;
}

bool RenderOutput::fill_rows(int32_t y, uint32_t rows, uint32_t color) {
    if (fill_ == Fill::unknown || fill_color_ != color)
        prepare_fill(color);
    return fill_ != Fill::rows &&
           draw_rows(y, rows, [&](std::byte* to, uint64_t count) { fill_bytes(to, count); });
}

bool RenderOutput::copy_rows(int32_t y, uint32_t rows, const std::byte* source) {
    return draw_rows(y, rows, [&](std::byte* to, uint64_t count) {
        std::memmove(to, source, size_t(count) * (target_.format().bits() / 8));
    });
}

bool RenderOutput::blend_rows(int32_t y, uint32_t rows, const std::byte* source,
                              const WordOrder& order) {
    return draw_rows(y, rows,
                     [&](std::byte* to, uint64_t count) { blend_at(to, count, source, order); });
}

} // namespace pixmill::nema

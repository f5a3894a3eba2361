// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::vivante::vg {

namespace {

/// Maximum number of pixels filled between two checks for requests.
constexpr size_t most_filled = 65536;

constexpr uint8_t all = 255;

} // namespace

Output::Output(const States& states, const Features& features)
    : coloring_(states, features), blend_(control::blend(states[VG_CONTROL])),
      scissors_(control::scissor(states[VG_CONTROL])), masks_(control::mask(states[VG_CONTROL])),
      layout_(target_layout(target_config::format(states[TARGET_CONFIG]),
                            target_config::swizzle(states[TARGET_CONFIG]))),
      as_stored_(target_config::as_stored(states[TARGET_CONFIG])),
      divides_(!as_stored_ && target_config::unpremultiply(states[TARGET_CONFIG])),
      top_down_(target_config::top_down(states[TARGET_CONFIG])),
      tiled_(surface_stride::tiled(states[TARGET_STRIDE])),
      gamma_(Gamma(target_config::gamma(states[TARGET_CONFIG]))), address_(states[TARGET_ADDRESS]),
      mask_address_(states[MASK_ADDRESS]), scissor_address_(states[SCISSOR_ADDRESS]),
      stride_(surface_stride::stride(states[TARGET_STRIDE])),
      mask_stride_(surface_stride::stride(states[MASK_STRIDE])),
      scissor_stride_(surface_stride::stride(states[SCISSOR_STRIDE])),
      clip_(states.pair(TARGET_CLIP)), dither_{states[DITHER_LOW], states[DITHER_HIGH]} {
    dithers_ = (dither_[0] & dither_[1]) != 0xFFFFFFFF && !layout_.lossless() && !layout_.luminance;
    for (uint32_t i = 0; i < key_.size(); i++) {
        const uint32_t low = states[KEY_LOW + i], high = states[KEY_HIGH + i];
        if (key::enable(low))
            key_[keys_++] = {
                {uint8_t(key::red(low)), uint8_t(key::green(low)), uint8_t(key::blue(low)), 0},
                {uint8_t(key::red(high)), uint8_t(key::green(high)), uint8_t(key::blue(high)), 0},
                uint8_t(key::alpha(high))};
    }
    as_words_ = layout_.bytes == 4 && layout_.lossless() && !layout_.filler && as_stored_ &&
                gamma_ == Gamma::none && !keys_ && !tiled_;
    takes_words_ = as_words_ && is_blend(blend_) && blend_ <= mode_src_over &&
                   coloring_.gives_words(layout_.byte_order());
    const std::optional<Color>& solid = coloring_.solid();
    if (solid && !dithers_ && ignores_destination(blend_, (*solid)[alpha])) {
        Pixels one;
        Words word;
        put(one, *solid);
        finish(one, 0, 0, word, 1);
        word_ = word[0];
    }
}

/// Returns address, stride and required alignment of the target. NXP's API reference has a rule for
/// tiled targets only. For linear targets, VGLite checks the alignment to words and whole pixels on
/// later cores, and nothing on these cores.
Placement Output::placement() const {
    const uint32_t pixel = layout_.bytes;
    const bool has_rows = clip_.y > 1;
    return {uint32_t(address_), tiled_ ? 64u : 4u, stride_,
            !has_rows ? 1
            : tiled_  ? 4 * pixel
                      : pixel};
}

// ---- Addresses -----------------------------------------------------------------

/// Returns the address of row `y`. Without TOP_DOWN, the first row is the bottom one (VD58).
uint64_t Output::row_address(uint32_t y) const {
    const uint64_t row = top_down_ ? y : clip_.y - 1 - y;
    return address_ + row * stride_;
}

uint64_t Output::address_of(uint32_t x, uint32_t y) const {
    if (!tiled_)
        return row_address(y) + uint64_t(x) * layout_.bytes;
    const uint64_t row = top_down_ ? y : clip_.y - 1 - y; // tiles are 4x4 pixels (VD63)
    return address_ + (row >> 2) * 4 * stride_ +
           (uint64_t(x >> 2) * 16 + (row & 3) * 4 + (x & 3)) * layout_.bytes;
}

bool Output::any_memory(PhysicalMemory& memory, uint32_t y, uint32_t left, uint32_t right) const {
    if (tiled_) { // check whole tiles, because memory found for other rows only costs time
        const uint64_t row = top_down_ ? y : clip_.y - 1 - y;
        const uint64_t tiles = address_ + (row >> 2) * 4 * stride_;
        return memory.any(tiles + uint64_t(left >> 2) * 16 * layout_.bytes,
                          tiles + uint64_t((right + 3) >> 2) * 16 * layout_.bytes, Access::write);
    }
    return memory.any(address_of(left, y), address_of(right, y), Access::write);
}

namespace {

struct Bytes {
    uint64_t begin, end;
};
/// Returns the byte range of rows [top, bottom), `columns` bytes per row.
Bytes plane_bytes(uint64_t address, uint64_t stride, uint32_t top, uint32_t bottom,
                  uint64_t columns) {
    return {address + top * stride, address + (bottom - 1) * stride + columns};
}

} // namespace

void Output::begin(PhysicalMemory& memory, uint32_t left, uint32_t top, uint32_t right,
                   uint32_t bottom) {
    coloring_.begin(memory);
    one_by_one_ = false;
    if (left >= right || top >= bottom || !exists())
        return;
    const uint32_t first = top_down_ ? top : clip_.y - bottom;
    const uint32_t last = top_down_ ? bottom : clip_.y - top;
    const uint64_t width = tiled_ ? ((right + 3) >> 2) * uint64_t(16) : right;
    const Bytes own =
        plane_bytes(address_, stride_, tiled_ ? first & ~3u : first, last, width * layout_.bytes);
    const auto meets = [&own](const Bytes& other) {
        return other.begin < own.end && own.begin < other.end;
    };
    one_by_one_ = coloring_.overlaps(own.begin, own.end) ||
                  (masks_ && meets(plane_bytes(mask_address_, mask_stride_, top, bottom, right))) ||
                  (scissors_ && meets(plane_bytes(scissor_address_, scissor_stride_, top, bottom,
                                                  (right + 7) / 8)));
}

// ---- Blocks --------------------------------------------------------------------

Output::Drawn Output::draw(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
                           size_t count) {
    if (!coverage && fills())
        return fill_run(memory, x, y, std::min(count, most_filled));
    count = std::min(count, one_by_one_ ? 1 : block_pixels);
    if (plain()) {
        draw_run(memory, x, y, coverage, count);
        return {count, false};
    }
    Plane left;
    if (coverage)
        std::memcpy(left, coverage, count);
    else
        std::memset(left, all, count);
    mask(memory, x, y, left, count);
    if (coloring_.culls())
        coloring_.cull(x, y, left, count);
    for (size_t begin = 0; begin < count;) {
        if (!left[begin]) {
            begin++;
            continue;
        }
        size_t end = begin;
        while (end < count && left[end])
            end++;
        draw_run(memory, x + uint32_t(begin), y, left + begin, end - begin);
        begin = end;
    }
    return {count, false};
}

/// Applies scissor and mask to the coverage. The mask acts like coverage, and the product is
/// rounded to nearest (VD56, VD57).
void Output::mask(PhysicalMemory& memory, uint32_t x, uint32_t y, uint8_t* coverage,
                  size_t count) const {
    const auto byte = [&memory](const std::byte* host, uint64_t address, size_t at) {
        return host ? uint32_t(host[at]) : memory.read_value(address + at, 1);
    };
    // The least significant bit belongs to the leftmost pixel (vg_lite_image.c
    // vg_lite_scissor_rects).
    if (scissors_) {
        const uint64_t from = scissor_address_ + uint64_t(y) * scissor_stride_ + x / 8;
        const std::byte* host = memory.map_contiguous(from, (x % 8 + count + 7) / 8, Access::read);
        for (size_t i = 0; i < count; i++)
            if (coverage[i] && !(byte(host, from, (x % 8 + i) / 8) >> (x + i) % 8 & 1))
                coverage[i] = 0;
    }
    if (masks_) {
        const uint64_t from = mask_address_ + uint64_t(y) * mask_stride_ + x;
        const std::byte* host = memory.map_contiguous(from, count, Access::read);
        for (size_t i = 0; i < count; i++)
            if (coverage[i])
                coverage[i] = mul(coverage[i], uint8_t(byte(host, from, i)));
    }
}

void Output::draw_run(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
                      size_t count) {
    if (word_ && edge_run(memory, x, y, coverage, count))
        return;
    if (takes_words_ && !coverage && image_run(memory, x, y, count))
        return;
    drawn_ += count;
    const uint64_t at = address_of(x, y);
    const unsigned bytes = layout_.bytes;
    std::byte* host = tiled_ ? nullptr : memory.map_contiguous(at, count * bytes, Access::write);
    Pixels source, destination;
    Words words;
    if (host) {
        load(host, bytes, words, count);
    } else {
        for (size_t i = 0; i < count; i++)
            words[i] = memory.read_value(address_of(x + uint32_t(i), y), bytes);
    }
    coloring_.read(memory, x, y, source, count);
    if (coverage || !ignores_destination(blend_, 0)) {
        unpack(layout_, words, destination, count);
        if (!as_stored_)
            multiply(destination, count);
        blend(blend_, source, destination, count);
        if (coverage)
            cover(source, destination, coverage, count);
    }
    finish(source, x, y, words, count);
    if (host) {
        store(words, bytes, host, count);
        memory.mark_dirty(at, count * bytes);
    } else {
        for (size_t i = 0; i < count; i++)
            memory.write_value(address_of(x + uint32_t(i), y), bytes, words[i]);
    }
}

namespace {

void fill_halves(std::byte* to, uint16_t value, size_t count) {
    for (size_t i = 0; i < count; i++)
        std::memcpy(to + 2 * i, &value, 2);
}

} // namespace

Output::Drawn Output::fill_run(PhysicalMemory& memory, uint32_t x, uint32_t y, size_t count) {
    const uint64_t at = address_of(x, y);
    const unsigned bytes = layout_.bytes;
    std::byte* host = tiled_ ? nullptr : memory.map_contiguous(at, count * bytes, Access::write);
    if (host) {
        fill_words(host, count);
        memory.mark_dirty(at, count * bytes);
    } else {
        count = std::min(count, block_pixels);
        for (size_t i = 0; i < count; i++)
            memory.write_value(address_of(x + uint32_t(i), y), bytes, *word_);
    }
    drawn_ += count;
    return {count, !host};
}

bool Output::fill_spans(PhysicalMemory& memory, uint32_t y, std::span<const render::Span> spans) {
    if (!fills() || !as_words_)
        return false;
    const auto left = uint32_t(spans.front().left);
    const auto count = uint32_t(spans.back().right) - left;
    const uint64_t at = address_of(left, y);
    std::byte* host = memory.map_contiguous(at, count * uint64_t(4), Access::write);
    const auto has_gap = [](const render::Span& a, const render::Span& b) {
        return a.right != b.left;
    };
    if (!host || std::ranges::adjacent_find(spans, has_gap) != spans.end())
        return false;
    const Kernels& loops = kernels();
    for (const render::Span& span : spans) {
        std::byte* to = host + (uint32_t(span.left) - left) * size_t(4);
        const auto pixels = size_t(span.right - span.left);
        if (span.coverage)
            loops.cover_words(to, *word_, span.coverage, pixels);
        else
            loops.fill_words(to, *word_, pixels);
    }
    memory.mark_dirty(at, count * uint64_t(4));
    drawn_ += count;
    return true;
}

uint32_t Output::fill_rows(PhysicalMemory& memory, uint32_t left, uint32_t right, uint32_t y,
                           uint32_t rows) {
    const size_t width = right - left;
    if (!fills() || tiled_ || width * layout_.bytes != stride_)
        return 0;
    rows = std::min<uint32_t>(rows, uint32_t(std::max<size_t>(most_filled / width, 1)));
    const uint64_t at = address_of(left, top_down_ ? y : y + rows - 1);
    std::byte* host = memory.map_contiguous(at, uint64_t(rows) * stride_, Access::write);
    if (!host)
        return 0;
    fill_words(host, rows * width);
    memory.mark_dirty(at, uint64_t(rows) * stride_);
    drawn_ += rows * width;
    return rows;
}

void Output::fill_words(std::byte* to, size_t count) const {
    if (layout_.bytes == 4)
        kernels().fill_words(to, *word_, count);
    else if (layout_.bytes == 2)
        fill_halves(to, uint16_t(*word_), count);
    else
        std::memset(to, int(*word_ & 0xFF), count);
}

/// Draws most images: words that are stored unchanged or blended with SRC_OVER. Returns false if
/// the image needs anything else.
bool Output::image_run(PhysicalMemory& memory, uint32_t x, uint32_t y, size_t count) {
    const uint64_t at = address_of(x, y);
    std::byte* host = memory.map_contiguous(at, count * 4, Access::write);
    Words source;
    if (!host || !coloring_.read_words(x, y, source, count))
        return false;
    if (blend_ == mode_src_over)
        kernels().over_words(host, source, layout_.channel[alpha].shift, count);
    else
        std::memcpy(host, source, count * 4);
    memory.mark_dirty(at, count * 4);
    drawn_ += count;
    return true;
}

/// Draws the edges of most paths: an opaque color over words that are stored unchanged. Returns
/// false if the draw needs anything else.
bool Output::edge_run(PhysicalMemory& memory, uint32_t x, uint32_t y, const uint8_t* coverage,
                      size_t count) {
    const uint64_t at = address_of(x, y);
    std::byte* host =
        coverage && as_words_ ? memory.map_contiguous(at, count * 4, Access::write) : nullptr;
    if (!host)
        return false;
    kernels().cover_words(host, *word_, coverage, count);
    memory.mark_dirty(at, count * 4);
    drawn_ += count;
    return true;
}

/// Converts blended colors to words in the target's format.
void Output::finish(Pixels& pixels, uint32_t x, uint32_t y, Words& words, size_t count) const {
    if (divides_)
        divide(pixels, count);
    if (gamma_ == Gamma::to_linear)
        look_up(srgb_to_linear(), pixels, count);
    else if (gamma_ == Gamma::to_srgb)
        look_up(linear_to_srgb(), pixels, count);
    if (keys_)
        key(pixels, count);
    if (!dithers_) {
        pack(layout_, pixels, nullptr, words, count);
        return;
    }
    // Each of the two states has 4-bit thresholds for two rows of a 4x4 matrix, starting at the
    // least significant bit (VD39).
    Plane threshold;
    const uint32_t row = dither_[y >> 1 & 1] >> (y & 1) * 16;
    for (size_t i = 0; i < count; i++)
        threshold[i] = uint8_t(row >> ((x + i) & 3) * 4 & 15);
    pack(layout_, pixels, threshold, words, count);
}

/// Replaces the alpha of a pixel that is about to be stored with that of the first color key that
/// contains its color (VD54).
void Output::key(Pixels& pixels, size_t count) const {
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < keys_; k++) {
            const Key& key = key_[k];
            const auto in_range = [&](Channel c) {
                return key.low[c] <= pixels[c][i] && pixels[c][i] <= key.high[c];
            };
            if (in_range(red) && in_range(green) && in_range(blue)) {
                pixels[alpha][i] = key.alpha;
                break;
            }
        }
    }
}

} // namespace pixmill::vivante::vg

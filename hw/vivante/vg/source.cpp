// SPDX-License-Identifier: GPL-2.0-or-later
#include "source.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pixmill::vivante::vg {

namespace {

/// SOURCE_CONFIG 3:0 from 4444 on, as formats of a target.
constexpr uint32_t l8 = 0, a4 = 1, a8 = 2, first_color = 3, last_color = 7, yuy2 = 8;
constexpr uint32_t as_target[] = {4, 5, 1, 2, 3}; // 4444, 5551, 565, X888, 8888
constexpr uint32_t target_a8 = 0, target_8888 = 3, target_l8 = 6, target_2222 = 7;
/// SOURCE_CONFIG 11:9.
constexpr uint32_t index1 = 1, index8 = 4, rgba2222 = 5;

constexpr Layout four_bits_of_alpha() {
    Layout layout;
    layout.bytes = 1;
    layout.channel[alpha] = {0, 4};
    return layout;
}

} // namespace

Source::Source(const States& states, Set which, const Features& features)
    : layout_(target_layout(target_8888, 0)) {
    const uint32_t set = which; // added to the addresses of a paint's states
    const uint32_t config = states[SOURCE_CONFIG + set];
    const uint32_t format = source_format(config), swizzle = source_swizzle(config);
    const uint32_t extended = source_extended(config);
    const auto is = [this](Kind kind, uint8_t bits, const Layout& layout) {
        kind_ = kind;
        pixel_bits_ = bits;
        layout_ = layout;
    };
    if (extended) {
        if (extended >= index1 && extended <= index8 && features.small_formats) {
            constexpr uint32_t tables[] = {CLUT_1BIT, CLUT_2BIT, CLUT_4BIT, CLUT_8BIT};
            const auto bits = uint8_t(1u << (extended - index1));
            is(Kind::indexed, bits, layout_); // VD60: words of BGRA8888
            for (uint32_t i = 0; i < 1u << bits; i++)
                clut_[i] = states[tables[extended - index1] + i];
        } else if (extended == rgba2222 && features.small_formats) {
            is(Kind::words, 8, target_layout(target_2222, swizzle));
        }
    } else if (source_packed(config)) {
        // pixels of 24 bits, of other cores
    } else if (format == l8) {
        is(Kind::words, 8, target_layout(target_l8, 0));
    } else if (format == a4) {
        is(Kind::bits, 4, four_bits_of_alpha()); // VD41
    } else if (format == a8) {
        is(Kind::words, 8, target_layout(target_a8, 0));
    } else if (format >= first_color && format <= last_color) {
        const Layout layout = target_layout(as_target[format - first_color], swizzle);
        is(Kind::words, uint8_t(8 * layout.bytes), layout);
    } else if (format == yuy2 && features.small_formats) {
        is(Kind::yuy2, 16, layout_);
    }
    has_color_ = extended || source_packed(config) || (format != a4 && format != a8);

    index_from_the_top_ = source_index_order(config);
    bt709_ = source_bt709(config);
    multiplies_ = !source_as_it_is(config);
    divides_ = !source_no_divide(config);
    tiling_ = Tiling(source_tiling(config));
    filter_ = Filter(source_filter(config));
    address_ = states[SOURCE_ADDRESS + set];
    stride_ = stride_bytes(states[SOURCE_STRIDE + set]);
    tiled_ = stride_tiled(states[SOURCE_STRIDE + set]);
    origin_ = states.pair(SOURCE_ORIGIN + set);
    size_ = states.pair(SOURCE_SIZE + set);
    outside_ = color_of_state(states[FILL_COLOR + set]);
    if (multiplies_)
        for (const Channel c : colors)
            outside_[c] = mul(outside_[c], outside_[alpha]);
}

/// Bytes from the address on that all texels lie in; a ramp has one row.
uint64_t Source::extent() const {
    const uint64_t rows = uint64_t(origin_.y) + std::max(size_.y, 1u);
    const uint64_t columns = uint64_t(origin_.x) + size_.x;
    if (tiled_)
        return (rows - 1) / 4 * 4 * stride_ + (columns + 3) / 4 * 16 * pixel_bits_ / 8;
    const uint64_t row =
        kind_ == Kind::yuy2 ? (columns + 1) / 2 * 4 : (columns * pixel_bits_ + 7) / 8;
    return (rows - 1) * stride_ + row;
}

bool Source::overlaps(uint64_t begin, uint64_t end) const {
    // YUY2 in tiles reads pairs of a row that stand two tiles' pixels apart.
    const uint64_t slack = kind_ == Kind::yuy2 ? 4 * extent() : 0;
    return kind_ != Kind::none && address_ < end && begin < address_ + extent() + slack;
}

void Source::begin(GuestMemory& memory) {
    base_ = kind_ == Kind::yuy2 ? nullptr : memory.whole(address_, extent(), false);
}

// ---- Places --------------------------------------------------------------------

/// VD44: eight bits of fraction, rounded.
void Source::find(const double* texels, Axis& axis, size_t count) {
    constexpr double most = 0x1p31;
    for (size_t i = 0; i < count; i++) {
        const double fixed = texels[i] * 256 + 0.5;
        const bool valid = fixed >= 1 - most && fixed < most;
        const double kept = valid ? fixed : 0;
        auto whole = int32_t(kept);
        whole -= kept < double(whole); // rounded down
        axis.texel[i] = whole >> 8;
        axis.fraction[i] = uint8_t(whole);
        axis.valid[i] = valid;
    }
}

/// Which texel is read for the one `step` behind that of each pixel.
void Source::tile(const Axis& axis, int32_t step, uint32_t size, Indices& to, size_t count) const {
    const auto end = int32_t(size);
    for (size_t i = 0; i < count; i++) {
        const int32_t at = axis.texel[i] + step;
        to[i] = axis.valid[i] && at >= 0 && at < end ? uint32_t(at) : outside;
    }
    if (size == 0 || tiling_ == Tiling::fill)
        return;
    for (size_t i = 0; i < count; i++) {
        if (to[i] != outside || !axis.valid[i])
            continue;
        const int32_t at = axis.texel[i] + step;
        if (tiling_ == Tiling::pad) {
            to[i] = at < 0 ? 0 : size - 1;
            continue;
        }
        const int32_t period = tiling_ == Tiling::reflect ? 2 * end : end;
        int32_t in_period = at % period;
        in_period += in_period < 0 ? period : 0;
        to[i] = uint32_t(in_period < end ? in_period : period - 1 - in_period);
    }
}

void Source::cull(const Places& places, uint8_t* coverage, size_t count) const {
    Axis u, v;
    find(places.u, u, count);
    find(places.v, v, count);
    const auto width = int32_t(size_.x), height = int32_t(size_.y);
    for (size_t i = 0; i < count; i++) {
        const bool inside = u.valid[i] && v.valid[i] && u.texel[i] >= 0 && u.texel[i] < width &&
                            v.texel[i] >= 0 && v.texel[i] < height;
        coverage[i] = inside ? coverage[i] : 0;
    }
}

void Source::read(GuestMemory& memory, const Places& places, Pixels& to, size_t count) const {
    read_places(memory, places.u, places.v, size_.y, false, to, count);
}

/// VD50: as an image of one row.
void Source::read_ramp(GuestMemory& memory, const Places& places, Pixels& to, size_t count) const {
    read_places(memory, places.u, nullptr, 1, true, to, count);
}

void Source::read_places(GuestMemory& memory, const double* u, const double* v, uint32_t rows,
                         bool ramp, Pixels& to, size_t count) const {
    Axis across, down;
    find(u, across, count);
    if (ramp) {
        std::fill_n(down.texel, count, 0);
        std::fill_n(down.valid, count, true);
    } else {
        find(v, down, count);
        // An invalid one is outside both ways, whatever tiling and filter make of the other.
        for (size_t i = 0; i < count; i++) {
            const bool valid = across.valid[i] && down.valid[i];
            across.valid[i] = down.valid[i] = valid;
        }
        // VD49: LINEAR is for ramps of one row, of which v says nothing.
        if (filter_ == Filter::linear && rows == 1)
            std::fill_n(down.texel, count, 0);
    }

    Indices columns[2], lines[2];
    tile(across, 0, size_.x, columns[0], count);
    tile(down, 0, rows, lines[0], count);
    if (filter_ == Filter::point) {
        fetch(memory, columns[0], lines[0], to, count);
    } else {
        Taps taps;
        tile(across, 1, size_.x, columns[1], count);
        fetch(memory, columns[0], lines[0], taps.pixels[0], count);
        fetch(memory, columns[1], lines[0], taps.pixels[1], count);
        if (ramp || filter_ == Filter::linear) {
            mix_two(taps, across.fraction, to, count);
        } else {
            tile(down, 1, rows, lines[1], count);
            fetch(memory, columns[0], lines[1], taps.pixels[2], count);
            fetch(memory, columns[1], lines[1], taps.pixels[3], count);
            mix_four(taps, across.fraction, down.fraction, to, count);
        }
    }
    if (divides_)
        divide(to, count);
}

// ---- Texels --------------------------------------------------------------------

namespace {

/// VD63: tiles of 4x4 pixels, one behind the other.
struct PixelPlace {
    uint64_t row, number;
};
PixelPlace place_of(uint32_t x, uint32_t y, uint32_t stride, bool tiled) {
    if (!tiled)
        return {uint64_t(y) * stride, x};
    return {uint64_t(y >> 2) * 4 * stride, uint64_t(x >> 2) * 16 + (y & 3) * 4 + (x & 3)};
}

template<class Word>
uint32_t word_at(const std::byte* at) {
    Word word;
    std::memcpy(&word, at, sizeof word);
    return word;
}

/// Linear words in one piece: what most images are.
template<class Word>
void gather(const std::byte* base, uint32_t stride, const uint32_t* x, const uint32_t* y,
            uint32_t none, Words& to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const bool inside = x[i] != none && y[i] != none;
        to[i] = inside ? word_at<Word>(base + uint64_t(y[i]) * stride + x[i] * sizeof(Word)) : 0;
    }
}

} // namespace

void Source::fetch(GuestMemory& memory, const Indices& column, const Indices& row, Pixels& to,
                   size_t count) const {
    Words words;
    if (kind_ == Kind::words && base_ && !tiled_) {
        const std::byte* base = base_ + uint64_t(origin_.y) * stride_ + origin_.x * layout_.bytes;
        const auto load = layout_.bytes == 4   ? gather<uint32_t>
                          : layout_.bytes == 2 ? gather<uint16_t>
                                               : gather<uint8_t>;
        load(base, stride_, column, row, outside, words, count);
    } else {
        for (size_t i = 0; i < count; i++) {
            const bool inside = column[i] != outside && row[i] != outside;
            words[i] = inside ? fetch_word(memory, column[i] + origin_.x, row[i] + origin_.y) : 0;
        }
    }
    unpack(layout_, words, to, count);
    if (multiplies_)
        multiply(to, count);
    for (size_t i = 0; i < count; i++) {
        if (column[i] != outside && row[i] != outside)
            continue;
        for (unsigned c = 0; c < 4; c++)
            to[c][i] = outside_[c];
    }
}

uint32_t Source::load(GuestMemory& memory, uint64_t address, unsigned bytes) const {
    if (!base_)
        return memory.read(address, bytes);
    uint32_t value = 0;
    std::memcpy(&value, base_ + (address - address_), bytes);
    return value;
}

uint32_t Source::fetch_word(GuestMemory& memory, uint32_t x, uint32_t y) const {
    if (kind_ == Kind::none)
        return 0;
    const PixelPlace place = place_of(x, y, stride_, tiled_);
    const uint64_t row = address_ + place.row, bit = place.number * pixel_bits_;
    if (kind_ == Kind::yuy2)
        return fetch_yuy2(memory, row, x);
    const uint32_t word = load(memory, row + bit / 8,
                               layout_.bytes * (kind_ == Kind::words) + (kind_ != Kind::words));
    if (kind_ == Kind::words)
        return word;
    // VD41, VD60: the first pixel is in the low bits; bit 14 turns that round for indices.
    uint32_t low = bit % 8;
    if (kind_ == Kind::indexed && index_from_the_top_)
        low = 8 - pixel_bits_ - low;
    const uint32_t value = word >> low & ((1u << pixel_bits_) - 1);
    return kind_ == Kind::indexed ? clut_[value] : value;
}

/// VD61: BT.601 or BT.709, 16 to 235; Y0 U Y1 V. Result: a word of BGRA8888.
uint32_t Source::fetch_yuy2(GuestMemory& memory, uint64_t row, uint32_t x) const {
    const uint64_t pair = row + uint64_t(x / 2) * 4;
    const double y = 1.164 * (load(memory, pair + (x & 1) * 2, 1) - 16.0);
    const double u = load(memory, pair + 1, 1) - 128.0, v = load(memory, pair + 3, 1) - 128.0;
    const auto nearest = [](double value) {
        return uint32_t(std::clamp(std::floor(value + 0.5), 0.0, 255.0));
    };
    const uint32_t r = nearest(bt709_ ? y + 1.793 * v : y + 1.596 * v);
    const uint32_t g = nearest(bt709_ ? y - 0.534 * v - 0.213 * u : y - 0.813 * v - 0.391 * u);
    const uint32_t b = nearest(bt709_ ? y + 2.115 * u : y + 2.018 * u);
    return 0xFF000000 | r << 16 | g << 8 | b;
}

} // namespace pixmill::vivante::vg

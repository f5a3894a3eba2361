// SPDX-License-Identifier: GPL-2.0-or-later
#include "source.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace pixmill::vivante::vg {

namespace {

/// Values of SOURCE_CONFIG 3:0, and the target formats that correspond to the values from 4444 on.
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
    const uint32_t set = which; // 1 for the image: each of its states follows that of the paint
    const uint32_t config = states[SOURCE_CONFIG + set];
    const uint32_t format = source_config::format(config), swizzle = source_config::swizzle(config);
    const uint32_t extended = source_config::extended(config);
    const auto is = [this](Kind kind, uint8_t bits, const Layout& layout) {
        kind_ = kind;
        pixel_bits_ = bits;
        layout_ = layout;
    };
    if (extended) {
        if (extended >= index1 && extended <= index8 && features.small_formats) {
            constexpr uint32_t tables[] = {CLUT_1BIT, CLUT_2BIT, CLUT_4BIT, CLUT_8BIT};
            const auto bits = uint8_t(1u << (extended - index1));
            is(Kind::indexed, bits, layout_); // table entries are BGRA8888 (VD60)
            for (uint32_t i = 0; i < 1u << bits; i++)
                clut_[i] = states[tables[extended - index1] + i];
        } else if (extended == rgba2222 && features.small_formats) {
            is(Kind::words, 8, target_layout(target_2222, swizzle));
        }
    } else if (source_config::packed(config)) {
        // 24-bit pixels, which only other cores support
    } else if (format == l8) {
        is(Kind::words, 8, target_layout(target_l8, 0));
    } else if (format == a4) {
        is(Kind::bits, 4, four_bits_of_alpha()); // the color is white (VD41)
    } else if (format == a8) {
        is(Kind::words, 8, target_layout(target_a8, 0));
    } else if (format >= first_color && format <= last_color) {
        const Layout layout = target_layout(as_target[format - first_color], swizzle);
        is(Kind::words, uint8_t(8 * layout.bytes), layout);
    } else if (format == yuy2 && features.small_formats) {
        is(Kind::yuy2, 16, layout_);
    }
    has_color_ = extended || source_config::packed(config) || (format != a4 && format != a8);

    const auto type = PaintType(control::paint(states[VG_CONTROL]));
    ramp_ = which == paint && type != PaintType::pattern;
    index_from_the_top_ = source_config::index_order(config);
    bt709_ = source_config::bt709(config);
    multiplies_ = !source_config::no_multiply(config);
    divides_ = !source_config::no_divide(config);
    tiling_ = Tiling(source_config::tiling(config));
    filter_ = Filter(source_config::filter(config));
    address_ = states[SOURCE_ADDRESS + set];
    stride_ = surface_stride::stride(states[SOURCE_STRIDE + set]);
    tiled_ = surface_stride::tiled(states[SOURCE_STRIDE + set]);
    origin_ = states.pair(SOURCE_ORIGIN + set);
    size_ = states.pair(SOURCE_SIZE + set);
    outside_ = color_of_state(states[FILL_COLOR + set]);
    if (multiplies_)
        for (const Channel c : colors)
            outside_[c] = mul(outside_[c], outside_[alpha]);
}

/// Returns address, stride and required alignment of the source. The image cache reads lines of 16
/// pixels, from a row or from a tile (NXP VGLite API reference, "Pixel cache" and "Alignment
/// notes"). Silicon mangles images at other addresses (rt1176-evkb), although the notes allow
/// multiples of 4.
Placement Source::placement() const {
    const uint32_t line = std::max(8u, 2u * pixel_bits_);
    const bool has_rows = !ramp_ && !tiled_ && size_.y > 1;
    return {uint32_t(address_), line, stride_, has_rows ? line : 1};
}

/// Returns the number of bytes, from the source's address on, that contain all texels. A ramp has
/// one row.
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
    // Overestimate the extent of YUY2 to cover any tiled layout. Too large an extent only costs
    // time.
    const uint64_t slack = kind_ == Kind::yuy2 ? 4 * extent() : 0;
    return kind_ != Kind::none &&
           ByteRange::up_to(address_, extent() + slack).overlaps(ByteRange::between(begin, end));
}

void Source::begin(PhysicalMemory& memory) {
    base_ = kind_ == Kind::yuy2 ? nullptr : memory.map_contiguous(address_, extent(), Access::read);
}

// ---- Places --------------------------------------------------------------------

/// Computes the index of the texel that is `step` after that of each pixel.
void Source::tile(const Fixed& places, int32_t step, uint32_t size, Indices& to,
                  size_t count) const {
    const Kernels& loops = kernels();
    if (size == 0)
        std::fill_n(to, count, outside);
    else if (tiling_ == Tiling::repeat && std::has_single_bit(size))
        loops.tile_mask(places, step, size, to, count);
    else
        loops.tile[unsigned(tiling_)](places, step, size, to, count);
}

void Source::cull(const Places& places, uint8_t* coverage, size_t count) const {
    const auto is_in = [](int32_t place, uint32_t size) {
        return place != nowhere && place >= 0 && uint32_t(place >> 8) < size;
    };
    for (size_t i = 0; i < count; i++)
        coverage[i] = is_in(places.u[i], size_.x) && is_in(places.v[i], size_.y) ? coverage[i] : 0;
}

void Source::read(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const {
    if (filter_ == Filter::linear && size_.y == 1) {
        // LINEAR is meant for ramps of one row (VD49). v only determines whether the position is
        // valid.
        for (size_t i = 0; i < count; i++) {
            places.u[i] = places.v[i] != nowhere ? places.u[i] : nowhere;
            places.v[i] = 0;
        }
    }
    read_places(memory, places, size_.y, false, to, count);
}

/// Reads a ramp as an image with a single row (VD50).
void Source::read_ramp(PhysicalMemory& memory, Places& places, Pixels& to, size_t count) const {
    std::fill_n(places.v, count, 0);
    read_places(memory, places, 1, true, to, count);
}

bool Source::gives_words(const ByteOrder& order) const {
    return kind_ == Kind::words && layout_.bytes == 4 && !multiplies_ && !divides_ &&
           filter_ == Filter::point && std::ranges::equal(layout_.byte_order().shift, order.shift);
}

bool Source::read_words(const Places& places, Words& to, size_t count) const {
    if (!plain())
        return false;
    Indices column, row;
    tile(places.u, 0, size_.x, column, count);
    tile(places.v, 0, size_.y, row, count);
    gather(column, row, to, count);
    return true;
}

void Source::read_places(PhysicalMemory& memory, const Places& places, uint32_t rows, bool ramp,
                         Pixels& to, size_t count) const {
    const Fixed &across = places.u, &down = places.v;
    const unsigned lines = filter_ == Filter::point || filter_ == Filter::linear || ramp ? 1 : 2;
    const unsigned columns = filter_ == Filter::point ? 1 : 2;
    Indices column[2], row[2];
    for (unsigned i = 0; i < columns; i++)
        tile(across, int32_t(i), size_.x, column[i], count);
    for (unsigned i = 0; i < lines; i++)
        tile(down, int32_t(i), rows, row[i], count);

    const bool words = plain();
    ByteOrder order = layout_.byte_order();
    order.filler = 0; // gather() has already set these bits, except outside the source
    Words word[4];
    Taps taps;
    for (unsigned i = 0; i < columns * lines; i++) {
        if (words)
            gather(column[i % 2], row[i / 2], word[i], count);
        else
            fetch(memory, column[i % 2], row[i / 2], columns == 1 ? to : taps.pixels[i], count);
    }
    if (columns == 1 && words)
        kernels().unpack_bytes(order, word[0], to, count);
    else if (columns * lines == 2)
        words ? kernels().mix_two_words(order, word, across, to, count)
              : kernels().mix_two(taps, across, to, count);
    else if (columns * lines == 4)
        words ? kernels().mix_four_words(order, word, across, down, to, count)
              : kernels().mix_four(taps, across, down, to, count);
    if (divides_)
        divide(to, count);
}

// ---- Texels --------------------------------------------------------------------

namespace {

/// Location of a pixel: byte offset of its row or row of tiles, and pixel index within that row.
/// Tiles of 4x4 pixels are stored consecutively (VD63).
struct PixelPlace {
    uint64_t row, number;
};
PixelPlace place_of(uint32_t x, uint32_t y, uint32_t stride, bool tiled) {
    if (!tiled)
        return {uint64_t(y) * stride, x};
    return {uint64_t(y >> 2) * 4 * stride, uint64_t(x >> 2) * 16 + (y & 3) * 4 + (x & 3)};
}

/// Gathers words that are not tiled and are contiguous in host memory.
template<class Word>
void gather_words(const std::byte* base, uint32_t stride, const Indices& column, const Indices& row,
                  Words& to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Word word = 0;
        if (column[i] != outside && row[i] != outside)
            std::memcpy(&word, base + uint64_t(row[i]) * stride + column[i] * sizeof word,
                        sizeof word);
        to[i] = word;
    }
}

} // namespace

/// Returns the host address of the texel at (0, 0) of the source, for contiguous words.
const std::byte* Source::first() const {
    return base_ + uint64_t(origin_.y) * stride_ + uint64_t(origin_.x) * layout_.bytes;
}

bool Source::plain() const {
    constexpr uint64_t most_bytes = 1u << 31; // range of the offsets in gather()
    return kind_ == Kind::words && layout_.bytes == 4 && base_ && !tiled_ && !multiplies_ &&
           extent() <= most_bytes;
}

void Source::gather(const Indices& column, const Indices& row, Words& to, size_t count) const {
    uint32_t none = 0;
    for (unsigned c = 0; c < 4; c++)
        none |= uint32_t(outside_[c]) << layout_.channel[c].shift;
    kernels().gather({first(), stride_, layout_.filler, none}, column, row, to, count);
}

void Source::fetch(PhysicalMemory& memory, const Indices& column, const Indices& row, Pixels& to,
                   size_t count) const {
    Words words;
    if (kind_ == Kind::words && base_ && !tiled_) {
        const auto all = layout_.bytes == 4   ? gather_words<uint32_t>
                         : layout_.bytes == 2 ? gather_words<uint16_t>
                                              : gather_words<uint8_t>;
        all(first(), stride_, column, row, words, count);
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

uint32_t Source::load(PhysicalMemory& memory, uint64_t address, unsigned bytes) const {
    if (!base_)
        return memory.read_value(address, bytes);
    uint32_t value = 0;
    std::memcpy(&value, base_ + (address - address_), bytes);
    return value;
}

uint32_t Source::fetch_word(PhysicalMemory& memory, uint32_t x, uint32_t y) const {
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
    // The first pixel is in the low bits (VD41, VD60). Bit 14 of SOURCE_CONFIG reverses this order
    // for indices.
    uint32_t low = bit % 8;
    if (kind_ == Kind::indexed && index_from_the_top_)
        low = 8 - pixel_bits_ - low;
    const uint32_t value = word >> low & ((1u << pixel_bits_) - 1);
    return kind_ == Kind::indexed ? clut_[value] : value;
}

/// Reads a pixel of YUY2, whose bytes are Y0 U Y1 V, and converts it by BT.601 or BT.709 with
/// limited range (VD61). Returns a BGRA8888 word.
uint32_t Source::fetch_yuy2(PhysicalMemory& memory, uint64_t row, uint32_t x) const {
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

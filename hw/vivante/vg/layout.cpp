// SPDX-License-Identifier: GPL-2.0-or-later
#include "layout.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace pixmill::vivante::vg {

namespace {

/// Order of the channels by swizzle, starting at the least significant bit (vg_lite_image.c
/// readPixel; BGRA8888 also confirmed by rt1176-evkb).
constexpr Channel orders[4][4] = {{blue, green, red, alpha},
                                  {alpha, blue, green, red},
                                  {red, green, blue, alpha},
                                  {alpha, red, green, blue}};

constexpr Layout in_order(std::array<uint8_t, 4> widths, uint32_t swizzle) {
    Layout layout;
    unsigned shift = 0;
    for (const Channel c : orders[swizzle & 3]) {
        layout.channel[c] = {uint8_t(shift), widths[c]};
        shift += widths[c];
    }
    layout.bytes = uint8_t(shift / 8);
    return layout;
}

constexpr Layout a8(uint32_t) {
    Layout layout;
    layout.bytes = 1;
    layout.channel[alpha] = {0, 8};
    return layout;
}
/// Formats without alpha use only the swizzle bit that selects the order of colors.
constexpr Layout rgb565(uint32_t swizzle) {
    return in_order({5, 6, 5, 0}, swizzle & 2);
}
constexpr Layout x888(uint32_t swizzle) {
    Layout layout = in_order({8, 8, 8, 8}, swizzle);
    layout.filler = 0xFFu << layout.channel[alpha].shift;
    layout.channel[alpha].width = 0;
    return layout;
}
constexpr Layout rgba8888(uint32_t swizzle) {
    return in_order({8, 8, 8, 8}, swizzle);
}
constexpr Layout rgba4444(uint32_t swizzle) {
    return in_order({4, 4, 4, 4}, swizzle);
}
constexpr Layout rgba5551(uint32_t swizzle) {
    return in_order({5, 5, 5, 1}, swizzle);
}
constexpr Layout l8(uint32_t) {
    Layout layout;
    layout.bytes = 1;
    layout.luminance = true;
    return layout;
}
constexpr Layout rgba2222(uint32_t swizzle) {
    return in_order({2, 2, 2, 2}, swizzle);
}

/// Layouts of a format, indexed by swizzle.
using Swizzled = std::array<Layout, std::size(orders)>;
constexpr Swizzled swizzled(Layout (*format)(uint32_t swizzle)) {
    return {format(0), format(1), format(2), format(3)};
}
constexpr Swizzled formats[] = {swizzled(a8),       swizzled(rgb565),   swizzled(x888),
                                swizzled(rgba8888), swizzled(rgba4444), swizzled(rgba5551),
                                swizzled(l8),       swizzled(rgba2222)};

} // namespace

bool Layout::lossless() const {
    return !luminance && std::ranges::all_of(
                             channel, [](Bits bits) { return bits.width == 0 || bits.width == 8; });
}

ByteOrder Layout::byte_order() const {
    return {{channel[red].shift, channel[green].shift, channel[blue].shift, channel[alpha].shift},
            filler};
}

Layout target_layout(uint32_t format, uint32_t swizzle) {
    return format < std::size(formats) ? formats[format][swizzle & 3] : Layout{};
}

void unpack(const Layout& layout, const Words& words, Pixels& to, size_t count) {
    if (layout.bytes == 4) {
        kernels().unpack_bytes(layout.byte_order(), words, to, count);
        return;
    }
    for (const Channel c : {red, green, blue, alpha}) {
        const auto [shift, width] = layout.channel[c];
        uint8_t* plane = to[c];
        if (layout.luminance && c != alpha) {
            for (size_t i = 0; i < count; i++)
                plane[i] = uint8_t(words[i]);
        } else if (width == 0) {
            std::memset(plane, 255, count);
        } else {
            kernels().unpack_bits(words, shift, width, plane, count);
        }
    }
}

namespace {

/// Computes luminance with the weights of the client's software, 0.2126, 0.7152 and 0.0722, rounded
/// to 1/256 (VD40).
void pack_luminance(const Pixels& pixels, Words& to, size_t count) {
    for (size_t i = 0; i < count; i++)
        to[i] = (54u * pixels[red][i] + 183u * pixels[green][i] + 19u * pixels[blue][i] + 128) >> 8;
}

/// Compares the top four of the truncated bits with the threshold, and rounds up if they are larger
/// (VD39).
void add_dithered(const uint8_t* plane, Layout::Bits bits, const uint8_t* threshold, Words& to,
                  size_t count) {
    const unsigned lost = 8u - bits.width;
    const uint32_t most = (1u << bits.width) - 1;
    for (size_t i = 0; i < count; i++) {
        const uint32_t kept = uint32_t(plane[i]) >> lost;
        const uint32_t cut = (plane[i] & ((1u << lost) - 1)) << 4 >> lost;
        const uint32_t more = cut > threshold[i] && kept < most;
        to[i] |= (kept + more) << bits.shift;
    }
}

} // namespace

void pack(const Layout& layout, const Pixels& pixels, const uint8_t* threshold, Words& to,
          size_t count) {
    if (layout.luminance) {
        pack_luminance(pixels, to, count);
        return;
    }
    if (layout.bytes == 4) {
        kernels().pack_bytes(layout.byte_order(), pixels, to, count);
        return;
    }
    std::fill_n(to, count, layout.filler);
    for (const Channel c : {red, green, blue, alpha}) {
        const Layout::Bits bits = layout.channel[c];
        const uint8_t* plane = pixels[c];
        if (bits.width == 0)
            continue;
        if (threshold && bits.width < 8) {
            add_dithered(plane, bits, threshold, to, count);
            continue;
        }
        kernels().pack_bits(plane, bits.shift, bits.width, to, count);
    }
}

namespace {

template<class Word>
void load_words(const std::byte* from, Words& to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        Word word;
        std::memcpy(&word, from + i * sizeof word, sizeof word);
        to[i] = word;
    }
}
template<class Word>
void store_words(const Words& from, std::byte* to, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const auto word = Word(from[i]);
        std::memcpy(to + i * sizeof word, &word, sizeof word);
    }
}

} // namespace

void load(const std::byte* from, unsigned bytes, Words& to, size_t count) {
    if (bytes == 4)
        std::memcpy(to, from, count * 4);
    else if (bytes == 2)
        load_words<uint16_t>(from, to, count);
    else
        load_words<uint8_t>(from, to, count);
}

void store(const Words& from, unsigned bytes, std::byte* to, size_t count) {
    if (bytes == 4)
        std::memcpy(to, from, count * 4);
    else if (bytes == 2)
        store_words<uint16_t>(from, to, count);
    else
        store_words<uint8_t>(from, to, count);
}

} // namespace pixmill::vivante::vg

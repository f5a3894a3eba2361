// SPDX-License-Identifier: GPL-2.0-or-later
#include "formats.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernels.hpp"
#include "render/cpu_dispatch.hpp"
#include "render/kernels/kernels.hpp"

namespace pixmill::nema {

namespace {

using render::Channel;
using render::Codec;

constexpr Channel none{};

constexpr render::Format color(const char* name, uint8_t bits, Channel red, Channel green,
                               Channel blue, Channel alpha = none, Channel padding = none) {
    return {name, bits, alpha, red, green, blue, padding};
}

constexpr render::Format luminance(const char* name, uint8_t bits, Channel field,
                                   Channel alpha = none) {
    return {name, bits, alpha, field, field, field, none};
}

constexpr render::Format alpha(const char* name, uint8_t bits) {
    return {name, bits, {0, bits}, none, none, none, none};
}

constexpr Format target(uint8_t code, const render::Format& layout) {
    return {.code = code, .layout = layout, .destination = true};
}

constexpr Format source(uint8_t code, const render::Format& layout, bool first_on_top = false) {
    return {.code = code, .layout = layout, .first_on_top = first_on_top};
}

constexpr Format compressed(uint8_t code, const char* name, uint8_t bits, Tsc tsc) {
    Format format = target(code, {name, bits, none, none, none, none, none});
    format.kind = Format::Kind::tsc;
    format.tsc = tsc;
    return format;
}

constexpr Format uyvy(uint8_t code) {
    Format format = source(code, {"UYVY", 16, none, none, none, none, none});
    format.kind = Format::Kind::uyvy;
    return format;
}

constexpr bool big_endian = true;

/// Codes and names are from the vendor's nema_graphics.h. Depth formats are omitted, because no
/// core has a Z buffer, and so are formats of unknown layout (1B, 1E, 4C to 4E).
constexpr Format table[] = {
    target(0x00, color("RGBX8888", 32, {0, 8}, {8, 8}, {16, 8}, none, {24, 8})),
    target(0x01, color("RGBA8888", 32, {0, 8}, {8, 8}, {16, 8}, {24, 8})),
    target(0x02, color("XRGB8888", 32, {8, 8}, {16, 8}, {24, 8}, none, {0, 8})),
    target(0x03, color("ARGB8888", 32, {8, 8}, {16, 8}, {24, 8}, {0, 8})),
    target(0x04, color("RGB565", 16, {11, 5}, {5, 6}, {0, 5})),
    target(0x05, color("RGBA5551", 16, {11, 5}, {6, 5}, {1, 5}, {0, 1})),
    target(0x06, color("RGBA4444", 16, {12, 4}, {8, 4}, {4, 4}, {0, 4})),
    target(0x07, color("RGBA0800", 8, none, {0, 8}, none)),
    target(0x08, alpha("A8", 8)),
    target(0x09, luminance("L8", 8, {0, 8})),
    source(0x0B, luminance("L1", 1, {0, 1}), big_endian),
    source(0x0C, alpha("A1", 1), big_endian),
    uyvy(0x0D),
    target(0x0E, color("ABGR8888", 32, {24, 8}, {16, 8}, {8, 8}, {0, 8})),
    target(0x0F, color("XBGR8888", 32, {24, 8}, {16, 8}, {8, 8}, none, {0, 8})),
    target(0x10, color("BGRA8888", 32, {16, 8}, {8, 8}, {0, 8}, {24, 8})),
    target(0x11, color("BGRX8888", 32, {16, 8}, {8, 8}, {0, 8}, none, {24, 8})),
    compressed(0x12, "TSC4", 4, Tsc::tsc4),
    target(0x13, color("BGR565", 16, {0, 5}, {5, 6}, {11, 5})),
    compressed(0x16, "TSC6", 6, Tsc::tsc6),
    compressed(0x17, "TSC6A", 6, Tsc::tsc6a),
    source(0x18, color("RV", 8, {0, 8}, none, none)),
    source(0x19, color("GU", 8, none, {0, 8}, none)),
    source(0x1A, color("BY", 8, none, none, {0, 8})),
    source(0x27, alpha("A1LE", 1)),
    source(0x28, alpha("A2LE", 2)),
    source(0x29, alpha("A4LE", 4)),
    source(0x2A, luminance("L1LE", 1, {0, 1})),
    source(0x2B, luminance("L2LE", 2, {0, 2})),
    source(0x2C, luminance("L4LE", 4, {0, 4})),
    source(0x30, alpha("A2", 2), big_endian),
    source(0x31, luminance("L2", 2, {0, 2}), big_endian),
    source(0x34, alpha("A4", 4), big_endian),
    source(0x35, luminance("L4", 4, {0, 4}), big_endian),
    target(0x38, color("RGB332", 8, {5, 3}, {2, 3}, {0, 2})),
    target(0x39, color("BGR24", 24, {16, 8}, {8, 8}, {0, 8})),
    target(0x3C, color("RGB24", 24, {0, 8}, {8, 8}, {16, 8})),
    source(0x3D, color("RV10", 16, {2, 8}, none, none)),
    source(0x3E, color("GU10", 16, none, {2, 8}, none)),
    source(0x3F, color("BY10", 16, none, none, {2, 8})),
    target(0x40, color("RGBA2222", 8, {6, 2}, {4, 2}, {2, 2}, {0, 2})),
    target(0x41, color("ABGR2222", 8, {0, 2}, {2, 2}, {4, 2}, {6, 2})),
    target(0x42, color("BGRA2222", 8, {2, 2}, {4, 2}, {6, 2}, {0, 2})),
    target(0x43, color("ARGB2222", 8, {4, 2}, {2, 2}, {0, 2}, {6, 2})),
    source(0x44, luminance("AL88", 16, {0, 8}, {8, 8})),
    source(0x45, luminance("AL44", 8, {0, 4}, {4, 4})),
    target(0x46, color("ARGB1555", 16, {10, 5}, {5, 5}, {0, 5}, {15, 1})),
    target(0x47, color("ARGB4444", 16, {8, 4}, {4, 4}, {0, 4}, {12, 4})),
    target(0x48, color("BGRA5551", 16, {1, 5}, {6, 5}, {11, 5}, {0, 1})),
    target(0x49, color("ABGR1555", 16, {0, 5}, {5, 5}, {10, 5}, {15, 1})),
    target(0x4A, color("BGRA4444", 16, {4, 4}, {8, 4}, {12, 4}, {0, 4})),
    target(0x4B, color("ABGR4444", 16, {0, 4}, {4, 4}, {8, 4}, {12, 4})),
};

constexpr auto by_code = [] {
    std::array<const Format*, 0x80> formats{};
    for (const Format& format : table)
        formats[format.code] = &format;
    return formats;
}();

/// Number of words buffered between two loops.
constexpr size_t piece = 64;
using Words = std::array<uint32_t, piece>;

std::byte* bytes(Words& words) {
    return reinterpret_cast<std::byte*>(words.data());
}

/// Unpacks texels smaller than a byte to words.
void split_bytes(const Format& format, uint32_t* to, const std::byte* from, uint64_t first,
                 size_t count) {
    const uint32_t size = format.bits(), last = 8 / size - 1, mask = (1u << size) - 1;
    const int per_byte = std::countr_zero(8 / size); // log2
    const uint32_t turn = format.first_on_top ? last : 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t texel = first + i;
        to[i] = uint32_t(from[texel >> per_byte]) >> ((texel & last) ^ turn) * size & mask;
    }
}

void join_triples(uint32_t* to, const std::byte* from, size_t count) {
    for (size_t i = 0; i < count; i++, from += 3)
        to[i] = uint32_t(from[0]) | uint32_t(from[1]) << 8 | uint32_t(from[2]) << 16;
}

void split_triples(std::byte* to, const uint32_t* from, size_t count) {
    for (size_t i = 0; i < count; i++, to += 3)
        for (uint32_t byte = 0; byte < 3; byte++)
            to[byte] = std::byte(from[i] >> 8 * byte);
}

void split_pairs(uint32_t* to, const std::byte* from, uint64_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = first + i;
        to[i] = uyvy_word(from + x / 2 * 4, x % 2);
    }
}

/// Unpacks formats that have no dedicated kernel to words.
void split(const Format& format, uint32_t* to, const std::byte* from, uint64_t first,
           size_t count) {
    if (format.kind == Format::Kind::uyvy)
        split_pairs(to, from, first, count);
    else if (format.bits() == 24)
        join_triples(to, from + 3 * first, count);
    else
        split_bytes(format, to, from, first, count);
}

void set_color(const Format& format, uint32_t color, uint32_t* pixels, size_t count) {
    if (format.alpha_only())
        for (size_t i = 0; i < count; i++)
            pixels[i] |= color & 0xFFFFFF;
}

/// Calls work(first, count) for at most `piece` texels at a time.
template<class Work>
void in_pieces(size_t count, Work work) {
    for (size_t first = 0; first < count; first += piece)
        work(first, std::min(piece, count - first));
}

/// Returns the layout for writing, in which luminance is the red channel only.
constexpr render::Format stored_layout(const Format& format) {
    render::Format layout = format.layout;
    if (format.luminance())
        layout.green = layout.blue = none;
    return layout;
}

/// Codecs and kernels for the pixels of a format.
struct Conversion {
    Codec read, write;
    render::FetchKernel words = nullptr; ///< converts from words
    render::FetchKernel fetch = nullptr; ///< converts from memory; null: through words
    render::StoreKernel store = nullptr; ///< converts to memory; null: through words
    bool has_x = false;                  ///< has padding, which is written as ones
};

using Conversions = std::array<Conversion, by_code.size()>;

Conversions make_conversions() {
    Conversions all{};
    for (const Format& f : table) {
        const render::Format stored = stored_layout(f);
        Conversion& c = all[f.code];
        c.read = Codec(f.layout);
        c.write = Codec(stored);
        c.words = texel_kernels().unpack(f.layout);
        c.has_x = stored.padding.width;
        if (!f.layout.valid() || f.kind != Format::Kind::words)
            continue;
        c.fetch = render::kernels().unpack(f.layout);
        c.store = render::kernels().pack(stored);
    }
    return all;
}

/// Returns the conversions for one instruction set. Builds them on first use.
template<bool avx2>
const Conversions& conversions() {
    static const Conversions made = make_conversions();
    return made;
}

const Conversion& conversion_of(const Format& format) {
    return (render::use_avx2() ? conversions<true>() : conversions<false>())[format.code];
}

/// Uses the row kernel of programs, which converts eight words at a time.
void yuv_to_rgb(uint32_t* to, const uint32_t* words, size_t count) {
    const RowKernel convert = row_kernels().op[size_t(RowOp::yuv_to_rgb)];
    std::array<uint32_t, 8> eight{};
    for (size_t i = 0; i < count; i += eight.size()) {
        const size_t n = std::min(eight.size(), count - i);
        std::copy_n(words + i, n, eight.begin());
        convert(eight.data(), eight.data(), eight.data(), eight.data(), eight.size());
        std::copy_n(eight.begin(), n, to + i);
    }
}

} // namespace

const Format* find_format(uint32_t code) {
    return code < by_code.size() ? by_code[code] : nullptr;
}

std::optional<WordOrder> word_order(const Format& format) {
    constexpr Channel top{24, 8}, second{16, 8}, third{8, 8}, last{0, 8};
    const render::Format& l = format.layout;
    const bool blue_first = l.red == second && l.blue == last;
    const bool red_first = l.red == last && l.blue == second;
    if (l.bits != 32 || l.green != third || !(blue_first || red_first) ||
        (l.alpha != top && l.padding != top))
        return {};
    return WordOrder{red_first, l.alpha.width ? 0 : 0xFF000000};
}

std::optional<MaskFormat> mask_format(const Format& format) {
    if (format.alpha_only() && format.bits() == 8)
        return MaskFormat::a8;
    if (format.alpha_only() && format.bits() == 4)
        return format.first_on_top ? MaskFormat::a4_top_first : MaskFormat::a4;
    return {};
}

void unpack(const Format& format, uint32_t color, uint32_t* to, const uint32_t* words,
            size_t count) {
    if (format.kind == Format::Kind::uyvy) {
        yuv_to_rgb(to, words, count);
        return;
    }
    const Conversion& conversion = conversion_of(format);
    conversion.words(conversion.read, to, reinterpret_cast<const std::byte*>(words), count);
    set_color(format, color, to, count);
}

void fetch(const Format& format, uint32_t color, uint32_t* to, const std::byte* from,
           uint64_t first, size_t count) {
    const Conversion& conversion = conversion_of(format);
    if (conversion.fetch) {
        conversion.fetch(conversion.read, to, from + first * format.layout.bytes(), count);
        set_color(format, color, to, count);
        return;
    }
    Words words;
    in_pieces(count, [&](size_t done, size_t n) {
        split(format, words.data(), from, first + done, n);
        unpack(format, color, to + done, words.data(), n);
    });
}

void dither(const Format& format, uint32_t* pixels, size_t count, int32_t x, int32_t y) {
    // The vendor's dither matrix is unknown. The model uses a Bayer matrix.
    static constexpr uint8_t thresholds[4][4] = {
        {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
    const Channel& alpha = format.layout.alpha;
    const Channel fields[4] = {format.layout.blue, format.layout.green, format.layout.red,
                               alpha.width > 1 ? alpha : none};
    uint8_t more[4][4]; // dither of four pixels, per byte
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t c = 0; c < 4; c++) {
            const uint32_t threshold = thresholds[y & 3][(uint32_t(x) + i) & 3];
            more[i][c] = fields[c].width ? uint8_t((threshold << (8 - fields[c].width)) / 16) : 0;
        }
    const uint8_t* const add = more[0];
    const auto channels = reinterpret_cast<uint8_t*>(pixels);
    for (size_t i = 0; i < 4 * count; i++)
        channels[i] = uint8_t(std::min(channels[i] + add[i % 16], 255));
}

void store(const Format& format, std::byte* to, const uint32_t* from, size_t count) {
    const Conversion& conversion = conversion_of(format);
    if (conversion.store && !conversion.has_x)
        return conversion.store(conversion.write, to, from, count);
    Words words;
    in_pieces(count, [&](size_t done, size_t n) {
        std::transform(from + done, from + done + n, words.begin(),
                       [](uint32_t argb) { return argb | 0xFF000000; }); // X bits are ones
        if (conversion.store)
            return conversion.store(conversion.write, to + done * format.layout.bytes(),
                                    words.data(), n);
        render::kernels().pack_any[2](conversion.write, bytes(words), words.data(), n);
        split_triples(to + 3 * done, words.data(), n);
    });
}

} // namespace pixmill::nema

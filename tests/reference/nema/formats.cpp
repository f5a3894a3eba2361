// Pixel formats of the NEMA|GFX, with the position of each field.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>

#include "parts.hpp"

namespace reference::nema {

namespace {

struct Field {
    unsigned low = 0;
    unsigned width = 0; ///< 0: the format has no such field
};

enum class Kind {
    color,     ///< missing color channels read 0
    alpha,     ///< the color is TEX_COLOR
    luminance, ///< `r` is copied to all three colors
    uyvy,
};

struct Format {
    uint32_t code;
    unsigned bits; ///< bits per pixel
    Kind kind;
    Field r, g, b, a; ///< alpha reads 255 if it has no field
    Field x{};        ///< padding, written as ones
    bool written = true;
    bool big_endian = false; ///< formats below 8 bits: left pixel in high bits
    bool dithered = false;   ///< the surface can enable dither
};

constexpr Field none{};
constexpr bool read_only = false;
constexpr bool msb = true;
constexpr bool lsb = false;

constexpr Format color(uint32_t code, unsigned bits, Field r, Field g, Field b, Field a = none,
                       Field x = none) {
    return {code, bits, Kind::color, r, g, b, a, x};
}

constexpr Format dithered(Format format) {
    format.dithered = true;
    return format;
}

constexpr Format source(Format format) {
    format.written = false;
    return format;
}

/// Returns a format that has only alpha or luminance, with up to 8 bits.
constexpr Format mask(uint32_t code, unsigned bits, Kind kind, bool big_endian) {
    const Field value{0, bits};
    const bool is_alpha = kind == Kind::alpha;
    return {
        code, bits,      kind,      is_alpha ? none : value, none, none, is_alpha ? value : none,
        none, bits == 8, big_endian};
}

constexpr std::array formats{
    color(0x00, 32, {0, 8}, {8, 8}, {16, 8}, none, {24, 8}),
    color(0x01, 32, {0, 8}, {8, 8}, {16, 8}, {24, 8}),
    color(0x02, 32, {8, 8}, {16, 8}, {24, 8}, none, {0, 8}),
    color(0x03, 32, {8, 8}, {16, 8}, {24, 8}, {0, 8}),
    dithered(color(0x04, 16, {11, 5}, {5, 6}, {0, 5})),
    dithered(color(0x05, 16, {11, 5}, {6, 5}, {1, 5}, {0, 1})),
    dithered(color(0x06, 16, {12, 4}, {8, 4}, {4, 4}, {0, 4})),
    color(0x07, 8, none, {0, 8}, none),
    mask(0x08, 8, Kind::alpha, lsb),
    mask(0x09, 8, Kind::luminance, lsb),
    mask(0x0B, 1, Kind::luminance, msb),
    mask(0x0C, 1, Kind::alpha, msb),
    Format{0x0D, 16, Kind::uyvy, none, none, none, none, none, read_only},
    color(0x0E, 32, {24, 8}, {16, 8}, {8, 8}, {0, 8}),
    color(0x0F, 32, {24, 8}, {16, 8}, {8, 8}, none, {0, 8}),
    color(0x10, 32, {16, 8}, {8, 8}, {0, 8}, {24, 8}),
    color(0x11, 32, {16, 8}, {8, 8}, {0, 8}, none, {24, 8}),
    color(0x13, 16, {0, 5}, {5, 6}, {11, 5}),
    source(color(0x18, 8, {0, 8}, none, none)),
    source(color(0x19, 8, none, {0, 8}, none)),
    source(color(0x1A, 8, none, none, {0, 8})),
    mask(0x27, 1, Kind::alpha, lsb),
    mask(0x28, 2, Kind::alpha, lsb),
    mask(0x29, 4, Kind::alpha, lsb),
    mask(0x2A, 1, Kind::luminance, lsb),
    mask(0x2B, 2, Kind::luminance, lsb),
    mask(0x2C, 4, Kind::luminance, lsb),
    mask(0x30, 2, Kind::alpha, msb),
    mask(0x31, 2, Kind::luminance, msb),
    mask(0x34, 4, Kind::alpha, msb),
    mask(0x35, 4, Kind::luminance, msb),
    color(0x38, 8, {5, 3}, {2, 3}, {0, 2}),
    color(0x39, 24, {16, 8}, {8, 8}, {0, 8}),
    color(0x3C, 24, {0, 8}, {8, 8}, {16, 8}),
    /* 10-bit components, of which only the upper 8 bits are used */
    source(color(0x3D, 16, {2, 8}, none, none)),
    source(color(0x3E, 16, none, {2, 8}, none)),
    source(color(0x3F, 16, none, none, {2, 8})),
    color(0x40, 8, {6, 2}, {4, 2}, {2, 2}, {0, 2}),
    color(0x41, 8, {0, 2}, {2, 2}, {4, 2}, {6, 2}),
    color(0x42, 8, {2, 2}, {4, 2}, {6, 2}, {0, 2}),
    color(0x43, 8, {4, 2}, {2, 2}, {0, 2}, {6, 2}),
    Format{0x44, 16, Kind::luminance, {0, 8}, none, none, {8, 8}, none, read_only},
    Format{0x45, 8, Kind::luminance, {0, 4}, none, none, {4, 4}, none, read_only},
    color(0x46, 16, {10, 5}, {5, 5}, {0, 5}, {15, 1}),
    color(0x47, 16, {8, 4}, {4, 4}, {0, 4}, {12, 4}),
    color(0x48, 16, {1, 5}, {6, 5}, {11, 5}, {0, 1}),
    color(0x49, 16, {0, 5}, {5, 5}, {10, 5}, {15, 1}),
    color(0x4A, 16, {4, 4}, {8, 4}, {12, 4}, {0, 4}),
    color(0x4B, 16, {0, 4}, {4, 4}, {8, 4}, {12, 4}),
};

const Format* find(uint32_t code) {
    for (const Format& format : formats) {
        if (format.code == code)
            return &format;
    }
    return nullptr;
}

/// Morton order: x in the even bits, y in the odd bits.
uint64_t interleave(uint64_t x, uint64_t y) {
    uint64_t result = 0;
    for (unsigned i = 0; i < 16; i++)
        result |= (x >> i & 1) << 2 * i | (y >> i & 1) << (2 * i + 1);
    return result;
}

bool power_of_two(int n) {
    return std::has_single_bit(static_cast<unsigned>(n));
}

bool is_morton(const Surface& surface, const Format& format) {
    return surface.mode & 0x10 && format.bits >= 8 && format.bits != 24 &&
           format.kind != Kind::uyvy && power_of_two(surface.width) && power_of_two(surface.height);
}

uint32_t row_address(const Surface& surface, int64_t y) {
    return static_cast<uint32_t>(surface.base + y * surface.stride);
}

/// Returns the address of the first byte of pixel (x, y).
uint32_t pixel_address(const Surface& surface, const Format& format, int64_t x, int64_t y,
                       bool linear) {
    if (!linear && is_morton(surface, format))
        return static_cast<uint32_t>(surface.base +
                                     interleave(uint64_t(x), uint64_t(y)) * (format.bits / 8));
    return static_cast<uint32_t>(row_address(surface, y) + x * format.bits / 8);
}

uint32_t load_bits(Bus& bus, uint32_t address, const Format& format, int64_t x) {
    std::array<uint8_t, 4> bytes{};
    bus.read(address, {bytes.data(), (format.bits + 7) / 8});
    const uint32_t word = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t{bytes[3]} << 24;
    if (format.bits >= 8)
        return word;
    const auto from_left = static_cast<uint32_t>(x * format.bits % 8);
    const uint32_t shift = format.big_endian ? 8 - format.bits - from_left : from_left;
    return word >> shift & ((1u << format.bits) - 1);
}

int unpack(uint32_t word, Field field, int otherwise) {
    if (!field.width)
        return otherwise;
    return widen(static_cast<int>(bits(word, field.low + field.width - 1, field.low)),
                 static_cast<int>(field.width));
}

Color load_uyvy(Bus& bus, const Surface& surface, int64_t x, int64_t y) {
    std::array<uint8_t, 4> uyvy{};
    bus.read(static_cast<uint32_t>(row_address(surface, y) + (x >> 1) * 4), uyvy);
    return yuv_to_rgb({uyvy[2], uyvy[0], x & 1 ? uyvy[3] : uyvy[1], 255});
}

/* ---- Writing ------------------------------------------------------------ */

constexpr int bayer[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

uint32_t pack(int value, Field field, int threshold) {
    if (!field.width)
        return 0;
    const int step = 1 << (8 - field.width);
    const int dithered_value = std::min(255, value + threshold * step / 16);
    return static_cast<uint32_t>(dithered_value) >> (8 - field.width) << field.low;
}

uint32_t pack(const Format& format, const Color& color, int threshold) {
    uint32_t word = pack(color[red], format.r, threshold) |
                    pack(color[green], format.g, threshold) |
                    pack(color[blue], format.b, threshold) | pack(255, format.x, 0);
    /* 1-bit alpha is not dithered */
    return word | pack(color[alpha], format.a, format.a.width == 1 ? 0 : threshold);
}

/// Returns value / of, rounded to the nearest integer; halves round up. `of` is 1000 or 1000000.
int rounded(int64_t value, int64_t of) {
    const int64_t twice = 2 * value + of;
    return static_cast<int>(twice >= 0 ? twice / (2 * of) : -((-twice + 2 * of - 1) / (2 * of)));
}

} // namespace

Color yuv_to_rgb(const Color& vuy) {
    const int64_t v = vuy[0] - 128;
    const int64_t u = vuy[1] - 128;
    const int64_t y = vuy[2];
    return {saturate(rounded(1000 * y + 1402 * v, 1000)),
            saturate(rounded(1000000 * y - 344136 * u - 714136 * v, 1000000)),
            saturate(rounded(1000 * y + 1772 * u, 1000)), vuy[3]};
}

uint32_t block_address(const Surface& surface, int64_t x, int64_t y) {
    return static_cast<uint32_t>(row_address(surface, y / 4) + x / 4 * block_bytes(surface.format));
}

Color load_pixel(Bus& bus, const Surface& surface, const Color& alpha_color, int64_t x, int64_t y,
                 bool linear) {
    if (is_tsc(surface.format)) {
        Block block{};
        bus.read(block_address(surface, x, y), {block.data(), block_bytes(surface.format)});
        return decode_block(surface.format, block)[static_cast<size_t>(y % 4 * 4 + x % 4)];
    }
    const Format* format = find(surface.format);
    if (!format)
        return {255, 0, 255, 255};
    if (format->kind == Kind::uyvy)
        return load_uyvy(bus, surface, x, y);
    const uint32_t word = load_bits(bus, pixel_address(surface, *format, x, y, linear), *format, x);
    const int a = unpack(word, format->a, 255);
    if (format->kind == Kind::alpha)
        return {alpha_color[red], alpha_color[green], alpha_color[blue], a};
    const int r = unpack(word, format->r, 0);
    if (format->kind == Kind::luminance)
        return {r, r, r, a};
    return {r, unpack(word, format->g, 0), unpack(word, format->b, 0), a};
}

bool is_alpha_only(uint32_t code) {
    const Format* format = find(code);
    return format && format->kind == Kind::alpha;
}

bool is_destination(uint32_t code) {
    const Format* format = find(code);
    return is_tsc(code) || (format && format->written);
}

void store_pixel(Bus& bus, const Surface& surface, int64_t x, int64_t y, const Color& color) {
    const Format& format = *find(surface.format);
    const int threshold = surface.dither && format.dithered ? bayer[y & 3][x & 3] : 0;
    const uint32_t word = pack(format, color, threshold);
    const std::array<uint8_t, 4> bytes{uint8_t(word), uint8_t(word >> 8), uint8_t(word >> 16),
                                       uint8_t(word >> 24)};
    bus.write(pixel_address(surface, format, x, y, true), {bytes.data(), format.bits / 8});
}

} // namespace reference::nema

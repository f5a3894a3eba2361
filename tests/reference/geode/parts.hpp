// Declarations shared by the parts of the independent Geode LX model.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace reference::geode {

enum Offset : uint32_t {
    dst_offset = 0x00,
    src_offset = 0x04,
    vec_err = 0x04,
    stride = 0x08,
    wid_height = 0x0C,
    vec_len = 0x0C,
    src_color_fg = 0x10,
    src_color_bg = 0x14,
    pat_color_0 = 0x18,
    pat_color_1 = 0x1C,
    pat_color_2 = 0x20,
    pat_color_3 = 0x24,
    pat_color_4 = 0x28,
    pat_color_5 = 0x2C,
    pat_data_0 = 0x30,
    pat_data_1 = 0x34,
    raster_mode = 0x38,
    vector_mode = 0x3C,
    blt_mode = 0x40,
    blt_status = 0x44,
    hst_src = 0x48,
    base_offset = 0x4C,
    cmd_top = 0x50,
    cmd_bot = 0x54,
    cmd_read = 0x58,
    cmd_write = 0x5C,
    ch3_offset = 0x60,
    ch3_mode_str = 0x64,
    ch3_widhi = 0x68,
    ch3_hsrc = 0x6C,
    lut_index = 0x70,
    lut_data = 0x74,
    int_cntrl = 0x78,
    registers_end = 0x7C,
};

constexpr uint32_t bits(uint32_t value, unsigned high, unsigned low) {
    return static_cast<uint32_t>((uint64_t{value} >> low) &
                                 ((uint64_t{1} << (high - low + 1)) - 1));
}
constexpr bool bit(uint32_t value, unsigned number) {
    return (value >> number & 1) != 0;
}

// ---- pixels.cpp ----

/// 8-bit components.
struct Color {
    uint32_t a, r, g, b;
};

/// Format codes, shared by BPP of RASTER_MODE and FMT of CH3_MODE_STR.
enum Format : uint32_t { rgb332 = 0, argb4444 = 4, argb1555 = 5, rgb565 = 6, argb8888 = 8 };

uint32_t bytes_of(Format format);
Color widen(Format format, uint32_t pixel);
uint32_t narrow(Format format, const Color& color);

uint32_t rop3(uint32_t code, uint32_t pattern, uint32_t source, uint32_t destination);

/// Blends as selected by RASTER_MODE. @alpha is the alpha of channel 3.
Color blend(uint32_t raster_mode, const Color& source, const Color& destination, uint32_t alpha);

// ---- Memory and operations ----

/// VRAM, addressed with a channel's base and a 24-bit offset.
struct Memory {
    std::vector<uint8_t>& vram;
    uint32_t first_address;

    uint8_t* at(uint32_t base, int64_t offset) const;
    uint32_t read(uint32_t base, int64_t offset, uint32_t bytes) const;
    void write(uint32_t base, int64_t offset, uint32_t bytes, uint32_t value) const;
};

using Lut = std::array<uint32_t, 512>;

/// A range within the bytes that a host port receives for an operation.
struct HostBytes {
    uint64_t first;
    uint32_t count;
};

/// The words that HST_SRC or CH3_HSRC has received since the operation began.
struct HostPort {
    std::vector<uint8_t> bytes;
    uint64_t used = 0;

    uint32_t read(const HostBytes& wanted) const;
    /// Adds a word, or drops it if more than `most` bytes are pending.
    void add(uint32_t word, uint64_t most);
};

/// A BLT or vector with a snapshot of all registers and the LUT, taken when its mode
/// register was written.
struct Operation {
    std::array<uint32_t, registers_end / 4> registers;
    Lut lut;
    bool is_vector;
    uint64_t pixels_done = 0;
    HostPort source_port, channel_3_port;

    uint32_t operator[](Offset offset) const { return registers[offset / 4]; }
    Format format() const;
    uint32_t bytes_per_pixel() const { return bytes_of(format()); }
    bool reads_destination() const {
        return is_vector ? bit((*this)[vector_mode], 3) : bit((*this)[blt_mode], 2);
    }
    /// Returns the offset of the first pixel.
    uint32_t destination() const {
        return bits((*this)[dst_offset], 23, 0) & ~(bytes_per_pixel() - 1);
    }
    uint32_t destination_stride() const { return bits((*this)[stride], 15, 0); }
    uint32_t destination_base() const { return (*this)[base_offset] & 0xFFC00000; }
    uint32_t source_base() const { return ((*this)[base_offset] & 0x003FF000) << 10; }
    uint32_t channel_3_base() const { return ((*this)[base_offset] & 0x00000FFC) << 20; }

    // BLTs only.
    uint32_t width() const { return bits((*this)[wid_height], 27, 16); }
    uint32_t height() const { return bits((*this)[wid_height], 11, 0); }
    int64_t step_x() const { return bit((*this)[blt_mode], 9) ? -1 : 1; }
    int64_t step_y() const { return bit((*this)[blt_mode], 8) ? -1 : 1; }
};

/// A pixel's position in drawing order: its column and line from the first pixel.
struct Position {
    int64_t column, line;
};

// ---- patterns.cpp ----

/// Returns the RASTER_MODE pattern at (@x, @y) from the first pixel, or nothing if it is
/// transparent.
std::optional<uint32_t> raster_pattern(const Operation& op, int64_t x, int64_t y);

// ---- channel_3.cpp ----

class Channel3 {
public:
    Channel3(const Operation& op, const Memory& memory) : op_(op), memory_(memory) {}

    bool on() const { return bit(mode(), 31); }
    bool is_source() const { return has_colors() && bit(mode(), 30); }
    bool is_pattern() const { return has_colors() && !bit(mode(), 30); }

    /// True if the channel's pixels are a stream from memory or from the host.
    bool is_stream() const { return on() && !is_pattern_8x8(); }
    bool is_from_host() const { return is_stream() && bit(mode(), 18); }
    uint64_t stream_length() const;
    HostBytes host_bytes(uint64_t number) const;
    uint64_t host_bytes_of_line() const;

    /// Returns the channel's pixel, with its alpha, for pixel @number of the BLT.
    Color pixel(uint64_t number, const Position& at) const;

private:
    /// A position relative to the first pixel.
    struct Spot {
        int64_t x, y;
    };

    uint32_t mode() const { return op_[ch3_mode_str]; }
    uint32_t format() const;
    uint32_t bits_per_pixel() const;
    bool has_colors() const;
    bool is_pattern_8x8() const { return bit(mode(), 21); }
    bool is_rotated() const;
    uint64_t width() const { return bits(op_[ch3_widhi], 27, 16); }
    uint64_t height() const { return bits(op_[ch3_widhi], 11, 0); }
    uint64_t pixels_of_line() const;
    Spot spot(uint64_t number) const;
    int64_t nibbles_before(const Spot& spot) const;
    uint32_t bytes_of_pixel() const;
    uint32_t bytes_skipped() const;
    uint32_t fetch(uint64_t number) const;
    Color yuv(uint32_t pair, bool second) const;
    Color color_of(uint32_t format, uint32_t value) const;
    Color pattern_8x8(const Position& at) const;

    const Operation& op_;
    const Memory& memory_;
};

// ---- source.cpp ----

/// A source pixel: its value in the destination format, and its color at full precision.
struct Pixel {
    uint32_t value;
    Color color;
};

Pixel pixel_of(Format format, uint32_t value);

/// The source selected by SR and SM of BLT_MODE, unless channel 3 replaces it.
class Source {
public:
    Source(const Operation& op, const Memory& memory, const Channel3& channel_3)
        : op_(op), memory_(memory), replaced_(channel_3.is_source()) {}

    bool is_from_host() const { return origin() == 2; }
    HostBytes host_bytes(const Position& at) const;
    uint64_t host_bytes_of_line() const;

    /// Returns the pixel, or nothing if it is monochrome and transparent.
    std::optional<uint32_t> pixel(const Position& at) const;

private:
    uint32_t origin() const;
    uint32_t mono() const;
    uint32_t first_bit() const { return bits(op_[src_offset], 28, 26); }
    uint64_t packed_bytes_of_line() const;
    std::optional<uint32_t> mono_pixel(const Position& at) const;

    const Operation& op_;
    const Memory& memory_;
    bool replaced_;
};

/// True if @value equals the color key in all bits that the background color selects.
bool is_color_key(const Operation& op, uint32_t value);

// ---- draw.cpp ----

/// Draws a pixel. @alpha is the alpha of channel 3. Without a @pattern, the pixel changes only if
/// it is blended.
void draw(const Operation& op, const Memory& memory, int64_t destination, const Pixel& source,
          std::optional<uint32_t> pattern, uint32_t alpha);

enum class Outcome { finished, underflow, waits };

/// Draws until the BLT is done or the next line lacks host words.
Outcome work_on_blt(Operation& op, const Memory& memory);

// ---- vector.cpp ----

void draw_vector(const Operation& op, const Memory& memory);

} // namespace reference::geode

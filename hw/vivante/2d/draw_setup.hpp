// Parameters that all rectangles of a draw share, decoded from the states.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "fields.hpp"
#include "pixmill/vivante.h"
#include "render/operation.hpp"
#include "rotation.hpp"
#include "vivante/chip.hpp"
#include "vivante/host.hpp"

namespace pixmill::vivante {

enum class Shape : uint8_t { rectangles, lines, window };

/// Position of a source relative to a rectangle.
struct SourceSetup {
    Orientation orientation;
    bool relative = false; ///< the origin is relative to the destination
    SourceAxis x, y;
};

struct DrawSetup {
    const char* primitive = "";
    Shape shape = Shape::rectangles;
    render::Operation operation; ///< without the rectangle and what depends on it
    render::Rect clip;
    Orientation destination;
    std::array<SourceSetup, render::Operation::max_stages> source;
    uint32_t bytes_per_pixel = 1; ///< for PE 1.0's CLEAR, which draws bytes; else 1
    bool stream = false;          ///< bits come from the command stream
    render::Pack pack = render::Pack::packed8;
    std::array<uint32_t, 256> palette;
    std::array<std::array<uint32_t, 2>, render::Operation::max_stages> mono;
};

/// The states at the time of a draw, with accessors.
struct DrawStates {
    const PixmillVivanteState& s;
    const Chip& chip;
    Host& host;

    uint32_t operator[](uint32_t address) const {
        const uint32_t word = (address - de_first) / 4;
        return word < PIXMILL_VIVANTE_DE_DRAW_STATES ? s.de_draw_state[word] : s.state[address / 4];
    }
    uint32_t operator[](const DeField& field) const { return field((*this)[field.address]); }
    /// Returns the state of source `n` that corresponds to the 2D state `address`.
    uint32_t source(unsigned n, uint32_t address) const {
        return n ? s.state[source_state(chip.multi_source_ex(), n, address) / 4] : (*this)[address];
    }
    uint32_t source(unsigned n, const DeField& field) const {
        return field(source(n, field.address));
    }
    /// Returns the maximum number of sources that the core supports.
    unsigned max_sources() const;
};

/// The codes in ROP as ternary operations.
struct RopCodes {
    render::Rop3 foreground, background; ///< for opaque and for transparent pixels
    bool is_rop4;                        ///< ROP4; otherwise `background` is unused
};
/// Decodes ROP. A filter blit ignores it and copies what is not transparent.
RopCodes decode_rop(const DrawStates& states, const DrawSetup& setup, unsigned n);

// Each decodes some states into `setup`. Returns false if the draw has to be ignored, after logging
// why.
bool decode_destination(const DrawStates& states, DrawSetup& setup);
/// Decodes source, transparency, raster operation and blending of stage `n`. Cannot fail.
void decode_stage(const DrawStates& states, DrawSetup& setup, unsigned n);
/// Decodes the source's surface and position. An undefined format reads as 0.
void decode_source(const DrawStates& states, DrawSetup& setup, unsigned n);
void decode_blend(const DrawStates& states, DrawSetup& setup, unsigned n);
void decode_brush(const DrawStates& states, DrawSetup& setup);
/// Passes YUV to a YUV destination without conversion. Colors combined with it become YUV as well.
void pass_yuv_through(DrawSetup& setup);
/// Resets a stage to one without effect.
void reset_stage(render::Stage& stage);
/// Decodes the filter blit that VR_CONFIG starts. Stores its window in `window`.
bool decode_video_rasterizer(const DrawStates& states, DrawSetup& setup, render::Rect& window);

/// Log once each unmodelled feature that the states request. The draw proceeds without it.
void check_unmodelled_destination(const DrawStates& states);
void check_unmodelled_source(const DrawStates& states, unsigned n);

/// Description of a DE_FORMAT.
struct PixelFormat {
    const char* name = nullptr; ///< null: undefined
    const render::Format* rgb = nullptr;
    const render::YuvLayout* yuv = nullptr;
    bool writable = true;
    bool newest = false; ///< newest cores only; without layouts if not implemented
};
const PixelFormat& pixel_format(const Chip& chip, uint32_t code);
/// The format field of SRC_CONFIG or PATTERN_CONFIG, which depends on the generation of the PE.
struct FormatFields {
    DeField pe10, pe20;
    constexpr uint32_t operator()(const Chip& chip, uint32_t config) const {
        return chip.pe20() ? pe20(config) : pe10(config);
    }
};
constexpr FormatFields source_format{de::src_config::pe10_source_format,
                                     de::src_config::source_format};
constexpr FormatFields brush_format{de::pattern_config::format, de::pattern_config::pattern_format};
/// Returns the table loaded at state `first`, unscaled: nine 16-bit coefficients, two per word, and
/// three 25-bit offsets (nano2D's upload order).
render::ColorMatrix user_table(const DrawStates& states, uint32_t first);
/// States that rotate a surface: *_ROTATION_CONFIG and _HEIGHT, and fields of ROT_ANGLE.
struct OrientationStates {
    uint32_t width, height;
    bool rotation;
    uint32_t code, flip;
};
Orientation orientation(const DrawStates& states, const OrientationStates& from);
/// Returns a tiled surface's layout as selected by TILE_MODE, which only the newest cores have
/// (nano2D).
render::Tiling tile_mode(const DrawStates& states, uint32_t mode);
/// True if the core has no tiled surfaces and treats this one as linear. Logged once.
bool lacks_tiling(const DrawStates& states, const char* surface);
/// True if colors in registers are pixels of the destination, as on PE 1.0, and not ARGB. False if
/// the destination is planar or a COLOR_CONVERT bit is set.
bool holds_pixels(const DrawStates& states, const DrawSetup& setup, bool color_convert);
/// Returns a color in a register as a working value.
uint32_t register_color(const DrawStates& states, const DrawSetup& setup, bool color_convert,
                        uint32_t color);
/// Returns palette entry `index` as a working value.
uint32_t palette_color(const DrawStates& states, const DrawSetup& setup, uint32_t index);
constexpr uint32_t format_yuy2 = 0x07, format_uyvy = 0x08;
constexpr uint32_t format_index8 = 0x09, format_monochrome = 0x0A;
/// Directions in mirror and flip fields.
constexpr uint32_t mirror_x = 1, mirror_y = 2;

/// Returns the mask that byte addresses are XORed with to swap bytes.
constexpr uint8_t swap_of(uint32_t endian_control) {
    constexpr uint8_t masks[4] = {0, 1, 3, 7};
    return masks[endian_control];
}

/// Returns a base address for the rendering core. The engine's addresses wrap at 32 bits. A
/// multiple of 4 GiB, which TranslatedMemory drops, keeps every extent inside the address space.
constexpr uint8_t wrapped_address_bits = 37;
constexpr uint64_t wrapped_base(uint32_t address) {
    return address | uint64_t(1) << 35;
}

/// Returns one of two signed 16-bit numbers in a word: coordinates, coefficients.
constexpr int16_t half(uint32_t word, bool high) {
    return int16_t(high ? word >> 16 : word);
}
constexpr int32_t low_half(uint32_t word) {
    return half(word, false);
}
constexpr int32_t high_half(uint32_t word) {
    return half(word, true);
}

} // namespace pixmill::vivante

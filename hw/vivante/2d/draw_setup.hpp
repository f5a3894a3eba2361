// Parameters that all rectangles of a draw share, as decoded from the states.
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

/// Position and orientation of a source relative to a rectangle.
struct SourceSetup {
    Orientation orientation;
    bool relative = false; ///< true if the origin is relative to the rectangle on the destination
    SourceAxis x, y;
};

struct DrawSetup {
    const char* primitive = "";
    Shape shape = Shape::rectangles;
    render::Operation operation; ///< without the rectangle and the placements
    render::Rect clip;
    Orientation destination;
    std::array<SourceSetup, render::Operation::max_stages> source;
    uint32_t bytes_per_pixel = 1; ///< 1, except for CLEAR of PE 1.0, which is drawn byte by byte
    bool stream = false; ///< the command stream contains the bits of the source or of the mask
    render::Pack pack = render::Pack::packed8;
    std::array<uint32_t, 256> palette;
    std::array<std::array<uint32_t, 2>, render::Operation::max_stages> mono;
};

/// The states as of the start of a draw, with accessors.
struct DrawStates {
    const PixmillVivanteState& s;
    const Chip& chip;
    Host& host;

    uint32_t operator[](uint32_t address) const {
        const uint32_t word = (address - de_first) / 4;
        return word < PIXMILL_VIVANTE_DE_DRAW_STATES ? s.de_draw_state[word] : s.state[address / 4];
    }
    uint32_t operator[](const DeField& field) const { return field((*this)[field.address]); }
    /// Returns the state of source `n` that corresponds to the 2D state `address` of source 0.
    uint32_t source(unsigned n, uint32_t address) const {
        return n ? s.state[source_state(chip.multi_source_ex(), n, address) / 4] : (*this)[address];
    }
    uint32_t source(unsigned n, const DeField& field) const {
        return field(source(n, field.address));
    }
    /// Returns the maximum number of sources that the core supports.
    unsigned max_sources() const;
};

/// Ternary raster operations decoded from ROP.
struct RopCodes {
    render::Rop3 foreground, background; ///< for opaque and for transparent pixels
    bool is_rop4;                        ///< true for ROP4; otherwise `background` is unused
};
/// Decodes ROP. A filter blit ignores ROP and copies its opaque pixels.
RopCodes decode_rop(const DrawStates& states, const DrawSetup& setup, unsigned n);

// Each of these functions decodes some states into `setup`. If the draw must be ignored, the
// function logs why and returns false.
bool decode_destination(const DrawStates& states, DrawSetup& setup);
/// Decodes source, transparency, raster operation and blending of stage `n`.
void decode_stage(const DrawStates& states, DrawSetup& setup, unsigned n);
/// Decodes surface and position of the source of stage `n`. A source with an undefined format reads
/// as 0.
void decode_source(const DrawStates& states, DrawSetup& setup, unsigned n);
void decode_blend(const DrawStates& states, DrawSetup& setup, unsigned n);
void decode_brush(const DrawStates& states, DrawSetup& setup);
/// Disables color conversion if a YUV source is drawn to a YUV destination. Converts the brush
/// colors to YUV instead.
void pass_yuv_through(DrawSetup& setup);
/// Resets a stage so that it has no effect.
void reset_stage(render::Stage& stage);
/// Decodes the filter blit that VR_CONFIG starts, and stores its target window in `window`.
bool decode_video_rasterizer(const DrawStates& states, DrawSetup& setup, render::Rect& window);

/// Log, once per feature, that a draw uses a feature that is not modeled. The draw proceeds without
/// the feature.
void check_unmodeled_destination(const DrawStates& states);
void check_unmodeled_source(const DrawStates& states, unsigned n);

/// Describes a code of DE_FORMAT.
struct PixelFormat {
    const char* name = nullptr; ///< null if the code is undefined
    const render::Format* rgb = nullptr;
    const render::YuvLayout* yuv = nullptr;
    bool writable = true;
    bool newest = false; ///< only on the newest cores; not implemented if both layouts are null
};
const PixelFormat& pixel_format(const Chip& chip, uint32_t code);
/// Format field of SRC_CONFIG or PATTERN_CONFIG. Its position depends on the generation of the PE.
struct FormatFields {
    DeField pe10, pe20;
    constexpr uint32_t operator()(const Chip& chip, uint32_t config) const {
        return chip.pe20() ? pe20(config) : pe10(config);
    }
};
constexpr FormatFields source_format{de::src_config::pe10_source_format,
                                     de::src_config::source_format};
constexpr FormatFields brush_format{de::pattern_config::format, de::pattern_config::pattern_format};
/// Returns the color conversion table loaded at state `first`, unscaled. The table has nine 16-bit
/// coefficients, two per word, and three 25-bit offsets (in the order of nano2D's upload).
render::ColorMatrix user_table(const DrawStates& states, uint32_t first);
/// Values of the states that rotate a surface: *_ROTATION_CONFIG and _HEIGHT, and fields of
/// ROT_ANGLE.
struct OrientationStates {
    uint32_t width, height;
    bool rotation;
    uint32_t code, flip;
};
Orientation orientation(const DrawStates& states, const OrientationStates& from);
/// Returns the tiling selected by TILE_MODE, which only the newest cores have (nano2D). Older cores
/// always use 4x4 tiles.
render::Tiling tile_mode(const DrawStates& states, uint32_t mode);
/// True if the core does not support tiled surfaces and so treats `surface` as linear. Logs this
/// once.
bool lacks_tiling(const DrawStates& states, const char* surface);
/// True if color registers hold pixels in the destination's format, as on PE 1.0, instead of ARGB.
/// False if the destination is planar or a COLOR_CONVERT bit is set.
bool holds_pixels(const DrawStates& states, const DrawSetup& setup, bool color_convert);
/// Converts a color from a register to the format in which the pipeline computes.
uint32_t register_color(const DrawStates& states, const DrawSetup& setup, bool color_convert,
                        uint32_t color);
/// Converts palette entry `index` to the format in which the pipeline computes.
uint32_t palette_color(const DrawStates& states, const DrawSetup& setup, uint32_t index);
constexpr uint32_t format_yuy2 = 0x07, format_uyvy = 0x08;
constexpr uint32_t format_index8 = 0x09, format_monochrome = 0x0A;
/// Directions in mirror and flip fields.
constexpr uint32_t mirror_x = 1, mirror_y = 2;

/// Returns the value with which byte addresses are XORed to swap bytes.
constexpr uint8_t swap_of(uint32_t endian_control) {
    constexpr uint8_t masks[4] = {0, 1, 3, 7};
    return masks[endian_control];
}

/// Returns a base address for the rendering core, which does not wrap addresses, while the engine's
/// addresses wrap at 32 bits. The result includes a multiple of 4 GiB, which keeps every extent
/// inside the address space and which TranslatedMemory drops.
constexpr uint8_t wrapped_address_bits = 37;
constexpr uint64_t wrapped_base(uint32_t address) {
    return address | uint64_t(1) << 35;
}

/// Returns one of the two signed 16-bit values in a word, such as a coordinate or a coefficient.
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

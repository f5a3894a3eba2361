// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the 2D states say at the moment of a draw (rnndb state_2d.xml; etna_viv doc/2d.md).
#include <array>

#include "core.hpp"
#include "drawing_engine.hpp"
#include "states.hpp"

namespace pixmill::vivante {

using render::Format;
using render::Rop3;

namespace {

enum Command : uint32_t { clear = 0, line = 1, bit_blt = 2, stretch_blt = 4, multi_source_blt = 8 };

/// DE_FORMAT. A name without a layout is a format that is not drawn with yet.
struct FormatRow {
    const char* name = nullptr;
    const Format* layout = nullptr;
    bool destination = true; ///< the engine can write it
};

constexpr std::array<FormatRow, 0x20> format_rows = [] {
    std::array<FormatRow, 0x20> rows{};
    rows[0x00] = {"X4R4G4B4", &render::formats::x4r4g4b4};
    rows[0x01] = {"A4R4G4B4", &render::formats::a4r4g4b4};
    rows[0x02] = {"X1R5G5B5", &render::formats::x1r5g5b5};
    rows[0x03] = {"A1R5G5B5", &render::formats::a1r5g5b5};
    rows[0x04] = {"R5G6B5", &render::formats::r5g6b5};
    rows[0x05] = {"X8R8G8B8", &render::formats::x8r8g8b8};
    rows[0x06] = {"A8R8G8B8", &render::formats::a8r8g8b8};
    rows[0x07] = {"YUY2"};
    rows[0x08] = {"UYVY"};
    rows[0x09] = {"INDEX8", nullptr, false};
    rows[0x0A] = {"MONOCHROME", nullptr, false};
    rows[0x0F] = {"YV12"};
    rows[0x10] = {"A8", &render::formats::a8};
    rows[0x11] = {"NV12"};
    rows[0x12] = {"NV16"};
    return rows;
}();

/// States that change the picture in a way that the engine does not draw yet. A draw for which
/// `value & mask` differs from `plain` is not done at all.
enum Applies : uint32_t { to_all = 1, to_blits = 2, to_sources = 4 };

struct Unimplemented {
    uint32_t address, mask, plain;
    uint32_t applies;
    const char* what;
};

constexpr Unimplemented unimplemented_table[] = {
    {DE_ALPHA_CONTROL, 0x1, 0, to_all, "blending (ALPHA_CONTROL.ENABLE)"},
    {DE_DEST_CONFIG, 1 << 8, 0, to_all, "tiled destination"},
    {DE_DEST_CONFIG, 1 << 26, 0, to_all, "minor-tiled destination"},
    {DE_DEST_CONFIG, 0x300000, 0, to_all, "destination byte order"},
    {DE_DEST_ROTATION_CONFIG, 0x10000, 0, to_all, "destination rotation (PE 1.0)"},
    {DE_ROT_ANGLE, 0x01800000, 0, to_all, "destination flip (ROT_ANGLE)"},
    {DE_DEYUV_CONVERSION, 0x3, 0, to_all, "DEYUV_CONVERSION"},
    {DE_PE_TRANSPARENCY, 0x03330333, 0, to_blits, "transparency (PE_TRANSPARENCY)"},
    {DE_ROT_ANGLE, 0x00030000, 0, to_sources, "destination mirror (ROT_ANGLE)"},
    {DE_ROT_ANGLE, 0x00300000, 0, to_sources, "source flip (ROT_ANGLE)"},
    {DE_ROT_ANGLE, 0x00003000, 0, to_sources, "source mirror (ROT_ANGLE)"},
    {DE_CONFIG, 0x1, 0, to_sources, "mirror (CONFIG.MIRROR_BLT)"},
    {DE_SRC_CONFIG, 1 << 7, 0, to_sources, "tiled source"},
    {DE_SRC_CONFIG, 1 << 8, 0, to_sources, "source data from the command stream"},
    {DE_SRC_CONFIG, 0xC0000000, 0, to_sources, "source byte order"},
    {DE_SRC_ROTATION_CONFIG, 0x10000, 0, to_sources, "source rotation (PE 1.0)"},
    {DE_SRC_EX_CONFIG, 0x109, 0, to_sources, "source tiling (SRC_EX_CONFIG)"},
};

// Truth tables of a ternary raster operation: bit index = dst + 2 * src + 4 * pattern.
bool rop_uses_pattern(Rop3 rop) {
    return (rop >> 4 & 0x0F) != (rop & 0x0F);
}
bool rop_uses_source(Rop3 rop) {
    return (rop >> 2 & 0x33) != (rop & 0x33);
}

/// `rop` for a source that is all zeros.
Rop3 rop_without_source(Rop3 rop) {
    return Rop3((rop & 0x33) | (rop & 0x33) << 2);
}

/// ROP.TYPE and ROP_FG as a ternary operation. ROP2 codes have four bits: dst + 2 * operand.
Rop3 decode_rop(uint32_t value) {
    const auto code = Rop3(value & 0xFF);
    const uint32_t low = code & 0xF;
    switch (value >> 20 & 3) {
    case 0: // ROP2_PATTERN: bits 0-1 where the pattern is 0, bits 2-3 where it is 1
        return Rop3((low & 3) * 0x05 | (low >> 2) * 0x50);
    case 1: // ROP2_SOURCE
        return Rop3(low * 0x11);
    default: // ROP3; ROP4, whose background code only transparent pixels get
        return code;
    }
}

bool loses_bits(const Format& format) {
    for (const render::Channel& c : {format.alpha, format.red, format.green, format.blue})
        if (c.width && c.width < 8)
            return true;
    return false;
}

/// Base address for the rendering core. The engine's addresses wrap at 32 bits; it is moved up by
/// a multiple of 4 GiB, which PeMemory drops again, so that no extent leaves the address space.
constexpr uint8_t wrapped_address_bits = 36;
uint64_t wrapped_base(uint32_t address) {
    return address | uint64_t(1) << 34;
}

int32_t low_half(uint32_t word) {
    return int16_t(word);
}
int32_t high_half(uint32_t word) {
    return int16_t(word >> 16);
}

} // namespace

uint32_t DrawingEngine::state(uint32_t address) const {
    return s_.state[address / 4];
}

void DrawingEngine::write_state(uint32_t address, uint32_t value) {
    uint32_t& cell = s_.state[address / 4];
    const DeState* known = find_de_state(address);
    cell = known ? merge(*known, cell, value) : value;
    constexpr uint32_t vr_masked = 1 << 3;
    if (address == DE_VR_CONFIG && !(value & vr_masked))
        core_.host.unimplemented(address, "filter blit (VR_CONFIG)");
}

/// True, and logged, if a rotation code turns the surface. Codes 3 and 7 are reserved: as 0.
bool DrawingEngine::rotated(uint32_t code, const char* surface) {
    if (code == 3 || code == 7)
        core_.host.guest_error(Cause::draw_rotation, code, "ROT_ANGLE code %u is reserved, as 0",
                               code);
    else if (code)
        core_.host.unimplemented(0x30000000 | code, "2D: %s rotation (ROT_ANGLE)", surface);
    return code != 0 && code != 3 && code != 7;
}

/// True, and logged, if a state asks for what cannot be drawn.
bool DrawingEngine::unimplemented_states(uint32_t applies) {
    bool found = rotated(state(DE_ROT_ANGLE) >> 3 & 7, "destination");
    if (applies & to_sources)
        found |= rotated(state(DE_ROT_ANGLE) & 7, "source");
    for (const Unimplemented& row : unimplemented_table) {
        if (!(row.applies & applies) || (state(row.address) & row.mask) == row.plain)
            continue;
        core_.host.unimplemented(0x10000000 | uint32_t(&row - unimplemented_table), "2D: %s",
                                 row.what);
        found = true;
    }
    return found;
}

bool DrawingEngine::decode(DrawSetup& setup) {
    if (!(state(GL_PIPE_SELECT) & 1)) {
        core_.host.guest_error(Cause::pipe_select, 0x200,
                               "DRAW_2D while PIPE_SELECT is 3D, ignored");
        return false;
    }
    if (!core_.chip.pe20()) {
        core_.host.unimplemented(0x20000000, "2D: PE 1.0");
        return false;
    }
    const uint32_t top_left = state(DE_CLIP_TOP_LEFT), bottom_right = state(DE_CLIP_BOTTOM_RIGHT);
    setup.clip = {low_half(top_left), high_half(top_left), low_half(bottom_right),
                  high_half(bottom_right)};
    const uint32_t command = state(DE_DEST_CONFIG) >> 12 & 0xF;
    switch (command) {
    case clear:
        return decode_clear(setup);
    case bit_blt:
        return decode_blit(setup);
    case line:
    case stretch_blt:
    case multi_source_blt:
        core_.host.unimplemented(0x20000000 | command, "2D: %s",
                                 command == line          ? "LINE"
                                 : command == stretch_blt ? "STRETCH_BLT"
                                                          : "MULTI_SOURCE_BLT");
        return false;
    default: // 3 is internal, 5 to 7 start by VR_CONFIG, the others are undefined
        core_.host.guest_error(Cause::draw_command, command, "DRAW_2D with COMMAND %u, ignored",
                               command);
        return false;
    }
}

/// CLEAR: neither ROP, pattern, source nor transparency take part.
bool DrawingEngine::decode_clear(DrawSetup& setup) {
    setup.primitive = "CLEAR";
    if (unimplemented_states(to_all) || !decode_destination(setup))
        return false;
    setup.operation.rop = 0xF0;
    setup.operation.pattern = state(DE_CLEAR_PIXEL_VALUE32);
    return true;
}

bool DrawingEngine::decode_blit(DrawSetup& setup) {
    setup.primitive = "BIT_BLT";
    Rop3 rop = decode_rop(state(DE_ROP));
    uint32_t applies = to_all | to_blits;
    if (rop_uses_source(rop))
        applies |= to_sources;
    if (unimplemented_states(applies) || !decode_destination(setup))
        return false;
    constexpr uint32_t pattern_type = 1 << 4;
    if (rop_uses_pattern(rop) && state(DE_PATTERN_CONFIG) & pattern_type) {
        core_.host.unimplemented(0x20000010, "2D: 8x8 pattern (PATTERN_CONFIG.TYPE)");
        return false;
    }
    if (rop_uses_source(rop) && !decode_source(setup, rop))
        return false;
    setup.operation.rop = rop;
    setup.operation.pattern = state(DE_PATTERN_FG_COLOR);
    return true;
}

bool DrawingEngine::decode_destination(DrawSetup& setup) {
    const uint32_t config = state(DE_DEST_CONFIG);
    const uint32_t code = config & 0x1F;
    const FormatRow& row = format_rows[code];
    if (!row.name || !row.destination) {
        core_.host.guest_error(Cause::draw_format, code,
                               "destination format 0x%02x cannot be written, draw ignored", code);
        return false;
    }
    if (!row.layout) {
        core_.host.unimplemented(0x20000100 | code, "2D: destination format %s", row.name);
        return false;
    }
    render::SurfaceDesc& d = setup.operation.destination;
    d.format = render::with_swizzle(*row.layout, render::Swizzle(config >> 16 & 3));
    d.base = wrapped_base(state(DE_DEST_ADDRESS));
    d.address_bits = wrapped_address_bits;
    d.stride = state(DE_DEST_STRIDE);
    const bool dither = (state(DE_PE_DITHER_LOW) & state(DE_PE_DITHER_HIGH)) != 0xFFFFFFFF;
    if (dither && loses_bits(d.format)) {
        core_.host.unimplemented(0x20000020, "2D: dither");
        return false;
    }
    return true;
}

/// The source of a blit whose `rop` uses one; an undefined format reads as ARGB 0.
bool DrawingEngine::decode_source(DrawSetup& setup, Rop3& rop) {
    const uint32_t config = state(DE_SRC_CONFIG);
    const uint32_t code = config >> 24 & 0x1F;
    const FormatRow& row = format_rows[code];
    if (!row.name) {
        core_.host.guest_error(Cause::draw_format, 0x100 | code,
                               "source format 0x%02x is undefined, reads as 0", code);
        rop = rop_without_source(rop);
        return true;
    }
    const bool coloured_a8 =
        row.layout == &render::formats::a8 && state(DE_GLOBAL_SRC_COLOR) & 0xFFFFFF;
    if (!row.layout || coloured_a8) {
        core_.host.unimplemented(0x20000200 | code, "2D: source format %s%s", row.name,
                                 coloured_a8 ? " with GLOBAL_SRC_COLOR" : "");
        return false;
    }
    render::SurfaceDesc& d = setup.operation.source.emplace();
    d.format = render::with_swizzle(*row.layout, render::Swizzle(config >> 20 & 3));
    d.base = wrapped_base(state(DE_SRC_ADDRESS));
    d.address_bits = wrapped_address_bits;
    d.stride = state(DE_SRC_STRIDE);
    setup.relative = config >> 6 & 1;
    setup.origin_x = low_half(state(DE_SRC_ORIGIN));
    setup.origin_y = high_half(state(DE_SRC_ORIGIN));
    return true;
}

} // namespace pixmill::vivante

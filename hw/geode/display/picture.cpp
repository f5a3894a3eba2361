// SPDX-License-Identifier: GPL-2.0-or-later
#include "picture.hpp"

#include "display.hpp"
#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::geode_display {
namespace {

constexpr PixelKind kinds[] = {
    {render::plain_format(1), 0xFFFFFF},   {render::formats::r5g6b5, 0xF8FCF8},
    {render::formats::x1r5g5b5, 0xF8F8F8}, {render::formats::x4r4g4b4, 0xF0F0F0},
    {render::formats::x8r8g8b8, 0xFFFFFF},
};

/// Decodes DISP_MODE (bits 9:8) and, for 16-bit pixels, 16BPP_MODE (bits 11:10), whose value 3 is
/// reserved. Both 32-bit modes have red in bits 23:16.
PixmillGeodeFormat format_of(uint32_t config) {
    constexpr PixmillGeodeFormat of_16bpp[] = {PIXMILL_GEODE_R5G6B5, PIXMILL_GEODE_X1R5G5B5,
                                               PIXMILL_GEODE_X4R4G4B4, PIXMILL_GEODE_R5G6B5};
    switch (display_cfg::disp_mode(config)) {
    case 0:
        return PIXMILL_GEODE_PALETTE8;
    case 1:
        return of_16bpp[display_cfg::mode_16bpp(config)];
    default:
        return PIXMILL_GEODE_X8R8G8B8;
    }
}

bool enabled(const Display& display) {
    const uint32_t general = display.s.dc[DC_GENERAL_CFG / 4],
                   config = display.s.dc[DC_DISPLAY_CFG / 4];
    return display_cfg::tgen(config) && display_cfg::gden(config) && general_cfg::dfle(general) &&
           !general_cfg::vgae(general) && display.vp.lit();
}

} // namespace

const PixelKind& kind_of(PixmillGeodeFormat format) {
    return kinds[format];
}

Picture picture_of(const Display& display, uint64_t vram_size) {
    const uint32_t(&dc)[PIXMILL_GEODE_DC_WORDS] = display.s.dc;
    const uint32_t config = dc[DC_DISPLAY_CFG / 4], size = dc[DC_FB_ACTIVE / 4];
    Picture picture;
    picture.vram_size = vram_size;
    const uint32_t width = halves::high(size) + 1, height = halves::low(size) + 1;
    if (width > PIXMILL_GEODE_MAX_WIDTH || height > PIXMILL_GEODE_MAX_HEIGHT)
        return picture;
    picture.width = width;
    picture.height = height;
    picture.format = format_of(config);
    picture.pitch = halves::low(dc[DC_GFX_PITCH / 4]) * 8;
    picture.start = dc[DC_FB_ST_OFFSET / 4];
    picture.palette = picture.format == PIXMILL_GEODE_PALETTE8 || !display_cfg::palb(config);
    picture.gamma = display.vp.gamma(false);
    picture.visible = enabled(display) &&
                      in_vram(vram_size, picture.start, picture.pitch, height, picture.row_bytes());
    return picture;
}

} // namespace pixmill::geode_display

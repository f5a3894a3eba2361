// SPDX-License-Identifier: GPL-2.0-or-later
// Layout of the scene's pictures in its buffers. Addresses are multiples of 64 bytes, strides are
// multiples of 16.
#pragma once

#include "painter.hpp"

namespace scene {

constexpr Surface FRAME{Memory::FRAME, 0, 2560, 640, 480};
constexpr Surface PHOTO{Memory::PHOTO, 0, 1280, 320, 240};
constexpr Surface ZONE{Memory::ZONE, 0, 576, 144, 176};

constexpr Surface ARROW{Memory::SPRITES, 0, 128, 32, 32};
constexpr Surface MILL{Memory::SPRITES, 0x1000, 64, 16, 16};
constexpr Surface LEFT_DISC{Memory::SPRITES, 0x1400, 192, 34, 26};
constexpr Surface RIGHT_DISC{Memory::SPRITES, 0x2800, 192, 34, 26};
constexpr Surface BALL{Memory::SPRITES, 0x3C00, 192, 40, 40};
constexpr uint32_t SPRITES_BYTES = 0x6000;

constexpr Surface FONT{Memory::FONT, 0, 16, 128, 48, MONOCHROME};
constexpr int LETTER_PITCH = 6, LETTER_HEIGHT = 8;

constexpr Surface WORD_MASK{Memory::MASKS, 0, 128, 128, 32, A8};
constexpr Surface LOGO_MASK{Memory::MASKS, 0x1000, 64, 64, 64, A8};

constexpr Surface PLASMA{Memory::INDEXED, 0, 192, 144, 88, INDEX8};

constexpr int VIDEO_WIDTH = 64, VIDEO_HEIGHT = 40;
constexpr Surface VIDEO_NV21{Memory::VIDEO,  0,           64, VIDEO_WIDTH, VIDEO_HEIGHT, NV12, ARGB,
                             Tiling::LINEAR, {0x1000, 64}};
constexpr Surface VIDEO_YV12{Memory::VIDEO, 0x2000,      64,   VIDEO_WIDTH,
                             VIDEO_HEIGHT,  YV12,        ARGB, Tiling::LINEAR,
                             {0x4000, 64},  {0x3000, 64}};
constexpr Surface VIDEO_YUY2{Memory::VIDEO, 0x5000, 128, VIDEO_WIDTH, VIDEO_HEIGHT, YUY2};
constexpr Surface VIDEO_UYVY{Memory::VIDEO, 0x7000, 128, VIDEO_WIDTH, VIDEO_HEIGHT, UYVY};
constexpr int BARS_HEIGHT = 12;
constexpr Surface BARS_601{Memory::VIDEO, 0x9000, 128, VIDEO_WIDTH, BARS_HEIGHT, YUY2};
constexpr Surface BARS_709{Memory::VIDEO, 0xA000, 128, VIDEO_WIDTH, BARS_HEIGHT, YUY2};
constexpr Surface VIDEO_NV61{Memory::VIDEO,  0xB000,      64, VIDEO_WIDTH, VIDEO_HEIGHT, NV16, ARGB,
                             Tiling::LINEAR, {0xC000, 64}};
constexpr uint32_t VIDEO_BYTES = 0xD000;

constexpr uint32_t BRUSH_8888 = 0, BRUSH_565 = 0x100;

// Panes of the photo in the tilings of 3D cores, and with swapped bytes. Borders of large tiles run
// through the panes. The second half of a surface is at a lower address than the first.
constexpr int PANE_WIDTH = 46, PANE_HEIGHT = 43;
constexpr Point PANE{41, 43};
constexpr Surface SUPER_TILES{Memory::TILES, 0, 512, 128, 128, A8R8G8B8, ARGB, Tiling::SUPER_TILED};
constexpr Surface MULTI_TILES{Memory::TILES,       0x18000, 512, 128,     128,    A8R8G8B8, ARGB,
                              Tiling::MULTI_TILED, {},      {},  NO_SWAP, 0x10000};
constexpr Surface MULTI_SUPER_TILES{
    Memory::TILES, 0x28000, 512, 128, 128, A8R8G8B8, ARGB, Tiling::MULTI_SUPER_TILED, {}, {},
    NO_SWAP,       0x20000};
constexpr Surface SWAPPED{Memory::TILES, 0x30000,        256, 128, 128,      R5G6B5,
                          ARGB,          Tiling::LINEAR, {},  {},  SWAP_WORD};
constexpr uint32_t TILES_BYTES = 0x38000;

constexpr uint32_t SCRATCH_BYTES = 0x100000;

// Returns a surface in the scratch buffer.
constexpr Surface scratch(uint32_t offset, int width, int height, Format format = A8R8G8B8,
                          Swizzle swizzle = ARGB, Tiling tiling = Tiling::LINEAR) {
    const uint32_t stride = uint32_t(width) * (format >= X8R8G8B8 && format <= A8R8G8B8 ? 4 : 2);
    return {Memory::SCRATCH, offset, (stride + 63) & ~63U, width, height, format, swizzle, tiling};
}

constexpr Surface with_swap(Surface surface, Swap swap) {
    surface.swap = swap;
    return surface;
}

// Returns a pane's top left corner in the photo. There are two rows of three panes.
constexpr Point pane_of(int index) {
    return {12 + index % 3 * (PANE_WIDTH + 3), 44 + index / 3 * (PANE_HEIGHT + 2)};
}
enum Pane { TILES_PANE, SUPER_PANE, SWAPPED_PANE, MULTI_PANE, MULTI_SUPER_PANE, ROWS_PANE };

// Returns the top left corner of a letter in FONT.
Point glyph_of(char letter);

} // namespace scene

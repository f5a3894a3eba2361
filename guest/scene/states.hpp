// SPDX-License-Identifier: GPL-2.0-or-later
// 2D engine states and values that the scene uses, named as in rnndb state_2d.xml.
#pragma once

#include <cstdint>

namespace scene {

enum State : uint32_t {
    SRC_ADDRESS = 0x1200,
    SRC_STRIDE = 0x1204,
    SRC_ROTATION_CONFIG = 0x1208,
    SRC_CONFIG = 0x120C,
    SRC_ORIGIN = 0x1210,
    SRC_SIZE = 0x1214,
    SRC_COLOR_BG = 0x1218,
    SRC_COLOR_FG = 0x121C,
    STRETCH_FACTOR_LOW = 0x1220,
    STRETCH_FACTOR_HIGH = 0x1224,
    DEST_ADDRESS = 0x1228,
    DEST_STRIDE = 0x122C,
    DEST_ROTATION_CONFIG = 0x1230,
    DEST_CONFIG = 0x1234,
    PATTERN_ADDRESS = 0x1238,
    PATTERN_CONFIG = 0x123C,
    PATTERN_LOW = 0x1240,
    PATTERN_HIGH = 0x1244,
    PATTERN_MASK_LOW = 0x1248,
    PATTERN_MASK_HIGH = 0x124C,
    PATTERN_BG_COLOR = 0x1250,
    PATTERN_FG_COLOR = 0x1254,
    ROP = 0x125C,
    CLIP_TOP_LEFT = 0x1260,
    CLIP_BOTTOM_RIGHT = 0x1264,
    CLEAR_BYTE_MASK = 0x1268,
    CONFIG = 0x126C,
    CLEAR_PIXEL_VALUE_LOW = 0x1270,
    CLEAR_PIXEL_VALUE_HIGH = 0x1274,
    SRC_ORIGIN_FRACTION = 0x1278,
    ALPHA_CONTROL = 0x127C,
    ALPHA_MODES = 0x1280,
    UPLANE_ADDRESS = 0x1284,
    UPLANE_STRIDE = 0x1288,
    VPLANE_ADDRESS = 0x128C,
    VPLANE_STRIDE = 0x1290,
    VR_CONFIG = 0x1294,
    VR_SOURCE_IMAGE_LOW = 0x1298,
    VR_SOURCE_IMAGE_HIGH = 0x129C,
    VR_SOURCE_ORIGIN_LOW = 0x12A0,
    VR_SOURCE_ORIGIN_HIGH = 0x12A4,
    VR_TARGET_WINDOW_LOW = 0x12A8,
    VR_TARGET_WINDOW_HIGH = 0x12AC,
    DEST_ROTATION_HEIGHT = 0x12B4,
    SRC_ROTATION_HEIGHT = 0x12B8,
    ROT_ANGLE = 0x12BC,
    CLEAR_PIXEL_VALUE32 = 0x12C0,
    DEST_COLOR_KEY = 0x12C4,
    GLOBAL_SRC_COLOR = 0x12C8,
    GLOBAL_DEST_COLOR = 0x12CC,
    COLOR_MULTIPLY_MODES = 0x12D0,
    PE_TRANSPARENCY = 0x12D4,
    PE_CONTROL = 0x12D8,
    SRC_COLOR_KEY_HIGH = 0x12DC,
    DEST_COLOR_KEY_HIGH = 0x12E0,
    VR_CONFIG_EX = 0x12E4,
    PE_DITHER_LOW = 0x12E8,
    PE_DITHER_HIGH = 0x12EC,
    BW_CONFIG = 0x12F0,
    SRC_EX_CONFIG = 0x1300,
    SRC_EX_ADDRESS = 0x1304,
    DE_MULTI_SOURCE = 0x1308,
    DEYUV_CONVERSION = 0x130C,
    PLANE2_ADDRESS = 0x1310,
    PLANE2_STRIDE = 0x1314,
    PLANE3_ADDRESS = 0x1318,
    PLANE3_STRIDE = 0x131C,
    GENERAL_CONFIG = 0x1328,
    FILTER_KERNEL = 0x1800,
    HORI_FILTER_KERNEL = 0x2800,
    VERTI_FILTER_KERNEL = 0x2A00,
    INDEX_COLOR_TABLE32 = 0x3400,
    FLUSH_CACHE = 0x380C,
    BLOCK4 = 0x12800, // states of sources 1 to 3
};

enum Format : uint32_t {
    X4R4G4B4 = 0,
    A4R4G4B4 = 1,
    X1R5G5B5 = 2,
    A1R5G5B5 = 3,
    R5G6B5 = 4,
    X8R8G8B8 = 5,
    A8R8G8B8 = 6,
    YUY2 = 7,
    UYVY = 8,
    INDEX8 = 9,
    MONOCHROME = 10,
    YV12 = 15,
    A8 = 16,
    NV12 = 17,
    NV16 = 18,
};

enum Swizzle : uint32_t { ARGB, RGBA, ABGR, BGRA };

// Byte orders: unchanged, swapped within 16-bit units, swapped within 32-bit units.
enum Swap : uint32_t { NO_SWAP, SWAP_WORD, SWAP_DWORD };

enum Command : uint32_t {
    CLEAR,
    LINE,
    BIT_BLT,
    STRETCH_BLT = 4,
    HOR_FILTER_BLT,
    VER_FILTER_BLT,
    ONE_PASS_FILTER_BLT,
    MULTI_SOURCE_BLT,
};

enum Rotation : uint32_t { ROT0, FLIP_X, FLIP_Y, ROT90 = 4, ROT180, ROT270 };
enum Mirror : uint32_t { MIRROR_NONE, MIRROR_X, MIRROR_Y, MIRROR_XY };

enum Factor : uint32_t {
    ZERO,
    ONE,
    NORMAL,
    INVERSED,
    COLOR,
    COLOR_INVERSED,
};

// ROP3 codes: bits of destination 0xAA, source 0xCC, pattern 0xF0.
constexpr uint8_t ROP_DESTINATION = 0xAA, ROP_SOURCE = 0xCC, ROP_PATTERN = 0xF0;
constexpr uint8_t ROP_XOR_PATTERN = ROP_DESTINATION ^ ROP_PATTERN;

// Selects the source where the pattern is 1, and the destination elsewhere.
constexpr uint8_t ROP_CHOICE = (ROP_PATTERN & ROP_SOURCE) | (~ROP_PATTERN & ROP_DESTINATION);

// ROP2 codes have four bits: destination 0b1010, pattern or source 0b1100.
enum RopType : uint32_t { ROP2_PATTERN, ROP2_SOURCE, ROP3, ROP4 };
constexpr uint8_t ROP2_XOR = 0b1010 ^ 0b1100;
constexpr uint32_t SOURCE_IS_RELATIVE = 1 << 6, SOURCE_IS_TILED = 1 << 7, DEST_IS_TILED = 1 << 8;
constexpr uint32_t EX_MULTI_TILED = 1 << 0, EX_SUPER_TILED = 1 << 3;
// The reset value, 0x12, with SUPERTILE_VERSION (bits 1:0) cleared, which selects the order of
// cores that have only one.
constexpr uint32_t FIRST_SUPER_TILES = 0x10;
constexpr uint32_t DEST_GDI_STRETCH = 1 << 24;
constexpr uint32_t PATTERN_8X8 = 1 << 4, PATTERN_INIT_ALL = 3 << 6;
constexpr uint32_t SOURCE_MASK = 1, SOURCE_KEY = 2, PATTERN_MASK = 1 << 4, DESTINATION_KEY = 2 << 8;
constexpr uint32_t DFB_COLOR_KEY = 1 << 29;
constexpr uint32_t PLANES_RGB = 3 | 2 << 8 | 1 << 16 | 0 << 24; // selectors count up from blue
constexpr uint32_t YUV_709 = 1, UV_SWIZZLE_VU = 1 << 4;
constexpr uint32_t SRC_OWN_ALPHA = 1 << 27; // the source factor uses the source's alpha
constexpr uint32_t GLOBAL_SRC_ALPHA_SCALED = 2 << 8;
constexpr uint32_t SRC_PREMULTIPLY = 1, SRC_GLOBAL_ALPHA = 1 << 8, SRC_GLOBAL_COLOR = 2 << 8;
constexpr uint32_t DST_PREMULTIPLY = 1 << 4, DST_DEMULTIPLY = 1 << 20;
constexpr uint32_t FLUSH_PE2D = 8;

} // namespace scene

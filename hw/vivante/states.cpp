// SPDX-License-Identifier: GPL-2.0-or-later
//
// Addresses, names and masks: rnndb state.xml, state_2d.xml of etna_viv; gcreg.h of the
// Vivante 2D HAL for write masks.
#include "states.hpp"

#include <array>

#include "offsets.hpp"

namespace pixmill::vivante {
namespace {

struct Range {
    uint32_t first, last;
    Owner owner;
    const char* name;
};

constexpr Range ranges[] = {
    {0x00000, 0x005FF, Owner::alias, "HI"},
    {0x00600, 0x007FF, Owner::stored, "FE"},
    {0x00800, 0x00FFF, Owner::stored, "VS/CL/PA/SE/RA"},
    {0x01000, 0x011FF, Owner::stored, "PS"},
    {0x01200, 0x013FF, Owner::de, "DE"},
    {0x01400, 0x015FF, Owner::stored, "PE"},
    {0x01600, 0x017FF, Owner::stored, "RS/TS"},
    {0x01800, 0x019FF, Owner::stored, "FILTER_KERNEL"},
    {0x01C00, 0x01FFF, Owner::stored, "INDEX_COLOR_TABLE"},
    {0x02000, 0x02FFF, Owner::stored, "TE"}, // and the one-pass filter kernels, 0x2800-0x2BFF
    {0x03000, 0x033FF, Owner::stored, "CO"},
    {0x03400, 0x037FF, Owner::stored, "INDEX_COLOR_TABLE32"},
    {0x03800, 0x03BFF, Owner::gl, "GL"},
    {0x03C00, 0x03C03, Owner::gl, "GL_STALL_TOKEN"},
    {0x04000, 0x0FFFF, Owner::stored, "SH"},
    {0x10000, 0x127FF, Owner::stored, "NTE"},
    {0x12800, 0x12FFF, Owner::stored, "DE_MULTI_SOURCE"},
    {0x13800, 0x13FFF, Owner::stored, "DE_GAMMA"},
    {0x14000, 0x145FF, Owner::stored, "BLT"},
    {0x14600, 0x147FF, Owner::stored, "NFE"},
    {0x3FFFC, 0x3FFFF, Owner::dummy, "DUMMY"},
};

constexpr uint32_t all = 0xFFFFFFFF;
constexpr uint32_t address = 0xFFFFFFFC;
constexpr uint32_t stride = 0x0003FFFC;

// clang-format off
constexpr DeState table[] = {
    {0x1200, "SRC_ADDRESS", address},
    {0x1204, "SRC_STRIDE", stride},
    {0x1208, "SRC_ROTATION_CONFIG", 0x0001FFFF},
    {0x120C, "SRC_CONFIG", 0xFF31B1FF},
    {0x1210, "SRC_ORIGIN", all},
    {0x1214, "SRC_SIZE", all},
    {0x1218, "SRC_COLOR_BG", all},
    {0x121C, "SRC_COLOR_FG", all},
    {0x1220, "STRETCH_FACTOR_LOW", 0x7FFFFFFF},
    {0x1224, "STRETCH_FACTOR_HIGH", 0x7FFFFFFF},
    {0x1228, "DEST_ADDRESS", address},
    {0x122C, "DEST_STRIDE", stride},
    {0x1230, "DEST_ROTATION_CONFIG", 0x0001FFFF},
    {0x1234, "DEST_CONFIG", 0x0733F11F},
    {0x1238, "PATTERN_ADDRESS", address},
    {0x123C, "PATTERN_CONFIG", 0xFF7703FF},
    {0x1240, "PATTERN_LOW", all},
    {0x1244, "PATTERN_HIGH", all},
    {0x1248, "PATTERN_MASK_LOW", all, all},
    {0x124C, "PATTERN_MASK_HIGH", all, all},
    {0x1250, "PATTERN_BG_COLOR", all},
    {0x1254, "PATTERN_FG_COLOR", all},
    {0x1258, "FILTER_BLIT", 0x000000FF},
    {0x125C, "ROP", 0x0030FFFF},
    {0x1260, "CLIP_TOP_LEFT", 0x7FFF7FFF},
    {0x1264, "CLIP_BOTTOM_RIGHT", 0x7FFF7FFF},
    {0x1268, "CLEAR_BYTE_MASK", 0x000000FF},
    {0x126C, "CONFIG", 0x00370031},
    {0x1270, "CLEAR_PIXEL_VALUE_LOW", all},
    {0x1274, "CLEAR_PIXEL_VALUE_HIGH", all},
    {0x1278, "SRC_ORIGIN_FRACTION", all},
    {0x127C, "ALPHA_CONTROL", 0xFFFF0001},
    {0x1280, "ALPHA_MODES", 0xFF113311},
    {0x1284, "UPLANE_ADDRESS", address},
    {0x1288, "UPLANE_STRIDE", stride},
    {0x128C, "VPLANE_ADDRESS", address},
    {0x1290, "VPLANE_STRIDE", stride},
    {0x1294, "VR_CONFIG", 0x00000003, 0, {{0x3, 1 << 3}}},
    {0x1298, "VR_SOURCE_IMAGE_LOW", all},
    {0x129C, "VR_SOURCE_IMAGE_HIGH", all},
    {0x12A0, "VR_SOURCE_ORIGIN_LOW", all},
    {0x12A4, "VR_SOURCE_ORIGIN_HIGH", all},
    {0x12A8, "VR_TARGET_WINDOW_LOW", all},
    {0x12AC, "VR_TARGET_WINDOW_HIGH", all},
    {0x12B0, "PE_CONFIG", 0x00000003, 0, {{0x3, 1 << 3}}},
    {0x12B4, "DEST_ROTATION_HEIGHT", 0x0000FFFF},
    {0x12B8, "SRC_ROTATION_HEIGHT", 0x0000FFFF},
    {0x12BC, "ROT_ANGLE", 0x01B3303F, 0,
        {{0x7, 1 << 8}, {0x38, 1 << 9}, {0x3000, 1 << 15}, {0x30000, 1 << 19},
         {0x300000, 1 << 22}, {0x1800000, 1 << 25}}},
    {0x12C0, "CLEAR_PIXEL_VALUE32", all},
    {0x12C4, "DEST_COLOR_KEY", all},
    {0x12C8, "GLOBAL_SRC_COLOR", all},
    {0x12CC, "GLOBAL_DEST_COLOR", all},
    {0x12D0, "COLOR_MULTIPLY_MODES", 0x00100311},
    {0x12D4, "PE_TRANSPARENCY", 0x23330333, 0,
        {{0x333, 1 << 12}, {0x3330000, 1 << 28}, {0x20000000, 1u << 31}}},
    {0x12D8, "PE_CONTROL", 0x00000111, 0, {{0x1, 1 << 3}, {0x10, 1 << 7}, {0x100, 1 << 11}}},
    {0x12DC, "SRC_COLOR_KEY_HIGH", all},
    {0x12E0, "DEST_COLOR_KEY_HIGH", all},
    {0x12E4, "VR_CONFIG_EX", 0x000000F3, 0, {{0x3, 1 << 3}, {0xF0, 1 << 8}}},
    {0x12E8, "PE_DITHER_LOW", all, all},
    {0x12EC, "PE_DITHER_HIGH", all, all},
    {0x12F0, "BW_CONFIG", 0x00001111, 0,
        {{0x1, 1 << 3}, {0x10, 1 << 7}, {0x100, 1 << 11}, {0x1000, 1 << 15}}},
    {0x12F4, "BW_BLOCK_SIZE", all},
    {0x12F8, "BW_TILE_SIZE", all},
    {0x12FC, "BW_BLOCK_MASK", all},
    {0x1300, "SRC_EX_CONFIG", 0x00000109},
    {0x1304, "SRC_EX_ADDRESS", address},
    {0x1308, "DE_MULTI_SOURCE", 0x00070707},
    {0x130C, "DEYUV_CONVERSION", all},
    {0x1310, "PLANE2_ADDRESS", address},
    {0x1314, "PLANE2_STRIDE", stride},
    {0x1318, "PLANE3_ADDRESS", address},
    {0x131C, "PLANE3_STRIDE", stride},
    {0x1320, "STALL_DE", 0x00000001},
};
// clang-format on

constexpr uint32_t de_first = 0x1200, de_last = 0x13FF;
constexpr uint8_t none = 0xFF;

constexpr auto de_index = [] {
    std::array<uint8_t, (de_last + 1 - de_first) / 4> map{};
    map.fill(none);
    for (size_t i = 0; i < std::size(table); i++)
        map[(table[i].address - de_first) / 4] = uint8_t(i);
    return map;
}();

// Owners by 128-byte block: every range begins and ends on one, but for two single words.
constexpr auto owners = [] {
    std::array<Owner, 0x40000 / 128> map{};
    for (const Range& range : ranges)
        for (uint32_t a = range.first & ~127u; a <= range.last; a += 128)
            map[a / 128] = range.owner;
    return map;
}();

struct GlName {
    uint32_t address;
    const char* name;
};

constexpr GlName gl_names[] = {
    {0x3800, "PIPE_SELECT"},
    {0x3804, "EVENT"},
    {0x3808, "SEMAPHORE_TOKEN"},
    {0x380C, "FLUSH_CACHE"},
    {0x3810, "FLUSH_MMU"},
    {0x3814, "VERTEX_ELEMENT_CONFIG"},
    {0x3818, "MULTI_SAMPLE_CONFIG"},
    {0x3824, "OCCLUSION_QUERY_ADDR"},
    {0x384C, "API_MODE"},
    {0x3850, "CONTEXT_POINTER"},
    {0x3848, "(unnamed)"}, // galcore writes it after it has configured the MMU
    {0x3868, "FENCE_OUT_ADDRESS"},
    {0x386C, "FENCE_OUT_DATA_LOW"},
    {0x3898, "FENCE_OUT_DATA_HIGH"},
    {0x3C00, "STALL_TOKEN"},
};

const char* gl_name(uint32_t a) {
    for (const GlName& gl : gl_names)
        if (gl.address == a)
            return gl.name;
    return nullptr;
}

} // namespace

Owner owner_of(uint32_t a) {
    if (a >= STATE_DUMMY)
        return Owner::dummy;
    const Owner owner = owners[a / 128];
    const bool unknown = (owner == Owner::de && !find_de_state(a)) ||
                         (owner == Owner::gl && !gl_name(a)) || owner == Owner::dummy;
    return unknown ? Owner::none : owner;
}

std::span<const DeState> de_states() {
    return table;
}

const DeState* find_de_state(uint32_t a) {
    if (a < de_first || a > de_last || de_index[(a - de_first) / 4] == none)
        return nullptr;
    return &table[de_index[(a - de_first) / 4]];
}

uint32_t merge(const DeState& state, uint32_t old, uint32_t written) {
    uint32_t change = state.mask;
    for (const DeState::Group& group : state.groups)
        if (written & group.mask)
            change &= ~group.bits;
    return (old & ~change) | (written & change);
}

const char* state_name(uint32_t a) {
    if (const DeState* de = find_de_state(a))
        return de->name;
    if (const char* gl = gl_name(a))
        return gl;
    for (const Range& range : ranges)
        if (a >= range.first && a <= range.last)
            return range.name;
    return "";
}

} // namespace pixmill::vivante

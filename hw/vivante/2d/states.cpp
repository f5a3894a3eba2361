// SPDX-License-Identifier: GPL-2.0-or-later
//
// Addresses, names and masks: rnndb state.xml, state_2d.xml of etna_viv; gcreg.h of the
// Vivante 2D HAL for write masks.
#include "states.hpp"

#include <algorithm>
#include <array>

#include "vivante/offsets.hpp"

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
    {0x01800, 0x019FF, Owner::de, "FILTER_KERNEL"},
    {0x01C00, 0x01FFF, Owner::de, "INDEX_COLOR_TABLE"},
    {0x02000, 0x027FF, Owner::stored, "TE"},
    {0x02800, 0x029FF, Owner::de, "HORI_FILTER_KERNEL"},
    {0x02A00, 0x02BFF, Owner::de, "VERTI_FILTER_KERNEL"},
    {0x02C00, 0x02FFF, Owner::stored, "TE"},
    {0x03000, 0x033FF, Owner::stored, "CO"},
    {0x03400, 0x037FF, Owner::de, "INDEX_COLOR_TABLE32"},
    {0x03800, 0x03BFF, Owner::gl, "GL"},
    {0x03C00, 0x03C03, Owner::gl, "GL_STALL_TOKEN"},
    {0x04000, 0x0FFFF, Owner::stored, "SH"},
    {0x10000, 0x127FF, Owner::stored, "NTE"},
    {0x12800, 0x12FFF, Owner::de, "DE_MULTI_SOURCE"},
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
    {0x120C, "SRC_CONFIG", 0xFFBFF7FF},
    {0x1210, "SRC_ORIGIN", all},
    {0x1214, "SRC_SIZE", all},
    {0x1218, "SRC_COLOR_BG", all},
    {0x121C, "SRC_COLOR_FG", all},
    {0x1220, "STRETCH_FACTOR_LOW", 0x7FFFFFFF},
    {0x1224, "STRETCH_FACTOR_HIGH", 0x7FFFFFFF},
    {0x1228, "DEST_ADDRESS", address},
    {0x122C, "DEST_STRIDE", stride},
    {0x1230, "DEST_ROTATION_CONFIG", 0x0001FFFF},
    {0x1234, "DEST_CONFIG", 0x073BFFFF},
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
    {0x12D0, "COLOR_MULTIPLY_MODES", 0x00300311},
    {0x12D4, "PE_TRANSPARENCY", 0x23330333, 0,
        {{0x333, 1 << 12}, {0x3330000, 1 << 28}, {0x20000000, 1u << 31}}},
    {0x12D8, "PE_CONTROL", 0x00011113, 0,
        {{0x3, 1 << 3}, {0x10, 1 << 7}, {0x100, 1 << 11}, {0x1000, 1 << 15}, {0x10000, 1 << 19}}},
    {0x12DC, "SRC_COLOR_KEY_HIGH", all},
    {0x12E0, "DEST_COLOR_KEY_HIGH", all},
    {0x12E4, "VR_CONFIG_EX", 0x0007AAF3, 0,
        {{0x3, 1 << 3}, {0xF0, 1 << 8}, {0x200, 1 << 10}, {0x800, 1 << 12}, {0x2000, 1 << 14},
         {0x78000, 1 << 19}}},
    {0x12E8, "PE_DITHER_LOW", all, all},
    {0x12EC, "PE_DITHER_HIGH", all, all},
    {0x12F0, "BW_CONFIG", 0x00011111, 0,
        {{0x1, 1 << 3}, {0x10, 1 << 7}, {0x100, 1 << 11}, {0x1000, 1 << 15}, {0x10000, 1 << 19}}},
    {0x12F4, "BW_BLOCK_SIZE", all},
    {0x12F8, "BW_TILE_SIZE", all},
    {0x12FC, "BW_BLOCK_MASK", all},
    {0x1300, "SRC_EX_CONFIG", 0x0000B109, 0, {{0x2000, 1 << 14}, {0x8000, 1 << 16}}},
    {0x1304, "SRC_EX_ADDRESS", address},
    {0x1308, "DE_MULTI_SOURCE", 0x00070707},
    {0x130C, "DEYUV_CONVERSION", all},
    {0x1310, "PLANE2_ADDRESS", address},
    {0x1314, "PLANE2_STRIDE", stride},
    {0x1318, "PLANE3_ADDRESS", address},
    {0x131C, "PLANE3_STRIDE", stride},
    {0x1320, "STALL_DE", 0x00000001},
    // Newer cores; the names are nano2D's where rnndb has none.
    {0x1324, "BLOCK_SIZE", all},
    // The fields of cache modes are those below each mask bit, of which alone something is known.
    {0x1328, "GENERAL_CONFIG", 0x007DB557, 0x12,
        {{0x7, 1 << 3}, {0x10, 1 << 5}, {0x40, 1 << 7}, {0x100, 1 << 9}, {0x400, 1 << 11},
         {0x3000, 1 << 14}, {0x18000, 1 << 17}, {0x7C0000, 1 << 23}}},
    {0x132C, "DEST_CONFIG_EX", 0xF7F57013, 0x04000000,
        {{0x3, 1 << 3}, {0x10, 1 << 7}, {0x1000, 1 << 15}, {0x10000, 1 << 17}, {0x40000, 1 << 19}}},
    {0x1330, "PATTERN_COLOR0", all},
    {0x1334, "PATTERN_COLOR1", all},
    {0x1338, "PATTERN_COLOR2", all},
    {0x133C, "PATTERN_COLOR3", all},
    {0x1340, "YUV2RGB_COEF0", all},
    {0x1344, "YUV2RGB_COEF1", all},
    {0x1348, "YUV2RGB_COEF2", all},
    {0x134C, "YUV2RGB_COEF3", all},
    {0x1350, "YUV2RGB_COEF4", all},
    {0x1354, "YUV2RGB_COEF_D0", all},
    {0x1358, "YUV2RGB_COEF_D1", all},
    {0x135C, "YUV2RGB_COEF_D2", all},
    {0x1360, "RGB2YUV_COEF0", all},
    {0x1364, "RGB2YUV_COEF1", all},
    {0x1368, "RGB2YUV_COEF2", all},
    {0x136C, "RGB2YUV_COEF3", all},
    {0x1370, "RGB2YUV_COEF4", all},
    {0x1374, "RGB2YUV_COEF_D0", all},
    {0x1378, "RGB2YUV_COEF_D1", all},
    {0x137C, "RGB2YUV_COEF_D2", all},
    {0x1380, "WALKER_CONFIG", 0x0000000D, 0, {{0x1, 1 << 1}, {0xC, 1 << 4}}},
    {0x1384, "DST_TILE_STATUS_ADDRESS", all},
    {0x1388, "REORDER_CONTROL", all},
    {0x138C, "TPC_CONFIG", all},
    {0x1390, "TPC_HEADER", all},
    {0x1394, "TPC_PAYLOAD", all},
    {0x1398, "DST_TILE_STATUS_CLEAR", all},
    {0x139C, "DST_TILE_STATUS_CONFIG", all},
    {0x13A0, "DST_PLANE0_ALIGN_CONFIG", all},
    {0x13A4, "DST_PLANE1_ALIGN_CONFIG", all},
};
// clang-format on

/// The base state of each group of registers of a multi-source block, in the block's order.
constexpr uint16_t source_groups[] = {
    0x1200, 0x1204, 0x1208, 0x120C, 0x1210, 0x1214, 0x1218, 0x125C, 0x127C, 0x1280, 0x1284, 0x1288,
    0x128C, 0x1290, 0x12B8, 0x12BC, 0x12C8, 0x12CC, 0x12D0, 0x12D4, 0x12D8, 0x12DC, 0x1300, 0x1304,
};
struct SourceBlock {
    uint32_t first, sources;
};
constexpr SourceBlock source_blocks[] = {{0x12800, 4}, {0x12A00, 8}};

/// The base state of a multi-source register, or its own address.
uint32_t base_state(uint32_t a) {
    for (const SourceBlock& block : source_blocks) {
        const uint32_t group = (a - block.first) / (4 * block.sources);
        if (a >= block.first && group < std::size(source_groups))
            return source_groups[group];
    }
    return a;
}

constexpr uint32_t de_last = 0x13FF;
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
    const bool unknown =
        (owner == Owner::de && a >= de_first && a <= de_last && !find_de_state(a)) ||
        (owner == Owner::gl && !gl_name(a)) || owner == Owner::dummy;
    return unknown ? Owner::none : owner;
}

std::span<const DeState> de_states() {
    return table;
}

uint32_t source_state(bool eight, unsigned n, uint32_t base) {
    const SourceBlock& block = source_blocks[eight];
    const auto* group = std::find(std::begin(source_groups), std::end(source_groups), base);
    const auto index = uint32_t(group - std::begin(source_groups));
    return block.first + 4 * (block.sources * index + n);
}

const DeState* find_de_state(uint32_t a) {
    a = base_state(a);
    if (a < de_first || a > de_last || de_index[(a - de_first) / 4] == none)
        return nullptr;
    return &table[de_index[(a - de_first) / 4]];
}

void mask_states(std::span<uint32_t> words) {
    for (const DeState& state : table)
        words[state.address / 4] &= state.mask;
    for (const SourceBlock& block : source_blocks)
        for (uint32_t i = 0; i < block.sources * std::size(source_groups); i++)
            words[block.first / 4 + i] &= find_de_state(block.first + 4 * i)->mask;
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

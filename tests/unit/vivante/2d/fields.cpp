/*
 * The table of 2D states derives masks from fields. The derived masks must equal those in the 2D
 * HAL's register header (gcreg.h; for newer cores, nano2D's header) and in rnndb state_2d.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "vivante/2d/fields.hpp"

namespace pixmill::test {
namespace {

using vivante::StateRow;

struct Group {
    uint32_t bits, mask;
};

struct Row {
    uint32_t address;
    const char* name;
    uint32_t mask, reset;
    std::vector<Group> groups;
};

// clang-format off
const Row kRows[] = {
    {0x1200, "SRC_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1204, "SRC_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x1208, "SRC_ROTATION_CONFIG", 0x0001FFFF, 0x00000000, {}},
    {0x120C, "SRC_CONFIG", 0xFFBFF7FF, 0x00000000, {}},
    {0x1210, "SRC_ORIGIN", 0xFFFFFFFF, 0x00000000, {}},
    {0x1214, "SRC_SIZE", 0xFFFFFFFF, 0x00000000, {}},
    {0x1218, "SRC_COLOR_BG", 0xFFFFFFFF, 0x00000000, {}},
    {0x121C, "SRC_COLOR_FG", 0xFFFFFFFF, 0x00000000, {}},
    {0x1220, "STRETCH_FACTOR_LOW", 0x7FFFFFFF, 0x00000000, {}},
    {0x1224, "STRETCH_FACTOR_HIGH", 0x7FFFFFFF, 0x00000000, {}},
    {0x1228, "DEST_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x122C, "DEST_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x1230, "DEST_ROTATION_CONFIG", 0x0001FFFF, 0x00000000, {}},
    {0x1234, "DEST_CONFIG", 0x073BFFFF, 0x00000000, {}},
    {0x1238, "PATTERN_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x123C, "PATTERN_CONFIG", 0xFF7703FF, 0x00000000, {}},
    {0x1240, "PATTERN_LOW", 0xFFFFFFFF, 0x00000000, {}},
    {0x1244, "PATTERN_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x1248, "PATTERN_MASK_LOW", 0xFFFFFFFF, 0xFFFFFFFF, {}},
    {0x124C, "PATTERN_MASK_HIGH", 0xFFFFFFFF, 0xFFFFFFFF, {}},
    {0x1250, "PATTERN_BG_COLOR", 0xFFFFFFFF, 0x00000000, {}},
    {0x1254, "PATTERN_FG_COLOR", 0xFFFFFFFF, 0x00000000, {}},
    {0x1258, "FILTER_BLIT", 0x000000FF, 0x00000000, {}},
    {0x125C, "ROP", 0x0030FFFF, 0x00000000, {}},
    {0x1260, "CLIP_TOP_LEFT", 0x7FFF7FFF, 0x00000000, {}},
    {0x1264, "CLIP_BOTTOM_RIGHT", 0x7FFF7FFF, 0x00000000, {}},
    {0x1268, "CLEAR_BYTE_MASK", 0x000000FF, 0x00000000, {}},
    {0x126C, "CONFIG", 0x00370031, 0x00000000, {}},
    {0x1270, "CLEAR_PIXEL_VALUE_LOW", 0xFFFFFFFF, 0x00000000, {}},
    {0x1274, "CLEAR_PIXEL_VALUE_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x1278, "SRC_ORIGIN_FRACTION", 0xFFFFFFFF, 0x00000000, {}},
    {0x127C, "ALPHA_CONTROL", 0xFFFF0001, 0x00000000, {}},
    {0x1280, "ALPHA_MODES", 0xFF113311, 0x00000000, {}},
    {0x1284, "UPLANE_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1288, "UPLANE_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x128C, "VPLANE_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1290, "VPLANE_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x1294, "VR_CONFIG", 0x00000003, 0x00000000, {{0x3, 1u << 3}}},
    {0x1298, "VR_SOURCE_IMAGE_LOW", 0xFFFFFFFF, 0x00000000, {}},
    {0x129C, "VR_SOURCE_IMAGE_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x12A0, "VR_SOURCE_ORIGIN_LOW", 0xFFFFFFFF, 0x00000000, {}},
    {0x12A4, "VR_SOURCE_ORIGIN_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x12A8, "VR_TARGET_WINDOW_LOW", 0xFFFFFFFF, 0x00000000, {}},
    {0x12AC, "VR_TARGET_WINDOW_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x12B0, "PE_CONFIG", 0x00000003, 0x00000000, {{0x3, 1u << 3}}},
    {0x12B4, "DEST_ROTATION_HEIGHT", 0x0000FFFF, 0x00000000, {}},
    {0x12B8, "SRC_ROTATION_HEIGHT", 0x0000FFFF, 0x00000000, {}},
    {0x12BC, "ROT_ANGLE", 0x01B3303F, 0x00000000, {{0x7, 1u << 8}, {0x38, 1u << 9}, {0x3000, 1u << 15}, {0x30000, 1u << 19}, {0x300000, 1u << 22}, {0x1800000, 1u << 25}}},
    {0x12C0, "CLEAR_PIXEL_VALUE32", 0xFFFFFFFF, 0x00000000, {}},
    {0x12C4, "DEST_COLOR_KEY", 0xFFFFFFFF, 0x00000000, {}},
    {0x12C8, "GLOBAL_SRC_COLOR", 0xFFFFFFFF, 0x00000000, {}},
    {0x12CC, "GLOBAL_DEST_COLOR", 0xFFFFFFFF, 0x00000000, {}},
    {0x12D0, "COLOR_MULTIPLY_MODES", 0x00300311, 0x00000000, {}},
    {0x12D4, "PE_TRANSPARENCY", 0x23330333, 0x00000000, {{0x333, 1u << 12}, {0x3330000, 1u << 28}, {0x20000000, 1u << 31}}},
    {0x12D8, "PE_CONTROL", 0x00011113, 0x00000000, {{0x3, 1u << 3}, {0x10, 1u << 7}, {0x100, 1u << 11}, {0x1000, 1u << 15}, {0x10000, 1u << 19}}},
    {0x12DC, "SRC_COLOR_KEY_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x12E0, "DEST_COLOR_KEY_HIGH", 0xFFFFFFFF, 0x00000000, {}},
    {0x12E4, "VR_CONFIG_EX", 0x0007AAF3, 0x00000000, {{0x3, 1u << 3}, {0xF0, 1u << 8}, {0x200, 1u << 10}, {0x800, 1u << 12}, {0x2000, 1u << 14}, {0x78000, 1u << 19}}},
    {0x12E8, "PE_DITHER_LOW", 0xFFFFFFFF, 0xFFFFFFFF, {}},
    {0x12EC, "PE_DITHER_HIGH", 0xFFFFFFFF, 0xFFFFFFFF, {}},
    {0x12F0, "BW_CONFIG", 0x00011111, 0x00000000, {{0x1, 1u << 3}, {0x10, 1u << 7}, {0x100, 1u << 11}, {0x1000, 1u << 15}, {0x10000, 1u << 19}}},
    {0x12F4, "BW_BLOCK_SIZE", 0xFFFFFFFF, 0x00000000, {}},
    {0x12F8, "BW_TILE_SIZE", 0xFFFFFFFF, 0x00000000, {}},
    {0x12FC, "BW_BLOCK_MASK", 0xFFFFFFFF, 0x00000000, {}},
    {0x1300, "SRC_EX_CONFIG", 0x0000B109, 0x00000000, {{0x2000, 1u << 14}, {0x8000, 1u << 16}}},
    {0x1304, "SRC_EX_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1308, "DE_MULTI_SOURCE", 0x00070707, 0x00000000, {}},
    {0x130C, "DEYUV_CONVERSION", 0xFFFFFFFF, 0x00000000, {}},
    {0x1310, "PLANE2_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1314, "PLANE2_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x1318, "PLANE3_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x131C, "PLANE3_STRIDE", 0x0003FFFC, 0x00000000, {}},
    {0x1320, "STALL_DE", 0x00000001, 0x00000000, {}},
    {0x1324, "BLOCK_SIZE", 0xFFFFFFFF, 0x00000000, {}},
    {0x1328, "GENERAL_CONFIG", 0x071DB153, 0x00000012, {{0x3, 1u << 3}, {0x10, 1u << 5}, {0x40, 1u << 7}, {0x100, 1u << 9}, {0x3000, 1u << 11}, {0x18000, 1u << 14}, {0x1C0000, 1u << 17}, {0x7000000, 1u << 23}}},
    {0x132C, "DEST_CONFIG_EX", 0xF7F51013, 0x04000000, {{0x3, 1u << 3}, {0x10, 1u << 7}, {0x1000, 1u << 15}, {0x10000, 1u << 17}, {0x40000, 1u << 19}}},
    {0x1330, "PATTERN_COLOR0", 0xFFFFFFFF, 0x00000000, {}},
    {0x1334, "PATTERN_COLOR1", 0xFFFFFFFF, 0x00000000, {}},
    {0x1338, "PATTERN_COLOR2", 0xFFFFFFFF, 0x00000000, {}},
    {0x133C, "PATTERN_COLOR3", 0xFFFFFFFF, 0x00000000, {}},
    {0x1340, "YUV2RGB_COEF0", 0xFFFFFFFF, 0x00000000, {}},
    {0x1344, "YUV2RGB_COEF1", 0xFFFFFFFF, 0x00000000, {}},
    {0x1348, "YUV2RGB_COEF2", 0xFFFFFFFF, 0x00000000, {}},
    {0x134C, "YUV2RGB_COEF3", 0xFFFFFFFF, 0x00000000, {}},
    {0x1350, "YUV2RGB_COEF4", 0xFFFFFFFF, 0x00000000, {}},
    {0x1354, "YUV2RGB_COEF_D0", 0x01FFFFFF, 0x00000000, {}},
    {0x1358, "YUV2RGB_COEF_D1", 0x01FFFFFF, 0x00000000, {}},
    {0x135C, "YUV2RGB_COEF_D2", 0x01FFFFFF, 0x00000000, {}},
    {0x1360, "RGB2YUV_COEF0", 0xFFFFFFFF, 0x00000000, {}},
    {0x1364, "RGB2YUV_COEF1", 0xFFFFFFFF, 0x00000000, {}},
    {0x1368, "RGB2YUV_COEF2", 0xFFFFFFFF, 0x00000000, {}},
    {0x136C, "RGB2YUV_COEF3", 0xFFFFFFFF, 0x00000000, {}},
    {0x1370, "RGB2YUV_COEF4", 0xFFFFFFFF, 0x00000000, {}},
    {0x1374, "RGB2YUV_COEF_D0", 0x01FFFFFF, 0x00000000, {}},
    {0x1378, "RGB2YUV_COEF_D1", 0x01FFFFFF, 0x00000000, {}},
    {0x137C, "RGB2YUV_COEF_D2", 0x01FFFFFF, 0x00000000, {}},
    {0x1380, "WALKER_CONFIG", 0x0000000D, 0x00000000, {{0x1, 1u << 1}, {0xC, 1u << 4}}},
    {0x1384, "DST_TILE_STATUS_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1388, "REORDER_CONTROL", 0x0000003F, 0x0000001C, {{0x3F, 1u << 6}}},
    {0x138C, "3RD_PARTY_COMPRESSION_DST_CONFIG", 0x000001F5, 0x00000000, {{0x1, 1u << 1}, {0x4, 1u << 3}, {0x1F0, 1u << 9}}},
    {0x1390, "3RD_PARTY_COMPRESSION_DST_HEADER_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1394, "3RD_PARTY_COMPRESSION_DST_PAYLOAD_ADDRESS", 0xFFFFFFFC, 0x00000000, {}},
    {0x1398, "DST_TILE_STATUS_CLEAR", 0xFFFFFFFF, 0x00000000, {}},
    {0x139C, "DST_TILE_STATUS_CONFIG", 0x001C00F3, 0x00000000, {}},
    {0x13A0, "DST_PLANE0_ALIGN_CONFIG", 0x0001FFFF, 0x00000000, {}},
    {0x13A4, "DST_PLANE1_ALIGN_CONFIG", 0x0001FFFF, 0x00000000, {}},
};
// clang-format on

TEST(Vivante2dFields, MasksAndGroupsFollowFromTheFields) {
    ASSERT_EQ(vivante::de_states().size(), std::size(kRows));
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        const StateRow* state = vivante::find_de_state(row.address);
        ASSERT_TRUE(state);
        EXPECT_STREQ(state->name, row.name);
        EXPECT_EQ(state->mask, row.mask);
        EXPECT_EQ(state->reset, row.reset);
        ASSERT_EQ(state->groups().size(), row.groups.size());
        for (size_t i = 0; i < row.groups.size(); i++) {
            EXPECT_EQ(state->groups()[i].bits, row.groups[i].bits) << i;
            EXPECT_EQ(state->groups()[i].mask, row.groups[i].mask) << i;
        }
    }
}

TEST(Vivante2dFields, OverlapNeitherEachOtherNorAProtectionBit) {
    for (const StateRow& state : vivante::de_states()) {
        uint32_t seen = 0;
        for (const Field& field : state.fields()) {
            EXPECT_EQ(seen & field.mask(), 0u) << state.name << '.' << field.name;
            EXPECT_EQ(state.mask & field.protection(), 0u) << state.name << '.' << field.name;
            seen |= field.mask();
        }
    }
}

TEST(Vivante2dFields, CoverTheirBits) {
    EXPECT_EQ((Field{"", 31, 0}.mask()), 0xFFFFFFFFu);
    EXPECT_EQ((Field{"", 31}.mask()), 0x80000000u);
    EXPECT_EQ((Field{"", 18, 15}.mask()), 0x00078000u);
    EXPECT_EQ((Field{"", 31, 28}(0xA0000000)), 0xAu);
    EXPECT_EQ((Field{"", 5, 3}.put(2)), 0x10u);
    EXPECT_EQ((Field{"", 5, 3}.put(0xFFFFFFFA)), 0x10u) << "bits outside of the field are dropped";
}

TEST(Vivante2dFields, KnowTheirStateAndTheirBits) {
    namespace de = vivante::de;
    struct {
        vivante::DeField field;
        uint32_t address, word, value;
    } constexpr cases[] = {{de::src_config::source_format, 0x120C, 0xE7FFFFFF, 0x07},
                           {de::src_config::endian_control, 0x120C, 0x80000000, 2},
                           {de::src_size::y, 0x1214, 0x1234FFFF, 0x1234},
                           {de::rop::rop_bg, 0x125C, 0x0030CC5A, 0xCC},
                           {de::rop::type, 0x125C, 0x0020CC5A, 2},
                           {de::rot_angle::dst_flip, 0x12BC, 0x01000000, 2}};
    for (const auto& c : cases) {
        EXPECT_EQ(c.field.address, c.address) << c.field.field.name;
        EXPECT_EQ(c.field(c.word), c.value) << c.field.field.name;
    }
}

/* rnndb: the state of source n is entry n of a group. Groups are 16 or 32 bytes apart. */
TEST(Vivante2dFields, SourcesHaveTheirStatesInBlocks) {
    EXPECT_EQ(vivante::source_state(false, 1, vivante::DE_SRC_ADDRESS), 0x12804u);
    EXPECT_EQ(vivante::source_state(false, 3, vivante::DE_SRC_EX_ADDRESS), 0x1297Cu);
    EXPECT_EQ(vivante::source_state(true, 7, vivante::DE_ROT_ANGLE), 0x12BFCu);
    EXPECT_STREQ(vivante::find_de_state(0x12BFC)->name, "ROT_ANGLE");
    EXPECT_STREQ(vivante::find_de_state(0x12934)->name, "PE_TRANSPARENCY");
    EXPECT_FALSE(vivante::find_de_state(0x13A8));
    EXPECT_FALSE(vivante::find_de_state(0x12D00));
}

} // namespace
} // namespace pixmill::test

/*
 * Names of states of the 3D blocks (rnndb state_3d.xml and state.xml).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <string>

#include "vivante/3d/state_table.hpp"
#include "vivante/state_space.hpp"

namespace pixmill::test {
namespace {

using vivante::find_3d_state;
using vivante::state_name;

/* All states that Mesa 25.0 and 22.3 write on a GC2000, with their first and last words. */
constexpr struct {
    uint32_t first, last;
    const char* name;
} kWritten[] = {
    {0x0600, 0x063C, "FE_VERTEX_ELEMENT_CONFIG"},
    {0x0644, 0x0644, "FE_INDEX_STREAM_BASE_ADDR"},
    {0x0648, 0x0648, "FE_INDEX_STREAM_CONTROL"},
    {0x0674, 0x0674, "FE_PRIMITIVE_RESTART_INDEX"},
    {0x0680, 0x069C, "FE_VERTEX_STREAMS_BASE_ADDR"},
    {0x06A0, 0x06BC, "FE_VERTEX_STREAMS_CONTROL"},
    {0x0800, 0x0800, "VS_END_PC"},
    {0x0804, 0x0804, "VS_OUTPUT_COUNT"},
    {0x0808, 0x0808, "VS_INPUT_COUNT"},
    {0x080C, 0x080C, "VS_TEMP_REGISTER_CONTROL"},
    {0x0810, 0x081C, "VS_OUTPUT"},
    {0x0820, 0x082C, "VS_INPUT"},
    {0x0830, 0x0830, "VS_LOAD_BALANCING"},
    {0x0838, 0x0838, "VS_START_PC"},
    {0x085C, 0x085C, "VS_RANGE"},
    {0x0860, 0x0860, "VS_UNIFORM_CACHE"},
    {0x0A00, 0x0A00, "PA_VIEWPORT_SCALE_X"},
    {0x0A04, 0x0A04, "PA_VIEWPORT_SCALE_Y"},
    {0x0A08, 0x0A08, "PA_VIEWPORT_SCALE_Z"},
    {0x0A0C, 0x0A0C, "PA_VIEWPORT_OFFSET_X"},
    {0x0A10, 0x0A10, "PA_VIEWPORT_OFFSET_Y"},
    {0x0A14, 0x0A14, "PA_VIEWPORT_OFFSET_Z"},
    {0x0A18, 0x0A18, "PA_LINE_WIDTH"},
    {0x0A1C, 0x0A1C, "PA_POINT_SIZE"},
    {0x0A28, 0x0A28, "PA_SYSTEM_MODE"},
    {0x0A2C, 0x0A2C, "PA_W_CLIP_LIMIT"},
    {0x0A30, 0x0A30, "PA_ATTRIBUTE_ELEMENT_COUNT"},
    {0x0A34, 0x0A34, "PA_CONFIG"},
    {0x0A38, 0x0A38, "PA_WIDE_LINE_WIDTH0"},
    {0x0A3C, 0x0A3C, "PA_WIDE_LINE_WIDTH1"},
    {0x0A40, 0x0A7C, "PA_SHADER_ATTRIBUTES"},
    {0x0A80, 0x0A80, "PA_VIEWPORT_UNK00A80"},
    {0x0A84, 0x0A84, "PA_VIEWPORT_UNK00A84"},
    {0x0A88, 0x0A88, "PA_FLAGS"},
    {0x0A8C, 0x0A8C, "PA_ZFARCLIPPING"},
    {0x0C00, 0x0C00, "SE_SCISSOR_LEFT"},
    {0x0C04, 0x0C04, "SE_SCISSOR_TOP"},
    {0x0C08, 0x0C08, "SE_SCISSOR_RIGHT"},
    {0x0C0C, 0x0C0C, "SE_SCISSOR_BOTTOM"},
    {0x0C10, 0x0C10, "SE_DEPTH_SCALE"},
    {0x0C14, 0x0C14, "SE_DEPTH_BIAS"},
    {0x0C18, 0x0C18, "SE_CONFIG"},
    {0x0C20, 0x0C20, "SE_CLIP_RIGHT"},
    {0x0C24, 0x0C24, "SE_CLIP_BOTTOM"},
    {0x0E00, 0x0E00, "RA_CONTROL"},
    {0x0E04, 0x0E04, "RA_MULTISAMPLE_UNK00E04"},
    {0x0E08, 0x0E08, "RA_EARLY_DEPTH"},
    {0x0E10, 0x0E1C, "RA_MULTISAMPLE_UNK00E10"},
    {0x0E20, 0x0E20, "RA_HDEPTH_CONTROL"},
    {0x0E40, 0x0E7C, "RA_CENTROID_TABLE"},
    {0x1000, 0x1000, "PS_END_PC"},
    {0x1004, 0x1004, "PS_OUTPUT_REG"},
    {0x1008, 0x1008, "PS_INPUT_COUNT"},
    {0x100C, 0x100C, "PS_TEMP_REGISTER_CONTROL"},
    {0x1010, 0x1010, "PS_CONTROL"},
    {0x1018, 0x1018, "PS_START_PC"},
    {0x101C, 0x101C, "PS_RANGE"},
    {0x1030, 0x1030, "PS_CONTROL_EXT"},
    {0x1400, 0x1400, "PE_DEPTH_CONFIG"},
    {0x1404, 0x1404, "PE_DEPTH_NEAR"},
    {0x1408, 0x1408, "PE_DEPTH_FAR"},
    {0x140C, 0x140C, "PE_DEPTH_NORMALIZE"},
    {0x1414, 0x1414, "PE_DEPTH_STRIDE"},
    {0x1418, 0x1418, "PE_STENCIL_OP"},
    {0x141C, 0x141C, "PE_STENCIL_CONFIG"},
    {0x1420, 0x1420, "PE_ALPHA_OP"},
    {0x1424, 0x1424, "PE_ALPHA_BLEND_COLOR"},
    {0x1428, 0x1428, "PE_ALPHA_CONFIG"},
    {0x142C, 0x142C, "PE_COLOR_FORMAT"},
    {0x1434, 0x1434, "PE_COLOR_STRIDE"},
    {0x1454, 0x1454, "PE_HDEPTH_CONTROL"},
    {0x1460, 0x1464, "PE_PIPE_COLOR_ADDR"},
    {0x1480, 0x1484, "PE_PIPE_DEPTH_ADDR"},
    {0x14A0, 0x14A0, "PE_STENCIL_CONFIG_EXT"},
    {0x14A4, 0x14A4, "PE_LOGIC_OP"},
    {0x14A8, 0x14AC, "PE_DITHER"},
    {0x14B8, 0x14B8, "PE_STENCIL_CONFIG_EXT2"},
    {0x1500, 0x1544, "PE_RT_ADDR_4_PIPE"},
    {0x1580, 0x1588, "PE_RT_CONFIG_4"},
    {0x1600, 0x1600, "RS_KICKER"},
    {0x1604, 0x1604, "RS_CONFIG"},
    {0x160C, 0x160C, "RS_SOURCE_STRIDE"},
    {0x1614, 0x1614, "RS_DEST_STRIDE"},
    {0x1620, 0x1620, "RS_WINDOW_SIZE"},
    {0x1630, 0x1634, "RS_DITHER"},
    {0x163C, 0x163C, "RS_CLEAR_CONTROL"},
    {0x1640, 0x164C, "RS_FILL_VALUE"},
    {0x1650, 0x1650, "TS_FLUSH_CACHE"},
    {0x1654, 0x1654, "TS_MEM_CONFIG"},
    {0x1658, 0x1658, "TS_COLOR_STATUS_BASE"},
    {0x165C, 0x165C, "TS_COLOR_SURFACE_BASE"},
    {0x1660, 0x1660, "TS_COLOR_CLEAR_VALUE"},
    {0x1664, 0x1664, "TS_DEPTH_STATUS_BASE"},
    {0x1668, 0x1668, "TS_DEPTH_SURFACE_BASE"},
    {0x166C, 0x166C, "TS_DEPTH_CLEAR_VALUE"},
    {0x16A0, 0x16A0, "RS_EXTRA_CONFIG"},
    {0x16B8, 0x16B8, "RS_SINGLE_BUFFER"},
    {0x16BC, 0x16BC, "TS_COLOR_CLEAR_VALUE_EXT"},
    {0x16C0, 0x16C4, "RS_PIPE_SOURCE_ADDR"},
    {0x16E0, 0x16E4, "RS_PIPE_DEST_ADDR"},
    {0x1700, 0x1704, "RS_PIPE_OFFSET"},
    {0x1720, 0x1730, "TS_SAMPLER_CONFIG"},
    {0x1760, 0x1770, "TS_SAMPLER_CLEAR_VALUE"},
    {0x1780, 0x1790, "TS_SAMPLER_CLEAR_VALUE2"},
    {0x17A4, 0x17AC, "TS_RT_CONFIG"},
    {0x17C4, 0x17CC, "TS_RT_STATUS_BASE"},
    {0x17E4, 0x17EC, "TS_RT_SURFACE_BASE"},
    {0x1A04, 0x1A0C, "TS_RT_CLEAR_VALUE"},
    {0x1A24, 0x1A2C, "TS_RT_CLEAR_VALUE2"},
    {0x2000, 0x202C, "TE_SAMPLER_CONFIG0"},
    {0x2040, 0x2064, "TE_SAMPLER_SIZE"},
    {0x2080, 0x20A4, "TE_SAMPLER_LOG_SIZE"},
    {0x20C0, 0x20E4, "TE_SAMPLER_LOD_CONFIG"},
    {0x2180, 0x21A4, "TE_SAMPLER_3D_CONFIG"},
    {0x21C0, 0x21E4, "TE_SAMPLER_CONFIG1"},
    {0x2400, 0x2764, "TE_SAMPLER_LOD_ADDR"},
    {0x2C00, 0x2E40, "TE_SAMPLER_LINEAR_STRIDE"},
    {0x5000, 0x5FFC, "VS_UNIFORMS"},
    {0x7000, 0x7FFC, "PS_UNIFORMS"},
    {0xC000, 0xDFFC, "SH_INST_MEM"},
};

TEST(Vivante3dStateNames, AllThatMesaWritesHasItsName) {
    for (const auto& row : kWritten)
        for (uint32_t address = row.first; address <= row.last; address += 4)
            ASSERT_STREQ(state_name(address), row.name) << std::hex << address;
}

/* Looks up both ends of ranges of states, and the states next to them. */
TEST(Vivante3dStateNames, RangesEndWhereTheyEnd) {
    EXPECT_EQ(find_3d_state(0x05FC), nullptr);
    EXPECT_EQ(find_3d_state(0x06A0)->address, 0x06A0u);
    EXPECT_EQ(find_3d_state(0x06BC)->address, 0x06A0u);
    EXPECT_EQ(find_3d_state(0x06C0), nullptr);
    EXPECT_EQ(find_3d_state(0xE000), nullptr);
    EXPECT_EQ(find_3d_state(0x3FFFC), nullptr);
    EXPECT_STREQ(state_name(0x06C0), "FE") << "a range name";
    EXPECT_STREQ(state_name(0x1200), "SRC_ADDRESS") << "2D states keep theirs";
    EXPECT_STREQ(state_name(0x3818), "MULTI_SAMPLE_CONFIG");
}

TEST(Vivante3dStateNames, FieldsAreThoseOfTheirStates) {
    uint32_t mask = 0;
    for (const auto& field : find_3d_state(0x1400)->fields())
        mask |= field.mask() | field.protection();
    EXPECT_EQ(mask, 0x0F3F3F3Bu) << "PE_DEPTH_CONFIG";
    EXPECT_TRUE(find_3d_state(0x0A00)->holds == vivante::StateRow::Holds::real);
    EXPECT_TRUE(find_3d_state(0x1460)->holds == vivante::StateRow::Holds::address);
}

} // namespace
} // namespace pixmill::test

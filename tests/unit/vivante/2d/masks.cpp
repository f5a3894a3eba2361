/*
 * Masked writes to fields of 2D states that ../states.cpp does not list, some of
 * them only in newer cores (rnndb state_2d: MASKED; aqde.h; nano2D's register header).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

struct Field {
    uint32_t addr, bits, mask;
};

/* Fields that all PE 2.0 cores have. VR_CONFIG starts a blit, so filter.cpp covers it. */
constexpr Field kFields[] = {
    {0x12BC, 0x00300000, 1u << 22}, /* ROT_ANGLE.SRC_FLIP */
    {0x12BC, 0x01800000, 1u << 25}, /* DST_FLIP */
};

constexpr Field kNewestFields[] = {
    {0x12BC, 0x00300000, 1u << 22}, {0x12BC, 0x01800000, 1u << 25},
    {0x12D8, 0x00000003, 1u << 3},  /* PE_CONTROL.YUV */
    {0x12D8, 0x00001000, 1u << 15}, /* YUV_CLAMP */
    {0x12D8, 0x00010000, 1u << 19}, /* GRAY_YUVRGB */
    {0x12E4, 0x00000200, 1u << 10}, {0x12E4, 0x00000800, 1u << 12},
    {0x12E4, 0x00002000, 1u << 14}, {0x12E4, 0x00078000, 1u << 19},
    {0x12F0, 0x00010000, 1u << 19}, /* BW_CONFIG.LINEAR_ROTATION_OPT */
    {0x1328, 0x00000003, 1u << 3},  /* GENERAL_CONFIG.SUPERTILE_VERSION */
    {0x132C, 0x00000003, 1u << 3},  /* DEST_CONFIG_EX.YUV */
    {0x132C, 0x00000010, 1u << 7},  {0x132C, 0x00001000, 1u << 15},
    {0x132C, 0x00010000, 1u << 17}, /* DC_COMPRESSION; then its ENABLE_ALPHA */
    {0x132C, 0x00040000, 1u << 19}, {0x1300, 0x00002000, 1u << 14},
    {0x1300, 0x00008000, 1u << 16},
};

void expect_masked(const char* model, const Field& field) {
    SCOPED_TRACE(testing::Message() << std::hex << field.addr << " " << field.bits);
    Machine m(model);
    m.allow_logs();
    const uint32_t keep = ~0u & ~field.bits;
    m.run_stream(Stream().state(field.addr, ~field.mask));
    EXPECT_EQ(m.state(field.addr) & field.bits, field.bits) << "written";
    m.run_stream(Stream().state(field.addr, keep));
    EXPECT_EQ(m.state(field.addr) & field.bits, field.bits) << "kept";
    m.run_stream(Stream().state(field.addr, keep & ~field.mask));
    EXPECT_EQ(m.state(field.addr) & field.bits, 0u) << "cleared";
}

TEST(Vivante2dMasks, FieldsOfTheClass) {
    for (const Field& field : kFields)
        expect_masked(kMulti8, field);
}

TEST(Vivante2dMasks, FieldsOfTheNewestCores) {
    for (const Field& field : kNewestFields)
        expect_masked(kNewest, field);
}

/*
 * Mask bits 3, 5, 7 and 9 protect the bits below them. Mask bits 11, 14, 17 and 23 protect the
 * cache modes above them. Mask bits are not stored. To change one field, a driver writes ones to
 * all other bits.
 */
TEST(Vivante2dMasks, GeneralConfigChangesNothingButTheFieldThatIsMeant) {
    constexpr uint32_t masks = 0x00824AA8;
    Machine m(kNewest);
    m.run_stream(Stream().state(state::kGeneralConfig, ~0u));
    EXPECT_EQ(m.state(state::kGeneralConfig), 0x12u) << "all masked";
    m.run_stream(Stream().state(state::kGeneralConfig, ~0x33u)); /* BY_PASS_DC_COMPRESSION */
    EXPECT_EQ(m.state(state::kGeneralConfig), 0x02u);
    m.run_stream(Stream().state(state::kGeneralConfig, ~0x00003800u | 0x1000)); /* PE_CACHE_MODE */
    EXPECT_EQ(m.state(state::kGeneralConfig), 0x1002u);
    m.run_stream(Stream().state(state::kGeneralConfig, ~masks));
    EXPECT_EQ(m.state(state::kGeneralConfig) & masks, 0u);
    const uint32_t fields = m.state(state::kGeneralConfig);
    m.run_stream(Stream().state(state::kGeneralConfig, masks));
    EXPECT_EQ(m.state(state::kGeneralConfig), fields) << "all kept";
    m.run_stream(Stream().state(state::kGeneralConfig, 0));
    EXPECT_EQ(m.state(state::kGeneralConfig), 0u);
}

TEST(Vivante2dMasks, ResetValuesOfTheNewestCores) {
    Machine m(kNewest);
    EXPECT_EQ(m.state(state::kGeneralConfig), 0x12u);
    EXPECT_EQ(m.state(0x132C), 0x04000000u);
}

} // namespace
} // namespace pixmill::test

// Targets of cores with HALTI2 and later: floats, integers, sRGB and blend constants.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"

#include <cmath>

namespace pixmill::vivante {
namespace {

constexpr uint32_t PS_CONTROL_EXT = 0x1030;
constexpr uint32_t super_tiled = 1u << 20, all_written = 0xF00;

class HaltiTarget : public Pe {
protected:
    HaltiTarget() {
        features.halti2 = features.half_float = features.single_buffer = true;
        set(PS_CONTROL, 0); // values are not clamped
    }
    /// Makes target 0 one with a code that needs FORMAT_EXT.
    void format(uint32_t code) { set(PE_COLOR_FORMAT, code << 24 | super_tiled | all_written); }
    void mode(uint32_t mode) { set(PS_CONTROL_EXT, mode); }
    void set_bits(unsigned lane, uint32_t r, uint32_t g, uint32_t b, uint32_t a) {
        set_color(lane, std::bit_cast<float>(r), std::bit_cast<float>(g), std::bit_cast<float>(b),
                  std::bit_cast<float>(a));
    }
    uint32_t& high(unsigned lane) { return tile->high[0][at(lane)]; }
};

TEST_F(HaltiTarget, DecodesFormatsAsMesaWritesThem) {
    set(PE_COLOR_FORMAT, 0x11112F10); // R16F
    EXPECT_EQ(setup().color.target[0].code, 17u);
    set(PE_COLOR_FORMAT, 0x00112F06);
    EXPECT_EQ(setup().color.target[0].code, 6u);
    set(PS_CONTROL, 0x100);
    set(PE_RT_CONFIG_8, 0x15400400);
    set(PE_RT_ADDR_8_PIPE, 0x1000);
    set(PE_RT_ADDR_8_PIPE + 4, 0x1000);
    const PeSetup pe = setup();
    EXPECT_EQ(pe.color.targets, 2u);
    EXPECT_EQ(pe.color.target[1].code, 20u);
    EXPECT_EQ(pe.color.target[1].surface.stride, 0x400u);
    EXPECT_EQ(pe.color.target[1].surface.address[0], 0x1000u);
    EXPECT_EQ(pe.color.target[1].surface.layout, Layout::supertiled);
}

TEST_F(HaltiTarget, DoesNotExistOnEarlierCores) {
    features = {};
    format(17);
    EXPECT_EQ(setup().color.target[0].format, nullptr);
}

/* A surface is divided only if SINGLE_BUFFER is 0 and the addresses of both pipes differ. */
TEST_F(HaltiTarget, IsSharedByBothPipes) {
    set(PE_PIPE_COLOR_ADDR, 0x1000);
    set(PE_PIPE_COLOR_ADDR + 4, 0x2000);
    EXPECT_EQ(setup().color.target[0].surface.layout, Layout::multi_supertiled);
    for (const uint32_t mode : {2u, 3u}) {
        set(PE_LOGIC_OP, mode << 8);
        EXPECT_EQ(setup().color.target[0].surface.layout, Layout::supertiled);
    }
    set(PE_LOGIC_OP, 0);
    set(PE_PIPE_COLOR_ADDR + 4, 0x1000);
    EXPECT_EQ(setup().color.target[0].surface.layout, Layout::supertiled);
    features.new_super_tiles = true;
    EXPECT_EQ(setup().color.target[0].surface.layout, Layout::new_supertiled);
}

TEST_F(HaltiTarget, StoresHalves) {
    format(19); // A16B16G16R16F
    set_color(0, 1, 0.5f, 0.25f, 1);
    set_color(1, 65520, -65519, 0x1p-25f, 0x1.8p-25f);
    set_color(2, INFINITY, NAN, -0.0f, 0x1p-14f);
    draw();
    EXPECT_EQ(color(0), 0x38003C00u);
    EXPECT_EQ(high(0), 0x3C003400u);
    EXPECT_EQ(color(1), 0xFBFF7C00u);
    EXPECT_EQ(high(1), 0x00010000u);
    EXPECT_EQ(color(2) & 0xFC00FFFF, 0x7C007C00u);
    EXPECT_NE(color(2) & 0x03FF0000, 0u); // still no number
    EXPECT_EQ(high(2), 0x04008000u);
}

TEST_F(HaltiTarget, StoresSmallFloats) {
    format(29); // B10G11R11F
    set_color(0, 1, 0.5f, 2, 0);
    set_color(1, -1, 0, 65024, 0);
    set_color(2, 0x1p-20f, 0x1p-14f, 0x1p-19f, 0); // least numbers: 2^-20, 2^-20, 2^-19
    set_color(3, 1e9f, 64512, 65000, 0);
    draw();
    EXPECT_EQ(color(0), 0x801C03C0u);
    EXPECT_EQ(color(1), 0xF8000000u); // more than 64512 rounds to infinity in blue
    EXPECT_EQ(color(2), 1u | 0x40u << 11 | 1u << 22);
    EXPECT_EQ(color(3) & 0x7FF, 0x7C0u);
    EXPECT_EQ(color(3) >> 11 & 0x7FF, 0x7BEu);
}

TEST_F(HaltiTarget, StoresRawBits) {
    format(20); // R32F, R32I
    mode(2);
    set_bits(0, 7, 1, 2, 3);
    set_bits(1, 0xFF800001, 0, 0, 0);
    draw();
    EXPECT_EQ(color(0), 7u);
    EXPECT_EQ(color(1), 0xFF800001u);
    format(21); // G32R32F
    draw();
    EXPECT_EQ(color(0), 7u);
    EXPECT_EQ(high(0), 1u);
}

TEST_F(HaltiTarget, ClampsIntegersToTheOutputMode) {
    format(25); // A8B8G8R8I
    set_bits(0, 300, uint32_t(-5), 7, 255);
    mode(5); // signed
    draw();
    EXPECT_EQ(color(0), 0x7F07FB7Fu);
    mode(3); // unsigned
    draw();
    EXPECT_EQ(color(0), 0xFF07FFFFu);
    mode(1); // the low bits
    draw();
    EXPECT_EQ(color(0), 0xFF07FB2Cu);
    format(28); // A16B16G16R16I
    set_bits(0, 70000, uint32_t(-40000), 7, 255);
    mode(6);
    draw();
    EXPECT_EQ(color(0), 0x80007FFFu);
    EXPECT_EQ(high(0), 0x00FF0007u);
    mode(4);
    draw();
    EXPECT_EQ(color(0), 0xFFFFFFFFu);
}

TEST_F(HaltiTarget, ClampsA2B10G10R10UI) {
    format(30);
    mode(1);
    set_bits(0, 1023, 512, 1, 3);
    set_bits(1, 5000, 5000, 5000, 9);
    draw();
    EXPECT_EQ(color(0), 0xC01803FFu);
    EXPECT_EQ(color(1), 5000u % 1024 | 5000u % 1024 << 10 | 5000u % 1024 << 20 | 1u << 30);
    features.independent_blend = true; // HALTI5 clamps
    draw();
    EXPECT_EQ(color(1), 0xFFFFFFFFu);
}

TEST_F(HaltiTarget, KeepsChannelsThatAreNotWritten) {
    set(PE_COLOR_FORMAT, 19u << 24 | super_tiled | 0x500); // red and blue
    color(0) = 0x11112222;
    high(0) = 0x33334444;
    set_color(0, 1, 1, 1, 1);
    draw();
    EXPECT_EQ(color(0), 0x11113C00u);
    EXPECT_EQ(high(0), 0x33333C00u);
}

/* Integers are not blended, and halves are not clamped. */
TEST_F(HaltiTarget, BlendsFloatsOnly) {
    set(PE_ALPHA_CONFIG, 0x00000111); // ONE, ONE, ADD
    format(18);                       // G16R16F
    color(0) = 0x3C004000;            // 2, 1
    set_color(0, 3, -4, 0, 0);
    draw();
    EXPECT_EQ(color(0), 0xC2004500u); // 5, -3
    format(24);                       // G8R8I
    mode(3);
    color(0) = 0x0505;
    set_bits(0, 1, 2, 0, 0);
    draw();
    EXPECT_EQ(color(0), 0x0201u);
}

TEST_F(HaltiTarget, TakesBlendConstantsFromHalves) {
    set(PE_ALPHA_COLOR_EXT0, 0x38003C00);
    set(PE_ALPHA_COLOR_EXT1, 0x3C003400);
    set(PE_ALPHA_BLEND_COLOR, 0);
    set(PE_ALPHA_CONFIG, 0x000000D1); // CONST_COLOR, ZERO
    set_color(0, 1, 1, 1, 1);
    draw();
    EXPECT_EQ(color(0), 0xFFFF8040u);
}

TEST_F(HaltiTarget, StoresOnTheSrgbCurve) {
    features.halti3 = true;
    set(PE_LOGIC_OP, 0x800E426C);
    set_color(0, 0.5f, 0.0021f, 0, 0.5f);
    set_color(1, 1, -1, 2, 1);
    draw();
    EXPECT_EQ(color(0), 0x80BC0700u);
    EXPECT_EQ(color(1), 0xFFFF00FFu);
    // Blending happens on linear values: 0.5 x 0.215861 is 0x5C.
    set(PE_ALPHA_CONFIG, 0x00000201); // ZERO, SRC_COLOR
    color(2) = 0x00808080;
    set_color(2, 0.5f, 0.5f, 0.5f, 0);
    draw();
    EXPECT_EQ(color(2), 0x005C5C5Cu);
}

TEST_F(HaltiTarget, HasAMaskAndBlendingOfItsOwnOnHalti5) {
    features.independent_blend = true;
    set(PS_CONTROL, 0x106); // two targets, clamped
    set(PE_RT_CONFIG_8, 0x14600400);
    set(PE_HALTI5_RT_COLORMASK, 0x70); // RGB
    set(PE_HALTI5_RT_ALPHA_CONFIG, 0x000000D1);
    set(PE_HALTI5_RT_ALPHA_COLOR_EXT0, 0x38003C00);
    set(PE_HALTI5_RT_ALPHA_COLOR_EXT1, 0x3C003400);
    set_color(0, 1, 1, 1, 1);
    set_color(0, 1, 1, 1, 1, 1);
    color(0, 1) = 0x12000000;
    draw();
    EXPECT_EQ(color(0), 0xFFFFFFFFu);
    EXPECT_EQ(color(0, 1), 0x12FF8040u);
}

} // namespace
} // namespace pixmill::vivante

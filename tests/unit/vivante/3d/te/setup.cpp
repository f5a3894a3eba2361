// Decoding of sampler states. State values are those that Mesa 25.0 writes for the given textures.
// Fields: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "te.hpp"

namespace pixmill::vivante::te::test {
namespace {

TEST(TeSetup, DecodesFieldsOfASampler) {
    Scene scene;
    // Sampler 9 has a 100x50x20 3D texture, which is mirrored in s, clamped in t and repeated in r.
    scene.set(
        9, type_3d | wraps(mirror, edge) | filters(2, 1, 1) | format(11) | 1u << 19 | 0x60u << 24,
        0x00344000 | halign_16, size_word(100, 50), 0x7C000001 | lod_word(16, 192));
    scene.state(0x2080 + 4 * 9) = 0x2D0D4 | 1u << 31;
    scene.state(0x2180 + 4 * 9) = 20 | 138u << 16 | repeat << 28;
    for (unsigned level = 0; level < 14; level++)
        scene.state(0x2400 + 0x40 * level + 4 * 9) = 0x1000 * level;
    scene.bind();
    const Sampler& s = scene.setup.sampler[9];
    EXPECT_EQ(s.error, SamplerError::none);
    EXPECT_EQ(s.type, Type::three_d);
    EXPECT_EQ(s.wrap, (std::array{Wrap::mirrored_repeat, Wrap::clamp_to_edge, Wrap::repeat}));
    EXPECT_EQ(s.min, Filter::linear);
    EXPECT_EQ(s.mip, Filter::nearest);
    EXPECT_EQ(s.mag, Filter::nearest);
    EXPECT_STREQ(s.format->name, "R5G6B5");
    EXPECT_EQ(s.anisotropy, 0x60);
    EXPECT_EQ(s.addressing, Addressing::tiled);
    EXPECT_EQ(s.halign, Halign::sixteen);
    EXPECT_EQ(s.swizzle, (std::array{Channel::red, Channel::zero, Channel::zero, Channel::alpha}));
    EXPECT_TRUE(s.srgb);
    EXPECT_FALSE(s.array);
    EXPECT_EQ(s.width, 100u);
    EXPECT_EQ(s.height, 50u);
    EXPECT_EQ(s.depth, 20u);
    EXPECT_EQ(s.log_width, 212); // 32 * log2(100)
    EXPECT_EQ(s.log_height, 180);
    EXPECT_EQ(s.log_depth, 138);
    EXPECT_EQ(s.lod_min, 16);
    EXPECT_EQ(s.lod_max, 192);
    EXPECT_EQ(s.lod_bias, -32);
    for (unsigned level = 0; level < 14; level++)
        EXPECT_EQ(s.level[level], 0x1000 * level);
}

TEST(TeSetup, MaximumAndBias) {
    Scene scene;
    scene.set(0, type_2d | format(9), identity, size_word(64, 64), 0x180);
    scene.set(1, type_2d | format(9), identity, size_word(64, 64), 0x7C000000);
    scene.bind();
    EXPECT_EQ(scene.setup.sampler[0].lod_max, 6 * 32);
    EXPECT_EQ(scene.setup.sampler[0].lod_min, 0);
    EXPECT_EQ(scene.setup.sampler[0].last_level(), 6u);
    EXPECT_EQ(scene.setup.sampler[1].lod_bias, 0) << "BIAS_ENABLE is 0";
}

TEST(TeSetup, NamesWhatCannotBeSampled) {
    struct Row {
        uint32_t config0, config1;
        SamplerError error;
        Texel texel;
    };
    const Row rows[] = {
        {0, identity, SamplerError::unconfigured, {0, 0, 0, 1}},
        {4 | format(9), identity, SamplerError::type, {0, 0, 0, 0}},
        {6 | format(9), identity, SamplerError::type, {0, 0, 0, 0}},
        {7 | format(9), identity, SamplerError::type, {0, 0, 0, 0}},
        {type_2d | format(22), identity, SamplerError::format, {0, 0, 0, 0}},
        {type_2d | format(22), 0x00544440, SamplerError::format, {0, 0, 0, 1}}, // alpha is 1
        {type_2d | format(31), 0x00521000, SamplerError::format, {0, 0, 0, 1}},
        {type_2d | format(29), identity, SamplerError::format, {0, 0, 0, 0}}, // E5B9G9R9: HALTI1
        {type_2d, identity | 7, SamplerError::format, {0, 0, 0, 0}},          // R16F: HALTI2
        {type_2d, identity | 20, SamplerError::format, {0, 0, 0, 0}},         // ASTC
        {type_2d, identity | 63, SamplerError::format, {0, 0, 0, 0}},
        {type_2d | format(9), identity | 3u << 26, SamplerError::layout, {0, 0, 0, 0}},
        {type_2d | format(9), identity | 4u << 26, SamplerError::layout, {0, 0, 0, 0}},
        {type_2d | format(9) | linear_addressing,
         identity | 4u << 26,
         SamplerError::none,
         {1, 1, 1, 1}},
        {type_2d | format(18), identity, SamplerError::none, {1, 1, 1, 1}},
    };
    for (const Row& row : rows) {
        Scene scene;
        for (uint32_t i = 0; i < 64; i++)
            scene.memory.poke<uint8_t>(memory_origin + i, 0xFF);
        scene.set(0, row.config0, row.config1, size_word(4, 4));
        scene.state(0x2C00) = 16;
        EXPECT_EQ(scene.at(0.5f, 0.5f), row.texel) << std::hex << row.config0 << " " << row.config1;
        EXPECT_EQ(scene.setup.sampler[0].error, row.error);
        if (row.error != SamplerError::none) {
            EXPECT_EQ(scene.memory.maps, 0u);
        }
    }
}

TEST(TeSetup, SamplersAfterTheLastReadNothing) {
    Scene scene;
    EXPECT_EQ(scene.at(0, 0, 0, 12), (Texel{0, 0, 0, 1}));
    EXPECT_EQ(scene.at(0, 0, 0, 0xFFFFFFFF), (Texel{0, 0, 0, 1}));
}

TEST(TeSetup, FindsTheStrideWhereMesaWritesIt) {
    Scene scene;
    for (unsigned s : {0u, 1u, 8u, 11u})
        scene.set(s, type_2d | format(9) | linear_addressing, identity, size_word(16, 16));
    scene.state(0x2C00) = 0x40;  // stride of sampler 0
    scene.state(0x2C40) = 0x80;  // level 1 of sampler 0; in Mesa, sampler 1
    scene.state(0x2E00) = 0x100; // in Mesa, sampler 8
    scene.state(0x2EC0) = 0x200; // in Mesa, sampler 11
    scene.state(0x2C2C) = 0x240; // as documented, sampler 11
    scene.bind();
    EXPECT_EQ(scene.setup.sampler[0].stride, 0x40u);
    EXPECT_EQ(scene.setup.sampler[1].stride, 0x80u);
    EXPECT_EQ(scene.setup.sampler[8].stride, 0x100u);
    EXPECT_EQ(scene.setup.sampler[11].stride, 0x240u);
}

} // namespace
} // namespace pixmill::vivante::te::test

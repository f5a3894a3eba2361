// Texture descriptors in memory, sampler states and formats of HALTI5. Words are those that Mesa
// 25.0 writes (etnaviv_texture_desc.c). Fields: rnndb texdesc_3d.xml, state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>
#include <map>
#include <optional>
#include <tuple>

#include "te.hpp"
#include "vivante/3d/te/unit.hpp"

namespace pixmill::vivante::te::test {
namespace {

constexpr uint32_t descriptors = memory_origin + 0x30000;
constexpr uint32_t rgba8 = 0x00012002;        // CONFIG0: 2D, A8B8G8R8
constexpr uint32_t nearest_edge = 0x00202292; // SAMP_CTRL0: nearest, no mip levels, clamped

using DescriptorWords = std::map<uint32_t, uint32_t>; // by byte offset

/// A core with descriptors.
struct Halti5 : Scene {
    Halti5() : Scene(4096) {
        features.halti2 = features.halti3 = features.halti5 = true;
        features.isa = ShaderIsa::halti5;
        features.tile_status_bits = 4;
        features.status_unit = 128;
        features.large_status_unit = 256;
        state(0x14C40) = 1;
    }

    static uint32_t address_of(unsigned unit) { return descriptors + 0x100 * unit; }
    /// Writes a descriptor whose other words are those of a 4x4 texture with one level.
    void describe(unsigned unit, const DescriptorWords& given) {
        DescriptorWords words = {
            {0x00, memory_origin}, {0x40, rgba8}, {0x44, 0x00040004}, {0x4C, 0x00321000}, {0x68, 0},
            {0x6C, 0x00030000},    {0x84, 1}};
        for (const auto& [offset, value] : given)
            words[offset] = value;
        // Words that drivers do not write hold anything.
        for (uint32_t offset = 0x40; offset < 0x100; offset += 4)
            memory.poke<uint32_t>(address_of(unit) + offset, 0xDEADBEEF);
        memory.poke<uint32_t>(address_of(unit) + 0x48, 0);
        memory.poke<uint32_t>(address_of(unit) + 0x7C, 0);
        for (const auto& [offset, value] : words)
            memory.poke<uint32_t>(address_of(unit) + offset, value);
        state(0x15C00 + 4 * unit) = address_of(unit);
        state(0x15E00 + 4 * unit) = 0x40;
        state(0x16C00 + 4 * unit) = nearest_edge;
        state(0x16E00 + 4 * unit) = 2;
        state(0x17000 + 4 * unit) = 0x00000FFF;
    }
    const Sampler& decoded(unsigned number, uint32_t of_vertices = 0) {
        setup = TeSetup::decode(States(words.data()), ~0u, features, of_vertices, &memory);
        return setup.sampler[number];
    }
    /// Returns the bits of what the shader gets at (s, t, r) of level `level`, if that is given.
    std::array<uint32_t, 4> sampled(float s, float t, float r = 0, const float* level = nullptr,
                                    std::optional<float> reference = std::nullopt) {
        Vector c, texel;
        Lanes levels, references;
        c[0].f.fill(s);
        c[1].f.fill(t);
        c[2].f.fill(r);
        c[3].f.fill(0);
        levels.f.fill(level ? *level : 0);
        decoded(0);
        units->bind(setup, memory);
        TextureRequest request;
        request.quads = false;
        request.coordinate = &c;
        if (level) {
            request.lod = Lod::given;
            request.level = &levels;
        }
        if (reference) {
            references.f.fill(*reference);
            request.reference = &references;
        }
        units->sample(request, texel);
        std::array<uint32_t, 4> bits{};
        for (unsigned i = 0; i < 4; i++)
            bits[i] = std::bit_cast<uint32_t>(texel[i].f[0]);
        return bits;
    }

    Features3d features;
};

constexpr uint32_t bits(float v) {
    return std::bit_cast<uint32_t>(v);
}
constexpr uint32_t one = bits(1.0f);

void expect_near(const std::array<uint32_t, 4>& texel, const std::array<float, 4>& expected) {
    for (unsigned c = 0; c < 4; c++)
        EXPECT_FLOAT_EQ(std::bit_cast<float>(texel[c]), expected[c]) << c;
}

// ---- Descriptors ------------------------------------------------------------

TEST(TeDescriptor, HasTheTexture) {
    Halti5 scene;
    scene.describe(0, {{0x04, 0x00410000},
                       {0x18, 0x00420000},
                       {0x44, 0x00400040},
                       {0x48, 0x100},
                       {0x4C, 0x08321000},
                       {0x68, 0x00000600},
                       {0x74, 0x06000600},
                       {0x7C, 0x4000}});
    const Sampler& s = scene.decoded(0);
    EXPECT_EQ(s.error, SamplerError::none);
    EXPECT_EQ(s.type, Type::two_d);
    EXPECT_STREQ(s.format->name, "A8B8G8R8");
    EXPECT_EQ(s.addressing, Addressing::tiled);
    EXPECT_EQ(s.halign, Halign::super_tiled);
    EXPECT_EQ(s.width, 64u);
    EXPECT_EQ(s.height, 64u);
    EXPECT_EQ(s.stride, 0x100u);
    EXPECT_EQ(s.slice, 0x4000u);
    EXPECT_EQ(s.level[0], memory_origin);
    EXPECT_EQ(s.level[1], 0x00410000u);
    EXPECT_EQ(s.level[6], 0x00420000u);
    EXPECT_FALSE(s.seamless);
}

TEST(TeDescriptor, NamesFormats) {
    struct Row {
        uint32_t config0, config1, config2;
        const char* name;
    };
    for (const Row& row : {Row{0x0000E002, 0x00321000, 0x00030000, "A8R8G8B8"},
                           {0x00016005, 0x00321000, 0x00030000, "R5G6B5"},
                           {0x00300002, 0x00321015, 0x00030000, "R8I"},
                           {0x00000003, 0x0932101A, 0x000B0000, "A16B16G16R16I"},
                           {0x00000002, 0x00321002, 0x00030000, "RGBA8_ETC2_EAC"}}) {
        Halti5 scene;
        scene.describe(0, {{0x40, row.config0}, {0x4C, row.config1}, {0x6C, row.config2}});
        const Sampler& s = scene.decoded(0);
        ASSERT_EQ(s.error, SamplerError::none) << row.name;
        EXPECT_STREQ(s.format->name, row.name);
    }
}

TEST(TeDescriptor, HasLinearTexturesAndArrays) {
    Halti5 scene;
    scene.describe(0, {{0x40, 0x00300002}, {0x48, 0x10}, {0x4C, 0x00321015}});
    EXPECT_EQ(scene.decoded(0).addressing, Addressing::linear);
    EXPECT_EQ(scene.decoded(0).stride, 0x10u);
    scene.describe(0, {{0x40, 0x00000003}, {0x4C, 0x0932101A}, {0x6C, 0x000B0000}, {0x84, 4}});
    const Sampler& s = scene.decoded(0);
    EXPECT_TRUE(s.array);
    EXPECT_EQ(s.type, Type::three_d);
    EXPECT_EQ(s.depth, 4u);
    EXPECT_TRUE(s.signed16);
    EXPECT_FALSE(s.signed8);
}

/* The size is that of the first level of the view, and addresses begin at the resource's. */
TEST(TeDescriptor, HasAViewOfSomeLevels) {
    Halti5 scene;
    DescriptorWords words = {{0x44, 0x00400040}, {0x68, 0x00000802}};
    for (uint32_t level = 0; level < 9; level++)
        words[4 * level] = 0x00400000 + 0x1000 * level;
    scene.describe(0, words);
    const Sampler& s = scene.decoded(0);
    EXPECT_EQ(s.width, 64u);
    EXPECT_EQ(s.level[0], 0x00402000u);
    EXPECT_EQ(s.level[6], 0x00408000u);
    EXPECT_EQ(s.lod_min, 0);
    EXPECT_EQ(s.lod_max, std::min(6 * 32, 0xFFF >> 3));
}

TEST(TeDescriptor, IsThatOfTheUnit) {
    Halti5 scene;
    scene.describe(17, {{0x44, 0x00110022}});
    scene.describe(3, {{0x44, 0x00010003}});
    scene.state(0x08A8) = 0x20; // VS_SAMPLER_BASE, which Mesa writes
    EXPECT_EQ(scene.decoded(17, 1u << 17).width, 0x22u);
    EXPECT_EQ(scene.decoded(3).width, 3u);
    scene.state(0x08A8) = 14;
    EXPECT_EQ(scene.decoded(3, 1u << 3).width, 0x22u);
    EXPECT_EQ(scene.decoded(21, 1u << 21).width, 3u) << "the sum wraps";
}

// ---- Sampler states ---------------------------------------------------------

TEST(TeSamplerStates, SelectFilters) {
    Halti5 scene;
    scene.describe(0, {});
    scene.state(0x16C00) = 0x00A05400; // linear, trilinear, repeat
    EXPECT_EQ(scene.decoded(0).min, Filter::linear);
    EXPECT_EQ(scene.decoded(0).mip, Filter::linear);
    EXPECT_EQ(scene.decoded(0).mag, Filter::linear);
    EXPECT_EQ(scene.decoded(0).wrap[0], Wrap::repeat);
    scene.state(0x16C00) = nearest_edge;
    EXPECT_EQ(scene.decoded(0).min, Filter::nearest);
    EXPECT_EQ(scene.decoded(0).mip, Filter::none);
    EXPECT_EQ(scene.decoded(0).mag, Filter::nearest);
    EXPECT_EQ(scene.decoded(0).wrap,
              (std::array{Wrap::clamp_to_edge, Wrap::clamp_to_edge, Wrap::clamp_to_edge}));
    scene.state(0x16C00) = 0x00204A00;
    EXPECT_EQ(scene.decoded(0).min, Filter::nearest);
    EXPECT_EQ(scene.decoded(0).mip, Filter::nearest);
    EXPECT_EQ(scene.decoded(0).mag, Filter::linear);
    scene.state(0x16C00) = 0; // unknown filters
    EXPECT_EQ(scene.decoded(0).min, Filter::nearest);
    EXPECT_EQ(scene.decoded(0).mag, Filter::nearest);
}

TEST(TeSamplerStates, SelectLevels) {
    Halti5 scene;
    scene.describe(0, {{0x44, 0x00400040}, {0x68, 0x00000600}});
    scene.state(0x17200) = 0x0001FE80;
    EXPECT_EQ(scene.decoded(0).lod_bias, -48); // -1.5
    scene.state(0x17200) = 0x00010240;
    EXPECT_EQ(scene.decoded(0).lod_bias, 72); // 2.25
    scene.state(0x17200) = 0x00000240;
    EXPECT_EQ(scene.decoded(0).lod_bias, 0) << "not enabled";
    scene.state(0x17000) = 0x01800200; // 1.5 to 2
    EXPECT_EQ(scene.decoded(0).lod_min, 48);
    EXPECT_EQ(scene.decoded(0).lod_max, 64);
    scene.state(0x17000) = 0xFF000FFF; // -1 to 16
    EXPECT_EQ(scene.decoded(0).lod_min, 0);
    EXPECT_EQ(scene.decoded(0).lod_max, 6 * 32);
}

TEST(TeSamplerStates, SelectAnisotropyIfTheCoreHasIt) {
    Halti5 scene;
    scene.describe(0, {});
    scene.state(0x16C00) = 0x00A05400;
    for (const auto& [word, logarithm] : {std::pair{0x400u, 128}, {0x200u, 64}}) {
        scene.state(0x17400) = word;
        scene.features.anisotropy = true;
        EXPECT_EQ(scene.decoded(0).anisotropy, logarithm);
        EXPECT_EQ(scene.decoded(0).min, Filter::anisotropic);
        scene.features.anisotropy = false;
        EXPECT_EQ(scene.decoded(0).anisotropy, 0);
        EXPECT_EQ(scene.decoded(0).min, Filter::linear);
    }
}

TEST(TeSamplerStates, SelectTileStatus) {
    Halti5 scene;
    scene.describe(3, {});
    scene.state(0x15E00 + 12) = 0x4C; // off
    EXPECT_FALSE(scene.decoded(3).status.enabled);
    for (const auto& [word, unit, bytes] :
         {std::tuple{0x2Bu, 2u, 256u}, std::tuple{0x46u, 1u, 128u}}) {
        scene.state(0x1720 + 4 * unit) = 1;          // TS_SAMPLER_CONFIG
        scene.state(0x1740 + 4 * unit) = 0x00410000; // TS_SAMPLER_STATUS_BASE
        scene.state(0x1760 + 4 * unit) = 0x11111111; // clear values
        scene.state(0x1780 + 4 * unit) = 0x22222222;
        scene.state(0x1A80 + 4 * unit) = memory_origin; // TS_SAMPLER_SURFACE_BASE
        scene.state(0x15E00 + 12) = word;
        const TsSurface status = scene.decoded(3).status;
        EXPECT_TRUE(status.enabled);
        EXPECT_EQ(status.unit, bytes);
        EXPECT_EQ(status.status, 0x00410000u);
        EXPECT_EQ(status.surface, memory_origin);
    }
}

/* Mesa 25 leaves CLEAR_VALUE2 of a depth buffer at 0. */
TEST(TeSamplerStates, OnlyTexelsOf64BitsTakeTheSecondClearValue) {
    struct Row {
        uint32_t config0, config1, second;
    };
    constexpr uint32_t d16 = 0x00020002, straight = 0x00321000, half4 = 9, d24s8 = 34;
    for (const Row& row :
         {Row{rgba8, straight, 0x11111111}, Row{d16, straight, 0x11111111},
          Row{0x2, straight | d24s8, 0x11111111}, Row{0x2, straight | half4, 0x22222222}}) {
        SCOPED_TRACE(row.config1);
        Halti5 scene;
        scene.describe(0, {{0x40, row.config0}, {0x4C, row.config1}});
        scene.state(0x1720) = 1;
        scene.state(0x1760) = 0x11111111; // TS_SAMPLER_CLEAR_VALUE, CLEAR_VALUE2
        scene.state(0x1780) = 0x22222222;
        scene.state(0x1A80) = memory_origin;
        scene.state(0x15E00) = 2;
        const Sampler& sampler = scene.decoded(0);
        ASSERT_TRUE(sampler.format);
        ASSERT_TRUE(sampler.status.enabled);
        EXPECT_EQ(sampler.status.clear[0], 0x11111111u);
        EXPECT_EQ(sampler.status.clear[1], row.second);
    }
}

/* The distance of a texel from the surface of the tile status wraps around in 32 bits. */
TEST(TeSamplerStates, ListMemoryUnlessTileStatusWraps) {
    Halti5 scene;
    scene.describe(0, {});
    scene.state(0x15E00) = 0x02; // TS_ENABLE, TS_INDEX 0
    scene.state(0x1720) = 1;
    scene.state(0x1740) = 0x00410000;
    LevelMemories levels;
    struct Row {
        uint32_t surface;
        std::optional<uint32_t> status; // a byte describes 256 bytes
    };
    for (const auto& [surface, status] : {Row{memory_origin, 0x00410000},
                                          {memory_origin - 0x10000, 0x00410100},
                                          {memory_origin + 0x20, std::nullopt},
                                          {memory_origin + 0x10000, 0x0140FF00}}) {
        SCOPED_TRACE(surface);
        scene.state(0x1A80) = surface;
        const Sampler& sampler = scene.decoded(0);
        ASSERT_TRUE(sampler.status.enabled);
        const auto count = levels_of(sampler, levels);
        ASSERT_EQ(count.has_value(), status.has_value());
        if (!status)
            continue;
        ASSERT_EQ(*count, 2u);
        EXPECT_EQ(levels[0].address, memory_origin);
        EXPECT_EQ(levels[0].bytes, 64u);
        EXPECT_EQ(levels[1].address, *status);
        EXPECT_EQ(levels[1].bytes, 1u);
    }
}

// ---- Texels -----------------------------------------------------------------

TEST(TeDescriptor, SamplesTexels) {
    Halti5 scene;
    for (uint32_t i = 0; i < 16; i++) // one tile, row by row
        scene.memory.poke<uint32_t>(memory_origin + 4 * i, 0xFF000000 | i * 17);
    scene.describe(0, {});
    expect_near(scene.sampled(0.625f, 0.375f), {float(6 * 17) / 255, 0, 0, 1}); // texel (2, 1)
}

/* Sign extension is the descriptor's choice, and a missing alpha is an integer, too. */
TEST(TeDescriptor, SamplesIntegers) {
    Halti5 scene;
    scene.memory.poke<uint8_t>(memory_origin, 0x80);
    scene.describe(0, {{0x40, 0x00000002}, {0x4C, 0x00321015}, {0x6C, 0x00070000}});
    scene.state(0x16C00) = 0x00A05400; // linear filters do not apply
    EXPECT_EQ(scene.sampled(0.125f, 0.125f), (std::array{0xFFFFFF80u, 0u, 0u, 1u}));
    scene.describe(0, {{0x40, 0x00000002}, {0x4C, 0x00321015}, {0x6C, 0x00030000}});
    EXPECT_EQ(scene.sampled(0.125f, 0.125f), (std::array{0x80u, 0u, 0u, 1u}));
}

TEST(TeDescriptor, SamplesNumbers) {
    struct Row {
        uint32_t config0, ext, texel;
        std::array<float, 4> expected;
    };
    for (const Row& row : {Row{2, 7, 0x3C00, {1, 0, 0, 1}},             // R16F
                           {2, 8, 0xC0003800, {0.5f, -2, 0, 1}},        // G16R16F
                           {2, 10, 0x40490FDB, {3.14159274f, 0, 0, 1}}, // R32F
                           {2, 27, 0x3C0 | 0x380u << 11 | 0x1A0u << 22, {1, 0.5f, 0.25f, 1}},
                           {2 | 29 << 13, 0, 0x80000100u | 256u << 9, {1, 1, 0, 1}},
                           {2, 12, 0xC00FFC00, {0, 1, 0, 1}}, // A2B10G10R10
                           {2, 14, 0x81, {-1, 0, 0, 1}},      // R8 SNORM
                           {2, 15, 0x7F80, {-1, 1, 0, 1}},    // G8R8 SNORM
                           {2, 33, 0xFF, {1, 0, 0, 1}},       // R8
                           {2, 6, 0xFF00, {0, 1, 0, 1}}}) {   // G8R8
        Halti5 scene;
        scene.memory.poke<uint32_t>(memory_origin, row.texel);
        scene.describe(0, {{0x40, row.config0}, {0x4C, 0x00321000 | row.ext}});
        SCOPED_TRACE(row.ext);
        expect_near(scene.sampled(0.125f, 0.125f), row.expected);
    }
}

TEST(TeDescriptor, SamplesTheStencilOfD24S8) {
    Halti5 scene;
    scene.memory.poke<uint32_t>(memory_origin, 0xFFFFFF5A);
    scene.describe(0, {{0x40, 2}, {0x4C, 0x00321022}});
    EXPECT_FLOAT_EQ(std::bit_cast<float>(scene.sampled(0.125f, 0.125f)[0]), 1);
    scene.state(0x16C00) |= 1u << 16;
    EXPECT_EQ(scene.sampled(0.125f, 0.125f)[0], 0x5Au);
}

/// R8 textures of 4x4 texels and one level each, at intervals of 0x100 bytes.
struct Levels : Halti5 {
    explicit Levels(uint32_t levels) {
        DescriptorWords words = {{0x40, 2}, {0x44, 0x00100010}, {0x4C, 0x00321015}, {0x68, levels}};
        for (uint32_t level = 0; level < 9; level++) {
            words[4 * level] = memory_origin + 0x100 * level;
            for (uint32_t i = 0; i < 0x100; i++)
                memory.poke<uint8_t>(memory_origin + 0x100 * level + i, uint8_t(level));
        }
        describe(0, words);
        state(0x16C00) = nearest_edge | 1u << 11; // MIP nearest
    }
    uint32_t level(float lambda) { return sampled(0.5f, 0.5f, 0, &lambda)[0]; }
};

// ---- Comparisons ------------------------------------------------------------

constexpr uint32_t d16 = 0x00020002, compares = 1u << 17;

/* COMPARE_FUNC (rnndb): lequal, gequal, less, greater, equal, notequal, always, never. */
TEST(TeComparison, HasEightFunctions) {
    constexpr const char* expected[] = {"110", "011", "100", "001", "010", "101", "111", "000"};
    for (uint32_t func = 0; func < 8; func++) {
        Halti5 scene;
        scene.memory.poke<uint16_t>(memory_origin, 0x5555); // a third
        scene.describe(0, {{0x40, d16}});
        scene.state(0x16C00) = nearest_edge | compares | func << 18;
        const float references[] = {0.25f, 1.0f / 3, 0.5f};
        for (unsigned i = 0; i < 3; i++) {
            const uint32_t passes = expected[func][i] == '1' ? one : 0;
            EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, references[i]),
                      (std::array{passes, passes, passes, passes}))
                << func << ", " << references[i];
        }
    }
}

TEST(TeComparison, NeedsBothAReferenceAndTheState) {
    Halti5 scene;
    scene.memory.poke<uint16_t>(memory_origin, 0x5555);
    scene.describe(0, {{0x40, d16}});
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, 0.5f)[0], bits(1.0f / 3));
    scene.state(0x16C00) = nearest_edge | compares;
    EXPECT_EQ(scene.sampled(0, 0)[0], bits(1.0f / 3));
}

TEST(TeComparison, PrecedesTheSwizzle) {
    Halti5 scene;
    scene.memory.poke<uint16_t>(memory_origin, 0x5555);
    scene.describe(0, {{0x40, d16}, {0x4C, 0x00354000}}); // red, zero, one, alpha
    scene.state(0x16C00) = nearest_edge | compares | 1 << 18;
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, 0.5f), (std::array{one, 0u, one, one}));
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, 0.25f), (std::array{0u, 0u, one, 0u}));
    scene.describe(0, {{0x40, d16}, {0x4C, 0x00555300}}); // alpha, and ones: constants of depths
    scene.state(0x16C00) = nearest_edge | compares | 1 << 18;
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, 0.25f), (std::array{0u, one, one, one}));
}

TEST(TeComparison, LimitsTheReference) {
    Halti5 scene;
    scene.memory.poke<uint16_t>(memory_origin, 0xFFFF);
    scene.describe(0, {{0x40, d16}});
    scene.state(0x16C00) = nearest_edge | compares; // lequal
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, 1.5f)[0], one);
    scene.memory.poke<uint16_t>(memory_origin, 0);
    scene.state(0x16C00) = nearest_edge | compares | 1 << 18; // gequal
    EXPECT_EQ(scene.sampled(0, 0, 0, nullptr, -1.0f)[0], one);
}

/* The filter averages results, not depths: three of four texels pass. */
TEST(TeComparison, PrecedesTheFilter) {
    Halti5 scene;
    for (uint32_t i = 0; i < 16; i++)
        scene.memory.poke<uint16_t>(memory_origin + 2 * i, i % 4 == 1 && i / 4 == 1 ? 0 : 0xFFFF);
    scene.describe(0, {{0x40, d16}});
    scene.state(0x16C00) = 0x00204492 | compares; // linear, no mip levels, clamped
    EXPECT_EQ(scene.sampled(0.5f, 0.5f, 0, nullptr, 0.5f)[0], bits(0.75f));
    EXPECT_EQ(scene.sampled(0.375f, 0.375f, 0, nullptr, 0.5f)[0], 0u);
}

/* Before HALTI5 the function is in NTE_SAMPLER_BASELOD. */
TEST(TeComparison, IsInABankOfStates) {
    Scene scene;
    scene.memory.poke<uint16_t>(memory_origin, 0x5555);
    scene.state(0x10000) = d16 | 2 << 3 | 2 << 5 | 1 << 7 | 1 << 11;
    scene.state(0x10080) = 0x00040004;
    scene.state(0x10380) = identity;
    scene.state(0x10800) = memory_origin;
    scene.state(0x10700) = 1u << 16 | 3 << 20;
    Features3d features;
    features.halti2 = true;
    const TeSetup setup = TeSetup::decode(States(scene.words.data()), ~0u, features);
    scene.units->bind(setup, scene.memory);
    Vector coordinate, texel;
    Lanes references;
    for (Lanes& lanes : coordinate)
        lanes.f.fill(0);
    references.f.fill(0.25f);
    references.f[5] = 0.5f;
    TextureRequest request;
    request.quads = false;
    request.coordinate = &coordinate;
    request.reference = &references;
    scene.units->sample(request, texel);
    EXPECT_EQ(texel[0].f[4], 0);
    EXPECT_EQ(texel[0].f[5], 1);
}

TEST(TeDescriptor, RoundsLevelsToTheNearest) {
    Levels scene(0x0400);
    EXPECT_EQ(scene.level(0.49f), 0u);
    EXPECT_EQ(scene.level(0.5f), 1u);
    EXPECT_EQ(scene.level(1.53125f), 2u);
}

/* HD18: texels are magnified if the level is not positive after the limits, and not up to MIN. */
TEST(TeSamplerStates, MagnifyUpToLevelZero) {
    constexpr uint32_t linear_if_magnified = 0x00204292, with_levels = 1u << 11;
    const auto sampled = [](uint32_t control, uint32_t limits, float level) {
        Halti5 scene;
        scene.describe(0, {{0x40, 0x00004002}, {0x44, 0x00010002}}); // L8, 2x1
        scene.memory.poke<uint8_t>(memory_origin, 0);
        scene.memory.poke<uint8_t>(memory_origin + 1, 255);
        scene.state(0x16C00) = control;
        scene.state(0x17000) = limits;
        return std::bit_cast<float>(scene.sampled(0.5f, 0, 0, &level)[0]);
    };
    constexpr float filtered = 0.5f, nearest_texel = 1;
    EXPECT_EQ(sampled(linear_if_magnified, 4, 0), filtered);
    EXPECT_EQ(sampled(linear_if_magnified, 4, 0.5f), nearest_texel);
    EXPECT_EQ(sampled(linear_if_magnified, 0, 0.5f), filtered) << "MAX is 0";
    EXPECT_EQ(sampled(linear_if_magnified, 0x00800100, -1), nearest_texel) << "MIN is 1/2";
    EXPECT_EQ(sampled(linear_if_magnified | with_levels, 0x0FFF, 0.5f), filtered);
    EXPECT_EQ(sampled(linear_if_magnified | with_levels, 0x0FFF, 0.6f), nearest_texel);
}

TEST(TeDescriptor, CountsLevelsFromTheBase) {
    Levels scene(0x0402);
    EXPECT_EQ(scene.level(1), 3u);
    EXPECT_EQ(scene.level(0), 2u);
    EXPECT_EQ(scene.level(5), 4u);
}

TEST(TeDescriptor, SelectsTheNearestLayer) {
    Halti5 scene;
    for (uint32_t i = 0; i < 4 * 64; i++)
        scene.memory.poke<uint8_t>(memory_origin + i, uint8_t(i / 64));
    scene.describe(0, {{0x40, 3}, {0x4C, 0x01321015}, {0x7C, 64}, {0x84, 4}});
    EXPECT_EQ(scene.sampled(0.5f, 0.5f, 2.5f)[0], 3u);
    EXPECT_EQ(scene.sampled(0.5f, 0.5f, 0.4f)[0], 0u);
    EXPECT_EQ(scene.sampled(0.5f, 0.5f, 9)[0], 3u);
}

// ---- Bad input --------------------------------------------------------------

TEST(TeDescriptor, IsRequired) {
    constexpr std::array nothing = {0u, 0u, 0u, one};
    struct Row {
        const char* what;
        void (*spoil)(Halti5& scene);
        SamplerError error;
    };
    for (const Row& row : {
             Row{"off", [](Halti5& s) { s.state(0x14C40) = 0; }, SamplerError::disabled},
             {"null", [](Halti5& s) { s.state(0x15C00) = 0; }, SamplerError::memory},
             {"unmapped", [](Halti5& s) { s.state(0x15C00) = 0xFFFFFFC0; }, SamplerError::memory},
             {"misaligned", [](Halti5& s) { s.state(0x15C00) += 4; }, SamplerError::memory},
             {"past the end",
              [](Halti5& s) { s.state(0x15C00) = memory_origin + memory_size - 64; },
              SamplerError::memory},
             {"type 0",
              [](Halti5& s) {
                  s.describe(0, {{0x40, 0}});
              },
              SamplerError::unconfigured},
             {"no width",
              [](Halti5& s) {
                  s.describe(0, {{0x44, 0x00040000}});
              },
              SamplerError::size},
             {"no height",
              [](Halti5& s) {
                  s.describe(0, {{0x44, 0x00000004}});
              },
              SamplerError::size},
             {"large",
              [](Halti5& s) {
                  s.describe(0, {{0x44, 0x00044001}});
              },
              SamplerError::size},
         }) {
        Halti5 scene;
        scene.memory.poke<uint32_t>(memory_origin, 0xFFFFFFFF);
        scene.describe(0, {});
        row.spoil(scene);
        EXPECT_EQ(scene.sampled(0.125f, 0.125f), nothing) << row.what;
        EXPECT_EQ(scene.setup.sampler[0].error, row.error) << row.what;
    }
}

TEST(TeDescriptor, ClampsLevelsThatItCannotHave) {
    Halti5 scene;
    scene.describe(0, {{0x68, 0x00000F0F}});
    EXPECT_EQ(scene.decoded(0).lod_max, 0); // base is level 13, the last
    scene.describe(0, {{0x68, 0x00000103}, {0x0C, 0x00405000}});
    EXPECT_EQ(scene.decoded(0).level[0], 0x00405000u);
    EXPECT_EQ(scene.decoded(0).lod_max, 0) << "MAXLOD < BASELOD";
}

} // namespace
} // namespace pixmill::vivante::te::test

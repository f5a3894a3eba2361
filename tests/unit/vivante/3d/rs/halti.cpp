// Jobs of the resolve engine of the GC3000 and of the GC7000UL, as Mesa 25.0 writes them
// (etnaviv_rs.c). Fields: rnndb state_3d.xml.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <array>
#include <initializer_list>
#include <tuple>
#include <utility>
#include <vector>

#include "pixmill/vivante.h"
#include "vivante/3d/rs/rs.hpp"
#include "vivante/chip.hpp"

namespace pixmill::vivante {
namespace {

constexpr const char *gc3000 = "gc3000-imx6qp", *gc7000 = "gc7000-imx8mp";
constexpr uint32_t surface = 0x10000000, status = 0x20000000, stale = 0x0BAD0000;

class Job {
public:
    Job(const char* model, std::initializer_list<std::pair<uint32_t, uint32_t>> writes)
        : features_(Features3d::of(*find_chip(model))) {
        for (const uint32_t address : {0x16C4u, 0x16E4u}) // of a second pipe
            set(address, stale);
        set(0x16C0, surface);
        set(0x16E0, surface);
        set(0x16B8, 1);
        for (const auto& [address, value] : writes)
            set(address, value);
    }
    RsSetup setup() const { return RsSetup::decode(states(), features_); }
    RsSetup in_place() const { return RsSetup::decode_in_place(states(), features_); }

private:
    States states() const { return States(words_.data()); }
    void set(uint32_t address, uint32_t value) { words_[address / 4] = value; }

    Features3d features_;
    std::vector<uint32_t> words_ = std::vector<uint32_t>(PIXMILL_VIVANTE_STATE_WORDS);
};

TEST(RsHalti, FillsASurface) {
    for (const auto& [model, tiling, layout] :
         {std::tuple{gc7000, 0x88000000u, Layout::new_supertiled},
          std::tuple{gc3000, 0x80000000u, Layout::supertiled}}) {
        const RsSetup setup = Job(model, {{0x1604, 0x4606},
                                          {0x1614, tiling | 0x1000},
                                          {0x1620, 0x01000100},
                                          {0x163C, 0x1FFFF},
                                          {0x1640, 0xFF996633}})
                                  .setup();
        EXPECT_EQ(setup.kind, RsSetup::Kind::fill);
        EXPECT_EQ(setup.destination.layout, layout);
        EXPECT_EQ(setup.destination.stride, 0x400u);
        EXPECT_EQ(setup.destination.address[0], surface);
        EXPECT_NE(setup.destination.address[1], stale);
        EXPECT_EQ(setup.offset[0], setup.offset[1]) << "one rectangle";
        EXPECT_EQ(setup.width, 256u);
        EXPECT_EQ(setup.height, 256u);
    }
}

TEST(RsHalti, FillsTheTileStatus) {
    const RsSetup setup = Job(gc7000, {{0x1604, 0x4606},
                                       {0x1614, 0x100},
                                       {0x1620, 0x00100010},
                                       {0x163C, 0x1FFFF},
                                       {0x1640, 0x11111111}})
                              .setup();
    EXPECT_EQ(setup.kind, RsSetup::Kind::fill);
    EXPECT_EQ(setup.destination.layout, Layout::tiled);
    EXPECT_EQ(setup.destination.stride * setup.height, 0x400u);
    EXPECT_EQ(setup.fill[0].words[0], 0x11111111u);
}

TEST(RsHalti, FillsPixelsOf64Bits) {
    const RsSetup setup = Job(gc7000, {{0x1604, 0x5515},
                                       {0x1614, 0x88002000},
                                       {0x1620, 0x01000100},
                                       {0x163C, 0x1FFFF},
                                       {0x1640, 0x38003C00},
                                       {0x1644, 0x3C003400}})
                              .setup();
    EXPECT_EQ(setup.kind, RsSetup::Kind::fill);
    EXPECT_EQ(setup.destination.bytes, 8u);
    EXPECT_EQ(setup.fill[0].words, (std::array{0x38003C00u, 0x3C003400u}));
}

TEST(RsHalti, CopiesThroughTheTileStatus) {
    for (const auto& [stride, unit] : {std::pair{0x88001000u, 128u}, {0xA8001000u, 256u}}) {
        const RsSetup setup = Job(gc7000, {{0x1604, 0x686},
                                           {0x160C, stride},
                                           {0x1614, 0x400},
                                           {0x1620, 0x01000100},
                                           {0x1654, 2},
                                           {0x1658, status},
                                           {0x165C, surface},
                                           {0x1660, 0xFF996633},
                                           {0x16BC, 0xFF996633}})
                                  .setup();
        EXPECT_EQ(setup.kind, RsSetup::Kind::copy);
        EXPECT_EQ(setup.source.layout, Layout::new_supertiled);
        EXPECT_EQ(setup.source.stride, 0x400u);
        EXPECT_EQ(setup.destination.layout, Layout::linear);
        EXPECT_EQ(setup.destination.stride, 0x400u);
        EXPECT_NE(setup.source.address[1], stale);
        EXPECT_TRUE(setup.status.enabled);
        EXPECT_EQ(setup.status.unit, unit);
        EXPECT_EQ(setup.status.tile_bits, 4);
        EXPECT_EQ(setup.status.clear[1], 0xFF996633u);
    }
}

TEST(RsHalti, ResolvesFourSamples) {
    for (const auto& [model, source, destination] :
         {std::tuple{gc7000, 0xA8002000u, 0x88001000u},
          std::tuple{gc3000, 0xA0002000u, 0x80001000u}}) {
        const RsSetup setup = Job(model, {{0x1604, 0x46E6},
                                          {0x160C, source},
                                          {0x1614, destination},
                                          {0x1620, 0x02000200},
                                          {0x1654, 0x382},
                                          {0x1658, status},
                                          {0x165C, surface}})
                                  .setup();
        EXPECT_EQ(setup.kind, RsSetup::Kind::copy);
        EXPECT_TRUE(setup.downsample_x);
        EXPECT_TRUE(setup.downsample_y);
        EXPECT_EQ(setup.status.unit, 256u);
        EXPECT_EQ(setup.width, 512u);
    }
}

TEST(RsHalti, ResolvesInPlace) {
    for (const auto& [model, stride, tiles, unit] :
         {std::tuple{gc7000, 0x88001000u, 0x800u, 128u},
          std::tuple{gc3000, 0x80001000u, 0x1000u, 64u}}) {
        const RsSetup setup = Job(model, {{0x160C, stride},
                                          {0x16A0, 0},
                                          {0x1654, 2},
                                          {0x1658, status},
                                          {0x165C, surface},
                                          {0x16B0, tiles}})
                                  .in_place();
        EXPECT_EQ(setup.kind, RsSetup::Kind::in_place);
        EXPECT_EQ(setup.tiles, tiles);
        EXPECT_EQ(setup.status.unit, unit);
        EXPECT_EQ(uint64_t(setup.tiles) * unit, 256u * 256 * 4);
    }
}

} // namespace
} // namespace pixmill::vivante

/*
 * Coordinates up to 32766 (AM57xx TRM, BB2D: 32K x 32K). Draws the last four pixels that a
 * rectangle and a clip can include, with every primitive and rotation.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

constexpr int kFirst = 32765; /* x and y of the first pixel under test */
constexpr int kEnd = 32767;
constexpr uint32_t kSize = 0x8000; /* width and height of the surfaces */
constexpr uint32_t kCodes[] = {0, 1, 2, 4, 5, 6};

/* A surface with memory only at the pixels under test. Other addresses wrap at 4 GiB. */
struct FarSurface {
    uint32_t anchor; /* address of (kFirst, kFirst) */
    uint32_t stride;
    uint32_t code = 0;

    uint32_t offset(int x, int y) const {
        const auto vx = static_cast<uint32_t>(x);
        const auto vy = static_cast<uint32_t>(y);
        const uint32_t turned_x = kSize - 1 - vx;
        const uint32_t turned_y = kSize - 1 - vy;
        const uint32_t px = code == 1 || code == 5 ? turned_x
                            : code == 4            ? turned_y
                            : code == 6            ? vy
                                                   : vx;
        const uint32_t py = code == 2 || code == 5 ? turned_y
                            : code == 6            ? turned_x
                            : code == 4            ? vx
                                                   : vy;
        return py * stride + px * 4;
    }
    uint32_t base() const { return anchor - offset(kFirst, kFirst); }
    uint32_t at(int x, int y) const { return base() + offset(x, y); }
};

using Block = std::array<uint32_t, 4>; /* 2x2 pixels from (kFirst, kFirst), in rows */

constexpr uint32_t kTargetAt = 0xA0000;
constexpr uint32_t kRowBytes = 0x20000; /* 32768 pixels: a filter's window ends with the row */
constexpr Block kPixels = {0xFF000001, 0xFF000002, 0xFF000003, 0xFF000004};
constexpr Block kBefore = {0xFF0000A1, 0xFF0000A2, 0xFF0000A3, 0xFF0000A4};

void put_block(Scene& scene, const FarSurface& surface, const Block& block) {
    for (int i = 0; i < 4; i++)
        scene.words(surface.at(kFirst + i % 2, kFirst + i / 2), {block[static_cast<size_t>(i)]});
}

void expect_block(Scene& scene, const FarSurface& surface, const Block& block) {
    for (int i = 0; i < 4; i++)
        scene.expect_words(surface.at(kFirst + i % 2, kFirst + i / 2),
                           {block[static_cast<size_t>(i)]});
}

struct Primitive {
    const char* name;
    uint32_t command;
    const char* model;
    Writes states;
    Words data; /* mono stream */
    Rect rect;
    Block expected;
};

constexpr Rect kAll{kFirst, kFirst, kEnd, kEnd};
constexpr uint32_t kInk = 0xFF0000EE;

std::vector<Primitive> without_source() {
    return {
        {"clear",
         kCommandClear,
         kPe20,
         {{state::kClear32, kInk}},
         {},
         kAll,
         {kInk, kInk, kInk, kInk}},
        {"line",
         kCommandLine,
         kPe20,
         solid_brush(kInk),
         {},
         kAll,
         {kInk, kBefore[1], kBefore[2], kInk}},
        {"line backwards",
         kCommandLine,
         kPe20,
         solid_brush(kInk),
         {},
         {kEnd - 1, kEnd - 1, kFirst - 1, kEnd - 1},
         {kBefore[0], kBefore[1], kInk, kInk}},
        {"stream",
         kCommandBlit,
         kPe20,
         {{state::kSrcConfig, kMonochrome << 24 | kSrcStream},
          {state::kSrcColorFg, kInk},
          {state::kSrcColorBg, 0}},
         {0x00004080},
         kAll,
         {kInk, 0, 0, kInk}},
    };
}

std::vector<Primitive> with_source() {
    return {
        {"blit", kCommandBlit, kPe20, {}, {}, kAll, kPixels},
        {"relative blit",
         kCommandBlit,
         kPe20,
         {{state::kSrcConfig, src_config(kA8R8G8B8) | kSrcRelative}, {state::kSrcOrigin, 0}},
         {},
         kAll,
         kPixels},
        {"mirrored blit",
         kCommandBlit,
         kPe20,
         {{state::kConfig, 0x31}},
         {},
         kAll,
         {kPixels[3], kPixels[2], kPixels[1], kPixels[0]}},
        {"stretch",
         kCommandStretch,
         kPe20,
         {{state::kSrcSize, pack_xy(1, 2)}},
         {},
         kAll,
         {kPixels[0], kPixels[0], kPixels[2], kPixels[2]}},
        {"several sources",
         kCommandMultiSource,
         kMulti8,
         {{state::kMultiSource, 0}, {state::kSrcOrigin, 0}},
         {},
         kAll,
         kPixels},
    };
}

/* Filter blits, which VR_CONFIG starts instead of DRAW_2D. */
std::vector<Primitive> filters() {
    const Writes window = {{state::kStretchLow, 0x10000},
                           {state::kStretchHigh, 0x10000},
                           {state::kVrSourceLow, pack_xy(kFirst, kFirst)},
                           {state::kVrSourceHigh, pack_xy(kEnd, kEnd)},
                           {state::kVrOriginLow, static_cast<uint32_t>(kFirst) << 16},
                           {state::kVrOriginHigh, static_cast<uint32_t>(kFirst) << 16},
                           {state::kVrTargetLow, pack_xy(kFirst, kFirst)},
                           {state::kVrTargetHigh, pack_xy(kEnd, kEnd)}};
    const auto filter = [&](const char* name, uint32_t command, uint32_t start) {
        return Primitive{name, command, kPe20,  window + Writes{{state::kVrConfig, start}},
                         {},   {},      kPixels};
    };
    return {filter("horizontal filter", 0x5000, 0), filter("vertical filter", 0x6000, 1),
            filter("one pass", 0x7000, 2)};
}

std::vector<Primitive> primitives() {
    std::vector<Primitive> all = without_source();
    for (const auto& more : {with_source(), filters()})
        all.insert(all.end(), more.begin(), more.end());
    return all;
}

void expect_drawn(const Primitive& primitive, uint32_t source_code, uint32_t dest_code) {
    SCOPED_TRACE(testing::Message()
                 << primitive.name << ", source " << source_code << ", destination " << dest_code);
    const FarSurface source{kSrcAt, 0x1000, source_code};
    const FarSurface target{kTargetAt, kRowBytes, dest_code};
    Scene scene(primitive.model);
    put_block(scene, source, kPixels);
    put_block(scene, target, kBefore);
    scene.base(0, 0, primitive.command,
               {{state::kSrcAddress, source.base()},
                {state::kSrcStride, source.stride},
                {state::kSrcRotation, kSize},
                {state::kSrcRotationHeight, kSize},
                {state::kSrcOrigin, pack_xy(kFirst, kFirst)},
                {state::kDestAddress, target.base()},
                {state::kDestStride, target.stride},
                {state::kDestRotation, kSize},
                {state::kDestRotationHeight, kSize},
                {state::kRotAngle, source_code | dest_code << 3}});
    scene.add(clip(0, 0, kEnd, kEnd));
    for (uint32_t table : {state::kFilterKernel, state::kHoriKernel, state::kVertiKernel})
        scene.table(table, identity_kernel());
    scene.set(primitive.states);
    if (primitive.rect.right)
        scene.draw(primitive.rect, primitive.data);
    scene.run();
    expect_block(scene, target, primitive.expected);
}

TEST(Vivante2dCoordinates, TheLastPixelsUnderEveryRotationOfTheDestination) {
    for (const Primitive& primitive : primitives()) {
        for (uint32_t code : kCodes)
            expect_drawn(primitive, 0, code);
    }
}

TEST(Vivante2dCoordinates, TheLastPixelsUnderEveryRotationOfTheSource) {
    for (const Primitive& primitive : primitives()) {
        for (uint32_t code : kCodes)
            expect_drawn(primitive, code, code == 4 ? 6 : code);
    }
}

/* The clip reduces the largest possible rectangle to its last four pixels. */
TEST(Vivante2dCoordinates, TheLastPixelsOfTheLargestRectangle) {
    const FarSurface target{kTargetAt, kRowBytes};
    Scene scene;
    put_block(scene, target, kBefore);
    scene.base(0, 0, kCommandClear,
               {{state::kClear32, 0x77},
                {state::kDestAddress, target.base()},
                {state::kDestStride, target.stride}});
    scene.add(clip(kFirst + 1, kFirst, kEnd, kEnd)).draw({-32768, -32768, kEnd, kEnd}).run();
    expect_block(scene, target, {kBefore[0], 0x77, kBefore[2], 0x77});
}

} // namespace
} // namespace pixmill::test

/*
 * Compares the pictures that a replay extracts with hand-computed pixels of the vectors in
 * tests/data (geode_vectors.txt, vivante_vg_vectors.txt).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "fake_host.hpp"
#include "pixmill/capture.h"
#include "pixmill/geode.h"
#include "pixmill/vivante.h"
#include "tools/replay/cores.hpp"
#include "tools/replay/pictures.hpp"
#include "tools/replay/reader.hpp"
#include "vivante/words.hpp"

namespace pixmill::test {
namespace {

using tools::Picture;

using Shown = std::map<std::string, Picture>; /* maps file names to pictures */

/* A core whose work is finished when write() returns. */
struct Device {
    const PixmillCoreClass& table;
    FakeHost host;
    PixmillCore* core = nullptr;

    void write(uint32_t offset, uint32_t value) const {
        EXPECT_EQ(table.write(core, offset, 4, value), PIXMILL_OK);
        while (table.run(core, 512).action == PIXMILL_RUN_DRAW) {
            FakeHost::in_draw = true;
            table.draw(core, 1 << 20);
            FakeHost::in_draw = false;
        }
    }
};

/*
 * Captures the calls that @use makes and returns the pictures of the replay. Log lines go to @said.
 */
Shown pictures_of(const PixmillCoreClass& table, const void* config, uint64_t ram,
                  const std::function<void(Device&)>& use, std::string& said) {
    Device device{table, {}};
    device.host.ram.add(ram, 0x10000);
    EXPECT_EQ(table.create(config, device.host.abi(), &device.core), PIXMILL_OK);
    device.host.entries++;
    std::string bytes;
    const PixmillSink sink{&bytes, [](void* user, const void* from, size_t length) {
                               static_cast<std::string*>(user)->append(
                                   static_cast<const char*>(from), length);
                               return true;
                           }};
    EXPECT_EQ(pixmill_capture_start(&table, device.core, &sink), PIXMILL_OK);
    use(device);
    table.destroy(device.core);

    Shown shown;
    std::istringstream file(bytes);
    tools::Reader reader(file);
    std::unique_ptr<tools::Pictures> pictures;
    tools::Replay* replayed = nullptr;
    tools::Watcher watcher;
    watcher.difference = [&](const std::string& text) { ADD_FAILURE() << text; };
    watcher.after = [&](const tools::Record& record) {
        if (pictures)
            pictures->after(record, replayed->draws());
    };
    tools::Replay replay(tools::core_classes, reader.head(), watcher);
    replayed = &replay;
    const auto targets = tools::targets_of(
        replay, reader.head(), [&](const std::string& text) { said += text; },
        [&](const std::string& name, const Picture& picture) { shown.emplace(name, picture); });
    pictures = std::make_unique<tools::Pictures>(*targets);
    for (tools::Record record; reader.next(record);)
        replay.play(record);
    EXPECT_EQ(replay.differences(), 0u);
    return shown;
}

/* Rows of 0xRRGGBB. */
using Pixels = std::vector<std::vector<uint32_t>>;
Pixels pixels_of(Picture picture) {
    Pixels rows(picture.height);
    for (uint32_t y = 0; y < picture.height; y++)
        for (uint32_t x = 0; x < picture.width; x++) {
            const uint8_t* rgb = picture.at(x, y);
            rows[y].push_back(uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | rgb[2]);
        }
    return rows;
}

constexpr uint32_t kVram = 0x01000000; /* reset value of BASE_OFFSET */

Shown blts(std::initializer_list<std::pair<uint32_t, uint32_t>> writes, std::string& said,
           std::initializer_list<std::pair<uint32_t, uint32_t>> memory = {}) {
    return pictures_of(
        pixmill_geode_gp, nullptr, kVram,
        [&](Device& device) {
            for (const auto& [at, word] : memory)
                device.host.ram.set_word(kVram + at, word);
            for (const auto& [offset, value] : writes)
                device.write(offset, value);
        },
        said);
}

TEST(CapturePictures, OfAGeodesFills) {
    std::string said;
    /* V6 constant-source-32bpp */
    auto shown = blts({{0x38, 0x800000CC},
                       {0x10, 0x11223344},
                       {0x08, 0x20},
                       {0x0C, 0x00020002},
                       {0x00, 0x104},
                       {0x40, 0}},
                      said);
    ASSERT_TRUE(shown.contains("00001-blt.png")) << said;
    EXPECT_EQ(pixels_of(shown.at("00001-blt.png")),
              (Pixels{{0x223344, 0x223344}, {0x223344, 0x223344}}));
    EXPECT_EQ(said, "draw 1: A8R8G8B8, 2 x 2 at 0x01000104: 00001-blt.png\n");
    /* in V9 (leftwards-fill), the start address is the last byte of the first pixel */
    said.clear();
    shown = blts({{0x38, 0x800000F0},
                  {0x18, 0xCAFEBABE},
                  {0x08, 0x20},
                  {0x0C, 0x00020001},
                  {0x00, 0x207},
                  {0x40, 0x200}},
                 said);
    EXPECT_EQ(pixels_of(shown.at("00001-blt.png")), (Pixels{{0xFEBABE, 0xFEBABE}}));
    EXPECT_EQ(said, "draw 1: A8R8G8B8, 2 x 1 at 0x01000200: 00001-blt.png\n");
    /* in V10 (upwards-fill), R3G3B2 11h has red 0/7, green 4/7, blue 1/3 */
    said.clear();
    shown = blts(
        {{0x38, 0xF0}, {0x18, 0x11}, {0x08, 0x10}, {0x0C, 0x00010002}, {0x00, 0x40}, {0x40, 0x100}},
        said);
    EXPECT_EQ(pixels_of(shown.at("00001-blt.png")), (Pixels{{0x009155}, {0x009155}}));
    EXPECT_EQ(said, "draw 1: R3G3B2, 1 x 2 at 0x01000030: 00001-blt.png\n");
}

/*
 * Draws two BLTs with the ROP of V7 (5A, 8 bits per pixel), then a vector, which gives no picture.
 */
TEST(CapturePictures, OfAGeodeAreThoseAfterEachBlt) {
    std::string said;
    const auto shown = blts({{0x38, 0x5A},
                             {0x18, 0xFF},
                             {0x08, 0x10},
                             {0x0C, 0x00040001},
                             {0x00, 0x40},
                             {0x40, 4},
                             {0x40, 0},
                             {0x0C, 0x00010000},
                             {0x3C, 0}},
                            said, {{0x40, 0x55AAF00F}});
    ASSERT_EQ(shown.size(), 2u) << said;
    /* Pixels F0 0F 55 AA, then FF: red is bits 7:5, green 4:2, blue 1:0. */
    EXPECT_EQ(pixels_of(shown.at("00001-blt.png")),
              (Pixels{{0xFF9100, 0x006DFF, 0x48B655, 0xB648AA}}));
    EXPECT_EQ(pixels_of(shown.at("00002-blt.png")),
              (Pixels{{0xFFFFFF, 0xFFFFFF, 0xFFFFFF, 0xFFFFFF}}));
    EXPECT_NE(said.find("draw 3: no picture: not a BLT\n"), std::string::npos) << said;
}

constexpr uint32_t kRam = 0x80000000, kTarget = kRam + 0x8000;

/* Clears a rectangle of an A8R8G8B8 surface of 4x2 pixels with the 2D engine. */
TEST(CapturePictures, OfThe2dEngine) {
    constexpr PixmillVivanteConfig gc320{"gc320-imx6", 0, 0, 0, 1, 0, 0, 0, 0};
    constexpr uint32_t ram = 0x10000000, target = ram + 0x8000; /* bit 31 selects the MMU */
    constexpr uint32_t a8r8g8b8 = 6; /* of DEST_CONFIG, whose command CLEAR is 0 */
    const Stream stream = Stream()
                              .state(state::kPipeSelect, 1)
                              .states(state::kDestAddress, {target, 16, 0, a8r8g8b8})
                              .states(state::kClipTopLeft, {0, pack_xy(4, 2)})
                              .state(state::kRop, 0x0030CCCC)
                              .state(state::kClear32, 0xFF102030)
                              .draw({1, 0, 3, 1})
                              .end();
    std::string said;
    const auto shown = pictures_of(
        pixmill_vivante, &gc320, ram,
        [&](Device& device) {
            uint32_t at = ram;
            for (const uint32_t word : stream.words()) {
                device.host.ram.set_word(at, word);
                at += 4;
            }
            device.write(reg::kCommandAddress, ram);
            device.write(reg::kCommandControl, 0x10000 | stream.qwords());
        },
        said);
    EXPECT_EQ(said, "draw 1: A8R8G8B8, 4 x 2 at 0x10008000: 00001-2d.png\n");
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_EQ(pixels_of(shown.at("00001-2d.png")),
              (Pixels{{0, 0x102030, 0x102030, 0}, {0, 0, 0, 0}}));
}

/*
 * Vectors R1 and R2, clear-all and clear-box, on an 8x6 BGRA8888 target. Colors in states are ABGR.
 */
Shown clears(uint32_t config, uint32_t stride, std::string& said) {
    constexpr PixmillVivanteConfig gc355{"gc355-rt1170", 0, 0, 0, 1, 0, 0, 0, 0};
    return pictures_of(
        pixmill_vivante, &gc355, kRam,
        [&](Device& device) {
            uint32_t at = kRam;
            const auto emit = [&](std::initializer_list<uint32_t> words) {
                for (const uint32_t word : words) {
                    device.host.ram.set_word(at, word);
                    at += 4;
                }
            };
            const auto state = [&](uint32_t address, uint32_t value) {
                emit({0x30010000 | address, value});
            };
            state(0xA10, config);
            state(0xA11, kTarget);
            state(0xA12, stride);
            state(0xA13, 0x00060008);
            state(0xA34, 0);
            state(0xA00, 0x10000001);
            state(0xA02, 0xFF604020);
            emit({0x40000001, 0, 0, 0x00060008});
            state(0xA02, 0x80FF0000);
            emit({0x40000001, 0, 0x00010002, 0x00020003}); /* 3x2 at (2, 1) */
            emit({0, 0});
            device.write(0x500, kRam);
            device.write(0x504, (at - kRam) / 8);
        },
        said);
}

TEST(CapturePictures, OfVectorGraphics) {
    Pixels cleared(6, std::vector<uint32_t>(8, 0x204060)), boxed = cleared;
    for (uint32_t y = 1; y < 3; y++)
        for (uint32_t x = 2; x < 5; x++)
            boxed[y][x] = 0x0000FF;
    /* Top-down, bottom-up, linear and tiled targets must give the same picture. */
    for (const auto& [config, stride] : {std::pair{0x00010303u, 0x20u},
                                         {0x00000303u, 0x20u},
                                         {0x00010303u, 0x10000020u},
                                         {0x00000303u, 0x10000040u}}) {
        std::string said;
        const auto shown = clears(config, stride, said);
        ASSERT_EQ(shown.size(), 2u) << said;
        EXPECT_EQ(pixels_of(shown.at("00001-vg.png")), cleared) << std::hex << config << stride;
        EXPECT_EQ(pixels_of(shown.at("00002-vg.png")), boxed) << std::hex << config << stride;
        EXPECT_TRUE(said.starts_with("draw 1: 8 x 6 at 0x80008000: 00001-vg.png\n")) << said;
    }
    /* No core has format 8, so nothing is drawn. */
    std::string said;
    EXPECT_TRUE(clears(0x00010308, 0x20, said).empty()) << said;
}

} // namespace
} // namespace pixmill::test

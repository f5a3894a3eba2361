/*
 * The framebuffer of machine `am57xx`, read with QMP's screendump.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "../rig.hpp"
#include "../screen.hpp"
#include "../vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kSdram = 0x80000000;

std::unique_ptr<Qemu> machine(const std::string& options, std::vector<std::string> arguments = {}) {
    arguments.insert(arguments.end(), {"-m", "64"});
    return std::make_unique<Qemu>(
        QemuOptions{.machine = "am57xx" + options, .arguments = std::move(arguments)});
}

TEST(SimpleFramebuffer, ShowsX8R8G8B8FromTheEndOfTheMemory) {
    const auto qemu = machine(",framebuffer=20x3");
    constexpr uint64_t base = kSdram + 62 * 1024 * 1024;
    Words expected(60, 0);
    EXPECT_EQ(screendump(*qemu).pixels, expected);
    for (uint32_t i = 0; i < 60; ++i) {
        expected[i] = 0x010305 * i;
        qemu->write32(base + 4 * i, 0xAA000000 | expected[i]); /* X is ignored */
    }
    const Screen screen = screendump(*qemu);
    EXPECT_EQ(screen.width, 20u);
    EXPECT_EQ(screen.height, 3u);
    EXPECT_EQ(screen.pixels, expected);
    expect_clean_quit(*qemu);
}

/* High bits are replicated into the low ones: 5 bits b43210 become b43210432. */
TEST(SimpleFramebuffer, ShowsR5G6B5) {
    const auto qemu = machine(",framebuffer=6x1,framebuffer-format=r5g6b5");
    constexpr uint64_t base = kSdram + 62 * 1024 * 1024;
    const std::pair<uint16_t, uint32_t> pixels[] = {{0x0000, 0x000000}, {0xFFFF, 0xFFFFFF},
                                                    {0xF800, 0xFF0000}, {0x07E0, 0x00FF00},
                                                    {0x8410, 0x848284}, {0x0841, 0x080808}};
    Words expected;
    for (const auto& [stored, shown] : pixels) {
        qemu->write16(base + 2 * expected.size(), stored);
        expected.push_back(shown);
    }
    EXPECT_EQ(screendump(*qemu).pixels, expected);
    expect_clean_quit(*qemu);
}

/* Only dirty rows are redrawn, so a missed row would still show the old picture. */
TEST(SimpleFramebuffer, ShowsWhatBb2dDraws) {
    const auto qemu = machine(",framebuffer=64x48");
    constexpr uint32_t base = 0x80000000 + 62 * 1024 * 1024, list = 0x81000000;
    Words expected(64 * 48, 0);
    EXPECT_EQ(screendump(*qemu).pixels, expected);
    Gc gc(*qemu, 0x59000000);
    const Commands commands = base_block(64, 48, command::kClear, base, 0)
                                  .load(state::kClearPixel, 0xFF336699)
                                  .draw({{5, 7, 40, 20}})
                                  .load(state::kFlushCache, 8)
                                  .end();
    qemu->write_words(list, commands.words());
    gc.start(list, commands.qwords());
    for (int i = 0; i < 1000 && !gc.stopped(); ++i) {
        qemu->clock_step(20 * kMicrosecond);
    }
    for (uint32_t y = 7; y < 20; ++y) {
        for (uint32_t x = 5; x < 40; ++x) {
            expected[64 * y + x] = 0x336699;
        }
    }
    EXPECT_EQ(screendump(*qemu).pixels, expected);
    expect_clean_quit(*qemu);
}

TEST(SimpleFramebuffer, MigratesWithItsPictureAndOnlyToItsLike) {
    const auto qemu = machine(",framebuffer=4x2");
    constexpr uint64_t base = kSdram + 62 * 1024 * 1024;
    const Words picture{1, 2, 3, 4, 5, 6, 7, 8};
    qemu->write_words(base, picture);
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    const auto copy = machine(",framebuffer=4x2", {"-incoming", "defer"});
    EXPECT_EQ(screendump(*copy).pixels, Words(8, 0));
    copy->migrate_from(file);
    EXPECT_EQ(screendump(*copy).pixels, picture);
    expect_clean_quit(*copy);
    const auto other = machine(",framebuffer=2x4", {"-incoming", "defer"});
    EXPECT_THROW(other->migrate_from(file), QemuError);
}

} // namespace
} // namespace pixmill::qtest

/*
 * Tests of the fuzzer seeds that are made from captures. Frame::Captured in tests/fuzz/frame.cpp
 * defines the byte format.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "fake_host.hpp"
#include "pixmill/capture.h"
#include "pixmill/vivante.h"
#include "tests/toy/toy.h"
#include "tools/replay/seeds.hpp"

namespace pixmill::test {
namespace {

using tools::seeds::Step;

constexpr uint64_t kRam = 0x10000000; /* a disabled MMU v1 also maps it at this address */

std::string byte(uint32_t value) {
    return std::string(1, char(value));
}
std::string half(uint32_t value) {
    return byte(value) + byte(value >> 8);
}
std::string word(uint32_t value) {
    return half(value) + half(value >> 16);
}
std::string step(Step step, const std::string& operands = {}) {
    return byte(step) + operands;
}
std::string written(uint32_t offset, uint32_t value) {
    return step(Step::write, half(offset / 4) + word(value));
}

/* Captures a core while @use works with it. Returns the seeds made from the capture. */
std::vector<std::string> seeds_of(const PixmillCoreClass& table, const void* config,
                                  const std::function<void(FakeHost&, PixmillCore*)>& use) {
    FakeHost host;
    host.ram.add(kRam, 0x10000);
    host.now = 1000 << 9;
    PixmillCore* core = nullptr;
    EXPECT_EQ(table.create(config, host.abi(), &core), PIXMILL_OK);
    host.entries++;
    std::string bytes;
    const PixmillSink sink{&bytes, [](void* user, const void* from, size_t length) {
                               static_cast<std::string*>(user)->append(
                                   static_cast<const char*>(from), length);
                               return true;
                           }};
    EXPECT_EQ(pixmill_capture_start(&table, core, &sink), PIXMILL_OK);
    use(host, core);
    table.destroy(core);
    std::istringstream file(bytes);
    std::vector<std::string> seeds;
    EXPECT_EQ(tools::seeds::make(file, [&](const std::string& seed) { seeds.push_back(seed); }),
              table.name);
    return seeds;
}

void fill_with_toy(PixmillCore* core) {
    EXPECT_EQ(pixmill_toy.write(core, 0, 4, kRam + 0x100), PIXMILL_OK);
    EXPECT_EQ(pixmill_toy.write(core, 4, 4, 8), PIXMILL_OK);
    EXPECT_EQ(pixmill_toy.write(core, 8, 4, 0x5A), PIXMILL_OK);
    while (pixmill_toy.run(core, 64).action == PIXMILL_RUN_DRAW) {
        FakeHost::in_draw = true;
        pixmill_toy.draw(core, 1000);
        FakeHost::in_draw = false;
    }
}

TEST(CaptureSeeds, CoverTheWorkBetweenTwoIdleStates) {
    const auto seeds = seeds_of(pixmill_toy, nullptr, [&](FakeHost& host, PixmillCore* core) {
        for (int i = 0; i < 20; i++) {
            fill_with_toy(core);
            host.now += 512; /* too short for a separate clock step */
            EXPECT_EQ(pixmill_toy.write(core, 12, 4, 1), PIXMILL_OK);
            (void)pixmill_toy.run(core, 64);
        }
    });
    const std::string beginning = byte(0xFF) + step(Step::clock, word(1000) + byte(9));
    ASSERT_EQ(seeds.size(), 2u);
    EXPECT_EQ(seeds[0], beginning + step(Step::load) + written(0, kRam + 0x100) + written(4, 8) +
                            written(8, 0x5A) +
                            step(Step::place, word(kRam / 4096) + byte(0) + byte(1)) +
                            step(Step::work, byte(3)));
    /* The registers, the interrupt level, and the progress of the fill. */
    const std::string state = step(Step::state, word(0) + byte(16) + word(kRam + 0x100) + word(8) +
                                                    word(0x5A) + word(1)) +
                              step(Step::state, word(16) + byte(4) + word(1)) +
                              step(Step::state, word(24) + byte(4) + word(8));
    EXPECT_EQ(seeds[1], byte(0xFF) + step(Step::clock, word(1001) + byte(9)) + state +
                            step(Step::load) + written(12, 1) + step(Step::work, byte(1)));
}

/*
 * The command stream is a NOP, a NOP with a different low half, and END. The words between them are
 * zero.
 */
TEST(CaptureSeeds, HaveTheMemoryThatWasRead) {
    constexpr PixmillVivanteConfig config{"gc320-imx6", 0, 0, 0, 1, 0, 0, 0, 0};
    constexpr uint32_t nop = 0x18000000, end = 0x10000000;
    const auto seeds = seeds_of(pixmill_vivante, &config, [&](FakeHost& host, PixmillCore* core) {
        for (const auto& [at, value] : {std::pair{0u, nop}, {8u, nop | 1}, {16u, end}})
            host.ram.set_word(kRam + 0x2FF0 + at, value);
        EXPECT_EQ(pixmill_vivante.write(core, 0x654, 4, kRam + 0x2FF0), PIXMILL_OK);
        EXPECT_EQ(pixmill_vivante.write(core, 0x658, 4, 0x10003), PIXMILL_OK);
        (void)pixmill_vivante.run(core, 64);
    });
    ASSERT_FALSE(seeds.empty());
    const std::string& seed = seeds[0];
    /* The model is stored as its index in pixmill_vivante_model(). */
    EXPECT_STREQ(pixmill_vivante_model(uint8_t(seed[1])), "gc320-imx6");
    for (const std::string& part :
         {written(0x654, kRam + 0x2FF0), written(0x658, 0x10003),
          step(Step::place, word(kRam / 4096 + 2) + byte(0) + byte(2)) +
              step(Step::words, byte(0) + half(0xFF0 / 4) + byte(1) + word(nop)) +
              step(Step::words, byte(0) + half(0xFF8 / 4) + byte(1) + word(nop | 1)) +
              step(Step::words, byte(1) + half(0) + byte(1) + word(end))})
        EXPECT_NE(seed.find(part), std::string::npos) << testing::PrintToString(part);
}

TEST(CaptureSeeds, AreNoLongerThanWhatAFuzzerMakesUp) {
    constexpr PixmillVivanteConfig config{"gc320-imx6", 0, 0, 0, 1, 0, 0, 0, 0};
    size_t longest = 0;
    for (const std::string& seed :
         seeds_of(pixmill_vivante, &config, [](FakeHost&host, PixmillCore*core) {
             /* every second state from 1600h on gets a different value */
             for (uint32_t i = 0; i < 0x4000; i++)
                 host.ram.set_word(kRam + 4 * uint64_t(i),
                                   i % 2 ? i << 8 | 1 : 0x08010580 + i % 800);
             for (uint32_t i = 0; i < 200; i++) {
                 host.now += 1'000'000;
                 EXPECT_EQ(pixmill_vivante.write(core, 0x654, 4, kRam + 0x100 * i), PIXMILL_OK);
                 EXPECT_EQ(pixmill_vivante.write(core, 0x658, 4, 0x10040), PIXMILL_OK);
                 (void)pixmill_vivante.run(core, 4096);
             }
         }))
        longest = std::max(longest, seed.size());
    EXPECT_GT(longest, 3500u);
    EXPECT_LE(longest, 4096u);
}

} // namespace
} // namespace pixmill::test

/*
 * Tests with bad guest input that no client produces.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

constexpr uint32_t kList = kSram + 0x5000;

TEST(NemaBadInput, NarrowAndUnalignedAccessesReachTheWholeWord) {
    Nema gpu;
    constexpr struct {
        uint32_t offset, size, value;
    } kCases[] = {{kIdreg, 1, 0x86362000},
                  {kIdreg, 2, 0x86362000},
                  {kIdreg + 1, 4, 0x86362000},
                  {kIdreg + 3, 1, 0x86},
                  {kIdreg + 2, 2, 0x8636}}; /* a narrow read selects bytes of the word */
    for (const auto& c : kCases) {
        uint32_t value = 0;
        EXPECT_EQ(gpu.try_read(c.offset, c.size, &value), PIXMILL_OK);
        EXPECT_EQ(value, c.value);
    }
    gpu.write(kTex0Base, 0xAABBCCDD);
    EXPECT_EQ(gpu.try_write(kTex0Base + 1, 1, 0x11), PIXMILL_OK);
    EXPECT_EQ(gpu.read(kTex0Base), 0x11u);
    EXPECT_EQ(gpu.read(kTex0Fstride), 0u);
    gpu.expected_logs = 5; /* one for each offset */
    EXPECT_EQ(gpu.try_write(kTex0Base + 1, 1, 0x12), PIXMILL_OK);
    EXPECT_EQ(gpu.read(kTex0Base), 0x12u) << "the write reaches the word";
}

TEST(NemaBadInput, AccessesOutsideTheWindowAreRefused) {
    Nema gpu;
    uint32_t value = 1;
    for (uint32_t size : {0u, 3u, 8u})
        EXPECT_EQ(gpu.try_read(0, size, &value), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(value, 0u);
    EXPECT_EQ(gpu.try_read(0x1000, 4, &value), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(gpu.try_write(0xFFFFFFFF, 1, 0), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_nema.peek(gpu.abi(), 0xFFFFFFFF), 0u);
}

TEST(NemaBadInput, UnknownOffsetsReadZeroAndAreLoggedOnce) {
    Nema gpu;
    for (uint32_t offset : {0x02Cu, 0x088u, 0x1F8u, 0x500u, 0xFECu}) {
        gpu.write(offset, 0xFFFFFFFF);
        EXPECT_EQ(gpu.read(offset), 0u);
        gpu.write(offset, 1);
        gpu.play({offset, 5});
    }
    EXPECT_EQ(gpu.counters().command_words, 10u);
    gpu.write(0x320, 1); /* vertices on other GPUs of the family; has no effect here */
    EXPECT_EQ(gpu.read(0x320), 0u);
    gpu.expected_logs = 7; /* one of them is for the list */
}

TEST(NemaBadInput, ListAddressesLoseTheirLowBits) {
    Nema gpu;
    gpu.host.ram.set_words(kList, {kClid, 1, kCmdAddr, kList + 0x105, kCmdSize, 2});
    gpu.host.ram.set_words(kList + 0x100, {kDrawColor, 2});
    gpu.start(kList + 7, 6);
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 7);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kDrawColor), 2u);
    EXPECT_EQ(gpu.read(kCmdAddr), kList + 0x108);
    gpu.expected_logs = 1;
}

TEST(NemaBadInput, ListsOutsideMemoryStop) {
    for (uint32_t address : {0u, 0x70000000u, 0xFFFFFFF8u, kSram + kSramSize - 8}) {
        Nema gpu;
        gpu.set({{kBusErrorMask, 0x7E}, {kIntCtrl, 2}});
        gpu.host.ram.set_words(kSram + kSramSize - 8, {kClid, 1});
        gpu.start(address, 100);
        gpu.go();
        EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
        EXPECT_TRUE(gpu.error_irq());
        EXPECT_FALSE(gpu.irq()) << "the list did not complete";
        EXPECT_EQ(gpu.read(kCmdStat), 0u);
        EXPECT_EQ(gpu.read(kStat), 0u);
        EXPECT_EQ(gpu.counters().bus_errors, 1u);
        EXPECT_EQ(gpu.read(kClid), address > kSram && address < kRingRam ? 1u : 0u);
        gpu.expected_logs = 1;
        gpu.play({kClid, 5});
        EXPECT_EQ(gpu.read(kClid), 5u);
    }
}

TEST(NemaBadInput, CallsOutsideMemoryForgetTheCaller) {
    Nema gpu;
    gpu.play({kCmdAddr, 0x70000000, kPush | kCmdSize, 2, kClid, 1}, kList);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.save()->clp_depth, 0u);
    gpu.expected_logs = 1;
}

/* The list's second pair ends beyond the end of memory. */
TEST(NemaBadInput, APairAtTheEndOfMemory) {
    Nema gpu;
    gpu.host.ram.add(0x40000000, 12);
    gpu.host.ram.set_words(0x40000000, {kClid, 1, kClid});
    gpu.start(0x40000000, 4);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 1u);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    gpu.expected_logs = 1;
}

/* The stack holds eight return addresses, so the ninth call must act as a jump. */
TEST(NemaBadInput, CallsOnAFullStackAreJumps) {
    Nema gpu;
    const auto at = [](uint32_t n) { return kSram + 0x6000 + 0x100 * n; };
    for (uint32_t n = 0; n < 9; n++)
        gpu.host.ram.set_words(
            at(n), {kCmdAddr, at(n + 1), kPush | kCmdSize, n == 8 ? 2u : 6u, 0x3C0 + 4 * n, 1});
    gpu.host.ram.set_words(at(9), {kClid, 9});
    gpu.start(at(0), 6);
    gpu.go();
    EXPECT_EQ(gpu.read(kClid), 9u);
    for (uint32_t n = 0; n < 9; n++)
        EXPECT_EQ(gpu.read(0x3C0 + 4 * n), n < 8 ? 1u : 0u) << n;
    EXPECT_EQ(gpu.read(kCmdStat), 0u);
    gpu.expected_logs = 1;
}

TEST(NemaBadInput, EndlessListsAreGivenUp) {
    Nema gpu;
    gpu.set(kBusErrorMask, 8);
    gpu.play({kCmdAddr, kList, kCmdSize, 4}, kList);
    EXPECT_EQ(gpu.read(kStat), 0u);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_TRUE(gpu.error_irq());
    EXPECT_EQ(gpu.counters().command_words, 2u << 24) << "2^24 pairs";
    gpu.expected_logs = 1;
    gpu.set(kSysInt, 1u << 11);
    gpu.play({kClid, 5});
    EXPECT_EQ(gpu.read(kClid), 5u);
    EXPECT_EQ(gpu.read(kSysInt), 0u);
}

TEST(NemaBadInput, EndlessListsCanBeStopped) {
    for (bool soft : {true, false}) {
        Nema gpu;
        gpu.host.ram.set_words(kList, {kCmdAddr, kList, kCmdSize, 4});
        gpu.start(kList, 4);
        for (int i = 0; i < 100; i++)
            EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_AGAIN);
        if (soft)
            gpu.write(kCmdStat, 0);
        else
            gpu.reset();
        EXPECT_EQ(gpu.run(64).action, PIXMILL_RUN_IDLE);
        EXPECT_EQ(gpu.read(kSysInt), 0u);
    }
}

TEST(NemaBadInput, ListsMayWriteTheRingAndThemselves) {
    Nema gpu;
    gpu.play({kRing, kRingRam | 4, kCmdStat, 0, kClid, 1}, kList);
    EXPECT_EQ(gpu.read(kRing), kRingRam | 4);
    EXPECT_EQ(gpu.read(kClid), 0u) << "CMD_STAT ends the list";
    EXPECT_EQ(gpu.read(kCmdSize), 2u);
    EXPECT_EQ(gpu.read(kStat), 0u);
    gpu.expected_logs = 1; /* no client does this */
}

/* If a list draws over its later pairs, the new contents must be executed. */
TEST(NemaBadInput, ListsMayDrawOverThemselves) {
    Nema gpu;
    const Words list{kDrawCmd, 2, kClid, 1, kDrawColor, 3};
    gpu.target(kList + 12, 3, 1, kClid); /* covers the values of CLID's pair and the next one */
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00010003}});
    gpu.play(list, kList);
    EXPECT_EQ(gpu.host.ram.words(kList, 6), (Words{kDrawCmd, 2, kClid, kClid, kClid, kClid}));
    EXPECT_EQ(gpu.read(kClid), uint32_t{kClid});
    EXPECT_EQ(gpu.read(kDrawColor), uint32_t{kClid}) << "that pair was overwritten";
    EXPECT_EQ(gpu.read(kStat), 0u);
}

TEST(NemaBadInput, JumpsOutsideMemoryStop) {
    Nema gpu;
    gpu.play({kCmdAddr, 0x70000000, kCmdSize, 2, kClid, 1}, kList);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kStat), 0u);
    gpu.expected_logs = 1;
}

/* Tests the extreme strides, negative and positive. Rows outside memory must not be drawn. */
TEST(NemaBadInput, TargetsWithHugeStrides) {
    constexpr struct {
        uint32_t base, stride;
    } kCases[] = {{kSram + 4, 0x7FFC}, {kSram + 0x8000, 0x8000}};
    for (const auto& c : kCases) {
        Nema gpu;
        gpu.target(c.base, 1, 4, 0x11223344);
        gpu.set({{kTex0Fstride, 0x01000000 | c.stride}, {kStartXy, 0}, {kEndXy, 0x00040001}});
        gpu.set(kDrawCmd, 2);
        size_t drawn = 0;
        for (int64_t y = 0; y < 4; y++) {
            const int64_t at = c.base + y * int16_t(c.stride);
            if (at < kSram || at + 4 > kSram + kSramSize)
                continue;
            EXPECT_EQ(gpu.host.ram.word(uint64_t(at)), 0x11223344u) << y;
            drawn++;
        }
        EXPECT_EQ(drawn, 2u + (c.stride < 0x8000));
        size_t words = 0;
        for (uint32_t word : gpu.host.ram.words(kSram, kSramSize / 4))
            words += word == 0x11223344;
        EXPECT_EQ(words, drawn) << "nothing else is drawn";
        EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
        gpu.expected_logs = 1;
    }
}

TEST(NemaBadInput, APairThatStopsStartsNothing) {
    for (uint32_t flag : {kAbort, kReturn}) {
        Nema gpu;
        gpu.play({kCmdAddr, kList, flag | kPush | kCmdSize, 4}, kList);
        EXPECT_EQ(gpu.read(kStat), 0u);
        EXPECT_EQ(gpu.save()->clp_depth, 0u);
        EXPECT_EQ(gpu.counters().command_words, 4u);
        gpu.play({flag | kRing, kRingRam | 4, kClid, 1}, kList);
        EXPECT_EQ(gpu.read(kRing), kRingRam | 4) << "the register is written, but starts nothing";
        EXPECT_EQ(gpu.read(kStat), 0u);
    }
}

TEST(NemaBadInput, UnknownPrimitivesAreIgnored) {
    for (uint32_t code : {0u, 3u, 6u, 7u}) {
        Nema gpu;
        gpu.target(kSram, 4, 4, 0xFFFFFFFF);
        gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}, {kIntCtrl, 4}});
        gpu.set(kDrawCmd, 0x07800000 | code);
        EXPECT_EQ(gpu.read(kStat), 0u);
        EXPECT_FALSE(gpu.irq());
        EXPECT_EQ(gpu.counters().primitives, 0u);
        gpu.expected_logs = 1;
    }
}

/*
 * Plays the list writes with which LVGL's library cortex_m33_NemaPVG was traced filling a path:
 * floating-point vertices, then an ordinary primitive or, for a curve, a fan. They are played
 * twice, but each message must be logged once.
 */
TEST(NemaBadInput, VectorGraphicsAreSaidToBeMissing) {
    const struct {
        uint32_t config_h, command;
        PixmillLog kind;
        std::vector<const char*> said;
    } kCases[] = {
        {0xE3, 0x07800004, PIXMILL_LOG_GUEST_ERROR, {"PVG_PT0_X = 0x41000000, a vertex"}},
        {0xE3,
         0x07800006,
         PIXMILL_LOG_GUEST_ERROR,
         {"PVG_PT0_X", "DRAW_CMD_NOHOLD = 0x07800006, a curve fan"}},
        {0xE3,
         0x07800007,
         PIXMILL_LOG_GUEST_ERROR,
         {"PVG_PT0_X", "DRAW_CMD_NOHOLD = 0x07800007, a curve fan"}},
        {0x2E3, 0x07800006, PIXMILL_LOG_UNIMPLEMENTED, {"PVG_PT0_X", "a curve fan"}},
    };
    for (const auto& c : kCases) {
        Nema gpu({.config_h = c.config_h});
        gpu.target(kSram, 64, 64, 0xFFFFFFFF);
        for (int i = 0; i < 2; i++)
            gpu.play({0x320, 0x41000000, 0x324, 0x41000000, 0x330, 0x42600000, 0x334, 0x41000000,
                      kDrawCmd | 0xFF000000, c.command, kClid, 3},
                     kList);
        EXPECT_EQ(gpu.read(kClid), 3u) << "the list goes on";
        EXPECT_EQ(gpu.counters().pixels, 0u);
        const auto logs = gpu.host.logs();
        gpu.expected_logs = c.said.size();
        ASSERT_EQ(logs.size(), c.said.size());
        for (size_t i = 0; i < logs.size(); i++) {
            EXPECT_EQ(logs[i].kind, c.kind);
            EXPECT_NE(logs[i].text.find(c.said[i]), std::string::npos) << logs[i].text;
            EXPECT_NE(logs[i].text.find("vector graphics"), std::string::npos) << logs[i].text;
        }
    }
}

/*
 * Each unknown instruction must be logged once, even if two differ only in the high word (the
 * operations).
 */
TEST(NemaBadInput, UnknownInstructionsAreLoggedWithTheirWords) {
    Nema gpu;
    gpu.target(kSram, 4, 4, 0xFFFFFFFF);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}});
    for (uint32_t high : {0x90000005u, 0x90000006u, 0x90000005u}) {
        gpu.set({{kImemAddr, 31}, {kImemLow, 0x08000002}, {kImemHigh, high}});
        gpu.set(kDrawCmd, 2);
    }
    gpu.expected_logs = 2;
    ASSERT_EQ(gpu.host.logs().size(), 2u);
    EXPECT_NE(gpu.host.logs()[0].text.find("9000000508000002"), std::string::npos);
    EXPECT_NE(gpu.host.logs()[1].text.find("9000000608000002"), std::string::npos);
}

/*
 * Half of the target is outside memory. The other half must be drawn, and the device must report a
 * bus error.
 */
TEST(NemaBadInput, DrawingOutsideMemory) {
    Nema gpu;
    const uint32_t target = kSram + kSramSize - 32;
    gpu.target(target, 4, 4, 0x77777777);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}, {kBusErrorMask, 0x7E}});
    gpu.write(kDrawCmd, 2);
    EXPECT_FALSE(gpu.error_irq());
    gpu.go();
    EXPECT_TRUE(gpu.error_irq());
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_EQ(gpu.host.ram.words(target, 8), Words(8, 0x77777777));
    gpu.expected_logs = 1;
}

/* A log line must identify the list, the word and the draw. */
class NemaFaultLines : public testing::Test {
protected:
    void expect(const std::vector<std::string>& lines) {
        std::vector<std::string> said;
        for (const auto& line : gpu.host.logs())
            said.push_back(line.text);
        EXPECT_EQ(said, lines);
        gpu.expected_logs = lines.size();
    }
    void rectangle_nowhere() {
        gpu.target(0x60000000, 4, 4, 0x77777777);
        gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}});
    }

    Nema gpu;
};

TEST_F(NemaFaultLines, NameTheListOfADraw) {
    rectangle_nowhere();
    gpu.play({kClid, 1, kHold | kDrawCmd, 2}, kList);
    expect({"drawing engine writes 0x60000000: no memory there "
            "(rectangle, draw 1, list 0x20005000+0x8)"});
}

TEST_F(NemaFaultLines, NameTheCalledListOfADraw) {
    rectangle_nowhere();
    gpu.host.ram.set_words(kList + 0x100, {kClid, 1, kClid, 1, kDrawCmd, 2});
    gpu.play({kCmdAddr, kList + 0x100, kPush | kCmdSize, 6, 0x1F8, 1}, kList);
    expect({"drawing engine writes 0x60000000: no memory there "
            "(rectangle, draw 1, list 0x20005100+0x10)",
            "0x000001f8 0x00000001 is no pair of a client: the list may run past its end "
            "(list 0x20005000+0x10)",
            "write of 0x1f8 = 0x00000001: no register there (list 0x20005000+0x10)"});
}

TEST_F(NemaFaultLines, NameTheHost) {
    rectangle_nowhere();
    gpu.set(kDrawCmd, 2);
    gpu.write(0x1F8, 1);
    expect({"drawing engine writes 0x60000000: no memory there (rectangle, draw 1, host)",
            "write of 0x1f8 = 0x00000001: no register there (host)"});
}

/* The message must name the pair that jumps, not the address to which it jumps. */
TEST_F(NemaFaultLines, NameThePairBeforeAFetch) {
    gpu.play({kClid, 1, kCmdAddr, 0x70000000, kCmdSize, 2}, kList);
    gpu.start(0x71000000, 2);
    gpu.go();
    expect({"command list reads 0x70000000: no memory there (list 0x20005000+0x10)",
            "command list reads 0x71000000: no memory there (host)"});
}

TEST_F(NemaFaultLines, NameTheProgramsDraw) {
    gpu.target(kSram, 4, 4, 0xFFFFFFFF);
    gpu.set({{kStartXy, 0},
             {kEndXy, 0x00040004},
             {kImemAddr, 31},
             {kImemLow, 0x08000002},
             {kImemHigh, 0x90000005}});
    gpu.play({kDrawCmd, 2}, kList);
    expect({"unimplemented: operation of the TX class: 0x9000000508000002 "
            "(rectangle, draw 1, list 0x20005000+0x0)"});
}

/* If CMD_SIZE is too large, pixels after the list are executed as pairs. */
TEST_F(NemaFaultLines, ListsThatRunIntoPixels) {
    for (uint32_t pixel : {0xFF2080FFu, 0xFF000000u, 0x00FF0000u, 0x80808080u}) {
        gpu.host.clear_logs();
        gpu.reset();
        gpu.host.ram.set_words(kList, {kClid, 1, pixel, pixel, kClid, 2, pixel, pixel});
        gpu.start(kList, 8);
        gpu.go();
        ASSERT_EQ(gpu.host.logs().size(), 1u) << "once for a list";
        char line[120];
        (void)snprintf(line, sizeof line,
                       "0x%08x 0x%08x is no pair of a client: the list may run past its end "
                       "(list 0x20005000+0x8)",
                       pixel, pixel);
        expect({line});
    }
}

/* Plays all kinds of pairs that six libraries were recorded to put in lists. None may be logged. */
TEST_F(NemaFaultLines, PairsOfClientsAreNot) {
    gpu.set(kBreakpointMask, 1);
    gpu.play({kHold | kNop,
              0,
              kNop,
              kNop,
              kHold | kCmdAddr,
              kList + 32,
              kHold | kCmdSize,
              26,
              kClid,
              3,
              kIntCtrl,
              0,
              kHold | 0x080,
              2,
              0xFF8000F8,
              2,
              kGpFlags,
              0x10000,
              kHoldGpFlags | kGpFlags,
              0x10000,
              kImemAddr,
              31,
              kImemLow,
              0x08000002,
              kImemHigh,
              0x80000009,
              0x204,
              0xFFFFFFFF,
              kHold | kDrawCmd,
              2,
              0x00050000,
              0},
             kList);
    EXPECT_EQ(gpu.read(kClid), 3u);
    expect({});
}

/* A list's start address is not migrated, but messages must still name the pair's address. */
TEST_F(NemaFaultLines, NameThePairInALoadedState) {
    rectangle_nowhere();
    gpu.host.ram.set_words(kList, {kClid, 1, kHold | kDrawCmd, 2, 0x1F8, 1});
    gpu.start(kList, 6);
    while (gpu.run(2).action != PIXMILL_RUN_DRAW) {
    }
    ASSERT_EQ(gpu.load(*gpu.save()), PIXMILL_OK);
    gpu.go();
    expect({"drawing engine writes 0x60000000: no memory there (rectangle)",
            "0x000001f8 0x00000001 is no pair of a client: the list may run past its end "
            "(list, at 0x20005010)",
            "write of 0x1f8 = 0x00000001: no register there (list, at 0x20005010)"});
}

TEST(NemaBadInput, InjectedBusErrors) {
    Nema gpu;
    gpu.inject(PIXMILL_NEMA_FAULT_BUS);
    gpu.play({kClid, 1});
    EXPECT_EQ(gpu.read(kClid), 0u);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    gpu.set(kSysInt, 1u << 11);
    gpu.play({kClid, 1});
    EXPECT_EQ(gpu.read(kClid), 1u);

    gpu.target(kSram, 4, 4, 0x77777777);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}});
    gpu.inject(PIXMILL_NEMA_FAULT_BUS);
    gpu.set(kDrawCmd, 2);
    EXPECT_EQ(gpu.read(kSysInt), 1u << 11);
    EXPECT_EQ(gpu.counters().bus_errors, 2u);
    EXPECT_EQ(gpu.read(kStat), 0u);
    gpu.expected_logs = 2;
}

TEST(NemaBadInput, CreateWantsACompleteHost) {
    FakeHost host;
    PixmillCore* nema = nullptr;
    EXPECT_EQ(pixmill_nema.create(nullptr, nullptr, &nema), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(pixmill_nema.create(nullptr, host.abi(), nullptr), PIXMILL_ERROR_ARGUMENT);
    PixmillHost other = *host.abi();
    other.api_version++;
    EXPECT_EQ(pixmill_nema.create(nullptr, &other, &nema), PIXMILL_ERROR_VERSION);
    other = *host.abi();
    other.set_irq = nullptr;
    EXPECT_EQ(pixmill_nema.create(nullptr, &other, &nema), PIXMILL_ERROR_ARGUMENT);
    EXPECT_EQ(nema, nullptr);
    EXPECT_EQ(pixmill_nema.create(nullptr, host.abi(), &nema), PIXMILL_OK);
    pixmill_nema.destroy(nema);
    pixmill_nema.destroy(nullptr);
}

} // namespace
} // namespace pixmill::test

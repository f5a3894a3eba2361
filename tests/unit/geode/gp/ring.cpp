/*
 * Tests of the command buffer: waiting packets, pointers, and endless rings. The contents of
 * packets are tested with tests/data/geode_vectors.txt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "machine.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kRing = 0x100000; /* offset in VRAM */
constexpr uint32_t kPacket = 17 * 4;

/* Word indices in a BLT packet. */
enum Place : size_t {
    kRasterWord = 1,
    kDstWord = 2,
    kStrideWord = 4,
    kSizeWord = 5,
    kModeWord = 16
};

/*
 * Returns a packet that fills @width bytes of a row at @dst with 5Ah. With @mode 2, it waits for
 * data from the host port.
 */
Words blt(uint32_t dst, uint32_t width, uint32_t mode = 0, uint32_t header = 0) {
    Words packet(17);
    packet[0] = header | 0x8093; /* RASTER_MODE, DST_OFFSET, WID_HEIGHT, PAT_COLOR_0, BLT_MODE */
    packet[kRasterWord] = mode ? 0xCC : 0xF0;
    packet[kDstWord] = dst;
    packet[kSizeWord] = width << 16 | 1;
    packet[8] = 0x5A;
    packet[kModeWord] = mode;
    return packet;
}

class GeodeRing : public testing::Test {
protected:
    GeodeRing() {
        gp.write_msr(1, uint64_t{0x0011} << 16);
        gp.write(kBot, 0x1000);
        gp.write(kTop, 0);
    }
    void put(const Words& words) {
        gp.put(kRing + end, words);
        end += 4 * static_cast<uint32_t>(words.size());
    }
    void ring() { gp.write(kWrite, end); }
    uint32_t pointer() { return gp.read(kRead); }

    GpMachine gp;
    uint32_t end = 0;
};

TEST_F(GeodeRing, TracesWhatPacketsWriteAndTheirData) {
    gp.host.trace_mask = 1u << PIXMILL_TRACE_COMMAND | 1u << PIXMILL_TRACE_STATE;
    put(blt(0x10, 1));
    put({0x60000001, 0u << 29 | 2, 0x11, 0x12});             /* data for HST_SRC */
    put({0x40000003, 0x20, 3u << 29 | 1, 0x13});             /* an index and data for LUT_DATA */
    put({0x60000001, 2u << 29 | 1, 0x14, 0x60000000, 1, 2}); /* data for the pattern, disabled */
    ring();
    constexpr struct {
        PixmillTrace event;
        uint64_t a, b;
        const char* text;
    } kExpected[] = {
        {PIXMILL_TRACE_COMMAND, geode_vram_base + kRing, 0x8093, "BLT"},
        {PIXMILL_TRACE_STATE, 0x38, 0xF0, "RASTER_MODE"},
        {PIXMILL_TRACE_STATE, 0x00, 0x10, "DST_OFFSET"},
        {PIXMILL_TRACE_STATE, 0x0C, 0x10001, "WID_HEIGHT"},
        {PIXMILL_TRACE_STATE, 0x18, 0x5A, "PAT_COLOR_0"},
        {PIXMILL_TRACE_STATE, 0x40, 0, "BLT_MODE"},
        {PIXMILL_TRACE_COMMAND, geode_vram_base + kRing + 0x44, 0x60000001, "data"},
        {PIXMILL_TRACE_STATE, 0x48, 0x11, "HST_SRC"},
        {PIXMILL_TRACE_STATE, 0x48, 0x12, "HST_SRC"},
        {PIXMILL_TRACE_COMMAND, geode_vram_base + kRing + 0x54, 0x40000003, "LUT"},
        {PIXMILL_TRACE_STATE, 0x70, 0x20, "LUT_INDEX"},
        {PIXMILL_TRACE_STATE, 0x74, 0x13, "LUT_DATA"},
        {PIXMILL_TRACE_COMMAND, geode_vram_base + kRing + 0x64, 0x60000001, "data"},
        {PIXMILL_TRACE_STATE, 0x20, 0x14, "PAT_COLOR_2"},
        {PIXMILL_TRACE_COMMAND, geode_vram_base + kRing + 0x70, 0x60000000, "data"},
    };
    const auto traces = gp.host.traces();
    ASSERT_EQ(traces.size(), std::size(kExpected));
    for (size_t i = 0; i < traces.size(); i++) {
        EXPECT_EQ(traces[i].event, kExpected[i].event) << i;
        EXPECT_EQ(traces[i].a, kExpected[i].a) << i;
        EXPECT_EQ(traces[i].b, kExpected[i].b) << i;
        EXPECT_EQ(traces[i].text, kExpected[i].text) << i;
    }
}

TEST_F(GeodeRing, StopsBeforeAThirdOperationAndContinuesWithTheData) {
    put(blt(0x10, 1, 2));
    put(blt(0x20, 1));
    put(blt(0x30, 1));
    ring();
    EXPECT_EQ(pointer(), 2 * kPacket);
    EXPECT_EQ(gp.status(), kSHE | kPB | kPP | kEH);
    EXPECT_EQ(gp.vram()[0x20], 0);
    gp.write(kHstSrc, 0x77);
    EXPECT_EQ(pointer(), 3 * kPacket);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.vram()[0x10], 0x77);
    EXPECT_EQ(gp.vram()[0x30], 0x5A);
}

TEST_F(GeodeRing, APacketThatStallsWaitsForAllBeforeIt) {
    put(blt(0x10, 1, 2));
    Words registers = blt(0x20, 1, 0, 0x10000000);
    registers[0] &= ~0x8000u; /* without a mode register, nothing starts */
    put(registers);
    ring();
    EXPECT_EQ(pointer(), kPacket);
    EXPECT_EQ(gp.read(kDst), 0x10u);
    gp.write(kHstSrc, 0);
    EXPECT_EQ(pointer(), 2 * kPacket);
    EXPECT_EQ(gp.read(kDst), 0x20u);
}

TEST_F(GeodeRing, TheLutWaitsForTheOperation) {
    put(blt(0x10, 1, 2));
    put({0x40000003, 5, 0x60000001, 0xABCD});
    ring();
    EXPECT_EQ(pointer(), kPacket);
    gp.write(kHstSrc, 0);
    EXPECT_EQ(pointer(), end);
    gp.write(kLutIndex, 5);
    EXPECT_EQ(gp.read(kLutData), 0xABCDu);
}

TEST_F(GeodeRing, DataOfAPendingBltWaitsUntilItExecutes) {
    put(blt(0x10, 4, 2));
    Words second = blt(0x20, 4, 2);
    second[0] |= 0x10000; /* the packet has data */
    second.insert(second.end(), {0x00000001, 0x44332211});
    put(second);
    ring();
    EXPECT_EQ(pointer(), 2 * kPacket);
    gp.write(kHstSrc, 0x88776655);
    EXPECT_EQ(pointer(), end);
    EXPECT_EQ(gp.word(0x10), 0x88776655u);
    EXPECT_EQ(gp.word(0x20), 0x44332211u);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST_F(GeodeRing, PatternColorsAreFourWords) {
    put({0x60000001, 0x40000006, 1, 2, 3, 4, 5, 6});
    ring();
    EXPECT_EQ(gp.read(0x20), 1u);
    EXPECT_EQ(gp.read(0x2C), 4u);
    EXPECT_EQ(gp.read(0x30), 0u);
    EXPECT_EQ(pointer(), end);
}

TEST_F(GeodeRing, DisabledDataIsDropped) {
    put(blt(0x10, 4, 2));
    put({0x60000000, 0x00000001, 0x11111111});
    put({0x60000001, 0x80000001, 0x22222222}); /* DTYPE 4 is undefined */
    ring();
    EXPECT_EQ(pointer(), end);
    EXPECT_EQ(gp.status(), kStarved);
}

TEST_F(GeodeRing, DataForUndefinedPortsIsConsumed) {
    for (const uint32_t type : {4u, 5u, 6u, 7u})
        put({0x60000001, type << 29 | 2, 0xFFFF, 0xFFFFFFFF}); /* would draw as packets */
    ring();
    EXPECT_EQ(pointer(), end);
    EXPECT_EQ(gp.counters().blts + gp.counters().vectors, 0u);
    EXPECT_EQ(gp.status(), kIdle);
}

/* The rest of the ring is read as packets of zeros, up to the limit for endless rings. */
TEST_F(GeodeRing, DataBeyondWriteBelongsToThePacket) {
    put(blt(0x10, 16, 2));
    put({0x60000001, 4, 0x11111111});
    const uint32_t announced = end;
    put({0x22222222, 0x33333333, 0x44444444});
    gp.write(kWrite, announced);
    for (uint32_t i = 0; i < 4; i++)
        EXPECT_EQ(gp.word(0x10 + 4 * i), 0x11111111 * (i + 1));
    EXPECT_EQ(pointer(), announced);
    EXPECT_EQ(gp.read(kStatus) & kCE, kCE);
    EXPECT_LE(gp.counters().command_words, (2u << 22) + 17);
}

TEST_F(GeodeRing, BitsWithoutARegisterEnableNothing) {
    Words vector{0x0FFE0000 | 0x2001FC5F, 0xF0, 0x200, 0x0004FFFE, 0x10, 0x00040001, 0, 0x7E};
    vector.resize(14); /* like V60, with all unused bits set */
    vector[12] = 0x01004010;
    vector[13] = 6;
    put(vector);
    ring();
    EXPECT_EQ(pointer(), end);
    for (const uint32_t pixel : {0x200u, 0x211u, 0x212u, 0x223u})
        EXPECT_EQ(gp.vram()[pixel], 0x7E);
    EXPECT_EQ(gp.status(), kIdle);
}

TEST_F(GeodeRing, WrapsAfterTheDataOfAPacket) {
    Words packet = blt(0x10, 4, 2, 0x80000000);
    packet[0] |= 0x10000; /* the packet has data */
    packet.insert(packet.end(), {0x00000001, 0x44332211});
    constexpr uint32_t kTopLine = 0x20;
    end = 0x40;
    put(packet);
    gp.write(kTop, kTopLine);
    gp.write(kRead, 0x40);
    gp.write(kWrite, kTopLine);
    EXPECT_EQ(gp.word(0x10), 0x44332211u);
    EXPECT_EQ(pointer(), kTopLine);
    EXPECT_TRUE(gp.host.logs().empty());
}

TEST_F(GeodeRing, MoreDataThanTheQueueHoldsIsDrawnAsItComes) {
    constexpr uint32_t words = PIXMILL_GEODE_GP_QUEUE_WORDS + 100;
    gp.write(kBot, 0x80000);
    gp.write(kStride, 4000);
    Words packet = blt(0x10000, 4000, 2);
    packet[kSizeWord] = 4000u << 16 | 20; /* rows of 1000 words */
    put(packet);
    Words data{0x60000001, words};
    for (uint32_t i = 0; i < words; i++)
        data.push_back(i);
    put(data);
    gp.words = 64;
    ring();
    EXPECT_EQ(pointer(), end);
    EXPECT_EQ(gp.status(), kIdle);
    for (uint32_t i = 0; i < 20'000; i += 777)
        EXPECT_EQ(gp.word(0x10000 + 4 * i), i);
    EXPECT_EQ(gp.counters().host_words, 20'000u); /* further words are not needed */
    EXPECT_EQ(gp.counters().command_words, 17u + 2 + words);
}

/*
 * If the MSR is not set, drivers place the ring in the last 2 MiB of the frame buffer
 * (lx_driver.c).
 */
TEST(GeodeRingBase, IsTheFrameBuffersEndUnlessSet) {
    PixmillGeodeGpConfig config{};
    config.cbase_auto = 1;
    GpMachine gp(0x400000, config);
    gp.write(kBot, 0x200000);
    gp.write(kTop, 0);
    gp.put(0x200000, blt(0x10, 1));
    gp.write(kWrite, kPacket);
    EXPECT_EQ(gp.vram()[0x10], 0x5A);

    gp.write(kRead, 0);
    gp.write_msr(1, uint64_t{0x0011} << 16);
    gp.put(0x100000, blt(0x11, 1));
    gp.write(kWrite, kPacket);
    EXPECT_EQ(gp.vram()[0x11], 0x5A);
}

/*
 * If a driver that puts its ring at the end of the frame buffer would never write this CMD_BOT, the
 * ring must be at the beginning.
 */
TEST(GeodeRingBase, IsTheFrameBuffersBeginningForOtherBottoms) {
    constexpr uint32_t kSize = 0x400000;
    const struct {
        uint32_t bottom, base;
    } cases[] = {{0, 0}, {kSize + 0x20, 0}, {kSize, kSize - 0x200000}, {0x20, kSize - 0x200000}};
    for (const auto& c : cases) {
        PixmillGeodeGpConfig config{};
        config.cbase_auto = 1;
        GpMachine gp(kSize, config);
        gp.write(kBot, c.bottom);
        gp.write(kTop, 0);
        gp.put(c.base, {0x60000001, 0x40000001, 0xABC}); /* writes a pattern color */
        gp.write(kWrite, 12);
        EXPECT_EQ(gp.read(0x20), 0xABCu) << std::hex << c.bottom;
    }
}

TEST_F(GeodeRing, LinesDoNotWrapWhereTheBottomIsAboveTheTop) {
    gp.write(kTop, 0x800);
    gp.write(kBot, 0x20);
    put(blt(0x10, 1)); /* its last word is beyond CMD_BOT */
    ring();
    EXPECT_EQ(pointer(), kPacket);
    EXPECT_EQ(gp.vram()[0x10], 0x5A);
    EXPECT_EQ(gp.counters().command_words, kPacket / 4);
}

TEST_F(GeodeRing, OneThatNeverReachesWriteIsAborted) {
    gp.write(kWrite, 0x800000); /* beyond CMD_BOT */
    EXPECT_EQ(pointer(), 0x800000u);
    EXPECT_EQ(gp.status(), kIdle);
    ASSERT_EQ(gp.host.logs().size(), 1u);
    EXPECT_NE(gp.host.logs()[0].text.find("endless"), std::string::npos);
    EXPECT_LE(gp.counters().command_words, (2u << 22) + 17);
}

TEST_F(GeodeRing, OneThatWrapsBeforeWriteIsAborted) {
    Words packet = blt(0x10, 1, 0, 0x80000000);
    packet[0] &= ~0x8000u; /* no longer starts a BLT */
    put(packet);
    gp.write(kWrite, 2 * kPacket);
    EXPECT_EQ(pointer(), 2 * kPacket);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_EQ(gp.read(kDst), 0x10u);
    ASSERT_EQ(gp.host.logs().size(), 1u);
    EXPECT_NE(gp.host.logs()[0].text.find("endless"), std::string::npos);
    EXPECT_GE(gp.counters().command_words, 2u << 22);
    EXPECT_LE(gp.counters().command_words, (2u << 22) + 17);
}

/* The ring has 1032 words, so packets of 17 words start at each word sooner or later. */
TEST_F(GeodeRing, AWritePointerInsideAPacketIsMetOnALaterRound) {
    put(blt(0x10, 1));
    gp.write(kWrite, 8);
    EXPECT_EQ(gp.vram()[0x10], 0x5A);
    EXPECT_EQ(pointer(), 8u);
    EXPECT_EQ(gp.status(), kIdle);
    EXPECT_GT(gp.counters().command_words, 1032u);
    EXPECT_EQ(gp.counters().command_words % 1032, 2u);
    EXPECT_TRUE(gp.host.logs().empty());
}

TEST_F(GeodeRing, RunTakesNoMoreThanItsBudgetAndAPacket) {
    for (int i = 0; i < 20; i++)
        put(blt(0x10, 0));
    EXPECT_EQ(gp.try_write(kWrite, end), PIXMILL_OK);
    gp.words = 20;
    EXPECT_EQ(gp.run().action, PIXMILL_RUN_AGAIN);
    EXPECT_EQ(pointer(), 2 * kPacket);
}

TEST_F(GeodeRing, MissingMemoryReadsAsZero) {
    gp.write_msr(1, uint64_t{0x0080} << 16);
    gp.write(kWrite, 4);
    EXPECT_EQ(pointer(), 4u);
    EXPECT_EQ(gp.read(kRaster), 0u);
}

} // namespace
} // namespace pixmill::test

/*
 * The front end 2.0 of a VG core, and its engine except for drawing: starts, resets, interrupted
 * streams, loaded states, limits.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "../../splitmix64.hpp"
#include "device.hpp"
#include "pixmill/vivante.h"

namespace pixmill::test {
namespace {

constexpr uint32_t kRam = 0x80000000, kRamBytes = 4 << 20;
constexpr uint32_t kStream = 0x80100000, kSecond = 0x80110000, kPicture = 0x80200000;
constexpr uint32_t kClock = 0x000, kIdle = 0x004, kStatus = 0x010, kEnable = 0x014;
constexpr uint32_t kAddress = 0x500, kSize = 0x504, kCurrent = 0x508;
constexpr uint32_t kHung = 0x7FFFFFFE;
constexpr uint32_t kSide = 256; /* width and height of the picture */
constexpr int64_t kLong = 1'000'000'000'000;

MachineOptions machine_options() {
    return {.model = "gc355-rt1170",
            .ram_base = kRam,
            .ram_size = kRamBytes,
            .budget = 64,
            .draw_budget = 8192};
}

struct Vg : Machine {
    explicit Vg(const MachineOptions& options = machine_options()) : Machine(options) {}

    void kick(uint32_t address, uint32_t qwords) {
        set(kAddress, address);
        set(kSize, qwords);
    }
    void stream(uint32_t address, const Words& words) {
        ram.set_words(address, words);
        kick(address, static_cast<uint32_t>((words.size() + 1) / 2));
    }
    uint32_t pixel(uint32_t x, uint32_t y) const {
        return ram.word(kPicture + (y * kSide + x) * 4);
    }
    unsigned painted(uint32_t word) const {
        unsigned count = 0;
        for (uint32_t i = 0; i < kSide * kSide; i++)
            count += ram.word(kPicture + 4 * i) == word;
        return count;
    }
};

Words state(uint32_t address, uint32_t value) {
    return {0x30010000 | address, value};
}

Words operator+(Words a, const Words& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

const Words kEnd{0, 0};

/* Returns states that set up the target. */
Words setup() {
    return state(0xA10, 0x00010303) + state(0xA11, kPicture) + state(0xA12, kSide * 4) +
           state(0xA13, kSide << 16 | kSide);
}
Words clear(uint32_t color) {
    return state(0xA00, 0x10000001) + state(0xA02, color) +
           Words{0x40000001, 0, 0, kSide << 16 | kSide};
}
/* Draws a triangle between three corners of the picture, with S16 coordinates. */
Words triangle(uint32_t color) {
    return state(0xA00, 0x10000003) + state(0xA02, color) + state(0xA34, 0x01100203) +
           state(0xA39, 0) + state(0xA3A, kSide << 16 | kSide) +
           Words{0x40000003, 0, 0x00000002, 0x00040000, 0x00000100, 0x00000004, 0x00000100, 0};
}

/* ---- Log messages ---------------------------------------------------------------- */

std::vector<std::string> said_by(Vg& m) {
    m.allow_logs();
    std::vector<std::string> said;
    for (const LogLine& line : m.host.logs())
        said.push_back(line.text);
    m.host.clear_logs();
    return said;
}
using Lines = std::vector<std::string>;

/* Each target page without memory is logged. The message must name the command that draws. */
TEST(VivanteVgLines, NameTheCommandThatDraws) {
    Vg m;
    m.stream(kStream, setup() + state(0xA11, 0x60000000) + clear(1) + kEnd);
    m.go();
    const Lines said = said_by(m);
    ASSERT_FALSE(said.empty());
    EXPECT_EQ(said.front(), "PE writes 0x60000000: no memory there "
                            "(rectangles, stream 0x80100000+0x38)");
}

TEST(VivanteVgLines, NameTheStreamThatIsCalled) {
    Vg m;
    m.ram.set_words(kSecond, state(0xA11, 0x60000000) + triangle(1) + Words{0x70000000, 0});
    m.stream(kStream, setup() + Words{0x6000000B, kSecond} + Words{0xB0000000, 0});
    m.go(kLong);
    const Lines said = said_by(m);
    ASSERT_GE(said.size(), 2u);
    EXPECT_NE(said.front().find("no memory there (path, stream 0x80110000+0x30)"),
              std::string::npos)
        << said.front();
    EXPECT_EQ(said.back(), "an illegal command: front end hangs before 0x80100030 "
                           "(stream 0x80100000+0x28)");
}

/* If a fetch fails, the message must name the command that jumped to the address. */
TEST(VivanteVgLines, NameTheCommandBeforeAFetch) {
    Vg m;
    m.stream(kStream, Words{0x80000000, 0, 0x60000002, 0x60000000});
    m.go();
    EXPECT_EQ(said_by(m), (Lines{"FE reads 0x60000000: no memory there "
                                 "(CALL, stream 0x80100000+0x8)",
                                 "a stream leaves memory: front end hangs before 0x60000000 "
                                 "(CALL, stream 0x80100000+0x8)"}));
}

/* Images must be aligned to 16 pixels, targets to words, and tiled targets to 64 bytes. */
TEST(VivanteVgLines, NameUnalignedSurfaces) {
    constexpr uint32_t image = 0xA29, image_stride = 0xA2B, target = 0xA11, target_stride = 0xA12;
    const struct {
        uint32_t format, state, value;
        const char* said;
    } cases[] = {
        {7, image, kSecond + 0x24, "image address 0x80110024 is no multiple of 64 bytes"},
        {5, image, kSecond + 0x10, "image address 0x80110010 is no multiple of 32 bytes"},
        {5, image, kSecond + 0x20, nullptr},
        {2, image, kSecond + 0x08, "image address 0x80110008 is no multiple of 16 bytes"},
        {2, image, kSecond + 0x10, nullptr},
        {1, image, kSecond + 0x04, "image address 0x80110004 is no multiple of 8 bytes"},
        {7, image_stride, 0x64, "image stride 100 is no multiple of 64 bytes"},
        {7, image_stride, 0x80, nullptr},
        {7, target, kPicture + 2, "target address 0x80200002 is no multiple of 4 bytes"},
        {7, target, kPicture + 4, nullptr},
        {7, target_stride, 1022, "target stride 1022 is no multiple of 4 bytes"},
        {7, target_stride, 1012, nullptr},
    };
    for (const auto& c : cases) {
        Vg m;
        const Words draw = setup() + state(0xA00, 0x10001001) + state(0xA1A, 0x3F800000) +
                           state(0xA25, 0x01000100 | c.format) + state(image, kSecond) +
                           state(image_stride, 64) + state(0xA2F, 0x00040004) +
                           state(c.state, c.value) + Words{0x40000001, 0, 0, 4 << 16 | 4};
        m.stream(kStream, draw + draw + kEnd);
        m.go();
        const Lines said = said_by(m);
        ASSERT_EQ(said.size(), c.said ? 1u : 0u) << (said.empty() ? c.said : said[0]);
        if (c.said) {
            EXPECT_EQ(said[0], std::string(c.said) + ": silicon may mangle it "
                                                     "(rectangles, stream 0x80100000+0x58)");
        }
    }
}

/* ---- Starts -------------------------------------------------------------------- */

TEST(VivanteVgControl, LineFollowsStatusAndEnable) {
    Vg m;
    m.set(kEnable, 1u << 5);
    m.stream(kStream, {3, 0});
    m.go();
    EXPECT_FALSE(m.host.irq);
    m.stream(kStream, {5, 0});
    m.go();
    EXPECT_TRUE(m.host.irq);
    EXPECT_EQ(m.get(kStatus), 1u << 3 | 1u << 5);
    EXPECT_FALSE(m.host.irq);
    EXPECT_EQ(m.get(kStatus), 0u);
}

TEST(VivanteVgControl, NarrowAccessesStartAndClearNothing) {
    Vg m;
    m.allow_logs();
    m.ram.set_words(kStream, kEnd);
    m.set(kAddress, kStream);
    m.set_narrow(kSize, 1, 1);
    m.set_narrow(kSize, 2, 1);
    m.go();
    EXPECT_EQ(m.get(kStatus), 0u);
    m.set(kSize, 1);
    m.go();
    m.get_narrow(kStatus, 1);
    m.get_narrow(kStatus, 2);
    EXPECT_EQ(m.get(kStatus), 1u);
}

/* Undocumented: VD5. */
TEST(VivanteVgControl, AStartWhileItRunsWaitsAndTheLastOneCounts) {
    Vg m;
    m.ram.set_words(kSecond, {9, 0});
    m.ram.set_words(kSecond + 64, {10, 0});
    m.stream(kStream, setup() + clear(0xFF112233) + Words{1, 0});
    ASSERT_TRUE(m.go_to_draw());
    m.kick(kSecond, 1);
    m.kick(kSecond + 64, 1);
    EXPECT_EQ(m.get(kIdle) & 1, 0u);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u << 1 | 1u << 10);
    EXPECT_EQ(m.painted(0xFF332211), kSide * kSide);
    EXPECT_EQ(m.get(kIdle), kIdleAll);
}

/*
 * Undocumented (VD5). A queued stream uses the address that is in the register when it begins, and
 * the number of qwords that was written to start it.
 */
TEST(VivanteVgControl, AStreamThatWaitedBeginsWhereTheRegisterPointsThen) {
    Vg m;
    m.ram.set_words(kSecond, {9, 0});
    m.ram.set_words(kSecond + 64, Words{0x80000000, 0} + Words{10, 0});
    m.stream(kStream, setup() + clear(0xFF112233) + Words{1, 0});
    ASSERT_TRUE(m.go_to_draw());
    m.kick(kSecond, 2);
    m.set(kAddress, kSecond + 64);
    EXPECT_EQ(m.get(kIdle) & 1, 0u);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u << 1 | 1u << 10);
    EXPECT_EQ(m.get(kCurrent), kSecond + 64 + 16);
    EXPECT_EQ(m.get(kIdle), kIdleAll);
}

/* Undocumented: VD16. */
TEST(VivanteVgControl, IdleShowsWhatWorks) {
    Vg m;
    m.stream(kStream, setup() + clear(0) + triangle(0) + kEnd);
    ASSERT_TRUE(m.go_to_draw());
    EXPECT_EQ(m.get(kIdle), kIdleAll & ~0x305u); /* FE, PE, VG, IM */
    EXPECT_EQ(m.get(kClock) & 0x70000, 0u);
    while (m.get(kIdle) == (kIdleAll & ~0x305u))
        m.draw(1 << 20), m.run(1);
    ASSERT_TRUE(m.go_to_draw());
    EXPECT_EQ(m.get(kIdle), kIdleAll & ~0x905u); /* FE, PE, VG, TS */
    m.go(kLong);
    EXPECT_EQ(m.get(kIdle), kIdleAll);
    EXPECT_EQ(m.get(kClock) & 0x70000, 0x70000u);
}

/*
 * Undocumented (VD65). A client that reads the status while the rest of the stream runs must not
 * mistake it for an END.
 */
TEST(VivanteVgControl, AStreamReportsMissingMemoryOnce) {
    Vg m;
    m.allow_logs();
    for (const uint32_t id : {3u, 4u}) {
        m.stream(kStream, setup() + state(0xA11, 0xC0000000) + clear(0) + clear(0) + Words{id, 0});
        unsigned told = 0;
        uint32_t events = 0;
        const uint64_t before = m.steps();
        while (m.step(kLong)) {
            const uint32_t now = m.get(kStatus);
            told += now >> 31;
            events |= now;
        }
        EXPECT_EQ(events | m.get(kStatus), 1u << 31 | 1u << id);
        EXPECT_EQ(told, 1u);
        EXPECT_GT(m.steps() - before, 4u);
    }
}

TEST(VivanteVgControl, CurrentAddressIsAfterTheLastCommand) {
    Vg m;
    m.stream(kStream, Words{0x80000000, 0} + Words{0x80000000, 0} + kEnd + Words{0x80000000, 0});
    m.go();
    EXPECT_EQ(m.get(kCurrent), kStream + 24);
}

/* ---- Resets ---------------------------------------------------------------------- */

TEST(VivanteVgControl, SoftResetStopsADrawInItsMiddle) {
    Vg m;
    m.set(kEnable, ~0u);
    m.stream(kStream, setup() + clear(0xFFFFFFFF) + kEnd);
    ASSERT_TRUE(m.go_to_draw());
    m.draw(8192);
    m.set(kClock, 0x00071100);
    EXPECT_EQ(m.get(kIdle), kIdleAll);
    m.set(kClock, 0x00070100);
    m.draw(1 << 20); /* a caller that has not noticed the reset */
    const unsigned painted = m.painted(~0u);
    m.go(kLong);
    EXPECT_GT(painted, 0u);
    EXPECT_LT(painted, kSide * kSide);
    EXPECT_EQ(m.painted(~0u), painted);
    EXPECT_EQ(m.get(kStatus), 0u);
    EXPECT_FALSE(m.host.irq);
    /* After the reset, the core must work again. */
    m.stream(kStream, setup() + clear(0xFF000000) + kEnd);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u);
    EXPECT_EQ(m.painted(0xFF000000), kSide * kSide);
}

TEST(VivanteVgControl, AHungFrontEndStartsNothingUntilASoftReset) {
    Vg m;
    m.allow_logs();
    m.stream(kStream, {0xA0000000, 0});
    m.go();
    EXPECT_EQ(m.get(kIdle), kHung);
    m.stream(kStream, kEnd);
    m.go();
    EXPECT_EQ(m.get(kStatus), 0u);
    m.soft_reset();
    EXPECT_EQ(m.get(kIdle), kIdleAll);
    m.set(kSize, 1); /* the reset must keep CMDBUF_ADDRESS */
    m.go();
    EXPECT_EQ(m.get(kStatus), 1u);
}

TEST(VivanteVgControl, ANewPowerOnForgetsAll) {
    Vg m;
    m.stream(kStream, state(0xA02, 0x12345678) + kEnd);
    m.go();
    EXPECT_EQ(m.save()->state[0xA02], 0x12345678u);
    m.reset();
    EXPECT_EQ(m.get(kCurrent), 0u);
    EXPECT_EQ(m.get(kAddress), 0u);
    EXPECT_EQ(m.save()->state[0xA02], 0u);
    EXPECT_EQ(m.save()->state[0xA10], 0x00010000u);
}

/* ---- Migration --------------------------------------------------------------------- */

TEST(VivanteVgControl, AnotherCoreContinuesInTheMiddleOfAPath) {
    Vg m;
    m.stream(kStream, setup() + triangle(0xFFFFFFFF) + Words{7, 0});
    ASSERT_TRUE(m.go_to_draw());
    m.draw(16384);
    const unsigned before = m.painted(~0u);
    EXPECT_GT(before, 0u);
    m.migrate();
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u << 7);
    EXPECT_GT(m.painted(~0u), before);
    EXPECT_EQ(m.pixel(0, 0), ~0u);
    EXPECT_EQ(m.pixel(0, kSide - 2), ~0u);
    EXPECT_EQ(m.pixel(kSide - 1, kSide - 1), 0u);
}

/* The number of slices of a draw depends on the host, and a migration begins a new slice. */
TEST(VivanteVgControl, AnInjectedBusErrorCountsDraws) {
    constexpr uint32_t kBusError = 1u << 31, kFinished = 1u << 1;
    struct Way {
        uint64_t draw_budget;
        bool migrates;
    };
    for (const Way& way : {Way{1 << 24, false}, Way{1 << 13, false}, Way{1 << 13, true}}) {
        MachineOptions options = machine_options();
        options.draw_budget = way.draw_budget;
        Vg m(options);
        m.allow_logs();
        PixmillInjection how{};
        how.fault = PIXMILL_VIVANTE_FAULT_BUS;
        how.first = 3;
        m.host.entries++;
        ASSERT_EQ(pixmill_vivante.arm(m.gc(), &how), PIXMILL_OK);
        m.host.entries--;
        for (uint32_t draw = 1; draw <= 4; draw++) {
            SCOPED_TRACE(testing::Message() << way.draw_budget << ", draw " << draw);
            m.stream(kStream, setup() + clear(draw) + Words{1, 0});
            ASSERT_TRUE(m.go_to_draw());
            if (way.migrates) {
                m.migrate(); /* before the first slice */
                m.draw(way.draw_budget);
                m.migrate();
            }
            m.go(kLong);
            EXPECT_EQ(m.get(kStatus), draw == 3 ? kBusError | kFinished : kFinished);
        }
    }
}

TEST(VivanteVgControl, AStreamThatWaitsForItsClockMigrates) {
    Vg m;
    m.allow_logs();
    m.ram.set_words(kStream, {4, 0});
    m.set(kClock, 0x102);
    m.kick(kStream, 1);
    m.go();
    m.migrate();
    m.go();
    EXPECT_EQ(m.get(kStatus), 0u);
    m.set(kClock, 0x100);
    m.go();
    EXPECT_EQ(m.get(kStatus), 1u << 4);
}

StatePtr state_in_a_path() {
    Vg m;
    m.stream(kStream, setup() + triangle(0xFFFFFFFF) + kEnd);
    EXPECT_TRUE(m.go_to_draw());
    m.draw(8192);
    return m.save();
}

/* Loads @state, runs the core for some steps, and resets it. */
void exercise(const PixmillVivanteState& state) {
    Vg m;
    m.allow_logs();
    m.ram.set_words(kStream, setup() + triangle(0xFFFFFFFF) + kEnd);
    if (m.load(state) == PIXMILL_OK)
        for (int i = 0; i < 50 && m.step(kLong); i++) {
        }
    m.soft_reset();
    EXPECT_EQ(m.get(kIdle), kIdleAll);
}

TEST(VivanteVgLoadedState, WhatNoCoreHasIsRefused) {
    const StatePtr good = state_in_a_path();
    const auto refuses = [&good](auto member, auto value) {
        auto bad = std::make_unique<PixmillVivanteState>(*good);
        (*bad).*member = value;
        Vg m;
        EXPECT_EQ(m.load(*bad), PIXMILL_ERROR_STATE);
    };
    using State = PixmillVivanteState;
    refuses(&State::vg_fe_depth, 5u);
    refuses(&State::vg_draw_active, 2u);
    refuses(&State::vg_data_qwords, 0x200000u);
    refuses(&State::vg_fe_read, (1u << 24) + 1);
    refuses(&State::vg_fe_left, 0x200000u);
    refuses(&State::vg_fe_queued, 0x200000u);
    /*
     * Valid addresses are aligned to qwords and below 4 GiB plus 2^24 qwords, the longest stream.
     */
    for (const uint64_t address :
         {uint64_t{kStream + 4}, uint64_t{0x108000008}, ~uint64_t{0}, ~uint64_t{7}}) {
        SCOPED_TRACE(address);
        refuses(&State::vg_fe_address, address);
        refuses(&State::vg_data_address, address);
        auto bad = std::make_unique<PixmillVivanteState>(*good);
        bad->vg_fe_call_address[3] = address;
        Vg m;
        EXPECT_EQ(m.load(*bad), PIXMILL_ERROR_STATE);
    }
    refuses(&State::fe_run, 0u); /* a stopped core has no draw */
    refuses(&State::fe_run, 2u);
}

/* A stream that continues past the end of memory causes a bus error. */
TEST(VivanteVgLoadedState, AStreamAfterMemoryIsABusError) {
    for (const uint64_t address : {uint64_t{0xFFFFFFF8}, uint64_t{0x107FFFFF8}}) {
        SCOPED_TRACE(address);
        Vg m;
        m.allow_logs();
        const StatePtr state = m.save();
        state->fe_run = 1;
        state->vg_fe_address = address;
        state->vg_fe_left = 100;
        ASSERT_EQ(m.load(*state), PIXMILL_OK);
        m.go();
        EXPECT_EQ(m.get(kStatus), 1u << 31);
        EXPECT_NE(m.log_text().find("leaves memory"), std::string::npos);
    }
}

/* After a load, the core reads the payload of a draw again, so missing memory is an error. */
TEST(VivanteVgLoadedState, APayloadWithoutMemoryIsZerosAndABusError) {
    const StatePtr state = state_in_a_path();
    state->vg_data_address = kRam - 16; /* two of the four qwords have no memory */
    Vg m;
    m.allow_logs();
    m.ram.set_words(kRam, {0xFFFFFFFF, 0xFFFFFFFF});
    ASSERT_EQ(m.load(*state), PIXMILL_OK);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u << 31 | 1u); /* the path ends, because 0 is read */
    EXPECT_EQ(m.painted(0xFFFFFFFF), 0u);
    EXPECT_NE(m.log_text().find("0x7ffffff0"), std::string::npos) << m.log_text();
}

TEST(VivanteVgLoadedState, ExtremesAreHarmless) {
    const StatePtr good = state_in_a_path();
    for (const uint64_t value : {uint64_t{0}, uint64_t{1}, uint64_t{0x7FFFFFFF}, ~uint64_t{0}}) {
        for (const PixmillField* f = pixmill_vivante.state_fields; f->name; f++) {
            if (std::strncmp(f->name, "vg_", 3) != 0)
                continue;
            auto bad = std::make_unique<PixmillVivanteState>(*good);
            std::memcpy(reinterpret_cast<char*>(bad.get()) + f->offset, &value,
                        f->type == PIXMILL_U32 ? 4 : 8);
            exercise(*bad);
        }
        for (uint32_t address = 0xA00; address < 0xA60; address++) {
            auto bad = std::make_unique<PixmillVivanteState>(*good);
            bad->state[address] = static_cast<uint32_t>(value);
            exercise(*bad);
        }
    }
}

/* ---- A worker that never runs ------------------------------------------------------- */

/*
 * gpu() in vg_lite_kernel.c resets until IDLE_STATE is all ones, but reads it only once per reset.
 */
TEST(VivanteVgStarved, ResetEndsAtTheFirstPoll) {
    Vg m;
    m.budget = 0;
    m.stream(kStream, setup() + clear(0xFFFFFFFF) + kEnd);
    for (const uint32_t value : {0x00070100u, 0x000F0100u, 0x000F1100u, 0x000F0100u, 0x00070100u})
        m.set(kClock, value);
    EXPECT_EQ(m.get(kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.get(kClock) & 0x70000, 0x70000u);
}

/* To power down, the client polls IDLE_STATE for a second, and then turns off the clock anyway. */
TEST(VivanteVgStarved, AStreamWithoutPixelsEndsByThePollsOfPowerDown) {
    for (const uint32_t offset : {kIdle, kClock, kCurrent, kStatus}) {
        Vg m;
        m.budget = 0;
        m.stream(kStream, setup() + Words{0x10000007, 0, 0x20000007, 0} + kEnd);
        const uint32_t value = m.get(offset);
        if (offset == kStatus) {
            EXPECT_EQ(value, 1u);
        }
        EXPECT_EQ(m.peek(kIdle), 0x7FFFFFFFu) << std::hex << offset;
    }
}

TEST(VivanteVgStarved, APollLeavesPixelsToTheWorker) {
    Vg m;
    m.budget = 0;
    m.stream(kStream, setup() + clear(0xFFFFFFFF) + kEnd);
    for (int i = 0; i < 10; i++)
        EXPECT_NE(m.get(kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.painted(0xFFFFFFFF), 0u);
    EXPECT_EQ(m.get(kStatus), 0u);
    EXPECT_TRUE(m.host.run_requested);
    m.budget = 4096;
    m.go(kLong);
    EXPECT_EQ(m.painted(0xFFFFFFFF), kSide * kSide);
    EXPECT_EQ(m.get(kStatus), 1u);
}

/*
 * A stream that is queued after another one must keep the core busy until it has ended. Otherwise
 * VGLite's power-down would stop the clock before.
 */
TEST(VivanteVgStarved, AStreamThatWaitsIsExecutedByTheFirstPoll) {
    for (const uint32_t offset : {kIdle, kClock, kCurrent, kStatus}) {
        SCOPED_TRACE(offset);
        Vg m;
        m.budget = 0;
        m.ram.set_words(kStream, {1, 0});
        m.ram.set_words(kSecond, {0x80000000, 0, 9, 0});
        m.kick(kStream, 1);
        m.kick(kSecond, 2);
        EXPECT_EQ(m.peek(kIdle), 0x7FFFFFFEu);
        EXPECT_EQ(m.peek(kClock) & 0x70000, 0u);
        const uint32_t value = m.get(offset);
        if (offset == kStatus) {
            EXPECT_EQ(value, 1u << 1 | 1u << 9);
        } else {
            EXPECT_EQ(m.peek(kStatus), 1u << 1 | 1u << 9);
        }
        EXPECT_EQ(m.peek(kCurrent), kSecond + 16);
        EXPECT_EQ(m.peek(kIdle), 0x7FFFFFFFu);
        EXPECT_EQ(m.peek(kClock) & 0x70000, 0x70000u);
    }
}

/* The core may be saved between two streams, when one has ended and the next is queued. */
TEST(VivanteVgStarved, ALoadedStreamThatWaitsIsBusyAndExecutedByAPoll) {
    Vg m;
    m.budget = 0;
    m.ram.set_words(kSecond, {9, 0});
    m.set(kAddress, kSecond);
    const StatePtr state = m.save();
    ASSERT_EQ(state->fe_run, 0u); /* the front end is stopped */
    state->vg_fe_queued = 1;
    ASSERT_EQ(m.load(*state), PIXMILL_OK);
    EXPECT_EQ(m.peek(kIdle), 0x7FFFFFFEu);
    EXPECT_EQ(m.peek(kClock) & 0x70000, 0u);
    EXPECT_EQ(m.get(kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.get(kStatus), 1u << 9);
}

/* Undocumented (VD6). A core without a clock does not run anything, so it is not busy. */
TEST(VivanteVgStarved, AStreamThatWaitsForItsClockIsNotBusyUntilThen) {
    Vg m;
    m.allow_logs();
    m.budget = 0;
    m.ram.set_words(kStream, {4, 0});
    m.set(kClock, 0x102);
    m.kick(kStream, 1);
    EXPECT_EQ(m.get(kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.get(kStatus), 0u);
    m.set(kClock, 0x100);
    EXPECT_EQ(m.peek(kIdle), 0x7FFFFFFEu);
    EXPECT_EQ(m.get(kIdle), 0x7FFFFFFFu);
    EXPECT_EQ(m.get(kStatus), 1u << 4);
}

/* ---- Limits ---------------------------------------------------------------------- */

/* A path of 2^20 CLOSE commands must end, in steps that can be interrupted. */
TEST(VivanteVgLimits, APathOfAMillionCommandsEndsInSteps) {
    Vg m;
    constexpr uint32_t qwords = 0x20000;
    for (uint32_t i = 0; i < qwords; i++)
        m.ram.set_words(kSecond + 8 * i, {0x01010101, 0x01010101});
    m.stream(kStream, setup() + state(0xA00, 3) + state(0xA34, 0x01000203) +
                          state(0xA3A, kSide << 16 | kSide) +
                          Words{0x60000000 | (qwords + 2), kSecond - 8} + kEnd);
    m.ram.set_words(kSecond - 8, {0x40000000 | qwords, 0});
    m.ram.set_words(kSecond + 8 * qwords, {0x70000000, 0});
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u);
    EXPECT_LE(m.counters().draw_step, 0x50000u);
}

/* Empty rows cost time, too. This window has 65535 rows of 65535 pixels, all of them empty. */
TEST(VivanteVgLimits, EmptyRowsAreLeftInSteps) {
    Vg m;
    m.draw_budget = 1 << 10;
    m.stream(kStream, setup() + state(0xA13, ~0u) + state(0xA00, 3) + state(0xA34, 0x01100203) +
                          state(0xA3A, ~0u) + Words{0x40000001, 0, 0, 0} + kEnd);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u);
    EXPECT_GT(m.steps(), 50u);
}

/* A path of maximum height with only two edges, so that its rows cost the most time. */
struct TallPath {
    const char* name;
    uint32_t control, width;
    bool holes;
};

class VivanteVgTallPath : public testing::TestWithParam<TallPath> {};

TEST_P(VivanteVgTallPath, IsDrawnInSteps) {
    constexpr uint32_t height = 0xFFFF;
    const uint32_t width = GetParam().width;
    Vg m;
    m.allow_logs();
    m.draw_budget = uint64_t{64} << 20; /* far above the core's limit per step */
    const uint32_t target = GetParam().holes ? kRam + kRamBytes - 4 * (width - 1) : kPicture;
    m.stream(kStream,
             setup() + state(0xA11, target) + state(0xA12, 0) + state(0xA13, height << 16 | width) +
                 state(0xA00, GetParam().control) + state(0xA02, ~0u) + state(0xA34, 0x01200203) +
                 state(0xA39, 0) + state(0xA3A, height << 16 | width) +
                 Words{0x40000007, 0, 2, 0, 0, 4, width, 0, 4, width, height, 4, 0, height, 1, 0} +
                 kEnd);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus) & 1, 1u);
    EXPECT_EQ(m.counters().pixels, uint64_t{height} * width);
    EXPECT_LE(m.counters().draw_step, 0x60000u);
}

INSTANTIATE_TEST_SUITE_P(Of, VivanteVgTallPath,
                         testing::Values(TallPath{"AColor", 0x10000003, 2048, false},
                                         TallPath{"AColorPartlyNowhere", 0x10000003, 16, true},
                                         TallPath{"ARadialGradient", 0x12000103, 64, false},
                                         TallPath{"APattern", 0x13000103, 64, false},
                                         TallPath{"AnImageAndAColorTransform", 0x12011103, 64,
                                                  false}),
                         [](const auto& info) { return std::string(info.param.name); });

/*
 * Each texel of an image column is on a different page, so most texels need a lookup in the host,
 * which costs more than drawing the pixel.
 */
TEST(VivanteVgLimits, TexelsOnPagesOfTheirOwnAreAskedForInSteps) {
    constexpr uint32_t kImage = kRam, kOne = 0x3F800000, kTexel = 0x3B800000; /* kTexel is 1/256 */
    MachineOptions options = machine_options();
    options.grain = 4096;
    options.draw_budget = 1 << 20;
    Vg m(options);
    /* The image is rotated by 90 degrees: target column x shows row x of the image. */
    const Words places = state(0xA18, 0) + state(0xA19, 0) + state(0xA1A, kOne) + state(0xA1C, 0) +
                         state(0xA1D, kTexel) + state(0xA1E, 0) + state(0xA20, kTexel) +
                         state(0xA21, 0) + state(0xA22, 0);
    const Words image = state(0xA25, 0x00020107) + state(0xA29, kImage) + state(0xA2B, 4096) +
                        state(0xA2D, 0) + state(0xA2F, kSide << 16 | kSide);
    m.stream(kStream, setup() + places + image + state(0xA00, 0x10001001) +
                          Words{0x40000001, 0, 0, kSide << 16 | kSide} + kEnd);
    ASSERT_TRUE(m.go_to_draw());
    uint64_t most = 0, all = 0;
    do {
        const uint64_t before = m.host.maps;
        m.draw(options.draw_budget);
        most = std::max(most, m.host.maps - before);
        all += m.host.maps - before;
        m.run(1);
    } while (m.save()->vg_draw_active);
    EXPECT_GT(all, 3 * kSide * kSide); /* most lookups miss the cache */
    /*
     * A step may do the lookups of one block of 256 pixels, before their cost is known, and then as
     * many as the budget allows, at a cost of 2 KiB each.
     */
    EXPECT_LE(most, 4 * 256 + (options.draw_budget >> 11));
}

TEST(VivanteVgLimits, ABudgetOfNextToNothingStillDraws) {
    Vg m;
    m.draw_budget = 1;
    m.stream(kStream, setup() + triangle(0xFFFFFFFF) + kEnd);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u);
    EXPECT_EQ(m.pixel(0, 0), ~0u);
}

TEST(VivanteVgLimits, APictureWhereNothingIsEndsSoon) {
    Vg m;
    m.allow_logs();
    m.stream(kStream, setup() + state(0xA11, 0xC0000000) + state(0xA13, ~0u) +
                          state(0xA12, 0x3FFFF) + state(0xA00, 0x10000101) +
                          state(0xA02, 0x80808080) + Words{0x40000001, 0, 0, ~0u} + kEnd);
    m.go(kLong);
    EXPECT_EQ(m.get(kStatus), 1u << 31 | 1u);
    EXPECT_LT(m.steps(), 70'000u); /* one step per row */
}

} // namespace
} // namespace pixmill::test

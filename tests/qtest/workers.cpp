/*
 * worker=inline and worker=thread must give the same bytes, registers, interrupts and log lines.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kSurface = 256 * 256 * 4;

struct Outcome {
    Words interrupts; /* INTR_ACKNOWLEDGE after each interrupt */
    Words registers;
    Bytes memory;
    std::vector<std::string> log;
    std::vector<uint64_t> counters;

    bool operator==(const Outcome&) const = default;
};

struct Program {
    const char* name;
    std::function<void(Rig&, Outcome&)> run;
};

void PrintTo(const Program& p, std::ostream* out) {
    *out << p.name;
}

void take_interrupt(Rig& rig, Outcome& outcome) {
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }, 2000 * kMillisecond));
    outcome.interrupts.push_back(rig.read(reg::kIntrAcknowledge));
    EXPECT_FALSE(rig.qemu().interrupt());
}

Outcome play(const Program& program, bool threaded) {
    Rig rig(RigOptions{.threaded = threaded});
    Outcome outcome;
    Bytes pattern(kSurface);
    for (size_t i = 0; i < pattern.size(); ++i) {
        pattern[i] = static_cast<uint8_t>(i * 31 + i / 1024 * 7);
    }
    rig.qemu().write(kSource, pattern);
    rig.qemu().fill(kDest, kSurface, 0x33);
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    program.run(rig, outcome);
    rig.pass(5 * kMillisecond);
    for (uint32_t offset = 0; offset < 0x800; offset += 4) {
        /* cycle counters and time stamps */
        const bool time = offset == reg::kTotalCycles || offset == reg::kIdleCycles ||
                          offset == reg::kCycleCounter || offset == 0x490 || offset == 0x494;
        outcome.registers.push_back(time ? 0 : rig.read(offset));
    }
    outcome.memory = rig.qemu().read(kDest, kSurface);
    outcome.log = rig.take_log();
    std::sort(outcome.log.begin(), outcome.log.end());
    for (const char* name :
         {"stat-draws", "stat-pixels", "stat-events", "stat-mmu-faults", "stat-bus-errors"}) {
        outcome.counters.push_back(rig.counter(name));
    }
    return outcome;
}

class Workers : public testing::TestWithParam<Program> {};

TEST_P(Workers, DoTheSame) {
    const Outcome inline_worker = play(GetParam(), false);
    const Outcome threaded = play(GetParam(), true);
    EXPECT_EQ(inline_worker.interrupts, threaded.interrupts);
    EXPECT_EQ(inline_worker.log, threaded.log);
    EXPECT_EQ(inline_worker.counters, threaded.counters);
    EXPECT_TRUE(inline_worker.memory == threaded.memory);
    for (size_t i = 0; i < inline_worker.registers.size(); ++i) {
        EXPECT_EQ(inline_worker.registers[i], threaded.registers[i])
            << "register 0x" << std::hex << 4 * i;
    }
}

void start_and_take_interrupt(Rig& rig, Outcome& outcome, const Commands& stream) {
    rig.store(kStream, stream);
    rig.gc().start(kStream, stream.qwords());
    take_interrupt(rig, outcome);
}

void fills(Rig& rig, Outcome& outcome) {
    std::vector<Rect> rects;
    for (int k = 0; k < 256; ++k) {
        rects.push_back({8 * (k % 16), 8 * (k / 16), 8 * (k % 16) + 5, 8 * (k / 16) + 4});
    }
    start_and_take_interrupt(rig, outcome,
                             base_block(256, 256, command::kClear)
                                 .load(state::kClearPixel, 0xFF40FF40)
                                 .draw(rects)
                                 .load(state::kFlushCache, 8)
                                 .sync()
                                 .event(3, kEventFromPe)
                                 .end());
}

void overlapping_copies(Rig& rig, Outcome& outcome) {
    Commands stream = base_block(256, 256, command::kBitBlt);
    stream.draw({{0, 0, 256, 256}})
        .load(state::kSrcAddress, kDest)
        .load(state::kSrcConfig, src_config(format::kA8R8G8B8) | kRelative);
    uint32_t random = 42;
    for (int i = 0; i < 300; ++i) {
        random = random * 1664525 + 1013904223;
        const int x = 16 + static_cast<int>(random >> 8 & 127);
        const int y = 16 + static_cast<int>(random >> 16 & 127);
        stream
            .load(state::kSrcOrigin, point(static_cast<int>(random >> 24 & 31) - 16,
                                           static_cast<int>(random >> 27 & 31) - 16))
            .load(state::kRop, i % 5 == 0 ? 0x00306666 : 0x0030CCCC)
            .draw({{x, y, x + 64, y + 64}});
    }
    start_and_take_interrupt(rig, outcome, stream.event(4, kEventFromPe).end());
}

void format_conversions(Rig& rig, Outcome& outcome) {
    Commands stream = base_block(256, 256, command::kBitBlt);
    for (uint32_t format = 0; format < 7; ++format) {
        stream.load(state::kDestConfig, dest_config(command::kBitBlt, format, format % 4))
            .load(state::kSrcConfig, src_config(6 - format, format % 3))
            .draw({{0, static_cast<int>(format) * 20, 250, static_cast<int>(format) * 20 + 17}});
    }
    start_and_take_interrupt(rig, outcome, stream.event(5, kEventFromPe).end());
}

void jobs_through_the_idle_loop(Rig& rig, Outcome& outcome) {
    uint32_t wait = 0x2000;
    rig.store(wait, {0x380000C8, 0, 0x40000002, wait});
    rig.gc().start(wait, 2);
    for (uint32_t job = 0; job < 20; ++job) {
        const uint32_t at = 0x4000 + job * 0x400;
        Commands stream = base_block(256, 256, command::kClear);
        stream.load(state::kClearPixel, job * 0x01010101)
            .draw({{static_cast<int>(job) * 3, static_cast<int>(job), 200, 200}})
            .load(state::kFlushCache, 8)
            .sync()
            .event(job, kEventFromPe);
        const uint32_t next = at + 8 * stream.qwords();
        stream.raw({0x380000C8, 0, 0x40000002, next});
        rig.store(at, stream);
        rig.qemu().write32(wait + 4, at);
        rig.qemu().write32(wait, 0x40000000 | stream.qwords());
        take_interrupt(rig, outcome);
        wait = next;
    }
    rig.qemu().write32(wait + 4, 0);
    rig.qemu().write32(wait, 0x10000000);
    EXPECT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
}

void bus_errors(Rig& rig, Outcome& outcome) {
    start_and_take_interrupt(rig, outcome,
                             base_block(64, 4, command::kBitBlt, kDest, kNoRam)
                                 .draw({{0, 0, 64, 4}})
                                 .event(1, kEventFromPe)
                                 .end());
}

void fault(Rig& rig, Outcome& outcome) {
    map_stream_and_dest(rig);
    const Commands stream =
        base_block(64, 32, command::kClear, 0x2000) /* two pages, only one of which is mapped */
            .load(state::kClearPixel, 0xABCDEF01)
            .draw({{0, 0, 64, 16}, {0, 16, 64, 32}})
            .event(1, kEventFromPe)
            .end();
    rig.store(kStream, stream);
    rig.gc().start(0x1000, stream.qwords());
    take_interrupt(rig, outcome);
}

void bad_commands(Rig& rig, Outcome& outcome) {
    start_and_take_interrupt(rig, outcome,
                             Commands{0x28000000, 4, 0, 1}
                                 .stall(0x701)
                                 .load(0x3804, 0x1F)
                                 .event(2, kEventFromFe)
                                 .raw({0, 0}));
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
}

INSTANTIATE_TEST_SUITE_P(
    Program, Workers,
    testing::Values(Program{"Fills", fills}, Program{"OverlappingCopies", overlapping_copies},
                    Program{"FormatConversions", format_conversions},
                    Program{"JobsThroughTheIdleLoop", jobs_through_the_idle_loop},
                    Program{"BusErrors", bus_errors}, Program{"Fault", fault},
                    Program{"BadCommands", bad_commands}),
    [](const auto& p) { return p.param.name; });

} // namespace
} // namespace pixmill::qtest

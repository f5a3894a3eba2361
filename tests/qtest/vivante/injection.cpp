/*
 * The device's counters and injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

Commands two_fills() {
    return base_block(8, 4, command::kClear)
        .load(state::kClearPixel, 0x11223344)
        .draw({{0, 0, 2, 1}, {4, 0, 8, 1}})
        .draw({{0, 1, 1, 2}})
        .event(1, kEventFromPe)
        .event(2, kEventFromFe);
}

TEST(Counters, CountWhatWasDone) {
    Rig rig;
    for (const char* name : {"stat-draws", "stat-pixels", "stat-command-words", "stat-events",
                             "stat-mmu-faults", "stat-bus-errors", "stat-polls"}) {
        EXPECT_EQ(rig.counter(name), 0u) << name;
    }
    const Commands stream = two_fills().end();
    rig.run(stream);
    EXPECT_EQ(rig.counter("stat-draws"), 2u);
    EXPECT_EQ(rig.counter("stat-pixels"), 7u);
    EXPECT_EQ(rig.counter("stat-events"), 2u);
    EXPECT_EQ(rig.counter("stat-command-words"), stream.words().size());
    EXPECT_EQ(rig.counter("stat-mmu-faults"), 0u);
    EXPECT_EQ(rig.counter("stat-bus-errors"), 0u);
}

TEST(Counters, CountErrors) {
    Rig rig;
    rig.run(base_block(1, 1, command::kClear, kNoRam).draw({{0, 0, 1, 1}}).end());
    EXPECT_EQ(rig.counter("stat-bus-errors"), 1u);
    rig.store(0x84000000, {2});
    rig.run(Commands{}.load(state::kMmuConfiguration, 0x84000000).end());
    rig.write(reg::kMmuControl, 1);
    rig.gc().start(0x1000, 1);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.counter("stat-mmu-faults"), 1u);
}

TEST(Counters, CannotBeSet) {
    Rig rig;
    EXPECT_NE(rig.qemu().qmp_error("qom-set", R"({"path": "/machine/pixmill-gc",
                                                  "property": "stat-draws", "value": 5})"),
              "");
    EXPECT_EQ(rig.counter("stat-draws"), 0u);
}

class Injection : public testing::Test {
protected:
    void inject(const char* what) {
        rig.qemu().set_property(kGcPath, "x-inject", std::string("\"") + what + "\"");
    }

    Rig rig;
};

TEST_F(Injection, OfALostInterruptSwallowsTheNextEventOnly) {
    inject("lost-irq");
    rig.run(Commands{}.event(1, kEventFromPe).event(2, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    rig.run(Commands{}.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

TEST_F(Injection, OfAHangStopsTheNextCommandUntilAReset) {
    inject("hang");
    rig.launch(two_fills().end());
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.counter("stat-draws"), 0u);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    rig.run(two_fills().end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 6u);
}

TEST_F(Injection, OfABusErrorHitsTheNextAccessOfTheEngineOnly) {
    Buffer dest(rig, kDest, Words(8 * 4));
    inject("bus-error");
    rig.run(two_fills().end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus | 6u);
    EXPECT_NE(rig.read(reg::kAxiStatus) & 0x300, 0u);
    rig.run(two_fills().end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 6u);
    Words expected(8 * 4);
    for (const size_t i : {0u, 1u, 4u, 5u, 6u, 7u, 8u}) {
        expected[i] = 0x11223344;
    }
    EXPECT_TRUE(dest.holds(expected));
}

TEST_F(Injection, OfAnMmuFaultHitsTheNextPageWalkOfTheEngine) {
    map_stream_and_dest(rig);
    const Commands stream =
        base_block(8, 4, command::kClear, 0x2000).draw({{0, 0, 8, 1}}).event(1, kEventFromPe).end();
    rig.store(kStream, stream);
    inject("mmu-fault");
    rig.gc().start(0x1000, stream.qwords());
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrMmu);
    EXPECT_NE(rig.read(reg::kMmuStatus), 0u);
    EXPECT_EQ(rig.counter("stat-mmu-faults"), 1u);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST_F(Injection, OfSomethingUnknownIsRefused) {
    EXPECT_NE(rig.qemu().qmp_error("qom-set", R"({"path": "/machine/pixmill-gc",
                                                  "property": "x-inject", "value": "fire"})"),
              "");
    rig.run(Commands{}.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

} // namespace
} // namespace pixmill::qtest

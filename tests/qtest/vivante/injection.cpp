/*
 * The device's counters and injected faults.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "drawing.hpp"
#include "vg_streams.hpp"

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
    void inject(const std::string& what) {
        rig.qemu().set_property(kGcPath, "x-inject", '"' + what + '"');
    }
    /* Returns the error message for a value, or "". */
    std::string refusal(const std::string& value) {
        return rig.qemu().qmp_error("qom-set", R"({"path": "/machine/pixmill-gc",
                                                   "property": "x-inject", "value": ")" +
                                                   value + "\"}");
    }
    bool event_arrives() {
        rig.run(Commands{}.event(1, kEventFromPe).end());
        return rig.read(reg::kIntrAcknowledge) == 2;
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
    const std::string why = refusal("fire");
    for (const char* known : {"mmu-fault", "bus-error", "lost-irq", "hang", "stale-translations"}) {
        EXPECT_NE(why.find(known), std::string::npos) << known << " in: " << why;
    }
    rig.run(Commands{}.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

TEST_F(Injection, OfMalformedValuesIsRefused) {
    const struct {
        const char* value;
        const char* says; /* part of the message */
    } bad[] = {
        {"", "takes 'mmu-fault'"},
        {"+", "takes 'mmu-fault'"},
        {"hang+", "takes 'mmu-fault'"},
        {" hang", "takes 'mmu-fault'"},
        {"hang@", "@UNIT:N"},
        {"hang@7", "@UNIT:N"},
        {"hang@event:7", "'time', 'command' or 'draw'"},
        {"lost-irq@draw:7", "'time' or 'event'"},
        {"stale-translations@draw:1", "counts 'time'"},
        {"hang@draw:", "number from 1"},
        {"hang@draw:0", "number from 1"},
        {"hang@draw:-1", "number from 1"},
        {"hang@draw:+1", "number from 1"},
        {"hang@draw:1x", "number from 1"},
        {"hang@draw:4294967296", "number from 1"},
        {"hang@draw:99999999999999999999999", "number from 1"},
        {"hang@time:5", "such as 20ms"},
        {"hang@time:0s", "such as 20ms"},
        {"hang@time:2h", "such as 20ms"},
        {"hang@time:86401s", "such as 20ms"},
        {"hang@time:99999999999999999999s", "such as 20ms"},
        {"hang=5ms", "takes no time"},
        {"stall=", "such as 20ms"},
        {"stall=61s", "such as 20ms"},
        {"stall=-1s", "such as 20ms"},
        {"hang%", "0.01 to 100"},
        {"hang%0", "0.01 to 100"},
        {"hang%0.001", "0.01 to 100"},
        {"hang%100.01", "0.01 to 100"},
        {"hang%-5", "0.01 to 100"},
        {"hang%5%5", "takes 'mmu-fault'"},
        {"hang%5:", "seed"},
        {"hang%5:-1", "seed"},
        {"hang%5:18446744073709551616", "seed"},
        {"fused-off%5", "lasts"},
        {"lost-irq+fire", "not 'fire'"},
    };
    for (const auto& [value, says] : bad) {
        const std::string why = refusal(value);
        EXPECT_NE(why.find(says), std::string::npos) << value << ": " << why;
    }
    EXPECT_TRUE(event_arrives()) << "a list is accepted as a whole or not at all";
}

TEST_F(Injection, OfWellFormedValuesIsAccepted) {
    for (const char* value :
         {"off", "hang@command:4294967295", "hang@draw:7", "hang@time:2s", "lost-irq@event:3",
          "late-irq=50ms@event:2%12.5:42", "stall=60s%0.01", "mmu-fault%100",
          "posted-write@write:9%1:18446744073709551615", "bus-error@access:1000",
          "reset-fails@reset:2+busy-after-reset%1+foreign-irq=1us+double-irq+early-idle+late-idle",
          "fused-off@time:86400s", "stale-translations@time:1ns", "off"}) {
        EXPECT_EQ(refusal(value), "") << value;
    }
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injection, HappensAtTheNthOpportunity) {
    inject("lost-irq@event:3");
    EXPECT_TRUE(event_arrives());
    EXPECT_TRUE(event_arrives());
    EXPECT_FALSE(event_arrives());
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injection, RepeatsWithTheSeed) {
    std::vector<std::vector<bool>> runs;
    for (const char* value : {"lost-irq%25:7", "lost-irq%25:7", "lost-irq%25:8"}) {
        inject(value);
        std::vector<bool>& run = runs.emplace_back();
        for (int i = 0; i < 60; ++i) {
            run.push_back(event_arrives());
        }
    }
    EXPECT_EQ(runs[0], runs[1]);
    EXPECT_NE(runs[0], runs[2]);
    inject("off");
    EXPECT_TRUE(event_arrives());
}

TEST_F(Injection, CountsDraws) {
    inject("hang@draw:2");
    rig.launch(two_fills().end());
    rig.pass(10 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.counter("stat-draws"), 1u);
}

TEST_F(Injection, DelaysAnInterrupt) {
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    inject("late-irq=20ms");
    rig.run(Commands{}.event(1, kEventFromPe).end());
    rig.pass(15 * kMillisecond);
    EXPECT_FALSE(rig.qemu().interrupt());
    rig.pass(10 * kMillisecond);
    EXPECT_TRUE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST_F(Injection, HoldsTheLineForAnotherDevice) {
    rig.write(reg::kIntrEnable, 0xFFFFFFFF);
    inject("foreign-irq=5ms");
    rig.run(Commands{}.event(1, kEventFromPe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_TRUE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    rig.pass(10 * kMillisecond);
    EXPECT_FALSE(rig.qemu().interrupt());
}

TEST_F(Injection, StallsAFetchForAWhile) {
    inject("stall=50ms");
    rig.launch(Commands{}.event(1, kEventFromPe).event(2, kEventFromPe).end());
    rig.pass(40 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    rig.pass(20 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 4u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

TEST_F(Injection, FusesTheCoreOff) {
    inject("fused-off");
    EXPECT_EQ(rig.read(reg::kChipModel), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), 0u);
    inject("off");
    EXPECT_EQ(rig.read(reg::kChipModel), 0x320u);
}

TEST(InjectionAtStart, IsAPropertyOfTheDevice) {
    Rig rig({.properties = {"x-inject=lost-irq@event:2+fused-off@time:1s"}});
    std::vector<uint32_t> seen;
    for (int i = 0; i < 3; ++i) {
        rig.run(Commands{}.event(1, kEventFromPe).end());
        seen.push_back(rig.read(reg::kIntrAcknowledge));
    }
    EXPECT_EQ(seen, (std::vector<uint32_t>{2, 0, 2}));
    rig.pass(1000 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kChipModel), 0u);
}

/* A VG core. Its front end has its own command set. */
class VgInjection : public testing::Test {
protected:
    explicit VgInjection(const std::vector<std::string>& arguments = {})
        : qemu({.machine = "pixmill-test,model=gc355-rt1170", .arguments = arguments}),
          gc(qemu, kGcBase) {}

    bool event_arrives() {
        constexpr uint32_t kId = 3;
        qemu.write_words(kStream, Words{vg::kEnd | kId, 0});
        gc.write(vg::kAddress, kStream);
        gc.write(vg::kSize, 1);
        qemu.clock_step(kMillisecond);
        return gc.read(reg::kIntrAcknowledge) == 1u << kId;
    }
    std::string refusal(const std::string& value) {
        return qemu.qmp_error("qom-set", R"({"path": "/machine/pixmill-gc",
                                             "property": "x-inject", "value": ")" +
                                             value + "\"}");
    }

    Qemu qemu;
    Gc gc;
};

TEST_F(VgInjection, OfAListWithAFaultThatTheCoreCannotHaveInjectsNothing) {
    for (const std::string fault : {"stall", "mmu-fault", "stale-translations"}) {
        for (const std::string& list : {"lost-irq%100+" + fault, fault + "+lost-irq%100"}) {
            EXPECT_NE(refusal(list).find("cannot have the fault '" + fault + '\''),
                      std::string::npos);
            EXPECT_TRUE(event_arrives()) << list;
        }
    }
    expect_clean_quit(qemu);
}

class VgInjectionAtStart : public VgInjection {
protected:
    VgInjectionAtStart() : VgInjection({"-global", "vivante-gc.x-inject=stall+lost-irq"}) {}
};

/* "-global" sets the property of all cores of a board, and some of them may lack a fault. */
TEST_F(VgInjectionAtStart, LeavesOutAFaultThatTheCoreCannotHave) {
    EXPECT_FALSE(event_arrives());
    EXPECT_TRUE(event_arrives());
    EXPECT_EQ(qemu.quit(), "exit 0");
    EXPECT_NE(qemu.stderr_text().find("gc355-rt1170 cannot have the fault 'stall'"),
              std::string::npos)
        << qemu.stderr_text();
}

TEST(InjectionAtStart, MigratesWithItsCount) {
    const std::string file = testing::TempDir() + "/injection";
    Rig rig;
    const auto event_arrives = [](Rig& on) {
        on.run(Commands{}.event(1, kEventFromPe).end());
        return on.read(reg::kIntrAcknowledge) == 2;
    };
    rig.qemu().set_property(kGcPath, "x-inject", R"("lost-irq@event:3")");
    EXPECT_TRUE(event_arrives(rig));
    rig.qemu().migrate_to(file);
    Rig copy({.arguments = {"-incoming", "defer"}});
    copy.qemu().migrate_from(file);
    EXPECT_TRUE(event_arrives(copy));
    EXPECT_FALSE(event_arrives(copy));
    EXPECT_TRUE(event_arrives(copy));
}

} // namespace
} // namespace pixmill::qtest

/*
 * Tests of captures of each core. Random work is captured with a fake host, then replayed. The
 * replay must produce the same bytes, registers and interrupts. Sinks that are full and replays
 * that differ are tested too.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "fake_host.hpp"
#include "pixmill/capture.h"
#include "tools/replay/cores.hpp"
#include "tools/replay/replay.hpp"
#include "tools/replay/rewrite.hpp"

namespace pixmill::test {
namespace {

using namespace tools;

constexpr PixmillVivanteConfig kGc320{"gc320-am57xx", 0, 0, 0, 1, 0, 0, 0};
constexpr PixmillVivanteConfig kGc2000{"gc2000-imx6q", 0, 0, 0, 1, 0, 0, 0};
constexpr PixmillVivanteConfig kGc355{"gc355-rt1170", 0, 0, 0, 1, 0, 0, 0};
constexpr PixmillGeodeGpConfig kHolding{1, 64};

struct Row {
    const char* name;
    const PixmillCoreClass* table;
    const void* config;
};

// clang-format off
constexpr Row kCores[] = {
    {"Vivante2d", &pixmill_vivante, &kGc320},
    {"Vivante3d", &pixmill_vivante, &kGc2000},
    {"VivanteVg", &pixmill_vivante, &kGc355},
    {"Nema", &pixmill_nema, nullptr},
    {"Sgx", &pixmill_sgx, nullptr},
    {"GeodeGp", &pixmill_geode_gp, nullptr},
    {"GeodeGpHolding", &pixmill_geode_gp, &kHolding},
    {"GeodeDisplay", &pixmill_geode_display, nullptr},
    {"Ipuv3", &pixmill_ipuv3, nullptr},
    {"Toy", &pixmill_toy, nullptr},
};
// clang-format on

/* A capture sink that appends to a string and fails beyond `most` bytes. */
struct Tape {
    std::string bytes;
    size_t most = SIZE_MAX;

    PixmillSink sink() {
        return {this, [](void* user, const void* from, size_t length) {
                    auto& tape = *static_cast<Tape*>(user);
                    if (tape.bytes.size() + length > tape.most)
                        return false;
                    tape.bytes.append(static_cast<const char*>(from), length);
                    return true;
                }};
    }
};

/* A core on a fake host. Its calls can be captured. */
class Machine {
public:
    explicit Machine(const Row& row) : table(*row.table) {
        host.ram.set_grain(0x3000);
        host.ram.add(0, 0x40000);
        host.ram.set_grain(0);
        host.ram.add(0x80000000, 0x8000);
        host.ram.add(0x80010000, 0x2000, false);
        host.ram.alias(0x90000000, 0x4000, 0x80000000);
        EXPECT_EQ(table.create(row.config, host.abi(), &core), PIXMILL_OK);
        host.entries++;
    }
    ~Machine() {
        table.destroy(core);
        EXPECT_EQ(host.violations(), std::vector<std::string>{});
    }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    void capture(Tape& tape) {
        const PixmillSink sink = tape.sink();
        ASSERT_EQ(pixmill_capture_start(&table, core, &sink), PIXMILL_OK);
    }
    void stop() const { pixmill_capture_stop(core); }
    std::vector<uint8_t> save() const {
        std::vector<uint8_t> state(table.state_size);
        table.save(core, state.data());
        return state;
    }
    bool draw(uint64_t budget) const {
        if (!table.draw)
            return false;
        FakeHost::in_draw = true;
        table.draw(core, budget);
        FakeHost::in_draw = false;
        return true;
    }

    const PixmillCoreClass& table;
    FakeHost host;
    PixmillCore* core = nullptr;
};

/* Calls random entry points of a core, chosen by a seeded generator. */
class Program {
public:
    explicit Program(Machine& machine, uint32_t seed) : m_(machine), random_(seed) {}

    bool faults = true; /* also injects faults */

    void play(int moves) {
        for (int i = 0; i < moves; i++)
            move();
    }
    /* All values that the caller read, and all other results that it saw. */
    std::vector<uint64_t> seen;

private:
    uint32_t number(uint32_t below) { return static_cast<uint32_t>(random_() % below); }
    /* Returns a register value, often one that is a plausible address, size or enable bit. */
    uint32_t value() {
        switch (number(6)) {
        case 0:
            return number(4);
        case 1:
            return 0x80000000 + (number(0x8000) & ~3u);
        case 2:
            return number(0x40000) & ~7u;
        case 3:
            return 1u << number(32);
        case 4:
            return number(0x200) << 16 | number(0x200);
        default:
            return static_cast<uint32_t>(random_());
        }
    }
    uint32_t offset() {
        PixmillRegister reg{};
        uint32_t count = 0;
        while (m_.table.register_at(m_.core, count, &reg))
            count++;
        EXPECT_TRUE(m_.table.register_at(m_.core, number(count), &reg));
        return reg.offset;
    }
    void work() {
        for (int i = 0; i < 24; i++) {
            const PixmillRun run = m_.table.run(m_.core, 1 + number(512));
            seen.push_back(run.action);
            if (run.action == PIXMILL_RUN_IDLE)
                return;
            if (run.action == PIXMILL_RUN_WAIT)
                m_.host.now =
                    std::max<int64_t>(m_.host.now, std::min(run.when_ns, m_.host.now + 1'000'000));
            if (run.action == PIXMILL_RUN_DRAW)
                (void)m_.draw(number(8192));
        }
    }
    void call() {
        uint32_t count = 0;
        while (m_.table.calls[count].name)
            count++;
        if (!count)
            return;
        uint64_t words[PIXMILL_CALL_WORDS] = {number(4), value(), value(), number(2), 0};
        m_.table.call(m_.core, number(count), words);
        seen.insert(seen.end(), std::begin(words), std::end(words));
    }
    void migrate() {
        const std::vector<uint8_t> state = m_.save();
        seen.push_back(m_.table.load(m_.core, state.data()));
    }
    void move() {
        switch (number(16)) {
        default:
            seen.push_back(m_.table.write(m_.core, offset(), 4, value()));
            break;
        case 0:
        case 1: {
            uint32_t word = 0;
            seen.push_back(m_.table.read(m_.core, offset(), 4, &word));
            seen.push_back(word);
            break;
        }
        case 2:
            m_.host.ram.set_word(0x80000000 + (number(0x8000) & ~3u), value());
            break;
        case 3:
            m_.host.ram.set_word(number(0x40000) & ~3u, value());
            break;
        case 4:
        case 5:
            work();
            break;
        case 6:
            m_.host.now += number(2'000'000);
            break;
        case 7:
            call();
            break;
        case 8:
            if (number(8) == 0)
                migrate();
            break;
        case 9:
            if (number(8) == 0 && faults)
                m_.table.inject(m_.core, number(4));
            break;
        case 10:
            if (number(32) == 0)
                m_.table.reset(m_.core);
            break;
        }
    }

    Machine& m_;
    std::mt19937 random_;
};

struct Outcome {
    uint64_t entries = 0, differences = 0;
    std::string first;
    bool cut = false;
};

Outcome replay(const std::string& bytes) {
    std::istringstream file(bytes);
    Reader reader(file);
    Outcome outcome;
    Watcher watcher;
    watcher.difference = [&](const std::string& text) {
        if (outcome.first.empty())
            outcome.first = text;
    };
    Replay replay(core_classes, reader.head(), watcher);
    Record record;
    try {
        while (reader.next(record))
            replay.play(record);
    } catch (const CutCapture&) {
        outcome.cut = true;
    }
    outcome.entries = replay.entries();
    outcome.differences = replay.differences();
    return outcome;
}

class Capture : public testing::TestWithParam<Row> {};

TEST_P(Capture, IsReplayedToTheSame) {
    uint64_t entries = 0;
    for (uint32_t seed = 1; seed <= 40; seed++) {
        Machine machine(GetParam());
        Program program(machine, seed);
        program.faults = false;           /* a pending fault is not part of the saved state */
        program.play(seed % 2 ? 0 : 200); /* a capture may begin at any time */
        program.faults = true;
        Tape tape;
        machine.capture(tape);
        program.play(500);
        machine.stop();
        const Outcome outcome = replay(tape.bytes);
        ASSERT_EQ(outcome.differences, 0u) << "seed " << seed << ": " << outcome.first;
        EXPECT_FALSE(outcome.cut);
        entries += outcome.entries;
    }
    EXPECT_GT(entries, 40u * 250);
}

/*
 * run() is never called. The driver's polling read must execute the stream, both in the capture and
 * in the replay.
 */
TEST(CaptureOfReads, ThatExecuteAStreamAreReplayed) {
    Machine machine(kCores[0]);
    Tape tape;
    machine.capture(tape);
    /* EVENT 5, NOP, END */
    machine.host.ram.set_words(0x80000000, {0x08010E01, 0x45, 0x18000000, 0, 0x10000000, 0});
    uint32_t idle = 0, events = 0;
    (void)machine.table.write(machine.core, 0x014, 4, ~0u);
    (void)machine.table.write(machine.core, 0x654, 4, 0x80000000);
    (void)machine.table.write(machine.core, 0x658, 4, 0x10003);
    (void)machine.table.read(machine.core, 0x004, 4, &idle);
    EXPECT_TRUE(machine.host.irq);
    (void)machine.table.read(machine.core, 0x010, 4, &events);
    machine.stop();
    EXPECT_EQ(idle, 0x7FFFFFFFu);
    EXPECT_EQ(events, 1u << 5);
    const Outcome outcome = replay(tape.bytes);
    EXPECT_EQ(outcome.differences, 0u) << outcome.first;
    EXPECT_FALSE(outcome.cut);
}

TEST_P(Capture, ChangesNothingForTheGuest) {
    for (uint32_t seed = 1; seed <= 20; seed++) {
        Machine plain(GetParam()), captured(GetParam());
        Tape tape;
        captured.capture(tape);
        Program a(plain, seed), b(captured, seed);
        a.faults = b.faults = false; /* mapped lengths decide which access faults */
        /*
         * The captured core sees memory in pages, so a draw with a small budget may stop at a
         * different point. All draws must be finished before the comparison.
         */
        a.play(60);
        b.play(60);
        const auto finish = [](Machine& m) {
            for (int i = 0; i < 2000; i++) {
                const PixmillRun run = m.table.run(m.core, 512);
                if (run.action == PIXMILL_RUN_IDLE)
                    break;
                if (run.action == PIXMILL_RUN_DRAW)
                    (void)m.draw(1 << 20);
                if (run.action == PIXMILL_RUN_WAIT)
                    break;
            }
        };
        finish(plain);
        finish(captured);
        EXPECT_EQ(plain.host.irq, captured.host.irq) << "seed " << seed;
        EXPECT_EQ(plain.host.ram.snapshot(), captured.host.ram.snapshot()) << "seed " << seed;
        captured.stop();
    }
}

TEST_P(Capture, EndsWithTheCore) {
    Tape tape;
    {
        Machine machine(GetParam());
        machine.capture(tape);
        const PixmillSink sink = tape.sink();
        EXPECT_EQ(pixmill_capture_start(&machine.table, machine.core, &sink),
                  PIXMILL_ERROR_ARGUMENT);
        EXPECT_TRUE(pixmill_capture_runs(machine.core));
        Program(machine, 7).play(50);
    }
    const Outcome outcome = replay(tape.bytes);
    EXPECT_EQ(outcome.differences, 0u) << outcome.first;
    EXPECT_FALSE(outcome.cut);
}

TEST_P(Capture, EndsWhereNothingCanBeWritten) {
    constexpr int steps = 3000;
    Tape all;
    {
        Machine machine(GetParam());
        machine.capture(all);
        Program(machine, 3).play(steps);
        machine.stop();
    }
    Machine machine(GetParam());
    Tape tape;
    tape.most = all.bytes.size() / 2;
    machine.capture(tape);
    Program(machine, 3).play(steps);
    machine.stop(); /* flushes the buffered records */
    EXPECT_FALSE(pixmill_capture_runs(machine.core));
    EXPECT_TRUE(std::ranges::any_of(machine.host.logs(), [](const LogLine& line) {
        return line.kind == PIXMILL_LOG_HOST_ERROR &&
               line.text.find("the capture ends") != std::string::npos;
    }));
}

/* Changes the records of a capture one by one. The replay must notice each kind of difference. */
TEST_P(Capture, IsNotReplayedByACoreThatDoesOtherwise) {
    Machine machine(GetParam());
    Tape tape;
    machine.capture(tape);
    Program(machine, 11).play(400);
    machine.stop();
    std::istringstream file(tape.bytes);
    Reader reader(file);
    uint64_t doctored = 0, noticed = 0;
    Replay replay(core_classes, reader.head(), {});
    Record record;
    while (reader.next(record)) {
        capture::Entry& entry = record.entry;
        const uint64_t before = replay.differences();
        bool changed = false;
        if (entry.op == capture::Op::read || entry.op == capture::Op::run) {
            entry.out[1] ^= 2;
            changed = true;
        } else if (entry.op == capture::Op::save) {
            entry.out[0]++;
            changed = true;
        } else if (!entry.written.empty()) {
            entry.written[0].hash ^= 1;
            changed = true;
        } else if (record.is_entry() && !entry.levels.empty()) {
            entry.levels.pop_back();
            changed = true;
        } else if (record.is_entry() && entry.flags & capture::Flags::asked) {
            entry.flags ^= capture::Flags::asked;
            changed = true;
        }
        replay.play(record);
        doctored += changed;
        noticed += replay.differences() > before;
    }
    EXPECT_GT(doctored, 10u);
    EXPECT_EQ(noticed, doctored);
}

/* Minimizing must keep only the few calls that reproduce the difference. */
TEST_P(Capture, IsMinimised) {
    Machine machine(GetParam());
    Tape tape;
    machine.capture(tape);
    Program(machine, 5).play(200);
    machine.stop();
    std::istringstream file(tape.bytes);
    Reader reader(file);
    Recording recording{reader.head(), {}, true};
    for (Record record; reader.next(record);)
        recording.records.push_back(record);
    ASSERT_EQ(first_difference(recording), 0u);
    const Recording again = rewritten(recording);
    EXPECT_EQ(first_difference(again), 0u);
    EXPECT_EQ(again.entries(), recording.entries());

    /* Change the recorded value of one register read. */
    size_t number = 0, doctored = 0;
    for (Record& record : recording.records) {
        number += record.is_entry();
        if (record.entry.op == capture::Op::read && number > recording.entries() / 2) {
            record.entry.out[1] ^= 0x80;
            record.raw.clear();
            capture::put_entry(record.raw, record.entry);
            doctored = number;
            break;
        }
    }
    ASSERT_GT(doctored, 0u);
    EXPECT_EQ(first_difference(recording), doctored);
    const Recording least =
        minimised(recording, [](const Recording& less) { return first_difference(less) != 0; });
    EXPECT_LE(least.entries(), 3u);
    EXPECT_NE(first_difference(least), 0u);
}

INSTANTIATE_TEST_SUITE_P(Of, Capture, testing::ValuesIn(kCores),
                         [](const auto& core) { return core.param.name; });

} // namespace
} // namespace pixmill::test

/*
 * Tests of truncated, damaged and malicious capture files, and of races with a running capture.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "common/capture/store.hpp"
#include "fake_host.hpp"
#include "pixmill/capture.h"
#include "tools/replay/cores.hpp"
#include "tools/replay/replay.hpp"

namespace pixmill::test {
namespace {

using namespace tools;
using capture::Bytes;
using capture::Op;

constexpr uint64_t kRam = 0x80000000;
enum : uint32_t {
    kAddress = 0,
    kSize = 4,
    kFill = 8,
    kStatus = 12
}; /* registers of the toy core */

PixmillSink sink_to(std::string& bytes) {
    return {&bytes, [](void* user, const void* from, size_t length) {
                static_cast<std::string*>(user)->append(static_cast<const char*>(from), length);
                return true;
            }};
}

/* A toy core on a fake host. */
struct Toy {
    Toy() {
        host.ram.add(kRam, 0x10000);
        EXPECT_EQ(pixmill_toy.create(nullptr, host.abi(), &core), PIXMILL_OK);
        host.entries++;
    }
    ~Toy() { pixmill_toy.destroy(core); }
    Toy(const Toy&) = delete;
    Toy& operator=(const Toy&) = delete;

    void write(uint32_t offset, uint32_t value) const {
        EXPECT_EQ(pixmill_toy.write(core, offset, 4, value), PIXMILL_OK);
    }
    void start_fill(uint64_t address, uint32_t size, uint32_t byte) const {
        write(kAddress, uint32_t(address));
        write(kSize, size);
        write(kFill, byte);
    }
    void draw(uint64_t budget) const {
        FakeHost::in_draw = true;
        pixmill_toy.draw(core, budget);
        FakeHost::in_draw = false;
    }
    void work() const {
        while (pixmill_toy.run(core, 64).action == PIXMILL_RUN_DRAW)
            draw(1000);
    }
    FakeHost host;
    PixmillCore* core = nullptr;
};

std::string capture_of_fills(int fills) {
    std::string bytes;
    const Toy toy;
    const PixmillSink sink = sink_to(bytes);
    EXPECT_EQ(pixmill_capture_start(&pixmill_toy, toy.core, &sink), PIXMILL_OK);
    for (int i = 0; i < fills; i++) {
        toy.start_fill(kRam + 0x100 * uint32_t(i % 16), 5000, uint32_t(i));
        toy.work();
        toy.write(kStatus, 1);
    }
    pixmill_capture_stop(toy.core);
    return bytes;
}

/* Returns "same", "differs", "cut", or the reason for refusing the file. */
std::string outcome_of(const std::string& bytes) {
    try {
        std::istringstream file(bytes);
        Reader reader(file);
        Replay replay(core_classes, reader.head(), {});
        Record record;
        while (reader.next(record))
            replay.play(record);
        return replay.differences() ? "differs" : "same";
    } catch (const CutCapture&) {
        return "cut";
    } catch (const BadCapture& error) {
        return error.what();
    }
}

/* Returns the decompressed contents of the blocks, up to the first unreadable record. */
Bytes stream_of(const std::string& bytes) {
    std::istringstream file(bytes);
    Reader reader(file);
    Bytes stream = reader.head().raw;
    Record record;
    while (reader.next(record))
        capture::put(stream, record.raw);
    return stream;
}

/* Packs @stream into a capture file, one block per 64 KiB. */
std::string file_of(const Bytes& stream) {
    std::string file(capture::magic.data(), capture::magic.size());
    const auto put = [&file](uint32_t value) {
        file.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    put(capture::version);
    for (size_t at = 0; at < stream.size(); at += capture::block_bytes) {
        const size_t count = std::min(capture::block_bytes, stream.size() - at);
        std::vector<Bytef> packed(compressBound(count));
        uLongf length = packed.size();
        EXPECT_EQ(compress(packed.data(), &length,
                           reinterpret_cast<const Bytef*>(stream.data() + at), count),
                  Z_OK);
        put(uint32_t(count));
        put(uint32_t(length));
        file.append(reinterpret_cast<const char*>(packed.data()), length);
    }
    return file;
}

/* Returns the header of a toy core's capture; callers append records. */
Bytes toy_head() {
    const std::string bytes = capture_of_fills(0);
    std::istringstream file(bytes);
    return Reader(file).head().raw;
}

TEST(CaptureFile, EndsAnywhere) {
    const std::string whole = capture_of_fills(60);
    ASSERT_EQ(outcome_of(whole), "same");
    for (size_t length = 12; length < whole.size(); length++)
        EXPECT_EQ(outcome_of(whole.substr(0, length)), "cut") << length;
    for (size_t length = 0; length < 12; length++)
        EXPECT_EQ(outcome_of(whole.substr(0, length)), "this is not a capture") << length;
}

TEST(CaptureFile, HasAFlippedBit) {
    const std::string whole = capture_of_fills(30);
    const Bytes stream = stream_of(whole);
    int unnoticed = 0; /* flips in unused bits between zlib's compressed blocks */
    for (size_t bit = 0; bit < 8 * whole.size(); bit++) {
        std::string flipped = whole;
        flipped[bit / 8] = char(flipped[bit / 8] ^ 1 << bit % 8);
        if (outcome_of(flipped) != "same")
            continue;
        unnoticed++;
        EXPECT_EQ(stream_of(flipped), stream) << bit;
    }
    EXPECT_LT(unnoticed, 32);
}

/* A stream must not be trusted even if its checksums are valid. */
TEST(CaptureFile, HasARandomStream) {
    const Bytes stream = stream_of(capture_of_fills(20));
    const size_t head = toy_head().size();
    std::mt19937 random(1);
    int refused = 0, played = 0;
    for (int i = 0; i < 3000; i++) {
        Bytes changed = stream;
        for (int n = i % 4; n >= 0; n--)
            changed[(i % 2 ? 0 : head) + random() % (changed.size() - (i % 2 ? 0 : head))] =
                std::byte(random());
        const std::string outcome = outcome_of(file_of(changed));
        (outcome == "cut" || outcome == "differs" || outcome == "same" ? played : refused)++;
    }
    EXPECT_GT(refused, 300);
    EXPECT_GT(played, 300);
}

TEST(CaptureFile, HasFieldsThatAreTooLarge) {
    const auto stream_of = [](std::initializer_list<uint64_t> words) {
        Bytes stream = toy_head();
        for (const uint64_t word : words)
            capture::put(stream, word);
        return file_of(stream);
    };
    const auto op = [](Op which) { return uint64_t(which); };
    const std::string damaged = "the capture is damaged: ";
    const struct {
        std::string file, outcome;
    } rows[] = {
        {stream_of({capture::op_count}), damaged + "an unknown record"},
        {stream_of({op(Op::page), 1, 0, 1, 0}), damaged + "the number of a page"},
        {stream_of({op(Op::page), 0, 4096, 0}), damaged + "a place in a page"},
        {stream_of({op(Op::page), 0, 4095, 2}), damaged + "the length of a part of a page"},
        {stream_of({op(Op::map), 4}), damaged + "flags of a place"},
        {stream_of({op(Op::map), 0, 0, 0}), damaged + "an empty place"},
        {stream_of({op(Op::map), 0, 0, 1, 1, 0}), damaged + "the number of a page"},
        {stream_of({op(Op::map), 0, 0, 4096, 0, 1}), damaged + "a place beyond its page"},
        {stream_of({op(Op::map), 0, 0, UINT64_MAX, 0, 0}), damaged + "a place beyond its page"},
        {stream_of({op(Op::map), 0, 4095, 2, 0, 0}), damaged + "a place in two pages"},
        {stream_of({op(Op::reset), 32}), damaged + "flags of an entry point"},
        {stream_of({op(Op::reset), capture::Flags::lines, 0, 1, 16}),
         damaged + "the number of a line"},
        {stream_of({op(Op::reset), capture::Flags::lines, 0, UINT32_MAX}),
         damaged + "the number of levels"},
        {stream_of({op(Op::reset), capture::Flags::pages, 0, UINT32_MAX}),
         damaged + "the number of pages"},
        {stream_of({op(Op::reset), capture::Flags::pages, 0, 1, 0}),
         damaged + "a page that is not there"},
        {stream_of({op(Op::call), 0, 0, 0, 1, 2, 3, 4, 5, 1, 2, 3, 4, 5}),
         "the capture has a call that the core does not offer"},
        {stream_of({op(Op::load), 0, 0, 1025}), damaged + "the number of fields"},
        {stream_of({op(Op::load), 0, 0, 1, 256}), damaged + "the length of a name"},
        {stream_of({op(Op::load), 0, 0, 1, 0, 5}), damaged + "the type of a field"},
        {stream_of({op(Op::load), 0, 0, 1, 0, 0, capture::most_elements + 1}),
         damaged + "the size of a field"},
        {stream_of({op(Op::load), 0, 0, 0, 0}), "the capture has another 'reg': it was made by "
                                                "another version of the core"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(outcome_of(row.file), row.outcome);

    /* A varint of more than 64 bits. */
    Bytes endless = toy_head();
    endless.push_back(std::byte(Op::page));
    endless.insert(endless.end(), 11, std::byte(0xFF));
    EXPECT_EQ(outcome_of(file_of(endless)), damaged + "a word of more than 64 bits");
    /* Block headers. */
    std::string block = capture_of_fills(1).substr(0, 12);
    EXPECT_EQ(outcome_of(block + std::string("\0\0\0\0\1\0\0\0x", 9)),
              damaged + "the length of a block");
    EXPECT_EQ(outcome_of(block + std::string("\1\0\1\0\1\0\0\0x", 9)),
              damaged + "the length of a block");
    EXPECT_EQ(outcome_of(block + std::string("\1\0\0\0\1\0\0\1x", 9)),
              damaged + "the length of a block");
    EXPECT_EQ(outcome_of(block + std::string("\1\0\0\0\1\0\0\0x", 9)),
              damaged + "a block cannot be decompressed");
}

/*
 * A fill of 4 GiB without captured memory touches a million unmapped pages, which must not all be
 * reported.
 */
TEST(CaptureFile, ReportsALimitedNumberOfDifferences) {
    Bytes stream = toy_head();
    const auto put = [&stream](std::initializer_list<uint64_t> words) {
        for (const uint64_t word : words)
            capture::put(stream, word);
    };
    put({uint64_t(Op::write), 0, 0, kSize, 4, UINT32_MAX, PIXMILL_OK});
    put({uint64_t(Op::write), 0, 0, kFill, 4, 1, PIXMILL_OK});
    put({uint64_t(Op::draw), 0, 0, UINT64_MAX});
    std::istringstream file(file_of(stream));
    Reader reader(file);
    uint64_t told = 0;
    Watcher watcher;
    watcher.difference = [&](const std::string& text) {
        told += text.find("maps") != std::string::npos;
    };
    Replay replay(core_classes, reader.head(), watcher);
    Record record;
    for (int i = 0; i < 3; i++) {
        ASSERT_TRUE(reader.next(record));
        replay.play(record);
    }
    EXPECT_EQ(told, 4096u);
}

TEST(CaptureFile, IsOfAnotherVersion) {
    std::string file = capture_of_fills(1);
    file[8]++;
    EXPECT_EQ(outcome_of(file), "the capture has version 2 of the format, not 1");
    Bytes head = toy_head();
    ASSERT_EQ(head[0], std::byte(3)); /* length of "toy" */
    head[4] = std::byte(uint8_t(head[4]) + 1);
    EXPECT_EQ(outcome_of(file_of(head)), "the capture has version 2 of the core's state, not 1");
    head[3] = std::byte('s');
    EXPECT_EQ(outcome_of(file_of(head)), "the capture is of an unknown core: tos");
}

/* ---- Entry points outside the class table ---- */

/*
 * Captures the calls that @use makes to a core and replays them. Returns the number of calls from
 * the family's own API.
 */
template<class Use>
int replayed_calls(const PixmillCoreClass& table, const void* config, Use use) {
    FakeHost host;
    host.ram.add(0, 0x10000);
    PixmillCore* core = nullptr;
    EXPECT_EQ(table.create(config, host.abi(), &core), PIXMILL_OK);
    host.entries++;
    std::string bytes;
    const PixmillSink sink = sink_to(bytes);
    use(core, [&] { EXPECT_EQ(pixmill_capture_start(&table, core, &sink), PIXMILL_OK); });
    table.destroy(core);
    EXPECT_EQ(outcome_of(bytes), "same");
    std::istringstream file(bytes);
    Reader reader(file);
    int calls = 0;
    for (Record record; reader.next(record);)
        calls += record.entry.op == Op::call;
    return calls + int(reader.head().kept.size());
}

TEST(CaptureCalls, OfFamiliesAreReplayed) {
    constexpr PixmillVivanteConfig gc320{"gc320-am57xx", 0, 0, 0, 1, 0, 0, 0};
    EXPECT_EQ(replayed_calls(pixmill_vivante, &gc320,
                             [](PixmillCore* core, auto start) {
                                 start();
                                 pixmill_vivante_barrier(core);
                             }),
              1);
    EXPECT_EQ(replayed_calls(pixmill_geode_gp, nullptr,
                             [](PixmillCore* core, auto start) {
                                 pixmill_geode_gp_set_frame_buffer(core, 0x8000, 0x8000);
                                 start(); /* earlier calls are kept in the capture's header */
                                 pixmill_geode_gp_write_msr(core, 0, 0x1234);
                                 pixmill_geode_gp_set_timing(core, 1000, 16'000'000);
                             }),
              3);
    EXPECT_EQ(replayed_calls(pixmill_geode_display, nullptr,
                             [](PixmillCore* core, auto start) {
                                 start();
                                 EXPECT_FALSE(pixmill_geode_display_wrmsr(core, 1, 0));
                                 pixmill_geode_vsa_write(core, 0, 4, 0xFC530000);
                             }),
              2);
    EXPECT_EQ(replayed_calls(
                  pixmill_sgx, nullptr,
                  [](PixmillCore* core, auto start) {
                      start();
                      uint64_t physical = 1;
                      (void)pixmill_sgx_walk(core, 0, PIXMILL_SGX_EDM, 0x1000, false, &physical);
                      EXPECT_EQ(pixmill_sgx_raise(core, 0, pixmill_sgx_event(0)), PIXMILL_OK);
                  }),
              2);
}

/* ---- Concurrent guest writes ---- */

/* Guest writes next to bytes that the core writes must survive. */
TEST(CaptureStore, StoresWhatHasChangedAndNothingElse) {
    std::mt19937 random(3);
    for (int i = 0; i < 20'000; i++) {
        alignas(8) std::byte before[64], now[64], memory[64], expected[64];
        for (size_t at = 0; at < sizeof before; at++)
            before[at] = now[at] = memory[at] = std::byte(random());
        const size_t begin = random() % 64, length = 1 + random() % (64 - begin);
        std::memcpy(expected, memory, sizeof memory);
        for (int n = 0; n < i % 5; n++) {
            const size_t at = begin + random() % length;
            now[at] = expected[at] = std::byte(random());
        }
        capture::store_changes(memory + begin, now + begin, before + begin, length);
        EXPECT_EQ(std::memcmp(memory, expected, sizeof memory), 0);
        /* Unchanged words must not be stored, not even with their old values. */
        std::byte others[64];
        std::memset(others, 0, sizeof others);
        std::memcpy(now, before, sizeof before);
        capture::store_changes(others + begin, now + begin, before + begin, length);
        EXPECT_EQ(std::count(std::begin(others), std::end(others), std::byte(0)), 64);
    }
}

TEST(CaptureStore, StoresAWordAtOnce) {
    alignas(8) uint32_t memory = 0x00FF, before = 0x00FF, now = 0x0100;
    std::atomic<bool> done = false;
    std::atomic<int> torn = 0;
    std::thread reader([&] {
        while (!done) {
            const uint32_t seen = std::atomic_ref(memory).load();
            torn += seen != 0x00FF && seen != 0x0100;
        }
    });
    for (int i = 0; i < 200'000; i++) {
        capture::store_changes(reinterpret_cast<std::byte*>(&memory),
                               reinterpret_cast<std::byte*>(&now),
                               reinterpret_cast<std::byte*>(&before), sizeof memory);
        std::swap(now, before);
    }
    done = true;
    reader.join();
    EXPECT_EQ(torn, 0);
}

/*
 * Threads call the core as in QEMU: draws run concurrently with accesses and interrupts, and all
 * other calls are serialized.
 */
TEST(CaptureThreads, AreReplayedInAnOrder) {
    std::string bytes;
    uint64_t accesses = 0;
    {
        Toy toy;
        const PixmillSink sink = sink_to(bytes);
        ASSERT_EQ(pixmill_capture_start(&pixmill_toy, toy.core, &sink), PIXMILL_OK);
        std::mutex lock;
        std::atomic<bool> done = false;
        std::thread worker([&] {
            while (!done) {
                PixmillRun run{};
                {
                    const std::lock_guard guard(lock);
                    run = pixmill_toy.run(toy.core, 64);
                }
                if (run.action == PIXMILL_RUN_DRAW)
                    toy.draw(700);
            }
        });
        for (uint32_t i = 0, filled = 0; filled < 60; i++) {
            std::this_thread::yield();
            const std::lock_guard guard(lock);
            uint32_t value = 0;
            EXPECT_EQ(pixmill_toy.read(toy.core, kStatus, 4, &value), PIXMILL_OK);
            if (value) {
                toy.write(kStatus, 1);
                filled++;
            }
            (void)pixmill_toy.write(toy.core, kAddress, 4, uint32_t(kRam) + i % 16 * 0x400);
            (void)pixmill_toy.write(toy.core, kSize, 4, 3000);
            (void)pixmill_toy.write(toy.core, kFill, 4, i);
            if (i % 7 == 0)
                pixmill_toy.interrupt(toy.core);
            accesses += 4;
        }
        done = true;
        worker.join();
        pixmill_capture_stop(toy.core);
    }
    EXPECT_EQ(outcome_of(bytes), "same");
    std::istringstream file(bytes);
    Reader reader(file);
    Record record;
    uint64_t entries = 0, draws = 0;
    while (reader.next(record)) {
        entries += record.is_entry();
        draws += record.entry.op == Op::draw;
    }
    EXPECT_GE(entries, accesses);
    EXPECT_GT(draws, 100u);
}

/*
 * Guest writes to a page to which the core is drawing must be neither lost nor reported as a
 * difference.
 */
TEST(CaptureThreads, LeaveWhatTheGuestWrites) {
    const Toy toy;
    std::string bytes;
    const PixmillSink sink = sink_to(bytes);
    ASSERT_EQ(pixmill_capture_start(&pixmill_toy, toy.core, &sink), PIXMILL_OK);
    for (uint32_t round = 0; round < 100; round++) {
        toy.start_fill(kRam, 0x800, round);
        uint64_t length = 0;
        auto* word = static_cast<uint32_t*>(toy.host.ram.map(kRam + 0x800, &length, true));
        std::thread guest([&] {
            for (uint32_t i = 0; i < 0x200; i++)
                std::atomic_ref(word[i]).store(round + i, std::memory_order_relaxed);
        });
        while (pixmill_toy.run(toy.core, 64).action == PIXMILL_RUN_DRAW)
            toy.draw(16);
        guest.join();
        toy.write(kStatus, 1);
        for (uint32_t at = 0; at < 0x800; at++)
            ASSERT_EQ(toy.host.ram.byte(kRam + at), uint8_t(round));
        for (uint32_t i = 0; i < 0x200; i++)
            ASSERT_EQ(word[i], round + i);
    }
    pixmill_capture_stop(toy.core);
    EXPECT_EQ(outcome_of(bytes), "same");
}

} // namespace
} // namespace pixmill::test

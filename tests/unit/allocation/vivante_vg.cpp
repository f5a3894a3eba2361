/*
 * The VG core on a host that refuses each allocation in turn during paths and images. A primitive
 * that cannot be drawn must be a bus error, the stream must still run to its END, and later work
 * must not be affected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "../vivante/machine.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kRam = 0x80000000, kRamBytes = 1 << 20;
constexpr uint32_t kStream = kRam + 0x10000, kImage = kRam + 0x20000, kPicture = kRam + 0x40000;
constexpr uint32_t kSide = 64;
constexpr uint32_t kStatus = 0x010, kAddress = 0x500, kSize = 0x504;
constexpr uint32_t kEndEvent = 5, kBusError = 1u << 31;

class Words {
public:
    Words& raw(std::initializer_list<uint32_t> more) {
        all.insert(all.end(), more);
        return *this;
    }
    Words& state(uint32_t address, uint32_t value) { return raw({0x30010000 | address, value}); }
    Words& real(uint32_t address, float value) {
        return state(address, std::bit_cast<uint32_t>(value));
    }
    std::vector<uint32_t> all;
};

/* Adds a path of many short lines with a hole in the middle, so that every row has an edge. */
void add_path(Words& words, unsigned lines) {
    std::vector<uint32_t> data;
    for (unsigned i = 0; i < lines; i++)
        for (const uint32_t word : {i ? 4u : 2u, std::bit_cast<uint32_t>(float(i % 2 ? 60 : 4)),
                                    std::bit_cast<uint32_t>(float(i) * 60 / float(lines))})
            data.push_back(word);
    data.push_back(0);
    if (data.size() % 2)
        data.push_back(0);
    words.raw({0x40000000 | uint32_t(data.size() / 2), 0});
    words.all.insert(words.all.end(), data.begin(), data.end());
}

std::vector<uint32_t> stream() {
    const uint32_t size = kSide << 16 | kSide;
    Words words;
    words.state(0xA10, 0x00010303).state(0xA11, kPicture).state(0xA12, kSide * 4);
    words.state(0xA13, size).state(0xA39, 0).state(0xA3A, size);
    words.state(0xA00, 0x10000001).state(0xA02, 0xFF604020); /* a rectangle */
    words.raw({0x40000001, 0, 0, size});
    words.state(0xA00, 0x10001101).state(0xA02, 0); /* an image, rotated and filtered */
    words.real(0xA18, 0.1f).real(0xA19, 0.2f).real(0xA1A, 1);
    words.real(0xA1C, 0.02f).real(0xA1D, 0.01f).real(0xA1E, 0);
    words.real(0xA20, -0.01f).real(0xA21, 0.02f).real(0xA22, 0);
    words.state(0xA25, 0x01022107).state(0xA27, 0).state(0xA29, kImage);
    words.state(0xA2B, 64).state(0xA2D, 0).state(0xA2F, 16 << 16 | 16);
    words.raw({0x40000001, 0, 0x00040004, 0x00200020});
    words.state(0xA00, 0x10000103).state(0xA02, 0x80402010).state(0xA34, 0x01300213); /* paths */
    words.real(0xA3B, 1).real(0xA3C, 0);
    for (uint32_t i = 0; i < 6; i++)
        words.real(0xA40 + i, i % 4 == 0);
    add_path(words, 7);
    add_path(words, 3000); /* more than one block of edges, many of them per row */
    words.raw({kEndEvent, 0});
    return words.all;
}

struct Vg : Machine {
    Vg() : Machine({.model = "gc355-rt1170", .ram_base = kRam, .ram_size = kRamBytes}) {
        allow_logs();
        words = stream();
        ram.set_words(kStream, words);
        prepare();
    }
    void prepare() {
        for (uint32_t i = 0; i < kSide * kSide; i++)
            ram.set_word(kPicture + 4 * i, 0x80123456 + i);
        for (uint32_t i = 0; i < 256; i++)
            ram.set_word(kImage + 4 * i, i * 0x01030507);
    }
    /* Runs the stream and returns register 010. */
    uint32_t play() {
        set(kAddress, kStream);
        set(kSize, uint32_t(words.size() / 2));
        go(1'000'000'000'000);
        return get(kStatus);
    }
    std::vector<uint32_t> words;
};

TEST(VivanteVgAllocation, EveryRequestOfADrawMayBeRefused) {
    Vg undisturbed;
    const Bytes before = undisturbed.ram.snapshot();
    ASSERT_EQ(undisturbed.play(), 1u << kEndEvent);
    const Bytes expected = undisturbed.ram.snapshot();
    ASSERT_NE(expected, before);
    uint64_t errors = 0;
    at_every_request([&](const Refusal& refusal) {
        SCOPED_TRACE(testing::Message() << "request " << refusal.first);
        Vg m;
        uint64_t refused = 0;
        uint32_t status = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            status = m.play();
            refused = heap.refused();
            EXPECT_EQ(heap.outside_draw(), 0u);
        }
        EXPECT_EQ(status & ~kBusError, 1u << kEndEvent);
        if (status & kBusError) {
            errors++;
        } else {
            EXPECT_EQ(m.ram.snapshot(), expected) << "wrong pixels without a bus error";
        }
        EXPECT_TRUE(refused || !(status & kBusError));

        /* Allocations succeed again. */
        m.prepare();
        EXPECT_EQ(m.play(), 1u << kEndEvent);
        EXPECT_EQ(m.ram.snapshot(), expected);
        return refused;
    });
    EXPECT_GT(errors, 0u) << "no refusal prevented a draw";
}

/*
 * A draw whose state was loaded rebuilds its edges. An allocation that is refused there must be a
 * bus error too.
 */
TEST(VivanteVgAllocation, ADrawThatHasBeenLoaded) {
    Vg from;
    from.set(kAddress, kStream);
    from.set(kSize, uint32_t(from.words.size() / 2));
    while (from.go_to_draw() && from.save()->vg_draw_row == 0)
        from.draw(256);
    const StatePtr state = from.save();
    ASSERT_TRUE(state->vg_draw_active);
    const Bytes before = from.ram.snapshot();
    from.go(1'000'000'000'000);
    const Bytes expected = from.ram.snapshot();
    ASSERT_NE(expected, before);
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        Vg m;
        m.ram.put(kRam, before.data(), before.size());
        uint64_t refused = 0;
        {
            const ScarceHeap heap(m.host, refusal);
            EXPECT_EQ(m.load(*state), PIXMILL_OK); /* loading allocates nothing */
            m.go(1'000'000'000'000);
            refused = heap.refused();
        }
        const uint32_t status = m.get(kStatus);
        EXPECT_EQ(status & ~kBusError, 1u << kEndEvent);
        if (!(status & kBusError)) {
            EXPECT_EQ(m.ram.snapshot(), expected);
        }
        return refused;
    });
    EXPECT_GT(attempts, 0u);
}

} // namespace
} // namespace pixmill::test

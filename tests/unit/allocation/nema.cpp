/*
 * NEMA|GFX on a host that refuses each allocation in turn. A primitive that cannot start must be a
 * bus error. All others must be correct, and later work must not be affected.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstring>
#include <set>

#include "../../reference/nema/nema.hpp"
#include "../nema/device.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

constexpr uint32_t kBusError = 1u << 11; /* a bit of SYS_INT */

bool out_of_memory(const FakeHost& host) {
    const auto logs = host.logs();
    return std::any_of(logs.begin(), logs.end(),
                       [](const LogLine& line) { return line.kind == PIXMILL_LOG_HOST_ERROR; });
}

/* A fill, so that the core already holds a program when the case loads its first one. */
const NemaCase kFirst = {.writes = {{kImemAddr, 31},
                                    {kImemLow, 0x08000002},
                                    {kImemHigh, 0x80000009},
                                    {kBlendMode, 1},
                                    {kTex0Base, kNemaRam},
                                    {kTex0Fstride, 0x01000000 | 4 * 8},
                                    {kTex0Resxy, 8 << 16 | 8},
                                    {kClipMax, 8 << 16 | 8},
                                    {kMatCtl, 0x90000000},
                                    {kCodePtr, 0x141F001F},
                                    {kDrawColor, 0x12345678},
                                    {kEndXy, 8 << 16 | 8},
                                    {kDrawCmd, 2}},
                         .lists = {}};

void play(reference::NemaReference& model, const NemaCase& c) {
    for (const NemaWrite& write : c.writes)
        model.write(write.offset, write.value);
}

/*
 * Returns the memory that tests/reference produces for the case after the fill, and for a
 * repetition of the case.
 */
std::array<std::vector<uint8_t>, 2> pictures_of(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    reference::NemaMemory memory{kNemaRam, before};
    reference::NemaReference model(memory);
    play(model, kFirst);
    std::array<std::vector<uint8_t>, 2> pictures;
    for (std::vector<uint8_t>& picture : pictures) {
        memory.bytes = before;
        play(model, c);
        picture = memory.bytes;
    }
    return pictures;
}

/* Returns the number of primitives that were not drawn. */
uint64_t expect_survived(const NemaCase& c) {
    SCOPED_TRACE(testing::Message() << "case " << c.number);
    const std::vector<uint8_t> before = nema_case_memory(c);
    const auto pictures = pictures_of(c);
    uint64_t bus_errors = 0;
    at_every_request([&](const Refusal& refusal) {
        SCOPED_TRACE(testing::Message() << "request " << refusal.first);
        NemaDevice device(NemaWays(9), before); /* executes plainly, without splits */
        EXPECT_TRUE(device.play(kFirst));
        device.put(before);
        uint64_t refused = 0;
        {
            const ScarceHeap heap(device.host, refusal);
            EXPECT_TRUE(device.play(c)) << "the core never becomes ready";
            refused = heap.refused();
        }
        if (out_of_memory(device.host)) {
            bus_errors++;
            EXPECT_TRUE(device.read(kSysInt) & kBusError);
        } else {
            EXPECT_EQ(refused, 0u) << "an allocation failed without a bus error";
            EXPECT_EQ(device.memory(), pictures[0]);
        }

        /* Allocations succeed again. */
        const bool resets = refusal.first % 2;
        if (resets) {
            device.reset();
            EXPECT_TRUE(device.play(kFirst));
        }
        device.host.clear_logs();
        device.put(before);
        EXPECT_TRUE(device.play(c));
        EXPECT_EQ(device.memory(), pictures[resets ? 0 : 1]);
        EXPECT_FALSE(out_of_memory(device.host));
        return refused;
    });
    return bus_errors;
}

/* The cases include textures, programs, polygons, gradients and compressed surfaces. */
TEST(NemaAllocation, RandomWork) {
    std::set<uint32_t> primitives, formats;
    uint64_t bus_errors = 0;
    for (uint64_t number = 0; number < 40; number++) {
        const NemaCase c = make_nema_case(7, number);
        for (const NemaWrite& write : c.writes) {
            if (write.offset == kDrawCmd)
                primitives.insert(write.value & 7);
            if (write.offset < 0x40 && write.offset % 0x10 == kTex0Fstride)
                formats.insert(write.value >> 24);
        }
        bus_errors += expect_survived(c);
    }
    EXPECT_GT(bus_errors, 200u);
    EXPECT_EQ(primitives, (std::set<uint32_t>{1, 2, 4, 5}));
    for (const uint32_t compressed : {0x12u, 0x16u})
        EXPECT_TRUE(formats.count(compressed)) << std::hex << compressed;
}

/* A refused allocation must not affect the next primitive, even without a reset in between. */
TEST(NemaAllocation, TheNextPrimitiveIsRight) {
    const uint64_t attempts = at_every_request([](const Refusal& refusal) {
        SCOPED_TRACE(refusal.first);
        Nema gpu;
        gpu.target(kSram, 16, 16, 0x22222222);
        gpu.set({{kStartXy, 0}, {kEndXy, 0x00100010}, {kIntCtrl, 4}});
        uint64_t refused = 0;
        {
            const ScarceHeap heap(gpu.host, refusal);
            gpu.set(kDrawCmd, 2);
            refused = heap.refused();
        }
        EXPECT_EQ(gpu.read(kStat), 0u);
        EXPECT_TRUE(gpu.irq()) << "clients wait for the end of the primitive";
        EXPECT_EQ(gpu.read(kSysInt), refused ? kBusError : 0);
        EXPECT_EQ(gpu.counters().bus_errors, refused ? 1u : 0u);
        EXPECT_EQ(gpu.host.ram.words(kSram, 256), Words(256, refused ? 0 : 0x22222222));
        gpu.set({{kSysInt, 0}, {kIntCtrl, 4}, {kDrawCmd, 2}});
        EXPECT_EQ(gpu.host.ram.words(kSram, 256), Words(256, 0x22222222));
        gpu.expected_logs = refused ? 1 : 0;
        return refused;
    });
    EXPECT_GT(attempts, 5u);
}

/* ---- Other entry points ------------------------------------------------------ */

TEST(NemaAllocation, Creation) {
    expect_creation_or_nothing(pixmill_nema, nullptr);
}

/* A load that fails must leave the power-on state. A second attempt must succeed. */
TEST(NemaAllocation, LoadWithAPrimitiveInFlight) {
    Nema from, fresh;
    from.target(kSram, 16, 16, 0x44444444);
    from.set({{kStartXy, 0}, {kEndXy, 0x00100010}});
    from.write(kDrawCmd, 2);
    from.run(64);
    from.draw(1);
    const auto state = from.save();
    ASSERT_TRUE(state->draw_active);
    const auto power_on = fresh.save();
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        SCOPED_TRACE(refusal.first);
        Nema gpu;
        uint64_t refused = 0;
        {
            const ScarceHeap heap(gpu.host, refusal);
            const PixmillResult result = gpu.load(*state);
            refused = heap.refused();
            EXPECT_EQ(result, refused ? PIXMILL_ERROR_MEMORY : PIXMILL_OK);
        }
        if (refused) {
            EXPECT_EQ(std::memcmp(gpu.save().get(), power_on.get(), sizeof *power_on), 0);
            gpu.go();
            EXPECT_EQ(gpu.read(kStat), 0u);
            EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
        }
        gpu.host.ram.set_words(kSram, from.host.ram.words(kSram, 256));
        gpu.go();
        EXPECT_EQ(gpu.host.ram.words(kSram, 256), Words(256, 0x44444444));
        return refused;
    });
    EXPECT_GT(attempts, 5u);
}

/*
 * Only DRAW_CMD (written by the host or by a list) and loading the state of a started primitive may
 * allocate.
 */
TEST(NemaAllocation, OnlyPrimitivesAsk) {
    Nema gpu;
    gpu.target(kSram, 16, 16, 0x55555555);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00100010}, {kDrawCmd, 2}});
    auto state = std::make_unique<PixmillNemaState>();
    const ScarceHeap heap(gpu.host);
    for (uint32_t offset = 0; offset < PIXMILL_NEMA_WINDOW; offset += 4) {
        uint32_t value = 0;
        gpu.try_read(offset, 4, &value);
        (void)pixmill_nema.peek(gpu.abi(), offset);
        if (offset != kDrawCmd)
            gpu.try_write(offset, 4, 0);
    }
    gpu.host.entries++;
    for (const PixmillNemaFault fault :
         {PIXMILL_NEMA_FAULT_BUS, PIXMILL_NEMA_FAULT_LOST_IRQ, PIXMILL_NEMA_FAULT_HANG})
        pixmill_nema.inject(gpu.abi(), fault);
    PixmillRegister row;
    for (size_t i = 0; pixmill_nema.register_at(gpu.abi(), i, &row); i++) {
    }
    pixmill_nema.interrupt(gpu.abi());
    EXPECT_FALSE(pixmill_nema.draining(gpu.abi()));
    pixmill_nema.save(gpu.abi(), state.get());
    gpu.host.entries--;
    gpu.counters();
    EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
    gpu.reset();
    gpu.go();
    gpu.draw(1);
    EXPECT_EQ(heap.requests(), 0u);
    gpu.expected_logs = gpu.host.logs().size();
}

} // namespace
} // namespace pixmill::test

/*
 * Tests of save and load, including states that no core would save, and of resets during work.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <random>

#include "../../qtest/tables.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

using namespace nema;

constexpr uint32_t kList = kSram + 0x5000;

/* Moves the state of @from to @to, which continues the work. */
void migrate(Nema& from, Nema& to) {
    const auto state = from.save();
    to.host.irq = from.host.irq.load();
    to.host.error_irq = from.host.error_irq.load();
    to.host.freeze = from.host.freeze.load();
    for (const Range& range : from.host.ram.ranges()) {
        const Words words = from.host.ram.words(range.addr, range.len / 4);
        to.host.ram.set_words(range.addr, words);
    }
    EXPECT_EQ(to.load(*state), PIXMILL_OK);
    EXPECT_EQ(to.host.irq_changes, 0u) << "no pulse";
    for (uint32_t offset = 0; offset < 0x1000; offset += 4)
        EXPECT_EQ(pixmill_nema.peek(to.abi(), offset), pixmill_nema.peek(from.abi(), offset));
    const auto again = to.save();
    EXPECT_EQ(std::memcmp(state.get(), again.get(), sizeof *state), 0);
}

Words work() {
    Words list = {kIntCtrl, 0};
    for (uint32_t i = 0; i < 8; i++)
        list.insert(list.end(), {kDrawColor, 0x01010101 * (i + 1), kStartXy, i << 16 | i, kEndXy,
                                 (i + 8) << 16 | (i + 8), kHold | kDrawCmd, 2, kClid, i});
    list.insert(list.end(), {kCmdAddr, kList + 0x800, kPush | kCmdSize, 2, kIntCtrl, 1});
    return list;
}

void prepare(Nema& gpu) {
    gpu.target(kSram, 16, 16, 0);
    gpu.host.ram.set_words(kList, work());
    gpu.host.ram.set_words(kList + 0x800, {0x1C0, 0x1234});
    gpu.start(kList, uint32_t(work().size()));
}

/* Migrates after every few words, and after every row of a draw. */
TEST(NemaMigration, AnywhereInAList) {
    Nema straight;
    prepare(straight);
    straight.go();
    const auto expected = straight.save();
    const Words pixels = straight.host.ram.words(kSram, 256);
    EXPECT_EQ(pixels[0], 0x01010101u);
    EXPECT_EQ(straight.read(kClid), 7u);

    auto gpu = std::make_unique<Nema>();
    prepare(*gpu);
    size_t moves = 0, in_draw = 0;
    for (;; moves++) {
        const PixmillRun next = gpu->run(4);
        if (next.action == PIXMILL_RUN_IDLE)
            break;
        if (next.action == PIXMILL_RUN_DRAW) {
            gpu->draw(1);
            in_draw += gpu->save()->draw_active;
        }
        auto copy = std::make_unique<Nema>();
        migrate(*gpu, *copy);
        EXPECT_TRUE(copy->host.run_requested);
        gpu = std::move(copy);
        ASSERT_LT(moves, 1000u);
    }
    EXPECT_GT(in_draw, 50u);
    EXPECT_EQ(gpu->host.ram.words(kSram, 256), pixels);
    EXPECT_EQ(std::memcmp(gpu->save().get(), expected.get(), sizeof *expected), 0);
    EXPECT_TRUE(gpu->irq());
}

TEST(NemaMigration, OfAHeldList) {
    Nema gpu, copy;
    gpu.set(kBreakpointMask, 1);
    gpu.play({kBreakpoint, 1, kHoldGpFlags | kGpFlags, 0x00010001, kDrawColor, 0x11111111, kGpFlags,
              0x101, kIntCtrl, 1},
             kList);
    migrate(gpu, copy);
    copy.go();
    EXPECT_EQ(copy.read(kDrawColor), 0u);
    copy.set(kBreakpoint, 0);
    EXPECT_EQ(copy.read(kDrawColor), 0u);
    copy.set(kGpFlags, 0);
    EXPECT_EQ(copy.read(kDrawColor), 0x11111111u);
    EXPECT_TRUE(copy.irq());
    EXPECT_TRUE(copy.error_irq() || copy.read(kSysInt) == 0);
}

TEST(NemaMigration, OfAnUnlimitedRing) {
    Nema gpu, copy;
    gpu.host.ram.set_words(kRingRam, {kClid, 1, kClid, 2, kClid, 3, kClid, 4});
    gpu.write(kCmdAddr, kRingRam);
    gpu.write(kRing, (kRingRam + 24) | 4);
    gpu.run(2);
    migrate(gpu, copy);
    copy.go();
    EXPECT_EQ(copy.read(kClid), 3u);
    EXPECT_EQ(copy.read(kStat), 0u);
}

TEST(NemaMigration, OfInterruptsAndDirtyRegion) {
    Nema gpu, copy;
    gpu.set({{kTex0Resxy, 0x00320064},
             {kDirtyMin, 0},
             {kImemAddr, 5},
             {kImemHigh, 6},
             {kIrqId, 3},
             {kGpFlags, 0x220},
             {kGpFlags, 0x222}});
    migrate(gpu, copy);
    EXPECT_TRUE(copy.irq());
    EXPECT_TRUE(copy.error_irq());
    EXPECT_TRUE(copy.freeze());
    copy.set({{kIntCtrl, 8}, {kSysInt, 2}, {kGpFlags, 0x20000}});
    EXPECT_FALSE(copy.irq());
    EXPECT_FALSE(copy.error_irq());
    EXPECT_FALSE(copy.freeze());
}

/* The primitive's end has not been reported yet when it is saved. */
TEST(NemaMigration, AfterTheLastRow) {
    Nema gpu, copy;
    gpu.target(kSram, 4, 4, 0x05050505);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}, {kIntCtrl, 4}});
    gpu.write(kDrawCmd, 2);
    gpu.run(1);
    gpu.draw(1 << 20);
    copy.host.irq = false;
    EXPECT_EQ(copy.load(*gpu.save()), PIXMILL_OK);
    EXPECT_TRUE(copy.host.run_requested) << "the line must still change";
    EXPECT_FALSE(copy.irq());
    copy.go();
    EXPECT_TRUE(copy.irq());
    EXPECT_EQ(copy.read(kStat), 0u);
}

using Break = std::function<void(PixmillNemaState&)>;

TEST(NemaMigration, RefusesImpossibleStates) {
    const Break breaks[] = {
        [](auto& s) { s.config ^= 1; },
        [](auto& s) { s.config_h ^= 1; },
        [](auto& s) { s.clp_run = 5; },
        [](auto& s) { s.clp_run = 0xFFFFFFFF; },
        [](auto& s) { s.clp_depth = 9; },
        [](auto& s) { s.clp_depth = 1; }, /* but no list is running */
        [](auto& s) { s.clp_held_by = 1; },
        [](auto& s) { s.clp_held_by = 0x10; },
        [](auto& s) { s.clp_next = 4; },
        [](auto& s) { s.clp_unlimited = 2; },
        [](auto& s) { s.clp_budget = (1u << 24) + 1; },
        [](auto& s) { s.irq_source_a = 2; },
        [](auto& s) { s.irq_source_b = 2; },
        [](auto& s) { s.irq_levels = 8; },
        [](auto& s) { s.draw_active = 2; },
        [](auto& s) { s.draw_active = 1; }, /* but there is no primitive */
    };
    for (const Break& damage : breaks) {
        SCOPED_TRACE(&damage - breaks);
        Nema gpu;
        gpu.set({{kTex0Base, 5}, {kIntCtrl, 1}});
        const auto state = gpu.save();
        EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
        damage(*state);
        EXPECT_EQ(gpu.load(*state), PIXMILL_ERROR_STATE);
        EXPECT_EQ(gpu.read(kTex0Base), 0u) << "power-on state";
        EXPECT_EQ(gpu.read(kIntCtrl), 0u);
        EXPECT_EQ(gpu.read(kIdreg), 0x86362000u);
        EXPECT_EQ(gpu.save()->config, 0x74030105u);
        gpu.host.irq = gpu.save()->irq_levels & 1;
        gpu.host.error_irq = gpu.save()->irq_levels >> 1 & 1;
        gpu.host.freeze = gpu.save()->irq_levels >> 2 & 1;
        gpu.go();
        EXPECT_FALSE(gpu.irq());
        EXPECT_FALSE(gpu.error_irq());
        EXPECT_FALSE(gpu.freeze());
    }
}

/* A hung list processor has stopped between primitives, and the host cannot start one. */
TEST(NemaMigration, RefusesAPrimitiveOfAHungProcessor) {
    constexpr uint32_t hung = 4;
    Nema gpu;
    gpu.target(kSram, 16, 16, 0x01020304);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00100010}});
    gpu.write(kDrawCmd, 2);
    const auto state = gpu.save();
    ASSERT_TRUE(state->draw_active);
    EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
    state->clp_run = hung;
    EXPECT_EQ(gpu.load(*state), PIXMILL_ERROR_STATE);
    state->draw_active = 0;
    EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
    gpu.reset();
}

TEST(NemaMigration, DropsBitsThatNoRegisterHas) {
    Nema gpu;
    const auto state = gpu.save();
    std::memset(state->reg, 0xFF, sizeof state->reg);
    std::memset(state->clp_stack_address, 0xFF, sizeof state->clp_stack_address);
    state->irq_levels = 7;
    gpu.host.irq = gpu.host.error_irq = gpu.host.freeze = true;
    EXPECT_EQ(gpu.load(*state), PIXMILL_OK);
    for (const qtest::Register& r : qtest::nema_registers()) {
        const uint32_t read = pixmill_nema.peek(gpu.abi(), r.offset);
        if (r.offset != kSysInt && r.offset != kIntCtrl) { /* these two show pending interrupts */
            EXPECT_EQ(r.wrong_bits(0xFFFFFFFF, read), 0u) << r.name;
        }
        if (r.access == "W") {
            EXPECT_EQ(gpu.save()->reg[r.offset / 4], 0xFFFFFFFFu) << r.name;
        }
    }
    constexpr struct {
        uint32_t offset, value;
    } kExpected[] = {{0x02C, 0},
                     {kIntCtrl, 0xC8000006}, /* bit 0 reads as the pending sources */
                     {kSysInt, 0xFFF},
                     {0x320, 0}};
    for (const auto& reg : kExpected)
        EXPECT_EQ(pixmill_nema.peek(gpu.abi(), reg.offset), reg.value) << std::hex << reg.offset;
    EXPECT_EQ(gpu.save()->reg[0x02C / 4], 0u);
    EXPECT_EQ(gpu.save()->clp_stack_address[7], 0xFFFFFFF8u);
    gpu.go();
    EXPECT_FALSE(gpu.irq()) << "the line follows the sources";
    EXPECT_TRUE(gpu.error_irq());
    EXPECT_TRUE(gpu.freeze());
}

/*
 * draw_row holds the finished rows in bits 31:16 and the finished blocks of the next row in bits
 * 15:0. Four pixels are one block.
 */
TEST(NemaMigration, APrimitiveContinuesIfItCan) {
    Nema gpu;
    gpu.target(kSram, 4, 4, 0x05050505);
    gpu.set({{kStartXy, 0}, {kEndXy, 0x00040004}});
    gpu.write(kDrawCmd, 2);
    const auto state = gpu.save();
    for (const uint32_t past : {0xFFFFFFFFu, 4u << 16, 1u, 3u << 16 | 0xFFFF}) {
        state->draw_row = past;
        Nema copy;
        EXPECT_EQ(copy.load(*state), PIXMILL_ERROR_STATE) << std::hex << past;
        copy.go();
        EXPECT_EQ(copy.read(kStat), 0u);
        EXPECT_EQ(copy.read(kTex0Base), 0u) << "power-on state";
        EXPECT_EQ(copy.host.ram.words(kSram, 16), Words(16, 0));
    }
    state->draw_row = 3u << 16;
    Nema copy;
    EXPECT_EQ(copy.load(*state), PIXMILL_OK);
    copy.go();
    EXPECT_EQ(copy.host.ram.words(kSram, 12), Words(12, 0));
    EXPECT_EQ(copy.host.ram.words(kSram + 48, 4), Words(4, 0x05050505));
    gpu.go();
}

TEST(NemaReset, InTheMiddleOfAnything) {
    for (uint32_t words = 2; words < 100; words += 7) {
        Nema gpu;
        prepare(gpu);
        const PixmillRun next = gpu.run(words);
        if (next.action == PIXMILL_RUN_DRAW)
            gpu.draw(1);
        gpu.reset();
        EXPECT_EQ(gpu.run(1000).action, PIXMILL_RUN_IDLE);
        EXPECT_EQ(gpu.read(kStat), 0u);
        const Nema fresh;
        for (uint32_t offset = 0; offset < 0x1000; offset += 4)
            EXPECT_EQ(pixmill_nema.peek(gpu.abi(), offset), pixmill_nema.peek(fresh.abi(), offset));
        gpu.host.ram.fill(kSram, 0, 0x400);
        prepare(gpu);
        gpu.go();
        EXPECT_EQ(gpu.read(kClid), 7u);
        EXPECT_TRUE(gpu.irq());
    }
}

/* With random registers, lists and calls, the core must always keep the contract of host.h. */
TEST(NemaRandom, WalksKeepTheContract) {
    for (uint32_t seed = 0; seed < 200; seed++) {
        std::mt19937 random(seed);
        Nema gpu({.grain = seed % 3 == 0 ? 0x100u : 0u});
        std::vector<uint32_t> offsets;
        PixmillRegister reg;
        for (size_t i = 0; pixmill_nema.register_at(gpu.abi(), i, &reg); i++)
            offsets.push_back(reg.offset);
        const auto offset = [&] { return offsets[random() % offsets.size()]; };
        const auto value = [&]() -> uint32_t {
            switch (random() % 4) {
            case 0:
                return kSram + random() % kSramSize;
            case 1:
                return random() % 64;
            case 2:
                return 1u << random() % 32;
            default:
                return random();
            }
        };
        for (int step = 0; step < 300; step++) {
            switch (random() % 8) {
            case 0:
                for (uint32_t i = 0; i < 32; i++) {
                    const uint32_t flags = random() % 4 ? 0 : (random() & 0xFF0F0000);
                    gpu.host.ram.set_words(kList + 8 * (random() % 0x200),
                                           {flags | offset(), value()});
                }
                break;
            case 1:
                gpu.write(kCmdAddr, kList + 8 * (random() % 0x200));
                gpu.write(kCmdSize, random() % 256);
                break;
            case 2:
                (void)gpu.run(random() % 64);
                break;
            case 3:
                gpu.draw(random() % 4096);
                break;
            case 4:
                if (random() % 8 == 0) {
                    EXPECT_EQ(gpu.load(*gpu.save()), PIXMILL_OK);
                }
                break;
            case 5:
                if (random() % 16 == 0)
                    gpu.reset();
                break;
            default: {
                const PixmillResult result = gpu.try_write(offset(), 4, value());
                EXPECT_TRUE(result == PIXMILL_OK || result == PIXMILL_ERROR_BUSY);
                (void)gpu.read(offset());
            }
            }
        }
        EXPECT_EQ(gpu.irq(), (gpu.run(0), gpu.read(kIntCtrl) & 1));
        gpu.reset();
        EXPECT_FALSE(gpu.irq());
        EXPECT_FALSE(gpu.error_irq());
        gpu.expected_logs = gpu.host.logs().size();
    }
}

} // namespace
} // namespace pixmill::test

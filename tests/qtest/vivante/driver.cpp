/*
 * The register accesses of the Linux driver from probe to suspend, in order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: linux 6.12 drivers/gpu/drm/etnaviv: etnaviv_gpu.c, etnaviv_buffer.c, etnaviv_iommu.c,
 * etnaviv_iommu_v2.c, etnaviv_dump.c, etnaviv_perfmon.c.
 */
#include <gtest/gtest.h>

#include "drawing.hpp"

namespace pixmill::qtest {
namespace {

struct Step {
    char kind; /* 'R': must read @value; 'W': write @value */
    uint32_t offset, value;
};

void play(Gc& gc, std::initializer_list<Step> steps) {
    for (const Step& step : steps) {
        if (step.kind == 'W') {
            gc.write(step.offset, step.value);
        } else {
            EXPECT_EQ(gc.read(step.offset), step.value) << "offset " << std::hex << step.offset;
        }
    }
}

/* Replays etnaviv_hw_reset() of Linux 6.12 up to where it disables the debug registers. */
void play_reset(Gc& gc) {
    play(gc, {{'W', 0x100, 0},
              {'W', 0x10C, 0x015B0880},
              {'W', 0x10C, 0x015B0881},
              {'W', 0x00, 0x00000300},
              {'W', 0x00, 0x00000100},
              {'W', 0x00, 0x00080100},
              {'W', 0x00, 0x00081100},
              {'W', 0x00, 0x00080100},
              {'W', 0x00, 0x00000100},
              {'R', 0x04, 0x7FFFFFFF},
              {'R', 0x00, 0x00070100},
              {'W', 0x00, 0x00070900}});
}

/* Replays etnaviv_gpu_update_clock() on a core without DYNAMIC_FREQUENCY_SCALING. */
void play_clock_update(Gc& gc) {
    play(gc, {{'R', 0x00, 0x00070900},
              {'W', 0x00, 0x00070B00},
              {'W', 0x00, 0x00070900},
              {'R', 0x00, 0x00070900}});
}

TEST(Driver, ProbesTheCoreOfTheAm57xx) {
    Rig rig;
    Gc& gc = rig.gc();
    play(gc, {{'R', 0x18, 0x14010000},
              {'R', 0x28, 0x20111103},
              {'R', 0x20, 0x00000320},
              {'R', 0x24, 0x00005301},
              {'R', 0x30, 0},
              {'R', 0xA8, 0},
              {'R', 0xE8, 0},
              {'R', 0x1C, 0xE02CFECA},
              {'R', 0x34, 0xC9399EFF},
              {'R', 0x74, 0xFE1FB2DB},
              {'R', 0x84, 0x1AFF4080},
              {'R', 0x88, 0},
              {'R', 0x94, 0},
              {'R', 0xA0, 0},
              {'R', 0x48, 0},
              {'R', 0x80, 0},
              {'R', 0x8C, 0},
              {'R', 0x9C, 0}});
    play_reset(gc);
    play(gc, {{'R', 0x100, 0x00140020}, /* the soft reset restored this register */
              {'W', 0x100, 0x00140021},
              {'R', 0x104, 0},
              {'W', 0x104, 0x00038000},
              {'W', 0x08, 0x00002200},
              {'W', 0x10C, 0x01590880},
              {'W', 0x14, 0xFFFFFFFF}});
    rig.pass(200 * kMillisecond);
    play(gc, {{'R', 0x04, 0x7FFFFFFF}}); /* accesses of etnaviv_gpu_rpm_suspend() */
    play(gc, {{'R', 0x100, 0x00140021},  /* accesses of etnaviv_gpu_hw_resume() */
              {'W', 0x100, 0x00140021},
              {'W', 0x08, 0x00002200},
              {'W', 0x10C, 0x01590880},
              {'W', 0x14, 0xFFFFFFFF}});
    EXPECT_TRUE(logged(rig, 0));
}

/* Replays etnaviv_iommuv2_restore_nonsec() and etnaviv_gpu_start_fe_idleloop(), then one job. */
TEST(Driver, BringsTranslationUpAndSubmitsOnTheAm57xx) {
    constexpr uint32_t kMtlb = 0xBE000000;
    constexpr uint32_t kStlb = 0xBE001000;
    constexpr uint32_t kBadPage = 0xBE002000;
    constexpr uint32_t kRing = 0xBF000000; /* physical; mapped read-only at VA 0x1000 */
    constexpr uint32_t kRingVa = 0x1000;
    constexpr uint32_t kUserVa = 0x3000;
    constexpr uint32_t kBoVa = 0x00400000;
    Rig rig;
    Gc& gc = rig.gc();
    rig.qemu().write_words(kMtlb, Words(1024, 2));
    rig.qemu().write_words(kStlb, Words(1024, 2));
    rig.qemu().write_words(kBadPage, Words(1024, 0xDEAD55AA));
    rig.qemu().write32(kMtlb, kStlb | 1);
    for (uint32_t page = 0; page < 128; ++page) {
        rig.qemu().write32(kStlb + 4 * (1 + page), (kRing + page * 4096) | 1);
    }
    rig.qemu().write32(kMtlb + 4, (kStlb + 0x2000) | 1);
    rig.qemu().write_words(kStlb + 0x2000, Words(1024, 2));
    rig.qemu().write32(kStlb + 0x2000, kDest | 5);
    play_reset(gc);
    play(gc, {{'W', 0x14, 0xFFFFFFFF}, {'R', 0x18C, 0}});
    rig.store(kRing, {0x08010E00, 1, 0x08010061, kMtlb, 0x08010060, kBadPage, 0x08010E02,
                      0x00000701, 0x48000000, 0x00000701, 0x10000000, 0});
    play(gc, {{'W', 0x654, kRing}, {'W', 0x658, 0x00010006}});
    ASSERT_TRUE(rig.wait([&] { return gc.read(0x04) == 0x7FFFFFFF; }, 100 * kMillisecond,
                         5 * kMicrosecond));
    play(gc, {{'R', 0x664, kRing + 0x30}, {'W', 0x18C, 1}, {'R', 0x18C, 1}});
    rig.store(kRing, {0x3800FFFF, 0, 0x40000002, kRingVa}); /* Linux 6.12 scales the WAIT count */
    play(gc, {{'W', 0x654, kRingVa}, {'W', 0x658, 0x00010002}});
    rig.pass(5 * kMillisecond);
    EXPECT_EQ(gc.read(0x04), kRunning);

    Buffer bo(rig, kDest, Words(1024));
    Commands user = base_block(8, 4, command::kClear, kBoVa);
    user.load(state::kClearPixel, 0xFF40FF40).draw({{1, 1, 4, 3}}).link(kRingVa + 0x40, 7);
    rig.store(kRing + kUserVa - kRingVa, user);
    rig.store(kRing + 0x40, {0x08010E03, 0x00000008, 0x08010E02, 0x00000701, 0x48000000, 0x00000701,
                             0x08010E01, 0x00000040, 0x3800FFFF, 0, 0x40000002, kRingVa + 0x60});
    rig.qemu().write32(kRing + 4, kUserVa);
    rig.qemu().write32(kRing, 0x40000000 | user.qwords());
    ASSERT_TRUE(rig.wait([&] { return rig.qemu().interrupt(); }));
    EXPECT_EQ(gc.read(0x10), 1u);
    Words expected(1024);
    for (const size_t i : {9u, 10u, 11u, 17u, 18u, 19u}) {
        expected[i] = 0xFF40FF40;
    }
    EXPECT_TRUE(bo.holds(expected));
    const uint32_t at = gc.read(0x664);
    EXPECT_TRUE(at == kRingVa + 0x68 || at == kRingVa + 0x70) << std::hex << at;
    EXPECT_TRUE(logged(rig, 0));
}

TEST(Driver, ProbesTheGc2000OfTheImx6Quad) {
    Qemu qemu({.machine = "sabrelite", .interrupt_of = "/machine/pixmill-gc2000"});
    Gc gc(qemu, 0x00130000);
    play(gc, {{'R', 0x20, 0x00002000},
              {'R', 0x24, 0x00005108},
              {'R', 0x1C, 0xE0296CAD},
              {'R', 0x34, 0xC9799EFF},
              {'R', 0x74, 0x2EFBF2D9},
              {'R', 0x84, 0},
              {'R', 0x88, 0},
              {'R', 0x94, 0},
              {'R', 0xA0, 0},
              {'R', 0x48, 0x94410A68},
              {'R', 0x80, 0x00A80000},
              {'R', 0x8C, 0},
              {'R', 0x9C, 0}});
    play_reset(gc);
    play_clock_update(gc);
    const uint32_t power = gc.read(0x100);
    const uint32_t bus = gc.read(0x480);
    play(gc, {{'W', 0x100, power | 1},
              {'R', 0x104, 0},
              {'W', 0x104, 0x00038090},
              {'R', 0x104, 0x00038090},
              {'W', 0x08, 0x00002200},
              {'W', 0x480, (bus & 0xFFFFFF00) | 1},
              {'W', 0x10C, 0x01590880},
              {'W', 0x14, 0xFFFFFFFF}});
    /* the first submit, with MMU v1 */
    for (const uint32_t base : {0x418u, 0x41Cu, 0x420u, 0x424u, 0x428u}) {
        gc.write(base, kRam);
    }
    for (const uint32_t table : {0x400u, 0x404u, 0x408u, 0x40Cu, 0x410u}) {
        gc.write(table, kRam + 0x00800000);
    }
    qemu.write_words(kRam, Words{0x380000C8, 0, 0x40000002, 0});
    play(gc, {{'W', 0x654, 0}, {'W', 0x658, 0x00010002}});
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(gc.read(0x04), kRunning);
    /* a 3D flush and an event, as appended by etnaviv_buffer_queue() */
    qemu.write_words(kRam + 0x100, Words{0x08010E03, 0x00000023, 0x08010594, 0x00000001, 0x08010E02,
                                         0x00000701, 0x48000000, 0x00000701, 0x08010E01, 0x00000045,
                                         0x380000C8, 0, 0x40000002, 0x00000128});
    qemu.write32(kRam + 4, 0x100);
    qemu.write32(kRam, 0x40000007);
    for (int i = 0; i < 100 && !qemu.interrupt(); ++i) {
        qemu.clock_step(100 * kMicrosecond);
    }
    EXPECT_TRUE(qemu.interrupt());
    EXPECT_EQ(gc.read(0x10), 1u << 5);
    expect_clean_quit(qemu);
}

/* Replays the probe up to the first kick. */
void play_probe_of_the_imx6_quad(Gc& gc) {
    play(gc, {{'R', 0x18, 0x14010000},
              {'R', 0x20, 0x00000320},
              {'R', 0x24, 0x00005007},
              {'R', 0x1C, 0xE02C7ECA},
              {'R', 0x74, 0x020FB2DB}});
    play_reset(gc);
    play_clock_update(gc);
    EXPECT_NE(gc.read(0x2C), 0x02062400u); /* this time stamp identifies other silicon */
    const uint32_t memory = gc.read(0x414);
    const uint32_t power = gc.read(0x100);
    play(gc, {{'W', 0x414, (memory & 0xFFFFFF00) | 0x0C},
              {'R', 0x414, (memory & 0xFFFFFF00) | 0x0C},
              {'W', 0x100, power | 1},
              {'R', 0x104, 0},
              {'W', 0x104, 0x00038000},
              {'W', 0x08, 0x00002200},
              {'W', 0x10C, 0x01590880},
              {'W', 0x14, 0xFFFFFFFF}});
    for (const uint32_t base : {0x418u, 0x41Cu, 0x420u, 0x424u, 0x428u}) {
        gc.write(base, 0x10000000);
    }
    for (const uint32_t table : {0x400u, 0x404u, 0x408u, 0x40Cu, 0x410u}) {
        gc.write(table, 0x10200000);
    }
}

/* Probes the GC320, runs one 2D job and suspends, with memory_base 0x1000_0000. */
TEST(Driver, RunsAJobOnTheGc320OfTheImx6QuadAndSuspends) {
    Qemu qemu({.machine = "sabrelite", .interrupt_of = "/machine/pixmill-gc320"});
    Gc gc(qemu, 0x00134000);
    const auto wait = [&](const std::function<bool()>& done) {
        for (int i = 0; i < 200 && !done(); ++i) {
            qemu.clock_step(20 * kMicrosecond);
        }
        return done();
    };
    play_probe_of_the_imx6_quad(gc);
    qemu.write_words(0x10000000, Words{0x380000C8, 0, 0x40000002, 0});
    gc.start(0, 2);
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(gc.read(reg::kIdle), kRunning);

    qemu.write_words(0x10000010,
                     Words{0x08010E04, 0x0000001F, 0x08010E03, 0, 0x08010E02, 0x00000701,
                           0x48000000, 0x00000701, 0x08010E00, 1, 0x40000003, 0x00001000});
    qemu.write_words(0x10001000, Words{0x18000000, 0, 0x18000000, 0, 0x40000007, 0x00000040});
    qemu.write_words(0x10000040,
                     Words{0x08010E03, 8, 0x08010E02, 0x00000701, 0x48000000, 0x00000701,
                           0x08010E01, 0x00000040, 0x380000C8, 0, 0x40000002, 0x00000060});
    qemu.write32(0x10000004, 0x00000010);
    qemu.write32(0x10000000, 0x40000006);
    ASSERT_TRUE(wait([&] { return qemu.interrupt(); }));
    EXPECT_EQ(gc.read(0x10), 1u);
    EXPECT_FALSE(qemu.interrupt());
    const uint32_t at = gc.read(reg::kFeDmaAddress);
    EXPECT_TRUE(at == 0x68 || at == 0x70) << std::hex << at;

    /* all modules except the front end are idle, so etnaviv_gpu_rpm_suspend() may proceed */
    EXPECT_EQ(gc.read(reg::kIdle), kRunning);
    qemu.write_words(0x10000080, Words{0x08010E02, 0x701, 0x48000000, 0x701, 0x08010E03, 8,
                                       0x08010E02, 0x701, 0x48000000, 0x701, 0x10000000, 0});
    qemu.write32(0x10000064, 0x00000080);
    qemu.write32(0x10000060, 0x40000007);
    ASSERT_TRUE(wait([&] { return gc.read(reg::kIdle) == kStopped; }));
    EXPECT_EQ(gc.read(reg::kFeDmaAddress), 0x000000B0u);
    EXPECT_EQ(gc.read(0x10), 0u);

    /* resume without a reset; the ring starts over */
    qemu.write_words(0x10000000, Words{0x380000C8, 0, 0x40000002, 0});
    gc.start(0, 2);
    qemu.clock_step(kMillisecond);
    EXPECT_EQ(gc.read(reg::kIdle), kRunning);
    expect_clean_quit(qemu);
}

/* etnaviv_dump.c reads these registers of a hung core in this order. */
TEST(Driver, DumpsAHungCoreWithoutChangingIt) {
    constexpr uint32_t kDumped[] = {
        0x0C,  0x00,  0x04,  0x08,  0x14,  0x18,  0x1C,  0x20,  0x24,  0x28,  0x2C,  0x34,  0x38,
        0x70,  0x100, 0x104, 0x108, 0x10C, 0x400, 0x404, 0x408, 0x40C, 0x410, 0x414, 0x418, 0x41C,
        0x420, 0x424, 0x428, 0x42C, 0x480, 0x65C, 0x660, 0x664, 0x668, 0x66C, 0x670};
    for (const char* model : {"gc320-am57xx", "gc320-imx6", "gc2000-imx6q"}) {
        Rig rig(model);
        rig.run(Commands{}.event(9, kEventFromFe).end());
        rig.launch({0, 0x1234});
        rig.take_log();
        Words first;
        Words second;
        for (const uint32_t offset : kDumped) {
            first.push_back(rig.read(offset));
        }
        for (const uint32_t offset : kDumped) {
            second.push_back(rig.read(offset));
        }
        EXPECT_EQ(first, second) << model;
        EXPECT_TRUE(logged(rig, 0)) << model;
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 9)
            << model << ": the dump must not read 0x10";
    }
}

/* etnaviv_sched_timedout_job() considers a core stuck if DMA_ADDRESS moves by 0..16 in 500 ms. */
TEST(Driver, SeesAHungAStalledAndAParkedCoreAsStuckAndABusyOneAsMoving) {
    Rig rig;
    rig.launch({0, 0});
    const uint32_t hung = rig.read(reg::kFeDmaAddress);
    rig.pass(500 * kMillisecond);
    EXPECT_EQ(rig.read(reg::kFeDmaAddress), hung);
    rig.gc().driver_reset();

    rig.launch({0x380000C8, 0, 0x40000002, kStream});
    uint32_t before = rig.read(reg::kFeDmaAddress);
    for (int i = 0; i < 20; ++i) {
        rig.pass(501 * kMicrosecond);
        const uint32_t now = rig.read(reg::kFeDmaAddress);
        EXPECT_LE(std::max(now, before) - std::min(now, before), 8u);
        before = now;
    }
    rig.gc().driver_reset();

    Commands long_stream;
    for (int i = 0; i < 60000; ++i) {
        long_stream.wait(0xFFFF);
    }
    rig.launch(long_stream);
    before = rig.read(reg::kFeDmaAddress);
    rig.pass(500 * kMillisecond);
    EXPECT_GT(rig.read(reg::kFeDmaAddress), before + 16);
}

} // namespace
} // namespace pixmill::qtest

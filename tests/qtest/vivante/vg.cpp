/*
 * VG cores in QEMU: the vectors of tests/data/vivante_vg_vectors.txt, the register sweep, the
 * sabrelite's core, and a migration while a path is drawn.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>

#include "../../unit/vivante/vg/vectors.hpp"
#include "../rig.hpp"
#include "vg_streams.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kSabrelite = 0x02204000;
constexpr uint32_t kSabreliteRam = 0x10000000;

/* ---- Vectors --------------------------------------------------------------- */

/* The bare machine, which has RAM at the address that the vectors use. */
class QtestVg final : public test::VgDevice {
public:
    QtestVg(std::string_view chip, uint32_t bytes) : rig_(RigOptions{.model = std::string(chip)}) {
        rig_.qemu().fill(test::vg_vector_ram, bytes, 0);
    }

    void write(uint32_t offset, uint32_t value) override {
        rig_.write(offset, value);
        if (offset == vg::kSize)
            rig_.wait([this] { return rig_.read(reg::kIdle) == kStopped; }, 2000 * kMillisecond);
    }
    uint32_t read(uint32_t offset) override { return rig_.read(offset); }
    bool interrupt() override { return rig_.qemu().interrupt(); }
    void put(uint32_t address, std::span<const uint8_t> bytes) override {
        rig_.qemu().write(address, bytes);
    }
    std::vector<uint8_t> get(uint32_t address, uint32_t bytes) override {
        return rig_.qemu().read(address, bytes);
    }

private:
    Rig rig_;
};

/* Plays one vector of each kind; pixmill-unit-vivante-vg plays all of them on the core alone. */
TEST(VivanteVgQtest, VectorsHold) {
    const std::vector<std::string> names{"F1", "F3", "R2", "B1", "D2",
                                         "D4", "T1", "T2", "G3", "O1"};
    unsigned played = 0;
    for (const test::VgVector& vector : test::read_vg_vectors()) {
        if (std::find(names.begin(), names.end(), vector.name) == names.end())
            continue;
        SCOPED_TRACE(vector.name);
        test::play(vector, [](std::string_view chip, uint32_t, uint32_t bytes) {
            return std::make_unique<QtestVg>(chip, bytes);
        });
        played++;
    }
    EXPECT_EQ(played, names.size());
}

/* ---- Registers --------------------------------------------------------------- */

/*
 * Source: vg_lite_kernel.c and vg_lite_hw.h; stored bits are those that galcore and debug builds
 * write. Registers not listed here read as 0 after any write.
 */
TEST(VivanteVgQtest, RegistersKeepWhatTheyShould) {
    struct Row {
        uint32_t offset, fresh, written;
    };
    const Row rows[] = {
        {0x008, 0, 0xFFFF},
        {0x014, 0, ~0u},
        {0x018, 0x14010000, 0x14010000},
        {0x01C, 0x1E2C7CC8, 0x1E2C7CC8},
        {0x020, 0x355, 0x355},
        {0x024, 0x1216, 0x1216},
        {0x034, 0x0024207F, 0x0024207F},
        {0x078, 0, ~0u},
        {0x07C, 0, ~0u},
        {0x084, 0x01010104, 0x01010104},
        {0x100, 0x00140020, 0xFFFF00F7},
        {0x104, 0, ~0u},
        {0x400, 0, ~0u},
        {0x404, 0, ~0u},
        {0x408, 0, ~0u},
        {0x40C, 0, ~0u},
        {0x410, 0, ~0u},
        {0x414, 0x3C000000, ~0u},
        {0x470, 0, ~0u},
        {0x474, 0, ~0u},
        {0x500, 0, ~0u},
        {0x514, 0, ~0u},
        {0x518, 0, ~0u},
        {0x51C, 0, ~0u},
        {0x520, 0, ~0u},
        {0x524, 0, ~0u},
        {0x528, 0, ~0u},
    };
    Rig rig("gc355-rt1170");
    for (uint32_t offset = 4; offset < 0x4000; offset += 4) {
        if (offset == vg::kSize || offset == reg::kIdle)
            continue;
        const Row* row = std::find_if(std::begin(rows), std::end(rows),
                                      [&](const Row& r) { return r.offset == offset; });
        const Row wanted = row == std::end(rows) ? Row{offset, 0, 0} : *row;
        EXPECT_EQ(rig.read(offset), wanted.fresh) << std::hex << offset;
        rig.write(offset, ~0u);
        EXPECT_EQ(rig.read(offset), wanted.written) << std::hex << offset;
    }
    (void)rig.take_log();

    EXPECT_EQ(rig.read(vg::kSize), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    rig.write(reg::kIdle, 0);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
    rig.write(reg::kClockControl, 0x00000902);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070902u) << "bits 18:16 are read-only";
    rig.write(reg::kClockControl, 0x00071100);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00071100u);
    rig.write(reg::kClockControl, 0x00070100);
    EXPECT_EQ(rig.read(reg::kClockControl), 0x00070100u);
    EXPECT_EQ(rig.read(reg::kIntrEnable), 0u) << "cleared by the soft reset";
}

/* ---- sabrelite ------------------------------------------------------------------ */

constexpr uint32_t kStreamAt = kSabreliteRam + 0x100000, kPicture = kSabreliteRam + 0x200000;
constexpr uint32_t kSide = 512;

/* Commands that draw a white triangle over half of the target, then END with event 1. */
const Words kTriangle{0x30010A10, 0x00010303, 0x30010A11,          kPicture,   0x30010A12,
                      kSide * 4,  0x30010A13, kSide << 16 | kSide, 0x30010A00, 0x10000003,
                      0x30010A02, 0xFFFFFFFF, 0x30010A34,          0x01100203, 0x30010A39,
                      0,          0x30010A3A, kSide << 16 | kSide, 0x40000003, 0,
                      0x00000002, 0x00040000, 0x00000200,          0x00000004, 0x00000200,
                      0,          0x00000001, 0x00000000};

uint32_t white_pixels(Qemu& qemu) {
    const Words words = qemu.read_words(kPicture, kSide * kSide);
    return static_cast<uint32_t>(std::count(words.begin(), words.end(), ~0u));
}

void start(Qemu& qemu) {
    qemu.write_words(kStreamAt, kTriangle);
    qemu.write32(kSabrelite + 0x014, ~0u);
    qemu.write32(kSabrelite + vg::kAddress, kStreamAt);
    qemu.write32(kSabrelite + vg::kSize, static_cast<uint32_t>(kTriangle.size() / 2));
}

void finish(Qemu& qemu) {
    for (int i = 0; i < 1000 && qemu.read32(kSabrelite + reg::kIdle) != kStopped; i++)
        qemu.clock_step(kMillisecond);
}

TEST(VivanteVgQtest, TheCoreOfTheSabreliteDraws) {
    Qemu qemu({.machine = "sabrelite", .interrupt_of = "/machine/pixmill-gc355"});
    EXPECT_EQ(qemu.read32(kSabrelite + 0x024), 0x1215u);
    start(qemu);
    finish(qemu);
    EXPECT_TRUE(qemu.interrupt());
    EXPECT_EQ(qemu.read32(kSabrelite + reg::kIntrAcknowledge), 2u);
    EXPECT_FALSE(qemu.interrupt());
    /* white where x + y < 511; pixels on the diagonal are blended */
    EXPECT_EQ(white_pixels(qemu), kSide * (kSide - 1) / 2);
    expect_clean_quit(qemu);
}

TEST(VivanteVgQtest, AnotherQemuEndsAPath) {
    Qemu source({.machine = "sabrelite"});
    start(source);
    uint32_t before = 0;
    for (int i = 0; i < 2000 && !before; i++) {
        source.clock_step(1000);
        before = source.read32(kPicture + 4 * kSide * 8) == ~0u;
    }
    ASSERT_TRUE(before);
    before = white_pixels(source);
    EXPECT_LT(before, kSide * (kSide - 1) / 2) << "the path was complete before the migration";
    const std::string file = source.snapshot_file() + ".stream";
    source.migrate_to(file);
    Qemu target({.machine = "sabrelite", .arguments = {"-incoming", "defer"}});
    target.migrate_from(file);
    finish(target);
    EXPECT_EQ(white_pixels(target), kSide * (kSide - 1) / 2);
    EXPECT_EQ(target.read32(kSabrelite + reg::kIntrAcknowledge), 2u);
    expect_clean_quit(source);
    expect_clean_quit(target);
}

} // namespace
} // namespace pixmill::qtest

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <gtest/gtest.h>

#include "qtest_client.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kToy = 0x4D000000;
constexpr uint64_t kRam = 0x80000000;
constexpr const char* kPath = "/machine/toy";

TEST(Toy, GetsInjectionSnapshotsAndCountersFromTheShell) {
    Qemu qemu({.machine = "pixmill-test", .interrupt_of = kPath});
    qemu.make_snapshot_disk();
    qemu.set_property(kPath, "x-inject", "\"bus-error\"");
    qemu.write32(kToy + 0x0, kRam);
    qemu.write32(kToy + 0x4, 300 * 1024); /* more than is drawn per activation */
    qemu.write32(kToy + 0x8, 0x5A);
    qemu.clock_step(1); /* fills the first part; the first bus write fails */
    EXPECT_EQ(qemu.read32(kToy + 0xC), 0u);
    qemu.save_snapshot();
    qemu.system_reset();
    qemu.load_snapshot();
    qemu.clock_step(1000 * 1000);
    EXPECT_TRUE(qemu.interrupt());
    EXPECT_EQ(qemu.read8(kRam), 0u);
    EXPECT_EQ(qemu.read8(kRam + 300 * 1024 - 1), 0x5Au);
    EXPECT_EQ(qemu.read8(kRam + 300 * 1024), 0u);
    EXPECT_EQ(qemu.get_counter(kPath, "stat-fills"), 1u);
    EXPECT_EQ(qemu.get_counter(kPath, "stat-bus-errors"), 1u);
    qemu.write32(kToy + 0xC, 1);
    EXPECT_FALSE(qemu.interrupt());
}

} // namespace
} // namespace pixmill::qtest

/*
 * Register accesses that the hardware does not allow: narrow, wide or misaligned accesses, writes
 * to read-only registers, and accesses at the wrong time.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * AM57xx TRM 13.4: 8- and 16-bit accesses are not allowed; table 13-142: the command buffer is
 * 64-bit aligned.  Each cause must be logged once, and QEMU must survive.
 */
#include <gtest/gtest.h>

#include "../rig.hpp"

namespace pixmill::qtest {
namespace {

void make_event_pending(Rig& rig, uint32_t id) {
    rig.run(Commands{}.event(id, kEventFromFe).end());
}

TEST(NarrowAccess, ReadsGiveTheAddressedLanes) {
    Rig rig;
    constexpr Bytes::value_type kIdentity[] = {0x00, 0x00, 0x01, 0x14};
    for (unsigned lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(rig.qemu().read8(kGcBase + reg::kChipIdentity + lane), kIdentity[lane]);
    }
    EXPECT_EQ(rig.qemu().read16(kGcBase + reg::kChipIdentity), 0x0000u);
    EXPECT_EQ(rig.qemu().read16(kGcBase + reg::kChipIdentity + 2), 0x1401u);
    EXPECT_EQ(rig.qemu().read16(kGcBase + reg::kChipRevision), 0x5301u);
}

TEST(NarrowAccess, ReadsHaveNoSideEffect) {
    for (unsigned lane = 0; lane < 4; ++lane) {
        Rig rig;
        make_event_pending(rig, 3);
        EXPECT_EQ(rig.qemu().read8(kGcBase + reg::kIntrAcknowledge + lane), lane == 0 ? 8u : 0u);
        if (lane % 2 == 0) {
            EXPECT_EQ(rig.qemu().read16(kGcBase + reg::kIntrAcknowledge + lane),
                      lane == 0 ? 8u : 0u);
        }
        EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
    }
}

TEST(NarrowAccess, WritesAreDropped) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0x11223344);
    for (unsigned lane = 0; lane < 4; ++lane) {
        rig.qemu().write8(kGcBase + reg::kIntrEnable + lane, 0xFF);
        EXPECT_EQ(rig.read(reg::kIntrEnable), 0x11223344u);
    }
    for (unsigned lane = 0; lane < 4; lane += 2) {
        rig.qemu().write16(kGcBase + reg::kIntrEnable + lane, 0xFFFF);
        EXPECT_EQ(rig.read(reg::kIntrEnable), 0x11223344u);
    }
}

TEST(NarrowAccess, ByteReadIsLoggedOnce) {
    Rig rig;
    rig.qemu().read8(kGcBase + reg::kChipModel);
    EXPECT_TRUE(logged(rig, 1));
    rig.qemu().read8(kGcBase + reg::kChipModel);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(NarrowAccess, ByteWriteIsLoggedOnce) {
    Rig rig;
    rig.qemu().write8(kGcBase + reg::kIntrEnable, 1);
    EXPECT_TRUE(logged(rig, 1));
    rig.qemu().write8(kGcBase + reg::kIntrEnable, 1);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(NarrowAccess, HalfWordWriteIsLoggedOnce) {
    Rig rig;
    rig.qemu().write16(kGcBase + reg::kIntrEnable, 1);
    rig.qemu().write16(kGcBase + reg::kIntrEnable, 1);
    EXPECT_TRUE(logged(rig, 1));
}

/* qtest splits the read into two 32-bit accesses; guest_cpu.cpp tests a 64-bit access by a CPU. */
TEST(WideAccess, ReadsTwoRegisters) {
    Rig rig;
    EXPECT_EQ(rig.qemu().read64(kGcBase + reg::kChipIdentity), 0xE02CFECA'14010000u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(WideAccess, ReadClearsThePendingHalf) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0xA5);
    make_event_pending(rig, 3);
    EXPECT_EQ(rig.qemu().read64(kGcBase + reg::kIntrAcknowledge), 0x000000A5'00000008u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
}

TEST(WideAccess, WritesTheLowRegisterFirst) {
    Rig rig;
    rig.store(0x1000, Commands{}.event(5, kEventFromFe).end());
    rig.qemu().write64(kGcBase + reg::kFeAddress, uint64_t{kFeEnable | 2} << 32 | 0x1000);
    ASSERT_TRUE(rig.wait([&] { return rig.read(reg::kFeDmaAddress) == 0x1010; }));
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 1u << 5);
}

TEST(MisalignedAccess, ReadsHaveNoSideEffect) {
    Rig rig;
    make_event_pending(rig, 3);
    for (const uint32_t offset : {0x0Du, 0x0Eu, 0x0Fu, 0x11u, 0x12u, 0x13u}) {
        rig.qemu().read32(kGcBase + offset);
        rig.qemu().read16(kGcBase + (offset | 1));
    }
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
}

TEST(MisalignedAccess, WritesAreDropped) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0x11223344);
    rig.write(reg::kAxiConfig, 0x5566);
    for (const uint32_t offset :
         {0x05u, 0x06u, 0x07u, 0x09u, 0x0Au, 0x11u, 0x12u, 0x13u, 0x15u, 0x16u, 0x17u}) {
        rig.qemu().write32(kGcBase + offset, 0xFFFFFFFF);
    }
    EXPECT_EQ(rig.read(reg::kIntrEnable), 0x11223344u);
    EXPECT_EQ(rig.read(reg::kAxiConfig), 0x5566u);
}

TEST(WindowEnd, CanBeStraddledAndPassed) {
    Rig rig;
    for (const uint32_t offset : {0x7FCu, 0x7FEu, 0x800u, 0x3FFCu, 0x3FFEu}) {
        rig.qemu().read64(kGcBase + offset);
        rig.qemu().write64(kGcBase + offset, ~uint64_t{0});
    }
    EXPECT_EQ(rig.read(reg::kChipModel), 0x320u);
}

TEST(BadRegisterAccess, WriteToAReadOnlyRegisterIsIgnoredAndLoggedOnce) {
    for (const uint32_t offset :
         {reg::kIdle + 0u, reg::kChipIdentity + 0u, reg::kChipModel + 0u, reg::kMmuStatus + 0u,
          reg::kReadBytes8 + 0u, reg::kFeDmaAddress + 0u}) {
        Rig rig;
        const uint32_t before = rig.read(offset);
        rig.write(offset, ~before);
        EXPECT_EQ(rig.read(offset), before);
        EXPECT_TRUE(logged(rig, 1)) << std::hex << offset;
        rig.write(offset, ~before);
        EXPECT_TRUE(logged(rig, 0)) << std::hex << offset;
    }
}

TEST(BadRegisterAccess, WriteOnlyRegistersReadAsZero) {
    Rig rig;
    rig.write(reg::kFeAddress, 0x12345678);
    EXPECT_EQ(rig.read(reg::kFeAddress), 0u);
    EXPECT_EQ(rig.read(reg::kFeControl), 0u);
    EXPECT_EQ(rig.read(reg::kMemoryCounterReset), 0u);
    EXPECT_EQ(rig.read(reg::kFeSecControl), 0u);
}

TEST(BadRegisterAccess, OffsetWithoutARegisterReadsAsZeroAndIsLoggedOnce) {
    Rig rig;
    constexpr uint32_t kNothing = 0x120;
    EXPECT_EQ(rig.read(kNothing), 0u);
    EXPECT_TRUE(logged(rig, 1));
    EXPECT_EQ(rig.read(kNothing), 0u);
    EXPECT_TRUE(logged(rig, 0));
    rig.write(kNothing + 4, 0xFFFFFFFF);
    EXPECT_TRUE(logged(rig, 1));
    rig.write(kNothing + 4, 0xFFFFFFFF);
    EXPECT_EQ(rig.read(kNothing + 4), 0u);
    EXPECT_TRUE(logged(rig, 0));
}

TEST(BadRegisterAccess, StateAddressesAreNotRegisters) {
    Rig rig;
    for (const uint32_t offset : {0x1228u, 0x3804u}) {
        rig.write(offset, 0x45);
        rig.pass(kMillisecond);
        EXPECT_EQ(rig.read(offset), 0u);
    }
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_TRUE(logged(rig, 2));
}

TEST(BadRegisterAccess, WriteToTheAcknowledgeRegisterIsIgnoredAndLoggedOnce) {
    Rig rig;
    make_event_pending(rig, 3);
    rig.write(reg::kIntrAcknowledge, 8);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 8u);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadRegisterAccess, ErrorBitsThatAreNotEnabledDoNotRaiseTheLine) {
    Rig rig;
    rig.write(reg::kIntrEnable, 0x3FFFFFFF);
    rig.gc().start(kNoRam, 1);
    rig.pass(kMillisecond);
    EXPECT_FALSE(rig.qemu().interrupt());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
}

TEST(BadRegisterAccess, ClockScaleOfZeroStillLetsTheCoreRun) {
    Rig rig;
    rig.write(reg::kClockControl, 0x200);
    rig.write(reg::kClockControl, 0);
    rig.write(reg::kCycleCounter, 0);
    rig.pass(kMillisecond); /* 400 MHz / 64: 6250 cycles */
    EXPECT_NEAR(rig.read(reg::kCycleCounter), 6250, 1);
    rig.run(Commands{}.wait(200).event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
}

TEST(BadRegisterAccess, UnalignedStartAddressIsRoundedDownInSilence) {
    for (uint32_t low = 1; low < 8; ++low) {
        Rig rig;
        rig.store(0x1000, Commands{}.event(1, kEventFromFe).end());
        rig.gc().start(0x1000 + low, 2);
        ASSERT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
        EXPECT_EQ(rig.read(reg::kFeDmaAddress), 0x1010u);
        EXPECT_TRUE(logged(rig, 0));
    }
}

TEST(BadRegisterAccess, StartDuringASoftResetIsIgnoredAndLoggedOnce) {
    Rig rig;
    rig.store(0x1000, Commands{}.event(1, kEventFromFe).end());
    rig.write(reg::kClockControl, 0x1100);
    rig.gc().start(0x1000, 2);
    rig.pass(kMillisecond);
    rig.write(reg::kClockControl, 0x0100);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadRegisterAccess, StartWithoutANewAddressIsIgnoredAndLoggedOnce) {
    Rig rig;
    rig.run(Commands{}.event(1, kEventFromFe).end());
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 2u);
    rig.write(reg::kFeControl, kFeEnable | 2);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadRegisterAccess, StartWithoutAnyAddressIsIgnoredAndLoggedOnce) {
    Rig rig;
    rig.write(reg::kFeControl, kFeEnable | 2);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
    EXPECT_TRUE(logged(rig, 1));
}

TEST(BadRegisterAccess, StartWithoutPrefetchStarvesAndIsLoggedOnce) {
    Rig rig;
    rig.store(0x1000, Commands{}.event(1, kEventFromFe).end());
    rig.gc().start(0x1000, 0);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), 0u);
    EXPECT_TRUE(logged(rig, 1));
    rig.gc().start(0x1000, 2);
    EXPECT_TRUE(rig.wait([&] { return rig.gc().stopped(); }));
}

/* A GC355 has a different front end (VG FE 2.0), which Linux refuses to use. */
TEST(BadRegisterAccess, StartOfAVectorGraphicsCoreDoesNotTakeQemuDown) {
    Rig rig("gc355-imx6q");
    rig.store(0x1000, Commands{}.event(1, kEventFromFe).end());
    rig.gc().start(0x1000, 2);
    rig.write(0x500, 0x1000);
    rig.write(0x504, 2);
    rig.pass(10 * kMillisecond);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kChipModel), 0x355u);
}

TEST(BadRegisterAccess, StartWhereThereIsNoMemoryHangsTheFrontEndOnAZero) {
    Rig rig;
    rig.gc().start(kNoRam, 4);
    rig.pass(kMillisecond);
    EXPECT_EQ(rig.read(reg::kIdle), kRunning);
    EXPECT_EQ(rig.read(reg::kFeDebugState) & 0x1F, 1u);
    EXPECT_EQ(rig.read(reg::kIntrAcknowledge), kIntrBus);
    EXPECT_EQ(rig.read(reg::kAxiStatus) & 0x300, 0x200u);
    rig.gc().driver_reset();
    EXPECT_EQ(rig.read(reg::kIdle), kStopped);
}

} // namespace
} // namespace pixmill::qtest

/*
 * The debug multiplexers (AM57xx TRM tables 13-100 to 13-126) and the memory
 * counters (table 13-34).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "vivante_machine.hpp"

namespace pixmill::test {
namespace {

constexpr const char* kAm57xx = "gc320-am57xx";

struct Probe {
    uint32_t config;
    uint32_t shift;
    uint32_t read;
    uint32_t signature;
};

const Probe kProbes[] = {
    {reg::kProfileConfig0, 0, reg::kProfileFe, 0xBABEF00D},
    {reg::kProfileConfig0, 8, reg::kProfileDe, 0xBABEF00D},
    {reg::kProfileConfig0, 16, reg::kProfilePe, 0xBABEF00D},
    {reg::kProfileConfig0, 24, reg::kProfileSh, 0xDEADBEEF},
    {reg::kProfileConfig1, 0, reg::kProfilePa, 0x0000AAAA},
    {reg::kProfileConfig1, 8, reg::kProfileSe, 0x5E5E5E5E},
    {reg::kProfileConfig1, 16, reg::kProfileRa, 0x12344321},
    {reg::kProfileConfig1, 24, reg::kProfileTx, 0x12211221},
    {reg::kProfileConfig2, 0, reg::kProfileMc, 0x12345678},
    {reg::kProfileConfig2, 8, reg::kProfileHi, 0xAAAAAAAA},
};

TEST(VivanteRegisters, ModuleSignaturesAppearAtSelectorFifteen) {
    for (const char* model : {kAm57xx, "gc2000-imx6q", "gc7000-imx8mq"}) {
        Machine m(model);
        m.set(reg::kProfileConfig0, 0x0F0F0F0F); /* R10 to R12 */
        m.set(reg::kProfileConfig1, 0x0F0F0F0F);
        m.set(reg::kProfileConfig2, 0x00000F0F);
        for (const Probe& probe : kProbes)
            EXPECT_EQ(m.get(probe.read), probe.signature) << probe.read;
    }
}

TEST(VivanteRegisters, SelectorsOfOneModuleLeaveTheOthersAlone) {
    for (const Probe& probe : kProbes) {
        Machine m(kAm57xx);
        m.set(probe.config, 0xFu << probe.shift);
        for (const Probe& other : kProbes) {
            const bool self = other.read == probe.read;
            EXPECT_EQ(m.get(other.read), self ? probe.signature : 0) << other.read;
        }
    }
}

TEST(VivanteRegisters, EverySelectorCanBeReadOnEveryModule) {
    Machine m(kAm57xx);
    for (const Probe& probe : kProbes) {
        for (uint32_t selector = 0; selector < 0x100; selector++) {
            m.set(probe.config, selector << probe.shift);
            (void)m.get(probe.read);
        }
    }
}

/* galcore's hang dump: FE selectors 0xD (link stack entry) and 0xE (its pointers) */
TEST(VivanteRegisters, LinkStackShowsInTheFrontEndsDebugRegister) {
    Machine m(kAm57xx);
    m.set(reg::kProfileConfig0, 0xE);
    EXPECT_EQ(m.get(reg::kProfileFe), 0u);
    m.put_stream(0x1000, Stream().call(2, 0x5000, 1, 0x1010).end());
    m.put_stream(0x5000, Stream().wait(200).link(2, 0x5000));
    m.start(0x1000, 2);
    m.go();
    EXPECT_EQ(m.get(reg::kProfileFe) >> 4 & 0xF, 1u) << "write pointer";
    m.set(reg::kProfileConfig0, 0xD);
    EXPECT_EQ(m.get(reg::kProfileFe), 0x1010u) << "return address";
}

TEST(VivanteRegisters, MemoryCountersAreZeroWhileFrozen) {
    Machine m(kAm57xx); /* AM57xx TRM table 13-34 */
    m.set(reg::kMemoryCounterReset, 1);
    m.run_stream(Stream().nop().nop().nop());
    EXPECT_EQ(m.get(reg::kReadBytes8), 0u);
    EXPECT_EQ(m.get(reg::kWriteBytes8), 0u);
    m.set(reg::kMemoryCounterReset, 0);
    m.run_stream(Stream().nop().nop().nop());
    EXPECT_LE(m.get(reg::kReadBytes8), 16u);
    m.set(reg::kMemoryCounterReset, ~0u); /* galcore writes all ones, then 0 */
    EXPECT_EQ(m.get(reg::kReadBytes8), 0u);
}

} // namespace
} // namespace pixmill::test

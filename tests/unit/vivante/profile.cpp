/*
 * Debug multiplexers (AM57xx TRM tables 13-100 to 13-126) and memory counters
 * (table 13-34).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "2d/vivante_2d.hpp"

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
        m.set(reg::kProfileConfig0, 0x0F0F0F0F);
        m.set(reg::kProfileConfig1, 0x0F0F0F0F);
        m.set(reg::kProfileConfig2, 0x00000F0F);
        for (const Probe& probe : kProbes)
            EXPECT_EQ(m.get(probe.read), probe.signature) << probe.read;
    }
}

TEST(VivanteRegisters, SelectorsOfOneModuleLeaveTheOthersAlone) {
    for (const Probe& probe : kProbes) {
        Machine m(kAm57xx);
        m.allow_logs();
        m.set(probe.config, 0xFu << probe.shift);
        for (const Probe& other : kProbes) {
            const bool self = other.read == probe.read;
            EXPECT_EQ(m.get(other.read), self ? probe.signature : 0) << other.read;
        }
    }
}

/*
 * An idle core has counted nothing, so only its signature is nonzero. A selector has four bits; the
 * AM57xx manual reserves the others.
 */
TEST(VivanteRegisters, EverySelectorOfAnIdleCoreReadsZeroButTheSignature) {
    Machine m(kAm57xx);
    m.allow_logs();
    for (const Probe& probe : kProbes) {
        for (uint32_t selector = 0; selector < 0x100; selector++) {
            m.set(probe.config, selector << probe.shift);
            EXPECT_EQ(m.get(probe.read), selector % 0x10 == 0xF ? probe.signature : 0u)
                << probe.read << ", selector " << selector;
        }
    }
}

/*
 * Signals that linux etnaviv_perfmon.c selects, but that are not modeled, must not read
 * as 0 without a log message.
 */
TEST(VivanteRegisters, AnUnmodeledSignalIsLoggedOnce) {
    Machine m("gc2000-imx6q");
    for (int i = 0; i < 2; i++) {
        m.set(reg::kProfileConfig0, 0x04000000); /* SHADER_CYCLES */
        EXPECT_EQ(m.get(reg::kProfileSh), 0u);
        m.set(reg::kProfileConfig0, 0x07000000);
        (void)m.get(reg::kProfileSh);
    }
    EXPECT_NE(m.log_text().find("signal 4 of SH"), std::string::npos) << m.log_text();
    EXPECT_EQ(m.unimplemented(), 1u);
    m.set(reg::kProfileConfig1, 0); /* CULLED_TRIANGLE_COUNT and BILINEAR_REQUESTS */
    EXPECT_EQ(m.get(reg::kProfileSe), 0u);
    EXPECT_NE(m.log_text().find("signal 0 of SE"), std::string::npos) << m.log_text();
    EXPECT_EQ(m.get(reg::kProfileTx), 0u);
    EXPECT_EQ(m.unimplemented(), 2u);
}

/* Nothing may be logged before a selector is written, or for modules that are not selected. */
TEST(VivanteRegisters, AnUnselectedSignalIsNotLogged) {
    Machine m("gc2000-imx6q");
    for (const Probe& probe : kProbes)
        EXPECT_EQ(m.get(probe.read), 0u);
    m.set(reg::kProfileConfig0, 9);
    (void)m.get(reg::kProfileFe);
    (void)m.peek(reg::kProfileSh);
    m.soft_reset();
    for (const Probe& probe : kProbes)
        EXPECT_EQ(m.get(probe.read), 0u);
}

TEST(VivanteRegisters, SignalsThatAreModelledAreNotNamed) {
    const struct {
        uint32_t config, read;
        std::vector<uint32_t> values;
    } rows[] = {
        {reg::kProfileConfig0, reg::kProfileFe, {9, 10, 11, 13, 14, 15}},
        {reg::kProfileConfig0, reg::kProfilePe, {0, 0x10000, 0x20000, 0x30000, 0xB0000}},
        {reg::kProfileConfig0, reg::kProfileSh, {0x07000000, 0x0A000000, 0x0E000000}},
        {reg::kProfileConfig1, reg::kProfilePa, {3, 4, 5, 6, 7, 8, 9}},
        {reg::kProfileConfig1, reg::kProfileRa, {0, 0x10000, 0x20000, 0x30000}},
        {reg::kProfileConfig1, reg::kProfileTx, {0x03000000}},
    };
    Machine m("gc2000-imx6q");
    for (const auto& row : rows)
        for (const uint32_t value : row.values) {
            m.set(row.config, value);
            (void)m.get(row.read);
        }
}

/* If the model has no 3D engine for a core, the signals of that engine are not counted. */
TEST(VivanteRegisters, SignalsOfAnUnmodeled3dEngineAreLogged) {
    const struct {
        uint32_t config, read, value;
        const char* name;
    } rows[] = {
        {reg::kProfileConfig0, reg::kProfileFe, 9, "signal 9 of FE"},
        {reg::kProfileConfig0, reg::kProfileFe, 10, "signal 10 of FE"},
        {reg::kProfileConfig0, reg::kProfileFe, 11, "signal 11 of FE"},
        {reg::kProfileConfig0, reg::kProfilePe, 0x20000, "signal 2 of PE"},
        {reg::kProfileConfig0, reg::kProfileSh, 0x07000000, "signal 7 of SH"},
        {reg::kProfileConfig1, reg::kProfilePa, 3, "signal 3 of PA"},
        {reg::kProfileConfig1, reg::kProfileRa, 0x10000, "signal 1 of RA"},
        {reg::kProfileConfig1, reg::kProfileTx, 0x03000000, "signal 3 of TX"},
    };
    for (const char* model : {kAm57xx, "gc7000-imx8mq"}) {
        SCOPED_TRACE(model);
        Machine m(model);
        for (const auto& row : rows) {
            m.set(row.config, row.value);
            EXPECT_EQ(m.get(row.read), 0u);
            EXPECT_NE(m.log_text().find(row.name), std::string::npos) << row.name << m.log_text();
            EXPECT_EQ(m.unimplemented(), 1u);
        }
        /* Signals of the 2D engine and the front end, and signatures, must not log. */
        for (const uint32_t value : {0x0Du, 0x0Eu, 0x0Fu, 0xB0000u, 0xF0000u}) {
            m.set(reg::kProfileConfig0, value);
            (void)m.get(value > 0xFF ? reg::kProfilePe : reg::kProfileFe);
        }
        EXPECT_EQ(m.log_text(), "");
    }
}

/* galcore's hang dump reads FE selectors 0xD (link stack entry) and 0xE (link stack pointers). */
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
    m.set(reg::kMemoryCounterReset, ~0u); /* galcore writes all ones and then 0 */
    EXPECT_EQ(m.get(reg::kReadBytes8), 0u);
}

/* Returns the bytes that MC_READ_BYTES counts for a draw of 64x64 pixels and its commands. */
uint32_t bytes_read(uint32_t source_format, uint32_t rop) {
    Scene scene(kMulti4);
    scene.base(64, 64, kCommandBlit)
        .set(solid_brush(0x12345678, rop))
        .set({{state::kSrcConfig, source_format << 24},
              {state::kSrcColorFg, 0xFFFFFFFF},
              {state::kUPlaneAddress, kSrcAt + 0x4000},
              {state::kUPlaneStride, 64},
              {state::kVPlaneAddress, kSrcAt + 0x6000},
              {state::kVPlaneStride, 32}})
        .draw({0, 0, 64, 64})
        .run();
    scene.forget();
    return 8 * scene.m.get(reg::kReadBytes8);
}

TEST(VivanteProfile, ReadBytesAreThoseOfThePixelsThatADrawNeeds) {
    constexpr uint32_t pixels = 64 * 64;
    const uint32_t commands = bytes_read(kA8R8G8B8, 0xF0);
    const struct {
        uint32_t format, rop, bits;
    } rows[] = {{kA8R8G8B8, 0xCC, 32},  {kA8R8G8B8, 0x66, 64}, {kA8R8G8B8, 0x55, 32},
                {kR5G6B5, 0xCC, 16},    {kA8, 0xCC, 8},        {kIndex8, 0xCC, 8},
                {kMonochrome, 0xCC, 1}, {kYuy2, 0xCC, 16},     {kNv12, 0xCC, 12},
                {kNv16, 0xCC, 16},      {kYv12, 0xCC, 12}};
    for (const auto& row : rows)
        EXPECT_EQ(bytes_read(row.format, row.rop) - commands, pixels * row.bits / 8)
            << row.format << " 0x" << std::hex << row.rop;
}

TEST(VivanteProfile, AClearInBytesCountsPixels) {
    Scene scene(kPe10);
    scene
        .base(10, 10, kCommandClear,
              {{state::kDestConfig, kA8R8G8B8}, {state::kClearByteMask, 0xFF}})
        .draw({0, 0, 10, 10})
        .run();
    scene.forget();
    EXPECT_EQ(scene.m.counters().pixels, 100u);
}

} // namespace
} // namespace pixmill::test

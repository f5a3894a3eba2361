/*
 * The sabrelite's IOMUXC GPRs: the LVDS bridge, and which picture each output shows.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: linux include/linux/mfd/syscon/imx6q-iomuxc-gpr.h, drivers/gpu/drm/imx/ipuv3/imx-ldb.c,
 * drivers/gpu/ipu-v3/ipu-di.c; Freescale's i.MX6 Platform SDK, regsldb.h and iMX6DQ_iomuxc.bcd.
 */
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <iterator>

#include "../rig.hpp"
#include "../screen.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kGpr = 0x020E0000;
constexpr uint32_t kGpr2 = 0x08, kGpr3 = 0x0C, kGpr5 = 0x14, kGpr13 = 0x34;
constexpr std::array<uint64_t, 2> kIpus{0x02400000, 0x02800000};
constexpr uint64_t kHdmiPhyConf = 0x00123000;
constexpr uint64_t kPwm1 = 0x02080000;
constexpr uint32_t kPwmOn = 0x03C20051; /* as Linux enables it */

struct Size {
    uint32_t width, height;
    bool operator==(const Size&) const = default;
};

std::ostream& operator<<(std::ostream& out, Size size) {
    return out << size.width << 'x' << size.height;
}

constexpr Size kOff{};
/* A size of its own for each display interface. */
constexpr std::array<Size, 4> kSizes{{{320, 200}, {640, 400}, {800, 480}, {1024, 768}}};

class Imx6Display : public testing::Test {
protected:
    void gpr(uint32_t offset, uint32_t value) { qemu->write32(kGpr + offset, value); }
    uint32_t gpr(uint32_t offset) { return qemu->read32(kGpr + offset); }

    /* Starts DI @number % 2 of an IPU without a channel: a black picture. */
    void start_di(unsigned number) {
        const uint64_t ipu = kIpus[number / 2];
        const uint64_t di = ipu + (number % 2 ? 0x248000 : 0x240000);
        const Size size = kSizes[number];
        qemu->write32(di + 0x04, 0x10);
        qemu->write32(di + 0x0C, (size.width + 99) << 19 | 1 << 16);
        qemu->write32(di + 0x18, 10 << 3 | 3);
        qemu->write32(di + 0x1C, 40 << 3 | 1);
        qemu->write32(di + 0x14C, size.height << 16);
        qemu->write32(di + 0x150, size.width);
        qemu->write32(di + 0x170, size.height + 19);
        qemu->write32(ipu + 0x2000C4, qemu->read32(ipu + 0x2000C4) | 1u << (24 + number % 2));
        qemu->write32(ipu + 0x200000, qemu->read32(ipu + 0x200000) | 1u << (6 + number % 2));
    }
    void start_all() {
        for (unsigned i = 0; i < kSizes.size(); ++i) {
            start_di(i);
        }
        qemu->clock_step(50 * kMillisecond);
    }
    /*
     * Returns the size of the DI that the console shows, or 0x0 if its output is off: QEMU then
     * shows a message, and our pictures are black.
     */
    Size shown_by(const std::string& console) {
        const std::string path = qemu->directory().file(console + ".ppm");
        qemu->qmp("screendump",
                  R"({"filename": ")" + path + R"(", "device": ")" + console + R"("})");
        std::ifstream file(path, std::ios::binary);
        std::string kind;
        unsigned most = 0;
        Size size{};
        file >> kind >> size.width >> size.height >> most;
        file.get();
        EXPECT_EQ(kind, "P6");
        const std::string pixels(std::istreambuf_iterator<char>(file), {});
        EXPECT_EQ(pixels.size(), size_t{3} * size.width * size.height);
        return pixels.find_first_not_of('\0') == std::string::npos ? size : Size{};
    }

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu = std::make_unique<Qemu>(QemuOptions{.machine = "sabrelite"});
};

/* ---- Registers ------------------------------------------------------------- */

TEST_F(Imx6Display, GprsStoreAllButTheirReadOnlyBits) {
    for (uint32_t offset = 0; offset <= kGpr13; offset += 4) {
        const uint32_t read_only = offset == kGpr3 ? 0x001E0000 : offset == kGpr5 ? 0x1FF : 0;
        EXPECT_EQ(gpr(offset), 0u) << std::hex << offset;
        for (const uint32_t value : {0xFFFFFFFFu, 0x55555555u, 0xAAAAAAAAu}) {
            gpr(offset, value);
            EXPECT_EQ(gpr(offset), value & ~read_only) << std::hex << offset;
        }
    }
    qemu->system_reset();
    for (uint32_t offset = 0; offset <= kGpr13; offset += 4) {
        EXPECT_EQ(gpr(offset), 0u) << std::hex << offset;
    }
}

TEST_F(Imx6Display, NarrowWritesOfGprsMerge) {
    gpr(0x10, 0x11223344);
    qemu->write8(kGpr + 0x11, 0xAA);
    EXPECT_EQ(gpr(0x10), 0x1122AA44u);
    qemu->write16(kGpr + 0x12, 0x5566);
    EXPECT_EQ(gpr(0x10), 0x5566AA44u);
    EXPECT_EQ(qemu->read8(kGpr + 0x13), 0x55);
    EXPECT_EQ(qemu->read16(kGpr + 0x10), 0xAA44u);
}

TEST_F(Imx6Display, LogsTheReservedModeOfTheLvdsChannelOnce) {
    gpr(kGpr2, 2);
    gpr(kGpr2, 2);
    EXPECT_EQ(qemu->log().size(), 1u);
    gpr(kGpr2, 0x10002); /* another clock shift */
    gpr(kGpr2, 1);
    gpr(kGpr2, 3);
    EXPECT_EQ(qemu->log().size(), 2u);
}

/* ---- Routes ---------------------------------------------------------------- */

TEST_F(Imx6Display, OutputsAreOffAfterAReset) {
    start_all();
    for (const char* console : {"hdmi", "lvds", "parallel"}) {
        EXPECT_EQ(shown_by(console), kOff) << console;
    }
}

TEST_F(Imx6Display, HdmiIsTheFirstConsole) {
    start_all();
    qemu->write8(kHdmiPhyConf, 0x08);
    EXPECT_EQ((Size{screendump(*qemu).width, screendump(*qemu).height}), kSizes[0]);
}

TEST_F(Imx6Display, HdmiShowsTheDiOfItsMultiplexer) {
    start_all();
    for (uint32_t mux = 0; mux < 4; ++mux) {
        gpr(kGpr3, ~(3u << 2) | mux << 2);
        EXPECT_EQ(shown_by("hdmi"), kOff);
        qemu->write8(kHdmiPhyConf, 0x08);
        EXPECT_EQ(shown_by("hdmi"), kSizes[mux]);
        qemu->write8(kHdmiPhyConf, 0x18);
        EXPECT_EQ(shown_by("hdmi"), kOff) << "powered down";
    }
}

TEST_F(Imx6Display, HdmiIsOffWithoutAMonitor) {
    start_all();
    qemu->write8(kHdmiPhyConf, 0x08);
    EXPECT_EQ(shown_by("hdmi"), kSizes[0]);
    qemu->set_property("/machine/pixmill-hdmi", "connected", "false");
    EXPECT_EQ(shown_by("hdmi"), kOff);
    qemu->set_property("/machine/pixmill-hdmi", "connected", "true");
    EXPECT_EQ(shown_by("hdmi"), kSizes[0]);
}

/* The bridge has two inputs, each with a multiplexer.  Channel 0 sends one of them. */
TEST_F(Imx6Display, LvdsShowsTheDiOfTheInputThatItsChannelSends) {
    start_all();
    for (uint32_t mux0 = 0; mux0 < 4; ++mux0) {
        const uint32_t mux1 = 3 - mux0;
        gpr(kGpr3, mux0 << 6 | mux1 << 8);
        for (const uint32_t others : {0x0u, 0x10u, 0x1F87FCu}) { /* split mode, formats */
            gpr(kGpr2, others | 1);
            EXPECT_EQ(shown_by("lvds"), kSizes[mux0]);
            gpr(kGpr2, others | 3);
            EXPECT_EQ(shown_by("lvds"), kSizes[mux1]);
            for (const uint32_t off : {0u, 2u}) {
                gpr(kGpr2, others | off);
                EXPECT_EQ(shown_by("lvds"), kOff);
            }
        }
    }
}

TEST_F(Imx6Display, RoutesChangeWhileTheOutputIsOn) {
    start_all();
    gpr(kGpr2, 1);
    qemu->write8(kHdmiPhyConf, 0x08);
    gpr(kGpr3, 2 << 6 | 1 << 2);
    EXPECT_EQ(shown_by("lvds"), kSizes[2]);
    EXPECT_EQ(shown_by("hdmi"), kSizes[1]);
    qemu->write8(kGpr + kGpr3, 1 << 6 | 1 << 2); /* both show the same DI */
    EXPECT_EQ(shown_by("lvds"), kSizes[1]);
    EXPECT_EQ(shown_by("hdmi"), kSizes[1]);
}

TEST_F(Imx6Display, TheParallelPanelShowsTheFirstDiWhileItsBacklightIsOn) {
    start_all();
    gpr(kGpr3, 0xFFFFFFFF);
    qemu->write32(kPwm1, kPwmOn);
    EXPECT_EQ(shown_by("parallel"), kSizes[0]);
    qemu->write32(kPwm1, kPwmOn & ~1u);
    EXPECT_EQ(shown_by("parallel"), kOff);
}

TEST_F(Imx6Display, RoutesMigrate) {
    start_all();
    gpr(kGpr2, 3);
    gpr(kGpr3, 3 << 8 | 1 << 2);
    qemu->write8(kHdmiPhyConf, 0x08);
    qemu->write32(kPwm1, kPwmOn);
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    auto copy = std::make_unique<Qemu>(
        QemuOptions{.machine = "sabrelite", .arguments = {"-incoming", "defer"}});
    copy->migrate_from(file);
    std::swap(qemu, copy);
    expect_clean_quit(*copy);
    EXPECT_EQ(gpr(kGpr3), 0x304u);
    EXPECT_EQ(shown_by("hdmi"), kSizes[1]);
    EXPECT_EQ(shown_by("lvds"), kSizes[3]);
    EXPECT_EQ(shown_by("parallel"), kSizes[0]);
    qemu->system_reset();
    start_all();
    for (const char* console : {"hdmi", "lvds", "parallel"}) {
        EXPECT_EQ(shown_by(console), kOff) << console;
    }
}

} // namespace
} // namespace pixmill::qtest

/*
 * The sabrelite's HDMI transmitter and its monitor.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Source: Freescale's i.MX6 Platform SDK, regshdmi.h; linux
 * drivers/gpu/drm/bridge/synopsys/dw-hdmi.c; VESA E-EDID 1.4, section 3.
 */
#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "../rig.hpp"
#include "../tables.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint64_t kBase = 0x00120000;
constexpr uint64_t kI2c2 = 0x021A4000;
constexpr const char* kPath = "/machine/pixmill-hdmi";

enum Offset : uint32_t {
    kIhPhyStat = 0x0104,
    kIhI2cmStat = 0x0105,
    kIhCecStat = 0x0106,
    kIhI2cmphyStat = 0x0108,
    kIhMutePhyStat = 0x0184,
    kIhMuteI2cmphyStat = 0x0188,
    kIhMute = 0x01FF,
    kInvidconf = 0x1000,
    kPhyConf = 0x3000,
    kPhyStat = 0x3004,
    kPhyInt = 0x3005,
    kPhyMask = 0x3006,
    kPhyPolarity = 0x3007,
    kPhySlave = 0x3020,
    kPhyAddress = 0x3021,
    kPhyDataOut1 = 0x3022,
    kPhyDataOut0 = 0x3023,
    kPhyDataIn1 = 0x3024,
    kPhyDataIn0 = 0x3025,
    kPhyOperation = 0x3026,
    kPhyReset = 0x4005,
    kCecControl = 0x7D00,
    kCecCount = 0x7D07,
    kCecData = 0x7D10,
    kI2cmOperation = 0x7E04,
};

constexpr uint8_t kTxpwron = 0x08, kPddq = 0x10;
constexpr uint8_t kLock = 0x01, kHpd = 0x02, kSense = 0xF0; /* PHY_STAT0 */
constexpr uint8_t kIhHpd = 0x01, kIhSense = 0x3C;           /* IH_PHY_STAT0 */
constexpr uint8_t kDone = 0x02, kError = 0x01;              /* of both I2C masters */

class Imx6Hdmi : public testing::Test {
protected:
    uint8_t read(uint32_t offset) { return qemu->read8(kBase + offset); }
    void write(uint32_t offset, uint32_t value) {
        qemu->write8(kBase + offset, static_cast<uint8_t>(value));
    }
    void plug(bool connected) {
        qemu->set_property(kPath, "connected", connected ? "true" : "false");
    }
    void phy_operation(uint8_t slave, uint8_t address, uint8_t operation) {
        write(kIhI2cmphyStat, 0xFF);
        write(kPhySlave, slave);
        write(kPhyAddress, address);
        write(kPhyOperation, operation);
    }
    uint16_t phy_read(uint8_t address) {
        phy_operation(0x69, address, 0x01);
        EXPECT_EQ(read(kIhI2cmphyStat), kDone);
        return static_cast<uint16_t>(read(kPhyDataIn1) << 8 | read(kPhyDataIn0));
    }
    /* dw_hdmi_phy_setup_hpd(), after initialize_hdmi_ih_mutes() */
    void set_up_hot_plug() {
        write(kIhMute, 3);
        write(kPhyMask, 0xFF);
        write(kIhMutePhyStat, 0xFF);
        write(kIhMute, 0);
        write(kPhyPolarity, kHpd | kSense);
        write(kIhPhyStat, kIhHpd | kIhSense);
        write(kPhyMask, ~(kHpd | kSense));
        write(kIhPhyStat, kIhHpd | kIhSense);
        write(kIhMutePhyStat, ~(kIhHpd | kIhSense));
    }
    /* dw_hdmi_hardirq() and dw_hdmi_irq(); returns PHY_STAT0. */
    uint8_t serve_interrupt() {
        const uint8_t pending = read(kIhPhyStat);
        write(kIhMutePhyStat, 0xFF);
        EXPECT_FALSE(qemu->interrupt());
        const uint8_t polarity = read(kPhyPolarity);
        const uint8_t status = read(kPhyStat);
        const auto changed =
            static_cast<uint8_t>((pending & kIhHpd ? kHpd : 0) | (pending & kIhSense) << 2);
        write(kPhyPolarity, (polarity & ~changed) | (~polarity & changed));
        write(kIhPhyStat, pending);
        write(kIhMutePhyStat, ~(kIhHpd | kIhSense));
        return status;
    }

    void TearDown() override { expect_clean_quit(*qemu); }

    std::unique_ptr<Qemu> qemu =
        std::make_unique<Qemu>(QemuOptions{.machine = "sabrelite", .interrupt_of = kPath});
};

/* ---- Registers ------------------------------------------------------------- */

struct ByteRegister {
    uint32_t offset;
    std::string name, access, expect;
    uint8_t reset, mask;
};

std::vector<ByteRegister> byte_registers() {
    std::vector<ByteRegister> registers;
    for (const auto& row : read_table("imx6_hdmi_registers.tsv").rows) {
        for (uint32_t i = 0; i < number(row.at(2)); ++i) {
            registers.push_back({number(row[0]) + i, row[1], row.at(3), row.at(6),
                                 static_cast<uint8_t>(number(row.at(4))),
                                 static_cast<uint8_t>(number(row.at(5)))});
        }
    }
    return registers;
}

/* The bits that store what is written; the others of a constant register keep their value. */
uint8_t stored_bits(const ByteRegister& r) {
    return r.access == "RW" && r.expect != "const" ? r.mask : 0;
}

TEST_F(Imx6Hdmi, RegistersHaveTheirResetValues) {
    const std::vector<ByteRegister> registers = byte_registers();
    ASSERT_GT(registers.size(), 400u);
    for (const ByteRegister& r : registers) {
        if (r.expect != "any") {
            EXPECT_EQ(read(r.offset), r.reset) << r.name << std::hex << " @" << r.offset;
        }
    }
    EXPECT_EQ(qemu->log().size(), 0u);
}

TEST_F(Imx6Hdmi, RegistersStoreTheirFields) {
    for (const ByteRegister& r : byte_registers()) {
        const uint8_t stored = stored_bits(r);
        for (uint32_t value = 0; value < 256 && r.expect != "any"; value += value < 64 ? 3 : 17) {
            const auto written =
                static_cast<uint8_t>(value & (r.expect == "fields" ? stored : 0xFF));
            write(r.offset, written);
            const uint8_t now = read(r.offset);
            EXPECT_EQ(now & stored, written & stored) << r.name << std::hex << " @" << r.offset;
            if (!stored && r.offset != kIhI2cmphyStat && r.offset != kIhI2cmStat) {
                EXPECT_EQ(now, r.reset) << r.name << std::hex << " @" << r.offset;
            }
        }
    }
    EXPECT_EQ(qemu->log().size(), 0u);
    qemu->system_reset();
    for (const ByteRegister& r : byte_registers()) {
        if (r.expect != "any") {
            EXPECT_EQ(read(r.offset), r.reset) << r.name << std::hex << " @" << r.offset;
        }
    }
}

TEST_F(Imx6Hdmi, AllOtherOffsetsReadZeroAndAreLogged) {
    std::vector<bool> known(0x9000);
    for (const ByteRegister& r : byte_registers()) {
        known[r.offset] = true;
    }
    size_t lines = 0;
    for (uint32_t offset = 0; offset < known.size(); offset += offset % 0x100 < 8 ? 1 : 0x1F) {
        if (!known[offset]) {
            write(offset, 0xFF);
            EXPECT_EQ(read(offset), 0) << std::hex << offset;
            lines += 2;
        }
    }
    EXPECT_EQ(qemu->log().size(), lines);
}

TEST_F(Imx6Hdmi, WideAccessesActOnEachByte) {
    EXPECT_EQ(qemu->read32(kBase), 0xC1A00A13u);
    qemu->write32(kBase + 0x4108, 0x44332211); /* coefficients of the color space converter */
    EXPECT_EQ(read(0x4108), 0x11);
    EXPECT_EQ(read(0x410B), 0x44);
    EXPECT_EQ(qemu->read16(kBase + 0x4109), 0x3322u);
    qemu->write16(kBase + 0x4109, 0x6655);
    EXPECT_EQ(qemu->read32(kBase + 0x4108), 0x44665511u);
}

/* ---- PHY ------------------------------------------------------------------- */

/* dw_hdmi_phy_power_on() and _off() poll the lock. */
TEST_F(Imx6Hdmi, PhyLocksWhileItHasPowerAndIsNotInReset) {
    plug(false);
    EXPECT_EQ(read(kPhyStat), 0);
    write(kPhyConf, kTxpwron | kPddq);
    EXPECT_EQ(read(kPhyStat), 0);
    write(kPhyConf, kTxpwron);
    EXPECT_EQ(read(kPhyStat), kLock);
    write(kPhyReset, 1);
    EXPECT_EQ(read(kPhyStat), 0);
    write(kPhyReset, 0);
    EXPECT_EQ(read(kPhyStat), kLock);
    write(kPhyConf, 0);
    EXPECT_EQ(read(kPhyStat), 0);
    write(kPhyConf, kPddq);
    EXPECT_EQ(read(kPhyStat), 0);
}

TEST_F(Imx6Hdmi, PhyRegistersAreReachedOverItsI2c) {
    write(kPhyDataOut1, 0x12);
    write(kPhyDataOut0, 0x34);
    phy_operation(0x69, 0x06, 0x10);
    EXPECT_EQ(read(kIhI2cmphyStat), kDone);
    EXPECT_EQ(phy_read(0x06), 0x1234);
    EXPECT_EQ(phy_read(0x07), 0);
    write(kPhyDataOut0, 0xFF);
    phy_operation(0x69, 0x06, 0x11); /* both requests: a read */
    EXPECT_EQ(phy_read(0x06), 0x1234);
    EXPECT_EQ(read(kPhyOperation), 0);
    phy_operation(0x69, 0x06, 0x0E);
    EXPECT_EQ(read(kIhI2cmphyStat), 0) << "no request";
    write(kPhyReset, 1);
    write(kPhyReset, 0);
    EXPECT_EQ(phy_read(0x06), 0);
}

TEST_F(Imx6Hdmi, OtherSlavesOfThePhysI2cDoNotAcknowledge) {
    for (const uint8_t slave : {0x00, 0x49, 0x68, 0xE9}) {
        phy_operation(slave, 0x06, 0x10);
        EXPECT_EQ(read(kIhI2cmphyStat), kError) << int{slave};
    }
    write(kPhyReset, 1);
    phy_operation(0x69, 0x06, 0x01);
    EXPECT_EQ(read(kIhI2cmphyStat), kError) << "in reset";
}

TEST_F(Imx6Hdmi, PhysI2cInterruptsUnlessMuted) {
    phy_operation(0x69, 0, 0x01);
    EXPECT_FALSE(qemu->interrupt()) << "all interrupts are muted after a reset";
    write(kPhyMask, 0xFF);
    write(kIhPhyStat, 0xFF);
    write(kIhMute, 2);
    EXPECT_TRUE(qemu->interrupt());
    write(kIhMuteI2cmphyStat, 3);
    EXPECT_FALSE(qemu->interrupt());
    write(kIhMuteI2cmphyStat, 1);
    EXPECT_TRUE(qemu->interrupt());
    write(kIhI2cmphyStat, kError);
    EXPECT_TRUE(qemu->interrupt());
    write(kIhI2cmphyStat, kDone);
    EXPECT_FALSE(qemu->interrupt());
}

/* ---- Hot plug -------------------------------------------------------------- */

TEST_F(Imx6Hdmi, APluggedMonitorInterruptsOnce) {
    set_up_hot_plug();
    EXPECT_TRUE(qemu->interrupt());
    EXPECT_EQ(read(kPhyInt), kHpd | kSense);
    EXPECT_EQ(serve_interrupt(), kHpd | kSense);
    EXPECT_FALSE(qemu->interrupt());
    EXPECT_EQ(read(kIhPhyStat), 0);
    EXPECT_EQ(read(kPhyInt), 0);
}

TEST_F(Imx6Hdmi, EachChangeOfTheCableInterrupts) {
    set_up_hot_plug();
    serve_interrupt();
    for (const bool connected : {false, true, false, true}) {
        plug(connected);
        EXPECT_TRUE(qemu->interrupt());
        EXPECT_EQ(serve_interrupt(), connected ? kHpd | kSense : 0);
        EXPECT_FALSE(qemu->interrupt());
        plug(connected);
        EXPECT_FALSE(qemu->interrupt()) << "nothing changes";
    }
}

TEST_F(Imx6Hdmi, TheSecondChangeIsSeenAfterTheFirst) {
    set_up_hot_plug();
    serve_interrupt();
    plug(false);
    plug(true); /* before the guest looks */
    EXPECT_TRUE(qemu->interrupt());
    EXPECT_EQ(serve_interrupt(), kHpd | kSense);
    EXPECT_TRUE(qemu->interrupt()) << "the polarity now waits for a plugged monitor";
    EXPECT_EQ(serve_interrupt(), kHpd | kSense);
    EXPECT_FALSE(qemu->interrupt());
}

TEST_F(Imx6Hdmi, APendingEventStaysSetUntilItsPolarityChanges) {
    set_up_hot_plug();
    write(kIhPhyStat, 0xFF);
    EXPECT_EQ(read(kIhPhyStat), kIhHpd | kIhSense);
    write(kPhyMask, 0xFF);
    write(kIhPhyStat, 0xFF);
    EXPECT_EQ(read(kIhPhyStat), 0);
}

TEST_F(Imx6Hdmi, TheCableSurvivesAReset) {
    plug(false);
    qemu->system_reset();
    EXPECT_EQ(read(kPhyStat), 0);
    EXPECT_EQ(qemu->get_property(kPath, "connected"), "false");
    plug(true);
    qemu->system_reset();
    EXPECT_EQ(read(kPhyStat), kHpd | kSense);
}

/* ---- CEC and the unused DDC master ------------------------------------------ */

TEST_F(Imx6Hdmi, OwnDdcMasterReachesNobody) {
    for (const uint8_t operation : {0x01, 0x02, 0x10}) {
        write(kIhI2cmStat, 0xFF);
        write(kI2cmOperation, operation);
        EXPECT_EQ(read(kIhI2cmStat), kError);
    }
}

TEST_F(Imx6Hdmi, NobodyAnswersOnTheCecLine) {
    write(kCecData, 0x40); /* from 4 to 0 */
    write(kCecControl, 0x03);
    EXPECT_EQ(read(kIhCecStat), 0) << "no bytes to send";
    write(kCecCount, 1);
    write(kCecControl, 0x03);
    EXPECT_EQ(read(kCecControl), 0x02) << "sent";
    EXPECT_EQ(read(kIhCecStat), 0x04) << "not acknowledged";
    write(kIhCecStat, 0x04);
    write(kCecData, 0x4F); /* to all */
    write(kCecControl, 0x03);
    EXPECT_EQ(read(kIhCecStat), 0x01);
}

/* ---- The monitor ----------------------------------------------------------- */

/* A master's accesses to QEMU's model of I2C2. */
class I2c {
public:
    explicit I2c(Qemu& qemu) : qemu_(qemu) { write(kControl, kEnable); }
    ~I2c() { write(kControl, kEnable); }

    /* Starts a transfer; returns true if the slave has acknowledged. */
    bool start(uint8_t address, bool again = false) {
        write(kControl, kEnable | kMaster | kTransmit | (again ? kRestart : 0));
        return send(address);
    }
    bool send(uint8_t byte) {
        write(kStatus, 0);
        write(kData, byte);
        const uint16_t status = qemu_.read16(kI2c2 + kStatus);
        EXPECT_TRUE(status & kByteEnded); /* patch 0017 */
        return !(status & kNoAcknowledge);
    }
    Bytes receive(size_t count) {
        write(kControl, kEnable | kMaster);
        qemu_.read16(kI2c2 + kData); /* starts the first byte */
        Bytes bytes;
        for (size_t i = 0; i < count; ++i) {
            bytes.push_back(static_cast<uint8_t>(qemu_.read16(kI2c2 + kData)));
        }
        return bytes;
    }

private:
    static constexpr uint32_t kControl = 0x8, kStatus = 0xC, kData = 0x10;
    static constexpr uint16_t kEnable = 0x80, kMaster = 0x20, kTransmit = 0x10, kRestart = 0x04;
    static constexpr uint16_t kNoAcknowledge = 1, kByteEnded = 2;

    void write(uint32_t offset, uint16_t value) { qemu_.write16(kI2c2 + offset, value); }

    Qemu& qemu_;
};

Bytes read_edid(Qemu& qemu) {
    I2c i2c(qemu);
    EXPECT_TRUE(i2c.start(0xA0));
    EXPECT_TRUE(i2c.send(0));
    EXPECT_TRUE(i2c.start(0xA1, true));
    return i2c.receive(128);
}

struct Timing {
    uint32_t width, height, htotal, vtotal, clock; /* clock in 10 kHz */
};

/* The first detailed timing descriptor, which is the preferred mode. */
Timing preferred(const Bytes& edid) {
    const auto high = [&](int at, int shift) { return (edid[at] >> shift & 0xFu) << 8; };
    const uint32_t width = edid[56] | high(58, 4), height = edid[59] | high(61, 4);
    return {width, height, width + (edid[57] | high(58, 0)), height + (edid[60] | high(61, 0)),
            edid[54] | uint32_t{edid[55]} << 8};
}

void expect_monitor(Qemu& qemu, uint32_t width, uint32_t height) {
    const Bytes edid = read_edid(qemu);
    const Bytes header{0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x00};
    EXPECT_EQ(Bytes(edid.begin(), edid.begin() + 8), header);
    EXPECT_EQ(std::accumulate(edid.begin(), edid.end(), 0u) % 256, 0u);
    const Timing mode = preferred(edid);
    EXPECT_EQ(mode.width, width);
    EXPECT_EQ(mode.height, height);
    const double step = 10'000.0 / (mode.htotal * mode.vtotal); /* of the clock's unit */
    EXPECT_NEAR(mode.clock * step, 60, step);
}

TEST_F(Imx6Hdmi, MonitorPrefers1280x800At60Hz) {
    expect_monitor(*qemu, 1280, 800);
    expect_monitor(*qemu, 1280, 800); /* again */
}

TEST(Imx6HdmiMonitor, PrefersTheSizeOfTheProperties) {
    for (const auto& [width, height] : {std::pair{1920u, 1080u}, {200u, 200u}, {2048u, 2048u}}) {
        Qemu qemu({.machine = "sabrelite",
                   .arguments = {"-global", "dw-hdmi.xres=" + std::to_string(width), "-global",
                                 "dw-hdmi.yres=" + std::to_string(height)}});
        expect_monitor(qemu, width, height);
        expect_clean_quit(qemu);
    }
}

TEST_F(Imx6Hdmi, AnUnpluggedMonitorIsSilent) {
    plug(false);
    {
        I2c i2c(*qemu);
        EXPECT_FALSE(i2c.start(0xA0));
    }
    plug(true);
    expect_monitor(*qemu, 1280, 800);
}

TEST_F(Imx6Hdmi, NothingElseIsOnTheBus) {
    for (uint32_t address = 1; address < 0x80; ++address) { /* 0 is a broadcast */
        I2c i2c(*qemu);
        EXPECT_EQ(i2c.start(static_cast<uint8_t>(address << 1)), address == 0x50) << address;
    }
}

/* ---- Migration --------------------------------------------------------------- */

TEST_F(Imx6Hdmi, Migrates) {
    set_up_hot_plug();
    serve_interrupt();
    write(kPhyConf, kTxpwron);
    write(kInvidconf, 0x78);
    write(kPhyDataOut1, 0xAB);
    write(kPhyDataOut0, 0xCD);
    phy_operation(0x69, 0x10, 0x10);
    plug(false);
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    auto copy = std::make_unique<Qemu>(QemuOptions{
        .machine = "sabrelite", .arguments = {"-incoming", "defer"}, .interrupt_of = kPath});
    copy->migrate_from(file);
    std::swap(qemu, copy);
    expect_clean_quit(*copy);
    EXPECT_EQ(read(kPhyStat), kLock);
    EXPECT_EQ(read(kInvidconf), 0x78);
    EXPECT_EQ(phy_read(0x10), 0xABCD);
    write(kIhI2cmphyStat, kDone);
    EXPECT_EQ(qemu->get_property(kPath, "connected"), "false");
    EXPECT_TRUE(qemu->interrupt());
    EXPECT_EQ(serve_interrupt(), kLock);
    plug(true);
    EXPECT_TRUE(qemu->interrupt());
}

TEST_F(Imx6Hdmi, MigratesOnlyToAMonitorOfTheSameSize) {
    const std::string file = qemu->directory().file("machine");
    qemu->migrate_to(file);
    Qemu other({.machine = "sabrelite",
                .arguments = {"-incoming", "defer", "-global", "dw-hdmi.yres=720"}});
    EXPECT_THROW(other.migrate_from(file), QemuError);
}

} // namespace
} // namespace pixmill::qtest

/*
 * A PC with the PCI functions of a Geode LX and its companion, for qemu-system-i386.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_QTEST_GEODE_RIG_HPP
#define PIXMILL_TESTS_QTEST_GEODE_RIG_HPP

#include <string>
#include <vector>

#include "../qtest_client.hpp"

namespace pixmill::qtest {

/* The rig acts as firmware and maps the BARs at these addresses. */
constexpr uint32_t kVram = 0xE0000000;
constexpr uint32_t kGp = 0xF0000000;
constexpr uint32_t kDc = 0xF0004000;
constexpr uint32_t kVp = 0xF0008000;
constexpr uint32_t kVip = 0xF000C000;
constexpr uint16_t kGpio = 0xC100;

/* Configuration space, accessed via PCI configuration mechanism #1. */
class PciFunction {
public:
    PciFunction(Qemu& qemu, uint32_t slot) : qemu_(qemu), slot_(slot) {}

    uint32_t read(uint32_t offset);
    void write(uint32_t offset, uint32_t value);
    /* Returns the value that a BAR reads back after writing ones, which gives its size. */
    uint32_t bar_mask(uint32_t bar);
    void set_bar(uint32_t bar, uint32_t address) { write(0x10 + 4 * bar, address); }

private:
    Qemu& qemu_;
    uint32_t slot_;
};

/* A PC whose BARs are mapped and enabled. */
class GeodeRig {
public:
    explicit GeodeRig(const std::string& properties = "",
                      const std::vector<std::string>& arguments = {},
                      const std::string& accel = "qtest");
    static constexpr uint32_t kVideoSlot = 5;
    static constexpr uint32_t kCompanionSlot = 0xF; /* slot where X expects the companion */
    /* Returns the QEMU options for both functions. */
    static std::vector<std::string> devices(const std::string& properties);

    /* Maps and enables the BARs as firmware does; needed again after a reset. */
    void map();

    Qemu& qemu() { return qemu_; }
    PciFunction& video() { return video_; }
    PciFunction& companion() { return companion_; }

    uint32_t gp(uint32_t offset) { return qemu_.read32(kGp + offset); }
    void set_gp(uint32_t offset, uint32_t value) { qemu_.write32(kGp + offset, value); }
    uint32_t dc(uint32_t offset) { return qemu_.read32(kDc + offset); }
    void set_dc(uint32_t offset, uint32_t value) { qemu_.write32(kDc + offset, value); }
    void unlock() { set_dc(0, 0x4758); }
    uint32_t vp(uint32_t offset) { return qemu_.read32(kVp + offset); }
    void set_vp(uint32_t offset, uint32_t value) { qemu_.write32(kVp + offset, value); }
    uint32_t gpio(uint32_t offset) { return qemu_.in32(static_cast<uint16_t>(kGpio + offset)); }
    void set_gpio(uint32_t offset, uint32_t value) {
        qemu_.out32(static_cast<uint16_t>(kGpio + offset), value);
    }

private:
    Qemu qemu_;
    PciFunction video_;
    PciFunction companion_;
};

} // namespace pixmill::qtest

#endif

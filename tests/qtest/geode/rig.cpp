/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint16_t kConfigAddress = 0xCF8;
constexpr uint16_t kConfigData = 0xCFC;
std::vector<std::string> arguments_of(const std::string& properties,
                                      std::vector<std::string> arguments) {
    const std::vector<std::string> devices = GeodeRig::devices(properties);
    arguments.insert(arguments.end(), devices.begin(), devices.end());
    return arguments;
}

} // namespace

uint32_t PciFunction::read(uint32_t offset) {
    qemu_.out32(kConfigAddress, 0x80000000 | slot_ << 11 | offset);
    return qemu_.in32(kConfigData);
}

void PciFunction::write(uint32_t offset, uint32_t value) {
    qemu_.out32(kConfigAddress, 0x80000000 | slot_ << 11 | offset);
    qemu_.out32(kConfigData, value);
}

uint32_t PciFunction::bar_mask(uint32_t bar) {
    set_bar(bar, 0xFFFFFFFF);
    return read(0x10 + 4 * bar);
}

std::vector<std::string> GeodeRig::devices(const std::string& properties) {
    return {"-device", "geode-lx-video,id=geode,addr=05.0" + properties, "-device",
            "cs5536,addr=0f.0"};
}

GeodeRig::GeodeRig(const std::string& properties, const std::vector<std::string>& arguments,
                   const std::string& accel)
    : qemu_({.machine = "pc", .accel = accel, .arguments = arguments_of(properties, arguments)}),
      video_(qemu_, kVideoSlot), companion_(qemu_, kCompanionSlot) {
    map();
}

void GeodeRig::map() {
    uint32_t bar = 0;
    for (const uint32_t address : {kVram, kGp, kDc, kVp, kVip}) {
        video_.set_bar(bar++, address);
    }
    video_.write(0x04, 0x7); /* I/O, memory, bus master */
    companion_.set_bar(1, kGpio);
    companion_.write(0x04, 0x1);
}

} // namespace pixmill::qtest

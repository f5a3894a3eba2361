/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "twin.hpp"

#include <sstream>

#include <gtest/gtest.h>

namespace pixmill::test {

namespace {

/* True for the GC320 of the i.MX6 DualLite, Quad and QuadPlus. */
bool is_of_an_imx6(Machine& machine) {
    const uint32_t revision = machine.peek(reg::kRevision);
    return machine.peek(reg::kModel) == 0x320 && (revision == 0x5007 || revision == 0x5303);
}

bool has_quirk(const Machine& machine, PixmillVivanteQuirk quirk, bool own) {
    return machine.options.quirks_on & quirk || (own && !(machine.options.quirks_off & quirk));
}

} // namespace

/* Feature bits: rnndb common.xml. DEST_CONFIG_EX was observed on a GC620 (th1520-g2d). */
reference::Features features_of(Machine& machine) {
    const auto has = [&](uint32_t word, int bit) { return (machine.peek(word) >> bit & 1) != 0; };
    return {.pe20 = has(reg::kMinor0, 7),
            .multi_source = has(reg::kMinor2, 21),
            .multi_source_ex = has(reg::kMinor3, 2),
            .yuv_standard = has(reg::kMinor2, 20),
            .new_2d = has(reg::kMinor1, 18),
            .yuv_conversion = has(reg::kMinor2, 22),
            .color_space_conversion = has(reg::kMinor4, 12),
            .super_tile_version = has(reg::kMinor4, 29),
            .filter_taps = has(reg::kMinor5, 11),
            .dest_config_ex = machine.peek(reg::kModel) == 0x620,
            .tiling = has(reg::kMinor2, 17),
            .yuv_order_fault =
                has_quirk(machine, PIXMILL_VIVANTE_QUIRK_YUV_ORDER, is_of_an_imx6(machine))};
}

Twin::Twin(Machine& machine)
    : base_(machine.options.ram_base), bytes_(machine.options.ram_size),
      engine_(features_of(machine), *this) {}

void Twin::copy(const Machine& machine) {
    machine.ram.get(base_, bytes_.data(), bytes_.size());
}

std::string Twin::difference(const Machine& machine) const {
    std::ostringstream text;
    text << std::hex;
    uint64_t at = 0;
    for (int shown = 0; shown < 6; shown++, at++) {
        at += machine.ram.equal_bytes(base_ + at, bytes_.data() + at, bytes_.size() - at);
        if (at == bytes_.size())
            break;
        text << "at 0x" << base_ + at << ": " << int(machine.ram.byte(base_ + at)) << " instead of "
             << int(bytes_[at]) << '\n';
    }
    return text.str();
}

uint8_t Twin::read(uint32_t address) {
    return address - base_ < bytes_.size() ? bytes_[address - base_] : 0;
}

void Twin::write(uint32_t address, uint8_t value) {
    if (address - base_ < bytes_.size())
        bytes_[address - base_] = value;
}

void run_compared(Machine& machine, const Stream& stream, int64_t ns) {
    Twin twin(machine);
    Stream whole = stream;
    whole.end();
    machine.put_stream(kStreamAt, whole);
    twin.copy(machine);
    twin.run(whole.words());
    machine.run_stream(stream, ns);
    EXPECT_EQ(twin.difference(machine), "") << "the reference draws another picture";
}

} // namespace pixmill::test

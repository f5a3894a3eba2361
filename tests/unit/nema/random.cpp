/*
 * Compares every byte of memory between NemaDevice and reference::NemaReference on random work.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <iomanip>
#include <iterator>
#include <random>

#include "../../qtest/tables.hpp"
#include "../../random_setting.hpp"
#include "../../reference/nema/nema.hpp"
#include "device.hpp"

namespace pixmill::test {
namespace {

/* ---- The comparison ----------------------------------------------------- */

std::string difference(const std::vector<uint8_t>& actual, const std::vector<uint8_t>& expected) {
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    int shown = 0, all = 0;
    for (size_t i = 0; i < expected.size(); i++) {
        if (actual[i] == expected[i])
            continue;
        if (shown++ < 8)
            text << "at " << kNemaRam + i << ": " << std::setw(2) << int(actual[i])
                 << " instead of " << std::setw(2) << int(expected[i]) << '\n';
        all++;
    }
    if (all > 8)
        text << std::dec << all << " bytes differ\n";
    return text.str();
}

std::string register_differences(NemaDevice& device, const reference::NemaReference& model,
                                 bool holes) {
    std::ostringstream text;
    const auto compare = [&](const char* name, uint64_t actual, uint64_t expected) {
        if (actual != expected)
            text << name << " is " << std::hex << actual << " instead of " << expected << '\n';
    };
    static constexpr std::pair<const char*, uint32_t> registers[] = {
        {"CMD_ADDR", nema::kCmdAddr},  {"CMD_SIZE", nema::kCmdSize},  {"INT_CTRL", nema::kIntCtrl},
        {"DIRTYMIN", nema::kDirtyMin}, {"DIRTYMAX", nema::kDirtyMax}, {"CMD_LIST_ID", nema::kClid},
        {"STAT", nema::kStat},         {"CMD_STAT", nema::kCmdStat}};
    for (const auto& [name, offset] : registers)
        compare(name, device.read(offset), model.read(offset));
    if (!holes) /* the device may skip reads of unused texels */
        compare("SYS_INT", device.read(nema::kSysInt), model.read(nema::kSysInt));
    compare("the completion line", device.host.irq, model.completion());
    compare("the error line", device.host.error_irq, model.error());
    compare("FREEZE", device.host.freeze, model.freeze());
    return text.str();
}

/* Returns the differences, or an empty string. */
std::string check(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    reference::NemaMemory memory{kNemaRam, before};
    reference::NemaReference model(memory);
    NemaDevice device(NemaWays(c.number), before);
    for (const NemaWrite& write : c.writes)
        model.write(write.offset, write.value);
    if (!device.play(c))
        return "the device does not get ready\n";
    std::string text =
        difference(device.memory(), memory.bytes) + register_differences(device, model, c.holes);
    for (const std::string& violation : device.host.violations())
        text += violation + '\n';
    if (!device.host.ram.canaries_intact())
        text += "a red zone has been written\n";
    return text;
}

/* ---- Registers alone ---------------------------------------------------- */

/*
 * Returns a write to any register except those that start work, which other tests cover, or stop a
 * list.
 */
NemaWrite random_write(std::mt19937_64& random) {
    static const std::vector<qtest::Register> known = qtest::nema_registers();
    uint32_t offset = 0;
    do {
        offset = random() % 4 ? known[random() % known.size()].offset : 4 * (random() % 0x400);
    } while (offset == nema::kRing || offset == nema::kCmdSize || offset == nema::kDrawCmd ||
             offset == nema::kBreakpoint);
    const uint32_t bit = 1u << random() % 32;
    const uint32_t values[] = {uint32_t(random()), bit, ~bit, 0xFFFFFFFF};
    return {offset, values[random() % std::size(values)]};
}

/* Returns register writes, about half by the host and half by command lists with a single pair. */
NemaCase make_register_writes(uint64_t seed, uint64_t number) {
    std::mt19937_64 random(seed << 32 ^ number);
    NemaCase c;
    c.number = number;
    for (int i = 0; i < 64; i++) {
        const NemaWrite write = random_write(random);
        if (random() % 2) {
            c.writes.push_back(write);
            continue;
        }
        c.writes.push_back({nema::kCmdAddr, uint32_t(kNemaLists + 4 * c.lists.size())});
        c.writes.push_back({nema::kCmdSize, 2});
        c.lists.insert(c.lists.end(), {write.offset, write.value});
    }
    return c;
}

/* Returns the registers that read differently after any write to the window. */
std::string check_registers(const NemaCase& c) {
    reference::NemaMemory memory{kNemaRam, nema_case_memory(c)};
    reference::NemaReference model(memory);
    NemaDevice device(NemaWays(c.number), memory.bytes);
    std::ostringstream text;
    for (const NemaWrite& write : c.writes) {
        model.write(write.offset, write.value);
        if (!device.write(write.offset, write.value))
            return "the device does not get ready\n";
        for (uint32_t offset = 0; offset < PIXMILL_NEMA_WINDOW; offset += 4) {
            if (device.peek(offset) != model.read(offset))
                text << std::hex << offset << " is " << device.peek(offset) << " instead of "
                     << model.read(offset) << '\n';
        }
        if (device.host.irq != model.completion() || device.host.error_irq != model.error() ||
            device.host.freeze != model.freeze())
            text << "the lines\n";
        if (!text.str().empty()) {
            text << "after " << std::hex << write.offset << " = " << write.value << '\n';
            break;
        }
    }
    return text.str();
}

/* ---- All cases ---------------------------------------------------------- */

void compare(NemaCase (*make)(uint64_t seed, uint64_t number),
             std::string (*wrong_with)(const NemaCase&) = check) {
    RandomCases cases(2000);
    for (const auto [seed, number] : cases) {
        const NemaCase c = make(seed, number);
        const std::string wrong = wrong_with(c);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
}

TEST(NemaRandom, DeviceEqualsReference) {
    compare(make_nema_case);
}

TEST(NemaRandom, BlitsEqualReference) {
    compare(make_nema_blits);
}

TEST(NemaRandom, RegistersEqualReference) {
    compare(make_register_writes, check_registers);
}

} // namespace
} // namespace pixmill::test

/*
 * Device == reference::NemaReference on random work, byte for byte over all of memory.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <cstdlib>
#include <iomanip>
#include <iterator>
#include <random>

#include "../qtest/tables.hpp"
#include "../random_setting.hpp"
#include "../reference/nema.hpp"
#include "fake_host.hpp"
#include "nema_cases.hpp"
#include "pixmill/nema.h"

namespace pixmill::test {
namespace {

enum : uint32_t {
    kBreakpoint = 0x080,
    kDirtyMin = 0x098,
    kDirtyMax = 0x09C,
    kCmdStat = 0x0E8,
    kRingStop = 0x0EC,
    kCmdAddr = 0x0F0,
    kCmdSize = 0x0F4,
    kIntCtrl = 0x0F8,
    kStat = 0x0FC,
    kDrawCmd = 0x100,
    kListId = 0x148,
    kSysInt = 0xFF8,
};

/* ---- The device --------------------------------------------------------- */

/* How a case is worked off. */
struct Ways {
    explicit Ways(uint64_t number)
        : grain(number % 7 == 0 ? (number % 2 ? 60 : 0x1000) : 0), migrate(number % 10 == 1),
          words(number % 3 == 0 ? 2 : 4096), bytes(number % 4 == 0 ? 64 : 1 << 20) {}
    uint64_t grain; /* of memory in the host */
    bool migrate;   /* to another core, in the middle of everything */
    uint32_t words; /* per run() */
    uint64_t bytes; /* per draw() */
};

class Device {
    template<class Function>
    auto enter(Function function) {
        struct Entry {
            explicit Entry(FakeHost& h) : host(h) { host.entries++; }
            ~Entry() { host.entries--; }
            FakeHost& host;
        } entry(host);
        return function();
    }

public:
    Device(const Ways& ways, const std::vector<uint8_t>& memory) : ways_(ways) {
        host.ram.set_grain(ways.grain);
        host.ram.add(kNemaRam, kNemaRamSize);
        host.ram.put(kNemaRam, memory.data(), memory.size());
        core_ = create();
    }
    ~Device() {
        enter([&] { pixmill_nema_destroy(core_); });
    }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    FakeHost host;

    /* False: the core never becomes ready. */
    bool write(uint32_t offset, uint32_t value) {
        if (needs_idle(offset) && !finish())
            return false;
        for (int tries = 0; tries < kSteps; tries++) {
            const PixmillResult result =
                enter([&] { return pixmill_nema_mmio_write(core_, offset, 4, value); });
            if (result == PIXMILL_OK)
                return !starts_list(offset) || finish();
            if (result != PIXMILL_ERROR_BUSY)
                return false;
            step();
        }
        return false;
    }

    uint32_t read(uint32_t offset) {
        uint32_t value = 0;
        enter([&] { return pixmill_nema_mmio_read(core_, offset, 4, &value); });
        return value;
    }

    uint32_t peek(uint32_t offset) const { return pixmill_nema_peek(core_, offset); }

    /* Until nothing is left to do. */
    bool finish() {
        for (int steps = 0; steps < kSteps; steps++) {
            if (!step())
                return true;
        }
        return false;
    }

private:
    static constexpr int kSteps = 1'000'000;

    /* The host is not to change under a list, nor the dirty region under a primitive. */
    static bool needs_idle(uint32_t offset) {
        return offset == kDirtyMin || offset == kCmdAddr || starts_list(offset);
    }
    static bool starts_list(uint32_t offset) { return offset == kCmdSize || offset == kRingStop; }

    PixmillNema* create() {
        PixmillNema* core = nullptr;
        enter([&] { return pixmill_nema_create(nullptr, host.abi(), &core); });
        if (!core)
            std::abort();
        return core;
    }

    /* One call of run(), and of draw() if it wants one. False: nothing to do. */
    bool step() {
        if (ways_.migrate && ++steps_ % 3 == 0)
            migrate();
        host.run_requested = false;
        const PixmillRun run = enter([&] { return pixmill_nema_run(core_, ways_.words); });
        if (run.action == PIXMILL_RUN_DRAW) {
            FakeHost::in_draw = true;
            enter([&] { pixmill_nema_draw(core_, ways_.bytes); });
            FakeHost::in_draw = false;
        }
        if (run.action == PIXMILL_RUN_WAIT)
            host.now = std::max(host.now.load(), run.when_ns);
        return run.action != PIXMILL_RUN_IDLE || host.run_requested;
    }

    void migrate() {
        const auto state = std::make_unique<PixmillNemaState>();
        enter([&] { pixmill_nema_save(core_, state.get()); });
        PixmillNema* next = create();
        if (enter([&] { return pixmill_nema_load(next, state.get()); }) != PIXMILL_OK)
            ADD_FAILURE() << "a saved state does not load";
        enter([&] { pixmill_nema_destroy(core_); });
        core_ = next;
    }

    Ways ways_;
    PixmillNema* core_ = nullptr;
    int steps_ = 0;
};

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

std::string register_differences(Device& device, const reference::NemaReference& model,
                                 bool holes) {
    std::ostringstream text;
    const auto compare = [&](const char* name, uint64_t actual, uint64_t expected) {
        if (actual != expected)
            text << name << " is " << std::hex << actual << " instead of " << expected << '\n';
    };
    static constexpr std::pair<const char*, uint32_t> registers[] = {
        {"CMD_ADDR", kCmdAddr},  {"CMD_SIZE", kCmdSize},  {"INT_CTRL", kIntCtrl},
        {"DIRTYMIN", kDirtyMin}, {"DIRTYMAX", kDirtyMax}, {"CMD_LIST_ID", kListId},
        {"STAT", kStat},         {"CMD_STAT", kCmdStat}};
    for (const auto& [name, offset] : registers)
        compare(name, device.read(offset), model.read(offset));
    if (!holes) /* a texel that does not matter need not be read */
        compare("SYS_INT", device.read(kSysInt), model.read(kSysInt));
    compare("the completion line", device.host.irq, model.completion());
    compare("the error line", device.host.error_irq, model.error());
    compare("FREEZE", device.host.freeze, model.freeze());
    return text.str();
}

/* What differs, or nothing. */
std::string check(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    reference::NemaMemory memory{kNemaRam, before};
    reference::NemaReference model(memory);
    Device device(Ways(c.number), before);
    for (const NemaWrite& write : c.writes) {
        model.write(write.offset, write.value);
        if (!device.write(write.offset, write.value))
            return "the device does not get ready\n";
    }
    if (!device.finish())
        return "the device does not get ready\n";
    std::vector<uint8_t> after(kNemaRamSize);
    device.host.ram.get(kNemaRam, after.data(), kNemaRamSize);
    std::string text =
        difference(after, memory.bytes) + register_differences(device, model, c.holes);
    for (const std::string& violation : device.host.violations())
        text += violation + '\n';
    if (!device.host.ram.canaries_intact())
        text += "a red zone has been written\n";
    return text;
}

/* ---- Registers alone ---------------------------------------------------- */

/* Any register, or none, but those that start what other tests are for, or stop a list. */
NemaWrite random_write(std::mt19937_64& random) {
    static const std::vector<qtest::Register> known = qtest::nema_registers();
    uint32_t offset = 0;
    do {
        offset = random() % 4 ? known[random() % known.size()].offset : 4 * (random() % 0x400);
    } while (offset == kRingStop || offset == kCmdSize || offset == kDrawCmd ||
             offset == kBreakpoint);
    const uint32_t bit = 1u << random() % 32;
    const uint32_t values[] = {uint32_t(random()), bit, ~bit, 0xFFFFFFFF};
    return {offset, values[random() % std::size(values)]};
}

/* Writes by the host, and by lists of one pair each. */
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
        c.writes.push_back({kCmdAddr, uint32_t(kNemaLists + 4 * c.lists.size())});
        c.writes.push_back({kCmdSize, 2});
        c.lists.insert(c.lists.end(), {write.offset, write.value});
    }
    return c;
}

/* What reads otherwise, of the whole window and after each write. */
std::string check_registers(const NemaCase& c) {
    reference::NemaMemory memory{kNemaRam, nema_case_memory(c)};
    reference::NemaReference model(memory);
    Device device(Ways(c.number), memory.bytes);
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
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    const uint64_t first = only == UINT64_MAX ? 0 : only;
    const uint64_t end = only == UINT64_MAX ? random_cases(2000) : only + 1;
    for (uint64_t number = first; number < end; number++) {
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

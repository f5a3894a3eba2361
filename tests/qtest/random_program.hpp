/*
 * Random programs for machines with our devices: register accesses, command lists, injected faults,
 * resets, stops and snapshots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The same seed and case number give the same program. Most steps get past a device's first checks:
 * they use existing registers, valid commands and surfaces in RAM, combined with extreme values.
 */
#ifndef PIXMILL_TESTS_QTEST_RANDOM_PROGRAM_HPP
#define PIXMILL_TESTS_QTEST_RANDOM_PROGRAM_HPP

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "qtest_client.hpp"

namespace pixmill::qtest {

class Dice {
public:
    explicit Dice(uint64_t seed, uint64_t number = 0)
        : random_(seed * 0x9E3779B97F4A7C15 + number) {}

    uint32_t below(uint32_t bound) { return static_cast<uint32_t>(random_() % bound); }
    uint32_t from(uint32_t low, uint32_t high) { return low + below(high - low + 1); }
    bool one_in(uint32_t n) { return below(n) == 0; }
    uint32_t any() { return static_cast<uint32_t>(random_()); }
    /*
     * Returns a limit of a common range, a value at or next to a power of two, a small point, or
     * any value.
     */
    uint32_t edge();
    template<typename T>
    const T& pick(std::span<const T> of) {
        return of[below(static_cast<uint32_t>(of.size()))];
    }

private:
    std::mt19937_64 random_;
};

enum class DeviceKind {
    kVivante,
    kVivanteVg,
    kNema,
    kSgx,
    kGeodeGp,
    kGeodeDisplay,
    kIpu,
    kRegisters,
    kPorts,
    kPciFunction
};

/* The VRAM of a Geode and the command ring in it. */
struct GeodeVram {
    uint32_t address; /* guest-physical */
    uint32_t of_gp;   /* address as seen by the GP */
    uint32_t ring;    /* offset in the VRAM */
};

struct FuzzedDevice {
    DeviceKind kind;
    const char* path;    /* QOM path; "" for plain registers */
    const char* counter; /* property that is 0 until the device has done some work */
    uint64_t base;       /* address, first port, or slot of a PCI function */
    uint32_t size;
    GeodeVram vram = {};
};

/* A base address register of the PCI function in @slot. */
struct PciBar {
    uint32_t slot, number, address;
};

struct FuzzedMachine {
    const char* name;
    const char* machine; /* value of -M */
    uint32_t megabytes;  /* size of RAM */
    uint32_t ram;        /* start of kProgramRam bytes for lists and surfaces */
    std::vector<FuzzedDevice> devices;
    std::vector<std::string> arguments = {}; /* QEMU's arguments */
    std::vector<PciBar> bars = {};           /* as assigned by firmware */
};

constexpr uint32_t kProgramRam = 4u << 20;

void PrintTo(const FuzzedMachine& machine, std::ostream* out);
std::span<const FuzzedMachine> fuzzed_machines();
/* Machines for qemu-system-i386. */
std::span<const FuzzedMachine> fuzzed_pcs();
/* Machines for qemu-system-aarch64. */
std::span<const FuzzedMachine> fuzzed_64_bit_machines();
/*
 * Returns options for a QEMU whose RAM is shared host memory, which prepare() excludes from
 * snapshots.
 */
QemuOptions fuzzed_options(const FuzzedMachine& machine, bool threaded);
/* Sets up a QEMU started with fuzzed_options() before the first step. */
void prepare(Qemu& qemu, const FuzzedMachine& machine);

struct Step {
    enum class Do {
        kWrite,
        kRead,
        kOut,
        kIn,
        kStore,
        kPass,
        kSet,
        kMonitor,
        kLook, /* take a screendump */
        kReset,
        kSave,
        kLoad
    };

    Do what = Do::kPass;
    unsigned size = 4;     /* size of an access in bytes */
    uint64_t address = 0;  /* address of an access or a store, or a port */
    uint64_t value = 0;    /* value to write, or nanoseconds to pass */
    Words words = {};      /* words to store */
    std::string name = {}; /* QMP command, QOM path, or ID of the device with the screen */
    std::string text = {}; /* "property value" */
};

std::ostream& operator<<(std::ostream& out, const Step& step);

using Program = std::vector<Step>;

/*
 * Lowers the INTx of the Geode's PCI function and masks its interrupts; throws if INTx stays high.
 */
void put_intx_down(Qemu& qemu, const FuzzedMachine& machine);
Program random_program(const FuzzedMachine& machine, Dice& dice, size_t steps);
void play(Qemu& qemu, const Program& program);

/* Throws unless @qemu still answers and no sanitizer has reported an error. */
void expect_sound(Qemu& qemu);
/* Returns the first sanitizer report in @text, or nullopt. */
std::optional<std::string> sanitizer_report(const std::string& text);

/* Test parameters, one for each machine and worker, and their names. */
using MachineAndWorker = std::tuple<FuzzedMachine, bool>;
std::string machine_and_worker(const testing::TestParamInfo<MachineAndWorker>& info);

} // namespace pixmill::qtest

#endif

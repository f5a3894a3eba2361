/*
 * Random programs for the machines that have our devices: register accesses, command lists, faults
 * on demand, resets, stops and snapshots.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program is the same for the same seed and number.  It is structured so that most of it gets
 * past the first check of a device: registers that exist, lists with valid commands, surfaces in
 * RAM, and then values that nobody would choose.
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
    /* What a range ends with, a power of two and its neighbours, or anything. */
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
    kRegisters,
    kPorts,
    kPciFunction
};

/* Where the VRAM of a Geode is, and in it the ring. */
struct GeodeVram {
    uint32_t address; /* as the processor sees it */
    uint32_t of_gp;   /* as the GP does */
    uint32_t ring;
};

struct FuzzedDevice {
    DeviceKind kind;
    const char* path;    /* in QEMU's tree of objects; "" for plain registers */
    const char* counter; /* property that shows that it has worked */
    uint64_t base;       /* of ports the first one; of a PCI function its slot */
    uint32_t size;
    GeodeVram vram = {};
};

/* A base address register of the function in that slot. */
struct PciBar {
    uint32_t slot, number, address;
};

struct FuzzedMachine {
    const char* name;
    const char* machine; /* -M */
    uint32_t megabytes;  /* of RAM */
    uint32_t ram;        /* programs keep lists and surfaces in kProgramRam bytes from here on */
    std::vector<FuzzedDevice> devices;
    std::vector<std::string> arguments = {}; /* of QEMU */
    std::vector<PciBar> bars = {};           /* where firmware puts them */
};

constexpr uint32_t kProgramRam = 4u << 20;

void PrintTo(const FuzzedMachine& machine, std::ostream* out);
std::span<const FuzzedMachine> fuzzed_machines();
/* Those of the QEMU for i386. */
std::span<const FuzzedMachine> fuzzed_pcs();
/* Those of the QEMU for aarch64. */
std::span<const FuzzedMachine> fuzzed_64_bit_machines();
/* RAM is shared memory of the host, which snapshots leave out: prepare() says so to QEMU. */
QemuOptions fuzzed_options(const FuzzedMachine& machine, bool threaded);
/* What comes before the first step, in a QEMU with the options above. */
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
        kLook, /* at the screen */
        kReset,
        kSave,
        kLoad
    };

    Do what = Do::kPass;
    unsigned size = 4;     /* of an access */
    uint64_t address = 0;  /* of an access or a store; a port */
    uint64_t value = 0;    /* that is written; nanoseconds that pass */
    Words words = {};      /* that are stored */
    std::string name = {}; /* of a QMP command, or a QOM path */
    std::string text = {}; /* "property value" */
};

std::ostream& operator<<(std::ostream& out, const Step& step);

using Program = std::vector<Step>;

/* Puts the INTx of PCI functions down, and keeps it there. */
void put_intx_down(Qemu& qemu, const FuzzedMachine& machine);
Program random_program(const FuzzedMachine& machine, Dice& dice, size_t steps);
void play(Qemu& qemu, const Program& program);

/* What is wrong with a QEMU that has played programs: it answers and has reported nothing. */
void expect_sound(Qemu& qemu);
/* A report of a sanitizer in @text, or nothing. */
std::optional<std::string> sanitizer_report(const std::string& text);

/* The parameters of a test for each machine and worker, and their names. */
using MachineAndWorker = std::tuple<FuzzedMachine, bool>;
std::string machine_and_worker(const testing::TestParamInfo<MachineAndWorker>& info);

} // namespace pixmill::qtest

#endif

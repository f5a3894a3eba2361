/*
 * Saves machines with work in flight, corrupts the saved state of our devices, and loads it.  QEMU
 * must refuse or run each stream, and must never go down.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp.  A case is one process: it plays a random program, takes a
 * snapshot and loads kStreams corrupted copies in turn, each into the state that the previous one
 * left.
 */
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "../random_setting.hpp"
#include "random_program.hpp"
#include "saved_machine.hpp"

namespace pixmill::qtest {
namespace {

constexpr unsigned kStreams = 8;
constexpr size_t kStepsBefore = 150;
constexpr size_t kStepsAfter = 30;

/* All VMStateDescriptions of hw/qemu, by name. */
const std::vector<std::string_view> kOurs{"vivante-gc",
                                          "nema-gfx",
                                          "sgx544",
                                          "geode-gp",
                                          "geode-display",
                                          "imx.ipuv3h",
                                          "geode-lx-video",
                                          "cs5536",
                                          "ti-irq-crossbar",
                                          "ti-irq-crossbar-bank",
                                          "ti-soc-registers",
                                          "ti-dm-timer",
                                          "ti-counter32k",
                                          "omap-uart",
                                          "nxp-lpuart",
                                          "lcdifv2",
                                          "pl310",
                                          "cortex-m-caches",
                                          "dw-hdmi",
                                          "imx-pwm",
                                          "imx6-iomuxc-gpr",
                                          "gr5526",
                                          "gr5526-display",
                                          "register-block",
                                          "simple-framebuffer",
                                          "pixmill-toy"};

/*
 * QEMU's PCI code saves the INTx count of a bus in one section and the INTx level of a function in
 * another.  If the two disagree, QEMU 10.0 aborts at the next reset (pcibus_reset_hold()). The PCs
 * are therefore saved with INTx low, and the PCI fields of a function are left alone.
 */
bool is_of_pci(const SavedSection& section, const SavedField& field) {
    return section.name.find('/') != std::string::npos &&
           (field.name == "version_id" || field.name.starts_with("config") ||
            field.name.starts_with("irq_state"));
}

/* Corrupts a saved machine and describes the changes. */
class Mutator {
public:
    Mutator(SavedMachine& machine, Dice& dice) : machine_(machine), dice_(dice) {}

    void change() {
        said_.str("");
        if (dice_.one_in(16)) {
            change_section();
        }
        for (uint32_t n = dice_.from(1, dice_.one_in(4) ? 40 : 4); n > 0; --n) {
            change_field();
        }
    }
    [[nodiscard]] std::string said() const { return said_.str(); }

private:
    const SavedSection& section() {
        return dice_.pick(std::span<const SavedSection>(machine_.sections()));
    }

    uint64_t new_number(uint64_t old) {
        switch (dice_.below(5)) {
        case 0:
            return old ^ uint64_t { 1 } << dice_.below(64);
        case 1:
            return old + dice_.below(3) - 1;
        case 2:
            return uint64_t{dice_.edge()} << 32 | dice_.edge();
        case 3:
            return dice_.below(70);
        default:
            return dice_.edge();
        }
    }

    /* Makes half of the changes in the first 16 elements of an array, which matter most. */
    void change_field() {
        const SavedSection& of = section();
        const SavedField& field = dice_.pick(std::span<const SavedField>(of.fields));
        if (is_of_pci(of, field)) {
            return;
        }
        const auto count = static_cast<uint32_t>(field.count);
        const uint32_t element = dice_.below(dice_.one_in(2) ? std::min(count, 16u) : count);
        const size_t size = std::min<size_t>(field.size, 8);
        const size_t at = field.at + element * field.size +
                          dice_.below(static_cast<uint32_t>(field.size - size + 1));
        const uint64_t number = new_number(machine_.number(at, size));
        machine_.write(at, size, number);
        said_ << "  " << of.name << ' ' << field.name << '[' << element << "] = 0x" << std::hex
              << number << std::dec << '\n';
    }

    /* Corrupts a byte of the header, a byte of the footer, or everything from some offset on. */
    void change_section() {
        const SavedSection& of = section();
        size_t at = of.header + dice_.below(static_cast<uint32_t>(of.header_size));
        size_t size = 1;
        switch (dice_.below(3)) {
        case 0:
            break;
        case 1:
            at = of.footer + dice_.below(5);
            break;
        default:
            at += dice_.below(static_cast<uint32_t>(of.footer - at));
            size = 4096;
        }
        const char fill = static_cast<char>(dice_.any());
        machine_.write(at, std::string(size, fill));
        said_ << "  " << of.name << " + " << at - of.header << ": " << size << " bytes of "
              << static_cast<int>(fill) << '\n';
    }

    SavedMachine& machine_;
    Dice& dice_;
    std::ostringstream said_;
};

struct Loads {
    unsigned refused = 0;
    unsigned taken = 0;

    [[nodiscard]] bool both() const { return refused && taken; }
};

class FuzzStreams : public testing::TestWithParam<MachineAndWorker> {
protected:
    static Program steps(const FuzzedMachine& machine, Dice& dice, size_t count) {
        Program program = random_program(machine, dice, count);
        std::erase_if(program, [](const Step& step) {
            return step.what == Step::Do::kSave || step.what == Step::Do::kLoad;
        });
        return program;
    }

    /* Sets @last to a description of the latest change, for the report if QEMU fails. */
    static Loads run(uint64_t seed, uint64_t number, std::string& last) {
        const auto& [machine, threaded] = GetParam();
        Dice dice(seed, number);
        Qemu qemu(fuzzed_options(machine, threaded));
        prepare(qemu, machine);
        play(qemu, steps(machine, dice, kStepsBefore));
        put_intx_down(qemu, machine);
        qemu.qmp_error("stop");
        qemu.save_snapshot();
        SavedMachine saved(qemu.snapshot_file(), kOurs);
        if (saved.sections().empty()) {
            throw QemuError("no section of ours in the snapshot");
        }
        Loads loads;
        Mutator mutator(saved, dice);
        for (unsigned stream = 0; stream < kStreams; ++stream) {
            mutator.change();
            last = mutator.said();
            (qemu.load_snapshot_error().empty() ? loads.taken : loads.refused) += 1;
            qemu.qmp_error("cont");
            play(qemu, steps(machine, dice, kStepsAfter));
            expect_sound(qemu);
            saved.restore();
        }
        last = "  the end\n";
        qemu.load_snapshot(); /* the original state must still load */
        const std::string end = qemu.quit();
        if (end != "exit 0" || sanitizer_report(qemu.stderr_text())) {
            throw QemuError(end + '\n' + qemu.stderr_text());
        }
        return loads;
    }
};

TEST_P(FuzzStreams, AreRefusedOrRun) {
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const CaseRange cases = case_range(2);
    Loads all;
    /* If all streams so far were refused, or all were accepted, try more cases. */
    const uint64_t most = cases.end + 8;
    for (uint64_t number = cases.first; number < (all.both() ? cases.end : most); ++number) {
        std::string last = "  before the first stream\n";
        try {
            const Loads loads = run(seed, number, last);
            all.refused += loads.refused;
            all.taken += loads.taken;
        } catch (const std::exception& error) {
            FAIL() << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << ", after\n"
                   << last << error.what();
        }
    }
    /*
     * Some streams must be refused and some must load; otherwise they do not exercise our devices.
     */
    EXPECT_TRUE(all.both()) << all.taken << " taken, " << all.refused << " refused";
    std::cout << "figures: " << all.taken + all.refused << " migration streams, " << all.refused
              << " refused\n";
}

INSTANTIATE_TEST_SUITE_P(On, FuzzStreams,
                         testing::Combine(testing::ValuesIn(fuzzed_machines().begin(),
                                                            fuzzed_machines().end()),
                                          testing::Bool()),
                         machine_and_worker);

INSTANTIATE_TEST_SUITE_P(
    OnPc, FuzzStreams,
    testing::Combine(testing::ValuesIn(fuzzed_pcs().begin(), fuzzed_pcs().end()), testing::Bool()),
    machine_and_worker);

INSTANTIATE_TEST_SUITE_P(On64Bit, FuzzStreams,
                         testing::Combine(testing::ValuesIn(fuzzed_64_bit_machines().begin(),
                                                            fuzzed_64_bit_machines().end()),
                                          testing::Bool()),
                         machine_and_worker);

} // namespace
} // namespace pixmill::qtest

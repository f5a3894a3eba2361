/*
 * Compares GpMachine with reference::GeodeReference on random work: VRAM, registers, the LUT and
 * the interrupt line. Also checks that the cases cover each kind of work.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <iomanip>
#include <sstream>

#include "../../../random_setting.hpp"
#include "cases.hpp"
#include "machine.hpp"
#include "model.hpp"
#include "shown.hpp"

namespace pixmill::test {
namespace {

using Verb = GeodeStep::Verb;

/* ---- The comparison --------------------------------------------------------- */

/* Ways to split the device's work. They depend on the case number. */
struct Ways {
    explicit Ways(uint64_t number)
        : migrates(number % 20 == 1), words(number % 3 == 0 ? 2 : 4096),
          bytes(number % 4 == 0 ? 64 : 1 << 20) {}
    bool migrates;
    uint32_t words;
    uint64_t bytes;
};

class Twins {
public:
    Twins(const GeodeCase& c, const Ways& ways)
        : device_(kGeodeCaseVram, {}, c.vram_base), model_(geode_case_memory(c), c.vram_base) {
        device_.migrates = ways.migrates;
        device_.words = ways.words;
        device_.bytes = ways.bytes;
        std::ranges::copy(model_.vram(), device_.vram().begin());
    }

    /* Plays a step on both. Returns false if they differ. */
    bool take(const GeodeStep& step) {
        switch (step.verb) {
        case Verb::write:
            device_.write(step.offset, step.size, step.value);
            model_.write(step.offset, step.size, step.value);
            break;
        case Verb::msr:
            device_.write_msr(step.offset, step.value);
            model_.write_msr(step.offset, step.value);
            break;
        case Verb::put:
            put(device_, step);
            put(model_, step);
            break;
        case Verb::read:
            compare_read(step.offset, step.size);
            compare_vram();
            break;
        }
        compare("the interrupt", device_.interrupt(), model_.interrupt());
        return text_.str().empty();
    }

    /* Compares all state. */
    void compare_all() {
        for (uint32_t offset = 0; offset < 0x80; offset += 4)
            compare_read(offset, 4);
        for (uint32_t n = 0; n < 0x200 && text_.str().size() < 400; n++)
            compare_read(0x74, 4);
        compare("MSR 1", device_.read_msr(1), model_.read_msr(1));
        compare_vram();
    }

    std::string differences() const { return text_.str(); }

private:
    static void put(GeodeGp& gp, const GeodeStep& step) {
        for (uint32_t n = 0; n < 4; n++)
            gp.vram()[step.offset + n] = static_cast<uint8_t>(step.value >> 8 * n);
    }

    void compare(const char* what, uint64_t actual, uint64_t expected) {
        if (actual != expected)
            text_ << what << " is " << std::hex << actual << " instead of " << expected << '\n';
    }

    void compare_read(uint32_t offset, uint32_t size) {
        std::ostringstream what;
        what << "register " << std::hex << offset;
        compare(what.str().c_str(), device_.read(offset, size), model_.read(offset, size));
    }

    void compare_vram() {
        const std::span<const uint8_t> actual = device_.vram(), expected = model_.vram();
        const auto [wrong, right] = std::ranges::mismatch(actual, expected);
        if (wrong != actual.end())
            text_ << "VRAM " << std::hex << wrong - actual.begin() << " is " << int{*wrong}
                  << " instead of " << int{*right} << '\n';
    }

    GpMachine device_;
    GeodeModel model_;
    std::ostringstream text_;
};

/*
 * Returns the differences, or an empty string. Steps from @last on are not needed to reproduce
 * them.
 */
std::string check(const GeodeCase& c, const Ways& ways, size_t* last = nullptr) {
    Twins twins(c, ways);
    size_t taken = 0;
    bool same = true;
    while (same && taken < c.steps.size())
        same = twins.take(c.steps[taken++]);
    if (same)
        twins.compare_all();
    if (last)
        *last = taken;
    return twins.differences();
}

/* ---- Failure report ---- */

/*
 * Removes steps that the difference does not need. Limited to 20 seconds, because an endless
 * ring is slow.
 */
GeodeCase reduced(GeodeCase c, const Ways& ways) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    size_t last = 0;
    const auto kind = [&](const GeodeCase& other) {
        const std::string text = check(other, ways, &last);
        return text.substr(0, text.find(" is "));
    };
    const std::string first_kind = kind(c);
    c.steps.resize(last);
    for (size_t part = std::max<size_t>(last / 2, 1); part > 0; part /= 2) {
        for (size_t first = 0; first < c.steps.size();) {
            if (std::chrono::steady_clock::now() > deadline)
                return c;
            GeodeCase shorter = c;
            const auto begin = shorter.steps.begin() + static_cast<ptrdiff_t>(first);
            const size_t count = std::min(part, c.steps.size() - first);
            shorter.steps.erase(begin, begin + static_cast<ptrdiff_t>(count));
            if (kind(shorter) != first_kind)
                first += part;
            else
                c = std::move(shorter);
        }
    }
    return c;
}

std::string describe(const GeodeCase& c) {
    static constexpr const char* kVerbs[] = {"W", "read", "put", "MSR"};
    std::ostringstream text;
    text << std::hex << std::uppercase << "VRAM from " << c.vram_base << std::setfill('0');
    uint32_t column = 0;
    for (const GeodeStep& step : c.steps) {
        text << (column++ % 6 ? "  " : "\n") << kVerbs[static_cast<int>(step.verb)];
        if (step.size < 4)
            text << int(8 * step.size);
        text << ' ' << std::setw(2) << step.offset;
        if (step.verb != Verb::read)
            text << '=' << std::setw(static_cast<int>(2 * std::min(step.size, 4u))) << step.value;
    }
    return text.str() + '\n';
}

/* ---- Coverage of the cases ---- */

/* Kinds of work that affect pictures, and kinds of events. */
constexpr struct {
    const char* name;
    double cases; /* one in this many cases covers it (measured, rounded up) */
} kUsual[] = {{"anything", 0.57},
              {"BPP 0", 5.4},
              {"BPP 4", 4.7},
              {"BPP 5", 4.8},
              {"BPP 6", 2.5},
              {"BPP 8", 2.3},
              {"BPP undefined", 29},
              {"ROP", 1.3},
              {"EN 1", 5.9},
              {"EN 2", 7.6},
              {"EN 3", 3.0},
              {"OS 0", 6.7},
              {"OS 1", 5.8},
              {"OS 2", 11},
              {"OS 3", 11},
              {"AS 0", 20},
              {"AS 1", 34},
              {"AS 2", 17},
              {"AS 3", 54},
              {"AS 4", 18},
              {"AS 5", 19},
              {"AS 6", 5.8},
              {"AS 7", 30},
              {"CS", 1.6},
              {"SI", 5.5},
              {"ST mono", 3.4},
              {"ST color", 3.0},
              {"PI", 5.9},
              {"PT", 5.3},
              {"PM 1", 5.9},
              {"PM 2", 6.2},
              {"pattern's origin", 3.0},
              {"X", 2.8},
              {"Y", 2.6},
              {"DR", 1.4},
              {"colors from memory", 6.6},
              {"colors from the host", 9.2},
              {"unpacked from memory", 17},
              {"unpacked from the host", 28},
              {"packed from memory", 21},
              {"packed from the host", 27},
              {"first bit", 6.1},
              {"first byte of the host's", 5.9},
              {"overlap", 31},
              {"FMT 0", 24},
              {"FMT 1", 24},
              {"FMT 2", 34},
              {"FMT 4", 24},
              {"FMT 5", 24},
              {"FMT 6", 12},
              {"FMT 7", 24},
              {"FMT 8", 11},
              {"FMT B", 21},
              {"FMT D", 21},
              {"FMT E", 29},
              {"FMT undefined", 93},
              {"CH3 is the pattern", 6.9},
              {"CH3 X", 12},
              {"CH3 Y", 13},
              {"CH3 rotated", 19},
              {"CH3 BGR", 11},
              {"CH3 from the host", 7.6},
              {"first byte of CH3's host's", 9.0},
              {"second nibble", 32},
              {"8x8 FMT 0", 54},
              {"8x8 FMT 4", 44},
              {"8x8 FMT 5", 52},
              {"8x8 FMT 6", 39},
              {"8x8 FMT 8", 46},
              {"8x8 BGR", 42},
              {"8x8 origin", 9.3},
              {"vector", 3.0},
              {"YJ", 6.2},
              {"DJ", 6.0},
              {"DN", 6.4},
              {"vector DR", 7.2},
              {"dash", 4.9},
              {"vector EN", 6.4},
              {"vector PM 1", 21},
              {"vector PM 2", 24},
              {"I0", 11},
              {"I1", 4.4},
              {"LUT packet", 4.5},
              {"a line wraps", 7.6},
              {"a packet wraps", 4.9},
              {"data in a BLT's packet", 6.7},
              {"data packet", 2.3},
              {"pattern packet", 2.2},
              {"pending", 16},
              {"prepared by a packet", 4.8},
              {"registers in parts", 0.23},
              {"reset while busy", 122},
              {"the ring stalls", 12},
              {"third operation", 86},
              {"underflow", 23},
              {"waits for host words", 2.2}};

void count(const GeodeCase& c, GeodeCounts& counts) {
    for (const auto& [name, times] : c.events)
        counts[name] += times;
    for (const GeodeDraw& draw : c.draws)
        count_shown(draw, c.vram_base, counts);
}

void expect_usual(GeodeCounts& counts, uint64_t cases) {
    for (const auto& [name, one_in] : kUsual)
        EXPECT_GE(counts[name], least(static_cast<double>(cases) / one_in)) << name;
}

/* ---- Test ---- */

TEST(GeodeRandom, DeviceEqualsReference) {
    RandomCases cases(2000);
    GeodeCounts counts;
    for (const auto [seed, number] : cases) {
        const GeodeCase c = random_geode_case(seed, number);
        const Ways ways(number);
        const std::string wrong = check(c, ways);
        ASSERT_FALSE(HasFailure()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
        if (wrong.empty()) {
            count(c, counts);
            continue;
        }
        const GeodeCase shortest = reduced(c, ways);
        FAIL() << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
               << describe(shortest) << check(shortest, ways);
    }
    if (!cases.only_one())
        expect_usual(counts, cases.played());
}

} // namespace
} // namespace pixmill::test

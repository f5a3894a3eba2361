/*
 * Compares all of memory between the device and reference::Engine2d, after random
 * states and a draw of any primitive. Also checks that enough cases of each kind
 * have an effect.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <iomanip>
#include <map>
#include <memory>
#include <optional>
#include <sstream>

#include "../../../random_setting.hpp"
#include "cases.hpp"

namespace pixmill::test {
namespace {

Stream stream_of(const Case& c) {
    Stream stream = select_2d();
    for (const Write& write : c.states)
        stream.state(write.addr, write.value);
    if (!c.kick)
        stream.draw(c.rects, c.data);
    return stream.end();
}

std::string describe(const Case& c) {
    std::ostringstream text;
    text << c.model << ", " << c.primitive << ", quirks " << c.quirks_on << " on, " << c.quirks_off
         << " off" << std::hex << std::setfill('0');
    uint32_t column = 0;
    for (const Write& write : c.states) {
        const bool table = write.addr >= 0x1800 && write.addr < 0x3800;
        if (!table)
            text << (column++ % 6 ? "  " : "\n") << write.addr << '=' << std::setw(8)
                 << write.value;
    }
    text << '\n' << std::dec;
    for (const Rect& r : c.rects)
        text << '(' << r.left << ',' << r.top << ',' << r.right << ',' << r.bottom << ") ";
    text << c.data.size() << " words of data\n";
    return text.str();
}

/* ---- Coverage of the cases ----------------------------------------------- */

/* Replacement values of states, used to find out whether a case depends on them. */
struct Plain {
    const char* name;
    const char* primitive; /* only for this primitive; null: for all */
    uint32_t first, last;  /* addresses of the states */
    uint32_t bits, value;
};
constexpr Plain kPlain[] = {
    {"SRC_SIZE of a stretch", "stretch", state::kSrcSize, state::kSrcSize, ~0u, 0x00010001},
    {"GDI_STRE of a stretch", "stretch", state::kDestConfig, state::kDestConfig, kGdiStretch, 0},
    {"factors of a stretch", "stretch", state::kStretchLow, state::kStretchHigh, ~0u, 0},
    {"INIT_TRIGGER", nullptr, state::kPatternConfig, state::kPatternConfig, 0xC0, 0xC0},
};

/* Returns the case with the states replaced, or nothing if that changes none. */
std::optional<Case> with(const Plain& plain, const Case& c) {
    if (plain.primitive && c.primitive != std::string(plain.primitive))
        return {};
    Case other = c;
    bool differs = false;
    for (Write& write : other.states) {
        if (write.addr < plain.first || write.addr > plain.last)
            continue;
        const uint32_t value = (write.value & ~plain.bits) | plain.value;
        differs |= value != write.value;
        write.value = value;
    }
    return differs ? std::optional(other) : std::nullopt;
}

/*
 * The number of cases that change memory, for each primitive, and of cases whose picture depends on
 * a state, for each row of kPlain.
 */
using Counts = std::map<std::string, uint64_t>;

constexpr struct {
    const char* name;
    uint32_t cases; /* cases per counted case, as measured and rounded up */
} kUsual[] = {{"clear", 17},
              {"line", 20},
              {"blit", 10},
              {"stretch", 10},
              {"mask", 30},
              {"mono stream", 27},
              {"filter", 16},
              {"multi-source", 18},
              {"SRC_SIZE of a stretch", 17},
              {"GDI_STRE of a stretch", 33},
              {"factors of a stretch", 70},
              {"INIT_TRIGGER", 19},
              {"migrated inside a row", 10}};

/* Pictures without the draw and with replaced states. A case counts if it differs from them. */
class Others {
public:
    Others(Machine& m, const Case& c) {
        add(c.primitive, m);
        for (const Plain& plain : kPlain) {
            if (const std::optional<Case> other = with(plain, c))
                add(plain.name, m).run(stream_of(*other).words());
        }
    }
    void count(const Machine& m, Counts& counts) const {
        for (const auto& [name, twin] : twins_)
            counts[name] += !twin->difference(m).empty();
    }

private:
    Twin& add(const char* name, Machine& m) {
        Twin& twin = *twins_.emplace_back(name, std::make_unique<Twin>(m)).second;
        twin.copy(m);
        return twin;
    }

    std::vector<std::pair<const char*, std::unique_ptr<Twin>>> twins_;
};

/* ---- The test ------------------------------------------------------------ */

/* Returns the differences between device and reference, or an empty string. */
std::string check(const Case& c, bool migrate, bool threads, Counts& counts) {
    uint64_t& inside = counts["migrated inside a row"];
    Machine m({.model = c.model,
               .render_threads = threads ? 3u : 1u,
               .render_share = 1,
               .quirks_on = c.quirks_on,
               .quirks_off = c.quirks_off,
               .ram_size = kCaseRam,
               .audit = migrate,
               .budget = migrate ? 50u : 4096u,
               .draw_budget = migrate ? 256u : 1u << 20});
    m.allow_logs();
    std::mt19937 random(c.seed);
    scribble(m, random, kCaseTarget, kCaseRam - kCaseTarget);
    const Stream stream = stream_of(c);
    m.put_stream(kStreamAt, stream);
    Twin twin(m);
    twin.copy(m);
    twin.run(stream.words());
    const Others others(m, c);
    m.start(kStreamAt, stream.qwords());
    const int64_t end = m.host.now + 20'000'000;
    for (int n = 0; m.step(end) && n < 100'000; n++) {
        if (!migrate || n % 2 == 0)
            continue;
        inside += m.save()->de_draw_column != 0;
        m.migrate();
    }
    if ((m.peek(reg::kIdle) & 0xFF) != 0xFF)
        return "not idle\n";
    others.count(m, counts);
    return twin.difference(m);
}

TEST(Vivante2dRandom, DeviceEqualsReference) {
    RandomCases cases(2000);
    Counts counts;
    for (const auto [seed, number] : cases) {
        const Case c = random_case(seed, number);
        const std::string wrong = check(c, number % 25 == 0, number % 3 == 0, counts);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
    for (const auto& [name, one_in] : kUsual)
        EXPECT_GE(counts[name], least(static_cast<double>(cases.played()) / one_in)) << name;
}

} // namespace
} // namespace pixmill::test

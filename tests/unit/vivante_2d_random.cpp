/*
 * Device == reference::Engine2d on random states and draws of every primitive, byte
 * for byte over all of memory.
 *
 * Settings: tests/random_setting.hpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <iomanip>
#include <sstream>

#include "../random_setting.hpp"
#include "vivante_2d_cases.hpp"

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
    text << c.model << ", " << c.primitive << std::hex << std::setfill('0');
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

/* What differs, or nothing. */
std::string check(const Case& c, bool migrate, bool threads) {
    Machine m({.model = c.model,
               .render_threads = threads ? 3u : 1u,
               .render_share = 1,
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
    m.start(kStreamAt, stream.qwords());
    const int64_t end = m.host.now + 20'000'000;
    for (int n = 0; m.step(end) && n < 100'000; n++) {
        if (migrate && n % 2)
            m.migrate();
    }
    if ((m.peek(reg::kIdle) & 0xFF) != 0xFF)
        return "not idle\n";
    return twin.difference(m);
}

TEST(Vivante2dRandom, DeviceEqualsReference) {
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    const uint64_t first = only == UINT64_MAX ? 0 : only;
    const uint64_t end = only == UINT64_MAX ? random_cases(2000) : only + 1;
    for (uint64_t number = first; number < end; number++) {
        const Case c = random_case(seed, number);
        const std::string wrong = check(c, number % 50 == 0, number % 3 == 0);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << wrong;
    }
}

} // namespace
} // namespace pixmill::test

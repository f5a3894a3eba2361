/*
 * The device must match tests/data/nema_vectors.txt with any drawing budget and any layout of host
 * memory.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <sstream>

#include "../machine.hpp"
#include "../vectors.hpp"

namespace pixmill::test {
namespace {

using Verb = NemaStatement::Verb;
using Numbers = std::vector<uint64_t>;

/* The defaults, a budget of one pixel per slice, and memory in spans of a few bytes. */
const NemaOptions kHosts[] = {{}, {.draw_budget = 1}, {.grain = 5}};

class NemaVectors : public testing::TestWithParam<NemaVector> {
protected:
    static void execute(Nema& nema, const NemaStatement& statement) {
        const Numbers& n = statement.numbers;
        switch (statement.verb) {
        case Verb::reset:
            nema.reset();
            break;
        case Verb::memory:
            for (size_t i = 1; i < n.size(); i++)
                nema.host.ram.set_byte(n[0] + i - 1, uint8_t(n[i]));
            break;
        case Verb::write:
            for (size_t i = 0; i < n.size(); i += 2)
                nema.set(uint32_t(n[i]), uint32_t(n[i + 1]));
            break;
        case Verb::read:
            for (size_t i = 0; i < n.size(); i += 2)
                EXPECT_EQ(nema.read(uint32_t(n[i])), n[i + 1]) << std::hex << n[i];
            break;
        case Verb::expect: {
            Numbers found{n[0]};
            for (size_t i = 1; i < n.size(); i++)
                found.push_back(nema.host.ram.byte(n[0] + i - 1));
            EXPECT_EQ(found, n);
            break;
        }
        case Verb::instruction: {
            const auto state = nema.save();
            EXPECT_EQ(state->imem[2 * n[0] + 1], n[1]);
            EXPECT_EQ(state->imem[2 * n[0]], n[2]);
            break;
        }
        case Verb::line:
            EXPECT_EQ((std::array{nema.irq(), nema.error_irq(), nema.freeze()}.at(n[0])),
                      n[1] != 0);
            break;
        }
    }
};

TEST_P(NemaVectors, Hold) {
    for (const NemaOptions& options : kHosts) {
        Nema nema(options);
        for (const NemaStatement& statement : GetParam().statements) {
            SCOPED_TRACE("nema_vectors.txt:" + std::to_string(statement.number_of_line) +
                         " draw_budget " + std::to_string(options.draw_budget) + " grain " +
                         std::to_string(options.grain));
            execute(nema, statement);
        }
        nema.expected_logs = nema.host.logs().size(); /* some vectors have bad input */
    }
}

INSTANTIATE_TEST_SUITE_P(Nema, NemaVectors, testing::ValuesIn(read_nema_vectors()),
                         [](const auto& info) { return info.param.name.substr(0, 3); });

} // namespace
} // namespace pixmill::test

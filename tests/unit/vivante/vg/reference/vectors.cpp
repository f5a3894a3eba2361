/*
 * The independent model of the VG core matches tests/data/vivante_vg_vectors.txt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "../model.hpp"
#include "../vectors.hpp"

namespace pixmill::test {
namespace {

class VivanteVgReferenceVectors : public testing::TestWithParam<VgVector> {};

TEST_P(VivanteVgReferenceVectors, Hold) {
    play(GetParam(), make_vg_model);
}

INSTANTIATE_TEST_SUITE_P(Vg, VivanteVgReferenceVectors, testing::ValuesIn(read_vg_vectors()),
                         [](const auto& info) { return info.param.name; });

TEST(VivanteVgReference, AllVectorsAreThere) {
    std::map<char, unsigned> families;
    for (const VgVector& vector : read_vg_vectors())
        families[vector.name[0]]++;
    /* VivanteVgControl, and not a vector, tests 8-bit and 16-bit accesses. */
    const std::map<char, unsigned> all{{'F', 16}, {'R', 16}, {'B', 12}, {'A', 12},
                                       {'D', 22}, {'T', 13}, {'G', 7},  {'O', 10},
                                       {'E', 37}, {'X', 47}, {'V', 28}};
    EXPECT_EQ(families, all);
}

TEST(VivanteVgReference, EveryDoubtHasAVector) {
    /*
     * VivanteVgControl tests these two on devices: starts during another stream, and the
     * idle bits while a stream runs.
     */
    std::set<std::string> doubts{"VD5", "VD16"};
    for (const VgVector& vector : read_vg_vectors())
        for (const VgStatement& statement : vector.statements)
            if (statement.verb == "unknown")
                doubts.insert(statement.words.begin(), statement.words.end());
    std::set<std::string> all;
    for (int n = 1; n <= 69; n++)
        all.insert("VD" + std::to_string(n));
    EXPECT_EQ(doubts, all);
}

} // namespace
} // namespace pixmill::test

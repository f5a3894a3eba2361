/*
 * The independent model of the VG core does what tests/data/vivante_vg_vectors.txt says.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>

#include "../vivante_vg/model.hpp"
#include "../vivante_vg/vectors.hpp"

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
    /* Accesses of 8 and 16 bits are for devices. */
    const std::map<char, unsigned> all{{'F', 16}, {'R', 16}, {'B', 12}, {'A', 12}, {'D', 21},
                                       {'T', 13}, {'G', 7},  {'O', 10}, {'X', 47}};
    EXPECT_EQ(families, all);
}

} // namespace
} // namespace pixmill::test

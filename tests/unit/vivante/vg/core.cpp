/*
 * Plays the vectors on the VG core of hw/vivante, and compares it with the independent model on
 * random jobs.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include "device.hpp"
#include "model.hpp"
#include "random_job.hpp"
#include "tests/processor.hpp"
#include "vectors.hpp"

namespace pixmill::test {
namespace {

constexpr uint64_t kJobs = 2000, kFewJobs = 300, kFewerJobs = 30; /* fewer for slow runs */

class VivanteVgVectors : public testing::TestWithParam<VgVector> {};

TEST_P(VivanteVgVectors, Hold) {
    play(GetParam(), vg_core());
}

INSTANTIATE_TEST_SUITE_P(Vg, VivanteVgVectors, testing::ValuesIn(read_vg_vectors()),
                         [](const auto& info) { return info.param.name; });

TEST(VivanteVgCoreTwin, RandomJobsLeaveWhatTheModelLeaves) {
    compare_vg_devices(kJobs, make_vg_model, vg_core());
}

TEST(VivanteVgCoreTwin, LoopsForAnyProcessorMakeNoDifference) {
    const processor::Portable portable;
    compare_vg_devices(kFewJobs, make_vg_model, vg_core());
}

TEST(VivanteVgCoreTwin, SmallStepsMakeNoDifference) {
    compare_vg_devices(kFewJobs, make_vg_model, vg_core({.budget = 2, .draw_budget = 300}));
}

TEST(VivanteVgCoreTwin, ScatteredMemoryMakesNoDifference) {
    compare_vg_devices(kFewerJobs, make_vg_model, vg_core({.grain = 4096, .relocate = true}));
    compare_vg_devices(kFewJobs, make_vg_model, vg_core({.grain = 7}));
}

TEST(VivanteVgCoreTwin, WhatIsWrittenIsReported) {
    compare_vg_devices(kFewerJobs, make_vg_model, vg_core({.audit = true}));
}

TEST(VivanteVgCoreTwin, MigrationInTheMiddleMakesNoDifference) {
    compare_vg_devices(kFewerJobs, make_vg_model,
                       vg_core({.draw_budget = 50000, .migrates = true}));
}

} // namespace
} // namespace pixmill::test

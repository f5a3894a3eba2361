/*
 * Random cases for the 2D engine. A case sets states of all kinds and then draws
 * one primitive.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_2D_CASES_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_2D_CASES_HPP

#include "vivante_2d.hpp"

namespace pixmill::test {

/* A case accesses only its surfaces, which are far apart, and its commands. */
constexpr uint64_t kCaseRam = 0x48000;
constexpr uint32_t kCaseTarget = 0x10000;

struct Case {
    const char* model = kPe20;
    const char* primitive = "";
    Writes states;
    std::vector<Rect> rects;
    Words data;
    bool kick = false; /* VR_CONFIG starts the draw instead of DRAW_2D */
    uint32_t seed = 0; /* of the memory contents */
    uint32_t quirks_on = 0, quirks_off = 0;
};

Case random_case(uint64_t seed, uint64_t number);

} // namespace pixmill::test

#endif

/*
 * Coverage of the random cases: counts the kinds of work that affect their pictures.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_GEODE_SHOWN_HPP
#define PIXMILL_TESTS_UNIT_GEODE_SHOWN_HPP

#include "cases.hpp"

namespace pixmill::test {

using GeodeCounts = std::map<std::string, uint64_t>;

/* Counts each kind of work without which the draw's result would be different. */
void count_shown(const GeodeDraw& draw, uint32_t vram_base, GeodeCounts& counts);

} // namespace pixmill::test

#endif

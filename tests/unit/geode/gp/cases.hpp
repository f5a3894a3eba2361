/*
 * Random work for the graphics processor of a Geode LX: all kinds of draws through register writes
 * and packets, host words that are late, surplus or missing, and other accesses in between.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_GEODE_CASES_HPP
#define PIXMILL_TESTS_UNIT_GEODE_CASES_HPP

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pixmill::test {

/* Sources and destinations use the first three quarters of VRAM. The ring follows. */
constexpr uint32_t kGeodeCaseVram = 0x10000;
constexpr uint32_t kGeodeCaseRing = 0xC000;

/* Indexed by offset / 4. */
using GeodeRegisters = std::array<uint32_t, 0x7C / 4>;
using GeodeLut = std::array<uint32_t, 0x200>;

struct GeodeStep {
    enum class Verb { write, read, put, msr } verb; /* put writes a word to VRAM */
    uint32_t offset, size, value;
};

/* A draw that started immediately, and the state at its start. */
struct GeodeDraw {
    bool is_vector;
    GeodeRegisters registers;
    GeodeLut lut;
    std::vector<uint8_t> vram;
};

struct GeodeCase {
    uint32_t vram_base;
    uint32_t memory_seed;
    std::vector<GeodeStep> steps;
    std::vector<GeodeDraw> draws;
    std::map<std::string, uint64_t> events; /* counts of what happened in the case */
};

GeodeCase random_geode_case(uint64_t seed, uint64_t number);

/* Returns the initial contents of VRAM. */
std::vector<uint8_t> geode_case_memory(const GeodeCase& c);

} // namespace pixmill::test

#endif

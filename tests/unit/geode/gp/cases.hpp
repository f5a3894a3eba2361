/*
 * Random work for the graphics processor of a Geode LX: draws of every kind by register writes and
 * by packets, host words that come late, too many or never, and what else a host can do meanwhile.
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

/* What is drawn and what it is drawn from lie in the first three quarters; then comes the ring. */
constexpr uint32_t kGeodeCaseVram = 0x10000;
constexpr uint32_t kGeodeCaseRing = 0xC000;

/* Registers by offset / 4. */
using GeodeRegisters = std::array<uint32_t, 0x7C / 4>;
using GeodeLut = std::array<uint32_t, 0x200>;

struct GeodeStep {
    enum class Verb { write, read, put, msr } verb; /* put: a word into VRAM */
    uint32_t offset, size, value;
};

/* One that has begun at once, and what it has met. */
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
    std::map<std::string, uint64_t> events; /* what has happened, by what it is */
};

GeodeCase random_geode_case(uint64_t seed, uint64_t number);

/* VRAM as a case finds it. */
std::vector<uint8_t> geode_case_memory(const GeodeCase& c);

} // namespace pixmill::test

#endif

/*
 * Random work for a NEMA|GFX: registers, programs, primitives, command lists.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_NEMA_CASES_HPP
#define PIXMILL_TESTS_UNIT_NEMA_CASES_HPP

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace pixmill::test {

constexpr uint32_t kNemaRam = 0x20000000;
constexpr uint32_t kNemaRamSize = 0x20000;
constexpr uint32_t kNemaLists = kNemaRam + 0x18000; /* behind what pixels can reach */

struct NemaWrite {
    uint32_t offset;
    uint32_t value;
};

struct NemaCase {
    uint64_t number = 0;
    std::vector<NemaWrite> writes; /* by the host, in order */
    std::vector<uint32_t> lists;   /* what is at kNemaLists */
    uint32_t seed = 0;             /* of the memory before the lists */
    bool holes = false;            /* a surface is partly where there is no memory */
};

/* The same for the same two numbers, from the same compiler. */
NemaCase make_nema_case(uint64_t seed, uint64_t number);

/* The same of blits: rectangles of texels that are moved and blended, and nothing else. Devices
 * know many short ways to do this. */
NemaCase make_nema_blits(uint64_t seed, uint64_t number);

/* The memory that a case begins with. */
std::vector<uint8_t> nema_case_memory(const NemaCase& c);

std::string describe(const NemaCase& c);

} // namespace pixmill::test

#endif

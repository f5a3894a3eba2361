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
constexpr uint32_t kNemaLists = kNemaRam + 0x18000; /* after all surfaces */

struct NemaWrite {
    uint32_t offset;
    uint32_t value;
};

struct NemaCase {
    uint64_t number = 0;
    std::vector<NemaWrite> writes; /* host writes in order */
    std::vector<uint32_t> lists;   /* contents of memory at kNemaLists */
    uint32_t seed = 0;             /* of the memory before the lists */
    bool holes = false;            /* part of a surface is outside memory */
};

/* Returns a case. The same arguments and compiler always give the same case. */
NemaCase make_nema_case(uint64_t seed, uint64_t number);

/*
 * Like make_nema_case(), but with blits only: rectangles of texels that are copied or blended.
 * Devices have many special paths for blits.
 */
NemaCase make_nema_blits(uint64_t seed, uint64_t number);

/* Returns a case's initial memory. */
std::vector<uint8_t> nema_case_memory(const NemaCase& c);

std::string describe(const NemaCase& c);

} // namespace pixmill::test

#endif

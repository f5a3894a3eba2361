// SPDX-License-Identifier: GPL-2.0-or-later
#include "injection.hpp"

namespace pixmill {

namespace {

constexpr unsigned first_bits = 48; ///< of a call's word that holds `first` and `chance`

uint32_t units_in(const char* text) {
    uint32_t units = *text ? 1 : 0;
    for (; *text; text++)
        units += *text == ' ';
    return units;
}

/// splitmix64.
uint64_t next_random(uint64_t& state) {
    uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

} // namespace

bool is_valid(const PixmillInjection& how, std::span<const PixmillFaultKind> kinds) {
    if (how.fault >= kinds.size())
        return false;
    const PixmillFaultKind& kind = kinds[how.fault];
    const uint32_t units = units_in(kind.units);
    return (units ? how.unit < units : how.unit == 0 && how.first <= 1) &&
           how.first >> first_bits == 0 && how.chance <= PIXMILL_CHANCE_ALWAYS &&
           !(kind.lasts && how.chance) && how.after_ns >= 0 && how.after_ns <= longest_delay_ns &&
           (kind.length_ns ? how.length_ns > 0 : how.length_ns == 0) &&
           how.length_ns <= longest_fault_ns;
}

CallWords words_of(const PixmillInjection& how) {
    return {how.fault | uint64_t(how.unit) << 32, how.first | uint64_t(how.chance) << first_bits,
            how.seed, uint64_t(how.after_ns), uint64_t(how.length_ns)};
}

PixmillInjection injection_of(const uint64_t words[PIXMILL_CALL_WORDS]) {
    return {.fault = uint32_t(words[0]),
            .unit = uint32_t(words[0] >> 32),
            .first = words[1] & ((uint64_t(1) << first_bits) - 1),
            .chance = uint32_t(words[1] >> first_bits),
            .seed = words[2],
            .after_ns = int64_t(words[3]),
            .length_ns = int64_t(words[4])};
}

uint64_t next_occurrence(uint32_t chance, uint64_t& random) {
    constexpr uint64_t most = 1 << 20; // more than 100 times the mean for the smallest chance
    uint64_t opportunity = 1;
    while (opportunity < most && next_random(random) % PIXMILL_CHANCE_ALWAYS >= chance)
        opportunity++;
    return opportunity;
}

} // namespace pixmill

// SPDX-License-Identifier: GPL-2.0-or-later
#include "timing.hpp"

#include "fields.hpp"
#include "offsets.hpp"

namespace pixmill::ipuv3 {
namespace {

/// SW_GEN0 of counter `n`, 1 to 9.
uint32_t counter(std::span<const uint32_t> di, uint32_t n) {
    return di[DI_SW_GEN0_1 / 4 + n - 1];
}

/// The repeat count of counter `n`.
uint32_t repeat(std::span<const uint32_t> di, uint32_t n) {
    const uint32_t word = di[DI_STP_REP_1 / 4 + (n - 1) / 2];
    return n % 2 ? stp_rep::odd(word) : stp_rep::even(word);
}

} // namespace

Timing::Timing(std::span<const uint32_t> di) {
    interlaced = di_general::interlaced(di[DI_GENERAL / 4]);
    const uint32_t fields = interlaced ? 2 : 1;
    const uint32_t lines = interlaced ? 5 : 4, pixels = lines + 1, line = interlaced ? 2 : 1;
    width = repeat(di, pixels);
    height = repeat(di, lines) * fields;
    total_width = sw_gen0::run(counter(di, line)) + 1;
    total_height = (scr_conf::lines(di[DI_SCR_CONF / 4]) + 1) * fields;
    left = sw_gen0::offset(counter(di, pixels));
    top = sw_gen0::offset(counter(di, lines)) * fields;
}

} // namespace pixmill::ipuv3

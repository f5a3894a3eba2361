// SPDX-License-Identifier: GPL-2.0-or-later
#include "states.hpp"

#include <algorithm>

namespace pixmill::vivante::vg {

namespace {

struct Initial {
    uint32_t address, value;
};

/// Values after reset. Undocumented, and chosen by the model, because no client depends on them
/// (VD18). The values of 0xA3E to 0xA4F are from rnndb state_vg.xml, which describes a GC350.
constexpr uint32_t one = 0x3F800000;
constexpr Initial initial[] = {
    {TARGET_CONFIG, target_config::top_down.mask()},
    {IMAGE_CONSTANT + 2, one},
    {PATH_SCALE, one},
    {0xA3E, 0x00000055},
    {0xA3F, 0x70707074},
    {PATH_MATRIX, one},
    {PATH_MATRIX + 4, one},
    {0xA46, 0x75057545},
    {0xA47, 0x70007000},
    {0xA48, 0x70707074},
    {0xA49, 0x74007000},
    {0xA4A, 0x70007000},
    {0xA4B, 0x70007000},
    {0xA4C, 0x70007000},
    {0xA4D, 0x00402008},
    {0xA4E, 0x04001000},
    {0xA4F, 0x00800200},
    {DITHER_LOW, 0xFFFFFFFF},
    {DITHER_HIGH, 0xFFFFFFFF},
};

} // namespace

void reset_states(std::span<uint32_t, state_count> cells) {
    std::ranges::fill(cells, 0);
    for (const Initial& state : initial)
        cells[state.address] = state.value;
}

} // namespace pixmill::vivante::vg

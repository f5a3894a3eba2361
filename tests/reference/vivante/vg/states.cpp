// SPDX-License-Identifier: GPL-2.0-or-later
#include "states.hpp"

#include <utility>

namespace pixmill::reference::vivante_vg {
namespace {

constexpr uint32_t one = 0x3F800000;

/*
 * VD18: these values were chosen for the model, since no client depends on them. A3E to A4F are
 * from a GC350 (rnndb state_vg.xml).
 */
constexpr std::pair<uint32_t, uint32_t> initial_values[] = {
    {TARGET_CONFIG, 0x00010000}, {IMAGE_CONSTANT + 2, one}, {PATH_SCALE, one},
    {PATH_MATRIX + 0, one},      {PATH_MATRIX + 4, one},    {DITHER_LOW, 0xFFFFFFFF},
    {DITHER_HIGH, 0xFFFFFFFF},   {0xA3E, 0x00000055},       {0xA3F, 0x70707074},
    {0xA46, 0x75057545},         {0xA47, 0x70007000},       {0xA48, 0x70707074},
    {0xA49, 0x74007000},         {0xA4A, 0x70007000},       {0xA4B, 0x70007000},
    {0xA4C, 0x70007000},         {0xA4D, 0x00402008},       {0xA4E, 0x04001000},
    {0xA4F, 0x00800200},
};

} // namespace

void States::reset() {
    cells_.fill(0);
    for (const auto& [address, value] : initial_values)
        cells_[address] = value;
}

void States::set(uint32_t address, uint32_t value) {
    if (address < cells_.size())
        cells_[address] = value;
}

} // namespace pixmill::reference::vivante_vg

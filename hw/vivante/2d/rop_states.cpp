// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes the raster operation (rnndb state_2d.xml: ROP).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::Rop3;

namespace {

enum RopType : uint32_t { rop2_pattern, rop2_source, rop3, rop4 };

/// Converts a ROP code to a ternary operation. A ROP2 code has one bit for each value of dst + 2 *
/// operand.
Rop3 ternary(uint32_t type, uint32_t code) {
    const uint32_t low = code & 0xF;
    switch (type) {
    case rop2_pattern: // bits 1:0 apply where the pattern is 0, bits 3:2 where it is 1
        return Rop3((low & 3) * 0x05 | (low >> 2) * 0x50);
    case rop2_source:
        return Rop3(low * 0x11);
    default:
        return Rop3(code);
    }
}

} // namespace

RopCodes decode_rop(const DrawStates& states, const DrawSetup& setup, unsigned n) {
    if (setup.shape == Shape::window) // xf86-video-armada never writes ROP for a filter blit
        return {render::copy_source, 0, false};
    const uint32_t type = states.source(n, de::rop::type);
    return {ternary(type, states.source(n, de::rop::rop_fg)),
            ternary(type, states.source(n, de::rop::rop_bg)), type == rop4};
}

} // namespace pixmill::vivante

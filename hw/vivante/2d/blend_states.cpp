// SPDX-License-Identifier: GPL-2.0-or-later
//
// Alpha blending (rnndb state_2d.xml: ALPHA_CONTROL, ALPHA_MODES, COLOR_MULTIPLY_MODES, GLOBAL_*).
#include "draw_setup.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::vivante {

using render::BlendOperand;
using render::Factor;
using render::GlobalAlpha;
using render::GlobalMultiply;

namespace {

/// Blending modes; the factor of an operand is made of the other one unless ALPHA_FACTOR is set.
constexpr Factor factors[8] = {Factor::zero,          Factor::one,           Factor::alpha,
                               Factor::inverse_alpha, Factor::colour,        Factor::inverse_colour,
                               Factor::saturate,      Factor::saturate_other};

GlobalAlpha global_alpha(uint32_t mode) {
    constexpr GlobalAlpha modes[4] = {GlobalAlpha::off, GlobalAlpha::replace, GlobalAlpha::scale,
                                      GlobalAlpha::off};
    return modes[mode & 3];
}

GlobalMultiply global_multiply(uint32_t mode) {
    constexpr GlobalMultiply modes[4] = {GlobalMultiply::off, GlobalMultiply::alpha,
                                         GlobalMultiply::colour, GlobalMultiply::off};
    return modes[mode & 3];
}

} // namespace

void decode_blend(const DrawStates& states, DrawSetup& setup, unsigned n) {
    const uint32_t control = states.source(n, DE_ALPHA_CONTROL);
    auto& blend = setup.operation.stages[n].blend;
    blend.reset();
    if (!(control & 1))
        return;
    const uint32_t modes = states.source(n, DE_ALPHA_MODES);
    BlendOperand s, d;
    s.inverse = modes & 1;
    d.inverse = modes >> 4 & 1;
    s.global = global_alpha(modes >> 8);
    d.global = global_alpha(modes >> 12);
    s.factor = factors[modes >> 24 & 7];
    d.factor = factors[modes >> 28 & 7];
    bool demultiply = false, keep_zero = false;
    if (states.chip.pe20()) {
        const uint32_t multiply = states.source(n, DE_COLOR_MULTIPLY_MODES);
        s.own = modes >> 27 & 1;
        d.own = modes >> 31;
        s.premultiply = multiply & 1;
        d.premultiply = multiply >> 4 & 1;
        s.multiply = global_multiply(multiply >> 8);
        demultiply = multiply >> 20 & 1;
        keep_zero = states.chip.dest_config_ex() && multiply >> 21 & 1; // nano2D: the newest cores
        s.global_colour = states.source(n, DE_GLOBAL_SRC_COLOR);
        d.global_colour = states.source(n, DE_GLOBAL_DEST_COLOR);
    } else {
        s.premultiply = modes >> 16 & 1;
        d.premultiply = modes >> 20 & 1;
        s.global_colour = (control >> 16 & 0xFF) << 24;
        d.global_colour = control & 0xFF000000;
    }
    blend = render::Blend{s, d, demultiply, keep_zero};
}

} // namespace pixmill::vivante

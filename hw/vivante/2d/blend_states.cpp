// SPDX-License-Identifier: GPL-2.0-or-later
//
// Alpha blending (rnndb state_2d.xml: ALPHA_CONTROL, ALPHA_MODES, COLOR_MULTIPLY_MODES, GLOBAL_*).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::BlendOperand;
using render::Factor;
using render::GlobalAlpha;
using render::GlobalMultiply;

namespace {

/// Blending modes; the factor of an operand is made of the other one unless ALPHA_FACTOR is set.
constexpr Factor factors[8] = {Factor::zero,          Factor::one,           Factor::alpha,
                               Factor::inverse_alpha, Factor::color,         Factor::inverse_color,
                               Factor::saturate,      Factor::saturate_other};

GlobalAlpha global_alpha(uint32_t mode) {
    constexpr GlobalAlpha modes[4] = {GlobalAlpha::off, GlobalAlpha::replace, GlobalAlpha::scale,
                                      GlobalAlpha::off};
    return modes[mode];
}

GlobalMultiply global_multiply(uint32_t mode) {
    constexpr GlobalMultiply modes[4] = {GlobalMultiply::off, GlobalMultiply::alpha,
                                         GlobalMultiply::color, GlobalMultiply::off};
    return modes[mode];
}

} // namespace

void decode_blend(const DrawStates& states, DrawSetup& setup, unsigned n) {
    auto& blend = setup.operation.stages[n].blend;
    blend.reset();
    if (!states.source(n, {DE_ALPHA_CONTROL, "ENABLE"}))
        return;
    BlendOperand s, d;
    s.inverse = states.source(n, {DE_ALPHA_MODES, "SRC_ALPHA_MODE"});
    d.inverse = states.source(n, {DE_ALPHA_MODES, "DST_ALPHA_MODE"});
    s.global = global_alpha(states.source(n, {DE_ALPHA_MODES, "GLOBAL_SRC_ALPHA_MODE"}));
    d.global = global_alpha(states.source(n, {DE_ALPHA_MODES, "GLOBAL_DST_ALPHA_MODE"}));
    s.factor = factors[states.source(n, {DE_ALPHA_MODES, "SRC_BLENDING_MODE"})];
    d.factor = factors[states.source(n, {DE_ALPHA_MODES, "DST_BLENDING_MODE"})];
    bool demultiply = false, keep_zero = false;
    if (states.chip.pe20()) {
        s.own = states.source(n, {DE_ALPHA_MODES, "SRC_ALPHA_FACTOR"});
        d.own = states.source(n, {DE_ALPHA_MODES, "DST_ALPHA_FACTOR"});
        s.premultiply = states.source(n, {DE_COLOR_MULTIPLY_MODES, "SRC_PREMULTIPLY"});
        d.premultiply = states.source(n, {DE_COLOR_MULTIPLY_MODES, "DST_PREMULTIPLY"});
        s.multiply =
            global_multiply(states.source(n, {DE_COLOR_MULTIPLY_MODES, "SRC_GLOBAL_PREMULTIPLY"}));
        demultiply = states.source(n, {DE_COLOR_MULTIPLY_MODES, "DST_DEMULTIPLY"});
        keep_zero = states.chip.dest_config_ex() && // nano2D: the newest cores
                    states.source(n, {DE_COLOR_MULTIPLY_MODES, "DST_DEMULTIPLY_ZERO"});
        s.global_color = states.source(n, DE_GLOBAL_SRC_COLOR);
        d.global_color = states.source(n, DE_GLOBAL_DEST_COLOR);
    } else {
        s.premultiply = states.source(n, {DE_ALPHA_MODES, "PE10_SRC_COLOR_MULTIPLY"});
        d.premultiply = states.source(n, {DE_ALPHA_MODES, "PE10_DST_COLOR_MULTIPLY"});
        // Only the alpha of these counts.
        s.global_color = states.source(n, {DE_ALPHA_CONTROL, "PE10_GLOBAL_SRC_ALPHA"}) << 24;
        d.global_color = states.source(n, {DE_ALPHA_CONTROL, "PE10_GLOBAL_DST_ALPHA"}) << 24;
    }
    blend = render::Blend{s, d, demultiply, keep_zero};
}

} // namespace pixmill::vivante

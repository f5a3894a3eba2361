// SPDX-License-Identifier: GPL-2.0-or-later
//
// Decodes the states of alpha blending (rnndb state_2d.xml: ALPHA_CONTROL, ALPHA_MODES,
// COLOR_MULTIPLY_MODES, GLOBAL_*).
#include "draw_setup.hpp"

namespace pixmill::vivante {

using render::BlendOperand;
using render::Factor;
using render::GlobalAlpha;
using render::GlobalMultiply;

namespace {

/// Factors by *_BLENDING_MODE. An operand's factor is computed from the other operand, or from the
/// operand itself if ALPHA_FACTOR is set.
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
    if (!states.source(n, de::alpha_control::enable))
        return;
    BlendOperand s, d;
    s.inverse = states.source(n, de::alpha_modes::src_alpha_mode);
    d.inverse = states.source(n, de::alpha_modes::dst_alpha_mode);
    s.global = global_alpha(states.source(n, de::alpha_modes::global_src_alpha_mode));
    d.global = global_alpha(states.source(n, de::alpha_modes::global_dst_alpha_mode));
    s.factor = factors[states.source(n, de::alpha_modes::src_blending_mode)];
    d.factor = factors[states.source(n, de::alpha_modes::dst_blending_mode)];
    bool demultiply = false, keep_zero = false;
    if (states.chip.pe20()) {
        s.own = states.source(n, de::alpha_modes::src_alpha_factor);
        d.own = states.source(n, de::alpha_modes::dst_alpha_factor);
        s.premultiply = states.source(n, de::color_multiply_modes::src_premultiply);
        d.premultiply = states.source(n, de::color_multiply_modes::dst_premultiply);
        s.multiply =
            global_multiply(states.source(n, de::color_multiply_modes::src_global_premultiply));
        demultiply = states.source(n, de::color_multiply_modes::dst_demultiply);
        keep_zero = states.chip.dest_config_ex() && // only the newest cores (nano2D)
                    states.source(n, de::color_multiply_modes::dst_demultiply_zero);
        s.global_color = states.source(n, DE_GLOBAL_SRC_COLOR);
        d.global_color = states.source(n, DE_GLOBAL_DEST_COLOR);
    } else {
        s.premultiply = states.source(n, de::alpha_modes::pe10_src_color_multiply);
        d.premultiply = states.source(n, de::alpha_modes::pe10_dst_color_multiply);
        // Blending uses only the alpha of these colors.
        s.global_color = states.source(n, de::alpha_control::pe10_global_src_alpha) << 24;
        d.global_color = states.source(n, de::alpha_control::pe10_global_dst_alpha) << 24;
    }
    blend = render::Blend{s, d, demultiply, keep_zero};
}

} // namespace pixmill::vivante

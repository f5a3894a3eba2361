// Alpha blending equations.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// Factors of the blend equation. `own` is the operand that is multiplied, `other` is the second
/// operand, and `X` is whichever of the two BlendOperand::own selects.
enum class Factor : uint8_t {
    zero,
    one,
    alpha,          ///< X.a
    inverse_alpha,  ///< 255 - X.a
    color,          ///< X.c for each channel c
    inverse_color,  ///< 255 - X.c
    saturate,       ///< colors min(own.a, 255 - other.a), alpha 255
    saturate_other, ///< colors min(other.a, 255 - own.a), alpha 255
};

enum class GlobalAlpha : uint8_t { off, replace, scale };
enum class GlobalMultiply : uint8_t { off, alpha, color };

/// One operand of the blend equation. Steps are applied in the order of the members.
struct BlendOperand {
    bool inverse = false;                          ///< alpha = 255 - alpha
    bool premultiply = false;                      ///< colors *= alpha
    GlobalMultiply multiply = GlobalMultiply::off; ///< colors *= the global alpha or color
    GlobalAlpha global = GlobalAlpha::off;         ///< alpha = the global alpha, or alpha *= it
    uint32_t global_color = 0;                     ///< ARGB
    Factor factor = Factor::one;
    bool own = false; ///< X is this operand; otherwise it is the other one

    constexpr bool plain() const {
        return !inverse && !premultiply && multiply == GlobalMultiply::off &&
               global == GlobalAlpha::off;
    }
    constexpr bool operator==(const BlendOperand&) const = default;
};

/// Blend equation: source * source factor + destination * destination factor. Each product is
/// rounded, and the sum is clamped to 255.
struct Blend {
    BlendOperand source, destination;
    bool demultiply = false; ///< then divide colors by alpha, rounded; 0 if alpha is 0
    bool keep_zero = false;  ///< do not change pixels with alpha 0
};

} // namespace pixmill::render

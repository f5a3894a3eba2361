// Alpha blending.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill::render {

/// What an operand is multiplied with: `X` is one of the operands, `own` the one multiplied and
/// `other` the other one.
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

/// One side of the blending equation. The steps are taken in the order of the fields.
struct BlendOperand {
    bool inverse = false;                          ///< alpha is 255 - alpha
    bool premultiply = false;                      ///< colors times alpha
    GlobalMultiply multiply = GlobalMultiply::off; ///< colors times the global alpha or color
    GlobalAlpha global = GlobalAlpha::off;         ///< alpha is the global alpha, or times it
    uint32_t global_color = 0;                     ///< ARGB
    Factor factor = Factor::one;
    bool own = false; ///< the factor's X is this operand itself; else the other one

    constexpr bool plain() const {
        return !inverse && !premultiply && multiply == GlobalMultiply::off &&
               global == GlobalAlpha::off;
    }
    constexpr bool operator==(const BlendOperand&) const = default;
};

/// source * its factor + destination * its factor, each product rounded, the sum clamped at 255.
struct Blend {
    BlendOperand source, destination;
    bool demultiply = false; ///< then colors are divided by alpha, rounded; 0 where alpha is 0
    bool keep_zero = false;  ///< or, there, what they are
};

} // namespace pixmill::render

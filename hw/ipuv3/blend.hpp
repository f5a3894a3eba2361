// The display processor's combining unit and color conversion.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "picture.hpp"
#include "render/yuv.hpp"

namespace pixmill::ipuv3 {

/// Mixes `count` pixels of the overlay into `row`, which holds the background, by the rules of
/// `how`. The color key has precedence.
void combine_row(const Overlay& how, uint32_t* row, const uint32_t* overlay, size_t count);

/// Returns the conversion as a matrix.
render::ColorMatrix matrix_of(const ConversionWords& words);

} // namespace pixmill::ipuv3

// The suites, each of several frames and checks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../stage.hpp"

namespace nema::scenes {

void fills(Stage& stage);
void blits(Stage& stage);
void blends(Stage& stage);
void turns(Stage& stage);
void perspective(Stage& stage);
void luts(Stage& stage);
void tsc(Stage& stage);
void filters(Stage& stage);
void text(Stage& stage);
void shapes(Stage& stage);
void paths(Stage& stage);
void lists(Stage& stage);
void watch(Stage& stage);
void speed(Stage& stage);

/// A page for a scene: RGBA8888, bound as the destination, filled with a color.
Surface page(Stage& stage, uint32_t width, uint32_t height, uint32_t color);

/// A picture in which up, down, left, right and transparency can be told apart.
Surface picture(Stage& stage, uint32_t width, uint32_t height);

} // namespace nema::scenes

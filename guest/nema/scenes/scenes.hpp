// The suites. Each draws several frames or makes several checks.
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

/// Allocates an RGBA8888 surface, binds it as the destination and fills it with a color.
Surface page(Stage& stage, uint32_t width, uint32_t height, uint32_t color);

/// Allocates a picture whose orientation and transparency are easy to see.
Surface picture(Stage& stage, uint32_t width, uint32_t height);

} // namespace nema::scenes

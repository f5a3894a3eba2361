// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace guest {

// scene FILE.bmp [COUNT]: draws the 2D scene, in buffers that the MMU has to put together.
int scene_command(int argc, char** argv);

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// scene FILE.bmp [COUNT [asked]]: draws the 2D scene COUNT times in scattered buffers, which need
// the MMU, and writes it to FILE.bmp. With "asked", prints "drawn 0", then draws and writes it
// again for each line of standard input and prints "drawn 1" and so on.
int scene_command(Words words);

} // namespace guest

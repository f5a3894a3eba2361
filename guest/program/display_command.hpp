// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// display list DRIVER: lists the display's outputs, and the planes with which they can show a
// picture, in lines that the suite "display" reads.
// display flips DRIVER OUTPUT COUNT: flips pictures and checks that each frame shows one and raises
// one interrupt.
// display idle DRIVER OUTPUT: checks that a screen that nobody changes raises no interrupts.
// display font FILE: saves the font of the text console, 32 bytes for each character.
int display_command(Words words);

} // namespace guest

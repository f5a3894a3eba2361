// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "commands.hpp"

namespace guest {

// screen gradient: draws on /dev/fb0 with the processor. screen rectangles: draws there with BB2D,
// whose driver must not be bound. screen share: tries to share that memory with the driver, which
// must fail. runner/pixmill/picture.py has a second implementation of both pictures.
int screen_command(Words words);

} // namespace guest

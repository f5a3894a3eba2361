// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace guest {

// screen gradient: the processor draws on /dev/fb0.   screen rectangles: BB2D draws there,
// without its driver, which must not be bound.   screen share: lends that memory to the driver, in
// vain. What they draw is written down once more in runner/pixmill/picture.py.
int screen_command(int argc, char** argv);

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace guest {

// scene FILE.bmp [COUNT [asked]]: draws the 2D scene so many times, in buffers that the MMU has to
// put together. "asked": prints "drawn 0", and likewise after it has drawn and written it anew for
// each line of standard input.
int scene_command(int argc, char** argv);

} // namespace guest

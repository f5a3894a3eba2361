// SPDX-License-Identifier: GPL-2.0-or-later
#include "draw_step.hpp"

#include <cstdio>
#include <cstdlib>

#include "capture/tap.hpp"

namespace pixmill {

namespace {

#ifdef PIXMILL_CHECK_STEPS
void check(const char* family, uint64_t work) {
    if (work <= PIXMILL_MOST_DRAW_STEP)
        return;
    // Abort even if the message cannot be written.
    (void)std::fprintf(
        stderr, "pixmill: a draw of %s did %llu bytes of work without checking for interrupt()\n",
        family, static_cast<unsigned long long>(work));
    std::abort();
}
#else
void check(const char*, uint64_t) {}
#endif

} // namespace

void note_draw_step(PixmillCore& core, const char* family, uint64_t work) {
    check(family, work);
    // Draws are serialized, so this is the only writer.
    if (work > core.draw_step.load(std::memory_order_relaxed))
        core.draw_step.store(work, std::memory_order_relaxed);
}

} // namespace pixmill

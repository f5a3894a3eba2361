// The cost model: the guest time that hardware would need for a core's work.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

namespace pixmill {

/// Amounts of work, or prices: picoseconds for one unit of each kind. Amounts depend only on the
/// commands and on the memory that they use: neither on budgets, interruptions and render threads
/// nor on the code that the host's processor executes. docs/develop/timing.md lists the prices.
struct Work {
    uint64_t words = 0;        ///< 32-bit words of commands and of their data
    uint64_t vertices = 0;     ///< indices read
    uint64_t instructions = 0; ///< of shaders, once per pixel or vertex
    uint64_t texels = 0;       ///< requests of shaders
    uint64_t pixels = 0;       ///< pixels covered
    uint64_t bytes = 0;        ///< bytes read and written

    Work& operator+=(const Work& more) {
        words += more.words;
        vertices += more.vertices;
        instructions += more.instructions;
        texels += more.texels;
        pixels += more.pixels;
        bytes += more.bytes;
        return *this;
    }
};

/// Returns the duration of `work` in nanoseconds. Rounds down, so pass a sum instead of adding
/// durations.
constexpr uint64_t duration_ns(const Work& work, const Work& price) {
    constexpr auto part = [](uint64_t count, uint64_t ps) {
        return count / 1000 * ps + count % 1000 * ps / 1000; // overflows after centuries
    };
    return part(work.words, price.words) + part(work.vertices, price.vertices) +
           part(work.instructions, price.instructions) + part(work.texels, price.texels) +
           part(work.pixels, price.pixels) + part(work.bytes, price.bytes);
}

} // namespace pixmill

// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>
#include <stdexcept>

namespace gles2 {

class Stage;

enum class Api { ES2, GL };

// The difference allowed between implementations, and the reason for it. A pixel is wrong if a
// channel differs by more than `channel`; the fraction `share` of the pixels may be wrong.
struct Tolerance {
    int channel;
    double share;
    const char* reason; // completes "because ..."
};

// The picture is RGBA with 8 bits per channel, 24 bits of depth and 8 bits of stencil. It is square
// unless `height` is given. Each scene is drawn in a new context.
struct Scene {
    const char* name;
    Api api;
    Tolerance tolerance;
    void (*draw)(Stage&);
    const char* needs = ""; // required extension; without it, the scene is skipped
    int size = 64, height = size;
};

// Return the scenes of each file.
std::span<const Scene> clear_scenes();
std::span<const Scene> upload_scenes();
std::span<const Scene> vertex_scenes();
std::span<const Scene> raster_scenes();
std::span<const Scene> fragment_scenes();
std::span<const Scene> texture_scenes();
std::span<const Scene> shader_scenes();
std::span<const Scene> builtin_scenes();
std::span<const Scene> target_scenes();
std::span<const Scene> fixed_function_scenes();
std::span<const Scene> desktop_scenes();
std::span<const Scene> card_scenes();

// Thrown if the context lacks a feature that the scene needs.
struct Skipped : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr Tolerance EXACT = {
    0, 0, "colors are constants or stored values, and edges are far from pixel centres"};
inline constexpr Tolerance ROUNDED = {1, 0, "each channel is rounded to 8 bits once or twice"};

} // namespace gles2

// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>
#include <stdexcept>

namespace gles2 {

class Stage;

enum class Api { ES2, GL };

// How far a picture may be from another implementation's, and why. A pixel is wrong if one of its
// channels differs by more than `channel`; `share` of all pixels may be wrong.
struct Tolerance {
    int channel;
    double share;
    const char* reason; // ends a sentence that begins "because"
};

// One picture: RGBA with 8 bits each, depth 24, stencil 8, a square unless it has a height. Each
// scene has a context of its own, with GL's initial state.
struct Scene {
    const char* name;
    Api api;
    Tolerance tolerance;
    void (*draw)(Stage&);
    const char* needs = ""; // the extension without which it is skipped
    int size = 64, height = size;
};

// The scenes of each file.
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

// The context lacks what the scene needs.
struct Skipped : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline constexpr Tolerance EXACT = {
    0, 0, "colors are constant or stored values, edges lie off the pixels' centres by far"};
inline constexpr Tolerance ROUNDED = {1, 0, "each channel is rounded to 8 bits once or twice"};

} // namespace gles2

// SPDX-License-Identifier: GPL-2.0-or-later
// The 2D test scene's way out: states, addresses and draws for whoever executes them, the kernel's
// driver in the guest or the reference engine on the host.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scene {

// Half open: right and bottom are outside.
struct Rectangle {
    int left, top, right, bottom;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
};

constexpr Rectangle box(int left, int top, int width, int height) {
    return {left, top, left + width, top + height};
}

// Two numbers of 16 bits in one word, as most states and all rectangles have them.
constexpr uint32_t pack(uint32_t x, uint32_t y) {
    return (y & 0xFFFF) << 16 | (x & 0xFFFF);
}

// The buffers of the scene.
enum class Memory : uint32_t {
    FRAME,
    PHOTO,
    ZONE,
    SPRITES,
    FONT,
    MASKS,
    INDEXED,
    VIDEO,
    BRUSH,
    TILES,
    SCRATCH
};
constexpr uint32_t MEMORY_COUNT = 11;

// What not every core has. The picture is the same without it: other draws take its place.
// SUPER_TILE_ORDER: a state selects the order of tiles in a super tile, and Morton's is that after
// a reset.
enum class Feature { ONE_PASS_FILTER, SEVERAL_SOURCES, BT709, PLANES, TILES, SUPER_TILE_ORDER };

class Sink {
public:
    virtual bool has(Feature feature) const = 0;
    virtual void load_state(uint32_t address, uint32_t value) = 0;
    virtual void load_address(uint32_t state, Memory memory, uint32_t offset) = 0;
    virtual void draw(std::span<const Rectangle> rectangles) = 0;

    // Ends a part of the scene that stands for itself: what follows relies on no state of it.
    virtual void finish_part() = 0;

protected:
    ~Sink() = default;
};

} // namespace scene

// SPDX-License-Identifier: GPL-2.0-or-later
// Output interface of the 2D test scene: states, addresses and draws. The guest implements it with
// the kernel driver, the host with the reference engine.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace scene {

// A rectangle. Right and bottom are exclusive.
struct Rectangle {
    int left, top, right, bottom;

    int width() const { return right - left; }
    int height() const { return bottom - top; }
};

constexpr Rectangle box(int left, int top, int width, int height) {
    return {left, top, left + width, top + height};
}

// Packs two 16-bit numbers into a word, as most states and all rectangles of a draw need.
constexpr uint32_t pack(uint32_t x, uint32_t y) {
    return (y & 0xFFFF) << 16 | (x & 0xFFFF);
}

// Buffers of the scene.
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

// Optional features of a core. If a core lacks one, the scene uses other draws that produce the
// same picture. With SUPER_TILE_ORDER, a state selects the order of tiles in a super tile, which is
// Morton order after a reset.
enum class Feature { ONE_PASS_FILTER, SEVERAL_SOURCES, BT709, PLANES, TILES, SUPER_TILE_ORDER };

class Sink {
public:
    virtual bool has(Feature feature) const = 0;
    virtual void load_state(uint32_t address, uint32_t value) = 0;
    virtual void load_address(uint32_t state, Memory memory, uint32_t offset) = 0;
    virtual void draw(std::span<const Rectangle> rectangles) = 0;

    // Ends a part of the scene. The next part does not rely on its states.
    virtual void finish_part() = 0;

protected:
    ~Sink() = default;
};

} // namespace scene

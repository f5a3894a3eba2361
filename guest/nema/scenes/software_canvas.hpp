// A simple software rasterizer, such as firmware without a GPU would use.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "../draw/canvas.hpp"

namespace nema::scenes {

/// Draws into an RGBA8888 surface and sets its alpha to 255.
class SoftwareCanvas final : public Canvas {
public:
    explicit SoftwareCanvas(const Surface& target) : target_(target) {}
    void fill(Rect rect, uint32_t color) override;
    void polygon(std::span<const Vector> corners, uint32_t smooth, uint32_t color) override;
    void shaded(const std::array<Vector, 3>& corners,
                const std::array<uint32_t, 3>& colors) override;
    void stamp(const Surface& alpha, int32_t x, int32_t y, uint32_t color) override;
    void sprite(const Surface& picture, Vector centre, Vector pivot, float turns,
                uint32_t opacity) override;

private:
    struct Box {
        int32_t left, top, right, bottom;
    };
    Box box_of(std::span<const Vector> corners) const;

    Surface target_;
};

} // namespace nema::scenes

// Drawing interface for scenes, implemented by the GPU and by a software rasterizer.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "painter.hpp"

namespace nema {

class Canvas {
public:
    virtual void fill(Rect rect, uint32_t color) = 0;

    /// Fills a convex polygon of three or four corners. The bits AA_E0 to AA_E3 of `smooth` select
    /// the antialiased edges.
    virtual void polygon(std::span<const Vector> corners, uint32_t smooth, uint32_t color) = 0;
    virtual void shaded(const std::array<Vector, 3>& corners,
                        const std::array<uint32_t, 3>& colors) = 0;

    /// Draws a color with an alpha-only surface as its mask.
    virtual void stamp(const Surface& alpha, int32_t x, int32_t y, uint32_t color) = 0;

    /// Draws an RGBA8888 picture, rotated clockwise about its pivot and filtered.
    virtual void sprite(const Surface& picture, Vector centre, Vector pivot, float turns,
                        uint32_t opacity) = 0;

protected:
    ~Canvas() = default;
};

class GpuCanvas final : public Canvas {
public:
    GpuCanvas(Painter& painter, const Surface& target);
    void fill(Rect rect, uint32_t color) override;
    void polygon(std::span<const Vector> corners, uint32_t smooth, uint32_t color) override;
    void shaded(const std::array<Vector, 3>& corners,
                const std::array<uint32_t, 3>& colors) override;
    void stamp(const Surface& alpha, int32_t x, int32_t y, uint32_t color) override;
    void sprite(const Surface& picture, Vector centre, Vector pivot, float turns,
                uint32_t opacity) override;

private:
    enum class Mode { NONE, FILL, STAMP, TRANSLUCENT_STAMP, SPRITE };
    void enter(Mode mode);

    Painter& painter_;
    Mode mode_ = Mode::NONE;
};

} // namespace nema

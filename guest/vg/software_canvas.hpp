// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "canvas.hpp"

namespace vg {

/// Draws on the processor, with exact areas as coverage: as good as what a program without a GPU
/// would have, and no copy of what the GC355 does.
class SoftwareCanvas final : public Canvas {
public:
    explicit SoftwareCanvas(Machine& machine);

    void clear(uint32_t color) override;
    void fill(const Path& path, uint32_t color) override;
    void fill_radial(const Path& path, Point middle, float radius, Ramp ramp) override;
    void fill_linear(const Path& path, float left, float width, Ramp ramp) override;
    void image(const Image& image) override;

private:
    void add(const Path& path);
    void add_curve(Point a, Point b, Point c, Point d);
    void add_line(Point from, Point to);
    void add_row(float* row, float from, float to, float height);
    /// `color(x, y)` where the path has been added, which is forgotten.
    template<class Color>
    void shade(Color color);
    uint32_t texel(Ramp ramp, float place) const;

    Machine& machine_;
    uint32_t* picture_;
    float* area_; ///< a row of SIDE + 1 each: how much more is covered than in the pixel before
    uint32_t top_ = SIDE, bottom_ = 0; ///< rows of it that are in use
};

} // namespace vg

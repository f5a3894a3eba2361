// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "canvas.hpp"

namespace vg {

/// A software renderer with exact area coverage, such as a program without a GPU might use. It does
/// not imitate the GC355.
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
    /// Fills the accumulated path with color(x, y), and clears it.
    template<class Color>
    void shade(Color color);
    uint32_t texel(Ramp ramp, float place) const;

    Machine& machine_;
    uint32_t* picture_;
    float* area_; ///< rows of SIDE + 2 changes of the covered area from pixel to pixel
    uint32_t top_ = SIDE, bottom_ = 0; ///< range of rows in use
};

} // namespace vg

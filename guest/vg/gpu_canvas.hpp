// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "canvas.hpp"
#include "stream.hpp"

namespace vg {

/// Draws with the GC355. The drawing is complete when finish() returns.
class GpuCanvas final : public Canvas {
public:
    explicit GpuCanvas(Machine& machine);

    void clear(uint32_t color) override;
    void fill(const Path& path, uint32_t color) override;
    void fill_radial(const Path& path, Point middle, float radius, Ramp ramp) override;
    void fill_linear(const Path& path, float left, float width, Ramp ramp) override;
    void image(const Image& image) override;
    /// Runs the stream. Returns true if the GPU signaled the event of the stream's END command and
    /// no other event.
    bool finish();

private:
    Machine& machine_;
    Stream stream_;
};

} // namespace vg

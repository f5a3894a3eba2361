// SPDX-License-Identifier: GPL-2.0-or-later
#include "gpu_canvas.hpp"

#include "states.hpp"

namespace vg {

namespace {

constexpr uint32_t at(uint32_t offset) {
    return Machine::MEMORY_ADDRESS + offset;
}

} // namespace

GpuCanvas::GpuCanvas(Machine& machine)
    : machine_(machine),
      stream_({reinterpret_cast<uint32_t*>(machine.memory().data() + STREAM_AT), STREAM_BYTES / 4},
              at(STREAM_AT)) {}

void GpuCanvas::clear(uint32_t color) {
    stream_.clear();
    set_target(stream_, RGBA8888, at(PICTURE_AT), SIDE);
    set_solid(stream_, RECTANGLE, NO_PATH, color);
    stream_.rectangle(0, 0, SIDE, SIDE);
}

void GpuCanvas::fill(const Path& path, uint32_t color) {
    set_solid(stream_, PATH, COLORED, color);
    stream_.path(path);
}

void GpuCanvas::fill_radial(const Path& path, Point middle, float radius, Ramp ramp) {
    set_radial(stream_, middle, radius);
    set_ramp(stream_, at(ramp.offset), RAMP_TEXELS);
    stream_.path(path);
}

void GpuCanvas::fill_linear(const Path& path, float left, float width, Ramp ramp) {
    set_linear(stream_, left, width);
    set_ramp(stream_, at(ramp.offset), RAMP_TEXELS);
    stream_.path(path);
}

void GpuCanvas::image(const Image& image) {
    set_image(stream_, at(image.offset), image.side, {image.origin, image.per_x, image.per_y});
    stream_.rectangle(image.box.x, image.box.y, image.box.width, image.box.height);
}

bool GpuCanvas::finish() {
    constexpr uint32_t EVENT = 3;
    stream_.state(TS_CONFIG, NO_PATH);
    stream_.state(FLUSH, 0x11u);
    stream_.end(EVENT);
    return machine_.run(stream_.address(), stream_.qwords()) == 1u << EVENT;
}

} // namespace vg

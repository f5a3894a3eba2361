// SPDX-License-Identifier: GPL-2.0-or-later
//
// States: docs/vivante-vg.md and the words of tests/data/vivante_vg_vectors.txt.
#include "gpu_canvas.hpp"

namespace vg {

namespace {

constexpr uint32_t at(uint32_t offset) {
    return Machine::MEMORY_ADDRESS + offset;
}

// VG_CONTROL: alpha is as it is; SRC_OVER; what is drawn, and with what.
constexpr uint32_t RECTANGLE = 0x10000001, IMAGE = 0x10001101, PATH = 0x10000103,
                   LINEAR = 0x11000103, RADIAL = 0x12000103;
// TS_CONFIG: on, single precision, of the best quality; of colors or of paints.
constexpr uint32_t COLORED = 0x01300203, PAINTED = 0x01300403;

} // namespace

GpuCanvas::GpuCanvas(Machine& machine)
    : machine_(machine),
      stream_({reinterpret_cast<uint32_t*>(machine.memory().data() + STREAM_AT), STREAM_BYTES / 4},
              at(STREAM_AT)) {}

// The target: RGBA8888, used as it is stored.
void GpuCanvas::clear(uint32_t color) {
    const uint32_t size = SIDE << 16 | SIDE;
    stream_.clear();
    stream_.state(0xA10, 0x00010323u);
    stream_.state(0xA11, at(PICTURE_AT));
    stream_.state(0xA12, SIDE * 4);
    stream_.state(0xA13, size);
    stream_.state(0xA3B, 1.0f); // paths: scale and bias, the unit matrix, one window
    stream_.state(0xA3C, 0.0f);
    for (uint32_t i = 0; i < 6; ++i)
        stream_.state(0xA40 + i, i % 4 == 0 ? 1.0f : 0.0f);
    stream_.state(0xA01, 0u);
    stream_.state(0xA39, 0u);
    stream_.state(0xA3A, size);
    stream_.state(0xA34, 0u);
    solid(RECTANGLE, 0, color);
    stream_.rectangle(0, 0, SIDE, SIDE);
}

void GpuCanvas::solid(uint32_t control, uint32_t tessellation, uint32_t color) {
    stream_.state(0xA00, control);
    stream_.state(0xA02, color);
    stream_.state(0xA34, tessellation);
}

void GpuCanvas::paint(Ramp ramp) {
    stream_.state(0xA24, 0x01011117u); // ABGR8888, pad, linear
    stream_.state(0xA26, 0u);
    stream_.state(0xA28, at(ramp.offset));
    stream_.state(0xA2A, 0u);
    stream_.state(0xA2C, 0u);
    stream_.state(0xA2E, RAMP_TEXELS);
}

void GpuCanvas::fill(const Path& path, uint32_t color) {
    solid(PATH, COLORED, color);
    stream_.path(path);
}

void GpuCanvas::fill_radial(const Path& path, Point middle, float radius, Ramp ramp) {
    const float square = 1 / (radius * radius);
    stream_.state(0xA00, RADIAL);
    stream_.state(0xA34, PAINTED);
    stream_.state(0xA04, 0.0f);
    stream_.state(0xA06, 0.0f);
    stream_.state(0xA08, 0.0f);
    stream_.state(0xA05, (middle.x * middle.x + middle.y * middle.y) * square);
    stream_.state(0xA07, -2 * middle.x * square);
    stream_.state(0xA09, -2 * middle.y * square);
    stream_.state(0xA03, square);
    stream_.state(0xA0A, square);
    stream_.state(0xA0B, 0.0f);
    paint(ramp);
    stream_.path(path);
}

void GpuCanvas::fill_linear(const Path& path, float left, float width, Ramp ramp) {
    stream_.state(0xA00, LINEAR);
    stream_.state(0xA34, PAINTED);
    stream_.state(0xA04, -left / width);
    stream_.state(0xA06, 1 / width);
    stream_.state(0xA08, 0.0f);
    paint(ramp);
    stream_.path(path);
}

void GpuCanvas::image(const Image& image) {
    stream_.state(0xA00, IMAGE);
    stream_.state(0xA02, 0u);
    stream_.state(0xA18, image.origin.x);
    stream_.state(0xA19, image.origin.y);
    stream_.state(0xA1A, 1.0f);
    stream_.state(0xA1C, image.per_x.x);
    stream_.state(0xA1D, image.per_x.y);
    stream_.state(0xA1E, 0.0f);
    stream_.state(0xA1F, 1u);
    stream_.state(0xA20, image.per_y.x);
    stream_.state(0xA21, image.per_y.y);
    stream_.state(0xA22, 0.0f);
    stream_.state(0xA25, 0x01020007u); // BGRA8888, bilinear, nothing outside
    stream_.state(0xA27, 0u);
    stream_.state(0xA29, at(image.offset));
    stream_.state(0xA34, 0u);
    stream_.state(0xA2B, image.side * 4);
    stream_.state(0xA2D, 0u);
    stream_.state(0xA2F, image.side << 16 | image.side);
    stream_.rectangle(image.box.x, image.box.y, image.box.width, image.box.height);
}

bool GpuCanvas::finish() {
    constexpr uint32_t EVENT = 3;
    stream_.state(0xA34, 0u);
    stream_.state(0xA1B, 0x11u);
    stream_.end(EVENT);
    return machine_.run(stream_.address(), stream_.qwords()) == 1u << EVENT;
}

} // namespace vg

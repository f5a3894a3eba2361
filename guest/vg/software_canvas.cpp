// SPDX-License-Identifier: GPL-2.0-or-later
#include "software_canvas.hpp"

#include <algorithm>
#include <cstring>

namespace vg {

namespace {

constexpr uint32_t ROW = SIDE + 2;
static_assert(COVERAGE_AT + ROW * SIDE * sizeof(float) <= Machine::MEMORY_BYTES);

// Scales two channels at a time, in the halves of a word. `part` is 0 to 256.
uint32_t scaled(uint32_t color, uint32_t part) {
    const uint32_t even = (color & 0xFF00FF) * part >> 8 & 0xFF00FF;
    const uint32_t odd = (color >> 8 & 0xFF00FF) * part & 0xFF00FF00;
    return even | odd;
}

// Blends a premultiplied color over a pixel.
void put(uint32_t& pixel, uint32_t color) {
    const uint32_t alpha = color >> 24;
    pixel = alpha == 255 ? color : color + scaled(pixel, 256 - (alpha + (alpha >> 7)));
}

Point between(Point a, Point b, float t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

float magnitude(float value) {
    return value < 0 ? -value : value;
}

} // namespace

SoftwareCanvas::SoftwareCanvas(Machine& machine)
    : machine_(machine),
      picture_(reinterpret_cast<uint32_t*>(machine.memory().data() + SOFTWARE_PICTURE_AT)),
      area_(reinterpret_cast<float*>(machine.memory().data() + COVERAGE_AT)) {
    std::fill_n(area_, ROW * SIDE, 0.0f);
}

void SoftwareCanvas::clear(uint32_t color) {
    std::fill_n(picture_, SIDE * SIDE, color);
}

// ---- Coverage --------------------------------------------------------------------------------

void SoftwareCanvas::add(const Path& path) {
    Point at{}, start{};
    const auto words = path.words();
    const auto point = [&](size_t i) {
        return Point{std::bit_cast<float>(words[i]), std::bit_cast<float>(words[i + 1])};
    };
    for (size_t i = 0; i < words.size();) {
        switch (words[i]) {
        case Path::MOVE:
            add_line(at, start);
            start = point(i + 1);
            at = start;
            i += 3;
            break;
        case Path::LINE:
            add_line(at, point(i + 1));
            at = point(i + 1);
            i += 3;
            break;
        default:
            add_curve(at, point(i + 1), point(i + 3), point(i + 5));
            at = point(i + 5);
            i += 7;
        }
    }
    add_line(at, start);
}

// Splits the curve into enough chords to stay within a tenth of a pixel of it.
void SoftwareCanvas::add_curve(Point a, Point b, Point c, Point d) {
    const float bend = magnitude(a.x - 2 * b.x + c.x) + magnitude(a.y - 2 * b.y + c.y) +
                       magnitude(b.x - 2 * c.x + d.x) + magnitude(b.y - 2 * c.y + d.y);
    const auto chords = 1 + int32_t(__builtin_sqrtf(4 * bend));
    Point last = a;
    for (int32_t i = 1; i <= chords; ++i) {
        const float t = float(i) / float(chords);
        const Point ab = between(a, b, t), bc = between(b, c, t), cd = between(c, d, t);
        const Point next = i == chords ? d : between(between(ab, bc, t), between(bc, cd, t), t);
        add_line(last, next);
        last = next;
    }
}

void SoftwareCanvas::add_line(Point from, Point to) {
    const bool down = from.y < to.y;
    const Point p = down ? from : to, q = down ? to : from;
    const float top = std::max(p.y, 0.0f), bottom = std::min(q.y, float(SIDE));
    if (!(top < bottom))
        return;
    const float slope = (q.x - p.x) / (q.y - p.y);
    const auto first = uint32_t(top), last = std::min(uint32_t(bottom), SIDE - 1);
    top_ = std::min(top_, first);
    bottom_ = std::max(bottom_, last + 1);
    for (uint32_t y = first; y <= last; ++y) {
        const float above = std::max(top, float(y)), below = std::min(bottom, float(y + 1));
        const float height = below - above;
        if (height > 0)
            add_row(area_ + y * ROW, p.x + (above - p.y) * slope, p.x + (below - p.y) * slope,
                    down ? height : -height);
    }
}

// Adds the area to the right of a line's part in one row, as differences between neighboring
// pixels.
void SoftwareCanvas::add_row(float* row, float from, float to, float height) {
    const float left = std::clamp(std::min(from, to), 0.0f, float(SIDE));
    const float right = std::clamp(std::max(from, to), 0.0f, float(SIDE));
    const auto first = uint32_t(left);
    if (right <= float(first + 1)) { // within one pixel
        const float part = (left + right) / 2 - float(first);
        row[first] += height * (1 - part);
        row[first + 1] += height * part;
        return;
    }
    const float per_pixel = height / (right - left);
    float covered = 0; // covered area in the previous pixel
    for (uint32_t x = first; x < SIDE; ++x) {
        const float in = std::max(left, float(x)), out = std::min(right, float(x + 1));
        const float crossed = (out - left) * per_pixel; // height crossed to the pixel's right edge
        const float inside = crossed * (float(x + 1) - out) +
                             ((in - left) + (out - left)) / 2 * per_pixel * (out - in);
        row[x] += inside - covered;
        covered = inside;
        if (right <= float(x + 1)) {
            row[x + 1] += height - covered;
            return;
        }
    }
}

template<class Color>
void SoftwareCanvas::shade(Color color) {
    for (uint32_t y = top_; y < bottom_; ++y) {
        float* row = area_ + y * ROW;
        float area = 0;
        for (uint32_t x = 0; x < SIDE; ++x) {
            area += row[x];
            row[x] = 0;
            const auto part = uint32_t(std::min(magnitude(area), 1.0f) * 256 + 0.5f);
            if (part != 0)
                put(picture_[y * SIDE + x], part < 256 ? scaled(color(x, y), part) : color(x, y));
        }
        row[SIDE] = row[SIDE + 1] = 0;
    }
    top_ = SIDE;
    bottom_ = 0;
}

// ---- Colors ----------------------------------------------------------------------------------

void SoftwareCanvas::fill(const Path& path, uint32_t color) {
    add(path);
    shade([color](uint32_t, uint32_t) { return color; });
}

uint32_t SoftwareCanvas::texel(Ramp ramp, float place) const {
    const auto index = int32_t(place * RAMP_TEXELS);
    uint32_t word;
    std::memcpy(&word,
                machine_.memory().data() + ramp.offset +
                    4 * uint32_t(std::clamp(index, int32_t(0), int32_t(RAMP_TEXELS - 1))),
                sizeof word);
    return __builtin_bswap32(word);
}

void SoftwareCanvas::fill_radial(const Path& path, Point middle, float radius, Ramp ramp) {
    add(path);
    shade([&](uint32_t x, uint32_t y) {
        const float dx = float(x) - middle.x, dy = float(y) - middle.y;
        return texel(ramp, __builtin_sqrtf(dx * dx + dy * dy) / radius);
    });
}

void SoftwareCanvas::fill_linear(const Path& path, float left, float width, Ramp ramp) {
    add(path);
    shade([&](uint32_t x, uint32_t) { return texel(ramp, (float(x) - left) / width); });
}

void SoftwareCanvas::image(const Image& image) {
    const auto* texels = reinterpret_cast<const uint32_t*>(machine_.memory().data() + image.offset);
    const auto side = int32_t(image.side);
    // Texels outside the image are transparent. Red and blue are swapped.
    const auto read = [&](int32_t i, int32_t j) -> uint32_t {
        if (i < 0 || j < 0 || i >= side || j >= side)
            return 0;
        const uint32_t word = texels[j * side + i];
        return (word & 0xFF00FF00) | (word >> 16 & 0xFF) | (word & 0xFF) << 16;
    };
    const auto fixed = [&](float place) { return int32_t(place * float(side) * 65536); };
    const int32_t du = fixed(image.per_x.x), dv = fixed(image.per_x.y);
    for (uint32_t y = image.box.y; y < image.box.y + image.box.height; ++y) {
        const float fx = float(image.box.x), fy = float(y);
        int32_t u = fixed(image.origin.x + fx * image.per_x.x + fy * image.per_y.x);
        int32_t v = fixed(image.origin.y + fx * image.per_x.y + fy * image.per_y.y);
        uint32_t* row = picture_ + y * SIDE;
        for (uint32_t x = image.box.x; x < image.box.x + image.box.width; ++x, u += du, v += dv) {
            const int32_t i = u >> 16, j = v >> 16;
            if (i < -1 || j < -1 || i >= side || j >= side)
                continue;
            const uint32_t right = uint32_t(u) >> 8 & 255, down = uint32_t(v) >> 8 & 255;
            const uint32_t above = scaled(read(i, j), 256 - right) + scaled(read(i + 1, j), right);
            const uint32_t below =
                scaled(read(i, j + 1), 256 - right) + scaled(read(i + 1, j + 1), right);
            put(row[x], scaled(above, 256 - down) + scaled(below, down));
        }
    }
}

} // namespace vg

// SPDX-License-Identifier: GPL-2.0-or-later
// The suite "scene": a picture that moves, of paths, gradients, an image, and text as paths.
//
// States: docs/vivante-vg.md and the words of tests/data/vivante_vg_vectors.txt. Numbers are
// computed with + - * / alone, so that both machines come to the same words.
#include "machine.hpp"
#include "stream.hpp"

#include <array>
#include <cstddef>

namespace vg {

namespace {

constexpr uint32_t SIDE = 400, FRAMES = 16, PICTURE_BYTES = SIDE * SIDE * 4;
constexpr float CENTER = SIDE / 2;

// Places in Machine::memory().
constexpr uint32_t STREAM_AT = 0, STREAM_BYTES = 0x10000, WARM_AT = 0x10000, COLD_AT = 0x10400,
                   TILE_AT = 0x11000, PICTURE_AT = 0x20000;
constexpr uint32_t TILE_SIDE = 32, RAMP_TEXELS = 256;

constexpr uint32_t at(uint32_t offset) {
    return Machine::MEMORY_ADDRESS + offset;
}

// VG_CONTROL: alpha is as it is; SRC_OVER; what is drawn, and with what.
constexpr uint32_t RECTANGLE = 0x10000001, IMAGE = 0x10001101, PATH = 0x10000103,
                   LINEAR = 0x11000103, RADIAL = 0x12000103;
// TS_CONFIG: on, single precision, of the best quality; of colors or of paints.
constexpr uint32_t COLORED = 0x01300203, PAINTED = 0x01300403;

// ---- Numbers ---------------------------------------------------------------------------------

// Of a turn: a parabola through the zeros and the peaks, and its square to bend it.
float sine(float turn) {
    float t = turn - float(int32_t(turn));
    if (t < 0)
        t += 1;
    const bool lower = t >= 0.5f;
    const float half = lower ? t - 0.5f : t;
    const float y = 16 * half * (0.5f - half);
    const float s = 0.225f * (y * y - y) + y;
    return lower ? -s : s;
}

float cosine(float turn) {
    return sine(turn + 0.25f);
}

uint32_t crc32(std::span<const uint8_t> bytes) {
    uint32_t crc = ~0u;
    for (const uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

// ---- Text that is printed --------------------------------------------------------------------

class Line {
public:
    Line& operator<<(std::string_view text) {
        for (const char c : text)
            put(c);
        return *this;
    }
    Line& decimal(uint32_t number, uint32_t digits) {
        uint32_t unit = 1;
        while (--digits != 0)
            unit *= 10;
        for (; unit != 0; unit /= 10)
            put(char('0' + number / unit % 10));
        return *this;
    }
    Line& hex(uint32_t number) {
        for (int shift = 28; shift >= 0; shift -= 4)
            put("0123456789abcdef"[number >> shift & 15]);
        return *this;
    }
    std::string_view view() const { return {text_.data(), used_}; }

private:
    void put(char c) {
        if (used_ < text_.size())
            text_[used_++] = c;
    }
    std::array<char, 120> text_{};
    size_t used_ = 0;
};

// ---- Letters ---------------------------------------------------------------------------------

// Strokes on a grid 4 wide and 6 high; points are two digits, strokes are separated by blanks.
struct Letter {
    char letter;
    const char* strokes;
};

constexpr Letter LETTERS[] = {
    {'C', "411030010536164645"}, {'G', "41301001051636454323"}, {'V', "002640"}, {'L', "000646"},
    {'M', "0600234046"},         {'P', "0600304142330303"},     {'I', "2026"},   {'X', "0046 4006"},
    {'3', "0040224344364606"},   {'5', "400003334445360605"},
};

const char* strokes_of(char letter) {
    for (const Letter& l : LETTERS) {
        if (l.letter == letter)
            return l.strokes;
    }
    return "";
}

// ---- The scene -------------------------------------------------------------------------------

class Scene {
public:
    explicit Scene(Machine& machine)
        : machine_(machine),
          stream_({reinterpret_cast<uint32_t*>(machine.memory().data()), STREAM_BYTES / 4},
                  at(STREAM_AT)) {
        make_ramp(WARM_AT, 0xFFC040, 0x802010);
        make_ramp(COLD_AT, 0x40E0FF, 0x102080);
        make_tile();
    }

    bool draw(uint32_t frame) {
        const float turn = float(frame) / FRAMES;
        stream_.clear();
        begin();
        draw_rays(turn);
        draw_disc(turn);
        draw_tile(turn);
        draw_bar(turn);
        draw_text("PIXMILL", 52, 330, 8, 0xFFFFFFFF);
        draw_text("GC355", 122 + 24 * sine(turn), 28, 6, 0xFF80FFC0);
        stream_.state(0xA34, 0u);
        stream_.state(0xA1B, 0x11u);
        stream_.end(3);
        return machine_.run(stream_.address(), stream_.qwords()) == 1u << 3;
    }

private:
    uint8_t* byte(uint32_t offset) { return machine_.memory().data() + offset; }

    void put_word(uint32_t offset, uint32_t word) {
        for (int i = 0; i < 4; ++i)
            byte(offset)[i] = uint8_t(word >> 8 * i);
    }

    // ABGR8888: alpha in the lowest byte, red in the highest. Colors are R8G8B8.
    void make_ramp(uint32_t offset, uint32_t first, uint32_t last) {
        for (uint32_t i = 0; i < RAMP_TEXELS; ++i) {
            uint32_t word = 0;
            for (int shift = 16; shift >= 0; shift -= 8) {
                const uint32_t a = first >> shift & 255, b = last >> shift & 255;
                word = word << 8 | (a * (255 - i) + b * i) / 255;
            }
            put_word(offset + 4 * i, word << 8 | 255);
        }
    }

    // BGRA8888: a checkerboard with a translucent border.
    void make_tile() {
        for (uint32_t y = 0; y < TILE_SIDE; ++y) {
            for (uint32_t x = 0; x < TILE_SIDE; ++x) {
                const bool border = x < 2 || y < 2 || x >= TILE_SIDE - 2 || y >= TILE_SIDE - 2;
                const bool light = ((x >> 3) + (y >> 3)) % 2 != 0;
                put_word(TILE_AT + (y * TILE_SIDE + x) * 4, border ? 0x80404040
                                                            : light
                                                                ? 0xFFE0E8F0
                                                                : 0xFF000000 | x * 8 << 16 | y * 8);
            }
        }
    }

    // The target: RGBA8888, used as it is stored; and a night to draw on.
    void begin() {
        const uint32_t size = SIDE << 16 | SIDE;
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
        color(RECTANGLE, 0, 0xFF301810);
        stream_.rectangle(0, 0, SIDE, SIDE);
    }

    // A:B:G:R
    void color(uint32_t control, uint32_t tessellation, uint32_t abgr) {
        stream_.state(0xA00, control);
        stream_.state(0xA02, abgr);
        stream_.state(0xA34, tessellation);
    }

    void polygon(std::span<const Point> points) {
        stream_.move(points[0]);
        for (size_t i = 1; i < points.size(); ++i)
            stream_.line(points[i]);
        stream_.line(points[0]);
    }

    // Translucent, and turning.
    void draw_rays(float turn) {
        color(PATH, COLORED, 0x60603C24); // multiplied by alpha
        stream_.begin_path();
        for (int i = 0; i < 12; ++i) {
            const float a = turn / 12 + float(i) / 12, b = a + 1.0f / 24;
            const Point points[] = {{CENTER, CENTER},
                                    {CENTER + 260 * cosine(a), CENTER + 260 * sine(a)},
                                    {CENTER + 260 * cosine(b), CENTER + 260 * sine(b)}};
            polygon(points);
        }
        stream_.end_path();
    }

    void paint(uint32_t ramp) {
        stream_.state(0xA24, 0x01011117u); // ABGR8888, pad, linear
        stream_.state(0xA26, 0u);
        stream_.state(0xA28, at(ramp));
        stream_.state(0xA2A, 0u);
        stream_.state(0xA2C, 0u);
        stream_.state(0xA2E, RAMP_TEXELS);
    }

    // A circle of four curves with a radial gradient, which breathes.
    void draw_disc(float turn) {
        const float r = 110 + 15 * sine(turn), k = r * 0.5523f, c = CENTER;
        const float square = 1 / (r * r);
        stream_.state(0xA00, RADIAL);
        stream_.state(0xA34, PAINTED);
        stream_.state(0xA04, 0.0f);
        stream_.state(0xA06, 0.0f);
        stream_.state(0xA08, 0.0f);
        stream_.state(0xA05, 2 * c * c * square);
        stream_.state(0xA07, -2 * c * square);
        stream_.state(0xA09, -2 * c * square);
        stream_.state(0xA03, square);
        stream_.state(0xA0A, square);
        stream_.state(0xA0B, 0.0f);
        paint(WARM_AT);
        stream_.begin_path();
        stream_.move({c + r, c});
        stream_.cubic({c + r, c + k}, {c + k, c + r}, {c, c + r});
        stream_.cubic({c - k, c + r}, {c - r, c + k}, {c - r, c});
        stream_.cubic({c - r, c - k}, {c - k, c - r}, {c, c - r});
        stream_.cubic({c + k, c - r}, {c + r, c - k}, {c + r, c});
        stream_.end_path();
    }

    // The image, three times as large, turned about the middle; from a pixel to a part of it.
    void draw_tile(float turn) {
        const float scale = 1.0f / (3 * TILE_SIDE), c = cosine(turn) * scale,
                    s = sine(turn) * scale;
        stream_.state(0xA00, IMAGE);
        stream_.state(0xA02, 0u);
        stream_.state(0xA18, 0.5f - CENTER * (c + s));
        stream_.state(0xA19, 0.5f - CENTER * (c - s));
        stream_.state(0xA1A, 1.0f);
        stream_.state(0xA1C, c);
        stream_.state(0xA1D, -s);
        stream_.state(0xA1E, 0.0f);
        stream_.state(0xA1F, 1u);
        stream_.state(0xA20, s);
        stream_.state(0xA21, c);
        stream_.state(0xA22, 0.0f);
        stream_.state(0xA25, 0x01020007u); // BGRA8888, bilinear, nothing outside
        stream_.state(0xA27, 0u);
        stream_.state(0xA29, at(TILE_AT));
        stream_.state(0xA34, 0u);
        stream_.state(0xA2B, TILE_SIDE * 4);
        stream_.state(0xA2D, 0u);
        stream_.state(0xA2F, TILE_SIDE << 16 | TILE_SIDE);
        stream_.rectangle(120, 120, 160, 160);
    }

    // A bar with round ends and a linear gradient, as long as the time that has passed.
    void draw_bar(float turn) {
        const float left = 40, right = 80 + 280 * turn, top = 288, bottom = 312, k = 16;
        stream_.state(0xA00, LINEAR);
        stream_.state(0xA34, PAINTED);
        stream_.state(0xA04, -left / 320);
        stream_.state(0xA06, 1.0f / 320);
        stream_.state(0xA08, 0.0f);
        paint(COLD_AT);
        stream_.begin_path();
        stream_.move({left, top});
        stream_.line({right, top});
        stream_.cubic({right + k, top}, {right + k, bottom}, {right, bottom});
        stream_.line({left, bottom});
        stream_.cubic({left - k, bottom}, {left - k, top}, {left, top});
        stream_.end_path();
    }

    // Each stroke is as wide as a unit of the grid; the pen is a lozenge, so that joints close.
    void draw_text(std::string_view text, float x, float y, float unit, uint32_t abgr) {
        color(PATH, COLORED, abgr);
        stream_.begin_path();
        for (const char letter : text) {
            bool down = false;
            Point last{};
            for (const char* p = strokes_of(letter); *p;) {
                if (*p == ' ') {
                    down = false;
                    ++p;
                    continue;
                }
                const Point next{x + float(p[0] - '0') * unit, y + float(p[1] - '0') * unit};
                if (down)
                    stroke(last, next, unit / 2);
                last = next;
                down = true;
                p += 2;
            }
            x += 5.5f * unit;
        }
        stream_.end_path();
    }

    // All that a lozenge covers on its way; clockwise, whatever the way is.
    void stroke(Point a, Point b, float r) {
        const bool swap = a.y > b.y || (a.y == b.y && a.x > b.x);
        const Point p = swap ? b : a, q = swap ? a : b;
        if (q.x >= p.x && q.x - p.x >= q.y - p.y) { // mostly to the right
            const Point points[] = {{p.x - r, p.y}, {p.x, p.y - r}, {q.x, q.y - r},
                                    {q.x + r, q.y}, {q.x, q.y + r}, {p.x, p.y + r}};
            polygon(points);
        } else if (p.x - q.x > q.y - p.y) { // mostly to the left
            const Point points[] = {{q.x - r, q.y}, {q.x, q.y - r}, {p.x, p.y - r},
                                    {p.x + r, p.y}, {p.x, p.y + r}, {q.x, q.y + r}};
            polygon(points);
        } else { // mostly down
            const Point points[] = {{p.x, p.y - r}, {p.x + r, p.y}, {q.x + r, q.y},
                                    {q.x, q.y + r}, {q.x - r, q.y}, {p.x - r, p.y}};
            polygon(points);
        }
    }

    Machine& machine_;
    Stream stream_;
};

void run_scene(Machine& machine) {
    Scene scene(machine);
    const auto picture = machine.memory().subspan(PICTURE_AT, PICTURE_BYTES);
    bool drawn = true;
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        drawn = scene.draw(frame) && drawn;
        Line name;
        name << "scene-";
        name.decimal(frame, 2);
        machine.show(at(PICTURE_AT), SIDE, SIDE);
        machine.save((Line() << name.view() << ".raw").view(), picture);
        Line line;
        line << "frame " << name.view() << " rgba8888 400 400 1600 ";
        machine.print((line.hex(crc32(picture)) << "\n").view());
    }
    machine.print(drawn ? "check events ok\n" : "check events failed\n");
}

} // namespace

bool run_suite(Machine& machine, std::string_view name) {
    if (name != "scene")
        return false;
    run_scene(machine);
    machine.print("end scene\n");
    return true;
}

} // namespace vg

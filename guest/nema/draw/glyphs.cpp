// SPDX-License-Identifier: GPL-2.0-or-later
#include "glyphs.hpp"

namespace nema {

namespace {

// A letter on a grid 4 wide and 8 high. Paths are separated by spaces. The first character of a
// path is its kind: L for straight lines, S for an open quadratic B-spline that includes both end
// points, C for a closed one. Each point is two digits, x and y.
struct Letter {
    char letter;
    const char* paths;
};

constexpr Letter LETTERS[] = {
    {'0', "C00404808"},
    {'1', "L122028"},
    {'2', "S0200404308 L0848"},
    {'3', "S0100404414 S1444480807"},
    {'4', "L38300646"},
    {'5', "L400003 S0343480806"},
    {'6', "S400005 C03434808"},
    {'7', "L004018"},
    {'8', "C00404404 C04444808"},
    {'9', "C00404505 S434808"},
    {'A', "L082048 L1636"},
    {'B', "L20000828 L0424 S20404424 S24444828"},
    {'C', "S414000084847"},
    {'D', "L18080010 S10404818"},
    {'E', "L40000848 L0434"},
    {'F', "L400008 L0434"},
    {'G', "S414000084845 L4525"},
    {'H', "L0008 L4048 L0444"},
    {'I', "L2028"},
    {'J', "L4045 S45480806"},
    {'K', "L0008 L400448"},
    {'L', "L000848"},
    {'M', "L0800244048"},
    {'N', "L08004840"},
    {'O', "C00404808"},
    {'P', "L080020 L0424 S20404424"},
    {'Q', "C00404808 L2648"},
    {'R', "L080020 L0424 S20404424 L2448"},
    {'S', "S4140000444480807"},
    {'T', "L0040 L2028"},
    {'U', "L0005 S05084845 L4540"},
    {'V', "L002840"},
    {'W', "L0018243840"},
    {'X', "L0048 L4008"},
    {'Y', "L002440 L2428"},
    {'Z', "L00400848"},
    {':', "L2222 L2626"},
    {'.', "L2828"},
    {'-', "L1434"},
    {'/', "L4008"},
    {'%', "L4008 C00202202 C26464828"},
};

struct Strokes {
    struct Line {
        Vector from, to;
    };
    std::array<Line, 64> lines;
    uint32_t count = 0;

    void add(Vector from, Vector to) {
        if (count < lines.size())
            lines[count++] = {from, to};
    }
    void bend(Vector from, Vector control, Vector to);
    void path(char kind, std::span<const Vector> points);
    float distance(Vector from) const;
};

void Strokes::bend(Vector from, Vector control, Vector to) {
    constexpr uint32_t PIECES = 6;
    Vector last = from;
    for (uint32_t i = 1; i <= PIECES; ++i) {
        const float t = float(i) / PIECES, s = 1.0f - t;
        const Vector next = from * (s * s) + control * (2.0f * s * t) + to * (t * t);
        add(last, next);
        last = next;
    }
}

void Strokes::path(char kind, std::span<const Vector> p) {
    const size_t n = p.size();
    const auto middle = [&](size_t a, size_t b) { return (p[a % n] + p[b % n]) * 0.5f; };
    if (kind == 'L')
        for (size_t i = 0; i + 1 < n; ++i)
            add(p[i], p[i + 1]);
    else if (kind == 'C')
        for (size_t i = 0; i < n; ++i)
            bend(middle(i + n - 1, i), p[i], middle(i, i + 1));
    else
        for (size_t i = 1; i + 1 < n; ++i)
            bend(i == 1 ? p[0] : middle(i - 1, i), p[i], i + 2 == n ? p[n - 1] : middle(i, i + 1));
}

float Strokes::distance(Vector from) const {
    float nearest = 1e9f; // square of the distance to the nearest stroke so far
    for (uint32_t i = 0; i < count; ++i) {
        const Vector a = from - lines[i].from, along = lines[i].to - lines[i].from;
        const float length = along.x * along.x + along.y * along.y;
        float t = length > 0 ? (a.x * along.x + a.y * along.y) / length : 0.0f;
        t = t < 0 ? 0.0f : t > 1 ? 1.0f : t;
        const Vector off = a - along * t;
        const float square = off.x * off.x + off.y * off.y;
        if (square < nearest)
            nearest = square;
    }
    return root_of(nearest);
}

Strokes strokes_of(char letter, GlyphSize size) {
    Strokes strokes;
    const float unit = size.height / 8, margin = size.pen / 2 + 1.0f;
    for (const Letter& l : LETTERS) {
        if (l.letter != letter)
            continue;
        for (const char* c = l.paths; *c != 0;) {
            std::array<Vector, 12> points;
            size_t count = 0;
            const char kind = *c++;
            for (; *c != 0 && *c != ' '; c += 2)
                points[count++] = {margin + float(c[0] - '0') * unit * 1.25f,
                                   margin + float(c[1] - '0') * unit};
            strokes.path(kind, std::span(points).first(count));
            c += *c == ' ';
        }
    }
    return strokes;
}

} // namespace

void put_alpha(const Surface& s, uint32_t x, uint32_t y, uint32_t coverage) {
    const uint32_t bits = info_of(s.format).bits, in_byte = x * bits % 8;
    const bool little = s.format == Format::A1LE || s.format == Format::A2LE ||
                        s.format == Format::A4LE || bits == 8;
    const uint32_t shift = little ? in_byte : 8 - bits - in_byte;
    uint8_t& byte = s.bytes[y * uint32_t(s.stride) + x * bits / 8];
    byte = uint8_t(byte | coverage >> (8 - bits) << shift);
}

void draw_glyph(const Surface& surface, char letter, GlyphSize size) {
    const Strokes strokes = strokes_of(letter, size);
    for (uint32_t y = 0; y < surface.height; ++y) {
        for (uint32_t x = 0; x < surface.width; ++x) {
            const float d = strokes.distance({float(x) + 0.5f, float(y) + 0.5f});
            const float c = size.pen / 2 - d + 0.5f;
            if (c > 0)
                put_alpha(surface, x, y, c >= 1 ? 255 : uint32_t(c * 255.0f));
        }
    }
}

int32_t Font::advance(char letter) const {
    const bool narrow = letter == ':' || letter == '.' || letter == 'I' || letter == ' ';
    return narrow ? size_.advance() * 5 / 8 : size_.advance();
}

int32_t Font::width(std::string_view text) const {
    int32_t width = 0;
    for (char letter : text)
        width += advance(letter);
    return width;
}

void Font::print(Canvas& canvas, std::string_view text, int32_t x, int32_t y,
                 uint32_t color) const {
    for (char letter : text) {
        const int32_t shift = (size_.advance() - advance(letter)) / 2; // centers a narrow letter
        if (glyph(letter).bytes != nullptr)
            canvas.stamp(glyph(letter), x - shift, y, color);
        x += advance(letter);
    }
}

void Font::print_centred(Canvas& canvas, std::string_view text, int32_t x, int32_t y,
                         uint32_t color) const {
    print(canvas, text, x - width(text) / 2, y - size_.cell_height() / 2, color);
}

} // namespace nema

// SPDX-License-Identifier: GPL-2.0-or-later
#include "watch_face.hpp"

#include "../draw/shapes.hpp"

namespace nema::scenes {

namespace {

constexpr Vector CENTRE{227, 227};
constexpr float RIM = 226, DIAL = 213;

uint32_t mix(uint32_t a, uint32_t b, float t) {
    uint32_t out = 0;
    for (uint32_t shift = 0; shift < 32; shift += 8) {
        const float x = float(a >> shift & 0xFF), y = float(b >> shift & 0xFF);
        out |= uint32_t(floor_of(x + (y - x) * t + 0.5f)) << shift;
    }
    return out;
}

// Returns the brightness, 0 to 1, of a surface that is lit from the upper left. It has two maxima
// per turn.
float gloss(float turns) {
    const float c = 0.5f + 0.5f * cosine(2 * turns + 0.22f);
    return c * c;
}

auto alpha_surfaces(Stage& stage) {
    return [&stage](uint32_t width, uint32_t height) {
        return stage.surface(Format::A4, width, height);
    };
}

float limited(float v, float least, float most) {
    return v < least ? least : v > most ? most : v;
}

} // namespace

WatchFace::WatchFace(Stage& stage)
    : large_({30, 4.6f}, "0123456789", alpha_surfaces(stage)),
      medium_({15, 2.6f}, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ:", alpha_surfaces(stage)),
      small_({11, 1.9f}, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ.%", alpha_surfaces(stage)),
      hour_(hand(stage, 112, 17, 7.5f, 4.5f, rgba(250, 250, 252), rgba(150, 158, 170),
                 rgba(196, 240, 226))),
      minute_(hand(stage, 168, 20, 6.5f, 3.2f, rgba(250, 250, 252), rgba(150, 158, 170),
                   rgba(196, 240, 226))),
      second_(hand(stage, 190, 46, 2.4f, 1.2f, rgba(255, 110, 70), rgba(225, 60, 40),
                   rgba(255, 110, 70))) {}

// Draws a hand that points up, with its pivot `tail` above the lower end. It is a tapering bar with
// a luminous inlay, lit from the left. Its shadow has the same outline, softened and enlarged.
WatchFace::Hand WatchFace::hand(Stage& stage, float length, float tail, float base, float tip,
                                uint32_t light, uint32_t dark, uint32_t lume) const {
    constexpr float MARGIN = 5;
    const float half = base + MARGIN;
    const uint32_t width = uint32_t(2 * half + 1), height = uint32_t(length + tail + 2 * MARGIN);
    Hand h{stage.surface(Format::RGBA8888, width, height),
           stage.surface(Format::RGBA8888, width, height),
           {float(width) / 2, MARGIN + length}};
    for (uint32_t y = 0; y < height; ++y) {
        const float v = float(y) + 0.5f - MARGIN, end = length + tail;
        const float along = limited(v / length, 0, 1);
        const float edge = tip + (base - tip) * along;
        for (uint32_t x = 0; x < width; ++x) {
            const float u = float(x) + 0.5f - h.pivot.x;
            const float off = limited(-v, v - end, -v > v - end ? -v : v - end);
            const float beyond = off > 0 ? off : 0;
            const float out = magnitude(u) - edge;
            const float away = length_of({out > 0 ? out : 0, beyond});
            const float inside = out < -beyond ? out : away;
            const float coverage = limited(0.5f - inside, 0, 1);
            const bool inlay =
                edge > 3.5f && magnitude(u) < edge - 2.6f && v > 6 && v < length * 0.7f;
            const uint32_t color = inlay ? lume : mix(light, dark, limited(u * 0.5f + 0.5f, 0, 1));
            h.picture.row32(y)[x] = (color & 0xFFFFFF) | uint32_t(coverage * 255) << 24;
            const float soft = limited((MARGIN - 1 - away) / MARGIN, 0, 1);
            h.shadow.row32(y)[x] = uint32_t(soft * soft * 255) << 24;
        }
    }
    return h;
}

void WatchFace::draw(Canvas& canvas, uint32_t second_of_day) const {
    const float second = float(second_of_day % 60) / 60;
    const float minute = (float(second_of_day / 60 % 60) + second) / 60;
    const float hour = (float(second_of_day / 3600 % 12) + minute) / 12;
    canvas.fill({0, 0, SIZE, SIZE}, rgba(0, 0, 0));
    dial(canvas);
    bezel(canvas);
    scale(canvas);
    seconds_ring(canvas, second);
    numerals(canvas);
    small_.print_centred(canvas, "PIXMILL", 227, 146, rgba(215, 228, 240));
    gauge(canvas, {146, 227}, 33, 0.84f, "8.4K", rgba(255, 170, 40), rgba(255, 70, 110));
    gauge(canvas, {227, 308}, 37, 0.72f, "72%", rgba(60, 220, 140), rgba(40, 160, 255));
    date(canvas);
    place(canvas, hour_, hour, {4, 6});
    place(canvas, minute_, minute, {5, 8});
    place(canvas, second_, second, {6, 10});
    cap(canvas);
}

// Draws a brushed dial as wedges that are shaded from the middle to the rim.
void WatchFace::dial(Canvas& canvas) const {
    constexpr uint32_t WEDGES = 60;
    const uint32_t middle = rgba(44, 92, 140), dark = rgba(5, 16, 34), bright = rgba(30, 84, 138);
    for (uint32_t i = 0; i < WEDGES; ++i) {
        const float from = float(i) / WEDGES, to = float(i + 1) / WEDGES;
        canvas.shaded({CENTRE, on_circle(CENTRE, DIAL + 2, from), on_circle(CENTRE, DIAL + 2, to)},
                      {middle, mix(dark, bright, gloss(from)), mix(dark, bright, gloss(to))});
    }
}

void WatchFace::bezel(Canvas& canvas) const {
    const uint32_t dark = rgba(58, 62, 70), bright = rgba(244, 246, 250);
    shaded_arc(canvas, CENTRE, DIAL + 3, RIM, 0, 1, 120,
               [&](float t) { return mix(dark, bright, gloss(t)); });
    shaded_arc(canvas, CENTRE, DIAL, DIAL + 4, 0, 1, 120,
               [&](float t) { return mix(rgba(150, 154, 160), rgba(20, 22, 26), gloss(t)); });
}

void WatchFace::scale(Canvas& canvas) const {
    for (uint32_t i = 0; i < 60; ++i) {
        const float t = float(i) / 60;
        const bool hour = i % 5 == 0;
        thick_line(canvas, on_circle(CENTRE, hour ? 186.0f : 194.0f, t), on_circle(CENTRE, 203, t),
                   hour ? 4.2f : 1.5f, hour ? rgba(240, 244, 250) : rgba(190, 206, 224, 190));
    }
}

void WatchFace::numerals(Canvas& canvas) const {
    constexpr std::string_view NUMERALS[] = {"12", "1", "2", "3", "4",  "5",
                                             "6",  "7", "8", "9", "10", "11"};
    for (uint32_t i = 0; i < 12; ++i) {
        if (i % 3 == 0 && i != 0)
            continue; // where the gauges and the date are
        const Vector at = on_circle(CENTRE, 158, float(i) / 12);
        large_.print_centred(canvas, NUMERALS[i], floor_of(at.x), floor_of(at.y),
                             rgba(240, 244, 250));
    }
}

void WatchFace::seconds_ring(Canvas& canvas, float turns) const {
    const uint32_t pieces = uint32_t(floor_of(turns * 60 + 0.5f));
    if (pieces > 0)
        shaded_arc(canvas, CENTRE, 206, 211, 0, turns, pieces,
                   [](float t) { return mix(rgba(40, 220, 255), rgba(255, 60, 160), t); });
}

void WatchFace::gauge(Canvas& canvas, Vector centre, float radius, float level,
                      std::string_view label, uint32_t from, uint32_t to) const {
    disc(canvas, centre, radius, rgba(2, 8, 18, 150));
    arc(canvas, centre, radius - 6, radius - 2, 0, 1, rgba(130, 160, 190, 70));
    shaded_arc(canvas, centre, radius - 7, radius - 1, 0, level, 36,
               [&](float t) { return mix(from, to, t / level); });
    small_.print_centred(canvas, label, floor_of(centre.x), floor_of(centre.y),
                         rgba(235, 242, 250));
}

void WatchFace::date(Canvas& canvas) const {
    rounded_rectangle(canvas, {283, 211, 88, 32}, 9, rgba(200, 214, 230));
    rounded_rectangle(canvas, {285, 213, 84, 28}, 7, rgba(6, 14, 28));
    medium_.print_centred(canvas, "SAT 21", 327, 227, rgba(245, 248, 252));
}

void WatchFace::place(Canvas& canvas, const Hand& hand, float turns, Vector shadow) const {
    canvas.sprite(hand.shadow, CENTRE + shadow, hand.pivot, turns, 120);
    canvas.sprite(hand.picture, CENTRE, hand.pivot, turns, 255);
}

void WatchFace::cap(Canvas& canvas) const {
    disc(canvas, CENTRE, 11, rgba(228, 232, 238));
    disc(canvas, CENTRE, 9, rgba(120, 128, 140));
    disc(canvas, CENTRE, 6, rgba(235, 70, 45));
    disc(canvas, CENTRE, 2.5f, rgba(30, 30, 34));
}

} // namespace nema::scenes

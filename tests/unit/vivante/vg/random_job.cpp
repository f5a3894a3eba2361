// SPDX-License-Identifier: GPL-2.0-or-later
#include "random_job.hpp"

#include <bit>
#include <cmath>
#include <numbers>

#include "../../splitmix64.hpp"

namespace pixmill::test {
namespace {

class Random : public pixmill::test::SplitMix64 {
public:
    using SplitMix64::SplitMix64;
    /* Returns a number in [low, high]. */
    int in(int low, int high) {
        return low + static_cast<int>(next() % static_cast<uint64_t>(high - low + 1));
    }
    uint32_t upto(uint32_t high) { return static_cast<uint32_t>(next() % (uint64_t{high} + 1)); }
    bool chance(unsigned percent) { return next() % 100 < percent; }
    template<typename T, size_t N>
    const T& of(const T (&choices)[N]) {
        return choices[next() % N];
    }
};

uint32_t real(double value) {
    return std::bit_cast<uint32_t>(static_cast<float>(value));
}

/* Offsets of the surfaces from vg_job_base. */
constexpr uint32_t at_target = 0x00000, at_image = 0x20000, at_paint = 0x30000, at_mask = 0x40000,
                   at_scissor = 0x48000;
constexpr uint32_t memory_size = 0x50000; /* size of the memory with random contents */

constexpr uint32_t nothing_multiplied = 1u << 28;

/* Bits per pixel of each target format and each source format. */
constexpr uint32_t target_bits[] = {8, 16, 32, 32, 16, 16, 8, 8};
constexpr uint32_t source_bits[] = {8, 4, 8, 16, 16, 16, 32, 32, 16};
constexpr uint32_t extended_bits[] = {0, 1, 2, 4, 8, 8};

class Builder {
public:
    explicit Builder(uint64_t seed) : random_(seed) {
        job_.seed = seed;
        is_gc255_ = random_.chance(20);
        job_.chip = is_gc255_ ? "gc255-rt595" : "gc355-rt1170";
    }

    VgJob build() {
        for (const uint32_t at : {at_target, at_image, at_paint, at_mask, at_scissor})
            add_memory(at);
        target();
        for (int draws = random_.in(1, 4); draws; draws--)
            add_draw();
        job_.has_event = random_.chance(20);
        job_.is_fetched = random_.chance(20);
        job_.has_padding = random_.chance(50);
        job_.has_bursts = random_.chance(50);
        constexpr VgEnding bad[] = {VgEnding::illegal, VgEnding::cut_off, VgEnding::lonely_return};
        if (random_.chance(4))
            job_.ending = random_.of(bad);
        return std::move(job_);
    }

private:
    void set(uint32_t address, uint32_t value) { draw_.states[address] = value; }

    /* Adds random memory. Values often repeat, so that color keys match and edges are visible. */
    void add_memory(uint32_t at) {
        const uint32_t size = at == at_mask      ? at_scissor - at_mask
                              : at == at_scissor ? memory_size - at_scissor
                              : at == at_target  ? at_image - at_target
                                                 : 0x10000;
        std::vector<uint8_t> bytes(size);
        const bool runs = random_.chance(40);
        uint64_t word = 0;
        for (size_t i = 0; i < bytes.size(); i++) {
            if (i % 8 == 0 && (!runs || random_.chance(10)))
                word = random_.next();
            if (at == at_scissor && i % 8 == 0)
                word |= random_.next(); /* makes most pixels visible */
            bytes[i] = static_cast<uint8_t>(word >> 8 * (i % 8));
        }
        job_.memory.push_back({vg_job_base + at, std::move(bytes)});
    }

    /* ---- Target ---- */

    void target() {
        constexpr uint32_t of_gc355[] = {0, 1, 1, 2, 3, 3, 3, 3, 3, 4, 5};
        constexpr uint32_t of_gc255[] = {0, 1, 2, 3, 3, 3, 4, 5, 6, 7};
        const uint32_t format = is_gc255_ ? random_.of(of_gc255) : random_.of(of_gc355);
        width_ = static_cast<uint32_t>(random_.in(8, 96));
        height_ = static_cast<uint32_t>(random_.in(8, 64));
        const uint32_t bytes = target_bits[format] / 8;
        const uint32_t stride = (width_ + 3) / 4 * 4 * bytes + 4 * random_.upto(4);
        uint32_t config = format | random_.upto(3) << 4;
        config |= random_.chance(55) ? 0x100 : 0;   /* AS_STORED */
        config |= !is_gc255_ ? 0x200 : 0;           /* UNPREMULTIPLY */
        config |= random_.chance(85) ? 0x10000 : 0; /* the first row is at the top */
        if (!is_gc255_ && random_.chance(10))
            config |= random_.chance(50) ? 0x1000 : 0x2000;
        target_states_ = {{0xA10, config},
                          {0xA11, vg_job_base + at_target},
                          {0xA12, stride | (random_.chance(10) ? 1u << 28 : 0)},
                          {0xA13, height_ << 16 | width_}};
    }

    /* ---- A draw ---- */

    void add_draw() {
        draw_ = {};
        if (random_.chance(15))
            target();
        draw_.states = target_states_;
        draw_.full_size = height_ << 16 | width_;
        draw_.usual_target = target_states_[0xA11];
        if (random_.chance(25))
            set(0xA13, (random_.upto(height_) << 16) | random_.upto(width_));
        if (random_.chance(3)) /* gives the target no memory, or too little */
            set(0xA11, random_.chance(30) ? 0x10000000 : vg_job_base + vg_job_bytes - 0x400);

        constexpr uint32_t blends[] = {0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
        control_ = random_.of(blends) << 8;
        control_ |= random_.chance(60) ? nothing_multiplied : 0;
        set(0xA02, color());
        colors();
        options();
        primitive();
        if (random_.chance(4))
            make_wild();
        job_.draws.push_back(draw_);
        if (control_ & 2)
            more_windows();
    }

    uint32_t color() {
        const uint32_t word = random_.word();
        return random_.chance(30) ? word | 0xFF000000 : word;
    }

    void primitive() {
        if (random_.chance(35)) {
            set(0xA00, control_ | 1);
            set(0xA34, 0);
            for (int count = random_.in(1, 3); count; count--) {
                const uint32_t x = random_.upto(width_), y = random_.upto(height_);
                draw_.rectangles.push_back(y << 16 | x);
                draw_.rectangles.push_back(random_.upto(height_) << 16 | random_.upto(width_));
            }
            return;
        }
        control_ |= random_.chance(80) ? 3 : 2;
        set(0xA00, control_);
        path();
        const bool whole = random_.chance(60);
        const uint32_t x = whole ? 0 : random_.upto(width_), y = whole ? 0 : random_.upto(height_);
        set(0xA39, y << 16 | x);
        set(0xA01, y << 16 | x);
        set(0xA3A, whole ? 0x01000100
                         : static_cast<uint32_t>(random_.in(1, 64)) << 16 |
                               static_cast<uint32_t>(random_.in(1, 64)));
        draw_.is_called = random_.chance(25);
    }

    /* Adds draws of the path in adjacent windows, as the client does. */
    void more_windows() {
        for (uint32_t step : {1u, 0x10000u}) {
            if (!random_.chance(25))
                continue;
            VgDraw next = draw_;
            const uint32_t size = draw_.states[0xA3A];
            next.states[0xA39] += step == 1 ? size & 0xFFFF : size & 0xFFFF0000;
            job_.draws.push_back(next);
        }
    }

    /* ---- Paths ---- */

    void path() {
        const uint32_t type = random_.upto(3);
        uint32_t config = random_.upto(3) | type << 20 | 1u << 24;
        config |= random_.chance(40) ? 0x10 : 0;
        set(0xA34, config | (random_.chance(50) ? 0x200 : 0x400));
        matrix(type);
        set(0xA3B, real(1));
        set(0xA3C, real(0));
        if (random_.chance(5)) {
            set(0xA3B, real(random_.in(1, 16) / 8.0));
            set(0xA3C, real(random_.in(-40, 40) / 4.0));
        }
        for (int subpaths = random_.in(1, 3); subpaths; subpaths--) {
            draw_.path.push_back(segment(random_.chance(80) ? 2 : 3));
            for (int segments = random_.in(1, 7); segments; segments--) {
                constexpr uint8_t opcodes[] = {4, 4, 4, 4, 5, 5, 6, 6, 7, 8, 8, 9};
                draw_.path.push_back(segment(random_.of(opcodes)));
                if (random_.chance(1))
                    draw_.path.push_back({static_cast<uint8_t>(random_.in(10, 255)), {}});
                if (random_.chance(12)) /* CLOSE returns to the subpath's start */
                    draw_.path.push_back({1, {}});
            }
            if (random_.chance(40))
                draw_.path.push_back({1, {}});
        }
        if (random_.chance(75))
            draw_.path.push_back({0, {}});
    }

    void matrix(uint32_t type) {
        double scale = type == 0 ? random_.in(2, 5) / 4.0 : type == 3 ? 1 : random_.in(1, 8) / 64.0;
        double angle = 0;
        if (random_.chance(40))
            angle = random_.in(0, 63) * std::numbers::pi / 32;
        if (type == 3 && random_.chance(50))
            scale = random_.in(2, 12) / 8.0;
        const double skew = random_.chance(20) ? random_.in(-8, 8) / 16.0 : 0;
        const double values[] = {scale * std::cos(angle),
                                 -scale * std::sin(angle) + skew,
                                 random_.in(-40, static_cast<int>(width_) * 4) / 8.0,
                                 scale * std::sin(angle),
                                 scale * std::cos(angle),
                                 random_.in(-40, static_cast<int>(height_) * 4) / 8.0};
        for (uint32_t i = 0; i < 6; i++)
            set(0xA40 + i, real(values[i]));
    }

    VgSegment segment(uint8_t opcode) {
        const uint32_t type = draw_.states[0xA34] >> 20 & 3;
        VgSegment segment{opcode, {}};
        for (double& operand : segment.operands) {
            if (type == 0)
                operand = random_.in(-40, 90);
            else if (type == 3)
                operand = random_.in(-20 * 64, 100 * 64) / 64.0;
            else
                operand = random_.in(-300, 900);
            if (opcode & 1)
                operand = type == 3 ? operand / 2 : std::floor(operand / 2);
        }
        return segment;
    }

    /* ---- Images and paints ---- */

    void colors() {
        if (random_.chance(40)) {
            constexpr uint32_t modes[] = {1, 1, 1, 2, 2, 3, 4};
            control_ |= random_.of(modes) << 12;
            source(1, vg_job_base + at_image);
            transform();
            if (is_gc255_ && random_.chance(40))
                control_ |= 1 << 15;
        }
        if (!is_gc255_ && random_.chance(35))
            paint();
    }

    /* Sets the states of a source. @set_number is 0 for the paint, 1 for the image. */
    void source(uint32_t set_number, uint32_t address) {
        uint32_t config, bits;
        if (is_gc255_ && random_.chance(40)) {
            const uint32_t extended = static_cast<uint32_t>(random_.in(1, 5));
            config = extended << 9 | random_.upto(15);
            bits = extended_bits[extended];
            if (random_.chance(50))
                config |= 1 << 14;
            for (uint32_t i = 0; extended < 5 && i < 1u << bits; i++)
                set((extended == 4   ? 0xB00
                     : extended == 3 ? 0xAA0
                     : extended == 2 ? 0xA9C
                                     : 0xA98) +
                        i,
                    color());
        } else {
            config = random_.chance(35) ? 7 : random_.upto(is_gc255_ ? 8 : 7);
            bits = source_bits[config];
        }
        const uint32_t width = static_cast<uint32_t>(random_.in(1, 40));
        const uint32_t height = static_cast<uint32_t>(random_.in(1, 30));
        const uint32_t origin_x = random_.chance(20) ? random_.upto(8) : 0;
        const uint32_t origin_y = random_.chance(20) ? random_.upto(8) : 0;
        config |= random_.upto(3) << 4;                           /* swizzle */
        config |= random_.chance(70) ? 1 << 8 : 0;                /* AS_STORED */
        config |= random_.chance(25) ? 0 : random_.upto(3) << 12; /* tiling */
        config |= random_.upto(3) << 16;                          /* filter */
        config |= random_.chance(75) ? 1u << 24 : 0;              /* NO_DIVIDE */
        const uint32_t stride = ((width + origin_x + 15) / 16 * 16 * bits + 31) / 32 * 4;
        set(0xA24 + set_number, config);
        set(0xA26 + set_number, random_.chance(75) ? color() : 0);
        set(0xA28 + set_number, address);
        set(0xA2A + set_number, stride | (random_.chance(10) ? 1u << 28 : 0));
        set(0xA2C + set_number, origin_y << 16 | origin_x);
        set(0xA2E + set_number, height << 16 | width);
        source_width_ = width;
        source_height_ = height;
    }

    /* The first u and v, and their steps per pixel to the right and down. The image size is 1. */
    struct Steps {
        double u, v, u_x, v_x, u_y, v_y;
    };
    Steps steps() {
        const double angle = random_.chance(50) ? random_.in(0, 63) * std::numbers::pi / 32 : 0;
        const double scale = random_.chance(40) ? 1 : random_.in(8, 160) / 64.0;
        const double w = source_width_, h = source_height_;
        return {(random_.in(-20, 30) + 0.5 * scale) / w,
                (random_.in(-20, 30) + 0.5 * scale) / h,
                scale * std::cos(angle) / w,
                scale * std::sin(angle) / h,
                -scale * std::sin(angle) / w,
                scale * std::cos(angle) / h};
    }

    void transform() {
        const Steps s = steps();
        double w = 1, w_x = 0, w_y = 0;
        if (random_.chance(20)) {
            w_x = random_.in(-20, 20) / 2048.0;
            w_y = random_.in(-20, 20) / 2048.0;
        }
        const double values[][3] = {{s.u, s.v, w}, {s.u_x, s.v_x, w_x}, {s.u_y, s.v_y, w_y}};
        constexpr uint32_t addresses[] = {0xA18, 0xA1C, 0xA20};
        for (unsigned row = 0; row < 3; row++)
            for (uint32_t i = 0; i < 3; i++)
                set(addresses[row] + i, real(values[row][i]));
    }

    void paint() {
        const uint32_t type = static_cast<uint32_t>(random_.in(1, 3));
        control_ |= type << 24;
        source(0, vg_job_base + at_paint);
        for (uint32_t address = 0xA03; address <= 0xA0B; address++)
            set(address, 0);
        const Steps s = steps();
        if (type == 3) {
            set(0xA04, real(s.u));
            set(0xA05, real(s.v));
            set(0xA06, real(s.u_x));
            set(0xA07, real(s.v_x));
            set(0xA08, real(s.u_y));
            set(0xA09, real(s.v_y));
            return;
        }
        set(0xA2E, static_cast<uint32_t>(random_.in(2, 300)));
        set(0xA2A, 0);
        if (type == 1 || random_.chance(30)) {
            set(0xA04, real(random_.in(-16, 16) / 32.0));
            set(0xA06, real(random_.in(-32, 32) / 1024.0));
            set(0xA08, real(random_.in(-32, 32) / 1024.0));
        }
        if (type == 2) { /* radial: ((x - a)^2 + (y - b)^2) / r^2 */
            const double a = random_.in(-10, 70), b = random_.in(-10, 50), r = random_.in(5, 60);
            set(0xA05, real((a * a + b * b) / (r * r)));
            set(0xA07, real(-2 * a / (r * r)));
            set(0xA09, real(-2 * b / (r * r)));
            set(0xA03, real(1 / (r * r)));
            set(0xA0A, real(1 / (r * r)));
            set(0xA0B, random_.chance(30) ? real(random_.in(-10, 10) / 10.0 / (r * r)) : 0);
        }
    }

    /* ---- Options that the GC255 lacks ---- */

    void options() {
        for (uint32_t key = 0; key < 8; key++)
            set(0xA90 + key, 0);
        set(0xA5A, 0xFFFFFFFF);
        set(0xA5B, 0xFFFFFFFF);
        if (is_gc255_)
            return;
        if (random_.chance(10)) {
            control_ |= 1 << 16;
            for (uint32_t channel = 0; channel < 4; channel++) {
                const uint32_t scale = static_cast<uint32_t>(random_.in(-300, 600)) & 0xFFFF;
                const uint32_t bias = static_cast<uint32_t>(random_.in(-200, 200)) & 0xFFFF;
                set(0xA0C + channel, bias << 16 | scale);
            }
        }
        if (random_.chance(12)) {
            control_ |= 1 << 20;
            set(0xA14, vg_job_base + at_mask);
            set(0xA15, (width_ + 15) / 16 * 16);
        }
        if (random_.chance(12)) {
            control_ |= 1 << 4;
            set(0xA16, vg_job_base + at_scissor);
            set(0xA17, 16);
        }
        if (random_.chance(12)) {
            for (uint32_t key = 0; key < 4; key++) {
                if (!random_.chance(60))
                    continue;
                const uint32_t low = random_.word() & 0x007F7F7F;
                set(0xA90 + key, 1u << 24 | low);
                set(0xA94 + key, random_.word() | 0x00808080);
            }
        }
        if (random_.chance(15)) {
            set(0xA5A, 0x7B48F3C0);
            set(0xA5B, 0x596AD1E2);
        }
    }

    /* Replaces some floats by NaN, infinities, or very large or small values. */
    void make_wild() {
        constexpr uint32_t numbers[] = {0xA18, 0xA1A, 0xA1C, 0xA1E, 0xA21, 0xA22, 0xA04,
                                        0xA05, 0xA06, 0xA03, 0xA40, 0xA42, 0xA44, 0xA45};
        constexpr uint32_t values[] = {0x7FC00000, 0x7F800000, 0xFF800000, 0x7F7FFFFF,
                                       0xFF7FFFFF, 0x00000001, 0x80000000, 0xBF800000};
        for (int count = random_.in(1, 3); count; count--) {
            const uint32_t address = random_.of(numbers);
            const auto found = draw_.states.find(address);
            if (found == draw_.states.end())
                continue;
            draw_.tame.try_emplace(address, found->second);
            found->second = random_.of(values);
        }
    }

    Random random_;
    VgJob job_;
    VgDraw draw_;
    std::map<uint32_t, uint32_t> target_states_;
    bool is_gc255_ = false;
    uint32_t control_ = 0; /* VG_CONTROL */
    uint32_t width_ = 0, height_ = 0;
    uint32_t source_width_ = 0, source_height_ = 0;
};

} // namespace

VgJob random_vg_job(uint64_t seed) {
    return Builder(seed).build();
}

/* ---- Streams ------------------------------------------------------------------------------ */

namespace {

/* Offsets of called streams and of the two halves of the stream from vg_job_base. */
constexpr uint32_t at_called = 0x60000, at_stream = 0x80000, at_second_half = 0xC0000;
constexpr uint32_t between_called = 0x1000;

std::vector<uint8_t> path_bytes(const VgDraw& draw, bool pads_close) {
    const uint32_t type = draw.states.at(0xA34) >> 20 & 3;
    const size_t size = type == 0 ? 1 : type == 1 ? 2 : 4;
    std::vector<uint8_t> bytes;
    const auto align = [&](uint8_t with) {
        while (bytes.size() % size)
            bytes.push_back(with);
    };
    for (const VgSegment& segment : draw.path) {
        bytes.push_back(segment.opcode);
        const unsigned operands = segment.opcode < 2 || segment.opcode > 9 ? 0
                                  : segment.opcode < 6                     ? 2
                                  : segment.opcode < 8                     ? 4
                                                                           : 6;
        if (operands)
            align(0);
        for (unsigned i = 0; i < operands; i++) {
            const double value = segment.operands[i];
            const uint32_t word =
                type == 3 ? real(value)
                          : static_cast<uint32_t>(static_cast<int32_t>(std::floor(value)));
            for (size_t byte = 0; byte < size; byte++)
                bytes.push_back(static_cast<uint8_t>(word >> 8 * byte));
        }
        /*
         * The opcode after CLOSE is aligned like an operand. The GC255 skips the padding. Other
         * cores execute it, so there the client repeats CLOSE.
         */
        if (segment.opcode == 1)
            align(pads_close ? 0 : 1);
    }
    bytes.resize((bytes.size() + 7) / 8 * 8);
    return bytes;
}

std::vector<uint32_t> words_of(const std::vector<uint8_t>& bytes) {
    std::vector<uint32_t> words(bytes.size() / 4);
    for (size_t i = 0; i < words.size() * 4; i++)
        words[i / 4] |= uint32_t{bytes[i]} << 8 * (i % 4);
    return words;
}

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& words) {
    std::vector<uint8_t> bytes;
    for (const uint32_t word : words)
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<uint8_t>(word >> shift));
    return bytes;
}

class Encoder {
public:
    explicit Encoder(const VgJob& job) : job_(job), random_(job.seed ^ 0x5EED) {}

    VgProgram encode() {
        size_t middle = 0;
        for (size_t i = 0; i < job_.draws.size(); i++) {
            if (i == job_.draws.size() / 2)
                middle = words_.size();
            draw(job_.draws[i]);
        }
        if (job_.has_event)
            add({0x30010E01, 7});
        end();
        place(job_.is_fetched ? middle : words_.size());
        return std::move(program_);
    }

private:
    void add(std::initializer_list<uint32_t> words) {
        words_.insert(words_.end(), words.begin(), words.end());
    }

    void draw(const VgDraw& draw) {
        states(draw.states);
        if (job_.has_padding && random_.chance(50)) {
            constexpr uint32_t idle[] = {0x80000000, 0x1000000F, 0x2000000F, 0x10000010,
                                         0x20000010, 0x30010A1B, 0x30000A02, 0x30010F00};
            add({random_.of(idle), random_.word() & 0x00011111});
        }
        std::vector<uint32_t> data = draw.rectangles;
        if (draw.states.at(0xA00) & 2)
            data = words_of(path_bytes(draw, job_.chip == "gc255-rt595"));
        const uint32_t qwords = static_cast<uint32_t>(data.size() / 2);
        data.insert(data.begin(), {0x40000000 | qwords, 0});
        if (!draw.is_called) {
            words_.insert(words_.end(), data.begin(), data.end());
            return;
        }
        data.insert(data.end(), {0x70000000, 0});
        const uint32_t address = vg_job_base + at_called + between_called * called_++;
        add({0x60000000 | (qwords + 2), address});
        program_.memory.push_back({address, bytes_of(data)});
    }

    /* Adds STATE commands for the values that change, in bursts or one by one. */
    void states(const std::map<uint32_t, uint32_t>& wanted) {
        std::vector<std::pair<uint32_t, uint32_t>> changes;
        for (const auto& [address, value] : wanted) {
            const auto [is, is_new] = now_.try_emplace(address, value);
            if (is_new || is->second != value)
                changes.push_back({address, value});
            is->second = value;
        }
        for (size_t first = 0; first < changes.size();) {
            size_t count = 1;
            while (job_.has_bursts && first + count < changes.size() &&
                   changes[first + count].first == changes[first].first + count &&
                   random_.chance(80))
                count++;
            const uint32_t pipe = job_.has_padding ? random_.upto(3) << 12 : 0;
            add({0x30000000 | static_cast<uint32_t>(count) << 16 | pipe | changes[first].first});
            for (size_t i = 0; i < count; i++)
                add({changes[first + i].second});
            if (count % 2 == 0)
                add({job_.has_padding ? random_.word() : 0x80000000});
            first += count;
        }
    }

    void end() {
        switch (job_.ending) {
        case VgEnding::end:
            add({0x10000007, 0, 0x20000007, 0, static_cast<uint32_t>(job_.seed % 31), 0});
            break;
        case VgEnding::illegal:
            add({0xA0000000 + (random_.upto(5) << 28), 0});
            break;
        case VgEnding::lonely_return:
            add({0x70000000, 0, 0, 0});
            break;
        case VgEnding::cut_off:
            add({0x80000000, 0});
            break;
        }
    }

    void place(size_t middle) {
        std::vector<uint32_t> first(words_.begin(), words_.begin() + static_cast<long>(middle));
        const std::vector<uint32_t> second(words_.begin() + static_cast<long>(middle),
                                           words_.end());
        if (!second.empty()) {
            first.insert(first.end(), {0x50000000 | static_cast<uint32_t>(second.size() / 2),
                                       vg_job_base + at_second_half});
            program_.memory.push_back({vg_job_base + at_second_half, bytes_of(second)});
        }
        program_.address = vg_job_base + at_stream;
        program_.qwords = static_cast<uint32_t>(first.size() / 2);
        program_.memory.push_back({program_.address, bytes_of(first)});
    }

    const VgJob& job_;
    Random random_;
    VgProgram program_;
    std::vector<uint32_t> words_;
    std::map<uint32_t, uint32_t> now_;
    uint32_t called_ = 0;
};

} // namespace

VgProgram program_of(const VgJob& job) {
    return Encoder(job).encode();
}

} // namespace pixmill::test

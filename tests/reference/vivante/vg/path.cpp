// Decodes path data to segments and flattens segments to edges (vg_lite.h, vg_lite_path.c
// vg_lite_append_path; rt1176-evkb for CLOSE).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace pixmill::reference::vivante_vg {
namespace {

enum Opcode : uint8_t {
    op_end = 0,
    op_close = 1,
    op_move = 2,
    op_line = 4,
    op_quad = 6,
    op_cubic = 8,
    op_break = 10, /* VD22: ends the path like END. VD23: so do higher opcodes */
};
constexpr unsigned relative_bit = 1; /* in opcodes MOVE to CUBIC */

enum Type : uint32_t { type_s8, type_s16, type_s32, type_fp32 };

struct Vector {
    double x = 0, y = 0;

    bool operator==(const Vector&) const = default;
};

/* ---- Outline: path points to edges ---------------------------------------------------------- */

class Outline {
public:
    explicit Outline(Engine& engine) : engine_(engine), states_(engine.states) {}

    void line(Vector from, Vector to) {
        const Vector p[] = {to_target(from), to_target(to)};
        edge(p[0], p[1]);
    }
    void quad(Vector from, Vector control, Vector to) {
        const Vector p[] = {to_target(from), to_target(control), to_target(to)};
        const double d = std::max(std::abs(p[0].x - 2 * p[1].x + p[2].x),
                                  std::abs(p[0].y - 2 * p[1].y + p[2].y));
        flatten(p[0], p[2], chords(2 * std::sqrt(d)), [&](double t) {
            const double s = 1 - t;
            return weighted({s * s, 2 * s * t, t * t}, p);
        });
    }
    void cubic(Vector from, Vector first, Vector second, Vector to) {
        const Vector p[] = {to_target(from), to_target(first), to_target(second), to_target(to)};
        double d = 0;
        for (unsigned i = 0; i < 2; i++) {
            d = std::max({d, std::abs(p[i].x - 2 * p[i + 1].x + p[i + 2].x),
                          std::abs(p[i].y - 2 * p[i + 1].y + p[i + 2].y)});
        }
        flatten(p[0], p[3], chords(std::sqrt(12 * d)), [&](double t) {
            const double s = 1 - t;
            return weighted({s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t}, p);
        });
    }

    std::optional<std::vector<Edge>> edges() {
        if (count_ <= most_edges)
            return std::move(edges_);
        engine_.complaints.insert("a path of too many edges");
        return {};
    }
    bool is_full() const { return count_ > most_edges; }

private:
    /* VD26: scale and bias apply before the matrix. */
    Vector to_target(Vector p) {
        const double scale = states_.real(PATH_SCALE), bias = states_.real(PATH_BIAS);
        const double x = p.x * scale + bias, y = p.y * scale + bias;
        const auto row = [&](uint32_t m) {
            return finite(states_.real(m) * x + states_.real(m + 1) * y + states_.real(m + 2));
        };
        return {row(PATH_MATRIX), row(PATH_MATRIX + 3)};
    }

    double finite(double value) {
        if (std::isfinite(value))
            return value;
        engine_.complaints.insert("a point of a path that is no number");
        return 0;
    }

    /* VD27: chords have equal parameter steps; their number keeps the error below 1/16 pixel. */
    static int chords(double wanted) {
        return static_cast<int>(std::clamp(std::ceil(wanted), 1.0, 256.0));
    }

    static Vector weighted(std::initializer_list<double> weights, const Vector* points) {
        Vector sum;
        for (const double weight : weights) {
            sum.x += weight * points->x;
            sum.y += weight * points->y;
            points++;
        }
        return sum;
    }

    template<typename At>
    void flatten(Vector from, Vector to, int chords, const At& at) {
        Vector last = from;
        for (int i = 1; i <= chords; i++) {
            const Vector next = i == chords ? to : at(static_cast<double>(i) / chords);
            edge(last, next);
            last = next;
        }
    }

    /* VD34: the result is 24.8 and limited to 2^22 pixels. */
    static int64_t fixed(double value) {
        return static_cast<int64_t>(std::clamp(std::floor(value * 256 + 0.5), -0x1p30, 0x1p30));
    }

    void edge(Vector from, Vector to) {
        if (++count_ > most_edges)
            return;
        Point a{fixed(from.x), fixed(from.y)}, b{fixed(to.x), fixed(to.y)};
        if (a.y < b.y)
            edges_.push_back({a, b, 1});
        else if (a.y > b.y)
            edges_.push_back({b, a, -1});
    }

    Engine& engine_;
    const States& states_;
    std::vector<Edge> edges_;
    size_t count_ = 0;
};

/* ---- Reader: bytes to path points ----------------------------------------------------------- */

class Reader {
public:
    Reader(Engine& engine, std::span<const uint8_t> data)
        : engine_(engine), data_(data), outline_(engine),
          type_(bits(engine.states[TESSELLATION_CONFIG], 21, 20)), size_(type_ == type_s8    ? 1
                                                                         : type_ == type_s16 ? 2
                                                                                             : 4) {}

    std::optional<std::vector<Edge>> read() {
        while (at_ < data_.size() && segment() && !outline_.is_full()) {
        }
        close(); /* VD21: the end of the data acts like END */
        return outline_.edges();
    }

private:
    /* Returns false at the end of the path. */
    bool segment() {
        const uint8_t opcode = data_[at_++];
        if (opcode == op_close) {
            close();
            current_ = start_; /* VD24: CLOSE returns to the start of the subpath */
            if (engine_.chip.pads_close)
                align();
            return true;
        }
        if (opcode > op_break)
            engine_.complaints.insert("an opcode of a path that there is not");
        if (opcode == op_end || opcode >= op_break)
            return false;

        const unsigned points = opcode < op_quad ? 1 : opcode < op_cubic ? 2 : 3;
        std::array<Vector, 3> p;
        if (!operands(std::span(p).first(points), opcode & relative_bit))
            return false;
        switch (opcode & ~relative_bit) {
        case op_move:
            close();
            start_ = p[0];
            break;
        case op_line:
            outline_.line(current_, p[0]);
            break;
        case op_quad:
            outline_.quad(current_, p[0], p[1]);
            break;
        default:
            outline_.cubic(current_, p[0], p[1], p[2]);
            break;
        }
        current_ = p[points - 1];
        return true;
    }

    /* Open subpaths are filled as if closed. */
    void close() {
        if (!(current_ == start_))
            outline_.line(current_, start_);
    }

    void align() { at_ = (at_ + size_ - 1) / size_ * size_; }

    /* Returns false for a truncated segment, which is ignored. */
    bool operands(std::span<Vector> points, bool relative) {
        align();
        if (at_ > data_.size() || data_.size() - at_ < points.size() * 2 * size_)
            return false;
        for (Vector& point : points) {
            const double x = number(), y = number();
            point = relative ? Vector{current_.x + x, current_.y + y} : Vector{x, y};
        }
        return true;
    }

    double number() {
        uint32_t word = 0;
        for (unsigned i = 0; i < size_; i++)
            word |= uint32_t{data_[at_++]} << 8 * i;
        switch (type_) {
        case type_s8:
            return static_cast<int8_t>(word);
        case type_s16:
            return static_cast<int16_t>(word);
        case type_s32: /* converted to single precision */
            return static_cast<float>(static_cast<int32_t>(word));
        default:
            return std::bit_cast<float>(word);
        }
    }

    Engine& engine_;
    std::span<const uint8_t> data_;
    Outline outline_;
    uint32_t type_;
    size_t size_; /* bytes per operand */
    size_t at_ = 0;
    Vector current_, start_; /* VD67: start at (0, 0) */
};

} // namespace

std::optional<std::vector<Edge>> edges_of_path(Engine& engine, std::span<const uint8_t> data) {
    return Reader(engine, data).read();
}

} // namespace pixmill::reference::vivante_vg

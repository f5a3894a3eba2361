// RA and PS: pixel quads, inputs of the pixel shader, and fragments.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <cmath>

namespace pixmill::reference::vivante_3d {

namespace {

struct Scissor {
    int32_t left, top, right, bottom;

    bool has(int32_t x, int32_t y) const {
        return left <= x && x < right && top <= y && y < bottom;
    }
};

Scissor scissor_of(const States& states) {
    const auto edge = [&](uint32_t address) {
        const float value = std::floor(states.real(address));
        return value > 0 ? static_cast<int32_t>(std::min(value, 8192.0f)) : 0;
    };
    return {edge(SE_SCISSOR_LEFT), edge(SE_SCISSOR_TOP), edge(SE_SCISSOR_RIGHT),
            edge(SE_SCISSOR_BOTTOM)};
}

constexpr Place center_of(int32_t x, int32_t y) {
    return {256 * x + 128, 256 * y + 128};
}

/// Returns a sample's position within a pixel. `nibbles` is in units of 1/16 pixel: x in the low
/// nibble, y in the high one.
constexpr Place place_of(int32_t x, int32_t y, uint32_t nibbles) {
    return {256 * x + 16 * static_cast<int32_t>(nibbles & 15),
            256 * y + 16 * static_cast<int32_t>(nibbles >> 4)};
}

/// Returns the positions of the samples, one byte each. HALTI5 has no states for them.
uint32_t sample_positions(const Engine& engine) {
    if (engine.features.halti < 5)
        return engine.states[RA_MULTISAMPLE_UNK00E10];
    return sample_count(engine.states) == 2 ? 0x0000AA22 : 0xEAA26E26;
}

Place sample_place(const Engine& engine, int32_t x, int32_t y, unsigned sample) {
    if (sample_count(engine.states) == 1)
        return center_of(x, y);
    return place_of(x, y, sample_positions(engine) >> 8 * sample & 0xFF);
}

uint32_t coverage_of(const Engine& engine, const Shape& shape, int32_t x, int32_t y) {
    uint32_t mask = 0;
    for (unsigned s = 0; s < sample_count(engine.states); s++)
        if (shape.covers(sample_place(engine, x, y, s)))
            mask |= 1u << s;
    return mask;
}

/// Returns the centroid of the drawn samples: an entry of the table in the states, or, on HALTI5,
/// their mean, which is what Mesa writes to the table.
uint32_t centroid_of(const Engine& engine, uint32_t drawn) {
    if (engine.features.halti < 5)
        return engine.states.byte(RA_CENTROID_TABLE, drawn);
    uint32_t x = 0, y = 0, count = 0;
    for (unsigned s = 0; s < 4; s++)
        if (drawn >> s & 1) {
            x += sample_positions(engine) >> 8 * s & 15;
            y += sample_positions(engine) >> (8 * s + 4) & 15;
            count++;
        }
    return x / count | y / count << 4;
}

/// Returns the point at which varyings are evaluated: the pixel's center, or the centroid of its
/// drawn samples.
Place varying_place(const Engine& engine, const Shape& shape, int32_t x, int32_t y,
                    uint32_t drawn) {
    const Place center = center_of(x, y);
    const uint32_t all = (1u << sample_count(engine.states)) - 1;
    if (all == 1 || drawn == 0 || drawn == all || shape.covers(center))
        return center;
    return place_of(x, y, centroid_of(engine, drawn));
}

/* ---- Shader inputs ---- */

unsigned components_of(const Engine& engine, unsigned varying) {
    const unsigned word = varying / 8;
    const uint32_t address = engine.features.halti >= 5 ? PS_VARYING_NUM_COMPONENTS + 4 * word
                             : word == 0                ? uint32_t{GL_VARYING_NUM_COMPONENTS}
                                                        : uint32_t{GL_VARYING_NUM_COMPONENTS2};
    return std::min(engine.states[address] >> 4 * (varying % 8) & 15, 4u);
}

/// Rule by which a component of a varying gets its value.
struct Rule {
    enum Mode { smooth, no_perspective, flat } mode = smooth;
    bool centroid = true;                    ///< where the center is not covered
    std::optional<unsigned> point_axis = {}; ///< a coordinate of gl_PointCoord
};

enum Use { use_generic, use_color, use_point_x, use_point_y };

/// Returns how a component is used; components are numbered across all varyings.
unsigned use_of(const States& states, unsigned component) {
    constexpr uint32_t words[4] = {GL_VARYING_COMPONENT_USE, GL_VARYING_COMPONENT_USE + 4, 0x3838,
                                   0x3854};
    return states[words[component / 16 % 4]] >> 2 * (component % 16) & 3;
}

/// HALTI5 has four bits of GL_HALTI5_SHADER_ATTRIBUTES for each component.
Rule halti5_rule(const States& states, const Shape& shape, unsigned component) {
    const uint32_t nibble =
        states[GL_HALTI5_SHADER_ATTRIBUTES + 4 * (component / 8)] >> 4 * (component % 8);
    const unsigned mode = bits(nibble, 1, 0);
    Rule rule{.mode = mode == 0   ? Rule::smooth
                      : mode == 1 ? Rule::no_perspective
                                  : Rule::flat,
              .centroid = bits(nibble, 2, 2) != 0};
    const unsigned first = states.field(GL_HALTI5_SH_SPECIALS, 14, 8); // PS_PCOORD_IN
    const bool sprite = shape.is_point && states.bit(PA_CONFIG, 4);    // POINT_SPRITE_ENABLE
    if (sprite && (component == first || component == first + 1))
        rule.point_axis = component - first;
    return rule;
}

Rule rule_of(const Engine& engine, const Shape& shape, unsigned varying, unsigned component) {
    const States& states = engine.states;
    if (engine.features.halti >= 5)
        return halti5_rule(states, shape, component);
    const bool smooth =
        states.field(PA_CONFIG, 17, 16) != 0 || states.bit(PA_SHADER_ATTRIBUTES + 4 * varying, 0);
    Rule rule{.mode = smooth ? Rule::smooth : Rule::flat};
    if (const unsigned use = use_of(states, component); use >= use_point_x)
        rule.point_axis = use - use_point_x;
    return rule;
}

class Interpolator {
public:
    Interpolator(const States& states, const Shape& shape, Place place)
        : states_(states), shape_(shape), place_(place), linear_(shape.weights(place)),
          weights_(linear_) {
        for (size_t i = 0; i < weights_.size(); i++) {
            weights_[i] *= shape.vertices[i].rhw;
            rhw_ += weights_[i];
        }
    }

    double rhw() const { return rhw_; }

    float component(unsigned varying, unsigned c, const Rule& rule) const {
        if (rule.point_axis)
            return point_coordinate(*rule.point_axis);
        if (rule.mode == Rule::flat)
            return shape_.flat[varying][c];
        if (shape_.is_point)
            return shape_.vertices[0].varyings[varying][c];
        const bool perspective = rule.mode == Rule::smooth;
        const std::vector<double>& weights = perspective ? weights_ : linear_;
        double sum = 0;
        for (size_t i = 0; i < weights.size(); i++)
            sum += weights[i] * shape_.vertices[i].varyings[varying][c];
        return static_cast<float>(perspective ? sum / rhw_ : sum);
    }

private:
    float point_coordinate(unsigned axis) const {
        if (!shape_.is_point || !states_.bit(PA_CONFIG, 4)) // POINT_SPRITE_ENABLE
            return 0;
        return shape_.point_coordinate(place_)[axis];
    }

    const States& states_;
    const Shape& shape_;
    Place place_;
    std::vector<double> linear_;
    std::vector<double> weights_; ///< multiplied by 1/w
    double rhw_ = 0;
};

Invocation invocation_of(const Engine& engine, const Shape& shape, int32_t x, int32_t y,
                         uint32_t drawn) {
    const States& states = engine.states;
    const Place place = varying_place(engine, shape, x, y, drawn);
    const Interpolator at_center(states, shape, center_of(x, y));
    const Interpolator at_place(states, shape, place);
    Invocation invocation;
    invocation.face = shape.front ? 1.0f : 0.0f;
    invocation.set(0, {static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f,
                       shape.depth(place), static_cast<float>(at_place.rhw())});
    const unsigned varyings =
        std::min(states.field(PA_ATTRIBUTE_ELEMENT_COUNT, 15, 8), uint32_t{most_varyings});
    unsigned packed = 0;
    for (unsigned k = 0; k < varyings; k++) {
        Vector value = vector_default;
        for (unsigned c = 0; c < components_of(engine, k); c++) {
            const Rule rule = rule_of(engine, shape, k, packed++);
            value[c] = (rule.centroid ? at_place : at_center).component(k, c, rule);
        }
        invocation.set(k + 1, value);
    }
    return invocation;
}

/* ---- Shader outputs ---- */

struct TargetOutput {
    unsigned reg;
    bool saturate;
};

TargetOutput target_output(const States& states, unsigned target) {
    if (target < 4)
        return {bits(states[PS_OUTPUT_REG] >> 8 * target, 6, 0),
                states.bit(PS_CONTROL, 1 + target)};
    const uint32_t byte = states[PS_OUTPUT_REG2] >> 8 * (target - 4);
    return {bits(byte, 6, 0), bits(byte, 7, 7) != 0};
}

/// Only colors are clamped, not the numbers of other output modes (HALTI2).
bool has_colors(const Engine& engine, unsigned target) {
    return engine.features.halti < 2 || (engine.states[PS_CONTROL_EXT] >> 4 * target & 7) == 0;
}

Vector color_of(const Engine& engine, const Invocation& invocation, unsigned target) {
    const States& states = engine.states;
    const bool bypass = states.bit(PS_CONTROL, 0);
    const TargetOutput output = target_output(states, target);
    Vector color = invocation.vector(bypass ? 1 : output.reg);
    if (output.saturate && has_colors(engine, target))
        for (float& channel : color)
            channel = unit_clamp(channel);
    return color;
}

struct Pixel {
    int32_t x = 0, y = 0;
    uint32_t drawn = 0; ///< covered samples that pass scissor and sample mask
};

void emit(Engine& engine, const Shape& shape, const Pixel& pixel, const Invocation& invocation,
          bool shader_depth) {
    const States& states = engine.states;
    Fragment fragment;
    fragment.x = static_cast<uint32_t>(pixel.x);
    fragment.y = static_cast<uint32_t>(pixel.y);
    fragment.coverage = pixel.drawn;
    fragment.front = shape.front;
    for (unsigned s = 0; s < sample_count(states); s++)
        fragment.depth[s] = shader_depth ? unit_clamp(invocation.vector(0)[2])
                                         : shape.depth(sample_place(engine, pixel.x, pixel.y, s));
    for (unsigned target = 0; target < most_targets; target++)
        fragment.colors[target] = color_of(engine, invocation, target);
    output(engine, fragment);
}

void draw_quad(Engine& engine, const Shape& shape, const Program& program, const Scissor& scissor,
               int32_t x, int32_t y) {
    const States& states = engine.states;
    const uint32_t enabled =
        sample_count(states) == 1 ? 1 : states.field(GL_MULTI_SAMPLE_CONFIG, 7, 4);
    std::array<Pixel, 4> pixels;
    uint32_t any = 0;
    for (unsigned i = 0; i < 4; i++) {
        Pixel& pixel = pixels[i];
        pixel.x = x + static_cast<int32_t>(i & 1);
        pixel.y = y + static_cast<int32_t>(i >> 1);
        pixel.drawn = scissor.has(pixel.x, pixel.y)
                          ? coverage_of(engine, shape, pixel.x, pixel.y) & enabled
                          : 0;
        any |= pixel.drawn;
    }
    if (!any)
        return;
    std::array<Invocation, 4> lanes;
    for (unsigned i = 0; i < 4; i++) {
        lanes[i] = invocation_of(engine, shape, pixels[i].x, pixels[i].y, pixels[i].drawn);
        lanes[i].live = pixels[i].drawn != 0;
    }
    if (!states.bit(PS_CONTROL, 0) && !run(engine, program, lanes)) {
        engine.hung = true;
        return;
    }
    const bool shader_depth = program.may_write(0, 2);
    for (unsigned i = 0; i < 4; i++)
        if (pixels[i].drawn && !lanes[i].killed)
            emit(engine, shape, pixels[i], lanes[i], shader_depth);
}

} // namespace

unsigned sample_count(const States& states) {
    const unsigned code = states.field(GL_MULTI_SAMPLE_CONFIG, 1, 0);
    return code == 1 || code == 2 ? 2 * code : 1;
}

void rasterize(Engine& engine, const Shape& shape, const Program& program) {
    const Scissor scissor = scissor_of(engine.states);
    const int32_t left = std::max(scissor.left, shape.first.x >> 8) & ~1;
    const int32_t top = std::max(scissor.top, shape.first.y >> 8) & ~1;
    const int32_t right = std::min(scissor.right - 1, shape.last.x >> 8);
    const int32_t bottom = std::min(scissor.bottom - 1, shape.last.y >> 8);
    for (int32_t y = top; y <= bottom; y += 2)
        for (int32_t x = left; x <= right; x += 2)
            if (!engine.hung)
                draw_quad(engine, shape, program, scissor, x, y);
}

} // namespace pixmill::reference::vivante_3d

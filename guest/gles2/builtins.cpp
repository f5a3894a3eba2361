// SPDX-License-Identifier: GPL-2.0-or-later
// Tests the shading language's built-in functions in both shaders, one row of the picture per
// function. Each channel holds a value from 0 to 1, so a picture shows errors of 1/255 and more;
// piglit is stricter.
#include "stage.hpp"

#include <iterator>

namespace gles2 {

namespace {

constexpr Tolerance TRANSCENDENTAL = {
    2, 0, "ES 2.0 requires 10 bits of a sine or a logarithm; the core's have about 20"};
constexpr Tolerance STEPS = {1, 0.02, "where a function jumps, rounding of its argument decides"};

// Expressions of type vec3 in terms of x, which runs from 0 to 1 along the row.
struct Family {
    const char* const* expressions;
    int count;
};

std::string chosen(const Family& family, const char* row) {
    std::string text =
        "vec3 value(float x, float row) { vec3 v = vec3(x, 1.0 - x, x * x + 0.25);\n";
    for (int i = 0; i < family.count; ++i)
        text += "  if (row == " + std::to_string(i) + ".0) return " + family.expressions[i] + ";\n";
    return text + "  return v; }\n#define ROW floor(" + row + ")\n";
}

void in_fragments(Stage& stage, const Family& family) {
    stage.use(TEXTURED_VERTEX,
              ("varying vec2 v_texcoord;\n" + chosen(family, "v_texcoord.y") +
               "void main() { gl_FragColor = vec4(value(v_texcoord.x, ROW), 1.0); }")
                  .c_str());
    stage.rectangle(0, 0, float(stage.size), float(stage.size), 0.5f, 1,
                    float(family.count) - 0.01f);
}

// Draws the values as points of 2 x 2 pixels.
void in_vertices(Stage& stage, const Family& family) {
    stage.use(("attribute vec4 position; attribute vec2 texcoord; varying vec4 v_color;\n" +
               chosen(family, "texcoord.y") +
               "void main() { gl_Position = position; gl_PointSize = 2.0; v_color = "
               "vec4(value(texcoord.x, ROW), 1.0); }")
                  .c_str(),
              COLORED_FRAGMENT);
    std::vector<float> positions, values;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            positions.insert(positions.end(), {float(x) / 16 - 0.96875f, float(y) / 16 - 0.96875f});
            values.insert(values.end(),
                          {(float(x) + 0.5f) / 32, float(y * family.count / 32) + 0.5f});
        }
    stage.attribute(POSITION, 2, positions);
    stage.attribute(TEXCOORD, 2, values);
    glDrawArrays(GL_POINTS, 0, 32 * 32);
    glDisableVertexAttribArray(TEXCOORD);
}

template<const auto& EXPRESSIONS>
constexpr Family FAMILY = {EXPRESSIONS, int(std::size(EXPRESSIONS))};
template<const auto& EXPRESSIONS>
void fragments(Stage& stage) {
    in_fragments(stage, FAMILY<EXPRESSIONS>);
}
template<const auto& EXPRESSIONS>
void vertices(Stage& stage) {
    in_vertices(stage, FAMILY<EXPRESSIONS>);
}

constexpr const char* ARITHMETIC[] = {
    "v + v.yzx * 0.25",  "v.zxy - v * v",
    "v / (v.yzx + 0.5)", "-v + 1.0",
    "v * 3.0 - v.z",     "vec3(v.x + v.y * v.z, v.x * v.y + v.z, v.x - v.y * v.z)",
    "1.0 / (v + 1.0)",   "v / 255.0 * 128.0"};
constexpr const char* TRIGONOMETRY[] = {"sin(v * 6.2831853) * 0.5 + 0.5",
                                        "cos(v * 6.2831853) * 0.5 + 0.5",
                                        "sin(v * 40.0 - 20.0) * 0.5 + 0.5",
                                        "tan(v * 0.7)",
                                        "asin(v * 1.6 - 0.8) * 0.3 + 0.5",
                                        "acos(v * 1.6 - 0.8) * 0.3",
                                        "atan(v * 8.0 - 4.0) * 0.3 + 0.5",
                                        "atan(v - 0.5, v.yzx - 0.27) * 0.15 + 0.5",
                                        "radians(v * 57.0)",
                                        "degrees(v * 0.015)"};
constexpr const char* EXPONENTIALS[] = {"pow(v, vec3(2.0, 0.5, 3.3))",
                                        "exp(v - 1.0)",
                                        "log(v + 1.0)",
                                        "exp2(v * 4.0 - 4.0)",
                                        "log2(v + 1.0)",
                                        "sqrt(v)",
                                        "inversesqrt(v + 1.0)",
                                        "pow(v + 0.5, v.yzx * 2.0) * 0.5",
                                        "exp2(-v * 9.0)",
                                        "log2(v * 1000.0 + 1.0) * 0.1"};
constexpr const char* COMMON[] = {"abs(v - 0.503)",
                                  "sign(v - 0.507) * 0.4 + 0.5",
                                  "floor(v * 5.03) * 0.2",
                                  "ceil(v * 5.03) * 0.15",
                                  "fract(v * 4.03)",
                                  "mod(v * 7.03, 1.5) * 0.6",
                                  "min(v, v.yzx)",
                                  "max(v, v.yzx)",
                                  "clamp(v, 0.253, 0.747)",
                                  "mix(v, v.yzx, v.zxy)",
                                  "step(0.403, v)",
                                  "smoothstep(0.2, 0.8, v)",
                                  "mod(-v * 5.03, vec3(1.0, 2.0, 0.7)) * 0.5",
                                  "min(v, 0.5) + max(v, 0.5) * 0.25"};
constexpr const char* GEOMETRIC[] = {
    "vec3(length(v) * 0.6)",
    "vec3(distance(v, v.yzx) * 0.6)",
    "vec3(dot(v, v.zxy) * 0.4)",
    "cross(v, vec3(0.3, 0.6, 0.9)) * 0.5 + 0.5",
    "normalize(v)",
    "faceforward(v, v - 0.53, vec3(0.3, 0.7, 0.2)) * 0.4 + 0.5",
    "reflect(v - 0.5, normalize(vec3(1.0, 2.0, 3.0))) * 0.5 + 0.5",
    "refract(normalize(v - 0.51), normalize(vec3(1.0, -2.0, 3.0)), 0.8) * 0.5 + 0.5",
    "vec3(length(v.xy), dot(v.xy, v.yz), distance(v.xz, v.zy))"};
constexpr const char* MATRICES[] = {
    "mat3(0.2, 0.4, 0.6, 0.1, 0.5, 0.3, 0.7, 0.0, 0.2) * v",
    "v * mat3(0.2, 0.4, 0.6, 0.1, 0.5, 0.3, 0.7, 0.0, 0.2)",
    "(mat3(v, v.yzx, v.zxy) * mat3(0.5))[1]",
    "matrixCompMult(mat3(v, v.yzx, v.zxy), mat3(0.2, 0.4, 0.6, 0.1, 0.5, 0.3, 0.7, 0.0, 0.2))[2]",
    "(mat4(0.3) * vec4(v, 1.0)).yzw + 0.2",
    "vec3(mat2(v.xy, v.zx) * v.yz, 0.4)",
    "(mat3(v, v.yzx, v.zxy) + mat3(0.1))[0] * 0.8"};
constexpr const char* RELATIONAL[] = {"vec3(lessThan(v, v.yzx))",
                                      "vec3(lessThanEqual(v, vec3(0.253)))",
                                      "vec3(greaterThan(v, v.zxy)) * 0.8",
                                      "vec3(greaterThanEqual(v, vec3(0.603, 0.203, 0.403)))",
                                      "vec3(equal(floor(v * 4.03), floor(v.yzx * 4.03)))",
                                      "vec3(notEqual(floor(v * 4.03), floor(v.zxy * 4.03)))",
                                      "vec3(any(lessThan(v, vec3(0.253))))",
                                      "vec3(all(lessThan(v, vec3(0.753))))",
                                      "vec3(not(lessThan(v, vec3(0.503))))",
                                      "v.x > 0.303 && v.y > 0.303 ? v : v.zyx",
                                      "v.x < 0.203 || v.y < 0.203 ? v : vec3(0.2)"};

constexpr Scene SCENES[] = {
    {"fragment_arithmetic", Api::ES2, ROUNDED, fragments<ARITHMETIC>},
    {"fragment_trigonometry", Api::ES2, TRANSCENDENTAL, fragments<TRIGONOMETRY>},
    {"fragment_exponentials", Api::ES2, TRANSCENDENTAL, fragments<EXPONENTIALS>},
    {"fragment_common", Api::ES2, STEPS, fragments<COMMON>},
    {"fragment_geometric", Api::ES2, TRANSCENDENTAL, fragments<GEOMETRIC>},
    {"fragment_matrices", Api::ES2, ROUNDED, fragments<MATRICES>},
    {"fragment_relational", Api::ES2, STEPS, fragments<RELATIONAL>},
    {"vertex_arithmetic", Api::ES2, ROUNDED, vertices<ARITHMETIC>},
    {"vertex_trigonometry", Api::ES2, TRANSCENDENTAL, vertices<TRIGONOMETRY>},
    {"vertex_exponentials", Api::ES2, TRANSCENDENTAL, vertices<EXPONENTIALS>},
    {"vertex_common", Api::ES2, STEPS, vertices<COMMON>},
    {"vertex_geometric", Api::ES2, TRANSCENDENTAL, vertices<GEOMETRIC>},
    {"vertex_matrices", Api::ES2, ROUNDED, vertices<MATRICES>},
    {"vertex_relational", Api::ES2, STEPS, vertices<RELATIONAL>},
};

} // namespace

std::span<const Scene> builtin_scenes() {
    return SCENES;
}

} // namespace gles2

// SPDX-License-Identifier: GPL-2.0-or-later
// Tests the shading language except its built-in functions: control flow, addressing, built-in
// variables, interfaces.
#include "stage.hpp"

namespace gles2 {

namespace {

constexpr Tolerance ARITHMETIC = {
    1, 0.002, "a few sums of floats are rounded differently, and a comparison may depend on one"};

// Fills the target with a fragment shader. "p" runs from 0 to 1 in both directions.
void shade(Stage& stage, const char* body) {
    stage.use(TEXTURED_VERTEX,
              (std::string("varying vec2 v_texcoord;\n#define p v_texcoord\n") + body).c_str());
    stage.everything();
}

// Computes the colors in the vertex shader instead, for a grid of 16x16 squares of one color each.
void shade_vertices(Stage& stage, const char* functions, const char* body) {
    stage.use(
        (std::string("attribute vec4 position; attribute vec2 texcoord; varying vec4 v_color;\n"
                     "#define p texcoord\n") +
         functions + "void main() { gl_Position = position; v_color = vec4(0.0, 0.0, 0.0, 1.0);\n" +
         body + "}")
            .c_str(),
        COLORED_FRAGMENT);
    std::vector<float> positions, coordinates;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x)
            for (const int corner : {0, 1, 2, 1, 3, 2}) {
                positions.insert(positions.end(),
                                 {float(x + corner % 2) / 8 - 1, float(y + corner / 2) / 8 - 1});
                coordinates.insert(coordinates.end(),
                                   {(float(x) + 0.5f) / 16, (float(y) + 0.5f) / 16});
            }
    stage.attribute(POSITION, 2, positions);
    stage.attribute(TEXCOORD, 2, coordinates);
    glDrawArrays(GL_TRIANGLES, 0, 6 * 256);
    glDisableVertexAttribArray(TEXCOORD);
}

void branches(Stage& stage) {
    shade(stage,
          "void main() { vec3 c = vec3(0.2);\n"
          "  if (p.x > 0.251) { if (p.y > 0.501) c.r = 1.0; else c = p.xyx; } else if (p.y < "
          "0.253) c.b = 0.8;\n"
          "  else { c.g = p.y; if (mod(floor(p.y * 16.0 + 0.001), 2.0) == 1.0) c.r = 0.6; }\n"
          "  c = p.x + p.y > 1.503 ? c.brg : c;\n"
          "  gl_FragColor = vec4(c, 1.0); }");
}

void loops(Stage& stage) {
    shade(
        stage,
        "void main() { vec3 c = vec3(0.0);\n"
        "  for (int i = 0; i < 12; ++i) { if (float(i) > p.x * 12.3) break;\n"
        "    for (int j = 0; j < 5; ++j) { if (p.y * 5.0 < float(j)) continue; c.r += 0.015625; }\n"
        "    c.g += 0.0625; if (mod(float(i), 3.0) > 1.5) continue; c.b += 0.09375; }\n"
        "  gl_FragColor = vec4(c, 1.0); }");
}

// A uniform limits the iterations, so the compiler cannot unroll the loop.
void long_loops(Stage& stage) {
    stage.use(TEXTURED_VERTEX,
              "varying vec2 v_texcoord; uniform float rounds;\n"
              "void main() { vec2 z = vec2(0.0), c = v_texcoord * vec2(2.7, 2.3) - vec2(2.03, "
              "1.17); float n = 0.0;\n"
              "  for (int i = 0; i < 40; ++i) { if (n >= rounds || dot(z, z) > 4.0) break;\n"
              "    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c; n += 1.0; }\n"
              "  gl_FragColor = vec4(n / 40.0, n < 12.0 ? n / 12.0 : 0.0, mod(n, 2.0), 1.0); }");
    stage.set("rounds", {37});
    stage.everything();
}

void functions(Stage& stage) {
    shade(
        stage,
        "float fold(float x) { return x > 0.5 ? 1.0 - x : x; }\n"
        "void turn(inout vec2 v, out float length2) { v = vec2(-v.y, v.x); length2 = dot(v, v); }\n"
        "vec3 both(vec2 v) { float l; turn(v, l); return vec3(fold(v.y), fold(-v.x), l * 0.5); }\n"
        "void main() { gl_FragColor = vec4(both(p) + both(p.yx) * 0.25, 1.0); }");
}

void discards(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.use(TEXTURED_VERTEX, "varying vec2 v_texcoord;\n"
                               "void main() { vec2 cell = floor(v_texcoord * 9.003);\n"
                               "  if (mod(cell.x + cell.y, 2.0) < 0.5 || distance(v_texcoord, "
                               "vec2(0.503)) > 0.45) discard;\n"
                               "  gl_FragColor = vec4(v_texcoord, 1.0, 1.0); }");
    stage.everything(0.25f);
    stage.rectangle_of(RED, 0, 0, 64, 64, 0.5f); // visible only where fragments were discarded
    glDisable(GL_DEPTH_TEST);
}

void derivatives(Stage& stage) {
    stage.use(
        TEXTURED_VERTEX,
        "#extension GL_OES_standard_derivatives : enable\n"
        "varying vec2 v_texcoord;\n"
        "void main() { vec2 p = v_texcoord, f = vec2(p.x * p.x, p.x * p.y) * 16.0;\n"
        "  gl_FragColor = vec4(abs(dFdx(f.x)), abs(dFdy(f.y)), fwidth(p.x + p.y) * 16.0, 1.0); }");
    stage.everything();
}

void fragment_depth(Stage& stage) {
    glEnable(GL_DEPTH_TEST);
    stage.use(TEXTURED_VERTEX, "#extension GL_EXT_frag_depth : enable\n"
                               "uniform vec4 color; uniform vec2 slope; varying vec2 v_texcoord;\n"
                               "void main() { gl_FragColor = color;\n"
                               "  gl_FragDepthEXT = dot(v_texcoord - 0.5, slope) + 0.5; }");
    static constexpr float SLOPES[][2] = {{0.81f, 0.13f}, {-0.61f, 0.31f}, {0.13f, -0.77f}, {0, 0}};
    for (int i = 0; i < 4; ++i) {
        const Color color = color_of(i);
        stage.set("color", {color.r, color.g, color.b, 1});
        stage.set("slope", {SLOPES[i][0], SLOPES[i][1]});
        stage.everything(0.9f);
    }
    glDisable(GL_DEPTH_TEST);
}

// Indexes uniform arrays with computed values, in both shaders.
constexpr float PALETTE[16] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0.4f, 1, 1, 1, 0.8f, 0.2f, 1};

void indirect_in_vertices(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec2 texcoord; uniform vec4 palette[4]; uniform "
              "mat4 moves[3];\n"
              "varying vec4 v_color;\n"
              "void main() { v_color = palette[int(texcoord.x)]; gl_Position = "
              "moves[int(texcoord.y)] * position; }",
              COLORED_FRAGMENT);
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform4fv(glGetUniformLocation(GLuint(program), "palette"), 4, PALETTE);
    std::vector<float> matrices;
    for (int i = 0; i < 3; ++i) {
        const auto matrix = translation(0.0625f * float(i), 0.5f * float(i), 0);
        matrices.insert(matrices.end(), matrix.begin(), matrix.end());
    }
    glUniformMatrix4fv(glGetUniformLocation(GLuint(program), "moves"), 3, GL_FALSE,
                       matrices.data());
    std::vector<float> positions, choices;
    for (int i = 0; i < 12; ++i)
        for (int corner = 0; corner < 3; ++corner) {
            const float x = float(i % 4) * 0.47f - 0.97f, y = -0.91f;
            positions.insert(positions.end(), {x + (corner == 1 ? 0.4f : 0.f),
                                               y + (corner == 2 ? 0.43f : 0.01f * float(corner))});
            choices.insert(choices.end(), {float((i + corner) % 4), float(i / 4)});
        }
    stage.attribute(POSITION, 2, positions);
    stage.attribute(TEXCOORD, 2, choices);
    glDrawArrays(GL_TRIANGLES, 0, 36);
    glDisableVertexAttribArray(TEXCOORD);
}

void indirect_in_fragments(Stage& stage) {
    stage.use(TEXTURED_VERTEX, "uniform vec4 palette[4]; varying vec2 v_texcoord;\n"
                               "void main() { int i = int(v_texcoord.x * 3.99);\n"
                               "  vec4 sum = vec4(0.0); for (int j = 0; j < 4; ++j) if (float(j) < "
                               "v_texcoord.y * 4.0) sum += palette[j] * 0.25;\n"
                               "  gl_FragColor = v_texcoord.y < 0.503 ? palette[i] : sum; }");
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glUniform4fv(glGetUniformLocation(GLuint(program), "palette"), 4, PALETTE);
    stage.everything();
}

// Uses the maximum number of varyings, of all sizes.
void varyings(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec2 texcoord;\n"
              "varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying mat3 e; "
              "varying vec2 f[2];\n"
              "void main() { gl_Position = position; vec2 t = texcoord;\n"
              "  a = t.x; b = t.yx; c = vec3(t, t.x * t.y); d = vec4(t, 1.0 - t);\n"
              "  e = mat3(t.x, 0.5, t.y, t.y, 0.25, 1.0, 0.125, t.x, t.y); f[0] = t * 0.5; f[1] = "
              "t.yx * 0.25; }",
              "varying float a; varying vec2 b; varying vec3 c; varying vec4 d; varying mat3 e; "
              "varying vec2 f[2];\n"
              "void main() { float row = floor(gl_FragCoord.y / 8.0); vec3 o = vec3(a, b);\n"
              "  if (row == 1.0) o = c; if (row == 2.0) o = d.xyz; if (row == 3.0) o = d.wzy; if "
              "(row == 4.0) o = e[0];\n"
              "  if (row == 5.0) o = e[1]; if (row == 6.0) o = e[2]; if (row == 7.0) o = "
              "vec3(f[0], f[1].y);\n"
              "  gl_FragColor = vec4(o, 1.0); }");
    stage.everything();
}

// Interpolates varyings between vertices with different w.
void perspective_varyings(Stage& stage) {
    stage.use("attribute vec4 position; attribute vec2 texcoord; varying vec2 v_texcoord; varying "
              "float v_w;\n"
              "void main() { v_w = 1.0 + texcoord.x * 3.0 + texcoord.y; gl_Position = position * "
              "v_w; v_texcoord = texcoord; }",
              "varying vec2 v_texcoord; varying float v_w;\n"
              "void main() { gl_FragColor = vec4(v_texcoord, v_w / 5.0, gl_FragCoord.w); }");
    stage.everything();
}

void integers(Stage& stage) {
    shade(
        stage,
        "void main() { int i = int(p.x * 15.99), j = int(p.y * 15.99); int k = i * j - i / 3 + j;\n"
        "  bool b = k > 40 && i != j; ivec2 v = ivec2(i, j) * 2 + 1; bvec2 w = lessThan(v, "
        "ivec2(9, 21));\n"
        "  gl_FragColor = vec4(float(k) / 255.0, b ? 0.8 : 0.2, float(v.x + v.y) / 62.0, 1.0);\n"
        "  if (any(w) ^^ b) gl_FragColor.b = 1.0; }");
}

void swizzles(Stage& stage) {
    shade(
        stage,
        "void main() { vec4 v = vec4(p, 0.2, 0.6); v.zx = v.yw; v.wy += v.xz * 0.25; vec3 c = "
        "v.bgr;\n"
        "  c.xz = c.zx * vec2(1.0, -1.0) + vec2(0.0, 1.0); mat2 m = mat2(p, p.yx); m[1].y = 0.75;\n"
        "  c.rg += (m * c.bg) * 0.125; gl_FragColor = vec4(c, v.w); }");
}

void structures(Stage& stage) {
    shade(stage,
          "struct Light { vec3 place; vec3 color; float power; };\n"
          "vec3 lit(Light l, vec2 at) { vec3 d = l.place - vec3(at, 0.0); return l.color * "
          "(l.power * l.place.z / dot(d, d)); }\n"
          "void main() { Light a[2]; a[0] = Light(vec3(0.2, 0.3, 0.4), vec3(1.0, 0.4, 0.2), 0.3);\n"
          "  a[1] = Light(vec3(0.8, 0.7, 0.3), vec3(0.2, 0.5, 1.0), 0.25); vec3 sum = vec3(0.05);\n"
          "  for (int i = 0; i < 2; ++i) sum += lit(a[i], p); gl_FragColor = vec4(sum, 1.0); }");
}

void vertex_flow(Stage& stage) {
    shade_vertices(stage,
                   "float steps(float x) { float n = 0.0; for (int i = 0; i < 9; ++i) { if "
                   "(float(i) > x * 8.0) break; n += 1.0; } return n; }\n",
                   "v_color.r = steps(p.x) / 9.0; if (p.y > 0.5) v_color.g = p.y; else v_color.b = "
                   "steps(p.y) / 9.0;");
}

// Lights a wavy surface as demos usually do, in about 39 instructions.
void lit_waves(Stage& stage) {
    shade(stage, "void main() { vec2 d = p * 12.566371; vec3 n = normalize(vec3(cos(d.x) * 0.4, "
                 "cos(d.y) * 0.4, 1.0));\n"
                 "  vec3 l = normalize(vec3(0.4, 0.6, 0.7)), v = vec3(0.0, 0.0, 1.0), h = "
                 "normalize(l + v);\n"
                 "  float diffuse = max(dot(n, l), 0.0), shine = pow(max(dot(n, h), 0.0), 24.0);\n"
                 "  gl_FragColor = vec4(vec3(0.1, 0.15, 0.3) + vec3(0.6, 0.4, 0.2) * diffuse + 0.5 "
                 "* shine, 1.0); }");
}

// Switches programs between draws. Some uniforms change; the others must keep their values.
void many_programs(Stage& stage) {
    GLuint programs[4];
    static const char* const EFFECTS[] = {"color", "color.gbra", "color * 0.4",
                                          "vec4(1.0) - color.rrga"};
    for (int i = 0; i < 4; ++i) {
        programs[i] = stage.use(
            PLAIN_VERTEX, (std::string("uniform vec4 color;\nvoid main() { gl_FragColor = vec4((") +
                           EFFECTS[i] + ").rgb, 1.0); }")
                              .c_str());
        stage.set("color", {0.2f * float(i), 0.8f, 1 - 0.2f * float(i), 1});
    }
    for (int i = 0; i < 16; ++i) {
        const GLuint program = programs[hash(uint32_t(i)) % 4];
        glUseProgram(program);
        if (i % 3 == 2)
            glUniform4f(glGetUniformLocation(program, "color"), float(i) / 15, 0.4f, 0.6f, 1);
        stage.rectangle(float(i % 4 * 16), float(i / 4 * 16), float(i % 4 * 16 + 15),
                        float(i / 4 * 16 + 15));
    }
}

constexpr Tolerance FLOW = {0, 0.002, "a branch may depend on rounding"};

constexpr Scene SCENES[] = {
    {"shader_branches", Api::ES2, ARITHMETIC, branches},
    {"shader_loops", Api::ES2, ARITHMETIC, loops},
    {"shader_long_loops",
     Api::ES2,
     {1, 0.01, "at the edge of the set, the number of iterations depends on rounding"},
     long_loops},
    {"shader_functions", Api::ES2, ARITHMETIC, functions},
    {"shader_discard", Api::ES2, {1, 0.002, FLOW.reason}, discards},
    {"shader_derivatives",
     Api::ES2,
     {6, 0,
      "a difference of neighbours, 1/4 of the whole range, is as coarse as GL allows: one for 2x2 "
      "pixels"},
     derivatives,
     "GL_OES_standard_derivatives"},
    {"shader_fragment_depth",
     Api::ES2,
     {0, 0.004, "where planes cut, depths are equal up to rounding"},
     fragment_depth,
     "GL_EXT_frag_depth"},
    {"shader_indirect_in_vertices", Api::ES2, ROUNDED, indirect_in_vertices},
    {"shader_indirect_in_fragments", Api::ES2, ARITHMETIC, indirect_in_fragments},
    {"shader_varyings", Api::ES2, ROUNDED, varyings},
    {"shader_perspective_varyings", Api::ES2, ROUNDED, perspective_varyings},
    {"shader_integers",
     Api::ES2,
     {1, 0.01, "where a product is nearly whole, rounding decides what its integer is"},
     integers},
    {"shader_swizzles", Api::ES2, ROUNDED, swizzles},
    {"shader_structures", Api::ES2, ROUNDED, structures},
    {"shader_vertex_flow", Api::ES2, ARITHMETIC, vertex_flow},
    {"shader_lit_waves",
     Api::ES2,
     {2, 0, "sines and powers have a relative error of about 10^-6"},
     lit_waves},
    {"shader_many_programs", Api::ES2, EXACT, many_programs},
};

} // namespace

std::span<const Scene> shader_scenes() {
    return SCENES;
}

} // namespace gles2

// SPDX-License-Identifier: GPL-2.0-or-later
// 3D tiles of the test card: lighting, textures, depth, stencil, shadows.
#include "card.hpp"
#include "meshes.hpp"

#include <cmath>

namespace gles2 {

namespace {

using Matrix = std::array<float, 16>;

constexpr char BODY_VERTEX[] =
    "attribute vec4 position; attribute vec3 normal; attribute vec2 texcoord;\n"
    "uniform mat4 projection, model;\n"
    "varying vec3 v_place, v_normal; varying vec2 v_texcoord;\n"
    "void main() { vec4 place = model * position; gl_Position = projection * place;\n"
    "  v_place = place.xyz; v_normal = mat3(model) * normal; v_texcoord = texcoord; }";

// Defines light(base, n, gloss), with a white light at the top right and a blue one on the left.
const std::string LIT =
    "varying vec3 v_place, v_normal; varying vec2 v_texcoord;\n"
    "vec3 light(vec3 base, vec3 n, float gloss) {\n"
    "  vec3 l = normalize(vec3(0.5, 0.7, 0.6)), v = normalize(-v_place);\n"
    "  float d = max(dot(n, l), 0.0);\n"
    "  float s = d > 0.0 ? pow(max(dot(n, normalize(l + v)), 0.0), 40.0) : 0.0;\n"
    "  float back = max(dot(n, vec3(-0.8, -0.1, 0.3)), 0.0);\n"
    "  return base * (0.15 + 0.85 * d) + vec3(gloss * s) +\n"
    "    vec3(0.05, 0.1, 0.3) * back; }\n";

Matrix scaled(float x, float y, float z) {
    return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1};
}

// The vertical field of view is about 50 degrees.
Matrix camera(const Box& box) {
    const float narrow = 2.1f;
    return multiply(scaled(narrow * float(box.height) / float(box.width), narrow, 1),
                    perspective(0.5f, 40));
}

Matrix turned(float around_x, float around_y) {
    return multiply(turn_around_x(std::sin(around_x), std::cos(around_x)),
                    turn_around_y(std::sin(around_y), std::cos(around_y)));
}

Matrix placed(float x, float y, float z, const Matrix& model) {
    return multiply(translation(x, y, z), model);
}

// Uses the program for lit 3D bodies and sets up a camera for the box.
void use_bodies(Stage& stage, const Box& box, const std::string& fragment) {
    box.enter();
    stage.use(BODY_VERTEX, (LIT + fragment).c_str());
    stage.set_matrix("projection", camera(box));
    glEnable(GL_DEPTH_TEST);
}

void draw_at(Stage& stage, const Matrix& model, const Mesh& mesh, GLenum primitive = GL_TRIANGLES) {
    stage.set_matrix("model", model);
    draw(stage, mesh, primitive);
}

constexpr char PLAIN_BODY[] =
    "uniform vec4 color;\n"
    "void main() { gl_FragColor = vec4(light(color.rgb, normalize(v_normal), 0.6), color.a); }";

void lit_in_every_pixel(Stage& stage, const Box& box) {
    use_bodies(stage, box, PLAIN_BODY);
    stage.set("color", {0.9f, 0.45f, 0.15f, 1});
    draw_at(stage, placed(0, 0, -4, turned(0.9f, 0.5f)), torus(1.25f, 0.5f, 40, 24));
    stage.set("color", {0.2f, 0.65f, 0.6f, 1});
    draw_at(stage, placed(0, 0, -4, scaled(0.55f, 0.55f, 0.55f)), sphere(28, 16));
    glDisable(GL_DEPTH_TEST);
}

// Draws a checkered ground up to the horizon, without mipmaps (left) and with mipmaps (right).
void mipmaps(Stage& stage, const Box& box) {
    const Box halves[] = {
        {box.left, box.bottom, box.width / 2 - 1, box.height},
        {box.left + box.width / 2 + 1, box.bottom, box.width / 2 - 1, box.height}};
    stage.texture_of(64, 64, checkers(64, 64, 8, {1, 0.85f, 0.5f}, {0.15f, 0.2f, 0.5f}));
    stage.wrap(GL_TEXTURE_2D, GL_REPEAT, GL_REPEAT);
    glGenerateMipmap(GL_TEXTURE_2D);
    for (int i = 0; i < 2; ++i) {
        stage.filter(GL_TEXTURE_2D, i ? GL_LINEAR_MIPMAP_LINEAR : GL_NEAREST,
                     i ? GL_LINEAR : GL_NEAREST);
        halves[i].enter();
        glClearColor(0.45f, 0.65f, 0.85f, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        use_bodies(stage, halves[i],
                   "uniform sampler2D image;\n"
                   "void main() { gl_FragColor = texture2D(image, v_texcoord); }");
        draw_at(stage, placed(0, -1, -16, turned(0.12f, 0.4f)), ground(16, 7));
    }
    glDisable(GL_DEPTH_TEST);
}

void cube_map(Stage& stage, const Box& box) {
    stage.texture(GL_TEXTURE_CUBE_MAP);
    stage.filter(GL_TEXTURE_CUBE_MAP, GL_LINEAR, GL_LINEAR);
    for (int face = 0; face < 6; ++face) {
        std::vector<uint8_t> rgba;
        for (int t = 0; t < 64; ++t)
            for (int s = 0; s < 64; ++s) {
                // On the four side faces, rows run from the sky down to the ground.
                const bool up = face == 2, down = face == 3;
                const float height = up ? 1 : down ? 0 : 1 - float(t) / 63;
                const bool line = (s / 8 + t / 8) % 2;
                const Color color =
                    height < 0.5f
                        ? (line ? Color{0.35f, 0.2f, 0.12f} : Color{0.85f, 0.75f, 0.55f})
                        : Color{1.2f - height, 0.9f - 0.5f * height, 0.5f + 0.4f * height};
                for (const float channel : {color.r, color.g, color.b, 1.f})
                    rgba.push_back(uint8_t(std::min(channel, 1.f) * 255));
            }
        glTexImage2D(GLenum(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face), 0, GL_RGBA, 64, 64, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, rgba.data());
    }
    // Draws the room in the background, then its reflection in the ball.
    use_bodies(stage, box,
               "uniform samplerCube room; uniform float mirror;\n"
               "void main() { vec3 d = normalize(v_place), n = normalize(v_normal);\n"
               "  gl_FragColor = textureCube(room, mix(d, reflect(d, n), mirror)) *\n"
               "    mix(0.75, 0.95, mirror); }");
    stage.set("mirror", {0});
    draw_at(stage, scaled(8, 8, 8), cube());
    glClear(GL_DEPTH_BUFFER_BIT);
    stage.set("mirror", {1});
    draw_at(stage, placed(0, 0, -3, scaled(1.1f, 1.1f, 1.1f)), sphere(48, 28));
    glDisable(GL_DEPTH_TEST);
}

// Three interlocking rings.
void depth(Stage& stage, const Box& box) {
    static constexpr Color COLORS[] = {
        {0.9f, 0.25f, 0.2f}, {0.25f, 0.75f, 0.3f}, {0.3f, 0.4f, 0.95f}};
    use_bodies(stage, box, PLAIN_BODY);
    for (int i = 0; i < 3; ++i) {
        stage.set("color", {COLORS[i].r, COLORS[i].g, COLORS[i].b, 1});
        draw_at(stage, placed(1.15f * float(i - 1), 0, -4.4f, turned(i == 1 ? 1.2f : -0.5f, 0.6f)),
                torus(0.95f, 0.22f, 36, 14));
    }
    glDisable(GL_DEPTH_TEST);
}

// Draws the floor into the stencil buffer, the mirrored body within it, then the floor over that.
void mirror(Stage& stage, const Box& box) {
    const Matrix floor = placed(0, -0.62f, -4.1f, turned(0.32f, 0.5f));
    const auto body = [&](float up) {
        return multiply(floor,
                        placed(0, up * 1.25f, 0, multiply(scaled(1, up, 1), turned(0.5f, 0.9f))));
    };
    use_bodies(stage, box, PLAIN_BODY);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(0, 0, 0, 0);
    glDepthMask(GL_FALSE);
    draw_at(stage, floor, ground(1.7f, 1));
    glColorMask(1, 1, 1, 1);
    glDepthMask(GL_TRUE);
    glStencilFunc(GL_EQUAL, 1, 0xFF);
    stage.set("color", {0.75f, 0.3f, 0.7f, 1});
    draw_at(stage, body(-1), torus(0.8f, 0.3f, 36, 18));
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    stage.set("color", {0.35f, 0.5f, 0.65f, 0.6f});
    draw_at(stage, floor, ground(1.7f, 1));
    glDisable(GL_BLEND);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    stage.set("color", {0.75f, 0.3f, 0.7f, 1});
    draw_at(stage, body(1), torus(0.8f, 0.3f, 36, 18));
    glDisable(GL_DEPTH_TEST);
}

// Draws a ring into a texture, then a cube with this texture.
void render_to_texture(Stage& stage, const Box& box) {
    const GLuint image = stage.texture_target(64, 64, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE);
    const Box whole = {0, 0, 64, 64};
    whole.enter();
    glClearColor(0.95f, 0.85f, 0.6f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_CULL_FACE); // because there is no depth buffer
    use_bodies(stage, whole, PLAIN_BODY);
    stage.set("color", {0.15f, 0.35f, 0.8f, 1});
    draw_at(stage, placed(0, 0, -3.4f, turned(0.2f, 0.3f)), torus(1, 0.3f, 36, 18));
    stage.back();
    glDisable(GL_CULL_FACE);
    glBindTexture(GL_TEXTURE_2D, image);
    stage.filter(GL_TEXTURE_2D, GL_LINEAR, GL_LINEAR);
    use_bodies(stage, box,
               "uniform sampler2D image;\n"
               "void main() { vec3 base = texture2D(image, v_texcoord).rgb;\n"
               "  gl_FragColor = vec4(light(base * 1.1, normalize(v_normal), 0.2), 1.0); }");
    draw_at(stage, placed(0, 0, -4.1f, turned(0.5f, 0.7f)), cube());
    glDisable(GL_DEPTH_TEST);
}

// Renders the depth as seen from the light into a texture; points farther away are in shadow.
void shadow_map(Stage& stage, const Box& box) {
    const Matrix view = placed(0, -0.35f, -4.3f, turned(0.6f, 0.5f));
    const Matrix above = multiply(scaled(0.42f, 0.42f, -0.15f), turned(0.95f, -0.6f));
    const Matrix bodies[] = {
        placed(0.1f, 0.75f, 0.1f, multiply(turned(0.4f, 0.3f), scaled(0.9f, 0.9f, 0.9f))),
        placed(-1.2f, 0.3f, 0.9f, scaled(0.3f, 0.3f, 0.3f))};
    const Mesh meshes[] = {torus(0.75f, 0.22f, 36, 16), sphere(20, 12)};
    stage.texture_target(128, 128, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE);
    const GLuint depths = stage.texture();
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 128, 128, 0, GL_DEPTH_COMPONENT,
                 GL_UNSIGNED_INT, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depths, 0);
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw Skipped("depth textures are not renderable");
    const Box whole = {0, 0, 128, 128};
    use_bodies(stage, whole, PLAIN_BODY);
    glClear(GL_DEPTH_BUFFER_BIT);
    stage.set_matrix("projection", above);
    for (int i = 0; i < 2; ++i)
        draw_at(stage, bodies[i], meshes[i]);
    stage.back();
    glBindTexture(GL_TEXTURE_2D, depths);
    box.enter();
    stage.use(
        "attribute vec4 position; attribute vec3 normal;\n"
        "uniform mat4 projection, view, above, model;\n"
        "varying vec3 v_place, v_normal, v_above;\n"
        "void main() { vec4 world = model * position, place = view * world;\n"
        "  gl_Position = projection * place; v_place = place.xyz;\n"
        "  v_normal = mat3(view) * (mat3(model) * normal);\n"
        "  v_above = (above * world).xyz * 0.5 + 0.5; }",
        "uniform sampler2D depths; uniform vec4 color;\n"
        "varying vec3 v_place, v_normal, v_above;\n"
        "void main() { float lit = texture2D(depths, v_above.xy).r + 0.012 < v_above.z ? 0.35 : "
        "1.0;\n"
        "  gl_FragColor = vec4(color.rgb * lit * (0.35 + 0.65 * max(normalize(v_normal).y, 0.0)), "
        "1.0); }");
    stage.set_matrix("projection", camera(box));
    stage.set_matrix("view", view);
    stage.set_matrix("above", above);
    stage.set("color", {0.85f, 0.8f, 0.7f, 1});
    draw_at(stage, translation(0, -0.25f, 0), ground(2.2f, 1));
    for (int i = 0; i < 2; ++i) {
        stage.set("color", {i ? 0.3f : 0.9f, 0.55f, i ? 0.9f : 0.2f, 1});
        draw_at(stage, bodies[i], meshes[i]);
    }
    glDisable(GL_DEPTH_TEST);
}

// Draws triangle edges as lines one and two pixels wide.
void wireframe(Stage& stage, const Box& box) {
    use_bodies(stage, box,
               "void main() { vec3 n = normalize(v_normal);\n"
               "  gl_FragColor = vec4(0.5 + 0.5 * n, 1.0) * (n.z > 0.0 ? 1.0 : 0.45); }");
    glDisable(GL_DEPTH_TEST);
    draw_at(stage, placed(-0.4f, 0, -4.1f, turned(0.8f, 0.4f)), torus(1.2f, 0.5f, 26, 12),
            GL_LINES);
    glLineWidth(2);
    draw_at(stage,
            placed(1.9f, 0.75f, -4.5f, multiply(scaled(0.7f, 0.7f, 0.7f), turned(0.5f, 0.4f))),
            sphere(10, 8), GL_LINES);
    glLineWidth(1);
}

// Draws a ball with holes that show its inside in a different color.
void discard_and_faces(Stage& stage, const Box& box) {
    use_bodies(
        stage, box,
        "void main() { vec2 cell = fract(v_texcoord * vec2(16.0, 8.0)) - 0.5;\n"
        "  if (dot(cell, cell) < 0.11) discard;\n"
        "  vec3 n = normalize(v_normal);\n"
        "  gl_FragColor = vec4(gl_FrontFacing ? light(vec3(0.85, 0.7, 0.3), n, 0.7)\n"
        "                                     : light(vec3(0.2, 0.35, 0.6), -n, 0.1), 1.0); }");
    draw_at(stage, placed(0, 0, -3.6f, multiply(turned(0.5f, 0.3f), scaled(1.35f, 1.35f, 1.35f))),
            sphere(48, 24));
    glDisable(GL_DEPTH_TEST);
}

constexpr Tile TILES[] = {
    {"LIGHT IN EVERY PIXEL", lit_in_every_pixel},
    {"MIPMAPS: NONE, ALL", mipmaps},
    {"CUBE MAP", cube_map},
    {"DEPTH, 24 BITS", depth},
    {"STENCIL, BLENDING", mirror},
    {"RENDER TO TEXTURE", render_to_texture},
    {"SHADOW MAP", shadow_map},
    {"LINES", wireframe},
    {"DISCARD, FACES", discard_and_faces},
};

} // namespace

std::span<const Tile> card_bodies() {
    return TILES;
}

} // namespace gles2

// Measures the drawing speed of the GC2000's 3D engine, including the front end.
//
// Names are vivante_3d/<what>/<size>; items are pixels, or vertices for `vertices`. Draws use one
// thread unless the name contains two_threads. A whole screen is drawn as two triangles. The
// yardsticks set or copy as many bytes as the pixels that are drawn.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>
#include <initializer_list>

#include "../unit/vivante/3d/sh/program_words.hpp"
#include "../unit/vivante/words.hpp"
#include "board.hpp"
#include "pixmill/vivante.h"

namespace {

using namespace pixmill::test::shader;
using pixmill::bench::Amount;
using pixmill::bench::Board;
using pixmill::test::Stream;
using pixmill::test::Words;

// ---- The world ---------------------------------------------------------------

constexpr uint32_t width = 1024, height = 768, stride = 4 * width;
constexpr uint32_t stream_at = 0x1000, texture_at = 0x100000, vertices_at = 0x200000;
constexpr uint32_t texture_bytes = 0x60000, table_at = 0x80000;
constexpr uint32_t color_at = 0x1000000, depth_at = 0x1800000, status_at = 0x2000000;
constexpr uint32_t linear_at = 0x2800000, ram_size = 0x3800000;
constexpr uint32_t half = stride * height / 2; // offset of the second pixel pipe's half of a target

constexpr uint32_t screen_width = 1920, screen_height = 1080, padded_height = 1152;
constexpr uint32_t screen_bytes = 4 * screen_width * screen_height;
constexpr uint32_t screen_half = 2 * screen_width * padded_height;

constexpr uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

/// A GC2000 with its memory. It plays command streams to their ends.
class World {
public:
    explicit World(uint32_t threads) : board_(ram_size) {
        const PixmillVivanteConfig config{"gc2000-imx6q", 0, 0, 0, threads, 0, 0, 0, 0};
        if (pixmill_vivante.create(&config, &board_.host(), &gc_) != PIXMILL_OK)
            std::abort();
    }
    ~World() { pixmill_vivante.destroy(gc_); }
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    std::byte* ram() { return board_.ram(); }
    void put(uint32_t address, const std::vector<float>& values) {
        std::memcpy(ram() + address, values.data(), 4 * values.size());
    }
    void put(const Stream& stream) {
        const Words words = Stream(stream).end().words();
        std::memcpy(ram() + stream_at, words.data(), 4 * words.size());
        qwords_ = uint32_t(words.size() / 2);
    }
    /// Maps the texture through the MMU v1 at `translated`, with its pages in a different order.
    void scatter_texture() {
        constexpr uint32_t tx_page_table = 0x404, pages = texture_bytes / 0x1000;
        for (uint32_t i = 0; i < pages; i++)
            board_.poke(table_at + 4 * i, texture_at + i * 37 % pages * 0x1000);
        pixmill_vivante.write(gc_, tx_page_table, 4, table_at);
    }
    static constexpr uint32_t translated = 0x80000000;

    void play() {
        constexpr uint32_t command_address = 0x654, command_control = 0x658, enable = 0x10000;
        pixmill_vivante.write(gc_, command_address, 4, stream_at);
        pixmill_vivante.write(gc_, command_control, 4, enable | qwords_);
        for (;;) {
            const PixmillRun run = pixmill_vivante.run(gc_, 4096);
            if (run.action == PIXMILL_RUN_DRAW)
                pixmill_vivante.draw(gc_, UINT64_MAX);
            else if (run.action != PIXMILL_RUN_AGAIN)
                return;
        }
    }

private:
    Board board_;
    PixmillCore* gc_ = nullptr;
    uint32_t qwords_ = 0;
};

// ---- Scenes ------------------------------------------------------------------

using Program = std::vector<Instruction>;
using Corner = std::vector<float>; ///< x, y, z, then four components per varying

struct Scene {
    Program pixel;
    unsigned varyings = 1;
    Program vertex{};
    bool texture = false, depth = false, blend = false;
    bool scattered = false; ///< the texture's pages are scattered, as a kernel's are
    uint32_t draws = 1;     ///< number of times that everything is drawn
};

constexpr Instruction move(uint32_t to, Operand from) {
    return {.opcode = MOV, .destination = to, .sources = {Operand{}, {}, from}};
}
constexpr Instruction two(Opcode opcode, uint32_t to, Operand a, Operand b) {
    return {.opcode = opcode, .destination = to, .sources = {a, b, Operand{}}};
}
constexpr Instruction add(uint32_t to, Operand a, Operand b) {
    return {.opcode = ADD, .destination = to, .sources = {a, Operand{}, b}};
}
constexpr Instruction mad(uint32_t to, Operand a, Operand b, Operand c) {
    return {.opcode = MAD, .destination = to, .sources = {a, b, c}};
}
constexpr Instruction larger(uint32_t to, Operand a, Operand b) {
    return {.opcode = SELECT, .condition = GT, .destination = to, .sources = {a, b, a}};
}
constexpr Instruction texel(uint32_t to, Operand at) {
    return {.opcode = TEXLD, .destination = to, .sources = {at, Operand{}, Operand{}}};
}
constexpr Instruction rsq(uint32_t to, Operand of) {
    return {.opcode = RSQ, .destination = to, .sources = {Operand{}, {}, of}};
}

/// The shader to which the speed goals apply. It computes a light and applies a texture and a tint.
const Program textured_program = {
    two(DP3, 4, t(1), u(0)),  larger(4, t(4, xxxx), u(1, xxxx)),
    two(MUL, 4, t(4), u(2)),  add(4, t(4), u(3)),
    texel(5, t(2)),           two(MUL, 6, t(5), t(4)),
    mad(6, t(3), u(4), t(6)), two(MUL, 7, t(6), u(5)),
    mad(7, t(7), u(6), t(6)), move(1, t(7)),
};

/// Returns a program in which each step depends on the previous one.
Program alu_program(unsigned steps) {
    Program program;
    for (unsigned i = 0; i + 1 < steps; i++)
        program.push_back(i % 2 ? two(MUL, 2 + i % 3, t(2 + (i + 2) % 3), u(i % 8))
                                : mad(2 + i % 3, t(1), u(i % 8), t(2 + (i + 2) % 3)));
    program.push_back(move(1, t(2 + (steps - 2) % 3)));
    return program;
}

/// Normalizes a surface normal, and computes diffuse light and a highlight.
const Program lit_program = {
    two(DP3, 4, t(1), t(1)),           rsq(4, t(4, xxxx)),
    two(MUL, 4, t(1), t(4)),           two(DP3, 5, t(4), u(0)),
    larger(5, t(5, xxxx), u(1, xxxx)), two(MUL, 6, t(5), t(5)),
    two(MUL, 6, t(6), t(6)),           mad(5, t(5), u(2), u(3)),
    mad(1, t(5), t(2), t(6)),
};

/// Returns a minimal vertex shader, which applies a matrix.
Program matrix_program(unsigned varyings) {
    Program program;
    for (uint32_t row = 0; row < 4; row++) {
        Instruction product = two(DP4, 1 + varyings, t(0), u(row));
        product.components = 1u << row;
        program.push_back(product);
    }
    program.push_back(move(0, t(1 + varyings)));
    return program;
}

Stream code(uint32_t at, uint32_t range, const Program& program) {
    Stream s;
    const uint32_t first = (at - 0xC000) / 16;
    s.state(range, (first + uint32_t(program.size()) - 1) << 16 | first);
    for (size_t i = 0; i < program.size(); i++) {
        const auto words = encode(program[i]);
        s.states(at + uint32_t(16 * i), {words[0], words[1], words[2], words[3]});
    }
    return s;
}

/// Identity mapping for vertex inputs, vertex outputs and pixel inputs.
constexpr uint32_t in_order[] = {0x03020100, 0x07060504};

Stream vertex_states(const Scene& scene) {
    const uint32_t n = 1 + scene.varyings, bytes = 12 + 16 * scene.varyings;
    Stream s;
    s.state(0x0600, 0x0C003008); // 3 floats
    for (uint32_t i = 1; i < n; i++)
        s.state(0x0600 + 4 * i, (16u << 24 | (16 * i - 4) << 16) | 0x0008);
    s.state(0x0680, vertices_at).state(0x06A0, bytes);
    s.state(0x0804, n).state(0x0808, 0x100 | n).state(0x080C, n + 1);
    for (uint32_t i = 0; i < 2; i++)
        s.state(0x0810 + 4 * i, in_order[i]).state(0x0820 + 4 * i, in_order[i]);
    for (uint32_t i = 0; i < 16; i++) // uniforms: a matrix
        s.state(0x5000 + 4 * i, bits(i % 5 ? 0 : 1));
    return s.add(code(0xC000, 0x085C, scene.vertex.empty() ? Program(1) : scene.vertex));
}

Stream window_states(const Scene& scene) {
    Stream s;
    for (const auto& [at, value] : {std::pair{0x0A00u, width / 2.0f},
                                    {0x0A04u, height / 2.0f},
                                    {0x0A08u, 1.0f},
                                    {0x0A0Cu, width / 2.0f},
                                    {0x0A10u, height / 2.0f},
                                    {0x0A14u, 0.0f},
                                    {0x0A18u, 0.5f},
                                    {0x0A1Cu, 0.5f},
                                    {0x0A38u, 0.5f},
                                    {0x0C00u, 0.0f},
                                    {0x0C04u, 0.0f},
                                    {0x0C08u, width + 0.06f},
                                    {0x0C0Cu, height + 0.06f},
                                    {0x0C10u, 0.0f},
                                    {0x0C14u, 0.0f}})
        s.state(at, bits(value));
    s.state(0x0A28, 0x11).state(0x0A30, scene.varyings << 8);
    s.state(0x0A34, 0x412000).state(0x0A40, 0x2F1).state(0x0E00, 1).state(0x0E08, 0x30);
    return s.state(0x3820, 0x44444444).state(0x3828, 0).state(0x382C, 0);
}

Stream pixel_states(const Scene& scene) {
    Stream s;
    s.state(0x1004, 0x01010101).state(0x1008, 0x1F00 | (1 + scene.varyings)).state(0x1010, 2);
    for (uint32_t i = 0; i < 32; i++)
        s.state(0x7000 + 4 * i, bits(0.1f + float(i % 7) / 8));
    s.state(0x1418, 0).state(0x141C, 0).state(0x1420, 0);
    s.state(0x1428, scene.blend ? 0x541 : 0); // source alpha, 1 - source alpha
    s.state(0x142C, 0x00110F06).state(0x1434, stride);
    s.state(0x1460, color_at).state(0x1464, color_at + half).state(0x14A4, 0xE406C);
    s.state(0x1654, 0);
    // depth test with LEQUAL and writes; the buffer is D24S8 and supertiled
    s.state(0x1400, scene.depth ? 0x04041311 : 0x01000700);
    s.state(0x140C, bits(16777215.0f)).state(0x1414, stride);
    s.state(0x1480, depth_at).state(0x1484, depth_at + half);
    return s.add(code(0xD000, 0x101C, scene.pixel));
}

/// Returns the states of a repeated 256 x 256 A8B8G8R8 texture with all mipmap levels, sampled
/// linearly within the nearest level.
Stream texture_states(uint32_t at) {
    constexpr uint32_t two_d = 2, linear = 2, nearest = 1, a8b8g8r8 = 9, log = 8 * 32;
    Stream s;
    s.state(0x2000, two_d | linear << 7 | nearest << 9 | linear << 11 | a8b8g8r8 << 13);
    s.state(0x2040, 256 << 16 | 256).state(0x2080, log << 10 | log).state(0x20C0, log << 1);
    s.state(0x2180, 1).state(0x21C0, 0x00321000);
    for (uint32_t level = 0; level <= 8; level++) {
        const uint32_t side = std::max(256u >> level, 4u);
        s.state(0x2400 + 0x40 * level, at);
        at += 4 * side * side;
    }
    return s;
}

Stream scene_stream(const Scene& scene, uint32_t primitives) {
    constexpr uint32_t triangles = 4;
    Stream s;
    s.state(0x384C, 0).state(0x0A2C, 0x34000001).state(0x0A88, 0).state(0x3818, 0xF0);
    s.state(0x3828, 0).state(0x0648, 0);
    s.add(vertex_states(scene)).add(window_states(scene)).add(pixel_states(scene));
    if (scene.texture)
        s.add(texture_states(scene.scattered ? World::translated : texture_at));
    for (uint32_t i = 0; i < scene.draws; i++)
        s.raw({0x28000000, triangles, 0, primitives});
    return s;
}

/// Appends a vertex whose varyings change across the screen.
void append(std::vector<float>& to, float x, float y, unsigned varyings) {
    to.insert(to.end(), {x, y, 0.25f});
    for (unsigned v = 0; v < varyings; v++) {
        const float scale = v == 1 ? 2.0f : 0.5f; // makes texels about as large as pixels
        to.insert(to.end(),
                  {x * scale + 0.1f * y, y * scale - 0.1f * x, 0.4f + 0.1f * float(v), 0.6f});
    }
}

std::vector<float> screen(unsigned varyings) {
    std::vector<float> v;
    for (const auto& [x, y] : {std::pair{-1, -1}, {1, -1}, {-1, 1}, {-1, 1}, {1, -1}, {1, 1}})
        append(v, float(x), float(y), varyings);
    return v;
}

/// Returns squares of two triangles; each triangle covers about 20 pixels.
std::vector<float> mesh(unsigned varyings, uint32_t columns, uint32_t rows) {
    std::vector<float> v;
    const auto at = [](uint32_t i, uint32_t n) { return 2 * float(i) / float(n) - 1; };
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++)
            for (const auto& [dx, dy] :
                 {std::pair{0u, 0u}, {1u, 0u}, {0u, 1u}, {0u, 1u}, {1u, 0u}, {1u, 1u}})
                append(v, at(x + dx, columns), at(y + dy, rows), varyings);
    return v;
}

// ---- Benchmarks --------------------------------------------------------------

/// Adds a benchmark that plays a stream. Its memory is allocated when it first runs.
void add_stream(const std::string& name, Amount amount, uint32_t threads, uint32_t changed_at,
                std::function<Stream(World&)> make) {
    const auto world = std::make_shared<std::unique_ptr<World>>();
    const auto play = [=] {
        if (!*world) {
            *world = std::make_unique<World>(threads);
            (*world)->put(make(**world));
        }
        (*world)->play();
    };
    pixmill::bench::add(name + "/pixmill", amount, play, [=] {
        play();
        return pixmill::bench::changes((*world)->ram() + changed_at, play)();
    });
}

void add_scene(const std::string& name, const Scene& scene, bool small = false) {
    constexpr uint32_t columns = 160, rows = 120;
    const uint64_t pixels = uint64_t(width) * height * scene.draws;
    for (const uint32_t threads : {1u, 2u}) {
        const std::string who = threads > 1 ? name + "/two_threads" : name;
        add_stream("vivante_3d/" + who + "/1024x768", {4 * pixels, pixels}, threads, color_at,
                   [=](World& world) {
                       const auto corners =
                           small ? mesh(scene.varyings, columns, rows) : screen(scene.varyings);
                       world.put(vertices_at, corners);
                       std::memset(world.ram() + depth_at, 0xFF, 2 * half);
                       for (uint32_t i = 0; i < texture_bytes; i++)
                           world.ram()[texture_at + i] = std::byte(i * 37 ^ i >> 8);
                       if (scene.scattered)
                           world.scatter_texture();
                       return scene_stream(scene, small ? 2 * columns * rows : 2);
                   });
    }
}

/// Draws triangles to the right of the window, so that only their vertices are processed.
void add_vertices() {
    constexpr uint32_t columns = 160, rows = 120, count = 6 * columns * rows;
    const Scene scene{.pixel = {move(1, t(1))}, .vertex = matrix_program(1)};
    for (const uint32_t threads : {1u, 2u}) {
        const std::string name = threads > 1 ? "vertices/two_threads" : "vertices";
        const auto world = std::make_shared<std::unique_ptr<World>>();
        pixmill::bench::add(
            "vivante_3d/" + name + "/pixmill", {0, count},
            [=] {
                if (!*world) {
                    *world = std::make_unique<World>(threads);
                    auto corners = mesh(scene.varyings, columns, rows);
                    for (size_t i = 0; i < corners.size(); i += 7)
                        corners[i] += 3;
                    (*world)->put(vertices_at, corners);
                    (*world)->put(scene_stream(scene, count / 3));
                }
                (*world)->play();
            },
            [] { return true; });
    }
}

Stream resolve_screen() {
    return Stream()
        .state(0x1654, 0)
        .state(0x1604, 0x0686)
        .state(0x160C, 0xC0000000 | 16 * screen_width)
        .state(0x1614, 4 * screen_width)
        .state(0x16C0, color_at)
        .state(0x16C4, color_at + screen_half)
        .state(0x16E0, linear_at)
        .state(0x1700, 0)
        .state(0x1704, screen_height / 2 << 16)
        .state(0x1620, screen_height / 2 << 16 | screen_width)
        .state(0x163C, 0)
        .state(0x1600, 1);
}

constexpr uint32_t status_bytes = 2 * screen_half / 64 / 4 / 64 * 64;

Stream clear_screen() {
    return Stream()
        .state(0x1604, 0x4606)
        .state(0x1614, 0x100)
        .state(0x16E0, status_at)
        .state(0x1700, 0)
        .state(0x1704, status_bytes / 128 << 16)
        .state(0x1620, status_bytes / 128 << 16 | 16)
        .state(0x163C, 0x1FFFF)
        .state(0x1640, 0x55555555)
        .state(0x1600, 1);
}

/// Adds memset() or memcpy() of the same number of bytes as a yardstick.
void add_yardstick(const std::string& name, Amount amount, bool copies) {
    const auto pools = std::make_shared<std::vector<std::unique_ptr<pixmill::bench::Pool>>>();
    pixmill::bench::add(
        name + (copies ? "/memcpy" : "/memset"), amount,
        [=] {
            while (pools->size() < 2)
                pools->push_back(std::make_unique<pixmill::bench::Pool>(amount.bytes));
            if (copies)
                std::memcpy((*pools)[0]->data(), (*pools)[1]->data(), amount.bytes);
            else
                std::memset((*pools)[0]->data(), 0x5A, amount.bytes);
        },
        [] { return true; });
}

[[maybe_unused]] const bool registered = [] {
    constexpr Amount all{4 * uint64_t(width) * height, uint64_t(width) * height};
    add_scene("fill", {.pixel = {move(1, u(0))}});
    add_yardstick("vivante_3d/fill/1024x768", all, false);
    add_yardstick("vivante_3d/fill/two_threads/1024x768", all, false);
    add_scene("smooth", {.pixel = {move(1, t(1))}});
    add_scene("textured", {.pixel = textured_program, .varyings = 3, .texture = true});
    add_scene("textured_scattered",
              {.pixel = textured_program, .varyings = 3, .texture = true, .scattered = true});
    add_scene("alu10", {.pixel = alu_program(10)});
    add_scene("alu39", {.pixel = alu_program(39)});
    add_scene("lit", {.pixel = lit_program, .varyings = 2, .depth = true});
    add_scene("blended", {.pixel = {move(1, t(1))}, .blend = true});
    add_scene("small_triangles", {.pixel = {move(1, t(1))}}, true);
    add_vertices();
    constexpr Amount screen_amount{screen_bytes, screen_bytes / 4};
    for (const uint32_t threads : {1u, 2u}) {
        const std::string name = threads > 1 ? "vivante_3d/resolve/two_threads/1920x1080"
                                             : "vivante_3d/resolve/1920x1080";
        add_stream(name, screen_amount, threads, linear_at, [](World& world) {
            std::memset(world.ram() + color_at, 0x77, 2 * screen_half);
            return resolve_screen();
        });
        add_yardstick(name, screen_amount, true);
    }
    add_stream("vivante_3d/ts_clear/1920x1080", {status_bytes, 0}, 1, status_at,
               [](World&) { return clear_screen(); });
    add_yardstick("vivante_3d/ts_clear/1920x1080", {status_bytes, 0}, false);
    return true;
}();

} // namespace

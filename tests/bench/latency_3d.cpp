// Searches for the 3D engine's most costly draws and resolves (see latency.hpp).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <bit>

#include "../unit/vivante/3d/sh/program_words.hpp"
#include "../unit/vivante/words.hpp"
#include "latency.hpp"
#include "pixmill/vivante.h"

namespace {

using namespace pixmill::bench;
using namespace pixmill::test::shader;
using pixmill::test::Stream;

constexpr uint32_t stream_at = 0x1000, vertices_at = 0x200000, vertices = 0x4000;
constexpr uint32_t vertex_code = 0xC000, pixel_code = 0xD000, code_end = 0xE000;

// States (rnndb state_3d.xml).
constexpr uint32_t vertex_range = 0x085C, pixel_range = 0x101C, rs_kicker = 0x1600,
                   inputs_of_vertices = 0x0808;

struct Draw {
    const char* model = "";
    std::string kind;
    std::vector<Write> states;
    uint32_t primitive = 0, count = 0; ///< 0 for a resolve, which RS_KICKER starts
};

bool is_code(uint32_t address) {
    return address >= vertex_code && address < code_end;
}

uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

class Generator : public Dice {
public:
    using Dice::Dice;

    Draw make() {
        static constexpr const char* models[] = {"gc2000-imx6q", "gc880-imx6dl", "gc600-dove"};
        static constexpr const char* kinds[] = {"fill",     "alu", "texels",
                                                "vertices", "any", "resolve"};
        Draw draw;
        draw.model = of(models);
        draw.kind = of(kinds);
        hard_ = chance(50);
        targets(draw);
        if (draw.kind == "resolve") {
            resolve(draw);
            return draw;
        }
        geometry(draw);
        pixels(draw);
        textures(draw);
        const bool many = draw.kind == "vertices";
        shader(draw, vertex_code, vertex_range, many ? draw.kind : "fill");
        shader(draw, pixel_code, pixel_range, draw.kind);
        static constexpr uint32_t types[] = {1, 2, 4, 4, 4, 5, 6};
        draw.primitive = of(types);
        draw.count = many ? uint32_t(in(1000, 100000)) : uint32_t(in(1, 50));
        return draw;
    }

    Draw mutate(Draw draw, const Draw& other) {
        for (uint64_t n = in(1, 4); n > 0; n--) {
            const size_t i = word() % draw.states.size();
            Write& state = draw.states[i];
            if (state.address == rs_kicker || is_code(state.address))
                continue;
            if (i < other.states.size() && other.states[i].address == state.address && chance(70))
                state.value = other.states[i].value;
            else
                state.value ^= 1u << in(0, 31);
        }
        if (draw.count && chance(20))
            draw.count = other.count ? other.count : draw.count;
        return draw;
    }

private:
    static void put(Draw& draw, uint32_t address, uint32_t value) {
        draw.states.push_back({address, value});
    }
    static void put(Draw& draw, uint32_t address, float value) { put(draw, address, bits(value)); }

    uint32_t place() {
        static constexpr uint32_t bases[] = {0x00400000, 0x10000000, 0x20000000,
                                             0x40000000, 0x60000000, 0xC0000000};
        return bases[hard_ ? in(2, 3) : in(0, 5)] + (word() & 0x00FFFFC0);
    }
    uint32_t stride() { return hard_ ? 0x8000u : chance(50) ? 0x8000u : word() & 0xFFC0; }

    void targets(Draw& draw) {
        static constexpr uint32_t formats[] = {6, 5, 4, 3, 1, 0, 2};
        put(draw, 0x142C, of(formats) | (word() & 0x00110000) | 0xF00);
        put(draw, 0x1434, stride());
        put(draw, 0x1414, stride());
        for (const uint32_t at : {0x1430u, 0x1410u, 0x1460u, 0x1464u, 0x1480u, 0x1484u})
            put(draw, at, place());
        put(draw, 0x1654, chance(70) ? 0 : word());
        for (const uint32_t at : {0x1658u, 0x165Cu, 0x1664u, 0x1668u})
            put(draw, at, place());
        put(draw, 0x1660, word());
        put(draw, 0x166C, word());
    }
    /// Sets up triangles that cover the whole target, with positions from a table and attributes
    /// from random addresses.
    void geometry(Draw& draw) {
        constexpr float side = 8191, half = side / 2;
        put(draw, 0x0600, 0x0C003008u); // 3 floats
        for (uint32_t i = 1; i < 3; i++)
            put(draw, 0x0600 + 4 * i, 0x10000108u | (word() & 0x00003000));
        put(draw, 0x0680, vertices_at);
        put(draw, 0x06A0, 16u);
        put(draw, 0x0684, place());
        put(draw, 0x06A4, chance(50) ? 16u : word() & 0xFF);
        put(draw, 0x0644, place());
        put(draw, 0x0648, 0u);
        put(draw, 0x0804, 3u);
        put(draw, inputs_of_vertices, 0x103u);
        put(draw, 0x080C, 4u);
        for (uint32_t i = 0; i < 2; i++) {
            put(draw, 0x0810 + 4 * i, 0x03020100u);
            put(draw, 0x0820 + 4 * i, 0x03020100u);
        }
        for (const auto& [at, value] : {std::pair{0x0A00u, half},
                                        {0x0A04u, half},
                                        {0x0A08u, 1.0f},
                                        {0x0A0Cu, half},
                                        {0x0A10u, half},
                                        {0x0A14u, 0.0f},
                                        {0x0A18u, 0.5f},
                                        {0x0A1Cu, 0.5f},
                                        {0x0A38u, 0.5f},
                                        {0x0C00u, 0.0f},
                                        {0x0C04u, 0.0f},
                                        {0x0C08u, side},
                                        {0x0C0Cu, side},
                                        {0x0C10u, 0.0f},
                                        {0x0C14u, 0.0f}})
            put(draw, at, value);
        put(draw, 0x0A28, 0x11u);
        put(draw, 0x0A2C, 0x34000001u);
        put(draw, 0x0A30, 2u << 8);
        put(draw, 0x0A34, 0x00400000u | (word() & 0x00013300));
        put(draw, 0x0A40, 0x2F1u);
        put(draw, 0x0E00, 1u);
        put(draw, 0x0E08, 0x30u);
        for (const uint32_t at : {0x3820u, 0x3828u, 0x382Cu})
            put(draw, at, at == 0x3820 ? 0x44444444u : 0);
        put(draw, 0x3818, 0xF0u | (chance(50) ? 0 : uint32_t(in(0, 3)))); // samples per pixel
        put(draw, 0x384C, 0u);
    }
    void pixels(Draw& draw) {
        put(draw, 0x1004, 0x02010101u);
        put(draw, 0x1008, 0x1F03u);
        put(draw, 0x1010, 2u);
        put(draw, 0x1400, chance(50) ? 0x01000700u : word() & 0x05011713);
        put(draw, 0x140C, 16777215.0f);
        put(draw, 0x1418, chance(50) ? 0 : word() & 0x77777777);
        put(draw, 0x141C, chance(50) ? 0 : word() & 0xFFFFFF03);
        put(draw, 0x1420, chance(70) ? 0 : word() & 0xFF71);
        put(draw, 0x1428, chance(50) ? 0 : word() & 0x7FF17FF1);
        put(draw, 0x14A4, 0xE406Cu);
        for (uint32_t i = 0; i < 16; i++) {
            put(draw, 0x7000 + 4 * i, chance(70) ? 0.1f * float(i) : bits(float(word())));
            put(draw, 0x5000 + 4 * i, i % 5 ? 0.0f : 1.0f);
        }
    }
    /// Sets up two textures for pixel shaders and one for vertex shaders.
    void textures(Draw& draw) {
        for (const uint32_t s : {0u, 1u, 8u}) {
            static constexpr uint32_t types[] = {1, 2, 2, 2, 3, 5};
            const uint32_t log = uint32_t(in(2, 13)), size = 1u << std::min(log, 13u);
            const uint32_t anisotropy = chance(50) ? uint32_t(in(0, 4)) * 32 << 24 : 0;
            put(draw, 0x2000 + 4 * s, of(types) | (word() & 0x0003FFF8) | anisotropy);
            put(draw, 0x2040 + 4 * s, (size - 1) << 16 | (size - 1));
            put(draw, 0x2080 + 4 * s, log * 32 << 10 | log * 32);
            put(draw, 0x20C0 + 4 * s, chance(70) ? log * 32 << 1 | (word() & 1) : word());
            put(draw, 0x2180 + 4 * s, (word() & 0x3000000Eu) | 1);
            put(draw, 0x21C0 + 4 * s, 0x04321000u | (word() & 0xF));
            for (uint32_t level = 0; level < 14; level++)
                put(draw, 0x2400 + 0x40 * level + 4 * s, place());
            put(draw, 0x2C00 + 4 * s, stride());
        }
    }

    Operand operand() {
        Operand made = chance(80) ? t(uint32_t(in(0, 7))) : u(uint32_t(in(0, 7)));
        made.swizzle = word() & 0xFF;
        made.negate = chance(20);
        return made;
    }
    Instruction instruction(const std::string& kind) {
        static constexpr Opcode alu[] = {ADD,    MAD, MUL, DP3, DP4, DSX,  DSY, MOV, RCP,   RSQ,
                                         SELECT, SET, EXP, LOG, FRC, SQRT, SIN, COS, FLOOR, SIGN},
                                texels[] = {TEXLD, TEXLDB, TEXLDD, TEXLDL};
        Instruction made;
        const bool texel = kind == "texels" ? chance(90) : kind == "any" && chance(30);
        made.opcode = texel ? of(texels) : kind == "any" && chance(5) ? TEXKILL : of(alu);
        made.destination = uint32_t(in(0, 7));
        made.condition = uint32_t(in(0, 6));
        made.sampler = uint32_t(in(0, 1));
        made.sources = {operand(), operand(), operand()};
        return made;
    }
    void shader(Draw& draw, uint32_t at, uint32_t range, const std::string& kind) {
        const uint32_t first = at == pixel_code ? 0x100 : 0;
        const bool is_long = kind != "fill";
        const uint32_t length = !is_long ? 1 : chance(60) ? 256 : uint32_t(in(1, 256));
        put(draw, range, first | (first + length - 1) << 16);
        put(draw, at == pixel_code ? 0x1000 : 0x0800, first + length);
        for (uint32_t i = 0; i < length; i++) {
            Words words = encode(Instruction{});
            if (is_long)
                words = encode(instruction(kind));
            if (is_long && i + 1 == length && chance(20)) // jump back to the start
                words = encode(Instruction{.opcode = BRANCH, .target = first});
            for (uint32_t k = 0; k < 4; k++)
                put(draw, at + 16 * i + 4 * k, words[k]);
        }
    }

    void resolve(Draw& draw) {
        static constexpr uint32_t formats[] = {0, 1, 2, 3, 4, 5, 6, 6, 6, 16, 21, 23, 24};
        const auto tiled = [&] {
            return (word() & 0xC8000000) | (chance(80) ? 0x8000u : word() & 0xFFC0);
        };
        const uint32_t from = of(formats), to = of(formats);
        put(draw, 0x1604, from | to << 8 | (word() & 0x600040E0));
        put(draw, 0x1608, place());
        put(draw, 0x1610, place());
        put(draw, 0x160C, tiled());
        put(draw, 0x1614, tiled());
        put(draw, 0x1620, chance(60) ? 0x1FF01FF0u : word() & 0x1FF01FF0);
        put(draw, 0x163C, chance(50) ? 0 : word() & 0x3FFFF);
        for (const uint32_t at : {0x1630u, 0x1634u, 0x1640u, 0x1644u, 0x1648u, 0x164Cu})
            put(draw, at, word());
        for (const uint32_t at : {0x16C0u, 0x16C4u, 0x16E0u, 0x16E4u})
            put(draw, at, place());
        put(draw, 0x1700, chance(70) ? 0 : word());
        put(draw, 0x1704, chance(70) ? 0 : word());
        put(draw, rs_kicker, 1u);
    }

    bool hard_ = false; ///< surfaces are in pages between holes or in random order
};

Stream stream_of(const Draw& draw) {
    Stream stream;
    for (const Write& write : draw.states)
        stream.state(write.address, write.value);
    if (draw.count)
        stream.raw({0x28000000, draw.primitive, 0, draw.count});
    return stream.end();
}

/// Returns the corners of triangles, a quarter of which cover the whole target.
std::vector<uint32_t> positions() {
    static constexpr float corners[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    std::vector<uint32_t> words;
    for (uint32_t i = 0; i < vertices; i++) {
        const bool small = i / 3 % 8 > 1;
        const float scale = small ? 0.002f : 1, at = small ? float(i / 3 % 900) / 1000 : 0;
        for (const float axis : corners[i % 3])
            words.push_back(bits(axis * scale + at));
        words.insert(words.end(), {bits(0.25f), bits(1)});
    }
    return words;
}

struct Family {
    static constexpr const char* name = "3D engine";
    using Draw = ::Draw;
    using Generator = ::Generator;
    static constexpr const PixmillCoreClass& table = pixmill_vivante;
    static PixmillCore* start(Board& board, const Draw& draw) {
        static const std::vector<uint32_t> corners = positions();
        constexpr uint32_t command_address = 0x654, command_control = 0x658, enable = 0x10000;
        PixmillVivanteConfig config{};
        config.model = draw.model;
        config.render_threads = 1;
        PixmillCore* core = create(table, &config, board);
        const Stream stream = stream_of(draw);
        board.put(stream_at, stream.words());
        board.put(vertices_at, corners);
        table.write(core, command_address, 4, stream_at);
        table.write(core, command_control, 4, enable | stream.qwords());
        return core;
    }
    static bool prints(const Write& write) { return !is_code(write.address); }
    static void print(const Draw& draw) {
        std::printf("\n  %s, %u primitives of type %u", draw.model, draw.count, draw.primitive);
    }
};

} // namespace

int main(int argc, char** argv) {
    return search_main<Family>(argc, argv);
}

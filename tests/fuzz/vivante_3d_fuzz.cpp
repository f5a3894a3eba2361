/*
 * libFuzzer target: the 3D engine of the Vivante core, driven by valid command streams.
 *
 * The input selects a model, followed by programs.  A program writes states of all blocks, shaders
 * from a grammar, and surfaces and textures anywhere in guest memory, then starts a draw or a
 * resolve; or it replays the states that a driver wrote before a draw.  Scissors, windows and
 * counts are bounded, so every program must end within a known number of steps.  Shaders may be
 * endless, which the engine must detect.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <bit>
#include <cmath>

#include "pixmill/vivante.h"

#include "../processor.hpp"
#include "frame.hpp"
#include "render/cpu_dispatch.hpp"
#include "vivante/3d/sh/shader.hpp"

using namespace pixmill;
using namespace pixmill::fuzz;

std::span<Landmark> fuzz::landmarks() {
    static Landmark all[] = {
        {"fault inside a draw", "mmu_fault"},
        {"no memory to read", "bus_error TX 0"},
        {"no memory to write", "bus_error PE 1"},
        {"a draw has shown something", "drew: primitives"},
        {"a resolve has shown something", "drew: resolve"},
        {"a recorded stream has shown something", "drew: recorded"},
        {"an endless shader", "has not ended"},
        {"loops for any processor", "drew: portable"},
        {"memory has ended", "the host is out of memory"},
    };
    return all;
}

namespace {

constexpr uint32_t kStream = 0x1000;
constexpr uint32_t kStreamEnd = 0x8000;
constexpr uint32_t kSide = 63; /* largest side of a target or window, less one */
/* In guest memory, for HALTI5: both programs, and descriptors of textures. */
constexpr uint32_t kCode = 0x9000, kDescriptors = 0xA000;

/*
 * Returns the address of a target, texture, vertex buffer or tile status, inside guest memory or
 * across its ends.
 */
uint32_t surface(Input& in) {
    static constexpr uint32_t bases[] = {0x00008000, 0x00010000, 0x00018000, 0x00020000,
                                         0x00100000, 0x0010F000, 0x00200000, 0x80000000,
                                         0x80007000, 0x70000000, 0xFFFFF000};
    const uint8_t choice = in.byte();
    return bases[choice < 200 ? choice % 4 : choice % std::size(bases)] + (in.half() & 0x1FC0);
}

/* Returns an instruction, mostly with an existing opcode and valid registers. */
std::array<uint32_t, 4> instruction(Input& in) {
    static constexpr uint8_t usual[] = {
        0x01, 0x02, 0x03, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0A, 0x0C, 0x0D, 0x0F, 0x10,
        0x11, 0x12, 0x13, 0x16, 0x17, 0x18, 0x19, 0x1A, 0x1B, 0x21, 0x22, 0x23, 0x25,
        0x26, 0x27, 0x2C, 0x2D, 0x2E, 0x2F, 0x31, 0x32, 0x36, 0x3B, 0x3C, 0x40, 0x44,
        0x48, 0x4C, 0x4E, 0x56, 0x57, 0x58, 0x59, 0x5A, 0x5B, 0x5C, 0x5D, 0x5E, 0x5F,
        0x60, 0x61, 0x64, 0x6D, 0x6F, 0x70, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77, 0x7F};
    const uint8_t choice = in.byte();
    const uint32_t op = choice < 220 ? usual[choice % std::size(usual)] : in.byte() & 0x7F;
    if (in.byte() < 16)
        return {in.word(), in.word(), in.word(), in.word()};
    const uint32_t shape = in.word(), a = in.word(), b = in.word(), c = in.word();
    const auto source =
        [](uint32_t word) { /* USE, REG, SWIZ, NEG, ABS, AMODE, RGROUP */
                            const uint32_t group = word >> 28 & 3 ? word >> 28 & 2 : word >> 24 & 7;
                            const uint32_t amode = word >> 16 & 15 ? 0 : word >> 20 & 7;
                            return 1 | (word & 7) << 1 | (word >> 3 & 0xFF) << 11 |
                                   (word >> 11 & 3) << 19 | amode << 21 | group << 24;
        };
    const uint64_t s0 = source(a), s1 = source(b), s2 = source(c);
    std::array<uint32_t, 4> word{};
    const auto place = [&word](uint64_t bits, unsigned at) {
        for (unsigned i = 0; i < 27; i++)
            if (bits >> i & 1)
                word[(at + i) / 32] |= 1u << (at + i) % 32;
    };
    word[0] = (op & 0x3F) | (shape & 15) << 6 | (shape >> 4 & 1) << 11 | 1 << 12 |
              (shape >> 5 & 7) << 16 | (shape >> 8 & 15) << 23 | (shape >> 12 & 3) << 27;
    if (op >= 0x18 && op <= 0x1B)
        word[1] |= (shape >> 16 & 0xFF) << 3;
    /* operands have 27 bits starting at USE, with a bit of another field between REG and SWIZ */
    place(s0, 43);
    place(s1, 70);
    place(s2, 99);
    word[1] &= ~(1u << 21);
    word[2] = (word[2] & ~(1u << 16)) | (op >> 6) << 16;
    if (op == 0x16 || op == 0x14 || op == 0x24) /* TARGET */
        word[3] = (word[3] & ~0x003FFF80u) | (c & 15) << 7;
    return word;
}

/* Ways to adapt a recorded state, whose value may hold an address or a size of the guest. */
enum class Recorded : uint8_t { as_it_is, stream, surface, scissor, left_out };

struct RecordedRange {
    uint32_t first, end;
    Recorded state;
};

Recorded recorded_state(uint32_t at) {
    using enum Recorded;
    static constexpr RecordedRange ranges[] = {
        {0x0644, 0x0648, stream},    {0x0680, 0x06A0, stream},   {0x0C00, 0x0C10, scissor},
        {0x1410, 0x1414, surface},   {0x1430, 0x1434, surface},  {0x1460, 0x14A0, surface},
        {0x1500, 0x1580, surface},   {0x1600, 0x1604, left_out}, {0x1658, 0x1660, surface},
        {0x1664, 0x166C, surface},   {0x17C0, 0x1800, surface},  {0x2400, 0x2780, surface},
        {0x3800, 0x3810, left_out},  {0x3824, 0x3828, surface},  {0x3C00, 0x4000, left_out},
        {0xE000, 0x10000, left_out},
    };
    for (const RecordedRange& range : ranges)
        if (at >= range.first && at < range.end)
            return range.state;
    return as_it_is;
}

uint32_t folded(Recorded state, uint32_t value) {
    switch (state) {
    case Recorded::stream: /* an address among the vertex positions */
        return 0x8000 | (value & 0x3C);
    case Recorded::surface:
        return 0x8000 + (value & 0x1FFC0);
    case Recorded::scissor:
        return std::bit_cast<uint32_t>(
            std::fmax(-4.0f, std::fmin(std::bit_cast<float>(value), float(kSide + 1))));
    default:
        return value;
    }
}

/* A core, and the generation that decides which states it has. */
struct Model {
    const char* name;
    bool halti2 = false, halti5 = false;
};

constexpr Model models[] = {{"gc2000-imx6q"},
                            {"gc880-imx6dl"},
                            {"gc600-dove"},
                            {"gc3000-imx6qp", true},
                            {"gc7000-imx8mp", true, true}};

class Artist final : public Frame {
public:
    Artist(const Model& model, uint32_t jit, Input& input)
        : Frame(pixmill_vivante, input), model_(model) {
        const PixmillVivanteConfig config{model.name, 0, 0, 0, 1, 0, 0, 0, jit};
        create(config);
        allowance_ = 256 * step; /* without a limit, a resolve of 8192 x 8192 would take a minute */
    }

    void play() {
        for (int i = 0; i < 3 && !in_.empty(); i++)
            program();
    }

private:
    static constexpr uint64_t step = 0x10000; /* budget of a draw() */

    void emit(uint32_t word) {
        require(cursor_ < kStreamEnd, "the stream of a program fits");
        memory().set_word(cursor_, word);
        cursor_ += 4;
    }
    void emit_state(uint32_t addr, uint32_t value) {
        emit(0x08010000 | addr / 4);
        emit(value);
    }
    void emit_float(uint32_t addr, float value) {
        emit_state(addr, std::bit_cast<uint32_t>(value));
    }

    void positions();
    void vertices();
    void primitives();
    void pixels();
    void targets();
    void textures();
    void tile_status();
    void later_states();
    void descriptors();
    void shader(uint32_t window, uint32_t range, uint32_t uniforms);
    void shader_in_memory(bool pixels);
    void any_states();
    void draw_command();
    void resolve();
    void recorded();
    void program();

    const Model& model_;
    uint32_t cursor_ = kStream;
    uint32_t elements_ = 1, varyings_ = 0;
};

/* Writes vertex positions, starting at the first word of the vertex stream. */
void Artist::positions() {
    static constexpr float values[] = {-1, 1, 0, 0.5f, 3, -3, 1e30f, 2};
    for (uint32_t at = 0x8000; in_.byte() & 1; at += 4)
        if (at < 0x8100)
            memory().set_word(at, std::bit_cast<uint32_t>(values[in_.byte() % 8]));
}

void Artist::vertices() {
    elements_ = 1 + in_.byte() % 4;
    const uint32_t claimed = in_.byte() < 16 ? in_.byte() % 17 : elements_;
    for (uint32_t i = 0; i < elements_; i++)
        emit_state(0x600 + 4 * i, (in_.word() & 0x00F0F3FF) | 0x08000000);
    for (uint32_t i = 0; i < 4; i++) {
        emit_state(0x680 + 4 * i, surface(in_) + in_.byte() % 4);
        emit_state(0x6A0 + 4 * i, in_.byte() % 64);
    }
    positions();
    emit_state(0x644, surface(in_));
    emit_state(0x648, in_.word() & 0x103);
    emit_state(0x674, in_.byte());
    varyings_ = in_.byte() % 4;
    const uint32_t outputs = 1 + varyings_ + (in_.byte() & 1);
    emit_state(0x804, outputs | (in_.word() & 0x3F3F00));
    emit_state(0x808, claimed);
    emit_state(0x80C, 8);
    emit_state(0x810, in_.word() & 0x07070707);
    emit_state(0x820, 0x03020100);
}

void Artist::primitives() {
    static constexpr float scales[] = {32, -32, 8, 0, 1e30f, 4096, 1};
    for (const uint32_t at : {0xA00u, 0xA04u, 0xA08u, 0xA0Cu, 0xA10u, 0xA14u})
        emit_float(at, scales[in_.byte() % std::size(scales)]);
    for (const uint32_t at : {0xA18u, 0xA1Cu, 0xA38u})
        emit_float(at, scales[in_.byte() % std::size(scales)] / 16);
    emit_state(0xA28, in_.byte() & 0x11);
    emit_state(0xA2C, 0x34000001);
    emit_state(0xA30, varyings_ << 8);
    emit_state(0xA34, 0x00400000 | (in_.word() & 0x00013314));
    for (uint32_t i = 0; i < 4; i++)
        emit_state(0xA40 + 4 * i, in_.byte() & 1);
    emit_float(0xC00, float(in_.byte() & kSide) - 4);
    emit_float(0xC04, float(in_.byte() & kSide) - 4);
    emit_float(0xC08, float(in_.byte() & kSide) + 1);
    emit_float(0xC0C, float(in_.byte() & kSide) + 1);
    emit_float(0xC10, scales[in_.byte() % std::size(scales)]);
    emit_float(0xC14, scales[in_.byte() % std::size(scales)] / 1024);
    emit_state(0xC18, in_.byte() & 1);
    emit_state(0x3818, 0xF0 | (in_.byte() < 200 ? 0 : in_.byte()));
    emit_state(0xE10, in_.byte() < 128 ? 0xEAA26E26 : in_.word());
    emit_state(0x3820, in_.word() & 0x44444);
    emit_state(0x3828, in_.byte() < 128 ? 0 : in_.word());
}

void Artist::pixels() {
    emit_state(0x1004, in_.word() & 0x07070707);
    emit_state(0x1008, 1 + varyings_);
    const uint32_t saturated = in_.byte() & 0x1E;
    emit_state(0x1010, saturated | (in_.byte() < 200 ? 0u : in_.byte() & 3u) << 8);
    emit_state(0x1400, in_.word() & 0x05011713);
    emit_float(0x140C, in_.byte() & 1 ? 16777215.0f : 65535.0f);
    emit_state(0x1418, in_.word() & 0x77777777);
    emit_state(0x141C, in_.word() & 0xFFFFFF03);
    emit_state(0x1420, in_.word() & 0xFF71);
    emit_state(0x1424, in_.word());
    emit_state(0x1428, in_.word() & 0x7FF17FF1);
    emit_state(0x14A0, in_.byte());
    emit_state(0x14B8, in_.half());
}

void Artist::targets() {
    static constexpr uint32_t formats[] = {6, 5, 4, 3, 1, 0, 2, 0x16000010};
    const auto usual = [&] { /* codes 17 to 35 are those of HALTI2 */
                             const uint32_t choice = in_.byte() % (std::size(formats) + 19);
                             return choice < std::size(formats)
                                        ? formats[choice]
                                        : (17 + choice - std::size(formats)) << 24 | 0x10;
    };
    const uint32_t format = in_.byte() < 240 ? usual() : in_.word();
    emit_state(0x142C, format | (in_.word() & 0x00110F00));
    emit_state(0x1434, in_.byte() < 200 ? 0x100 : in_.half());
    emit_state(0x1414, in_.byte() < 200 ? 0x100 : in_.half());
    for (const uint32_t at :
         {0x1430u, 0x1410u, 0x1460u, 0x1464u, 0x1480u, 0x1484u, 0x1500u, 0x1504u})
        emit_state(at, surface(in_));
    emit_state(0x1580, 0x10600100);
    emit_state(0x1654, in_.byte() < 128 ? 0 : in_.word());
    for (const uint32_t at : {0x1658u, 0x165Cu, 0x1664u, 0x1668u})
        emit_state(at, surface(in_));
    emit_state(0x1660, in_.word());
    emit_state(0x166C, in_.word());
}

void Artist::textures() {
    const bool nte = model_.halti2 && !model_.halti5;
    for (const uint32_t unit : {0u, 1u, 8u}) { /* two for pixels, one for vertices */
        const uint32_t s = nte ? unit / 8 * 16 + unit % 8 : unit;
        const uint32_t type = in_.byte();
        static constexpr uint8_t types[] = {1, 2, 2, 2, 3, 5};
        emit_state((nte ? 0x10000 : 0x2000) + 4 * s,
                   (in_.word() & 0xFF3FFFF8 & ~0x00C00000u) |
                       (type < 240 ? types[type % std::size(types)] : type % 8));
        emit_state((nte ? 0x10080 : 0x2040) + 4 * s, in_.word() & 0x003F003F);
        emit_state((nte ? 0x10100 : 0x2080) + 4 * s, in_.word());
        emit_state((nte ? 0x10180 : 0x20C0) + 4 * s, in_.word());
        emit_state((nte ? 0x10300 : 0x2180) + 4 * s, in_.word() & 0x3000000F);
        emit_state((nte ? 0x10380 : 0x21C0) + 4 * s,
                   in_.byte() < 200 ? 0x04321000 | in_.byte() % 16 : in_.word());
        for (uint32_t level = 0; level < 4; level++)
            emit_state(nte ? 0x10800 + 0x40 * s + 4 * level : 0x2400 + 0x40 * level + 4 * s,
                       surface(in_));
        emit_state((nte ? 0x10280 : 0x2C00) + 4 * s, in_.half());
    }
}

/* Writes descriptors and the states of their samplers. */
void Artist::descriptors() {
    emit_state(0x14C40, in_.byte() < 240);
    for (const uint32_t s : {0u, 1u, 16u}) {
        const uint32_t at = kDescriptors + 0x100 * s;
        for (uint32_t level = 0; level < 4; level++)
            memory().set_word(at + 4 * level, surface(in_));
        static constexpr uint32_t types[] = {2, 2, 3, 5};
        const uint32_t type = types[in_.byte() % 4];
        memory().set_word(at + 0x40, type | (in_.word() & 0x0033E000));
        memory().set_word(at + 0x44, in_.byte() < 240 ? in_.word() & 0x003F003F : in_.word());
        memory().set_word(at + 0x48, in_.half());
        memory().set_word(at + 0x4C, 0x00321000 | (in_.word() & 0x1F00003F));
        memory().set_word(at + 0x68, in_.half());
        memory().set_word(at + 0x6C, in_.word());
        memory().set_word(at + 0x7C, in_.half());
        memory().set_word(at + 0x84, in_.byte() % 8);
        emit_state(0x15C00 + 4 * s, in_.byte() < 240 ? at : in_.word());
        emit_state(0x15E00 + 4 * s, in_.byte());
        for (const uint32_t state : {0x16C00u, 0x16E00u, 0x17000u, 0x17200u, 0x17400u})
            emit_state(state + 4 * s, in_.word());
    }
}

/* Writes the tile status of samplers and of targets from 1 on, and its unit. */
void Artist::tile_status() {
    for (const uint32_t unit : {0u, 1u}) {
        emit_state(0x1720 + 4 * unit, in_.byte() & 1);
        for (const uint32_t at : {0x1740u, 0x1A80u})
            emit_state(at + 4 * unit, surface(in_));
        for (const uint32_t at : {0x1760u, 0x1780u})
            emit_state(at + 4 * unit, in_.word());
    }
    emit_state(0x17A4, in_.byte() & 1);
    for (const uint32_t at : {0x17C4u, 0x17E4u})
        emit_state(at, surface(in_));
    for (const uint32_t at : {0x1A04u, 0x1A24u})
        emit_state(at, in_.word());
    emit_state(0x14BC, in_.byte() << 24);
}

/* Writes what later generations have in other places. */
void Artist::later_states() {
    for (uint32_t i = 0; i < elements_; i++) {
        emit_float(0x780 + 4 * i, 1);
        if (!model_.halti5)
            continue;
        emit_state(0x17800 + 4 * i, in_.word() & 0x00F0F3FF);
        emit_float(0x17A00 + 4 * i, 1);
        emit_state(0x17A80 + 4 * i, 8 | (in_.byte() & 1) << 11);
    }
    for (uint32_t i = 0; i < 4; i++) {
        emit_state(0x14600 + 4 * i, surface(in_) + in_.byte() % 4);
        emit_state(0x14640 + 4 * i, in_.byte() % 64);
        emit_state(0x14680 + 4 * i, in_.byte() % 4);
    }
    for (const uint32_t at : {0x14800u, 0x14804u})
        emit_state(at, surface(in_));
    emit_state(0x14900, 0x10400100 | (in_.byte() % 64) << 22);
    emit_state(0x1030, in_.word() & 0x7777);
    emit_state(0x14A4, in_.word() & 0x8000030F);
    for (const uint32_t at : {0x864u, 0x1024u})
        emit_state(at, in_.byte() % 8);
    tile_status();
    if (!model_.halti5)
        return;
    emit_state(0x8C0, 0x03020100);
    emit_state(0x8E0, in_.word() & 0x07070707);
    emit_state(0xA90, 0x4444);
    emit_state(0x1080, 0x4444);
    emit_state(0x3888, in_.byte() < 128 ? 0x7F7F7F00 : in_.word());
    emit_state(0x38C0, in_.word());
    emit_state(0x7C4, in_.word() & 0x001F1F03);
    for (const uint32_t at : {0x14920u, 0x14960u, 0x14980u, 0x149A0u})
        emit_state(at, in_.word());
    descriptors();
}

void Artist::shader_in_memory(bool pixels) {
    const uint32_t length = 1 + in_.byte() % 8, at = kCode + (pixels ? 0x100 : 0);
    for (uint32_t i = 0; i < length; i++) {
        const auto words = instruction(in_);
        for (uint32_t k = 0; k < 4; k++)
            memory().set_word(at + 16 * i + 4 * k, words[k]);
    }
    emit_state(pixels ? 0x87C : 0x874, 0);
    emit_state(pixels ? 0x1090 : 0x8BC, in_.byte() < 240 ? length : in_.word());
    emit_state(pixels ? 0x1028 : 0x86C, in_.byte() < 240 ? at : surface(in_));
}

void Artist::shader(uint32_t window, uint32_t range, uint32_t uniforms) {
    const uint32_t length = 1 + in_.byte() % 8;
    const uint32_t low = range == 0x101C ? 0x100 : 0;
    emit_state(range, in_.byte() < 240 ? low | (low + length - 1) << 16 : in_.word());
    emit_state(range == 0x101C ? 0x1000 : 0x800, length);
    for (uint32_t i = 0; i < length; i++) {
        const auto words = instruction(in_);
        for (uint32_t k = 0; k < 4; k++)
            emit_state(window + 16 * i + 4 * k, words[k]);
    }
    static constexpr float values[] = {0, 1, -1, 0.5f, 2, 1e-3f, 1e30f, 3};
    for (uint32_t i = 0; i < 8; i++)
        emit_float(uniforms + 4 * i, values[in_.byte() % std::size(values)]);
}

void Artist::any_states() {
    for (int n = in_.byte() % 8; n; n--) {
        static constexpr uint16_t blocks[] = {0x600,  0x800,  0xA00,  0xE00,
                                              0x1000, 0x1400, 0x1500, 0x1640};
        const uint32_t at = blocks[in_.byte() % std::size(blocks)] + 4u * (in_.byte() & 0x3F);
        const bool scissor = at >= 0xC00 && at < 0xC10;
        if (!scissor && at != 0x1600)
            emit_state(at, in_.word());
    }
}

void Artist::draw_command() {
    const bool indexed = in_.byte() & 1;
    if (model_.halti2 && in_.byte() < 192) { /* DRAW_INSTANCED */
        const uint32_t type = in_.byte() & 15;
        emit(0x60000000 | uint32_t(indexed) << 20 | type << 16 | in_.byte() % 8);
        emit(in_.byte() % 64);
        emit(in_.byte() % 8);
        emit(0);
        return;
    }
    emit(indexed ? 0x30000000 : 0x28000000);
    emit(in_.byte() < 240 ? 1 + in_.byte() % 8 : in_.byte());
    emit(in_.byte() < 240 ? in_.byte() : in_.word());
    emit(in_.byte() % 64);
    if (indexed) {
        emit(in_.byte() < 240 ? in_.byte() % 8 : in_.word());
        emit(0);
    }
}

void Artist::resolve() {
    static constexpr uint8_t formats[] = {0, 1, 2, 3, 4, 5, 6, 6, 6, 16, 21, 23, 24};
    const auto format = [&] {
        return in_.byte() < 240 ? formats[in_.byte() % std::size(formats)] : in_.byte() & 0x1Fu;
    };
    const auto stride = [&] {
        const uint32_t tiling = in_.word() & 0xC8000000;
        return tiling | (in_.byte() < 200 ? 0x400u : in_.half());
    };
    const uint32_t source = format(), destination = format();
    emit_state(0x1604, source | destination << 8 | (in_.word() & 0x600040E0));
    emit_state(0x1608, surface(in_));
    emit_state(0x1610, surface(in_));
    emit_state(0x160C, stride());
    emit_state(0x1614, stride());
    emit_state(0x1620, in_.word() & (kSide << 16 | kSide));
    emit_state(0x163C, in_.word() & 0x3FFFF);
    for (const uint32_t at : {0x1640u, 0x1644u, 0x1648u, 0x164Cu})
        emit_state(at, in_.word());
    for (const uint32_t at : {0x16C0u, 0x16C4u, 0x16E0u, 0x16E4u})
        emit_state(at, surface(in_));
    emit_state(0x1700, in_.byte() < 200 ? 0 : in_.word());
    emit_state(0x1704, in_.byte() < 200 ? in_.byte() << 16 : in_.word());
    const uint32_t single = in_.byte() & 3, kicker = in_.byte() < 224 ? 0x1600 : 0x16B0;
    if (model_.halti2)
        emit_state(0x16B8, single);
    emit_state(model_.halti2 ? kicker : 0x1600, kicker == 0x1600 ? 1 : in_.half());
}

/* Replays the states a driver wrote before a draw (record_vivante_3d.py), or a mutation of them. */
void Artist::recorded() {
    for (uint32_t n = in_.half() % 1024; n && !in_.empty(); n--) {
        const uint32_t at = 4u * (in_.half() & 0x3FFF);
        const uint32_t value = in_.word();
        const auto state = recorded_state(at);
        if (state != Recorded::left_out)
            emit_state(at, folded(state, value));
    }
    positions();
    draw_command();
}

void Artist::program() {
    const uint8_t kind = in_.byte();
    const bool resolves = kind < 64;
    const bool records = kind >= 64 && kind < 96;
    if (records) {
        recorded();
    } else if (resolves) {
        targets();
        resolve();
    } else {
        targets();
        vertices();
        primitives();
        pixels();
        textures();
        shader(0xC000, 0x85C, model_.halti2 ? 0x30000 : 0x5000);
        shader(0xD000, 0x101C, model_.halti2 ? 0x30100 : 0x7000);
        if (in_.byte() < 64)
            emit_state(0x3824, surface(in_));
        any_states();
        if (model_.halti2)
            later_states();
        if (model_.halti5) {
            shader_in_memory(false);
            shader_in_memory(true);
        }
        draw_command();
        emit_state(0x3830, 1);
    }
    emit_state(0x3804, 0x41);
    emit(0x10000000);
    emit(0);
    write(0x654, kStream);
    write(0x658, 0x10000 | (kStreamEnd - kStream) / 8);
    PixmillVivanteCounters before{}, after{};
    pixmill_vivante.counters(core_, &before);
    (void)work_off(step, {PIXMILL_VIVANTE_FAULT_BUS, PIXMILL_VIVANTE_FAULT_MMU});
    pixmill_vivante.counters(core_, &after);
    const bool done = resolves ? after.draws > before.draws && after.bus_errors == before.bus_errors
                               : after.pixels > before.pixels;
    if (looking && done) {
        say("drew: %s", resolves ? "resolve" : records ? "recorded" : "primitives");
        if (!render::use_avx2())
            say("drew: portable");
    }
    cursor_ = kStream;
    /* a stalled or endless draw lasts until a reset */
    reset();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    Input input(data, size);
    memory().paint();
    const uint8_t choice = input.byte();
    const size_t way = choice / std::size(models);
    const processor::Portable portable(way % 2);
    const uint32_t jit = way / 2 % 2 ? PIXMILL_VIVANTE_JIT_ALWAYS : PIXMILL_VIVANTE_JIT_NEVER;
    Artist artist(models[choice % std::size(models)], jit, input);
    artist.play();
    return 0;
}

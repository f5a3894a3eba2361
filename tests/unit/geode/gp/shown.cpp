/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "shown.hpp"

#include "model.hpp"

namespace pixmill::test {
namespace {

using Registers = GeodeRegisters;

uint32_t field(const Registers& r, uint32_t offset, unsigned high, unsigned low) {
    return r[offset / 4] >> low & ((2u << (high - low)) - 1);
}

bool blends(const Registers& r) {
    return field(r, 0x38, 23, 22) != 0;
}
uint32_t origin(const Registers& r) {
    return field(r, 0x40, 1, 0);
}
uint32_t mono(const Registers& r) {
    return field(r, 0x40, 7, 6);
}
bool is_mono(const Registers& r, uint32_t from, uint32_t kind) {
    return origin(r) == from && mono(r) == kind;
}
bool has_colors(const Registers& r) {
    return (origin(r) == 1 || origin(r) == 2) && mono(r) % 3 == 0;
}
uint32_t format(const Registers& r) {
    return field(r, 0x64, 27, 24);
}
bool streams(const Registers& r) {
    return field(r, 0x64, 31, 31) && !field(r, 0x64, 21, 21);
}
bool is_8x8(const Registers& r) {
    return field(r, 0x64, 31, 31) && field(r, 0x64, 21, 21);
}
bool has_nibbles(const Registers& r) {
    return streams(r) && (format(r) == 0xD || format(r) == 0xE);
}
uint32_t pattern(const Registers& r) {
    return field(r, 0x38, 9, 8);
}

/* A kind of work: a test for it, and a change of a register that removes it. */
struct Kind {
    const char* name;
    bool (*is)(const Registers& r);
    uint32_t offset, changed; /* register bits to flip; 0: do not draw */
};

/* `n` is a template argument because Kind::is is a plain function pointer. */
template<uint32_t n>
bool enable(const Registers& r) {
    return field(r, 0x38, 23, 22) == n;
}
template<uint32_t n>
bool equation(const Registers& r) {
    return blends(r) && field(r, 0x38, 21, 20) == n;
}
template<uint32_t n>
bool alpha(const Registers& r) {
    return blends(r) && field(r, 0x38, 19, 17) == n;
}
template<uint32_t n>
bool bpp(const Registers& r) {
    return field(r, 0x38, 31, 28) == n;
}
template<uint32_t n>
bool stream(const Registers& r) {
    return streams(r) && format(r) == n;
}
template<uint32_t n>
bool colors_8x8(const Registers& r) {
    return is_8x8(r) && format(r) == n;
}

constexpr Kind kBlts[] = {
    {"BPP 0", bpp<0>, 0, 0},
    {"BPP 4", bpp<4>, 0, 0},
    {"BPP 5", bpp<5>, 0, 0},
    {"BPP 6", bpp<6>, 0, 0},
    {"BPP 8", bpp<8>, 0, 0},
    {"BPP undefined",
     [](const Registers& r) { return (0xFE8E >> field(r, 0x38, 31, 28) & 1) != 0; }, 0, 0},
    {"ROP", enable<0>, 0, 0},
    {"EN 1", enable<1>, 0x38, 1 << 22},
    {"EN 2", enable<2>, 0x38, 2 << 22},
    {"EN 3", enable<3>, 0x38, 3 << 22},
    {"OS 0", equation<0>, 0x38, 1 << 20},
    {"OS 1", equation<1>, 0x38, 1 << 20},
    {"OS 2", equation<2>, 0x38, 1 << 20},
    {"OS 3", equation<3>, 0x38, 1 << 20},
    {"AS 0", alpha<0>, 0x38, 2 << 17},
    {"AS 1", alpha<1>, 0x38, 2 << 17},
    {"AS 2", alpha<2>, 0x38, 2 << 17},
    {"AS 3", alpha<3>, 0x38, 2 << 17},
    {"AS 4", alpha<4>, 0x38, 2 << 17},
    {"AS 5", alpha<5>, 0x38, 2 << 17},
    {"AS 6", alpha<6>, 0x38, 2 << 17},
    {"AS 7", alpha<7>, 0x38, 2 << 17},
    {"CS", blends, 0x38, 1 << 16},
    {"SI", [](const Registers& r) { return origin(r) % 3 && mono(r) % 3; }, 0x38, 1 << 13},
    {"ST mono", [](const Registers& r) { return origin(r) % 3 && mono(r) % 3; }, 0x38, 1 << 11},
    {"ST color", has_colors, 0x38, 1 << 11},
    {"PI", [](const Registers& r) { return pattern(r) == 1; }, 0x38, 1 << 12},
    {"PT", [](const Registers& r) { return pattern(r) == 1; }, 0x38, 1 << 10},
    {"PM 1", [](const Registers& r) { return pattern(r) == 1; }, 0x38, 1 << 8},
    {"PM 2", [](const Registers& r) { return pattern(r) == 2; }, 0x38, 2 << 8},
    {"pattern's origin", [](const Registers& r) { return pattern(r) % 3 != 0; }, 0x00, 0x24000000},
    {"X", [](const Registers& r) { return field(r, 0x40, 9, 9) != 0; }, 0, 0},
    {"Y", [](const Registers& r) { return field(r, 0x40, 8, 8) != 0; }, 0, 0},
    {"DR", [](const Registers& r) { return field(r, 0x40, 2, 2) != 0; }, 0x40, 4},
    {"colors from memory", [](const Registers& r) { return origin(r) == 1 && has_colors(r); }, 0x40,
     1},
    {"colors from the host", [](const Registers& r) { return origin(r) == 2 && has_colors(r); },
     0x40, 2},
    {"unpacked from memory", [](const Registers& r) { return is_mono(r, 1, 1); }, 0x40, 1 << 6},
    {"unpacked from the host", [](const Registers& r) { return is_mono(r, 2, 1); }, 0x40, 1 << 6},
    {"packed from memory", [](const Registers& r) { return is_mono(r, 1, 2); }, 0x40, 2 << 6},
    {"packed from the host", [](const Registers& r) { return is_mono(r, 2, 2); }, 0x40, 2 << 6},
    {"first bit", [](const Registers& r) { return origin(r) % 3 && mono(r) % 3; }, 0x04, 1 << 26},
    {"first byte of the host's", [](const Registers& r) { return origin(r) == 2; }, 0x04, 1},
    {"overlap",
     [](const Registers& r) {
         const uint32_t distance = field(r, 0x04, 23, 0) - field(r, 0x00, 23, 0) + 0x100;
         return origin(r) == 1 && has_colors(r) && !streams(r) && distance < 0x200;
     },
     0, 0},
    {"FMT 0", stream<0x0>, 0x64, 1u << 31},
    {"FMT 1", stream<0x1>, 0x64, 1u << 31},
    {"FMT 2", stream<0x2>, 0x64, 1u << 31},
    {"FMT 4", stream<0x4>, 0x64, 1u << 31},
    {"FMT 5", stream<0x5>, 0x64, 1u << 31},
    {"FMT 6", stream<0x6>, 0x64, 1u << 31},
    {"FMT 7", stream<0x7>, 0x64, 1u << 31},
    {"FMT 8", stream<0x8>, 0x64, 1u << 31},
    {"FMT B", stream<0xB>, 0x64, 1u << 31},
    {"FMT D", stream<0xD>, 0x64, 1u << 31},
    {"FMT E", stream<0xE>, 0x64, 1u << 31},
    {"FMT undefined", [](const Registers& r) { return streams(r) && (0x9608 >> format(r) & 1); },
     0x64, 1u << 31},
    {"CH3 is the pattern", [](const Registers& r) { return streams(r) && !field(r, 0x64, 30, 30); },
     0x64, 1u << 31},
    {"CH3 X", [](const Registers& r) { return streams(r) && field(r, 0x64, 29, 29); }, 0x64,
     1 << 29},
    {"CH3 Y", [](const Registers& r) { return streams(r) && field(r, 0x64, 28, 28); }, 0x64,
     1 << 28},
    {"CH3 rotated", [](const Registers& r) { return streams(r) && field(r, 0x64, 23, 23); }, 0x64,
     1 << 23},
    {"CH3 BGR", [](const Registers& r) { return streams(r) && field(r, 0x64, 22, 22); }, 0x64,
     1 << 22},
    {"CH3 from the host", [](const Registers& r) { return streams(r) && field(r, 0x64, 18, 18); },
     0x64, 1 << 18},
    {"first byte of CH3's host's",
     [](const Registers& r) { return streams(r) && field(r, 0x64, 18, 18); }, 0x60, 1},
    {"second nibble", [](const Registers& r) { return has_nibbles(r) && field(r, 0x60, 25, 25); },
     0x60, 1 << 25},
    {"8x8 FMT 0", colors_8x8<0x0>, 0x64, 1u << 31},
    {"8x8 FMT 4", colors_8x8<0x4>, 0x64, 1u << 31},
    {"8x8 FMT 5", colors_8x8<0x5>, 0x64, 1u << 31},
    {"8x8 FMT 6", colors_8x8<0x6>, 0x64, 1u << 31},
    {"8x8 FMT 8", colors_8x8<0x8>, 0x64, 1u << 31},
    {"8x8 BGR", [](const Registers& r) { return is_8x8(r) && field(r, 0x64, 22, 22); }, 0x64,
     1 << 22},
    {"8x8 origin", is_8x8, 0x60, 0x24000000},
};

constexpr Kind kVectors[] = {
    {"vector", [](const Registers&) { return true; }, 0, 0},
    {"YJ", [](const Registers& r) { return field(r, 0x3C, 0, 0) != 0; }, 0x3C, 1},
    {"DJ", [](const Registers& r) { return field(r, 0x3C, 1, 1) != 0; }, 0x3C, 2},
    {"DN", [](const Registers& r) { return field(r, 0x3C, 2, 2) != 0; }, 0x3C, 4},
    {"vector DR", [](const Registers& r) { return field(r, 0x3C, 3, 3) != 0; }, 0x3C, 8},
    {"dash", is_8x8, 0x64, 1u << 31},
    {"vector EN", blends, 0, 0},
    {"vector PM 1", [](const Registers& r) { return pattern(r) == 1; }, 0x38, 1 << 8},
    {"vector PM 2", [](const Registers& r) { return pattern(r) == 2; }, 0x38, 2 << 8},
};

/* Returns VRAM after the draw, for which the host sends enough words. */
std::vector<uint8_t> picture(const GeodeDraw& draw, const Registers& registers, uint32_t base) {
    GeodeModel gp(draw.vram, base);
    const uint32_t mode = draw.is_vector ? 0x3C : 0x40;
    for (const uint32_t word : draw.lut)
        gp.write(0x74, 4, word);
    for (uint32_t offset = 0; offset < 0x70; offset += 4) {
        const bool parameter = offset < 0x3C || offset == 0x4C || offset >= 0x60;
        if (parameter && offset != 0x6C)
            gp.write(offset, 4, registers[offset / 4]);
    }
    gp.write(mode, 4, registers[mode / 4]);
    for (uint32_t n = 0; n < 400 && gp.read(0x44, 4) & 1; n++) {
        gp.write(0x48, 4, 0x9E3779B9 * n);
        gp.write(0x6C, 4, 0x85EBCA6B * n);
    }
    const std::span<const uint8_t> vram = gp.vram();
    return {vram.begin(), vram.end()};
}

} // namespace

void count_shown(const GeodeDraw& draw, uint32_t vram_base, GeodeCounts& counts) {
    const std::vector<uint8_t> whole = picture(draw, draw.registers, vram_base);
    if (whole == draw.vram)
        return;
    counts["anything"]++;
    const auto count = [&](const Kind& kind) {
        if (!kind.is(draw.registers))
            return;
        Registers without = draw.registers;
        without[kind.offset / 4] ^= kind.changed;
        counts[kind.name] += !kind.changed || picture(draw, without, vram_base) != whole;
    };
    for (const Kind& kind : draw.is_vector ? std::span<const Kind>(kVectors) : kBlts)
        count(kind);
}

} // namespace pixmill::test

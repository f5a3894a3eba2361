// SPDX-License-Identifier: GPL-2.0-or-later
#include "disassembler.hpp"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <iterator>

#include "formats.hpp"
#include "offsets.hpp"
#include "registers.hpp"

namespace pixmill::nema {
namespace {

[[gnu::format(printf, 1, 2)]] std::string print(const char* format, ...) {
    char text[128];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return text;
}

// ---- Values ------------------------------------------------------------------

std::string hex(uint32_t value) {
    return print("0x%08x", value);
}

std::string count(uint32_t value) {
    return print("%u words", value);
}

std::string floating(uint32_t value) {
    return print("%g", double(std::bit_cast<float>(value)));
}

/// Signed 16.16.
std::string fixed(uint32_t value) {
    return print("%g", int32_t(value) / 65536.0);
}

std::string point(uint32_t value) {
    return print("(%d, %d)", int16_t(value & 0xFFFF), int16_t(value >> 16));
}

std::string size(uint32_t value) {
    return print("%u x %u", value & 0xFFFF, value >> 16);
}

std::string color(uint32_t value) {
    return print("red %u, green %u, blue %u, alpha %u", value & 0xFF, value >> 8 & 0xFF,
                 value >> 16 & 0xFF, value >> 24);
}

std::string programs(uint32_t value) {
    return print("foreground 0x%04x, background 0x%04x", value & 0xFFFF, value >> 16);
}

struct Bit {
    uint32_t bit;
    const char* text;
};

template<size_t bits>
std::string with_bits(std::string text, uint32_t value, const Bit (&names)[bits]) {
    for (const Bit& name : names) {
        if (value & name.bit)
            text += name.text;
    }
    return text;
}

std::string layout(uint32_t value) {
    constexpr const char* wraps[] = {"", ", repeated", ", with border", ", mirrored"};
    constexpr Bit names[] = {
        {1u << 16, ", bilinear"},  {1u << 20, ", Morton order"}, {1u << 21, ", coordinates 0 to 1"},
        {1u << 22, ", bottom up"}, {1u << 23, ", radial"},       {1u << 31, ", dithered"}};
    const uint32_t code = value >> 24 & 0x7F;
    const Format* const format = find_format(code);
    const std::string name = format ? format->name() : print("format 0x%02x", code);
    return with_bits(name + print(", stride %d", int16_t(value & 0xFFFF)) + wraps[value >> 18 & 3],
                     value, names);
}

std::string primitive(uint32_t value) {
    constexpr Bit names[] = {{1u << 26, ", edge 0 smooth"},
                             {1u << 25, ", edge 1 smooth"},
                             {1u << 24, ", edge 2 smooth"},
                             {1u << 23, ", edge 3 smooth"},
                             {1u << 27, ", gradient"},
                             {1u << 28, ", not if clockwise"},
                             {1u << 29, ", not if anticlockwise"},
                             {1u << 30, ", in tiles"}};
    const char* const name = primitive_name(value);
    return with_bits(name ? name : "nothing", value, names);
}

/// Registers whose values are not bits to be looked at. Ranges may overlap: the first one counts.
constexpr struct {
    uint32_t first, last;
    std::string (*text)(uint32_t);
} value_table[] = {
    {TEX0_FSTRIDE, TEX0_FSTRIDE, layout},
    {TEX1_FSTRIDE, TEX1_FSTRIDE, layout},
    {TEX2_FSTRIDE, TEX2_FSTRIDE, layout},
    {TEX3_FSTRIDE, TEX3_FSTRIDE, layout},
    {TEX0_RESXY, TEX0_RESXY, size},
    {TEX1_RESXY, TEX1_RESXY, size},
    {TEX2_RESXY, TEX2_RESXY, size},
    {TEX3_RESXY, TEX3_RESXY, size},
    {TEX_COLOR, TEX_COLOR, color},
    {CMD_SIZE, CMD_SIZE, count},
    {DRAW_CMD, DRAW_CMD, primitive},
    {DRAW_STARTXY, DRAW_ENDXY, point},
    {CLIPMIN, CLIPMAX, point},
    {CODEPTR, CODEPTR, programs},
    {DRAW_COLOR, DRAW_COLOR, color},
    {DRAW_PT0_X, DRAW_PT0_Y, fixed},
    {DRAW_PT1_X, DRAW_PT1_Y, fixed},
    {DRAW_PT2_X, DRAW_PT2_Y, fixed},
    {DRAW_PT3_X, DRAW_PT3_Y, fixed},
    {CLIPMIN1, CLIPMAX1, point},
    {MM00, MM22, floating},
    {RED_DX, ALF_INIT, fixed},
    {DST_CKEY, CONST_COLOR, color},
    {C0_REG, C3_REG, color},
};

std::string value_text(uint32_t offset, uint32_t value) {
    for (const auto& row : value_table) {
        if (offset >= row.first && offset <= row.last)
            return row.text(value);
    }
    return hex(value);
}

// ---- Flags ---------------------------------------------------------------------

std::string flags_text(uint32_t word) {
    constexpr Bit names[] = {
        {pair_return, "RETURN "}, {pair_abort, "ABORT "}, {pair_nop, "NOP "}, {pair_push, "PUSH "}};
    const uint32_t hold = word >> pair_hold_shift;
    std::string text;
    if (hold == 0xFF)
        text = "HOLD ";
    else if (hold == hold_gp_flags)
        text = "HOLD(GP_FLAGS) ";
    else if (hold)
        text = print("HOLD(0x%02x) ", hold);
    return with_bits(text, word, names);
}

} // namespace

std::string describe_pair(uint32_t word, uint32_t value) {
    std::string text = flags_text(word);
    if (word & pair_nop) {
        text.pop_back(); // there is a flag
        return text;
    }
    const uint32_t offset = word & pair_offset;
    text += is_register(offset) ? register_name(offset) : print("0x%03x", offset);
    return text + " = " + value_text(offset, value);
}

} // namespace pixmill::nema

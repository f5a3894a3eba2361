// SPDX-License-Identifier: GPL-2.0-or-later
#include "disassembler.hpp"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <iterator>

#include "nema/offsets.hpp"
#include "nema/registers.hpp"
#include "nema/texture/formats.hpp"

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
    return print("(%d, %d)", int16_t(xy::x(value)), int16_t(xy::y(value)));
}

std::string size(uint32_t value) {
    return print("%u x %u", xy::x(value), xy::y(value));
}

std::string color(uint32_t value) {
    return print("red %u, green %u, blue %u, alpha %u", rgba::red(value), rgba::green(value),
                 rgba::blue(value), rgba::alpha(value));
}

std::string programs(uint32_t value) {
    return print("foreground 0x%04x, background 0x%04x", codeptr::foreground(value),
                 codeptr::background(value));
}

struct Bit {
    Field field;
    const char* text;
};

template<size_t bits>
std::string with_bits(std::string text, uint32_t value, const Bit (&names)[bits]) {
    for (const Bit& name : names) {
        if (name.field(value))
            text += name.text;
    }
    return text;
}

std::string layout(uint32_t value) {
    constexpr const char* wraps[] = {"", ", repeated", ", with border", ", mirrored"};
    constexpr Bit names[] = {{texture_mode::bilinear, ", bilinear"},
                             {texture_mode::morton, ", Morton order"},
                             {texture_mode::unit_range, ", coordinates 0 to 1"},
                             {texture_mode::left_handed, ", bottom up"},
                             {texture_mode::radial, ", radial"}};
    const uint32_t mode = fstride::mode(value);
    const uint32_t code = fstride::format(value);
    const Format* const format = find_format(code);
    const std::string name = format ? format->name() : print("format 0x%02x", code);
    return with_bits(name + print(", stride %d", int16_t(fstride::stride(value))) +
                         wraps[texture_mode::wrap(mode)],
                     mode, names) +
           (fstride::dither(value) ? ", dithered" : "");
}

std::string primitive(uint32_t value) {
    constexpr Bit names[] = {{draw_cmd::antialias[0], ", edge 0 smooth"},
                             {draw_cmd::antialias[1], ", edge 1 smooth"},
                             {draw_cmd::antialias[2], ", edge 2 smooth"},
                             {draw_cmd::antialias[3], ", edge 3 smooth"},
                             {draw_cmd::gradient, ", gradient"},
                             {draw_cmd::cull_cw, ", not if clockwise"},
                             {draw_cmd::cull_ccw, ", not if anticlockwise"},
                             {draw_cmd::tiles, ", in tiles"}};
    const char* const name = primitive_name(value);
    return with_bits(name ? name : "nothing", value, names);
}

/// Registers whose values are printed as text, not in hexadecimal. Ranges may overlap; the first
/// match is used.
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
    constexpr Bit names[] = {{pair_word::return_, "RETURN "},
                             {pair_word::abort, "ABORT "},
                             {pair_word::nop, "NOP "},
                             {pair_word::push, "PUSH "}};
    const uint32_t hold = pair_word::hold(word);
    std::string text;
    if (hold == pair_word::hold_all)
        text = "HOLD ";
    else if (hold == pair_word::hold_gp_flags)
        text = "HOLD(GP_FLAGS) ";
    else if (hold)
        text = print("HOLD(0x%02x) ", hold);
    return with_bits(text, word, names);
}

} // namespace

std::string describe_pair(uint32_t word, uint32_t value) {
    std::string text = flags_text(word);
    if (pair_word::nop(word)) {
        text.pop_back(); // remove the space after the last flag
        return text;
    }
    const uint32_t offset = pair_word::target(word);
    text += is_register(offset) ? register_name(offset) : print("0x%03x", offset);
    return text + " = " + value_text(offset, value);
}

} // namespace pixmill::nema

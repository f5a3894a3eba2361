// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <string_view>

#include "tools/state_value.hpp"
#include "tools/text.hpp"
#include "vivante/2d/states.hpp"
#include "vivante/3d/state_table.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/offsets.hpp"
#include "vivante/state_space.hpp"

namespace pixmill::tools {

using namespace vivante;

namespace {

/// Decoded words of a buffer. The kernel accepts streams of 128 KiB (linux etnaviv_gem_submit.c).
constexpr uint64_t most_words = 1 << 18;

/// States whose load starts an engine (rnndb state_3d.xml RS, state_2d.xml DE, state_blt.xml).
constexpr uint32_t kicks[] = {RS_KICKER, RS_KICKER_INPLACE, DE_FILTER_BLIT, BLT_COMMAND};

// rnndb SYNC_RECIPIENT.
const char* recipient(uint32_t number) {
    switch (number) {
    case 1:
        return "FE";
    case 5:
        return "RA";
    case 7:
        return "PE";
    case 11:
        return "DE";
    case 16:
        return "BLT";
    default:
        return "?";
    }
}

std::string token(uint32_t word) {
    return text("%s to %s", recipient(token_from(word)), recipient(token_to(word)));
}

/// Returns the corners of a 2D draw's first rectangle (rnndb cmdstream.xml: DRAW_2D), or "".
std::string first_rectangle(const DumpObject& buffer, const Command& command) {
    if (command.index + 4 > buffer.words())
        return "";
    const uint32_t corner[] = {buffer.word(command.index + 2), buffer.word(command.index + 3)};
    return text(", the first from (%u, %u) to (%u, %u)", corner[0] & 0xFFFF, corner[0] >> 16,
                corner[1] & 0xFFFF, corner[1] >> 16);
}

const StateRow* row_of(uint32_t state) {
    const StateRow* const row = find_de_state(state);
    return row ? row : find_3d_state(state);
}

} // namespace

bool Command::is(const char* opcode) const {
    return name && std::strcmp(name, opcode) == 0;
}

std::vector<Command> commands_of(const DumpObject& buffer) {
    std::vector<Command> commands;
    for (uint64_t at = 0; at + 2 <= std::min(buffer.words(), most_words);) {
        const uint32_t header[2] = {buffer.word(at), buffer.word(at + 1)};
        const CommandShape shape = command_shape(header[0]);
        Command command{shape.name,
                        at,
                        uint32_t(buffer.address + 4 * at),
                        shape.name ? 2 * uint64_t(shape.qwords) : 2,
                        {header[0], header[1]},
                        shape.draws,
                        false};
        command.overruns = command.end() > buffer.end();
        const auto kick = [](const LoadedState& state) {
            return std::ranges::find(kicks, state.address) != std::end(kicks);
        };
        command.draws = command.draws || std::ranges::any_of(states_of(buffer, command), kick);
        at += command.words;
        commands.push_back(command);
    }
    return commands;
}

std::vector<LoadedState> states_of(const DumpObject& buffer, const Command& command) {
    std::vector<LoadedState> states;
    if (!command.is("LOAD_STATE"))
        return states;
    const uint32_t count = count_of(load_state_count, command.header[0]);
    const uint32_t first = load_state_offset(command.header[0]);
    for (uint32_t i = 0; i < count && command.index + 1 + i < buffer.words(); i++)
        states.push_back({4 * ((first + i) & 0xFFFF), buffer.word(command.index + 1 + i)});
    return states;
}

std::string arguments_of(const DumpObject& buffer, const Command& command) {
    const uint32_t* const word = command.header;
    if (command.is("LINK") || command.is("CALL"))
        return text("to 0x%08x, %u qwords", fetch_address.only(word[1]), link_prefetch(word[0]));
    if (command.is("WAIT"))
        return text("%u cycles", wait_delay(word[0]));
    if (command.is("STALL"))
        return token(word[1]);
    if (command.is("DRAW_2D"))
        return text("%u rectangles", count_of(draw_2d_rectangles, word[0])) +
               first_rectangle(buffer, command);
    if (command.is("DRAW_PRIMITIVES") && command.index + 4 <= buffer.words())
        return text("type %u, %u primitives from %u on", word[1], buffer.word(command.index + 3),
                    buffer.word(command.index + 2));
    if (command.is("LOAD_STATE"))
        return text("%u from 0x%05x on", count_of(load_state_count, word[0]),
                    4 * load_state_offset(word[0]));
    return "";
}

std::string value_of(LoadedState state) {
    if (state.address == GL_SEMAPHORE_TOKEN || state.address == GL_STALL_TOKEN)
        return token(state.value);
    if (state.address == GL_PIPE_SELECT)
        return gl::pipe_select::pipe(state.value) ? "2D" : "3D";
    const StateRow* const row = row_of(state.address);
    return row ? value_of(*row, state.value) : "";
}

bool holds_address(uint32_t state) {
    const StateRow* const row = row_of(state);
    // The 2D table has no kinds; its addresses are a field, or words with that name.
    return row && (row->holds == StateRow::Holds::address ||
                   (find_de_state(state) && std::string_view(row->name).ends_with("ADDRESS")));
}

std::map<uint32_t, uint32_t> states_until(const DumpObject& buffer,
                                          const std::vector<Command>& commands, size_t last) {
    std::map<uint32_t, uint32_t> values;
    for (size_t i = 0; i < commands.size() && i <= last; i++)
        for (const LoadedState& state : states_of(buffer, commands[i]))
            values[state.address] = state.value;
    return values;
}

} // namespace pixmill::tools

// Command stream of the Vivante 2D engine: states, draws and filter blits.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante_2d.hpp"

#include "draw.hpp"
#include "states.hpp"

#include <algorithm>
#include <vector>

namespace reference {

using vivante::bits;
using vivante::Painter;
using vivante::Rectangle;
using vivante::StreamBits;

namespace {

/// DEST_CONFIG.COMMAND values.
enum Command : uint32_t {
    command_clear = 0,
    command_line = 1,
    command_bit_blit = 2,
    command_stretch_blit = 4,
    command_multi_source_blit = 8,
};

/// Front-end commands (rnndb cmdstream.xml).
enum Opcode : uint32_t {
    opcode_load_state = 1,
    opcode_end = 2,
    opcode_nop = 3,
    opcode_draw_2d = 4,
    opcode_wait = 7,
    opcode_stall = 9,
};

Rectangle rectangle_of(uint32_t top_left, uint32_t bottom_right) {
    return {vivante::low_half(top_left), vivante::high_half(top_left),
            vivante::low_half(bottom_right), vivante::high_half(bottom_right)};
}

void draw_one(Painter& painter, uint32_t command, Rectangle area, const StreamBits& stream) {
    switch (command) {
    case command_clear:
        painter.clear(area);
        break;
    case command_line:
        painter.line({area.left, area.top}, {area.right, area.bottom});
        break;
    case command_bit_blit:
        painter.bit_blit(area, stream);
        break;
    case command_stretch_blit:
        painter.stretch_blit(area);
        break;
    case command_multi_source_blit:
        painter.multi_source_blit(area);
        break;
    default:
        break;
    }
}

/// Rounds up, because commands start at 64-bit boundaries.
size_t aligned(size_t words) {
    return (words + 1) / 2 * 2;
}

} // namespace

struct Engine2d::State {
    State(const Features& features, Memory& bus) : registers(features), memory(bus) {}

    vivante::Registers registers;
    vivante::Brush brush;
    Memory& memory;
};

Engine2d::Engine2d(const Features& features, Memory& memory)
    : state_(std::make_unique<State>(features, memory)) {}

Engine2d::~Engine2d() = default;

void Engine2d::load_state(uint32_t address, uint32_t value) {
    state_->registers.write(address, value);
    if (address == vivante::pattern_config)
        state_->brush.configure(state_->registers, state_->memory, value);
    if (address != vivante::vr_config || bits(value, 3, 3) != 0)
        return;
    Painter painter(state_->registers, state_->brush, state_->memory);
    if (painter.writable())
        painter.filter_blit(bits(value, 1, 0));
}

void Engine2d::draw(std::span<const uint32_t> rectangles, std::span<const uint32_t> data) {
    Painter painter(state_->registers, state_->brush, state_->memory);
    if (!painter.writable())
        return;
    const uint32_t command = bits(state_->registers.get(vivante::dest_config), 15, 12);
    for (size_t i = 0; i + 1 < rectangles.size(); i += 2) {
        const Rectangle area = rectangle_of(rectangles[i], rectangles[i + 1]);
        if (command != command_line && area.empty())
            continue;
        StreamBits stream;
        if (command == command_bit_blit) {
            // Each rectangle consumes its words, and the rest belong to the next one.
            stream = painter.stream_of(area, data);
            data = data.subspan(std::min(stream.word_count(), data.size()));
        }
        draw_one(painter, command, area, stream);
    }
}

void Engine2d::run(std::span<const uint32_t> words) {
    size_t at = 0;
    while (at < words.size()) {
        const uint32_t word = words[at];
        const std::span<const uint32_t> rest = words.subspan(at);
        switch (bits(word, 31, 27)) {
        case opcode_load_state: {
            const uint32_t field = bits(word, 25, 16);
            const size_t count = field == 0 ? 1024 : field;
            for (size_t i = 0; i < count && i + 1 < rest.size(); ++i) {
                const uint32_t index = bits(word, 15, 0) + static_cast<uint32_t>(i);
                load_state(4 * index, rest[i + 1]);
            }
            at += aligned(count + 1);
            break;
        }
        case opcode_draw_2d: {
            const uint32_t field = bits(word, 15, 8);
            const size_t count = 2 * (field == 0 ? size_t{256} : size_t{field});
            const size_t data_count = bits(word, 26, 16);
            // A command that the end of the buffer truncates is dropped.
            if (rest.size() < 2 + count + data_count)
                return;
            draw(rest.subspan(2, count), rest.subspan(2 + count, data_count));
            at += aligned(2 + count + data_count);
            break;
        }
        case opcode_nop:
        case opcode_wait:
        case opcode_stall:
            at += 2;
            break;
        default: // END, and commands that these tests never send
            return;
        }
    }
}

} // namespace reference

// SPDX-License-Identifier: GPL-2.0-or-later
#include "command_buffer.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "core.hpp"
#include "fields.hpp"
#include "registers.hpp"

namespace pixmill::geode {
namespace {

/// The first word of a packet.
namespace header_word {
constexpr Field wrap{"W", 31}, type{"", 30, 29}, stall{"S", 28}, enables{"WE", 16, 0};
}
enum PacketType : uint32_t { blt, vector, lut, data };

/// The word that precedes the data of a packet.
namespace count_word {
constexpr Field type{"DTYPE", 31, 29}, count{"DCOUNT", 16, 0};
}
enum DataType : uint32_t { to_hst_src, to_ch3_hsrc, to_pattern, to_lut, to_none };
constexpr uint32_t max_data = count_word::count.mask();

constexpr bool is_loaded(uint32_t type) {
    return type == to_pattern || type == to_lut;
}

// Registers that packets write, from 33234H, 6.3.5, and from the structs that drivers fill
// (xf86-video-geode: cim_regs.h). The last register starts the operation; the others only store the
// value.
constexpr uint32_t blt_registers[] = {
    RASTER_MODE,  DST_OFFSET,  SRC_OFFSET,  STRIDE,     WID_HEIGHT, SRC_COLOR_FG,
    SRC_COLOR_BG, PAT_COLOR_0, PAT_COLOR_1, PAT_DATA_0, PAT_DATA_1, CH3_OFFSET,
    CH3_MODE_STR, CH3_WIDHI,   BASE_OFFSET, BLT_MODE,
};
constexpr uint32_t vector_registers[] = {
    RASTER_MODE, DST_OFFSET, SRC_OFFSET, STRIDE,       WID_HEIGHT,  SRC_COLOR_FG, PAT_COLOR_0,
    PAT_COLOR_1, PAT_DATA_0, PAT_DATA_1, CH3_MODE_STR, BASE_OFFSET, VECTOR_MODE,
};

/// Number of words fetched at once.
constexpr uint32_t block_words = 512;

} // namespace

const CommandBuffer::Layout CommandBuffer::layouts[2] = {
    {blt_registers, true},
    {vector_registers, false},
};

CommandBuffer::CommandBuffer(Core& core)
    : core_(core), s_(core.s), bus_(core.host, 32, &core.fail_next_access) {}

uint32_t& CommandBuffer::reg(uint32_t offset) const {
    return s_.reg[offset / 4];
}

bool CommandBuffer::active() const {
    return s_.data_left || s_.data_awaited || !core_.ring_empty();
}

void CommandBuffer::doorbell() {
    if (core_.ring_empty())
        return;
    s_.ring_budget = max_ring_words;
    waits_ = false;
    core_.host.request_run();
}

void CommandBuffer::restart() {
    s_.data_left = s_.data_awaited = 0;
    waits_ = false;
}

void CommandBuffer::reset() {
    s_.ring_budget = s_.data_awaited = 0;
    s_.data_left = s_.data_type = s_.data_taken = s_.data_wraps = 0;
    waits_ = false;
}

bool CommandBuffer::is_valid() const {
    return s_.ring_budget <= max_ring_words && s_.data_left <= max_data &&
           s_.data_type <= to_none && s_.data_taken <= max_data;
}

void CommandBuffer::run(uint32_t budget_words) {
    bus_.begin();
    while (budget_words && works() && !core_.operations.works()) {
        const uint32_t words = step(budget_words);
        budget_words -= std::min(budget_words, words);
        if (active() && !s_.ring_budget)
            give_up();
    }
}

// ---- Words of the ring ---------------------------------------------------------

/// Returns the span at `pointer`. The ring is contiguous up to the end of the line at CMD_BOT and
/// continues at CMD_TOP. If CMD_TOP is above CMD_BOT, the ring wraps only at the end of the
/// pointers' range.
CommandBuffer::Span CommandBuffer::span_at(uint32_t pointer) const {
    const uint32_t top = reg(CMD_TOP) & pointer_line, bottom = reg(CMD_BOT) & pointer_line;
    if (top <= bottom && pointer < bottom + 32)
        return {(bottom + 32 - pointer) / 4, top};
    return {(pointer_word + 4 - pointer) / 4, 0};
}

/// Returns `pointer` advanced by `words` words.
uint32_t CommandBuffer::advanced(uint32_t pointer, uint32_t words) const {
    Span span = span_at(pointer);
    for (; words >= span.words; span = span_at(pointer)) {
        words -= span.words;
        pointer = span.next;
    }
    return pointer + 4 * words;
}

/// Reads words from `pointer` on. Words outside memory read as 0.
void CommandBuffer::peek(uint32_t pointer, std::span<uint32_t> words) {
    const uint32_t base = core_.command_base();
    std::ranges::fill(words, 0);
    while (!words.empty()) {
        const auto count = uint32_t(std::min<size_t>(span_at(pointer).words, words.size()));
        const auto address = uint32_t(base + pointer);
        if (!bus_.read(address, words.data(), 4 * uint64_t{count}))
            core_.host.guest_error(Cause::bus_error, address >> 12 << 1,
                                   "the command buffer reads 0x%08x: no memory there", address);
        pointer = advanced(pointer, count);
        words = words.subspan(count);
    }
}

/// Reads words and returns the pointer to the word after them.
uint32_t CommandBuffer::fetch(uint32_t pointer, std::span<uint32_t> words) {
    peek(pointer, words);
    return advanced(pointer, uint32_t(words.size()));
}

/// Accounts for `words` executed words. The next word is at `pointer`.
void CommandBuffer::consume(uint32_t pointer, uint32_t words) {
    reg(CMD_READ) = pointer;
    core_.counters.command_words += words;
    s_.ring_budget -= std::min(s_.ring_budget, words);
}

// ---- Packets -------------------------------------------------------------------

/// Executes a packet or part of its data. Returns the number of words executed, or 1 if it has to
/// wait.
uint32_t CommandBuffer::step(uint32_t budget) {
    if (s_.data_awaited) {
        waits_ = core_.operations.pending();
        return waits_ ? 1 : post_word();
    }
    if (s_.data_left)
        return transfer(budget);
    uint32_t header = 0;
    peek(reg(CMD_READ), {&header, 1});
    const uint32_t type = header_word::type(header);
    if (core_.host.tracing(PIXMILL_TRACE_COMMAND)) {
        constexpr const char* names[] = {"BLT", "vector", "LUT", "data"};
        core_.host.trace(PIXMILL_TRACE_COMMAND, core_.command_base() + reg(CMD_READ), header,
                         names[type]);
    }
    return type < lut ? registers_packet(layouts[type], header) : data_packet(header);
}

/// True if the packet cannot be executed yet. CMD_READ then stays on the packet.
bool CommandBuffer::has_to_wait(uint32_t header, bool starts, bool loads) const {
    const Operations& operations = core_.operations;
    return ((header_word::stall(header) || loads) && operations.busy()) ||
           (starts && operations.pending());
}

uint32_t CommandBuffer::registers_packet(const Layout& layout, uint32_t header) {
    const auto count = uint32_t(layout.registers.size());
    const uint32_t enables = header_word::enables(header);
    const bool starts = enables >> (count - 1) & 1;
    if (has_to_wait(header, starts, false)) {
        waits_ = true;
        return 1;
    }
    std::array<uint32_t, longest_packet> words{};
    consume(fetch(reg(CMD_READ), std::span(words).first(1 + count)), 1 + count);
    if (core_.host.tracing(PIXMILL_TRACE_STATE))
        trace(layout, enables, std::span(words).subspan(1, count));
    for (uint32_t i = 0; i < count - 1; i++)
        if (enables >> i & 1)
            reg(layout.registers[i]) = words[i + 1];
    if (starts)
        write_register(core_, layout.registers[count - 1], words[count]);
    s_.data_wraps = header_word::wrap(header);
    if (!layout.has_post_word || !(enables >> count & 1)) {
        end_packet(s_.data_wraps);
        return 1 + count;
    }
    s_.data_awaited = starts && core_.operations.pending();
    waits_ = s_.data_awaited;
    return 1 + count + (waits_ ? 0 : post_word());
}

void CommandBuffer::trace(const Layout& layout, uint32_t enables,
                          std::span<const uint32_t> words) const {
    for (size_t i = 0; i < words.size(); i++)
        if (enables >> i & 1)
            core_.host.trace(PIXMILL_TRACE_STATE, layout.registers[i], words[i],
                             register_name(layout.registers[i]));
}

/// Executes the post word, which follows the registers of a BLT packet and announces data.
uint32_t CommandBuffer::post_word() {
    uint32_t word = 0;
    consume(fetch(reg(CMD_READ), {&word, 1}), 1);
    s_.data_awaited = 0;
    begin_data(word, true, s_.data_wraps);
    return 1;
}

/// Starts a packet of data for a port or a register. In a LUT packet, the LUT index precedes the
/// data.
uint32_t CommandBuffer::data_packet(uint32_t header) {
    const bool indexed = header_word::type(header) == lut;
    const uint32_t length = indexed ? 3 : 2, enables = header_word::enables(header);
    std::array<uint32_t, 3> words{};
    const uint32_t next = fetch(reg(CMD_READ), std::span(words).first(length));
    const uint32_t count = words[length - 1];
    if (has_to_wait(header, false, indexed || is_loaded(count_word::type(count)))) {
        waits_ = true;
        return 1;
    }
    consume(next, length);
    if (indexed && enables & 1) {
        if (core_.host.tracing(PIXMILL_TRACE_STATE))
            core_.host.trace(PIXMILL_TRACE_STATE, LUT_INDEX, words[1], register_name(LUT_INDEX));
        write_register(core_, LUT_INDEX, words[1]);
    }
    begin_data(count, enables >> (length - 2) & 1, header_word::wrap(header));
    return length;
}

void CommandBuffer::end_packet(bool wraps) {
    if (wraps)
        reg(CMD_READ) = reg(CMD_TOP) & pointer_line;
    if (core_.ring_empty())
        core_.interrupts.raise(int_cntrl::ring_empty, int_cntrl::mask_ring_empty);
}

/// Stops a ring that has executed max_ring_words since the last doorbell.
void CommandBuffer::give_up() {
    core_.host.guest_error(Cause::endless_ring, 0, "endless command buffer, stopped at 0x%06x",
                           reg(CMD_READ));
    s_.data_left = s_.data_awaited = 0;
    reg(CMD_READ) = reg(CMD_WRITE);
    end_packet(false);
}

// ---- Data ------------------------------------------------------------------------

void CommandBuffer::begin_data(uint32_t word, bool enabled, bool wraps) {
    s_.data_left = count_word::count(word);
    s_.data_type = enabled ? std::min<uint32_t>(count_word::type(word), to_none) : to_none;
    s_.data_taken = 0;
    s_.data_wraps = wraps;
    if (!s_.data_left)
        end_packet(wraps);
}

/// True if the executing operation must be drawn as far as possible before it can take more data.
bool CommandBuffer::transfer_waits() const {
    if (s_.data_type > to_ch3_hsrc || !core_.operations.works())
        return false;
    const Port port = Port(s_.data_type);
    return !core_.operations.wanted(port) || !core_.operations.room(port);
}

uint32_t CommandBuffer::transfer(uint32_t budget) {
    if (is_loaded(s_.data_type) && core_.operations.busy()) {
        waits_ = true;
        return 1;
    }
    std::array<uint32_t, block_words> block;
    uint32_t done = 0;
    while (s_.data_left && done < budget && !transfer_waits()) {
        const uint32_t count = std::min({s_.data_left, budget - done, block_words});
        const auto words = std::span(block).first(count);
        peek(reg(CMD_READ), words);
        const uint32_t taken = take_data(words);
        if (core_.host.tracing(PIXMILL_TRACE_STATE))
            trace_data(words.first(taken));
        s_.data_left -= taken;
        done += taken;
        consume(advanced(reg(CMD_READ), taken), taken);
    }
    if (!s_.data_left)
        end_packet(s_.data_wraps);
    return std::max(done, 1u);
}

/// Traces each word as a write to a port, to PAT_COLOR_2 (even if for another pattern color) or to
/// LUT_DATA.
void CommandBuffer::trace_data(std::span<const uint32_t> words) const {
    constexpr uint32_t takers[] = {HST_SRC, CH3_HSRC, PAT_COLOR_2, LUT_DATA};
    if (s_.data_type >= std::size(takers))
        return;
    const uint32_t taker = takers[s_.data_type];
    for (const uint32_t word : words)
        core_.host.trace(PIXMILL_TRACE_STATE, taker, word, register_name(taker));
}

/// Takes words of data until one has to wait. Returns how many were taken.
uint32_t CommandBuffer::take_data(std::span<const uint32_t> words) {
    uint32_t taken = 0;
    while (taken < words.size() && !transfer_waits()) {
        uint32_t step = 1;
        if (s_.data_type <= to_ch3_hsrc)
            step = core_.operations.host_words(Port(s_.data_type), words.subspan(taken));
        else
            load(words[taken]);
        taken += step;
        s_.data_taken += step;
    }
    return taken;
}

/// Writes a word of data to its register.
void CommandBuffer::load(uint32_t word) {
    if (s_.data_type == to_pattern && s_.data_taken < 4)
        write_register(core_, PAT_COLOR_2 + 4 * s_.data_taken, word);
    else if (s_.data_type == to_lut)
        write_register(core_, LUT_DATA, word);
}

} // namespace pixmill::geode

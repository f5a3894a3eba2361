// The command buffer: a ring of packets in memory that write registers.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "common/memory/physical_memory.hpp"
#include "fields.hpp"
#include "pixmill/geode.h"

namespace pixmill::geode {

class Core;

/// Implemented bits of CMD_READ and CMD_WRITE, and of CMD_TOP and CMD_BOT.
constexpr uint32_t pointer_word = cmd_pointer::word.mask(), pointer_line = cmd_pointer::line.mask();
/// A ring that executes more words than this between two doorbells is considered endless. The limit
/// is twice the range of the pointers.
constexpr uint32_t max_ring_words = 2 * ((pointer_word + 4) / 4);

class CommandBuffer {
public:
    explicit CommandBuffer(Core& core);

    void doorbell(); ///< called after a write to CMD_WRITE
    void restart();  ///< called after a write to CMD_READ

    /// Executes about `budget_words` words. Stops early if an operation must be drawn or a packet
    /// must wait.
    void run(uint32_t budget_words);
    /// True if run() has work to do, now or after the operation that is being drawn.
    bool works() const { return active() && !waits_; }
    /// Called when the event that a packet waits for may have happened.
    void retry() { waits_ = false; }

    void reset();
    bool is_valid() const;

private:
    /// The registers to which the words of a packet are written.
    struct Layout {
        std::span<const uint32_t> registers;
        bool has_post_word; ///< an optional post word follows the registers
    };
    static const Layout layouts[2];
    /// Length in words of the longest packet: a header and all registers.
    static constexpr uint32_t longest_packet = 17;

    bool active() const;
    uint32_t& reg(uint32_t offset) const;

    /// Number of contiguous words from a pointer on, and the pointer to the next word.
    struct Span {
        uint32_t words, next;
    };
    Span span_at(uint32_t pointer) const;
    uint32_t advanced(uint32_t pointer, uint32_t words) const;
    void peek(uint32_t pointer, std::span<uint32_t> words);
    [[nodiscard]] uint32_t fetch(uint32_t pointer, std::span<uint32_t> words);
    void consume(uint32_t pointer, uint32_t words);

    uint32_t step(uint32_t budget);
    uint32_t registers_packet(const Layout& layout, uint32_t header);
    void trace(const Layout& layout, uint32_t enables, std::span<const uint32_t> words) const;
    uint32_t post_word();
    uint32_t data_packet(uint32_t header);
    bool has_to_wait(uint32_t header, bool starts, bool loads) const;
    void begin_data(uint32_t count_word, bool enabled, bool wraps);
    uint32_t transfer(uint32_t budget);
    bool transfer_waits() const;
    uint32_t take_data(std::span<const uint32_t> words);
    void trace_data(std::span<const uint32_t> words) const;
    void load(uint32_t word);
    void end_packet(bool wraps);
    void give_up();

    Core& core_;
    PixmillGeodeGpState& s_;
    PhysicalMemory bus_;
    bool waits_ = false; ///< at the end of the last run, the next packet waited for an operation
};

} // namespace pixmill::geode

// The command buffer: a ring of packets in memory, which write registers.
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

/// The bits of CMD_READ and CMD_WRITE, and of CMD_TOP and CMD_BOT, that there are.
constexpr uint32_t pointer_word = cmd_pointer::word.mask(), pointer_line = cmd_pointer::line.mask();
/// Words that a ring may take before it counts as endless, from one doorbell to the next: twice
/// what the pointers reach.
constexpr uint32_t max_ring_words = 2 * ((pointer_word + 4) / 4);

class CommandBuffer {
public:
    explicit CommandBuffer(Core& core);

    // Registers have been written.
    void doorbell(); ///< CMD_WRITE
    void restart();  ///< CMD_READ

    /// Executes about `budget_words` words, up to an operation that is drawn or a packet that has
    /// to wait.
    void run(uint32_t budget_words);
    /// run() has something to do, now or when the operation that is drawn is done.
    bool works() const { return active() && !waits_; }
    /// What a packet waits for may have happened.
    void look_again() { waits_ = false; }

    void reset();
    bool plausible() const;

private:
    /// Where the words of a packet go.
    struct Layout {
        std::span<const uint32_t> registers;
        bool has_post_word; ///< behind them, if it is enabled
    };
    static const Layout layouts[2];
    /// A header and all registers.
    static constexpr uint32_t longest_packet = 17;

    bool active() const;
    uint32_t& reg(uint32_t offset) const;

    /// Words from a pointer on that lie side by side, and the pointer behind them.
    struct Stretch {
        uint32_t words, behind;
    };
    Stretch stretch(uint32_t pointer) const;
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
    bool waits_ = false; ///< as the last run has seen it: what comes next waits for an operation
};

} // namespace pixmill::geode

// FE 1.0: fetches command streams from guest memory and executes the commands in order.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"
#include "vivante/front_end.hpp"
#include "vivante/memory/mmu.hpp"

namespace pixmill::vivante {

class Core;
class PipeEngine;
struct CommandShape;

class FrontEnd10 final : public FrontEnd {
public:
    FrontEnd10(Core& core, const PixmillVivanteConfig& config);

    void set_address(uint32_t value) override; ///< writes COMMAND_ADDRESS
    void control(uint32_t value) override;     ///< writes COMMAND_CONTROL or SEC_COMMAND_CONTROL
    uint32_t status(uint32_t offset) override; ///< reads an FE_DMA_* register
    bool stopped() const override;
    void catch_up(uint32_t offset) override;
    void touch() override;
    void barrier() override;

    PixmillRun run(uint32_t budget_words) override;
    void reset() override;
    void restore() override;

private:
    struct Opcode;
    static const Opcode opcodes[32];
    friend CommandShape command_shape(uint32_t header);

    FeRun state() const;
    void set_state(FeRun state);
    void begin_slice();
    bool executes() const;
    bool wake(int64_t now);
    PixmillRun suspend(int64_t now);
    void step();
    void stall_if_injected();

    // Fetching.
    [[nodiscard]] bool fetch(uint32_t word[2]);
    [[nodiscard]] bool fetch_operands(const Opcode& opcode, uint32_t header, PipeEngine* engine);
    void count_fetch(int bytes) {
        if (!s_.memory_counters_frozen)
            s_.read_bytes += uint64_t(int64_t(bytes));
    }
    [[nodiscard]] bool map_page(uint32_t address, Translation* t);
    [[nodiscard]] bool load_qword(uint32_t address, uint32_t word[2], Translation* t);
    [[nodiscard]] bool load_bytes(uint32_t address, uint32_t word[2], Translation* t);
    [[nodiscard]] bool load_elsewhere(uint32_t address, uint32_t word[2], const Translation& t);
    [[nodiscard]] bool peek_qword(uint32_t address, uint32_t word[2]);
    [[nodiscard]] bool store(uint32_t address, const void* from, uint32_t length);
    void fault(uint32_t address, const Translation& t);

    // Handlers of commands. `header` is the first qword.
    void load_state(const uint32_t header[2]);
    void load_words(const uint32_t header[2]);
    void end(const uint32_t header[2]);
    void nop(const uint32_t header[2]);
    void draw(const uint32_t header[2]);
    void log_skipped_draw(const Opcode& opcode, uint32_t header);
    void wait(const uint32_t header[2]);
    void link(const uint32_t header[2]);
    void stall(const uint32_t header[2]);
    void call(const uint32_t header[2]);
    void return_(const uint32_t header[2]);
    void chip_select(const uint32_t header[2]);
    void wait_fence(const uint32_t header[2]);

    void jump(uint32_t address, uint32_t prefetch);
    void hang(Cause cause, const char* why, uint32_t word);

    // Handlers of loaded states.
    void write_state(uint32_t address, uint32_t value);
    void log_unmodeled_kick(uint32_t address);
    void write_gl_state(uint32_t address, uint32_t value);
    void event(uint32_t value);
    void semaphore(uint32_t token);
    void fence_out();

    // Back-off.
    void jumped();
    void note_effect();
    uint64_t return_digest() const;

    // Idling.
    bool idling() const;
    bool poll(int64_t now);
    int64_t poll_period(int64_t now) const;
    void active(int64_t now);

    Core& core_;
    PixmillVivanteState& s_;
    Bus bus_;
    uint32_t poll_min_ns_, poll_max_ns_;

    // Within a slice.
    Mmu mmu_{};
    const std::byte* page_ = nullptr; ///< host address of the byte at page_address_
    uint32_t page_address_ = 0;
    uint64_t page_length_ = 0;
    int64_t budget_ = 0; ///< words left in the slice
    int64_t grace_ = 0;  ///< words by which an event may still extend budget_

    // Detection of idle loops: the last WAIT, and whether anything other than a jump has happened
    // since.
    uint32_t candidate_ = 0;
    bool candidate_valid_ = false, candidate_effect_ = false;
    uint32_t link_word_[2] = {0, 0};
    uint32_t link_end_ = 0;
    bool idle_wait_ = false; ///< the WAIT belongs to an idle loop that must be executed

    /// Detects loops. A stream loops if it returns to the same address through the same words
    /// without any effect. The number of jumps in a loop is unknown, so each starting address is
    /// tried for longer than the previous one (Brent's algorithm).
    struct Round {
        bool known = false;         ///< start and return_digest are valid
        bool complete = false;      ///< one round is complete, and last_words is its digest
        uint32_t start = 0;         ///< address at which a round starts, the target of a jump
        uint64_t return_digest = 0; ///< digest of the link stack at the start of a round
        uint64_t words = 0;         ///< digest of the words fetched since the start
        uint64_t last_words = 0;
        uint32_t jumps = 0, limit = 1;
    };
    Round round_;
    bool spinning_ = false; ///< a round without effect has been completed in this slice
    int64_t spin_ns_ = 0;   ///< duration of the pause after such a round
};

} // namespace pixmill::vivante

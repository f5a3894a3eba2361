// Registers of one SGX544 core, in the bank at 0x8000 or 0xC000 of the window.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "bif.hpp"
#include "events.hpp"
#include "pixmill/sgx.h"
#include "register.hpp"

namespace pixmill::sgx {

class Gpu;

class CoreBank {
public:
    CoreBank(Gpu& gpu, uint32_t number, std::span<uint32_t> words, int64_t& timer_ns);

    static std::span<const Register<CoreBank>> registers();
    /// Returns nullptr if the word at `offset` is undocumented. Undocumented words are stored.
    static const Register<CoreBank>* find(uint32_t offset);

    uint32_t read(uint32_t offset) const;
    /// `place` is the offset in the register window, for log messages.
    void write(uint32_t offset, uint32_t value, uint32_t place);

    void reset();
    /// Handles a write to the core's bit of MASTER_SOFT_RESET.
    void reset_by_master();
    void load(std::span<const uint32_t> in, int64_t timer_ns);
    /// True if SOFT_RESET holds one of `units` in reset, or if MASTER_SOFT_RESET holds the whole
    /// core.
    bool held(uint32_t units) const;

    std::span<uint32_t> words() const { return words_; }

    const uint32_t number;

private:
    struct Table;
    static uint32_t read_identity(const CoreBank& core, uint32_t offset);
    static uint32_t read_timer(const CoreBank& core, uint32_t offset);
    static void write_clkgatectl(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_soft_reset(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_host_clear(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_event_timer(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    template<uint32_t kick>
    static void write_kick(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_bif_ctrl(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_invalidate(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_start(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);
    static void write_fifo(CoreBank& core, uint32_t offset, uint32_t before, uint32_t after);

    Gpu& gpu_;
    std::span<uint32_t> words_;

public:
    Events events;
    EventTimer timer;
    Bif bif;
};

} // namespace pixmill::sgx

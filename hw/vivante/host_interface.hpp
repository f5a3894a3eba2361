// HI: the host interface, which decodes register accesses with the table in registers.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "pixmill/vivante.h"

namespace pixmill::vivante {

class Core;
struct Register;

class HostInterface {
public:
    explicit HostInterface(Core& core) : core_(core) {}

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t* value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    /// Returns the register's value without side effects, or 0 if no register is at `offset`.
    uint32_t peek(uint32_t offset);

    /// Resets all stored registers or, if `all` is false, only those that a soft reset affects.
    void reset(bool all);

    bool in_soft_reset() const;

    /// True if an injected fault can delay this write: it is one of a clock or power register, and
    /// does not begin a soft reset, which would cancel a draw outside of a write.
    static bool can_post(uint32_t offset, uint32_t value);

    // Handlers used in the register table.
    static uint32_t read_clock_control(HostInterface&, uint32_t offset);
    static uint32_t read_idle_state(HostInterface&, uint32_t offset);
    static uint32_t read_interrupts(HostInterface&, uint32_t offset);
    static uint32_t read_memory_counter(HostInterface&, uint32_t offset);
    static uint32_t read_cycles(HostInterface&, uint32_t offset);
    static uint32_t read_profile(HostInterface&, uint32_t offset);
    static uint32_t read_front_end(HostInterface&, uint32_t offset);
    static void write_clock_control(HostInterface&, uint32_t offset, uint32_t value);
    static void write_memory_counter_reset(HostInterface&, uint32_t offset, uint32_t value);
    static void write_cycles(HostInterface&, uint32_t offset, uint32_t value);
    static void write_one_shot(HostInterface&, uint32_t offset, uint32_t value);
    static void write_ahb_control(HostInterface&, uint32_t offset, uint32_t value);
    static void write_profile_config(HostInterface&, uint32_t offset, uint32_t value);
    static void write_composition(HostInterface&, uint32_t offset, uint32_t value);
    static void write_command_address(HostInterface&, uint32_t offset, uint32_t value);
    static void write_command_control(HostInterface&, uint32_t offset, uint32_t value);

private:
    uint32_t value_of(const Register& reg);
    uint32_t misread(uint32_t offset, uint32_t value, bool counts);
    void store(const Register& reg, uint32_t value);
    void land();

    Core& core_;
    /// Value of the register before the write in progress.
    uint32_t before_ = 0;
};

} // namespace pixmill::vivante

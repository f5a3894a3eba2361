// HI: the slave port. Decodes register accesses by the table of registers.cpp.
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
    /// The register without side effects; 0 where there is none.
    uint32_t peek(uint32_t offset);

    /// Stored registers to their reset values, CLOCK_CONTROL only if `all`.
    void reset(bool all);

    bool in_soft_reset() const;

    // Handlers of the register table.
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

    Core& core_;
    /// Value before the write whose handler runs.
    uint32_t before_ = 0;
};

} // namespace pixmill::vivante

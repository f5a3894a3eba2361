// GPU_WRAPPER (AM57xx TRM 12.4.2): bus configuration, and the three events that drive GPU_IRQ.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "fields.hpp"
#include "pixmill/sgx.h"
#include "register.hpp"

namespace pixmill::sgx {

class Wrapper {
public:
    static constexpr uint32_t base = 0xFE00; ///< offset in the register window

    Wrapper(Host& host, std::span<uint32_t> words, bool trm_debug_config)
        : host_(host), words_(words), trm_debug_config_(trm_debug_config) {}

    static std::span<const Register<Wrapper>> registers();

    uint32_t read(uint32_t offset) const;
    void write(uint32_t offset, uint32_t value);
    const char* name(uint32_t offset) const;

    /// Raises an event in INTERRUPT_EVENT.
    void raise(const Field& event);
    /// Records that the slave port rejected an access.
    void refuse();

    /// Returns the level of GPU_IRQ if `core_level` is the level of the cores' interrupt.
    bool settle(bool core_level);
    /// Returns the mask of the lines that are both pending and enabled.
    uint32_t pending() const;

    void reset();
    void load(std::span<const uint32_t> in);

    std::span<uint32_t> words() const { return words_; }

private:
    struct Table;
    static uint32_t read_status(const Wrapper& w, uint32_t offset);
    static void write_status(Wrapper& w, uint32_t offset, uint32_t before, uint32_t after);
    static uint32_t read_disable(const Wrapper& w, uint32_t offset);
    static void write_disable(Wrapper& w, uint32_t offset, uint32_t before, uint32_t after);
    static void write_event(Wrapper& w, uint32_t offset, uint32_t before, uint32_t after);
    static void write_debug_config(Wrapper& w, uint32_t offset, uint32_t before, uint32_t after);
    static uint32_t read_debug_status(const Wrapper& w, uint32_t offset);

    /// Sets the lines of the events that changed from 0 to 1.
    void latch(uint32_t rising);
    bool bypass() const;

    Host& host_;
    std::span<uint32_t> words_;
    bool trm_debug_config_;
};

} // namespace pixmill::sgx

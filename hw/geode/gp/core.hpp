// A graphics processor: its blocks and their shared state.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "command_buffer.hpp"
#include "interrupts.hpp"
#include "log.hpp"
#include "operations.hpp"
#include "pixmill/geode.h"

namespace pixmill::geode {

class Core {
public:
    Core(const PixmillGeodeGpConfig& config_, const PixmillHost& host_);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;

    const PixmillGeodeGpConfig config;
    Host host;
    PixmillGeodeGpState s{};
    PixmillGeodeGpCounters counters{};
    std::atomic<bool> fail_next_access = false; ///< injected fault; also read by draw()

    Interrupts interrupts;
    Operations operations;
    CommandBuffer ring;

    void power_on();
    /// Handles RESET: resets everything except the MSRs, the LUT and the timing.
    void reset_gp();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    PixmillRun run(uint32_t budget_words);
    /// True if the bus still holds the write that started the current work.
    bool holding() const { return s.held_pixels && works(); }

    uint32_t status() const; ///< value of BLT_STATUS
    bool ring_empty() const; ///< true if CMD_READ equals CMD_WRITE

    uint64_t read_msr(uint32_t index) const;
    void write_msr(uint32_t index, uint64_t value);
    void set_frame_buffer(uint32_t base, uint32_t size);
    void set_timing(int64_t blank_ns, int64_t frame_ns);
    uint32_t command_base() const;

    void save(PixmillGeodeGpState& out);
    /// Loads an untrusted state. Returns STATE if no core can reach that state.
    PixmillResult load(const PixmillGeodeGpState& in);

private:
    void clear();
    void clear_gp();
    bool accept(const PixmillGeodeGpState& in);
    bool works() const { return operations.works() || ring.works(); }
    void update_line();
    void release_bus();
    bool stalls(uint32_t offset) const;
    uint64_t spent() const { return counters.pixels + counters.command_words; }

    uint32_t frame_buffer_base_ = 0, frame_buffer_size_ = 0;
};

} // namespace pixmill::geode

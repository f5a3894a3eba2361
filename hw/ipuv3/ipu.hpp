// The IPU: its register window, its frames and its interrupts.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

#include "banks.hpp"
#include "common/host.hpp"
#include "picture.hpp"
#include "pixmill/ipuv3.h"
#include "scanner.hpp"
#include "timing.hpp"

namespace pixmill::ipuv3 {

class Ipu {
public:
    Ipu(const PixmillIpuv3Config& config_, const PixmillHost& host_);
    Ipu(const Ipu&) = delete;
    Ipu& operator=(const Ipu&) = delete;

    const PixmillIpuv3Config config;
    Host host;
    PixmillIpuv3State s{};
    PixmillIpuv3Counters counters{};
    bool lose_frame = false; ///< fault injection: the next frame ends without a status

    void power_on();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value) const;
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t peek(uint32_t offset) const;

    /// Ends the frames that are due. Returns the guest time at which the next one ends, or
    /// INT64_MAX.
    int64_t run();

    /// See pixmill_ipuv3_scanout(), pixmill_ipuv3_rows() and pixmill_ipuv3_timing().
    void scan(uint32_t di, PixmillIpuv3Scanout& out) const;
    void draw(uint32_t di, uint32_t begin, uint32_t end, std::byte* pixels, size_t pitch);
    PixmillIpuv3Timing timing(uint32_t di) const;

    /// Sets interrupt status `number` (0 to 479), and updates the lines.
    void raise(uint32_t number);

    /// Loads an untrusted state.
    void load(const PixmillIpuv3State& in);

    // Write handlers of registers and banks.
    static void write_enables(Ipu& ipu, uint32_t offset, uint32_t value);
    static void write_srm_pri2(Ipu& ipu, uint32_t offset, uint32_t value);
    static void write_ready(Ipu& ipu, uint32_t offset, uint32_t value);
    static void timing_written(Ipu& ipu);

private:
    int64_t frame_ns() const;
    int64_t frame_after(int64_t now) const;
    bool runs(uint32_t di) const { return s.due_ns[di] != INT64_MAX; }
    bool should_run(uint32_t di);
    void start_and_stop();
    void end_frame(uint32_t di);
    void begin_frame(uint32_t di);
    void flip(uint32_t di);
    void take_over_dp();
    void latch_channels(uint32_t di);
    void update_picture(uint32_t di);
    void set_status(uint32_t number);
    void update_lines();
    bool enabled(uint32_t channel) const;
    void clear();
    void load_registers(const PixmillIpuv3State& in);

    Picture picture_[PIXMILL_IPUV3_DIS];
    uint32_t generation_ = 1, overlay_generation_[PIXMILL_IPUV3_DIS] = {1, 1};
    uint32_t shown_generation_[PIXMILL_IPUV3_DIS] = {1, 1};
    Scanner scanner_;
};

} // namespace pixmill::ipuv3

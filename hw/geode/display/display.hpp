// The display core of a Geode LX: its blocks, the register window and the interrupt.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/host.hpp"
#include "display_controller.hpp"
#include "msrs.hpp"
#include "pixmill/geode_display.h"
#include "screen.hpp"
#include "video_input_port.hpp"
#include "video_processor.hpp"
#include "vsa.hpp"

namespace pixmill::geode_display {

/// Causes of log messages. A message is logged once per cause and detail.
enum class Cause : uint16_t {
    locked,
};

class Display {
public:
    Display(const PixmillGeodeDisplayConfig& config_, const PixmillHost& host_);
    Display(const Display&) = delete;
    Display& operator=(const Display&) = delete;

    const PixmillGeodeDisplayConfig config;
    Host host;
    PixmillGeodeDisplayState s{};
    PixmillGeodeDisplayCounters counters{};

    DisplayController dc;
    VideoProcessor vp;
    VideoInputPort vip;
    Msrs msrs;
    Vsa vsa;
    Screen screen;

    void power_on();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t peek(uint32_t offset) const;
    bool write_msr(uint32_t msr, uint64_t value);

    /// Updates the interrupt. Returns the guest time of the next run(), or INT64_MAX if none is
    /// needed.
    int64_t run();

    /// Updates the interrupt output from the registers.
    void update_line();

    /// Sets an entry of a color table. Takes effect immediately.
    void set_color(uint32_t& entry, uint32_t value);
    /// Sets a coefficient of the video scaler. Takes effect immediately.
    void set_coefficient(uint32_t& entry, uint32_t value);

    /// Loads an untrusted state. Returns false if its VRAM size differs.
    [[nodiscard]] bool load(const PixmillGeodeDisplayState& in);

private:
    template<class Block>
    void write(Block& block, const Register<Block>& reg, uint32_t word);
    void clear();
};

} // namespace pixmill::geode_display

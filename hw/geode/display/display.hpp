// The display side of a Geode LX: its blocks, the window that the host sees, and the interrupt.
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

/// Causes of log lines. A line is written once per cause and detail.
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

    /// Raises what is due; when it has something to do by itself, INT64_MAX: never.
    int64_t run();

    /// Brings the interrupt output to what the registers say.
    void settle();

    /// An entry of a table of colors, which shows at once.
    void set_color(uint32_t& entry, uint32_t value);
    /// The same of the video scaler's coefficients.
    void set_coefficient(uint32_t& entry, uint32_t value);

    /// Takes over an untrusted state; false if it is another chip's.
    [[nodiscard]] bool load(const PixmillGeodeDisplayState& in);

private:
    template<class Block>
    void write(Block& block, const Register<Block>& reg, uint32_t word);
    void clear();
};

} // namespace pixmill::geode_display

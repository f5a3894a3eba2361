// The video processor (databook 6.8) with its flat panel and video output blocks. Controls outputs,
// gamma and the video overlay.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/geode_display.h"
#include "register.hpp"

namespace pixmill::geode_display {

class Display;

class VideoProcessor {
public:
    explicit VideoProcessor(Display& display) : display_(display) {}

    static std::span<const Register<VideoProcessor>> registers();
    static const Register<VideoProcessor>* find(uint32_t offset);

    /// Returns the word at `offset` if it is a filter coefficient in plain memory, else nullptr.
    uint32_t* memory(uint32_t offset) const;

    /// True if any output is on.
    bool lit() const;
    /// True if the gamma table affects video (`of_video`) or graphics (otherwise).
    bool gamma(bool of_video) const;

    void reset();
    void load(const PixmillGeodeDisplayState& in);

    std::span<uint32_t> words() const;

private:
    using Vp = VideoProcessor;
    struct Table;

    static uint32_t read_gamma(const Vp& vp, uint32_t offset);
    static void write_gamma(Vp& vp, uint32_t offset, uint32_t value);
    static void advance_gamma(Vp& vp);
    static uint32_t read_power(const Vp& vp, uint32_t offset);

    uint32_t& word(uint32_t offset) const;

    Display& display_;
};

} // namespace pixmill::geode_display

// The display controller (databook 6.6): scanout, timing, palette, interrupt.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/geode_display.h"
#include "register.hpp"
#include "timing.hpp"

namespace pixmill::geode_display {

class Display;

class DisplayController {
public:
    explicit DisplayController(Display& display) : display_(display) {}

    static std::span<const Register<DisplayController>> registers();
    /// Returns nullptr: the block has no plain memory.
    static uint32_t* memory(uint32_t) { return nullptr; }
    static const Register<DisplayController>* find(uint32_t offset);

    bool unlocked() const;
    Timing timing() const;

    /// Returns the status bits of DC_IRQ that are set and not masked.
    uint32_t pending() const;
    /// Returns the guest time at which pending() may next change without a write, or INT64_MAX.
    int64_t due() const;
    /// Latches the line status if the beam has passed the compared line. Called before the timing
    /// changes.
    void latch();
    /// Computes the time at which the beam next reaches the compared line. Called after the timing
    /// has changed.
    void rearm();
    void lose_vsync();

    void reset();
    void load(const PixmillGeodeDisplayState& in);

    std::span<uint32_t> words() const;

private:
    using Dc = DisplayController;
    struct Table;

    static uint32_t read_line_count(const Dc& dc, uint32_t offset);
    static uint32_t read_irq(const Dc& dc, uint32_t offset);
    static void write_irq(Dc& dc, uint32_t offset, uint32_t value);
    static void write_timing(Dc& dc, uint32_t offset, uint32_t value);
    static uint32_t read_palette(const Dc& dc, uint32_t offset);
    static void write_palette(Dc& dc, uint32_t offset, uint32_t value);
    static void advance_palette(Dc& dc);
    static uint32_t read_filter(const Dc& dc, uint32_t offset);
    static void write_filter(Dc& dc, uint32_t offset, uint32_t value);

    uint32_t& word(uint32_t offset) const;
    uint32_t status() const;
    /// Returns the filter word that FILT_COEFF1 or FILT_COEFF2 accesses, or nullptr if there is
    /// none.
    uint32_t* coefficient(uint32_t offset, uint32_t& mask) const;

    Display& display_;
};

} // namespace pixmill::geode_display

// DE and the 2D PE: turns drawing states and rectangles into operations of the
// rendering core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "pe_memory.hpp"
#include "pixmill/vivante.h"
#include "render/pipeline.hpp"

namespace pixmill::vivante {

class Core;

/// What all rectangles of a draw share, decoded from the states.
struct DrawSetup {
    const char* primitive = "";
    render::Operation operation; ///< without its rectangle
    render::Rect clip;
    bool relative = false; ///< SRC_ORIGIN is a displacement from the destination
    int32_t origin_x = 0, origin_y = 0;
};

class DrawingEngine {
public:
    explicit DrawingEngine(Core& core);

    void reset();

    /// LOAD_STATE of a 2D state.
    void write_state(uint32_t address, uint32_t value);

    /// DRAW_2D: `rects` rectangles in PixmillVivanteState.draw_rect. Prepares the draw;
    /// render() does it.
    void draw(uint32_t rects, uint32_t data_words);

    /// From draw() until the last pixel is in memory.
    bool busy() const;

    /// Accounts for what render() has done: counters, faults, the end of the draw.
    void collect();

    /// Re-creates what is derived from a loaded state. False if it does not fit.
    bool restore();

    void inject_fault() { memory_.inject_fault(); }
    void inject_bus_error() { memory_.inject_bus_error(); }

    // ---- Beside the lock: see pixmill/vivante.h -------------------------------
    void render(uint64_t budget_bytes);
    void interrupt() { interrupt_.store(true, std::memory_order_relaxed); }
    bool draining() const { return cancel_.load(std::memory_order_relaxed); }

private:
    /// What one or more render() calls have done since collect().
    struct Report {
        bool finished = false, faulted = false;
        uint64_t pixels = 0, read_bytes = 0, written_bytes = 0, requests = 0;
        PeMemory::Errors errors;
        std::optional<render::Error> error;
    };

    bool decode(DrawSetup& setup);
    bool decode_clear(DrawSetup& setup);
    bool decode_blit(DrawSetup& setup);
    bool decode_destination(DrawSetup& setup);
    bool decode_source(DrawSetup& setup, render::Rop3& rop);
    bool rotated(uint32_t code, const char* surface);
    bool unimplemented_states(uint32_t applies);
    uint32_t state(uint32_t address) const;

    bool prepare_rect(uint32_t index);
    void begin_draw(const DrawSetup& setup);
    void account(const Report& report);
    void merge_errors();

    Core& core_;
    PixmillVivanteState& s_;

    // The draw that render() works on; set up and taken down by run() only.
    bool ready_ = false;
    DrawSetup setup_;
    MmuConfig mmu_;
    PeMemory memory_;
    render::Pipeline pipeline_;
    uint32_t pixels_per_row_ = 0;
    Report report_;
    std::atomic<bool> interrupt_ = false, cancel_ = false;
};

} // namespace pixmill::vivante

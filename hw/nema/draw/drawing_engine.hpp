// The draw in flight, from its start to its completion.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "common/memory/physical_memory.hpp"
#include "nema/trigger.hpp"
#include "pixmill/nema.h"
#include "renderer.hpp"

namespace pixmill::nema {

class Core;

class DrawingEngine final : UnsupportedListener {
public:
    explicit DrawingEngine(Core& core);

    /// Starts a draw after a write to DRAW_CMD. The engine copies the registers, so that the guest
    /// can set up the next draw meanwhile.
    void start();
    /// Aborts the draw in flight after a write to STAT.
    void drop();

    /// True from start() until collect() has accounted for the complete draw.
    bool busy() const;
    /// True if no other draw can be started.
    bool occupied() const { return ready_; }

    /// Returns the number of pixels drawn so far, including those that are not accounted for yet.
    uint64_t pixels() const;

    /// Accounts for the work of draw(): updates counters and dirty region, and reports errors and
    /// completion.
    void collect();

    /// Resets the engine. draw() must not be running.
    void reset();
    /// Resumes the draw of a loaded state. Returns false if nothing is left to draw, because no
    /// core saves such a state.
    bool restore();

    // ---- May run concurrently with other entry points: see pixmill/core.h ------------
    uint64_t draw(uint64_t budget_bytes); ///< returns the largest cost between two checks of stop_
    void interrupt() { stop_.store(true, std::memory_order_relaxed); }
    bool draining() const { return dropped_.load(std::memory_order_relaxed); }

private:
    void begin();
    void finish();
    void account();
    void merge_dirty(const render::Rect& written);
    void log_unsupported();

    void unimplemented(const Unsupported& feature) override;

    Core& core_;
    PixmillNemaState& s_;

    Renderer renderer_;
    PhysicalMemory memory_;
    Trigger trigger_;       ///< cause of the draw
    bool ready_ = false;    ///< renderer_ has a draw; changes only outside draw()
    bool finished_ = false; ///< draw() has drawn everything
    uint64_t counted_ = 0;  ///< pixels already added to the counters
    std::atomic<bool> stop_ = false, dropped_ = false;

    /// Unsupported features that draw() found. collect() logs them, because draw() must not.
    std::array<Unsupported, 8> unsupported_{};
    size_t unsupported_count_ = 0;
};

} // namespace pixmill::nema

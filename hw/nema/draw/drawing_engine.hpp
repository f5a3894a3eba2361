// The draw in flight: who starts it, works on it and learns that it is done.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "common/memory/physical_memory.hpp"
#include "pixmill/nema.h"
#include "renderer.hpp"

namespace pixmill::nema {

class Core;

class DrawingEngine final : Complaints {
public:
    explicit DrawingEngine(Core& core);

    /// DRAW_CMD has been written. The engine works on a copy of the registers, so whoever wrote it
    /// may prepare the next one.
    void start();
    /// STAT has been written: the draw in flight goes no further.
    void drop();

    /// From start() until collect() has seen the last pixel in memory.
    bool busy() const;
    /// The engine cannot be given another draw.
    bool occupied() const { return ready_; }

    /// Accounts for what draw() has done: counters, dirty region, errors, the end.
    void collect();

    /// Drops everything; no draw() is running.
    void reset();
    /// Goes on with the draw of a loaded state. False: nothing of it is left to be drawn, so
    /// no core has saved that.
    bool restore();

    // ---- Beside the other entry points: see pixmill/core.h ------------------
    uint64_t draw(uint64_t budget_bytes); ///< the most work between two looks at requests
    void interrupt() { stop_.store(true, std::memory_order_relaxed); }
    bool draining() const { return dropped_.load(std::memory_order_relaxed); }

private:
    void begin();
    void finish();
    void account();
    void merge_dirty(const render::Rect& written);
    void report_complaints();

    void unimplemented(const Complaint& complaint) override;

    Core& core_;
    PixmillNemaState& s_;

    Renderer renderer_;
    PhysicalMemory memory_;
    bool ready_ = false;    ///< renderer_ has a draw; changes outside of draw() only
    bool finished_ = false; ///< draw() has come to its end
    uint64_t counted_ = 0;  ///< pixels of it that are in the counters
    std::atomic<bool> stop_ = false, dropped_ = false;

    /// The host's log is not for draw()'s thread: what there is to say waits for collect().
    std::array<Complaint, 8> complaints_{};
    size_t complaint_count_ = 0;
};

} // namespace pixmill::nema

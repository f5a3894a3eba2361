// The vector graphics engine, which draws the payload of DATA commands.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "draw.hpp"
#include "vivante/engine.hpp"
#include "vivante/prices.hpp"

namespace pixmill::vivante {

struct Chip;
class Core;

class EngineVg final : public Engine {
public:
    explicit EngineVg(Core& core);

    void write_state(uint32_t address, uint32_t value) override;
    /// Starts the draw of a DATA command. The front end has checked that the whole payload can be
    /// read.
    void draw(const vg::Payload& payload);

    bool busy() const override { return s_.vg_draw_active; }
    uint32_t modules() const override;
    const char* shape() const; ///< name of what the last DATA command draws, for log messages
    void collect() override;
    void reset() override;

    bool is_valid(const PixmillVivanteState& state) const override;
    bool restore() override;
    void scrub(PixmillVivanteState& copy) const override;

    uint64_t render(uint64_t budget_bytes) override;
    void interrupt() override { interrupt_.store(true, std::memory_order_relaxed); }
    bool draining() const override { return cancel_.load(std::memory_order_relaxed); }
    uint64_t work_ns() const override { return duration_ns({.pixels = pixels_}, price_vg); }

private:
    /// Results of all render() calls since the last collect().
    struct Report {
        bool finished = false, out_of_memory = false;
        uint64_t pixels = 0, written_bytes = 0;
        AccessErrors errors;
    };

    void prepare();
    void log_unsupported();
    void log_misalignment();
    void begin_draw();
    void render_slice(int64_t budget, uint64_t& longest);
    vg::Position position() const { return {s_.vg_draw_index, s_.vg_draw_row, s_.vg_draw_column}; }

    Core& core_;
    PixmillVivanteState& s_;
    const vg::Features features_;

    // The draw that render() executes. Only run() and restore() set it up, and only run() ends it.
    bool ready_ = false;
    vg::Draw draw_;
    uint32_t target_ = 0; ///< address of the target
    PhysicalMemory memory_;
    Report report_;
    uint64_t pixels_ = 0; ///< of all draws, for work_ns()
    std::atomic<bool> interrupt_ = false, cancel_ = false;
};

} // namespace pixmill::vivante

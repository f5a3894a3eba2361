// The 2D engine: drawing engine (DE) and 2D pixel engine (PE). Converts states and rectangles to
// operations of hw/render.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "common/memory/translated_memory.hpp"
#include "draw_setup.hpp"
#include "pixmill/vivante.h"
#include "render/pipeline.hpp"
#include "vivante/engine.hpp"
#include "vivante/memory/mmu.hpp"
#include "vivante/prices.hpp"

namespace pixmill::vivante {

class Core;

class Engine2d final : public PipeEngine {
public:
    Engine2d(Core& core, const PixmillVivanteConfig& config);

    void write_state(uint32_t address, uint32_t value) override;
    void end_load() override;
    void operand(uint32_t header, uint32_t index, const uint32_t word[2]) override;
    void draw(const uint32_t header[2]) override;

    bool busy() const override { return s_.de_draw_active; }
    void collect() override;
    void reset() override;

    bool is_valid(const PixmillVivanteState& state) const override;
    bool restore() override;
    void scrub(PixmillVivanteState& copy) const override;

    uint64_t render(uint64_t budget_bytes) override;
    void interrupt() override { interrupt_.store(true, std::memory_order_relaxed); }
    bool draining() const override { return cancel_.load(std::memory_order_relaxed); }
    uint64_t work_ns() const override { return duration_ns({.bytes = moved_bits_ / 8}, price_2d); }

private:
    /// Results of all render() calls since the last collect().
    struct Report {
        bool finished = false, faulted = false, short_stream = false, out_of_memory = false;
        uint64_t drawn = 0; ///< pixels of the rendering core, which are bytes in a CLEAR of PE 1.0
        uint64_t read_bits = 0, written_bytes = 0;
        AccessErrors errors;
        std::optional<render::Error> error;
    };

    void filter();
    void sample(uint32_t rects);
    void start();
    void configure_brush(uint32_t config);
    void load_brush(uint32_t bytes);
    bool decode(DrawSetup& setup);
    bool decode_clear(const DrawStates& states, DrawSetup& setup);
    bool decode_byte_clear(const DrawStates& states, DrawSetup& setup);
    bool decode_blit(const DrawStates& states, DrawSetup& setup, render::Stretch stretch);
    bool decode_multi_source(const DrawStates& states, DrawSetup& setup);
    uint32_t state(uint32_t address) const { return s_.state[address / 4]; }

    bool place_rect(uint32_t index);
    void place_sources(const render::Rect& full);
    void place_stream(uint32_t index, const render::Rect& full);
    [[nodiscard]] bool prepare_rect(uint32_t index);
    void begin_draw();
    [[nodiscard]] bool next_rect(int64_t& budget);
    void end_rect();
    uint64_t chunk() const;
    void account(const Report& report);

    Core& core_;
    PixmillVivanteState& s_;

    bool kicked_ = false; ///< the current LOAD_STATE has written VR_CONFIG

    // The draw that render() executes. Only run() and restore() set it up, and only run() ends it.
    bool ready_ = false;
    DrawSetup setup_;
    Mmu mmu_;
    TranslatedMemory memory_;
    render::Pipeline pipeline_;
    bool chosen_ = false;       ///< the pipeline has the operation; other rectangles only move it
    bool prepared_ = false;     ///< rectangle de_draw_index has been prepared
    uint32_t stream_index_ = 0; ///< rectangle whose data start at stream_words_
    uint64_t stream_words_ = 0;
    Report report_;
    uint64_t moved_bits_ = 0; ///< read and written by all draws, for work_ns()
    std::atomic<bool> interrupt_ = false, cancel_ = false;
};

} // namespace pixmill::vivante

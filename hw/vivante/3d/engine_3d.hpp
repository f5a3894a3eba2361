// The 3D pipe: runs the draws and resolves of the front end, one at a time.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

#include "common/memory/translated_memory.hpp"
#include "pixmill/vivante.h"
#include "render/bands.hpp"
#include "vivante/3d/draw/draw.hpp"
#include "vivante/3d/rs/parallel_resolve.hpp"
#include "vivante/3d/rs/rs.hpp"
#include "vivante/engine.hpp"
#include "vivante/memory/mmu.hpp"
#include "vivante/prices.hpp"

namespace pixmill::vivante {

class Core;
struct Chip;

class Engine3d final : public PipeEngine {
public:
    Engine3d(Core& core, const PixmillVivanteConfig& config);

    /// True if the core has a 3D pipe that the model supports: one without HALTI1, or with HALTI2
    /// and without a BLT engine.
    static bool models(const Chip& chip);

    void write_state(uint32_t address, uint32_t value) override;
    void end_load() override;
    void operand(uint32_t header, uint32_t index, const uint32_t word[2]) override;
    void draw(const uint32_t header[2]) override;

    bool busy() const override { return job() != Job::none; }
    void collect() override;
    void reset() override;

    bool is_valid(const PixmillVivanteState& state) const override;
    bool restore() override;
    void scrub(PixmillVivanteState& copy) const override;

    uint64_t render(uint64_t budget_bytes) override;
    void interrupt() override { interrupt_.store(true, std::memory_order_relaxed); }
    bool draining() const override { return cancel_.load(std::memory_order_relaxed); }
    uint64_t work_ns() const override { return duration_ns(work_, price_3d); }

    /// Values of PixmillVivanteState.g3d_job.
    enum class Job : uint32_t { none, draw, resolve, in_place, count };

private:
    enum : unsigned { vertex_port, texel_port, pixel_port, depth_port, memory_count };

    /// Results of all render() calls since the last collect().
    struct Report {
        DrawResult result;
        AccessErrors errors[memory_count];
        bool faulted() const;
    };

    Job job() const { return Job(s_.g3d_job); }
    void take_instanced(const uint32_t header[2]);
    void start(Job job);
    enum class Decoded : uint8_t { work, nothing, stalled, no_memory };
    Decoded decode();
    Decoded decode_draw();
    void log_unsupported(const RsSetup& setup);
    DrawPosition load_position() const;
    void store_position(const DrawPosition& position);
    void begin_job();
    void end_job();
    void account(const Report& report);
    void count(const Report& report);
    void end_query();

    void begin_slice();
    void end_slice();
    bool stop(int64_t budget);
    uint64_t render_draw(int64_t& budget);
    uint64_t render_resolve(int64_t& budget);

    Core& core_;
    PixmillVivanteState& s_;
    const Features3d features_;

    Job kicked_ = Job::none; ///< resolve that the current LOAD_STATE starts

    // The job that render() works on. Set up and torn down only under the lock.
    bool ready_ = false;
    const render::BandConfig bands_;
    ThreadPool pool_{bands_.threads - 1};
    Draw draw_;
    Resolve resolve_;
    ParallelResolve parallel_resolve_{resolve_, pool_, bands_.share};
    Mmu mmu_[memory_count];
    TranslatedMemory vertices_, texels_, pixels_, depths_;
    struct Port {
        Client client;
        TranslatedMemory* memory;
    };
    const Port ports_[memory_count]{{Client::fe, &vertices_},
                                    {Client::tx, &texels_},
                                    {Client::pe, &pixels_},
                                    {Client::pez, &depths_}};
    Report report_;
    Work work_; ///< of all jobs
    std::atomic<bool> interrupt_ = false, cancel_ = false;
};

} // namespace pixmill::vivante

// The drawing engines of a core.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "engine.hpp"
#include "vivante/2d/engine_2d.hpp"
#include "vivante/3d/engine_3d.hpp"
#include "vivante/vg/engine_vg.hpp"

namespace pixmill::vivante {

/// The engines of a core, as a range.
class Engines {
public:
    Engines(Core& core, const Chip& chip, const PixmillVivanteConfig& config) {
        if (chip.pipe_vg()) {
            all_[count_++] = &engine_vg_.emplace(core);
            return;
        }
        add(engine_2d_.emplace(core, config));
        if (Engine3d::models(chip))
            add(engine_3d_.emplace(core, config));
    }

    auto begin() const { return all_.begin(); }
    auto end() const { return begin() + count_; }

    /// Returns the engines that PIPE_SELECT can select. A VG core has none.
    std::span<PipeEngine* const> pipes() const { return {pipes_.data(), pipe_count_}; }
    /// Returns the engine of `pipe`, or null if that engine is not modeled.
    PipeEngine* find(Pipe pipe) const {
        const auto at = std::ranges::find(pipes(), pipe, &PipeEngine::pipe);
        return at == pipes().end() ? nullptr : *at;
    }
    /// Returns the engine of a VG core. Must not be called on other cores.
    EngineVg& vg() { return *engine_vg_; }

    bool busy() const { return std::ranges::any_of(*this, &Engine::busy); }

    /// True if a render() call that was canceled may still be running.
    bool draining() const { return std::ranges::any_of(*this, &Engine::draining); }

    /// Returns the IDLE_STATE bits of the busy modules.
    uint32_t busy_modules() const {
        uint32_t modules = 0;
        for (const Engine* engine : *this)
            modules |= engine->busy() ? engine->modules() : 0;
        return modules;
    }

    /// Returns the mask of the engines' memory controller clients: one bit per Client.
    uint32_t clients() const {
        uint32_t clients = 0;
        for (const Engine* engine : *this)
            clients |= engine->slot.clients;
        return clients;
    }

private:
    void add(PipeEngine& engine) { all_[count_++] = pipes_[pipe_count_++] = &engine; }

    std::optional<Engine2d> engine_2d_;
    std::optional<Engine3d> engine_3d_;
    std::optional<EngineVg> engine_vg_;
    std::array<Engine*, 2> all_{};
    std::array<PipeEngine*, 2> pipes_{};
    unsigned count_ = 0, pipe_count_ = 0;
};

} // namespace pixmill::vivante

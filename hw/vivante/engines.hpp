// The drawing engines of a core, together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "engine.hpp"
#include "vivante/2d/drawing_engine.hpp"
#include "vivante/3d/engine_3d.hpp"
#include "vivante/vg/engine_vg.hpp"

namespace pixmill::vivante {

/// A range of engines.
class Engines {
public:
    Engines(Core& core, const Chip& chip, const PixmillVivanteConfig& config) {
        if (chip.pipe_vg()) {
            slots_[count_++] = &engine_vg_.emplace(core);
            return;
        }
        slots_[count_++] = &engine_2d_.emplace(core, config);
        if (Engine3d::models(chip))
            slots_[count_++] = &engine_3d_.emplace(core, config);
    }

    auto begin() const { return slots_.begin(); }
    auto end() const { return begin() + count_; }

    /// The engine behind `pipe`; null if it is not modelled.
    Engine* find(Pipe pipe) const {
        const auto has_pipe = [pipe](const Engine* e) { return e->slot.pipe == pipe; };
        const auto at = std::find_if(begin(), end(), has_pipe);
        return at == end() ? nullptr : *at;
    }

    /// Of a VG core.
    EngineVg* vg() { return engine_vg_ ? &*engine_vg_ : nullptr; }

    bool busy() const { return std::ranges::any_of(*this, &Engine::busy); }

    /// Whether a cancelled render() may still be running.
    bool draining() const { return std::ranges::any_of(*this, &Engine::draining); }

    /// Bits of IDLE_STATE whose modules work.
    uint32_t busy_modules() const {
        uint32_t modules = 0;
        for (const Engine* engine : *this)
            modules |= engine->busy() ? engine->modules() : 0;
        return modules;
    }

    /// The clients of the memory controller that are engines', a bit each.
    uint32_t clients() const {
        uint32_t clients = 0;
        for (const Engine* engine : *this)
            clients |= engine->slot.clients;
        return clients;
    }

private:
    std::optional<DrawingEngine> engine_2d_;
    std::optional<Engine3d> engine_3d_;
    std::optional<EngineVg> engine_vg_;
    std::array<Engine*, 2> slots_{};
    unsigned count_ = 0;
};

} // namespace pixmill::vivante

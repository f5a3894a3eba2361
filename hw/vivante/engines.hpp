// The drawing engines of a core, together.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine.hpp"
#include "vivante/2d/drawing_engine.hpp"

namespace pixmill::vivante {

/// A range of engines.
class Engines {
public:
    Engines(Core& core, const PixmillVivanteConfig& config) : engine_2d_(core, config) {}

    auto begin() const { return slots_.begin(); }
    auto end() const { return slots_.end(); }

    /// The engine behind `pipe`; null if it is not modelled.
    Engine* find(Pipe pipe) const {
        const auto has_pipe = [pipe](const Engine* e) { return e->slot.pipe == pipe; };
        const auto at = std::ranges::find_if(slots_, has_pipe);
        return at == end() ? nullptr : *at;
    }

    bool busy() const { return std::ranges::any_of(slots_, &Engine::busy); }

    /// Bits of IDLE_STATE whose modules work.
    uint32_t busy_modules() const {
        uint32_t modules = 0;
        for (const Engine* engine : slots_)
            modules |= engine->busy() ? engine->slot.modules : 0;
        return modules;
    }

    /// The clients of the memory controller that are engines', a bit each.
    uint32_t clients() const {
        uint32_t clients = 0;
        for (const Engine* engine : slots_)
            clients |= engine->slot.clients;
        return clients;
    }

private:
    DrawingEngine engine_2d_;
    const std::array<Engine*, 1> slots_{&engine_2d_};
};

} // namespace pixmill::vivante

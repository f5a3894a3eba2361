// Public interface: state writes with side effects, and draws.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "vivante_3d.hpp"

#include "engine.hpp"

namespace pixmill::reference {

using namespace vivante_3d;

struct Vivante3d::Engine : vivante_3d::Engine {};

Vivante3d::Vivante3d(Memory& memory, const Features& features)
    : engine_(new Engine{{memory, features, {}, {}, false}}) {}

Vivante3d::~Vivante3d() = default;

namespace {

void store(vivante_3d::Engine& engine) {
    if (engine.query.active)
        write(engine.memory, engine.query.address, 8, engine.query.count);
    engine.query = {};
}

} // namespace

void Vivante3d::load_state(uint32_t address, uint32_t value) {
    engine_->states.write(address, value);
    switch (address) {
    case RS_KICKER:
        if (value & 1)
            resolve(*engine_);
        break;
    case RS_KICKER_INPLACE:
        resolve_in_place(*engine_, value);
        break;
    case GL_OCCLUSION_QUERY_ADDR:
        store(*engine_);
        engine_->query = {true, value, 0};
        break;
    case GL_OCCLUSION_QUERY_CONTROL:
        store(*engine_);
        break;
    }
}

void Vivante3d::draw(uint32_t type, uint32_t start, uint32_t primitives) {
    vivante_3d::draw(*engine_, {type, start, primitives, false, 0});
}

void Vivante3d::draw_indexed(uint32_t type, uint32_t start, uint32_t primitives, int32_t offset) {
    vivante_3d::draw(*engine_, {type, start, primitives, true, offset});
}

void Vivante3d::draw(const Instanced& command) {
    DrawCommand draw{.type = command.type,
                     .indexed = command.indexed,
                     .vertices = command.vertices,
                     .instances = command.instances};
    if (command.indexed)
        draw.offset = static_cast<int32_t>(command.first);
    else
        draw.start = command.first;
    vivante_3d::draw(*engine_, draw);
}

uint32_t Vivante3d::state(uint32_t address) const {
    return engine_->states[address];
}

bool Vivante3d::hung() const {
    return engine_->hung;
}

} // namespace pixmill::reference

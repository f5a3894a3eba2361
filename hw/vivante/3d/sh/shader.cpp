// SPDX-License-Identifier: GPL-2.0-or-later
#include "shader.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "flush_tiny.hpp"

namespace pixmill::vivante {

namespace {

constexpr LaneMask all_lanes = ~LaneMask(0);

/// Returns all lanes of quads that have a lane in `lanes`.
LaneMask whole_quads(LaneMask lanes) {
    constexpr LaneMask first = 0x1111111111111111;
    return ((lanes | lanes >> 1 | lanes >> 2 | lanes >> 3) & first) * 0xF;
}

/// Returns the lanes whose value is all ones. The others must be 0.
LaneMask lanes_where(const Lanes& condition) {
    LaneMask mask = 0;
    for (unsigned i = 0; i < lane_count; i++)
        mask |= LaneMask(std::bit_cast<uint32_t>(condition.f[i]) & 1) << i;
    return mask;
}

void set_where(Lanes& condition, LaneMask mask) {
    for (unsigned i = 0; i < lane_count; i++)
        condition.f[i] = std::bit_cast<float>(-uint32_t(mask >> i & 1));
}

/// Sets the texel of a sampler that does not exist.
void fill_black(Vector& texel) {
    for (unsigned c = 0; c < 4; c++)
        texel[c].f.fill(c == 3);
}

} // namespace

// ---- ShaderState -------------------------------------------------------------

ShaderState::ShaderState() {
    std::memset(file_.data(), 0, sizeof file_);
    file_[vector_number::constants][1].f.fill(1);
}

void ShaderState::clear_unwritten(const Program& program, const Components& inputs) {
    const Components& unwritten = program.traits().unwritten;
    for (unsigned reg = 0; reg < temporary_count; reg++)
        for (unsigned c = 0; c < 4; c++)
            if ((unwritten[reg] & ~inputs[reg]) >> c & 1)
                file_[reg][c].f.fill(0);
}

// ---- Machine -----------------------------------------------------------------

/// A single run of a program.
class Machine {
public:
    Machine(const Program& program, const Uniforms& uniforms, ShaderState& state,
            const Batch& batch)
        : kernels_(lane_kernels()), program_(program), uniforms_(uniforms), state_(state),
          batch_(batch), started_(batch.quads ? whole_quads(batch.live) : batch.live) {}

    Outcome run();

private:
    void run_straight();
    bool step(const MicroOp& op);
    void run_compiled();
    void run_branching();

    void execute(const MicroOp& op, LaneMask active);
    void lanes(const LaneWork& work, LaneMask active);
    void show_active(LaneMask active);
    std::array<float, 4> fetch(const MicroOp& op, int64_t reg, unsigned lane) const;
    void gather(const MicroOp& op);
    void scatter(const MicroOp& op, LaneMask active);
    void texture(const MicroOp& op, LaneMask active);
    void sample(const TextureRequest& request, Vector& texel);
    void load(const MicroOp& op, LaneMask active);

    bool may_go_on();
    void leave_at(unsigned op, LaneMask lanes);
    LaneMask taken(const MicroOp& op, LaneMask active) const;
    unsigned branch(unsigned from, const MicroOp& op, LaneMask active);
    unsigned return_from(unsigned from, LaneMask active);

    /// The components of all registers are contiguous.
    Lanes* file() { return state_.file_.front().data(); }
    const Lanes& condition(unsigned component) const {
        return state_.file_[vector_number::condition][component];
    }
    const Vector& vector_at(uint16_t lanes) const { return state_.file_[lanes / 4]; }
    /// The component of a0 that `op` uses.
    const Lanes& address(const MicroOp& op) const {
        return state_
            .file_[vector_number::address][unsigned(op.addressing) - unsigned(Addressing::x)];
    }
    int64_t index(const MicroOp& op, unsigned lane) const {
        return int64_t(op.base) + std::bit_cast<int32_t>(address(op).f[lane]);
    }
    void kill(LaneMask lanes) { outcome_.killed |= batch_.kills ? lanes & batch_.live : 0; }
    /// Extends the active lanes to whole quads, without quads whose lanes have all been killed.
    LaneMask wanted(LaneMask active) const {
        if (!batch_.quads)
            return active;
        return whole_quads(active) & whole_quads(batch_.live & ~outcome_.killed);
    }

    const LaneKernels& kernels_;
    const Program& program_;
    const Uniforms& uniforms_;
    ShaderState& state_;
    const Batch& batch_;
    const LaneMask started_;
    Outcome outcome_;
    FlushTiny flush_tiny_;
};

Outcome Machine::run() {
    if (!batch_.live)
        return outcome_;
    if (program_.traits().addresses)
        std::memset(&state_.file_[vector_number::address], 0, sizeof(Vector));
    if (program_.traits().branches)
        run_branching();
    else
        run_straight();
    return outcome_;
}

/// Executes everything in all lanes. Kills are only recorded.
void Machine::run_straight() {
    if (batch_.compiled && (batch_.quads || !batch_.compiled->takes_differences()))
        return run_compiled();
    for (const MicroOp& op : program_.micro_ops())
        if (!step(op))
            return;
    outcome_.endless = outcome_.executed > batch_.budget;
}

/// Returns false if all lanes have been killed.
bool Machine::step(const MicroOp& op) {
    outcome_.executed += op.first;
    if (op.kind == MicroOp::Kind::lanes) {
        kernels_.run(op.work, file(), uniforms_.front().data());
        return true;
    }
    execute(op, all_lanes);
    return outcome_.killed != batch_.live;
}

/// Like run_straight(), but uses machine code where available.
void Machine::run_compiled() {
    const std::span<const MicroOp> ops = program_.micro_ops();
    size_t at = 0;
    const auto interpret_until = [&](size_t end) {
        while (at < end)
            if (!step(ops[at++]))
                return false;
        return true;
    };
    for (const jit::CompiledProgram::Run& run : batch_.compiled->runs()) {
        if (!interpret_until(run.begin))
            return;
        run.function(file(), uniforms_.front().data());
        outcome_.executed += run.instructions;
        at = run.end;
    }
    if (interpret_until(ops.size()))
        outcome_.endless = outcome_.executed > batch_.budget;
}

void Machine::run_branching() {
    const std::span<const MicroOp> ops = program_.micro_ops();
    state_.waiting_.assign(ops.size() + 1, 0);
    for (ShaderState::CallStack& calls : state_.calls_)
        calls.depth = 0;
    LaneMask active = started_;
    for (unsigned at = 0; at < ops.size();) {
        active |= state_.waiting_[at];
        state_.waiting_[at] = 0;
        if (!active) {
            at++;
            continue;
        }
        const MicroOp& op = ops[at];
        outcome_.executed += op.first;
        if (op.kind < MicroOp::Kind::branch || op.kind >= MicroOp::Kind::kill) {
            execute(op, active);
            at++;
        } else if (may_go_on()) {
            at = branch(at, op, active);
            active = 0;
        } else {
            return;
        }
        if (outcome_.killed == batch_.live)
            return;
    }
}

// ---- Steps -------------------------------------------------------------------

void Machine::execute(const MicroOp& op, LaneMask active) {
    switch (op.kind) {
    case MicroOp::Kind::lanes:
        return lanes(op.work, active);
    case MicroOp::Kind::derivative: {
        LaneWork work = op.work;
        if (!batch_.quads)
            work.source[0].at.fill(4 * vector_number::constants);
        return lanes(work, active);
    }
    case MicroOp::Kind::gather:
        return gather(op);
    case MicroOp::Kind::scatter:
        return scatter(op, active);
    case MicroOp::Kind::texture:
        return texture(op, active);
    case MicroOp::Kind::load:
        return load(op, active);
    case MicroOp::Kind::kill:
        return kill(active);
    case MicroOp::Kind::kill_if:
        return kill(active & lanes_where(condition(0)));
    default:
        return; // branches: run_branching()
    }
}

/// Executes a loop. Lanes that are started but inactive keep their temporaries and a0.
void Machine::lanes(const LaneWork& work, LaneMask active) {
    const bool keeps = work.to < 4 * vector_number::internal && (started_ & ~active);
    if (!keeps)
        return kernels_.run(work, file(), uniforms_.front().data());
    LaneWork aside = work;
    aside.to = 4 * vector_number::divergent;
    kernels_.run(aside, file(), uniforms_.front().data());
    show_active(active);
    LaneWork merge = work;
    merge.loop = Loop::pick;
    merge.form = 0;
    merge.source[0].at.fill(4 * vector_number::active);
    for (unsigned c = 0; c < 4; c++) {
        merge.source[1].at[c] = uint16_t(aside.to + c);
        merge.source[2].at[c] = uint16_t(work.to + c);
    }
    kernels_.run(merge, file(), uniforms_.front().data());
}

void Machine::show_active(LaneMask active) {
    if (state_.active_bits_ == active)
        return;
    state_.active_bits_ = active;
    set_where(state_.file_[vector_number::active][0], active);
}

/// Returns register `reg` of the group that `op` reads, for one lane. Registers outside the group
/// read 0.
std::array<float, 4> Machine::fetch(const MicroOp& op, int64_t reg, unsigned lane) const {
    std::array<float, 4> value{};
    const bool temporary = op.group == Group::temporary || op.group == Group::full_temporary;
    if (op.group == Group::uniform && reg >= 0 && reg < program_.traits().uniforms)
        value = uniforms_[size_t(reg)];
    else if (temporary && reg >= 0 && reg < temporary_count)
        for (unsigned c = 0; c < 4; c++)
            value[c] = state_.file_[size_t(reg)][c].f[lane];
    else if (op.group == Group::internal && reg == 0)
        value[0] = state_.face().f[lane];
    return value;
}

void Machine::gather(const MicroOp& op) {
    const std::array<uint16_t, 4>& from = op.work.source[0].at;
    Lanes* const to = file() + op.work.to;
    // Usually all lanes read the same uniform.
    uint32_t differs = 0;
    const Lanes& a0 = address(op);
    for (unsigned lane = 0; lane < lane_count; lane++)
        differs |= std::bit_cast<uint32_t>(a0.f[lane]) ^ std::bit_cast<uint32_t>(a0.f[0]);
    if (!differs && op.group == Group::uniform) {
        const std::array<float, 4> value = fetch(op, index(op, 0), 0);
        for (unsigned c = 0; c < 4; c++)
            to[c].f.fill(value[from[c]]);
        return;
    }
    for (unsigned lane = 0; lane < lane_count; lane++) {
        const std::array<float, 4> value = fetch(op, index(op, lane), lane);
        for (unsigned c = 0; c < 4; c++)
            to[c].f[lane] = value[from[c]];
    }
}

/// Writes a value to the register that a0 selects. Registers outside the file are not written.
void Machine::scatter(const MicroOp& op, LaneMask active) {
    for (LaneMask rest = active; rest; rest &= rest - 1) {
        const auto lane = unsigned(std::countr_zero(rest));
        const int64_t reg = index(op, lane);
        if (reg < 0 || reg >= temporary_count)
            continue;
        for (unsigned n = 0; n < op.work.count; n++) {
            const unsigned c = op.work.component[n];
            state_.file_[size_t(reg)][c].f[lane] = file()[op.work.source[0].at[c]].f[lane];
        }
    }
}

// ---- Textures ----------------------------------------------------------------

void Machine::texture(const MicroOp& op, LaneMask active) {
    TextureRequest request{
        .sampler = op.base,
        .lod = op.lod,
        .quads = batch_.quads,
        .live = wanted(active & started_),
        .coordinate = &vector_at(op.work.source[0].at[0]),
        .level = op.level_apart ? &vector_at(op.work.source[1].at[0])[0]
                                : &vector_at(op.work.source[0].at[0])[3],
        .dx = &vector_at(op.work.source[1].at[0]),
        .dy = &vector_at(op.work.source[2].at[0]),
        .reference = op.reference ? file() + *op.reference : nullptr,
    };
    Vector& texel = state_.file_[op.work.to / 4];
    if (op.addressing == Addressing::direct)
        return sample(request, texel);
    // Sample once for each sampler that any lane selected.
    for (LaneMask rest = active & started_; rest;) {
        const int64_t chosen = index(op, unsigned(std::countr_zero(rest)));
        LaneMask same = 0;
        for (unsigned lane = 0; lane < lane_count; lane++)
            same |= LaneMask(index(op, lane) == chosen) << lane;
        same &= rest;
        rest &= ~same;
        request.sampler = chosen >= 0 && chosen < sampler_count ? unsigned(chosen) : sampler_count;
        request.live = wanted(same);
        Vector& aside = state_.file_[vector_number::divergent];
        sample(request, aside);
        for (unsigned c = 0; c < 4; c++)
            for (unsigned lane = 0; lane < lane_count; lane++)
                if (same >> lane & 1)
                    texel[c].f[lane] = aside[c].f[lane];
    }
}

void Machine::sample(const TextureRequest& request, Vector& texel) {
    const bool exists =
        request.sampler < sampler_count && program_.traits().samplers >> request.sampler & 1;
    if (!batch_.texturing || !request.live || !exists)
        return fill_black(texel);
    flush_tiny_.suspend(); // texture units must not flush denormals
    batch_.texturing->sample(request, texel);
    flush_tiny_.resume();
}

/// Reads consecutive words into the components of `to`.
void Machine::load(const MicroOp& op, LaneMask active) {
    constexpr uint8_t bytes[] = {4, 4, 1, 2, 2, 2, 4, 1}; // by Type
    Vector& to = state_.file_[op.work.to / 4];
    Vector& numbers = state_.file_[vector_number::divergent];
    LoadRequest request{.live = wanted(active & started_),
                        .base = file() + op.work.source[0].at[0],
                        .offset = file() + op.work.source[1].at[0],
                        .shift = op.base,
                        .count = op.work.count,
                        .bytes = bytes[size_t(op.type)],
                        .is_signed = is_signed(op.type)};
    if (batch_.texturing && request.live) {
        flush_tiny_.suspend();
        batch_.texturing->load(request, numbers);
        flush_tiny_.resume();
    } else {
        for (Lanes& lanes : numbers)
            lanes.f.fill(0);
    }
    for (unsigned n = 0; n < op.work.count; n++)
        to[op.work.component[n]] = numbers[n];
}

// ---- Flow --------------------------------------------------------------------

bool Machine::may_go_on() {
    outcome_.endless = outcome_.executed > batch_.budget;
    outcome_.interrupted = batch_.interrupt && batch_.interrupt->load(std::memory_order_relaxed);
    return !outcome_.endless && !outcome_.interrupted;
}

void Machine::leave_at(unsigned op, LaneMask lanes) {
    state_.waiting_[op] |= lanes;
}

LaneMask Machine::taken(const MicroOp& op, LaneMask active) const {
    switch (op.kind) {
    case MicroOp::Kind::branch_if:
        return active & lanes_where(condition(0));
    case MicroOp::Kind::branch_any: {
        LaneMask any = 0;
        for (unsigned c = 0; c < 4; c++)
            any |= lanes_where(condition(c));
        return active & any;
    }
    default:
        return active;
    }
}

/// Makes the active lanes wait at the micro-ops where they continue. Returns the next micro-op to
/// look at: no lane waits before it.
unsigned Machine::branch(unsigned from, const MicroOp& op, LaneMask active) {
    if (op.kind == MicroOp::Kind::ret)
        return return_from(from, active);
    LaneMask jump = taken(op, active);
    leave_at(from + 1, active & ~jump);
    if (op.kind == MicroOp::Kind::call)
        for (LaneMask rest = jump; rest; rest &= rest - 1) {
            ShaderState::CallStack& calls = state_.calls_[unsigned(std::countr_zero(rest))];
            if (calls.depth == calls.back.size())
                jump &= ~(rest & -rest); // the call stack is full, so the lane ends
            else
                calls.back[calls.depth++] = from + 1;
        }
    leave_at(op.target, jump);
    return jump ? std::min<unsigned>(op.target, from + 1) : from + 1;
}

/// A lane that returns without a call ends.
unsigned Machine::return_from(unsigned from, LaneMask active) {
    unsigned lowest = from + 1;
    for (LaneMask rest = active; rest; rest &= rest - 1) {
        ShaderState::CallStack& calls = state_.calls_[unsigned(std::countr_zero(rest))];
        if (!calls.depth)
            continue;
        const unsigned back = calls.back[--calls.depth];
        leave_at(back, rest & -rest);
        lowest = std::min(lowest, back);
    }
    return lowest;
}

Outcome run(const Program& program, const Uniforms& uniforms, ShaderState& state,
            const Batch& batch) {
    return Machine(program, uniforms, state, batch).run();
}

} // namespace pixmill::vivante

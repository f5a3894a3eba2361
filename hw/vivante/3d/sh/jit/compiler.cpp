// SPDX-License-Identifier: GPL-2.0-or-later
//
// asmjit serves only as an assembler; emitter.cpp allocates registers.
#include <asmjit/x86.h>

#include <bitset>
#include <span>
#include <utility>

#include "compiled_program.hpp"
#include "emitter.hpp"
#include "graph.hpp"
#include "render/cpu_dispatch.hpp"
#include "vivante/3d/sh/program.hpp"

namespace pixmill::vivante::jit {

namespace {

/// Maximum code size of a program.
constexpr size_t most_bytes = 256 << 10;

/// Tracks which Lanes of the register file are read after some point of the program.
class LiveLanes {
public:
    explicit LiveLanes(const Components& outputs) {
        for (unsigned reg = 0; reg < temporary_count; reg++)
            for (unsigned c = 0; c < 4; c++)
                lanes_[4 * reg + c] = outputs[reg] >> c & 1;
    }

    bool operator[](uint16_t lanes) const { return lanes_[lanes]; }

    /// Moves the point to before `op`.
    void go_before(const MicroOp& op) {
        using Kind = MicroOp::Kind;
        switch (op.kind) {
        case Kind::lanes:
        case Kind::derivative:
            return go_before(op.work);
        case Kind::gather:
            read_index(op);
            for (size_t lanes = 0; lanes < size_t(4) * temporary_count; lanes++)
                lanes_.set(lanes);
            return;
        case Kind::scatter:
            read_index(op);
            return read(op.work.source[0]);
        case Kind::texture:
            for (unsigned c = 0; c < 4; c++)
                lanes_.reset(size_t(op.work.to) + c);
            read_index(op);
            for (const Operand& source : op.work.source)
                for (unsigned c = 0; c < 4; c++)
                    lanes_.set(size_t(source.at[0]) + c);
            return;
        case Kind::load:
            for (unsigned n = 0; n < op.work.count; n++)
                lanes_.reset(size_t(op.work.to) + op.work.component[n]);
            lanes_.set(op.work.source[0].at[0]);
            lanes_.set(op.work.source[1].at[0]);
            return;
        default: // kills; programs without branches have no other kinds
            for (unsigned c = 0; c < 4; c++)
                lanes_.set(size_t(4) * vector_number::condition + c);
            return;
        }
    }

private:
    void go_before(const LaneWork& work) {
        for (unsigned n = 0; n < work.count; n++)
            lanes_.reset(size_t(work.to) + work.component[n]);
        for (unsigned slot = 0; slot < 3; slot++)
            if (!(work.form >> slot & 1))
                read(work.source[slot]);
    }
    void read(const Operand& source) {
        for (const uint16_t at : source.at)
            if (at < lanes_.size())
                lanes_.set(at);
    }
    void read_index(const MicroOp& op) {
        if (op.addressing != Addressing::direct)
            for (unsigned c = 0; c < 4; c++)
                lanes_.set(size_t(4) * vector_number::address + c);
    }

    std::bitset<size_t(4) * vector_number::count> lanes_;
};

class Errors final : public asmjit::ErrorHandler {
public:
    void handleError(asmjit::Error, const char*, asmjit::BaseEmitter*) override { any = true; }
    bool any = false;
};

bool compiles(const MicroOp& op) {
    return (op.kind == MicroOp::Kind::lanes || op.kind == MicroOp::Kind::derivative) &&
           can_lower(op.work.loop);
}

class Compiler {
public:
    explicit Compiler(const Program& program) : program_(program) {}

    std::unique_ptr<CompiledProgram> compile();

private:
    using Run = CompiledProgram::Run;

    void find_runs();
    bool emit(const Run& run, const LiveLanes& live);

    /// A CodeHolder that reports errors from its construction.
    struct Code : asmjit::CodeHolder {
        explicit Code(Errors& errors) {
            init(asmjit::Environment::host());
            setErrorHandler(&errors);
        }
    };

    const Program& program_;
    Errors errors_;
    Code code_{errors_};
    asmjit::x86::Assembler assembler_{&code_};
    ConstantPool constants_{assembler_};
    std::vector<Run> runs_;
    std::vector<size_t> offsets_; ///< offsets of their functions in the code
    bool differs_ = false;
};

void Compiler::find_runs() {
    const std::span<const MicroOp> ops = program_.micro_ops();
    for (size_t at = 0; at < ops.size();) {
        Run run{at, at, 0, nullptr};
        for (; run.end < ops.size() && compiles(ops[run.end]); run.end++) {
            run.instructions += ops[run.end].first;
            differs_ = differs_ || ops[run.end].kind == MicroOp::Kind::derivative;
        }
        if (run.end > run.begin)
            runs_.push_back(run);
        at = std::max(run.end, at + 1);
    }
}

bool Compiler::emit(const Run& run, const LiveLanes& live) {
    Graph graph;
    for (const MicroOp& op : program_.micro_ops().subspan(run.begin, run.end - run.begin)) {
        lower(graph, op.work);
        if (graph.too_large())
            return false;
    }
    std::vector<uint16_t> outputs;
    for (const auto& [lanes, value] : graph.written())
        if (live[lanes])
            outputs.push_back(lanes);
    for (const uint16_t lanes : outputs) // NaN bits become visible when stored
        graph.set(lanes, graph.exact(graph.at(lanes)));
    assembler_.align(asmjit::AlignMode::kCode, 16);
    offsets_.push_back(assembler_.offset());
    return Emitter(assembler_, constants_, graph, std::move(outputs)).emit() && !errors_.any &&
           assembler_.offset() <= most_bytes;
}

std::unique_ptr<CompiledProgram> Compiler::compile() {
    find_runs();
    if (runs_.empty())
        return nullptr;
    // Sanitizers read a function's type from the bytes before it.
    constexpr uint64_t nothing[2] = {};
    assembler_.embed(nothing, sizeof nothing);
    const std::span<const MicroOp> ops = program_.micro_ops();
    std::vector<LiveLanes> live_after;
    LiveLanes live(program_.outputs());
    size_t run = runs_.size();
    for (size_t at = ops.size(); at-- > 0;) {
        if (run && runs_[run - 1].end == at + 1) {
            live_after.push_back(live);
            run--;
        }
        live.go_before(ops[at]);
    }
    for (size_t n = 0; n < runs_.size(); n++)
        if (!emit(runs_[n], live_after[runs_.size() - 1 - n]))
            return nullptr;
    constants_.emit();
    const asmjit::CodeBuffer& buffer = code_.sectionById(0)->buffer();
    if (errors_.any || code_.hasUnresolvedLinks())
        return nullptr;
    CodeMemory memory({buffer.data(), buffer.size()});
    if (!memory)
        return nullptr;
    for (size_t n = 0; n < runs_.size(); n++)
        runs_[n].function =
            reinterpret_cast<RunFunction>(reinterpret_cast<uintptr_t>(memory.data()) + offsets_[n]);
    return std::make_unique<CompiledProgram>(std::move(memory), std::move(runs_), differs_);
}

} // namespace

bool can_compile() {
    return render::use_avx2();
}

std::unique_ptr<CompiledProgram> compile(const Program& program) {
    if (program.traits().branches || !can_compile())
        return nullptr;
    return Compiler(program).compile();
}

} // namespace pixmill::vivante::jit

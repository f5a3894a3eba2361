// SPDX-License-Identifier: GPL-2.0-or-later
#include "program_cache.hpp"

#include <algorithm>

#include "common/guard.hpp"

namespace pixmill::vivante {

namespace {

/// Number of pixels after which compiling has saved about as much time as it took.
constexpr uint64_t hot_lanes = 1 << 16;

Program decoded(std::span<const uint32_t> words, const Components& outputs,
                const Components& if_named, ShaderIsa isa) {
    Program program(words, outputs, isa);
    if (!program.traits().depth || if_named == Components{})
        return program;
    Components all = outputs;
    for (size_t reg = 0; reg < all.size(); reg++)
        all[reg] |= if_named[reg];
    return Program(words, all, isa);
}

} // namespace

CachedProgram::CachedProgram(std::span<const uint32_t> words, const Components& outputs,
                             const Components& if_named, ShaderIsa isa)
    : words_(words.begin(), words.end()), outputs_(outputs), if_named_(if_named),
      program_(decoded(words, outputs, if_named, isa)) {}

bool CachedProgram::is(std::span<const uint32_t> words, const Components& outputs,
                       const Components& if_named) const {
    return std::ranges::equal(words, words_) && outputs == outputs_ && if_named == if_named_;
}

bool CachedProgram::compile_if_due(JitMode mode) {
    if (tried_ || mode == JitMode::never || (mode == JitMode::hot && lanes_ < hot_lanes))
        return false;
    tried_ = true;
    // If memory allocation fails, the program is still interpreted.
    compiled_ =
        guarded(std::unique_ptr<jit::CompiledProgram>(), [&] { return jit::compile(program_); });
    return compiled_ != nullptr;
}

size_t CachedProgram::bytes() const {
    return sizeof *this + words_.capacity() * sizeof(uint32_t) + program_.micro_ops().size_bytes() +
           (compiled_ ? compiled_->bytes() : 0);
}

std::shared_ptr<CachedProgram> ProgramCache::find(std::span<const uint32_t> words,
                                                  const Components& outputs,
                                                  const Components& if_named) {
    const auto known = std::ranges::find_if(
        programs_, [&](const auto& p) { return p->is(words, outputs, if_named); });
    if (known != programs_.end()) {
        std::rotate(known, known + 1, programs_.end());
    } else {
        programs_.reserve(most_programs + 1);
        programs_.push_back(std::make_shared<CachedProgram>(words, outputs, if_named, isa_));
    }
    std::shared_ptr<CachedProgram> found = programs_.back();
    trim();
    return found;
}

size_t ProgramCache::bytes() const {
    size_t sum = 0;
    for (const auto& program : programs_)
        sum += program->bytes();
    return sum;
}

/// Evicts the least recently used programs until the others are within the limits.
void ProgramCache::trim() {
    size_t sum = bytes();
    auto kept = programs_.begin();
    for (; kept + 1 < programs_.end() &&
           (sum > most_bytes || size_t(programs_.end() - kept) > most_programs);
         ++kept)
        sum -= (*kept)->bytes();
    programs_.erase(programs_.begin(), kept);
}

} // namespace pixmill::vivante

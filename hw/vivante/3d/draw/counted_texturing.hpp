// Wraps the texture units to count requests and their cost.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "common/memory/memory.hpp"
#include "pixel_plan.hpp"
#include "vivante/3d/sh/program.hpp"
#include "vivante/3d/sh/texturing.hpp"
#include "vivante/3d/te/setup.hpp"

namespace pixmill::vivante {

/// Upper bound on the work of a LOAD for 64 lanes, in memcpy-equivalent bytes.
inline constexpr uint64_t load_work = 4096;

/// Returns an upper bound on the work of a texture instruction for 64 lanes, in memcpy-equivalent
/// bytes.
inline uint64_t texel_work(const te::Sampler& sampler) {
    constexpr uint64_t texel = 2048;
    constexpr unsigned most_log = 4; // 16 taps
    const bool linear = sampler.min >= te::Filter::linear || sampler.mag >= te::Filter::linear;
    const unsigned log =
        sampler.min == te::Filter::anisotropic ? (sampler.anisotropy + 31) / 32 : 0;
    return texel * (linear ? 4 : 1) * (sampler.mip == te::Filter::linear ? 2 : 1)
           << std::min(log, most_log);
}

/// Returns an upper bound on a program's work between two interrupt checks, which happen at
/// branches and texture instructions. `texels` is the work of its most expensive texture
/// instruction.
inline uint64_t longest_part(uint64_t instructions, uint64_t texels) {
    return instruction_work * std::min<uint64_t>(instructions, most_instructions) + texels;
}

/// Counts texture requests and their cost, including address translation. Also checks for
/// interrupts, since a program may execute hundreds of texture instructions without a branch.
class CountedTexturing final : public Texturing {
public:
    /// Never stops early if `interrupt` is null.
    CountedTexturing(const te::TeSetup& setup, Texturing& units, LaneMask counted,
                     const Memory& memory, const std::atomic<bool>* interrupt)
        : setup_(setup), units_(units), counted_(counted), memory_(memory), interrupt_(interrupt) {}

    void sample(const TextureRequest& request, Vector& texel) override {
        if (is_cut())
            return; // the texels will not be used
        requests_ += count_bits(request.live & counted_);
        counted(texel_work(setup_.sampler[request.sampler]),
                [&] { units_.sample(request, texel); });
    }
    void load(const LoadRequest& request, Vector& numbers) override {
        if (!is_cut())
            counted(load_work, [&] { units_.load(request, numbers); });
    }
    /// True if an interrupt stopped sampling, so the program must run again.
    bool cut() const { return cut_; }
    uint64_t requests() const { return requests_; }
    uint64_t work() const { return work_; } ///< excluding address translation
    uint64_t memory_work() const { return memory_work_; }
    /// Work of the most expensive instruction, including address translation.
    uint64_t longest() const { return longest_; }

private:
    bool is_cut() {
        cut_ |= interrupt_ && interrupt_->load(std::memory_order_relaxed);
        return cut_;
    }
    /// Executes an instruction of this work.
    template<class Execute>
    void counted(uint64_t work, const Execute& execute) {
        const uint64_t before = memory_.cost();
        execute();
        const uint64_t mapping_work = memory_.cost() - before;
        work_ += work;
        memory_work_ += mapping_work;
        longest_ = std::max(longest_, work + mapping_work);
    }

    const te::TeSetup& setup_;
    Texturing& units_;
    const LaneMask counted_;
    const Memory& memory_;
    const std::atomic<bool>* const interrupt_;
    bool cut_ = false;
    uint64_t requests_ = 0, work_ = 0, memory_work_ = 0, longest_ = 0;
};

} // namespace pixmill::vivante

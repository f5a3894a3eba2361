// Texture units with somebody who counts in front of them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "te_setup.hpp"
#include "texturing.hpp"

namespace pixmill::vivante {

/// Work of a texture instruction for 64 lanes, in bytes that are copied in the same time, at most.
inline uint64_t texel_work(const te::Sampler& sampler) {
    constexpr uint64_t texel = 2048;
    constexpr unsigned most_log = 4; // 16 taps
    const bool linear = sampler.min >= te::Filter::linear || sampler.mag >= te::Filter::linear;
    const unsigned log =
        sampler.min == te::Filter::anisotropic ? (sampler.anisotropy + 31) / 32 : 0;
    return texel * (linear ? 4 : 1) * (sampler.mip == te::Filter::linear ? 2 : 1)
           << std::min(log, most_log);
}

/// Counts who asks for texels, and what that costs. Looks at interrupts: hundreds of these
/// instructions may stand in a row, without a branch that would.
class CountedTexturing final : public Texturing {
public:
    /// `interrupt` may be null: nothing is cut.
    CountedTexturing(const te::TeSetup& setup, Texturing& units, LaneMask who,
                     const std::atomic<bool>* interrupt)
        : setup_(setup), units_(units), who_(who), interrupt_(interrupt) {}

    void sample(const TextureRequest& request, Vector& texel) override {
        cut_ |= interrupt_ && interrupt_->load(std::memory_order_relaxed);
        if (cut_)
            return; // nobody will look at the texels
        requests_ += count_bits(request.live & who_);
        work_ += texel_work(setup_.sampler[request.sampler]);
        units_.sample(request, texel);
    }
    /// Texels are missing: the program must run once more.
    bool cut() const { return cut_; }
    uint64_t requests() const { return requests_; }
    uint64_t work() const { return work_; }

private:
    const te::TeSetup& setup_;
    Texturing& units_;
    const LaneMask who_;
    const std::atomic<bool>* const interrupt_;
    bool cut_ = false;
    uint64_t requests_ = 0, work_ = 0;
};

} // namespace pixmill::vivante

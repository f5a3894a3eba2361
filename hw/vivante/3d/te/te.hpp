// TE: the texture units.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <optional>

#include "kernels.hpp"
#include "memory.hpp"
#include "setup.hpp"
#include "unit.hpp"
#include "vivante/3d/sh/texturing.hpp"

namespace pixmill::vivante::te {

/// Samples the textures of a draw, on one thread. Large: about 40 KiB.
class TextureUnits final : public Texturing {
public:
    /// Begins a slice of work, which samples the textures of `setup` in `memory`. Both must outlive
    /// the slice, and spans of memory.map() must stay valid until it ends.
    void bind(const TeSetup& setup, Memory& memory);

    /// `texel` may be one of the operands. The result is undefined after a fault.
    void sample(const TextureRequest& request, Vector& texel) override;
    void load(const LoadRequest& request, Vector& numbers) override;

    /// True if a texel fetch has faulted since bind(), so drawing must stop.
    bool faulted() const { return memory_.faulted(); }

private:
    struct Batch;
    struct Selection;

    const Unit& unit(unsigned sampler);
    void find_position(Batch& batch) const;
    [[nodiscard]] bool find_lod(Batch& batch);
    [[nodiscard]] bool find_level(Batch& batch, const Lanes& x, const Lanes& y);
    void find_changes(Batch& batch, Vector& dx, Vector& dy) const;
    void taps(Batch& batch, Vector& texel);
    void filtered(const Batch& batch, Vector& texel);
    void levels(const Batch& batch, bool linear, Vector& texel);
    void columns(Selection& selection) const;
    void blank(Selection& selection, const LaneInts* outside) const;
    void slice(Selection& selection, const LaneInts* layer, const LaneInts* outside, Vector& texel);
    void seamless(const Batch& batch, const LaneInts& level, Vector& texel);
    void numbers(const Selection& selection, const LaneInts* outside, Vector& texel);
    void compared(const Selection& selection, Vector& texel);
    void filter(const Selection& selection, std::array<Vector, 4>& corner, Vector& texel) const;
    void level(const Batch& batch, bool linear, const LaneInts& level, Vector& texel);

    const TeKernels* kernels_ = nullptr;
    const TeSetup* setup_ = nullptr;
    TexelMemory memory_;
    std::array<std::optional<Unit>, sampler_count> units_;

    /// A range of lengths that all select the same level. It is kept for each sampler, since
    /// adjacent batches have similar lengths.
    struct Known {
        Lengths lengths{1, 0}; ///< none
        int32_t level = 0;
        bool magnified = false;
    };
    std::array<Known, sampler_count> known_;
};

} // namespace pixmill::vivante::te

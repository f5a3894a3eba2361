// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels_inner.hpp"

#include "render/cpu_dispatch.hpp"

#include <span>

namespace pixmill::nema {

namespace {

const KnownBlend* find(std::span<const KnownBlend> blends, const BlendFactors& factors) {
    for (const KnownBlend& blend : blends)
        if (blend.source == factors.source && blend.destination == factors.destination)
            return &blend;
    return nullptr;
}

} // namespace

const RowKernels& baseline_row_kernels() {
    return inner::Tables<render::Baseline>::kernels;
}

const RowKernels& row_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return avx2_row_kernels();
#endif
    return baseline_row_kernels();
}

BlendKernel RowKernels::blend(const BlendFactors& factors) const {
    const KnownBlend* const known = find(known_blends, factors);
    return known ? known->rows : blend_any;
}

WordBlendKernel RowKernels::blend_words(const BlendFactors& factors) const {
    const KnownBlend* const known = find(known_blends, factors);
    return known ? known->words : nullptr;
}

} // namespace pixmill::nema

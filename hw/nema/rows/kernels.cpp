// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels_inner.hpp"

#include "render/cpu_dispatch.hpp"

namespace pixmill::nema {

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

const KnownBlend* RowKernels::known(const BlendFactors& factors) const {
    for (const KnownBlend& blend : known_blends)
        if (blend.source == factors.source && blend.destination == factors.destination)
            return &blend;
    return nullptr;
}

} // namespace pixmill::nema

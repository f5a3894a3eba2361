// SPDX-License-Identifier: GPL-2.0-or-later
#include "lane_loops_inner.hpp"

#include "render/isa.hpp"

namespace pixmill::vivante {

const LaneKernels& baseline_lane_kernels() {
    return inner::Tables<render::Baseline>::kernels;
}

const LaneKernels& lane_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return avx2_lane_kernels();
#endif
    return baseline_lane_kernels();
}

} // namespace pixmill::vivante

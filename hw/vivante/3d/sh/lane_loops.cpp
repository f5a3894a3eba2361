// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include "lane_loops_inner.hpp"
#else
#include "lane_loops.hpp"
#endif

#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante {

#ifdef __x86_64__

const LaneKernels& baseline_lane_kernels() {
    return inner::Tables<render::Baseline, inner::TinyByProcessor>::kernels;
}

const LaneKernels& lane_kernels() {
    return render::use_avx2() ? avx2_lane_kernels() : baseline_lane_kernels();
}

#else

const LaneKernels& lane_kernels() {
    return flushing_lane_kernels();
}

#endif

} // namespace pixmill::vivante

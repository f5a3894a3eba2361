// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include "lane_loops_inner.hpp"

#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante {

const LaneKernels& avx2_lane_kernels() {
    return inner::Tables<render::Avx2, inner::TinyByProcessor>::kernels;
}

} // namespace pixmill::vivante
#endif

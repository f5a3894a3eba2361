// SPDX-License-Identifier: GPL-2.0-or-later
#include "lane_loops_inner.hpp"

#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante {

const LaneKernels& flushing_lane_kernels() {
    return inner::Tables<render::Baseline, inner::TinyByLoops>::kernels;
}

} // namespace pixmill::vivante

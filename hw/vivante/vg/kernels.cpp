// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels.hpp"

#include "kernels_inner.hpp"
#include "render/cpu_dispatch.hpp"

namespace pixmill::vivante::vg {

const Kernels& baseline_kernels() {
    return inner::Tables<render::Baseline>::kernels;
}

const Kernels& kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return avx2_kernels();
#endif
    return baseline_kernels();
}

} // namespace pixmill::vivante::vg

// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include "kernels_inner.hpp"

#include "render/cpu_dispatch.hpp"

namespace pixmill::nema {

const RowKernels& avx2_row_kernels() {
    return inner::Tables<render::Avx2>::kernels;
}

} // namespace pixmill::nema
#endif

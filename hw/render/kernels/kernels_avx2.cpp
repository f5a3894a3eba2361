// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include "filter_avx2.hpp"
#include "kernels_inner.hpp"
#include "render/cpu_dispatch.hpp"

namespace pixmill::render {

namespace {

constexpr Kernels with_filters(Kernels kernels) {
    kernels.filter_column = inner::filter_column_avx2;
    kernels.filter_row = inner::filter_row_avx2;
    return kernels;
}

} // namespace

const Kernels& avx2_kernels() {
    static constexpr Kernels kernels = with_filters(inner::Tables<Avx2, 32>::kernels);
    return kernels;
}

} // namespace pixmill::render
#endif

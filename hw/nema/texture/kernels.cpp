// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels_inner.hpp"

#include "render/cpu_dispatch.hpp"

namespace pixmill::nema {

const TexelKernels& baseline_texel_kernels() {
    return inner::TexelTables<render::Baseline>::kernels;
}

const TexelKernels& texel_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return avx2_texel_kernels();
#endif
    return baseline_texel_kernels();
}

render::FetchKernel TexelKernels::unpack(const render::Format& layout) const {
    for (const WordConversion& conversion : conversions)
        if (conversion.layout == layout)
            return conversion.unpack;
    return render::kernels().unpack_any[2];
}

} // namespace pixmill::nema

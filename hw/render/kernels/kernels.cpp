// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels_inner.hpp"
#include "render/cpu_dispatch.hpp"

namespace pixmill::render {

const Kernels& baseline_kernels() {
    return inner::Tables<Baseline, 16>::kernels;
}

const Kernels& kernels() {
#ifdef __x86_64__
    if (use_avx2())
        return avx2_kernels();
#endif
    return baseline_kernels();
}

FetchKernel Kernels::unpack(const Format& format) const {
    for (const Conversion& conversion : conversions)
        if (conversion.format == format)
            return conversion.unpack;
    return unpack_any[size_index(format)];
}

StoreKernel Kernels::pack(const Format& format) const {
    for (const Conversion& conversion : conversions)
        if (conversion.format == format)
            return conversion.pack;
    return pack_any[size_index(format)];
}

} // namespace pixmill::render

// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include "isa.hpp"
#include "kernels_inner.hpp"

namespace pixmill::render {

const Kernels& avx2_kernels() {
    return inner::Tables<Avx2, 32>::kernels;
}

} // namespace pixmill::render
#endif

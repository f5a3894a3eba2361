// SPDX-License-Identifier: GPL-2.0-or-later
//
// As in render/kernels_avx2.cpp AVX2 is switched on for functions, not for the file.
#ifdef __x86_64__
#include "texel_kernels_inner.hpp"

namespace pixmill::nema {

namespace {

template<auto Loop>
struct Avx2;

template<class... Arguments, void (*Loop)(Arguments...)>
struct Avx2<Loop> {
    [[gnu::target("avx2")]] static void run(Arguments... arguments) { Loop(arguments...); }
};

} // namespace

const TexelKernels& avx2_texel_kernels() {
    return inner::TexelTables<Avx2>::kernels;
}

} // namespace pixmill::nema
#endif

// SPDX-License-Identifier: GPL-2.0-or-later
//
// AVX2 is switched on for functions, not for the file: see render/kernels_avx2.cpp.
#ifdef __x86_64__
#include "row_kernels_inner.hpp"

namespace pixmill::nema {

namespace {

template<auto Loop>
struct Avx2;

template<class... Arguments, void (*Loop)(Arguments...)>
struct Avx2<Loop> {
    [[gnu::target("avx2")]] static void run(Arguments... arguments) { Loop(arguments...); }
};

} // namespace

const RowKernels& avx2_row_kernels() {
    return inner::Tables<Avx2>::kernels;
}

} // namespace pixmill::nema
#endif

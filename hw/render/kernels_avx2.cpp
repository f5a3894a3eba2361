// SPDX-License-Identifier: GPL-2.0-or-later
//
// AVX2 is switched on for functions, not for the file: no inline function of a
// header may be compiled for it, the linker could choose that copy for everyone.
#ifdef __x86_64__
#include "kernels_inner.hpp"

namespace pixmill::render {

namespace {

template<auto Loop>
struct Avx2;

template<class... Arguments, void (*Loop)(Arguments...)>
struct Avx2<Loop> {
    [[gnu::target("avx2")]] static void run(Arguments... arguments) { Loop(arguments...); }
};

} // namespace

const Kernels& avx2_kernels() {
    return inner::Tables<Avx2>::kernels;
}

} // namespace pixmill::render
#endif

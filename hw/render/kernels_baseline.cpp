// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels_inner.hpp"

namespace pixmill::render {

namespace {

template<auto Loop>
struct Baseline;

template<class... Arguments, void (*Loop)(Arguments...)>
struct Baseline<Loop> {
    static void run(Arguments... arguments) { Loop(arguments...); }
};

} // namespace

const Kernels& baseline_kernels() {
    static constexpr Kernels table = inner::table<Baseline>();
    return table;
}

const Kernels& kernels() {
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return avx2_kernels();
#endif
    return baseline_kernels();
}

} // namespace pixmill::render

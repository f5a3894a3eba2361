// Loops, compiled for an instruction set.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::render {

/// True if the processor has AVX2, and its loops are to be used. Alone in isa.cpp: test
/// programs wrap it (tests/processor.cpp).
bool use_avx2();

// Internal to each file, as the loops are: an instantiation for AVX2 must not be taken for
// everyone's.
namespace {

template<auto Loop>
struct Baseline;

template<class Result, class... Arguments, Result (*Loop)(Arguments...)>
struct Baseline<Loop> {
    static Result run(Arguments... arguments) { return Loop(arguments...); }
};

#ifdef __x86_64__
/// AVX2 is switched on for functions, not for the file: no inline function of a header may be
/// compiled for it, the linker could choose that copy for everyone.
template<auto Loop>
struct Avx2;

template<class Result, class... Arguments, Result (*Loop)(Arguments...)>
struct Avx2<Loop> {
    [[gnu::target("avx2")]] static Result run(Arguments... arguments) { return Loop(arguments...); }
};
#endif

} // namespace

} // namespace pixmill::render

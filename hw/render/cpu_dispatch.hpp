// Compiles loops for an instruction set.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::render {

/// True if the processor has AVX2 and AVX2 loops should be used. In a separate file so that test
/// programs can wrap it (tests/processor.cpp).
bool use_avx2();

// Internal linkage, as for the loops: otherwise, the linker could use an AVX2 instantiation for
// other files.
namespace {

template<auto Loop>
struct Baseline;

template<class Result, class... Arguments, Result (*Loop)(Arguments...)>
struct Baseline<Loop> {
    static Result run(Arguments... arguments) { return Loop(arguments...); }
};

#ifdef __x86_64__
/// AVX2 is enabled per function, not per file. Otherwise inline functions of headers could be
/// compiled for it, and the linker could choose that copy for all files.
template<auto Loop>
struct Avx2;

template<class Result, class... Arguments, Result (*Loop)(Arguments...)>
struct Avx2<Loop> {
    [[gnu::target("avx2")]] static Result run(Arguments... arguments) { return Loop(arguments...); }
};
#endif

} // namespace

} // namespace pixmill::render

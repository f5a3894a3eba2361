// Flushes denormal numbers to zero in shader arithmetic.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace pixmill::vivante {

/// While an object exists, the thread's arithmetic and comparisons treat numbers below 2^-126 as
/// signed zeros (MXCSR.DAZ). Results that are below 2^-126 after rounding with an unbounded
/// exponent are flushed to signed zeros (MXCSR.FTZ). Without SSE the loops do this in software,
/// because aarch64's FPCR.FZ tests results before rounding, which gives different bytes.
class FlushTiny {
public:
    FlushTiny(const FlushTiny&) = delete;
    FlushTiny& operator=(const FlushTiny&) = delete;

#ifdef __x86_64__
    FlushTiny() : before_(_mm_getcsr()) {
        resume();
    }
    ~FlushTiny() {
        suspend();
    }

    /// Restores the mode from before the constructor.
    void suspend() {
        _mm_setcsr(before_);
    }
    void resume() {
        _mm_setcsr(before_ | flush_to_zero | denormals_are_zeros);
    }

private:
    static constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zeros = 1u << 6;
    const unsigned before_;
#else
    FlushTiny() {}
    ~FlushTiny() {}
    void suspend() {}
    void resume() {}
#endif
};

} // namespace pixmill::vivante

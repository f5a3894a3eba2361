// What shaders compute with has no numbers below 2^-126 but zeros.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace pixmill::vivante {

/// While one lives, arithmetic and comparisons of this thread take numbers below 2^-126 for zeros
/// with their sign (MXCSR.DAZ), and make such zeros where a result, rounded as if exponents had no
/// end, would be below 2^-126 (MXCSR.FTZ). Processors without SSE have their loops do the same:
/// aarch64's FPCR.FZ looks at results before they are rounded, which makes other bytes.
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

    /// As it was before.
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

// A processor that loses AVX2 when a test asks for it: linked in place of hw/render/isa.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "processor.hpp"

#include <atomic>

namespace pixmill::render {

namespace {
std::atomic<bool> portable{false};
} // namespace

bool use_avx2() {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2") && !portable.load(std::memory_order_relaxed);
#else
    return false;
#endif
}

void force_portable(bool force) {
    portable.store(force, std::memory_order_relaxed);
}

} // namespace pixmill::render

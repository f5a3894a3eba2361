// SPDX-License-Identifier: GPL-2.0-or-later
#include "cpu_dispatch.hpp"

namespace pixmill::render {

bool use_avx2() {
#ifdef __x86_64__
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

} // namespace pixmill::render

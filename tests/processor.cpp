// Hides the host's AVX2 from cores while a Portable(true) exists. The linker (--wrap) redirects all
// calls of render::use_avx2() to the __wrap_ function; the __real_ one is in
// hw/render/cpu_dispatch.cpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "processor.hpp"

#include <atomic>

namespace {
std::atomic<bool> is_portable{false};
} // namespace

extern "C" {
bool __real__ZN7pixmill6render8use_avx2Ev();

bool __wrap__ZN7pixmill6render8use_avx2Ev() {
    return !is_portable.load(std::memory_order_relaxed) && __real__ZN7pixmill6render8use_avx2Ev();
}
}

namespace pixmill::processor {

Portable::Portable(bool portable)
    : before_(is_portable.exchange(portable, std::memory_order_relaxed)) {}

Portable::~Portable() {
    is_portable.store(before_, std::memory_order_relaxed);
}

} // namespace pixmill::processor

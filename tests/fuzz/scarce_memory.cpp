/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scarce_memory.hpp"

#include <pixman.h>

#include <atomic>

namespace pixmill::fuzz {

namespace {

std::atomic<int64_t> left{kEndlessMemory};
std::atomic<bool> counted{false};

} // namespace

void grant_memory(int64_t requests) {
    left = requests;
}

bool memory_ended() {
    return left < 0;
}

void count_memory(bool of_core) {
    counted = of_core;
}

bool memory_refused() {
    return counted && left-- <= 0;
}

} // namespace pixmill::fuzz

/* ---- pixman's images --------------------------------------------------------- */

/*
 * pixman allocates with malloc().  The linker (--wrap) redirects the cores' calls of pixman to the
 * __wrap_ functions.
 */
extern "C" {
decltype(pixman_image_create_bits) __real_pixman_image_create_bits;
decltype(pixman_image_create_solid_fill) __real_pixman_image_create_solid_fill;

pixman_image_t* __wrap_pixman_image_create_bits(pixman_format_code_t format, int width, int height,
                                                uint32_t* bits, int stride) {
    return pixmill::fuzz::memory_refused()
               ? nullptr
               : __real_pixman_image_create_bits(format, width, height, bits, stride);
}

pixman_image_t* __wrap_pixman_image_create_solid_fill(const pixman_color_t* color) {
    return pixmill::fuzz::memory_refused() ? nullptr : __real_pixman_image_create_solid_fill(color);
}
}

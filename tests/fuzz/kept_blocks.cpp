/*
 * The fuzzers' operator new. It can refuse requests, and keeps large blocks for the next input.
 *
 * AddressSanitizer quarantines deleted memory for a long time, so most of an input's time would go
 * into mapping a core, touching its pages for the first time and unmapping it.  Free blocks are
 * poisoned here, so that a use after free is still found.
 *
 * libstdc++.so bypasses these operators, and may delete a block that they returned, for example a
 * string in libFuzzer's merge.  So every block comes from the original new, and is reused only if
 * it is still allocated.
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstddef>
#include <mutex>
#include <new>

#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>

#include "scarce_memory.hpp"

/* The linker (--wrap) sends operator new and delete to __wrap_; __real_ is the original. */
extern "C" {
void* __real__Znwm(size_t size);
void* __real__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment);
void __real__ZdlPv(void* at);
void __real__ZdlPvSt11align_val_t(void* at, std::align_val_t alignment);
}

namespace {

constexpr size_t kLarge = 0x2000;

struct Block {
    void* at;
    size_t size;
    std::align_val_t alignment; /* 0: allocated without an alignment */
    bool used;

    /* False if libstdc++.so has deleted the block.  Only AddressSanitizer can tell. */
    bool lives() const {
#if __has_feature(address_sanitizer)
        return __sanitizer_get_ownership(at) && __sanitizer_get_allocated_size(at) == size;
#else
        return true;
#endif
    }
};
Block blocks[64]; /* further blocks are not kept */
std::mutex mutex;

void* allocate(size_t size, std::align_val_t alignment) {
    return size_t(alignment) ? __real__ZnwmSt11align_val_t(size, alignment) : __real__Znwm(size);
}

void* take(size_t size, std::align_val_t alignment) {
    if (pixmill::fuzz::memory_refused())
        throw std::bad_alloc();
    if (size < kLarge)
        return allocate(size, alignment);
    const std::lock_guard guard(mutex);
    for (Block& block : blocks) {
        if (block.used && !block.lives())
            block = {};
        if (!block.at)
            block = {allocate(size, alignment), size, alignment, false};
        if (block.used || block.size != size || block.alignment != alignment)
            continue;
        block.used = true;
        ASAN_UNPOISON_MEMORY_REGION(block.at, size);
        return block.at;
    }
    return allocate(size, alignment);
}

bool give_back(void* at) {
    if (!at)
        return false;
    const std::lock_guard guard(mutex);
    for (Block& block : blocks) {
        if (block.at != at)
            continue;
        if (!block.used) /* double delete */
            __builtin_trap();
        if (!block.lives()) {
            block = {};
            return false;
        }
        ASAN_POISON_MEMORY_REGION(at, block.size);
        block.used = false;
        return true;
    }
    return false;
}

} // namespace

extern "C" {

void* __wrap__Znwm(size_t size) {
    return take(size, std::align_val_t{});
}

void* __wrap__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment) {
    return take(size, alignment);
}

void __wrap__ZdlPv(void* at) {
    if (!give_back(at))
        __real__ZdlPv(at);
}

void __wrap__ZdlPvSt11align_val_t(void* at, std::align_val_t alignment) {
    if (!give_back(at))
        __real__ZdlPvSt11align_val_t(at, alignment);
}
}

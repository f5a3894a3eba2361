/*
 * operator new of the fuzzers: large blocks are kept for the next input.
 *
 * AddressSanitizer does not use the memory of what has been deleted again for a long time.  So most
 * of what an input costs was to map a core, to touch its pages for the first time and to unmap it.
 * A block that is free here is poisoned, so that a use after its end is still found.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <cstddef>
#include <mutex>
#include <new>

#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, size) ((void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(at, size) ((void)(size))
#endif

/* The linker sends operator new and delete to __wrap_, and __real_ to where they went. */
extern "C" {
void* __real__Znwm(size_t size);
void* __real__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment);
void __real__ZdlPv(void* at);
void __real__ZdlPvSt11align_val_t(void* at, std::align_val_t alignment);
}

namespace {

constexpr size_t kLarge = 0x2000;
constexpr std::align_val_t kAlignment{64};

struct Block {
    void* at;
    size_t size;
    bool used;
};
Block blocks[64]; /* further ones come and go */
std::mutex mutex;

void* take(size_t size) {
    if (size < kLarge)
        return nullptr;
    const std::lock_guard guard(mutex);
    for (Block& block : blocks) {
        if (!block.at)
            block = {__real__ZnwmSt11align_val_t(size, kAlignment), size, false};
        if (block.used || block.size != size)
            continue;
        block.used = true;
        ASAN_UNPOISON_MEMORY_REGION(block.at, size);
        return block.at;
    }
    return nullptr;
}

bool give_back(void* at) {
    if (!at)
        return false;
    const std::lock_guard guard(mutex);
    for (Block& block : blocks) {
        if (block.at != at)
            continue;
        ASAN_POISON_MEMORY_REGION(at, block.size);
        block.used = false;
        return true;
    }
    return false;
}

} // namespace

extern "C" {

void* __wrap__Znwm(size_t size) {
    void* at = take(size);
    return at ? at : __real__Znwm(size);
}

void* __wrap__ZnwmSt11align_val_t(size_t size, std::align_val_t alignment) {
    void* at = alignment <= kAlignment ? take(size) : nullptr;
    return at ? at : __real__ZnwmSt11align_val_t(size, alignment);
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

/*
 * Large blocks of memory that are reused, because ASan maps each large allocation anew, and page
 * faults would dominate the tests.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_RECYCLED_HPP
#define PIXMILL_TESTS_UNIT_RECYCLED_HPP

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#define PIXMILL_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PIXMILL_TEST_ASAN 1
#endif
#endif
#ifdef PIXMILL_TEST_ASAN
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(addr, size) ((void)(addr), (void)(size))
#endif

namespace pixmill::test {

/* Returns a block of zeros; aborts without memory. Any thread. */
uint8_t* take_zeros(size_t bytes);

/* Takes a block of take_zeros() back, with its size. ASan reports later accesses to it. */
void give_back(uint8_t* block, size_t bytes);

/* An allocator that reuses large blocks. */
template<typename T>
struct Recycled {
    using value_type = T;
    Recycled() = default;
    template<typename U>
    explicit Recycled(const Recycled<U>& /*other*/) {}
    T* allocate(size_t count) { return reinterpret_cast<T*>(take_zeros(count * sizeof(T))); }
    void deallocate(T* block, size_t count) {
        give_back(reinterpret_cast<uint8_t*>(block), count * sizeof(T));
    }
    bool operator==(const Recycled&) const = default;
};

using Bytes = std::vector<uint8_t, Recycled<uint8_t>>;

} // namespace pixmill::test

#endif

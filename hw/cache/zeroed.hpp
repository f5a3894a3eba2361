// An array of zeros that takes memory only where it is used.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace pixmill::cache {

/// `count` values of type T whose bytes are all 0. The host allocates a page at its first use.
template<class T>
requires std::is_trivially_copyable_v<T>
class Zeroed {
public:
    explicit Zeroed(size_t count)
        : items_(static_cast<T*>(std::calloc(count, sizeof(T)))), size_(count) {
        if (!items_)
            throw std::bad_alloc();
    }

    T& operator[](size_t index) {
        __glibcxx_assert(index < size_);
        return items_.get()[index];
    }
    const T& operator[](size_t index) const {
        __glibcxx_assert(index < size_);
        return items_.get()[index];
    }
    T* data() { return items_.get(); }
    size_t size() const { return size_; }

private:
    struct Free {
        void operator()(T* items) const { std::free(items); }
    };
    std::unique_ptr<T, Free> items_;
    size_t size_;
};

} // namespace pixmill::cache

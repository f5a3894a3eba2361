// Words of pixels in memory, for the loops of kernels_inner.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bit>

#include "kernels.hpp"

namespace pixmill::render::inner {

static_assert(std::endian::native == std::endian::little, "pixels are little-endian words");

/// A word of pixels without alignment or aliasing restrictions.
template<class T>
struct Anywhere {
    using type [[gnu::aligned(1), gnu::may_alias]] = T;
};
template<class T>
using In = const typename Anywhere<T>::type*;
template<class T>
using Out = typename Anywhere<T>::type*;

/// A vector of 32 bytes.
template<class Word>
struct Vector32 {
    typedef Word type __attribute__((vector_size(32)));
};
using Words8 = Vector32<uint32_t>::type;

} // namespace pixmill::render::inner

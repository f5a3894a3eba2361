// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernels.hpp"

#include "lod_inner.hpp"
#include "render/cpu_dispatch.hpp"
#include "texels_inner.hpp"
#include "vivante/3d/srgb.hpp"

namespace pixmill::vivante::te {

namespace {

template<template<auto> class Isa, Wrap wrap>
constexpr std::array<TeKernels::AxisKernel, 2> axes{Isa<inner::axis<wrap, false>>::run,
                                                    Isa<inner::axis<wrap, true>>::run};

template<template<auto> class Isa>
constexpr TeKernels kernels_for{
    Isa<inner::differences>::run,
    Isa<inner::project>::run,
    Isa<inner::project_change>::run,
    Isa<inner::square>::run,
    Isa<inner::lod>::run,
    Isa<inner::lengths>::run,
    Isa<inner::one_level>::run,
    Isa<inner::taps>::run,
    Isa<inner::step>::run,
    Isa<inner::add_tap>::run,
    Isa<inner::average>::run,
    Isa<inner::add>::run,
    Isa<inner::add_constant>::run,
    Isa<inner::select>::run,
    Isa<inner::next>::run,
    Isa<inner::sizes>::run,
    Isa<inner::layers>::run,
    {axes<Isa, Wrap::repeat>, axes<Isa, Wrap::mirrored_repeat>, axes<Isa, Wrap::clamp_to_edge>,
     axes<Isa, Wrap::clamp_to_border>},
    {Isa<inner::column<Order::linear>>::run, Isa<inner::column<Order::tiled>>::run,
     Isa<inner::column<Order::super_tiled>>::run, Isa<inner::column<Order::new_super_tiled>>::run},
    {Isa<inner::row<Order::linear>>::run, Isa<inner::row<Order::tiled>>::run,
     Isa<inner::row<Order::super_tiled>>::run, Isa<inner::row<Order::new_super_tiled>>::run},
    Isa<inner::pairs>::run,
    Isa<inner::blank>::run,
    Isa<inner::nearest>::run,
    Isa<inner::bilinear>::run,
    Isa<inner::mix>::run,
    Isa<inner::choose>::run,
};

// ---- Constants ---------------------------------------------------------------------------------

constexpr std::array<float, 256> make_srgb_curve() {
    std::array<float, 256> curve{};
    for (int i = 0; i < 256; i++) {
        curve[unsigned(i)] = float(srgb_to_linear(i / 255.0));
    }
    return curve;
}

constexpr std::array<float, 256> srgb = make_srgb_curve();

} // namespace

const float* srgb_curve() {
    return srgb.data();
}

void set_scale(ChannelOf& channel, uint32_t largest) {
    // `high` holds the bits of 1 / largest from 2^-width to 2^-23, so its product with a
    // `width`-bit number fits in the 24 bits of a float.
    constexpr double unit = 0x1p23;
    const double scale = 1.0 / largest, high = double(uint32_t(scale * unit)) / unit;
    channel.high = float(high);
    channel.rest = float(scale - high);
}

const TeKernels& te_kernels() {
#ifdef __x86_64__
    if (render::use_avx2())
        return kernels_for<render::Avx2>;
#endif
    return kernels_for<render::Baseline>;
}

} // namespace pixmill::vivante::te

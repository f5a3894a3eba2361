// The loops of lane_loops.hpp. They are inlined into functions for different instruction sets, and
// simple enough for the compiler to vectorize them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <utility>

#include "lane_functions.hpp"

namespace pixmill::vivante::inner {

// ---- Loops -------------------------------------------------------------------

/// A component of operand n of a loop: lanes, or a uniform for all lanes.
template<Form form, unsigned n>
class Values {
public:
    PIXMILL_INNER Values(const Operand& operand, unsigned component, const Lanes* file,
                         const float* uniforms)
        : keep_(operand.keep), flip_(operand.flip) {
        if constexpr (uniform)
            value_ = changed(uniforms[operand.at[component]]);
        else
            lanes_ = file[operand.at[component]].f.data();
    }
    PIXMILL_INNER float operator[](unsigned lane) const {
        if constexpr (uniform)
            return value_;
        else
            return changed(lanes_[lane]);
    }

private:
    static constexpr bool uniform = form >> n & 1;

    PIXMILL_INNER float changed(float x) const {
        if constexpr (form & modified_form)
            return real((bits(x) & keep_) ^ flip_);
        else
            return x;
    }

    const float* lanes_ = nullptr;
    float value_ = 0;
    uint32_t keep_, flip_;
};

// A result may be the same Lanes as an operand, but they never overlap partially.
#ifdef __clang__
#define PIXMILL_NO_ALIASING
#else
#define PIXMILL_NO_ALIASING _Pragma("GCC ivdep")
#endif

/// Computes each component of the result separately.
template<class Function, Form form>
PIXMILL_INNER void by_component(const LaneWork& work, Lanes* file, const float* uniforms) {
    for (unsigned n = 0; n < work.count; n++) {
        const unsigned c = work.component[n];
        const Values<form, 0> a(work.source[0], c, file, uniforms);
        const Values<form, 1> b(work.source[1], c, file, uniforms);
        const Values<form, 2> d(work.source[2], c, file, uniforms);
        float* const to = file[work.to + c].f.data();
        PIXMILL_NO_ALIASING
        for (unsigned i = 0; i < lane_count; i++) {
            if constexpr (Function::sources == 1)
                to[i] = Function::apply(a[i]);
            else if constexpr (Function::sources == 2)
                to[i] = Function::apply(a[i], b[i]);
            else
                to[i] = Function::apply(a[i], b[i], d[i]);
        }
    }
}

/// Computes the dot product of the first `length` components and writes it to all components of the
/// result.
template<class Tiny, unsigned length, Form form>
PIXMILL_INNER void dot_product(const LaneWork& work, Lanes* file, const float* uniforms) {
    const auto values_a = [&](unsigned c) {
        return Values<form, 0>(work.source[0], c, file, uniforms);
    };
    const auto values_b = [&](unsigned c) {
        return Values<form, 1>(work.source[1], c, file, uniforms);
    };
    constexpr unsigned third = length > 2 ? 2 : 1;
    const auto ax = values_a(0), ay = values_a(1), az = values_a(third), aw = values_a(length - 1);
    const auto bx = values_b(0), by = values_b(1), bz = values_b(third), bw = values_b(length - 1);
    Lanes& to = file[work.to + work.component[0]];
    PIXMILL_NO_ALIASING
    for (unsigned i = 0; i < lane_count; i++) {
        float sum = Tiny::result(Tiny::product(ax[i], bx[i]) + Tiny::product(ay[i], by[i]));
        if constexpr (length > 2)
            sum = Tiny::result(sum + Tiny::product(az[i], bz[i]));
        if constexpr (length == 4)
            sum = Tiny::result(sum + Tiny::product(aw[i], bw[i]));
        to.f[i] = canonical(sum);
    }
    for (unsigned n = 1; n < work.count; n++)
        file[work.to + work.component[n]] = to;
}

/// Computes the difference between neighbors in a quad that are `step` lanes apart.
template<class Tiny, unsigned step>
PIXMILL_INNER void derivative(const LaneWork& work, Lanes* file, const float*) {
    for (unsigned n = 0; n < work.count; n++) {
        const unsigned c = work.component[n];
        const Lanes from = file[work.source[0].at[c]];
        Lanes& to = file[work.to + c];
        for (unsigned i = 0; i < lane_count; i++)
            to.f[i] = canonical(
                Tiny::result(Tiny::number(from.f[i | step]) - Tiny::number(from.f[i & ~step])));
    }
}

// ---- Tables ------------------------------------------------------------------

constexpr bool has_form(unsigned sources, Form form) {
    return (form & ~modified_form) < 1u << sources;
}

template<template<auto> class Runner, class Tiny>
struct Tables {
    template<class Function, Form form>
    static constexpr LaneKernel component_kernel = Runner<&by_component<Function, form>>::run;

    template<Form form>
    static constexpr void add_form(LaneKernels& table) {
        add_form<Move, form>(table, Loop::move);
        add_form<MoveSaturated<Tiny>, form>(table, Loop::move_saturated);
        add_form<Add<Tiny>, form>(table, Loop::add);
        add_form<Mul<Tiny>, form>(table, Loop::mul);
        add_form<Mad<Tiny>, form>(table, Loop::mad);
        add_form<Select<Tiny, Condition::gt>, form>(table, Loop::select_gt);
        add_form<Select<Tiny, Condition::lt>, form>(table, Loop::select_lt);
        add_form<Select<Tiny, Condition::nz>, form>(table, Loop::select_nz);
        add_form<Set<Tiny, Condition::gt>, form>(table, Loop::set_gt);
        add_form<Set<Tiny, Condition::lt>, form>(table, Loop::set_lt);
        add_form<Set<Tiny, Condition::ge>, form>(table, Loop::set_ge);
        add_form<Set<Tiny, Condition::le>, form>(table, Loop::set_le);
        add_form<Set<Tiny, Condition::eq>, form>(table, Loop::set_eq);
        add_form<Set<Tiny, Condition::ne>, form>(table, Loop::set_ne);
        if constexpr (has_form(2, form)) {
            table.by_loop[size_t(Loop::dp2)][form] = Runner<&dot_product<Tiny, 2, form>>::run;
            table.by_loop[size_t(Loop::dp3)][form] = Runner<&dot_product<Tiny, 3, form>>::run;
            table.by_loop[size_t(Loop::dp4)][form] = Runner<&dot_product<Tiny, 4, form>>::run;
        }
    }
    template<class Function, Form form>
    static constexpr void add_form(LaneKernels& table, Loop loop) {
        if constexpr (has_form(Function::sources, form))
            table.by_loop[size_t(loop)][form] = component_kernel<Function, form>;
    }

    template<class Function>
    static constexpr void add(LaneKernels& table, Loop loop) {
        add_form<Function, 0>(table, loop);
    }

    template<Condition condition>
    static constexpr void add_condition(LaneKernels& table) {
        add<Compare<Tiny, float, condition>>(table, Loop::compare_f32 + condition);
        add<Compare<Tiny, int32_t, condition>>(table, Loop::compare_s32 + condition);
        add<Compare<Tiny, uint32_t, condition>>(table, Loop::compare_u32 + condition);
    }

    template<class Number>
    static constexpr void add_type(LaneKernels& table, Type type) {
        add<ToInteger<Number>>(table, Loop::to_integer + type);
        add<RoundToInteger<Number>>(table, Loop::round_to_integer + type);
        add<ToFloat<Number>>(table, Loop::to_float + type);
        add<Narrow<Number>>(table, Loop::narrow + type);
    }

    static constexpr void add_functions(LaneKernels& table) {
        add<Rcp<Tiny>>(table, Loop::rcp);
        add<Rsq<Tiny>>(table, Loop::rsq);
        add<Sqrt<Tiny>>(table, Loop::sqrt);
        add<Exp<Tiny>>(table, Loop::exp);
        add<Log<Tiny>>(table, Loop::log);
        add<Sine<Tiny, 0>>(table, Loop::sin);
        add<Sine<Tiny, 1>>(table, Loop::cos);
        add<Divide<Tiny>>(table, Loop::divide);
        add<ClampToRange<Tiny>>(table, Loop::clamp0_max);
        add<NormMul<Tiny>>(table, Loop::norm_mul);
        add<Integer1<half_bits>>(table, Loop::to_half);
        add<Integer1<float_bits>>(table, Loop::from_half);
        add<Frc<Tiny>>(table, Loop::frc);
        add<Floor<Tiny>>(table, Loop::floor);
        add<Ceil<Tiny>>(table, Loop::ceil);
        add<Sign<Tiny>>(table, Loop::sign);
        add<Pick>(table, Loop::pick);
        add<One>(table, Loop::one);
        add<ToAddress>(table, Loop::to_address);
        table.by_loop[size_t(Loop::dsx)][0] = Runner<&derivative<Tiny, 1>>::run;
        table.by_loop[size_t(Loop::dsy)][0] = Runner<&derivative<Tiny, 2>>::run;
    }

    static constexpr void add_integers(LaneKernels& table) {
        add<Integer2<integer_add>>(table, Loop::integer_add);
        add<Integer2<add_saturated<int32_t>>>(table, Loop::integer_add_saturated);
        add<Integer2<add_saturated<uint32_t>>>(table, Loop::unsigned_add_saturated);
        add<Integer2<multiply_low>>(table, Loop::multiply_low);
        add<Integer2<multiply_high<int64_t, int32_t>>>(table, Loop::multiply_high);
        add<Integer2<multiply_high<uint64_t, uint32_t>>>(table, Loop::unsigned_multiply_high);
        add<Integer3<multiply_add_low>>(table, Loop::multiply_add_low);
        add<Integer3<multiply_add_saturated>>(table, Loop::multiply_add_saturated);
        add<Integer2<divided<int32_t>>>(table, Loop::integer_divide);
        add<Integer2<divided<uint32_t>>>(table, Loop::unsigned_divide);
        add<Integer2<remainder<int32_t>>>(table, Loop::integer_remainder);
        add<Integer2<remainder<uint32_t>>>(table, Loop::unsigned_remainder);
        add<Integer1<integer_sign>>(table, Loop::integer_sign);
        add<Integer1<integer_absolute>>(table, Loop::integer_absolute);
        add<Integer1<integer_negate>>(table, Loop::integer_negate);
        add<Integer1<leading_zeros>>(table, Loop::leading_zeros);
        add<Integer1<count_ones>>(table, Loop::count_ones);
        add<Integer1<reverse_bits>>(table, Loop::reverse_bits);
        add<Integer1<find_lowest>>(table, Loop::find_lowest);
        add<Integer1<find_highest<int32_t>>>(table, Loop::find_highest);
        add<Integer1<find_highest<uint32_t>>>(table, Loop::unsigned_find_highest);
        add<Integer3<extract<int32_t>>>(table, Loop::extract);
        add<Integer3<extract<uint32_t>>>(table, Loop::unsigned_extract);
        add<Integer2<shift_left>>(table, Loop::shift_left);
        add<Integer2<shift_right<int32_t>>>(table, Loop::shift_right);
        add<Integer2<shift_right<uint32_t>>>(table, Loop::unsigned_shift_right);
        add<Integer2<rotate>>(table, Loop::rotate);
        add<Integer2<bitwise_or>>(table, Loop::bitwise_or);
        add<Integer2<bitwise_and>>(table, Loop::bitwise_and);
        add<Integer2<bitwise_xor>>(table, Loop::bitwise_xor);
        add<Integer1<bitwise_not>>(table, Loop::bitwise_not);
        add_type<int32_t>(table, Type::f32);
        add_type<int32_t>(table, Type::s32);
        add_type<int8_t>(table, Type::s8);
        add_type<uint16_t>(table, Type::u16);
        add_type<int32_t>(table, Type::f16);
        add_type<int16_t>(table, Type::s16);
        add_type<uint32_t>(table, Type::u32);
        add_type<uint8_t>(table, Type::u8);
    }

    static constexpr LaneKernels make() {
        LaneKernels table;
        [&]<size_t... code>(std::index_sequence<code...>) {
            (add_form<Form(code)>(table), ...);
            (add_condition<Condition(code)>(table), ...);
        }
        (std::make_index_sequence<16>());
        add_functions(table);
        add_integers(table);
        return table;
    }
    static_assert(form_count == 16 && condition_count == 16);

    static constexpr LaneKernels kernels = make();
};

#undef PIXMILL_NO_ALIASING
#undef PIXMILL_INNER

} // namespace pixmill::vivante::inner

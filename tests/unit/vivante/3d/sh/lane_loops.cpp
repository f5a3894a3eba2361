// The loops for processors that cannot flush tiny numbers to zero do this in software. They must
// have the same results as the loops for this processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#ifdef __x86_64__
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <memory>
#include <random>

#include "../../../../random_setting.hpp"
#include "render/cpu_dispatch.hpp"
#include "vivante/3d/sh/flush_tiny.hpp"
#include "vivante/3d/sh/lane_loops.hpp"

namespace pixmill::vivante {
namespace {

constexpr unsigned lanes_count = 40, uniform_floats = 16;

class LaneLoops : public testing::Test {
protected:
    struct File {
        alignas(64) std::array<Lanes, lanes_count> lanes;
        std::array<float, uniform_floats> uniforms;
    };

    /// Returns a random number. Most are tiny, or have tiny products or quotients.
    float number() {
        constexpr uint32_t edges[] = {0x00000000, 0x00000001, 0x007FFFFF, 0x00800000, 0x00800001,
                                      0x00FFFFFF, 0x3F7FFFFF, 0x3F800000, 0x7E800000, 0x7F7FFFFF,
                                      0x7F800000, 0x7FC00000, 0x3F000000, 0x20000000};
        const uint32_t word = random_();
        uint32_t bits = word;
        switch (random_() % 4) {
        case 0:
            bits = edges[word % std::size(edges)] | (word & 0x80000000);
            break;
        case 1: // near 2^-63
            bits = (word & 0x80FFFFFF) + 0x1F800000;
            break;
        case 2: // near 2^-126
            bits = word & 0x81FFFFFF;
            break;
        default:
            break;
        }
        return std::bit_cast<float>(bits);
    }
    void fill(File& file) {
        for (Lanes& lanes : file.lanes)
            for (float& x : lanes.f)
                x = number();
        for (float& x : file.uniforms)
            x = number();
    }
    LaneWork work(Loop loop, Form form) {
        LaneWork work;
        work.loop = loop;
        work.form = form;
        work.count = 4;
        work.component = {0, 1, 2, 3};
        work.to = 36; // is not also an operand
        for (unsigned n = 0; n < 3; n++) {
            for (uint16_t& at : work.source[n].at)
                at = uint16_t(random_() % (form >> n & 1 ? uniform_floats : 36));
            if (form & modified_form) {
                work.source[n].keep = random_() % 2 ? 0x7FFFFFFF : 0xFFFFFFFF;
                work.source[n].flip = random_() % 2 ? 0x80000000 : 0;
            }
        }
        return work;
    }
    void expect_same(Loop loop, Form form, const LaneKernels& kernels) {
        const LaneKernels& others = flushing_lane_kernels();
        ASSERT_EQ(kernels.by_loop[size_t(loop)][form] == nullptr,
                  others.by_loop[size_t(loop)][form] == nullptr);
        if (!kernels.by_loop[size_t(loop)][form])
            return;
        fill(*by_processor_);
        *by_loops_ = *by_processor_;
        const LaneWork what = work(loop, form);
        {
            const FlushTiny flush_tiny;
            kernels.run(what, by_processor_->lanes.data(), by_processor_->uniforms.data());
        }
        others.run(what, by_loops_->lanes.data(), by_loops_->uniforms.data());
        ASSERT_EQ(std::memcmp(by_processor_.get(), by_loops_.get(), sizeof(File)), 0)
            << unsigned(loop) << ", form " << unsigned(form);
    }

    std::mt19937 random_;

private:
    const std::unique_ptr<File> by_processor_ = std::make_unique<File>(),
                                by_loops_ = std::make_unique<File>();
};

TEST_F(LaneLoops, MakeTheProcessorsZeros) {
    RandomCases rounds(200);
    for (const auto [seed, number] : rounds) {
        random_.seed(uint32_t(seed * 1'000'003 + number));
        for (unsigned loop = 0; loop < unsigned(Loop::count); loop++)
            for (unsigned form = 0; form < form_count; form++) {
                expect_same(Loop(loop), Form(form), baseline_lane_kernels());
                if (render::use_avx2())
                    expect_same(Loop(loop), Form(form), avx2_lane_kernels());
                ASSERT_FALSE(HasFatalFailure())
                    << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
            }
    }
}

} // namespace
} // namespace pixmill::vivante
#endif

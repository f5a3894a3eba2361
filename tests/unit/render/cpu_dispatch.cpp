// Compares the kernels that are selected for the host with the CPU features that Linux lists.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "render/cpu_dispatch.hpp"
#include "tests/processor.hpp"

namespace pixmill::render {
namespace {

bool host_has_avx2() {
#ifdef __x86_64__
    std::ifstream file("/proc/cpuinfo");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_NE(text.find(" sse2 "), std::string::npos) << "every 64-bit CPU has it";
    return text.find(" avx2 ") != std::string::npos;
#else
    return false;
#endif
}

TEST(RenderCpuDispatch, ReportsAvx2OfTheHost) {
    EXPECT_EQ(use_avx2(), host_has_avx2());
}

TEST(RenderCpuDispatch, LacksAvx2WhileATestDisablesIt) {
    {
        const processor::Portable portable;
        EXPECT_FALSE(use_avx2());
        {
            const processor::Portable native(false);
            EXPECT_EQ(use_avx2(), host_has_avx2());
        }
        EXPECT_FALSE(use_avx2());
    }
    EXPECT_EQ(use_avx2(), host_has_avx2());
}

} // namespace
} // namespace pixmill::render

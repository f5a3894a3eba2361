// The program cache: finding and dropping programs, and the time when they are compiled.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "assembler.hpp"
#include "vivante/3d/sh/program_cache.hpp"

namespace pixmill::vivante {
namespace {

using namespace test;

/// Returns a different program for each number.
std::vector<uint32_t> words(unsigned number, unsigned length = 1) {
    std::vector<Ins> code(
        length,
        {.op = Opcode::mul, .dst = to(1), .src = {t(number / 64 % 64), t(number % 64), none}});
    return encode(code);
}

TEST(VivanteProgramCache, FindsAProgramAgain) {
    ProgramCache cache(JitMode::never);
    const auto first = cache.find(words(1), all_components(), {});
    const auto second = cache.find(words(2), all_components(), {});
    EXPECT_NE(first, second);
    EXPECT_EQ(cache.find(words(1), all_components(), {}), first);
    EXPECT_EQ(cache.find(words(2), all_components(), {}), second);
    EXPECT_EQ(cache.size(), 2u);
    // If other components are read afterwards, the same words are a different program, because dead
    // code is removed.
    Components little{};
    little[1] = 1;
    EXPECT_NE(cache.find(words(1), little, {}), first);
    EXPECT_NE(cache.find(words(1), all_components(), little), first);
    EXPECT_EQ(cache.size(), 4u);
}

TEST(VivanteProgramCache, ForgetsWhatHasNotBeenAskedForLongest) {
    ProgramCache cache(JitMode::never);
    const auto kept = cache.find(words(0), all_components(), {});
    const std::weak_ptr<CachedProgram> lost = cache.find(words(1), all_components(), {});
    for (unsigned n = 2; n < 1 + ProgramCache::most_programs; n++) {
        EXPECT_EQ(cache.find(words(0), all_components(), {}), kept);
        cache.find(words(n), all_components(), {});
    }
    EXPECT_EQ(cache.size(), ProgramCache::most_programs);
    EXPECT_TRUE(lost.expired());
    EXPECT_EQ(cache.find(words(0), all_components(), {}), kept);
}

TEST(VivanteProgramCache, IsBoundInBytes) {
    ProgramCache cache(JitMode::always);
    for (unsigned n = 0; n < 200; n++) {
        const auto program = cache.find(words(n, 512), all_components(), {});
        cache.compile_if_due(*program);
        EXPECT_LE(cache.bytes(), ProgramCache::most_bytes);
    }
    EXPECT_GT(cache.size(), 2u);
    EXPECT_LE(cache.size(), ProgramCache::most_programs);
}

TEST(VivanteProgramCache, CompilesWhatIsHot) {
    if (!jit::can_compile())
        GTEST_SKIP() << "no compiler for this host, or in this build";
    ProgramCache cache(JitMode::hot);
    const auto program = cache.find(words(1), all_components(), {});
    program->note(65535);
    cache.compile_if_due(*program);
    EXPECT_FALSE(program->compiled());
    program->note(1);
    cache.compile_if_due(*program);
    const jit::CompiledProgram* const compiled = program->compiled();
    EXPECT_TRUE(compiled);
    cache.compile_if_due(*program);
    EXPECT_EQ(program->compiled(), compiled); // is not compiled again
}

TEST(VivanteProgramCache, NeverOrAlways) {
    ProgramCache never(JitMode::never);
    const auto cold = never.find(words(1), all_components(), {});
    cold->note(UINT32_MAX);
    never.compile_if_due(*cold);
    EXPECT_FALSE(cold->compiled());
    ProgramCache always(JitMode::always);
    const auto warm = always.find(words(1), all_components(), {});
    always.compile_if_due(*warm);
    EXPECT_EQ(warm->compiled() != nullptr, jit::can_compile());
}

} // namespace
} // namespace pixmill::vivante

// Compares what a core reports to a host that watches with what it accesses.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>

#include "../../random_setting.hpp"
#include "../../reference/nema/nema.hpp"
#include "../watched_bytes.hpp"
#include "device.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

std::vector<uint8_t> play(const NemaCase& c, const std::vector<uint8_t>& before, bool watched,
                          std::vector<Transfer>* accesses = nullptr) {
    NemaWays ways(c.number);
    ways.watched = watched;
    NemaDevice device(ways, before);
    EXPECT_TRUE(device.play(c));
    EXPECT_EQ(device.host.violations(), std::vector<std::string>{});
    if (accesses)
        *accesses = device.host.accesses();
    return device.memory();
}

void check(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    std::vector<Transfer> accesses;
    const std::vector<uint8_t> after = play(c, before, true, &accesses);
    ASSERT_EQ(after, play(c, before, false)) << "watching changes pixels";
    const WatchedBytes bytes(accesses, kNemaRam, kNemaRamSize);
    for (size_t i = 0; i < after.size(); i++)
        ASSERT_TRUE(after[i] == before[i] || bytes.written[i])
            << "byte " << i << " is not reported";
    const std::vector<uint8_t> other = play(c, bytes.scramble(before), true);
    ASSERT_EQ(bytes.differences(after, other), 0u) << "a byte that matters is not reported";
}

/// Checks that all bytes that are reported as read are read by the reference.
void check_reads(const NemaCase& c) {
    const std::vector<uint8_t> before = nema_case_memory(c);
    std::vector<Transfer> accesses;
    play(c, before, true, &accesses);
    std::erase_if(accesses, [](const Transfer& a) { return a.transfer == PIXMILL_TRANSFER_WRITE; });
    const WatchedBytes bytes(accesses, kNemaRam, kNemaRamSize);
    reference::NemaMemory memory{kNemaRam, before, std::vector<bool>(kNemaRamSize)};
    reference::NemaReference model(memory);
    for (const NemaWrite& write : c.writes)
        model.write(write.offset, write.value);
    for (size_t i = 0; i < kNemaRamSize; i++)
        ASSERT_TRUE(memory.read[i] || !bytes.any[i]) << "byte " << i << " is not read";
}

void check_all(NemaCase (*make)(uint64_t seed, uint64_t number),
               void (*check_case)(const NemaCase&)) {
    RandomCases cases(300);
    for (const auto [seed, number] : cases) {
        const NemaCase c = make(seed, number);
        check_case(c);
        ASSERT_FALSE(testing::Test::HasFatalFailure())
            << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
            << describe(c);
    }
}

TEST(NemaWatched, ReportsWhatMatters) {
    check_all(make_nema_case, check);
}

TEST(NemaWatched, ReportsWhatMattersInBlits) {
    check_all(make_nema_blits, check);
}

TEST(NemaWatched, ReportsNoOtherReads) {
    check_all(make_nema_case, check_reads);
}

TEST(NemaWatched, ReportsNoOtherReadsInBlits) {
    check_all(make_nema_blits, check_reads);
}

// ---- Exact ranges ------------------------------------------------------------------

using nema::kBlendMode, nema::kCodePtr, nema::kDrawCmd, nema::kEndXy, nema::kStartXy;

constexpr uint32_t kImage = kSram + 0x4000, kPitch = 64;

/// Makes an image of `side` by `side` words, and a target of 16 by 8 words at kSram.
void prepare_blit(Nema& gpu, uint32_t side) {
    constexpr uint32_t program = 0x141F801F, tex1 = 0x10, rgba = 0x01000000;
    gpu.target(kSram, kPitch / 4, 8, 0);
    gpu.set({{nema::kTex0Base + tex1, kImage},
             {nema::kTex0Fstride + tex1, rgba | kPitch},
             {nema::kTex0Resxy + tex1, side << 16 | side},
             {kCodePtr, program}});
}

/// Draws a rectangle, and returns the bytes that are reported.
WatchedBytes blit(Nema& gpu, uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
    gpu.set({{kStartXy, top << 16 | left}, {kEndXy, bottom << 16 | right}, {kDrawCmd, 2}});
    return {gpu.host.accesses(), kSram, kSramSize};
}

/// The bytes of words [left, right) of rows [top, bottom) at each address.
std::vector<bool> rows(std::initializer_list<uint32_t> bases, uint32_t left, uint32_t top,
                       uint32_t right, uint32_t bottom) {
    std::vector<bool> bytes(kSramSize);
    for (const uint32_t base : bases)
        for (uint32_t y = top; y < bottom; y++)
            for (uint32_t at = 4 * left; at < 4 * right; at++)
                bytes[base - kSram + y * kPitch + at] = true;
    return bytes;
}

TEST(NemaWatched, ABlitAccessesItsRowsOnly) {
    Nema gpu({.watched = true});
    prepare_blit(gpu, 8);
    const WatchedBytes bytes = blit(gpu, 2, 1, 6, 3);
    EXPECT_EQ(bytes.any, rows({kSram, kImage}, 2, 1, 6, 3));
    EXPECT_EQ(bytes.written, rows({kSram}, 2, 1, 6, 3));
}

// ---- Texels -------------------------------------------------------------------------

using nema::kClipMax, nema::kClipMin, nema::kImemAddr, nema::kImemHigh, nema::kImemLow, nema::kMm00,
    nema::kMm02, nema::kMm12;
using Writes = std::vector<std::pair<uint32_t, uint32_t>>;

/// A core that is watched, and the reference that does the same. Both have a target of 4 by 4 words
/// at kSram and an image of 4 by 4 different words at kImage.
class Twins {
public:
    explicit Twins(uint32_t mode = 0) {
        constexpr uint32_t tex1 = 0x10, rgba = 0x01000000 | kPitch, size = kSide << 16 | kSide;
        for (uint32_t i = 0; i < kSide * kSide; i++)
            set_word(texel(i % kSide, i / kSide), 0xFF000001 * (i + 1));
        set({{nema::kTex0Base, kSram},
             {nema::kTex0Fstride, rgba},
             {nema::kTex0Resxy, size},
             {nema::kTex0Base + tex1, kImage},
             {nema::kTex0Fstride + tex1, mode << 16 | rgba},
             {nema::kTex0Resxy + tex1, size},
             {kClipMin, 0},
             {kClipMax, size},
             {kBlendMode, 1},
             {kCodePtr, 0x141F801F}, // TEX1 to T0, then the program below
             {kImemAddr, 31},
             {kImemLow, 0x08000002},
             {kImemHigh, 0x80000009}});
    }

    static uint32_t texel(uint32_t u, uint32_t v) { return kImage + v * kPitch + 4 * u; }

    void set(const Writes& writes) {
        gpu_.set(writes);
        for (const auto& [offset, value] : writes)
            model_.write(offset, value);
    }
    void set_word(uint32_t address, uint32_t word) {
        gpu_.host.ram.set_words(address, {word});
        for (uint32_t i = 0; i < 4; i++)
            memory_.bytes[address - kSram + i] = uint8_t(word >> 8 * i);
    }

    /// Draws a rectangle, compares the targets, and returns the texels of the image that the core
    /// reports, as their addresses. They must be those that the reference reads.
    Words draw(uint32_t left, uint32_t top, uint32_t right, uint32_t bottom) {
        const size_t before = gpu_.host.accesses().size();
        memory_.read.assign(kSramSize, false);
        set({{kStartXy, top << 16 | left}, {kEndXy, bottom << 16 | right}, {kDrawCmd, 2}});
        std::vector<Transfer> accesses = gpu_.host.accesses();
        accesses.erase(accesses.begin(), accesses.begin() + ptrdiff_t(before));
        std::vector<uint8_t> target(kSide * kPitch);
        gpu_.host.ram.get(kSram, target.data(), target.size());
        EXPECT_TRUE(std::equal(target.begin(), target.end(), memory_.bytes.begin()));
        const auto image = [](const std::vector<bool>& bytes) {
            const auto first = bytes.begin() + (kImage - kSram);
            return std::vector<bool>(first, first + kSide * kPitch);
        };
        const std::vector<bool> reported = image(WatchedBytes(accesses, kSram, kSramSize).any);
        EXPECT_EQ(reported, image(memory_.read));
        Words texels;
        for (uint32_t at = 0; at < reported.size(); at += 4)
            if (reported[at])
                texels.push_back(kImage + at);
        return texels;
    }

    static constexpr uint32_t kSide = 4;

private:
    Nema gpu_{{.watched = true}};
    reference::NemaMemory memory_{kSram, std::vector<uint8_t>(kSramSize)};
    reference::NemaReference model_{memory_};
};

struct Turn {
    const char* degrees;
    std::array<float, 6> matrix; ///< MM00 to MM12
    uint32_t u, v;               ///< the texel of pixel (0, 1)
};
constexpr float kSine = 0.70710678F;
constexpr Turn kTurns[] = {{"0", {1, 0, 0, 0, 1, 0}, 0, 1},
                           {"90", {0, -1, 4, 1, 0, 0}, 2, 0},
                           {"180", {-1, 0, 4, 0, -1, 4}, 3, 2},
                           {"270", {0, 1, 0, -1, 0, 4}, 1, 3},
                           {"45", {kSine, -kSine, 2, kSine, kSine, -1}, 1, 0}};

/// Writes the elements of a matrix in the order of `elements`.
void set_matrix(Twins& twins, const Turn& turn, const std::array<uint32_t, 6>& elements) {
    for (const uint32_t i : elements)
        twins.set({{kMm00 + 4 * i, std::bit_cast<uint32_t>(turn.matrix[i])}});
}

TEST(NemaWatched, ATurnedBlitReadsOneTexelForEachPixel) {
    for (const Turn& turn : kTurns) {
        SCOPED_TRACE(turn.degrees);
        Twins twins;
        set_matrix(twins, turn, {5, 2, 0, 1, 3, 4}); // as the vendor's library does
        for (uint32_t y = 0; y < Twins::kSide; y++)
            for (uint32_t x = 0; x < Twins::kSide; x++)
                EXPECT_EQ(twins.draw(x, y, x + 1, y + 1).size(), 1u) << x << ' ' << y;
        EXPECT_EQ(twins.draw(0, 1, 1, 2), Words{Twins::texel(turn.u, turn.v)});
        twins.draw(0, 0, Twins::kSide, Twins::kSide);
    }
}

// MM12 comes last and makes the matrix a translation by four rows, which is clamped to the image.
TEST(NemaWatched, AMatrixWrittenInTheOrderOfItsRegistersDoesNotTurn) {
    Twins twins;
    set_matrix(twins, kTurns[3], {0, 1, 2, 3, 4, 5});
    EXPECT_EQ(twins.draw(0, 1, 1, 2), Words{Twins::texel(0, 3)});
}

// ---- Texels that are not read --------------------------------------------------------

constexpr uint32_t kBorder = 8, kBilinear = 1;

void shift_left(Twins& twins, float pixels) {
    twins.set({{kMm12, 0}, {kMm02, std::bit_cast<uint32_t>(-pixels)}});
}

TEST(NemaWatched, ABorderReadsNoTexel) {
    Twins twins(kBorder);
    shift_left(twins, 2);
    EXPECT_EQ(twins.draw(0, 0, 2, 1), Words{});
    EXPECT_EQ(twins.draw(0, 0, 4, 1), (Words{Twins::texel(0, 0), Twins::texel(1, 0)}));
}

TEST(NemaWatched, AFilteredBorderReadsTheTexelsInside) {
    Twins twins(kBorder | kBilinear);
    shift_left(twins, 1.5);
    EXPECT_EQ(twins.draw(0, 0, 1, 1), Words{});
    EXPECT_EQ(twins.draw(0, 0, 2, 1), (Words{Twins::texel(0, 0), Twins::texel(0, 1)}));
}

TEST(NemaWatched, AConditionalReadSkipsTexels) {
    constexpr uint32_t tex2 = 0x20, mask = kSram + 0x5000;
    Twins twins;
    shift_left(twins, 0);
    for (uint32_t x = 0; x < Twins::kSide; x++)
        twins.set_word(mask + 4 * x, x % 2 ? 0xFF000000 : 0);
    twins.set({{nema::kTex0Base + tex2, mask},
               {nema::kTex0Fstride + tex2, 0x01000000 | kPitch},
               {nema::kTex0Resxy + tex2, 1 << 16 | Twins::kSide},
               {kImemAddr, 0},
               {kImemLow, 0x000000A9}, // READTEXC: TEX1 to T0, where the alpha of T0 is not 0
               {kImemHigh, 0},
               {kImemLow, 0x08000002}, // PIXOUT
               {kImemHigh, 0x80000009},
               {kCodePtr, 0x141F8800}}); // before: TEX2 to T0
    EXPECT_EQ(twins.draw(0, 0, 4, 1), (Words{Twins::texel(1, 0), Twins::texel(3, 0)}));
    twins.set({{kCodePtr, 0x141F0000}, {nema::kDrawColor, 0}});
    EXPECT_EQ(twins.draw(0, 0, 4, 1), Words{});
}

// ---- Errors ------------------------------------------------------------------------

/// The traces of a draw with an error.
struct Errors {
    std::vector<std::string> logs;
    uint64_t count = 0;
    Words memory;
    bool operator==(const Errors&) const = default;
};

/// Draws two rows of eight pixels wherever the target has the color 0. `prepare` comes before.
template<class Prepare>
Errors draw_keyed(uint32_t target, bool watched, Prepare prepare) {
    constexpr uint32_t dst_ckey = 1u << 31, key = 0x1D4;
    Nema gpu({.watched = watched});
    gpu.target(target, 8, 2, 0xFF112233);
    gpu.set({{kBlendMode, dst_ckey | 1}, {key, 0}, {kStartXy, 0}, {kEndXy, 2u << 16 | 8}});
    prepare(gpu);
    gpu.set(kDrawCmd, 2);
    Errors errors{
        .logs = {}, .count = gpu.counters().bus_errors, .memory = gpu.host.ram.words(kSram, 16)};
    for (const LogLine& line : gpu.host.logs())
        errors.logs.push_back(line.text);
    gpu.expected_logs = 1;
    return errors;
}

TEST(NemaWatched, AHoleInTheTargetHasTheErrorsOfAnUnwatchedDraw) {
    const auto draw = [](bool watched) {
        return draw_keyed(kSram + kSramSize - 32, watched, [](Nema&) {});
    };
    EXPECT_EQ(draw(false).count, 1u);
    EXPECT_TRUE(draw(true) == draw(false));
}

TEST(NemaWatched, AnInjectedErrorHitsTheAccessOfAnUnwatchedDraw) {
    const auto draw = [](bool watched) {
        return draw_keyed(kSram, watched, [](Nema& gpu) { gpu.inject(PIXMILL_NEMA_FAULT_BUS); });
    };
    EXPECT_EQ(draw(false).count, 1u);
    EXPECT_EQ(draw(false).memory, Words(16, 0)); // the first page is missing
    EXPECT_TRUE(draw(true) == draw(false));
}

// ---- Jobs --------------------------------------------------------------------------

using nema::kClid, nema::kCmdAddr, nema::kCmdStat, nema::kNop, nema::kRing, nema::kStat;
using JobEvents = std::vector<JobEvent>;

TEST(NemaJobs, AListIsAJobUntilTheCoreReadsAsIdle) {
    Nema gpu({.watched = true});
    gpu.play({kNop, 0});
    EXPECT_EQ(gpu.host.jobs(), (JobEvents{{PIXMILL_JOB_STARTED, 1}, {PIXMILL_JOB_RUNS, 1}}));
    (void)gpu.read(kStat);
    (void)gpu.read(kStat);
    EXPECT_EQ(gpu.host.jobs().size(), 3u);
    EXPECT_EQ(gpu.host.jobs()[2], (JobEvent{PIXMILL_JOB_SEEN, 1}));
    gpu.play({kNop, 0});
    EXPECT_EQ(gpu.host.jobs().back(), (JobEvent{PIXMILL_JOB_RUNS, 2}));
}

TEST(NemaJobs, EachPrimitiveOfTheHostIsAJob) {
    Nema gpu({.watched = true});
    gpu.target(kSram, 8, 8, 0xFF112233);
    gpu.set({{nema::kStartXy, 0}, {nema::kEndXy, 8u << 16 | 8}});
    for (uint32_t job = 1; job <= 2; job++) {
        gpu.set(nema::kDrawCmd, 2);
        EXPECT_EQ(gpu.host.jobs().back(), (JobEvent{PIXMILL_JOB_RUNS, job}));
        EXPECT_EQ(gpu.host.accesses().back().job, job);
        EXPECT_EQ(gpu.host.accesses().back().transfer, PIXMILL_TRANSFER_WRITE);
    }
}

TEST(NemaJobs, ABusyCoreShowsNothing) {
    Nema gpu({.watched = true});
    gpu.host.ram.set_words(kSram, {kNop, 0});
    gpu.start(kSram, 2);
    (void)gpu.read(kStat);
    EXPECT_EQ(gpu.host.jobs().back(), (JobEvent{PIXMILL_JOB_RUNS, 1}));
    gpu.go();
}

TEST(NemaJobs, AListIdShowsTheJobThatHasWrittenIt) {
    Nema gpu({.watched = true});
    gpu.play({kClid, 7});
    gpu.host.ram.set_words(kSram, {kNop, 0});
    gpu.start(kSram, 2);
    EXPECT_EQ(gpu.read(kClid), 7u);
    EXPECT_EQ(gpu.host.jobs().back(), (JobEvent{PIXMILL_JOB_SEEN, 1}));
    gpu.go();
}

TEST(NemaJobs, ARingThatGrowsHasAJobForEachPart) {
    Nema gpu({.watched = true});
    gpu.host.ram.set_words(kRingRam, {kNop, 0, kNop, 0, kNop, 0});
    gpu.write(kCmdAddr, kRingRam);
    gpu.write(kRing, (kRingRam + 16) | 4);
    gpu.write(kRing, (kRingRam + 24) | 4);
    gpu.go();
    std::vector<uint32_t> jobs;
    for (const Transfer& access : gpu.host.accesses()) {
        EXPECT_EQ(access.transfer, PIXMILL_TRANSFER_COMMANDS);
        jobs.push_back(access.job);
    }
    EXPECT_EQ(jobs, (std::vector<uint32_t>{1, 1, 2}));
    (void)gpu.read(kCmdStat);
    EXPECT_EQ(gpu.host.jobs().back(), (JobEvent{PIXMILL_JOB_SEEN, 2}));
}

TEST(NemaJobs, AListThatHasASizeEndsWithTheNextPartOfARing) { // it has no end in the ring
    Nema gpu({.watched = true});
    gpu.host.ram.set_words(kRingRam, {kNop, 0, kNop, 0});
    gpu.start(kRingRam, 4);
    gpu.write(kRing, (kRingRam + 16) | 4);
    gpu.go();
    EXPECT_EQ(gpu.host.accesses().back().job, 2u);
}

} // namespace
} // namespace pixmill::test

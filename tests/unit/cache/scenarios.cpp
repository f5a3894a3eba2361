// Programs with a mistake, and what the checker says about it. Each scenario has a twin without a
// mistake.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "world.hpp"

#include <iterator>

namespace pixmill::test {
namespace {

constexpr uint32_t texture = 0x80001000, list = 0x80002000, target = 0x80004000;
constexpr uint32_t texture_bytes = 256, list_bytes = 64, target_bytes = 256;

// PCs of the program.
enum : uint32_t {
    fill_texture = 0x100,
    write_list = 0x200,
    patch = 0x300,
    look = 0x400,
    clear = 0x500
};

void draw(CacheWorld& w) {
    w.read(list, list_bytes, PIXMILL_TRANSFER_COMMANDS);
    w.read(texture, texture_bytes);
    w.write(target, target_bytes, 0x77);
}

/// Writes a texture and a list.
void prepare(CacheWorld& w) {
    w.store(fill_texture, texture, texture_bytes, 0x11);
    w.store(write_list, list, list_bytes, 0x22);
}

/// Cleans everything that the draw needs.
void clean_all(CacheWorld& w) {
    w.clean(texture, texture_bytes);
    w.clean(list, list_bytes);
}

void submit_and_draw(CacheWorld& w) {
    w.submit();
    draw(w);
    w.wait();
}

// ---- The processor's data are not in memory ------------------------------------

TEST(CacheScenario, CleanedTextureAndList) { // S01
    CacheWorld w;
    prepare(w);
    clean_all(w);
    submit_and_draw(w);
    w.invalidate(target, target_bytes);
    w.load(look, target, target_bytes);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, TextureNotCleaned) { // S02
    CacheWorld w;
    prepare(w);
    w.clean(list, list_bytes);
    submit_and_draw(w);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.level, "visible");
    EXPECT_TRUE(report.likely);
    EXPECT_EQ(report.pc, fill_texture);
    EXPECT_EQ(report.master, "gpu");
    EXPECT_EQ(report.access, "read");
    EXPECT_EQ(report.job, 1u);
    EXPECT_EQ(report.first, texture);
    EXPECT_EQ(report.last, texture + texture_bytes - 1);
    EXPECT_EQ(report.ranges, 1u);
    EXPECT_EQ(report.count, texture_bytes / 32);
}

TEST(CacheScenario, ListNotCleaned) { // S03
    CacheWorld w;
    prepare(w);
    w.clean(texture, texture_bytes);
    submit_and_draw(w);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.access, "commands");
    EXPECT_EQ(report.pc, write_list);
}

TEST(CacheScenario, LoopForgetsTheLastLine) { // S04: the length does not grow by the offset
    CacheWorld w;
    w.store(fill_texture, texture + 20, 64, 1);
    for (uint32_t done = 0; done < 64; done += 32)
        w.clean(texture + 20 + done, 1);
    w.read(texture + 20, 64);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.first, texture + 64);
    EXPECT_EQ(report.last, texture + 83);
}

TEST(CacheScenario, TexelPatchedAfterClean) { // S05
    CacheWorld w;
    prepare(w);
    clean_all(w);
    w.store(patch, texture + 40, 2, 9);
    submit_and_draw(w);
    const Report report = w.only();
    EXPECT_EQ(report.pc, patch);
    EXPECT_EQ(report.count, 1u);
    EXPECT_EQ(report.first, texture + 40);
    EXPECT_EQ(report.last, texture + 41);
}

TEST(CacheScenario, WholeCacheCleaned) { // S06
    CacheWorld w;
    prepare(w);
    w.sweep(PIXMILL_CACHE_CLEAN);
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, TwoOfFourWaysCleaned) { // S07
    CacheWorld w;
    prepare(w);
    w.sweep(PIXMILL_CACHE_CLEAN, 2);
    w.read(texture, texture_bytes);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.note, "cleaned in part");
}

TEST(CacheScenario, StoreBetweenTheWays) {
    CacheWorld w;
    prepare(w);
    w.sweep(PIXMILL_CACHE_CLEAN, 2);
    w.store(patch, texture, 4, 9);
    w.sweep(PIXMILL_CACHE_CLEAN, 4);
    EXPECT_EQ(w.rules(), "");
    w.read(texture, texture_bytes);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, MemoryThatIsNotWrittenBack) { // S08 to S10
    for (const uint32_t attributes :
         {attr::through, attr::uncached, attr::back | attr::shareable}) {
        CacheWorld w({.attributes = attributes});
        prepare(w);
        submit_and_draw(w);
        EXPECT_EQ(w.rules(), "") << attributes;
    }
}

TEST(CacheScenario, ShareableMemoryWithSiwt) { // S11
    CacheWorld w({.attributes = attr::back | attr::shareable});
    w.control.siwt = true;
    w.apply();
    prepare(w);
    w.load(look, target, target_bytes);
    submit_and_draw(w);
    w.load(look + 2, target, target_bytes);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "cpu-reads-stale");
    EXPECT_EQ(report.pc, look + 2);
}

TEST(CacheScenario, ForcedWriteThrough) { // S12
    CacheWorld w;
    w.control.forcewt = true;
    w.apply();
    prepare(w);
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, OtherMemory) { // S13: no region, such as a TCM
    CacheWorld w;
    pixmill_cache_check_store(w.check, fill_texture, 0x20000000, 4);
    w.read(list, list_bytes, PIXMILL_TRANSFER_COMMANDS);
    pixmill_cache_check_access(w.check, w.gpu, PIXMILL_TRANSFER_READ, 0x20000000, 4, 0, 0);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, SameValuesNotCleaned) { // S34
    CacheWorld w;
    prepare(w);
    clean_all(w);
    prepare(w);
    w.clean(list, list_bytes);
    submit_and_draw(w);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.level, "latent");
}

TEST(CacheScenario, DirtyBytesBesideTheRows) { // S33
    CacheWorld w;
    w.store(patch, texture, 8, 1);
    w.read(texture + 8, 16);
    EXPECT_EQ(w.rules(), "");
    w.write(texture + 8, 16, 2);
    EXPECT_EQ(w.rules(), "dirty-under-output shared-line");
}

TEST(CacheScenario, DirtyLineNextToATexture) { // S36: a stack, for example
    CacheWorld w;
    w.store(patch, texture - 32, 32, 1);
    w.store(patch, texture + texture_bytes, 32, 1);
    w.read(texture, texture_bytes);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, UnalignedBytesOverThreeLines) { // S46
    CacheWorld w;
    w.store(fill_texture, texture + 31, 34, 1);
    w.read(texture + 31, 34);
    const Report report = w.only();
    EXPECT_EQ(report.count, 3u);
    EXPECT_EQ(report.first, texture + 31);
    EXPECT_EQ(report.last, texture + 64);
}

TEST(CacheScenario, HalfOfATextureIsCached) { // S44: sub-regions 4 to 7 of 2 KiB are disabled
    CacheWorld w({.attributes = attr::uncached});
    w.set_region(1, texture, 11, attr::back, 0xF0);
    w.store(fill_texture, texture, 2048, 1);
    w.read(texture, 2048);
    const Report report = w.only();
    EXPECT_EQ(report.first, texture);
    EXPECT_EQ(report.last, texture + 1023);
}

TEST(CacheScenario, RegionOfOneLine) {
    CacheWorld w({.attributes = attr::uncached});
    w.set_region(1, texture + 64, 5, attr::back);
    w.store(fill_texture, texture, 256, 1);
    w.read(texture, 256);
    const Report report = w.only();
    EXPECT_EQ(report.first, texture + 64);
    EXPECT_EQ(report.last, texture + 95);
}

TEST(CacheScenario, CleanedByAnotherAddress) { // S37
    CacheWorld w({.alias = true});
    constexpr uint32_t other = CacheWorld::alias_base - CacheWorld::ram_base;
    w.set_region(1, CacheWorld::alias_base, 28, attr::back);
    w.store(fill_texture, texture, 64, 1);
    w.clean(texture + other, 64);
    w.read(texture, 64);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.note, "cleaned by another address");
    EXPECT_EQ(report.level, "visible");
    EXPECT_EQ(report.first, texture);
}

TEST(CacheScenario, MasterUsesTheAlias) {
    CacheWorld w({.alias = true});
    w.store(fill_texture, texture, 64, 1);
    w.read(texture + (CacheWorld::alias_base - CacheWorld::ram_base), 64);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.first, texture);
}

TEST(CacheScenario, StoreByAnotherAddressWhileHeld) {
    CacheWorld w({.alias = true});
    constexpr uint32_t other = CacheWorld::alias_base - CacheWorld::ram_base;
    w.load(look, texture);
    w.store(patch, texture + other, 4, 1);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "mixed-attributes");
    EXPECT_EQ(report.pc, patch);
}

TEST(CacheScenario, ResetForgets) { // S39
    CacheWorld w;
    prepare(w);
    pixmill_cache_check_reset(w.check);
    w.apply();
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, LinesThatHaveProbablyLeftTheCache) {
    constexpr uint32_t way_bytes = 8 * 1024; // lines at this distance are in one set
    CacheWorld w;
    w.store(fill_texture, texture, 32, 1);
    for (uint32_t i = 1; i < 24; i++)
        w.load(look, texture + i * way_bytes);
    w.read(texture, 32);
    EXPECT_EQ(w.only().level, "visible");
    EXPECT_FALSE(w.only().likely);
}

TEST(CacheScenario, MemoryLoadedBeforeTheCacheIsOn) { // by a debugger: nobody has reported it
    CacheWorld w({.begins_enabled = false});
    std::fill_n(&w.ram[texture % CacheWorld::ram_base], 32, uint8_t(7));
    w.enable(true);
    w.store(fill_texture, texture, 32, 7);
    w.read(texture, 32);
    EXPECT_EQ(w.only().level, "latent");
}

// ---- The processor sees old data -----------------------------------------------

TEST(CacheScenario, TargetReadAgain) { // S15
    CacheWorld w;
    w.load(look, target);
    w.write(target, target_bytes, 5);
    w.load(look + 2, target);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "cpu-reads-stale");
    EXPECT_EQ(report.level, "visible");
    EXPECT_EQ(report.pc, look + 2);
    EXPECT_EQ(report.first, target);
    EXPECT_EQ(report.last, target);
}

TEST(CacheScenario, TargetReadAgainWithOldValues) {
    CacheWorld w;
    w.load(look, target);
    w.write(target, target_bytes, 0); // memory is zero already
    w.load(look + 2, target);
    EXPECT_EQ(w.only().level, "latent");
}

TEST(CacheScenario, InvalidatedBeforeTheJobOnly) { // S16
    for (const bool speculates : {false, true}) {
        CacheWorld w({.speculates = speculates});
        w.load(look, target, target_bytes);
        w.invalidate(target, target_bytes);
        w.write(target, target_bytes, 5);
        w.load(look + 2, target, target_bytes);
        EXPECT_EQ(w.rules(), speculates ? "cpu-may-prefetch-stale" : "");
    }
}

TEST(CacheScenario, InvalidatedBeforeAndAfterTheJob) { // S17
    CacheWorld w({.speculates = true});
    w.load(look, target, target_bytes);
    w.invalidate(target, target_bytes);
    w.write(target, target_bytes, 5);
    w.invalidate(target, target_bytes);
    w.load(look + 2, target, target_bytes);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, PollsAPixelOfTheTarget) { // S18
    CacheWorld w;
    w.submit();
    w.load(look, target);
    w.write(target, target_bytes, 5);
    w.load(look, target);
    w.wait();
    w.load(look + 2, target, 8);
    EXPECT_EQ(w.rules(), "cpu-reads-busy cpu-reads-stale cpu-reads-stale");
}

// ---- The processor destroys what a master has written ----------------------------

TEST(CacheScenario, TargetClearedAndNotCleaned) { // S19
    CacheWorld w;
    w.store(clear, target, target_bytes, 0xFF);
    w.write(target + 32, 64, 5);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "dirty-under-output");
    EXPECT_EQ(report.pc, clear);
    EXPECT_EQ(report.first, target + 32);
    EXPECT_EQ(report.last, target + 95);
}

TEST(CacheScenario, TargetClearedAndCleaned) { // S20
    CacheWorld w;
    w.store(clear, target, target_bytes, 0xFF);
    w.clean(target, target_bytes);
    w.write(target, target_bytes, 5);
    EXPECT_EQ(w.rules(), "");
    w.load(look, target);
    EXPECT_EQ(w.rules(), "cpu-reads-stale");
}

TEST(CacheScenario, VariableBehindTheTarget) { // S21
    CacheWorld w;
    w.write(target, 240, 5);
    w.store(patch, target + 240, 4, 9);
    w.invalidate(target, 240);
    const std::vector<Report> reports = w.reports();
    ASSERT_EQ(reports.size(), 2u) << w.rules();
    EXPECT_EQ(reports[0].rule, "lost-cpu-data");
    EXPECT_EQ(reports[0].pc, CacheWorld::operate_pc);
    EXPECT_EQ(reports[0].first, target + 240);
    EXPECT_EQ(reports[0].last, target + 243);
    EXPECT_EQ(reports[1].rule, "shared-line");
    EXPECT_EQ(reports[1].level, "info");
}

TEST(CacheScenario, NeighborWrittenWhileTheJobRuns) { // S22
    CacheWorld w;
    w.clean_invalidate(target + 4, 60);
    w.store(patch, target, 4, 9);
    w.write(target + 4, 60, 5);
    w.invalidate(target + 4, 60);
    EXPECT_EQ(w.rules(), "dirty-under-output shared-line lost-cpu-data shared-line");
}

TEST(CacheScenario, WholeCacheInvalidated) { // S23
    CacheWorld w;
    w.store(patch, 0x80010000, 64, 1);
    w.store(clear, 0x80020000, 64, 1);
    w.sweep(PIXMILL_CACHE_INVALIDATE);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "lost-cpu-data");
    EXPECT_EQ(report.ranges, 2u);
    EXPECT_EQ(report.count, 4u);
}

TEST(CacheScenario, InvalidationInPlaceOfAClean) { // T06
    CacheWorld w;
    w.store(fill_texture, texture, 64, 1);
    w.invalidate(texture, 64);
    w.read(texture, 64);
    EXPECT_EQ(w.rules(), "lost-cpu-data");
}

TEST(CacheScenario, StoreIntoAStaleLine) { // S26
    CacheWorld w;
    w.load(look, target);
    w.write(target, target_bytes, 5);
    w.store(patch, target + 3, 1, 9);
    w.clean(target, 32);
    const std::vector<Report> reports = w.reports();
    ASSERT_FALSE(reports.empty());
    EXPECT_EQ(reports[0].rule, "stale-line-stored");
    EXPECT_EQ(reports[0].pc, patch);
    EXPECT_EQ(reports[0].first, target);
}

TEST(CacheScenario, StoreOfAWholeStaleLine) { // nothing of the master's is left
    CacheWorld w;
    w.load(look, target);
    w.write(target, 32, 5);
    pixmill_cache_check_store(w.check, patch, target, 32);
    EXPECT_EQ(w.rules(), "");
}

// ---- The cache is on or off ------------------------------------------------------

TEST(CacheScenario, MaintenanceWithTheCacheOff) { // S14
    CacheWorld w({.begins_enabled = false});
    prepare(w);
    w.clean(texture, texture_bytes);
    pixmill_cache_check_operate_way(w.check, PIXMILL_CACHE_CLEAN, patch, 0, 0);
    draw(w);
    EXPECT_EQ(w.rules(), "no-effect no-effect");
    EXPECT_EQ(w.reports()[0].level, "info");
}

TEST(CacheScenario, CacheSwitchedOn) { // S24
    CacheWorld w({.begins_enabled = false});
    prepare(w);
    w.sweep(PIXMILL_CACHE_INVALIDATE);
    w.enable(true);
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, CacheSwitchedOff) { // S25
    CacheWorld w;
    prepare(w);
    w.enable(false);
    w.sweep(PIXMILL_CACHE_CLEAN_INVALIDATE);
    w.load(look, texture, texture_bytes);
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, CacheSwitchedOffWithoutAClean) { // S25
    CacheWorld w;
    prepare(w);
    w.enable(false);
    w.load(look, texture);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "disabled-dirty");
    EXPECT_EQ(report.pc, look);
}

TEST(CacheScenario, MaintenanceOfOtherMemory) { // S38
    CacheWorld w;
    w.clean(0x40000000, 32);
    w.clean(0x20000000, 32);
    EXPECT_EQ(w.rules(), "no-effect");
    EXPECT_EQ(w.reports()[0].count, 2u);
}

TEST(CacheScenario, UncachedAccessToAHeldLine) {
    CacheWorld w;
    w.store(patch, texture, 4, 1);
    w.set_region(1, texture, 10, attr::uncached);
    w.load(look, texture + 4);
    EXPECT_EQ(w.rules(), "");
    w.load(look, texture);
    EXPECT_EQ(w.rules(), "mixed-attributes");
}

TEST(CacheScenario, RedundantClean) {
    CacheWorld w;
    w.clean(target, 64);
    EXPECT_EQ(w.rules(), "");
    EXPECT_EQ(w.rules(true), "redundant");
}

TEST(CacheScenario, NoCache) {
    CacheWorld w({.size = 0});
    prepare(w);
    submit_and_draw(w);
    w.load(look, target, target_bytes);
    EXPECT_EQ(w.rules(), "");
}

// ---- Jobs ------------------------------------------------------------------------

TEST(CacheScenario, ListRewrittenTooEarly) { // S27
    CacheWorld w({.attributes = attr::uncached});
    prepare(w);
    w.submit();
    draw(w);
    w.store(write_list, list, 8, 1);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "cpu-writes-busy");
    EXPECT_EQ(report.access, "commands");
    EXPECT_EQ(report.pc, write_list);
    EXPECT_EQ(report.job, 1u);
    EXPECT_TRUE(report.likely);
}

TEST(CacheScenario, TextureChangedTooEarly) { // S28, S29: the GPU may be early or late
    for (const bool early : {false, true}) {
        CacheWorld w({.attributes = attr::uncached});
        prepare(w);
        w.submit();
        if (early)
            draw(w);
        w.store(patch, texture, 8, 1);
        if (!early)
            draw(w);
        w.wait();
        const Report report = w.only();
        EXPECT_EQ(report.rule, "cpu-writes-busy");
        EXPECT_EQ(report.lr, 0u); // that of the submission belongs to other code
        EXPECT_EQ(report.pc, patch);
        EXPECT_EQ(report.first, texture);
        EXPECT_EQ(report.last, texture + 7);
    }
}

TEST(CacheScenario, TextureChangedAfterTheJob) {
    CacheWorld w({.attributes = attr::uncached});
    prepare(w);
    submit_and_draw(w);
    w.store(patch, texture, 8, 1);
    EXPECT_EQ(w.rules(), "");
    submit_and_draw(w);
    EXPECT_EQ(w.rules(), "");
}

TEST(CacheScenario, WaitsForTheFirstOfTwoJobs) { // S30
    CacheWorld w({.attributes = attr::uncached});
    w.submit();
    w.read(texture, 64);
    w.submit();
    w.read(texture + 64, 64);
    pixmill_cache_check_seen(w.check, w.gpu, 1);
    w.store(patch, texture, 64, 1);
    EXPECT_EQ(w.rules(), "");
    w.store(patch, texture + 64, 64, 1);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "cpu-writes-busy");
    EXPECT_EQ(report.job, 2u);
}

TEST(CacheScenario, SubmittedWithoutABarrier) { // S31
    for (const bool barrier : {false, true}) {
        CacheWorld w({.attributes = attr::uncached});
        prepare(w);
        if (barrier)
            pixmill_cache_check_barrier(w.check);
        submit_and_draw(w);
        EXPECT_EQ(w.rules(), "");
        EXPECT_EQ(w.rules(true), barrier ? "" : "missing-barrier missing-barrier");
    }
}

TEST(CacheScenario, BarrierBeforeTheLastStore) { // S32
    CacheWorld w({.attributes = attr::uncached});
    prepare(w);
    pixmill_cache_check_barrier(w.check);
    w.store(patch, list + 8, 4, 1);
    submit_and_draw(w);
    const std::vector<Report> reports = w.reports(true);
    ASSERT_EQ(reports.size(), 1u);
    EXPECT_EQ(reports[0].rule, "missing-barrier");
    EXPECT_EQ(reports[0].pc, patch);
    EXPECT_EQ(reports[0].store_pc, CacheWorld::submit_pc);
    EXPECT_EQ(reports[0].lr, 0u);
}

// ---- Displays --------------------------------------------------------------------

TEST(CacheScenario, DrawsIntoTheVisibleLayer) { // S35
    CacheWorld w;
    w.store(clear, target, target_bytes, 1);
    w.scan_out(target, target_bytes);
    EXPECT_EQ(w.rules(), "");
    w.store(clear, target, 32, 2); // in motion
    w.scan_out(target, target_bytes);
    const Report report = w.only();
    EXPECT_EQ(report.rule, "gpu-reads-dirty");
    EXPECT_EQ(report.master, "display");
    EXPECT_EQ(report.access, "scan-out");
    EXPECT_EQ(report.first, target + 32);
}

TEST(CacheScenario, DrawsIntoTheVisibleLayerAndCleans) { // S35
    CacheWorld w;
    for (uint8_t frame = 0; frame < 3; frame++) {
        w.store(clear, target, target_bytes, frame);
        w.clean(target, target_bytes);
        w.scan_out(target, target_bytes);
    }
    EXPECT_EQ(w.rules(), "");
}

// ---- The cache acts --------------------------------------------------------------

TEST(CacheScenario, ActGivesTheGpuOldTexels) { // S41
    CacheWorld w({.act = true});
    w.store(fill_texture, texture, 64, 1);
    w.clean(texture, 64);
    w.store(patch, texture, 32, 2);
    EXPECT_EQ(w.read(texture, 32), 1);
    EXPECT_EQ(w.read(texture + 32, 32), 1);
    w.clean(texture, 64);
    EXPECT_EQ(w.read(texture, 32), 2);
}

TEST(CacheScenario, ActGivesTheProcessorOldPixels) { // S43
    CacheWorld w({.act = true});
    w.load(look, target);
    w.write(target, 64, 5);
    EXPECT_EQ(w.load(look, target), 0);
    EXPECT_EQ(w.load(look, target + 32), 5); // was not in the cache
    w.invalidate(target, 64);
    EXPECT_EQ(w.load(look, target), 5);
    EXPECT_GT(w.changed, 0u);
}

TEST(CacheScenario, ActWritesBackOverOutput) { // S19, S42
    CacheWorld w({.act = true});
    w.store(clear, target, 64, 9);
    w.write(target, 32, 5);
    EXPECT_EQ(w.memory(target), 5);
    w.clean(target, 64);
    EXPECT_EQ(w.memory(target), 9);
    EXPECT_EQ(w.memory(target + 32), 9);
}

TEST(CacheScenario, ActLosesData) {
    CacheWorld w({.act = true});
    w.store(patch, texture, 32, 1);
    w.clean(texture, 32);
    w.store(patch, texture, 32, 2);
    w.invalidate(texture, 32);
    EXPECT_EQ(w.load(look, texture), 1);
}

TEST(CacheScenario, ActEvictsByTheSeed) { // S42: 64 KiB do not fit into 32 KiB
    std::vector<uint8_t> pictures[2];
    for (std::vector<uint8_t>& picture : pictures) {
        CacheWorld w({.act = true, .seed = 3});
        w.store(clear, target, 0x10000, 9);
        w.write(target, 0x10000, 5);
        w.sweep(PIXMILL_CACHE_CLEAN);
        for (uint32_t i = 0; i < 0x10000; i += 32)
            picture.push_back(w.memory(target + i));
    }
    EXPECT_EQ(pictures[0], pictures[1]);
    const auto old = std::count(pictures[0].begin(), pictures[0].end(), 9);
    EXPECT_EQ(old + std::count(pictures[0].begin(), pictures[0].end(), 5), 0x10000 / 32);
    EXPECT_EQ(old, 1024); // as many as the cache has lines
}

/// Loads other lines of the set.
void evict_texture(CacheWorld& w) {
    for (uint32_t i = 1; i < 24; i++)
        w.load(look, texture + i * 8 * 1024);
}

TEST(CacheScenario, ActKeepsStoresThatNobodyHasReported) { // registers that an exception pushes
    CacheWorld w({.act = true});
    uint8_t& pushed = w.ram[texture - CacheWorld::ram_base];
    w.load(look, texture);
    pushed = 7;
    w.clean_invalidate(texture, 32);
    EXPECT_EQ(pushed, 7);
    EXPECT_EQ(w.memory(texture), 7);
    w.load(look, texture);
    w.write(texture + 1, 1, 5);
    pushed = 8;
    evict_texture(w); // the line looks clean, so it is not written back
    EXPECT_EQ(pushed, 8);
    EXPECT_EQ(w.ram[texture - CacheWorld::ram_base + 1], 5);
    w.clean(texture, 32);
    EXPECT_EQ(w.memory(texture), 8);
}

// A core writes on a thread of its own, and reports its writes later.

constexpr void (*maintenance[])(CacheWorld&) = {
    evict_texture,
    [](CacheWorld& w) { w.clean(texture, 32); },
    [](CacheWorld& w) { w.invalidate(texture, 32); },
    [](CacheWorld& w) { w.clean_invalidate(texture, 32); },
    [](CacheWorld& w) { w.sweep(PIXMILL_CACHE_CLEAN); },
    [](CacheWorld& w) { w.sweep(PIXMILL_CACHE_CLEAN_INVALIDATE); },
};

/// Reports a byte that has been written, and waits for the job.
void report_output(CacheWorld& w) {
    pixmill_cache_check_access(w.check, w.gpu, PIXMILL_TRANSFER_WRITE, texture, 1, w.job, 0);
    w.wait();
}

TEST(CacheScenario, ActKeepsOutputThatIsNotReportedYet) {
    for (size_t i = 0; i < std::size(maintenance); i++) {
        CacheWorld w({.act = true});
        w.load(look, texture);
        w.submit();
        w.memory(texture) = 9;
        maintenance[i](w);
        EXPECT_EQ(w.memory(texture), 9) << i;
        report_output(w);
        EXPECT_EQ(w.memory(texture), 9) << i;
        w.invalidate(texture, 32);
        EXPECT_EQ(w.load(look, texture), 9) << i;
    }
}

TEST(CacheScenario, OutputThatIsReportedLateIsVisible) {
    for (size_t i = 0; i < std::size(maintenance); i++) {
        CacheWorld w;
        w.load(look, texture);
        w.submit();
        w.memory(texture) = 9;
        maintenance[i](w);
        w.load(look, texture);
        report_output(w);
        w.load(look, texture);
        EXPECT_EQ(w.only().rule, "cpu-reads-stale") << i;
        EXPECT_EQ(w.only().level, "visible") << i;
    }
}

// ---- Limits ----------------------------------------------------------------------

TEST(CacheScenario, ManyFramesWithoutAMistake) { // S48
    CacheWorld w;
    for (int frame = 0; frame < 1000; frame++) {
        w.store(fill_texture, texture, texture_bytes, uint8_t(frame));
        w.store(write_list, list, list_bytes, uint8_t(frame));
        w.sweep(PIXMILL_CACHE_CLEAN_INVALIDATE);
        submit_and_draw(w);
    }
    EXPECT_EQ(w.rules(true), "missing-barrier missing-barrier");
}

TEST(CacheScenario, JobsThatNobodyWaitsFor) { // only so many are remembered
    CacheWorld w({.attributes = attr::uncached});
    for (int i = 0; i < 10'000; i++) {
        w.submit();
        w.read(i == 0 ? texture : list, 32);
    }
    w.store(patch, texture, 4, 1);
    EXPECT_EQ(w.rules(), "");
    w.store(patch, list, 4, 1);
    EXPECT_EQ(w.rules(), "cpu-writes-busy");
    EXPECT_EQ(w.only().job, 10'000u);
}

TEST(CacheScenario, ManyPlaces) {
    CacheWorld w;
    for (uint32_t i = 0; i < 1000; i++) {
        w.store(0x10000 + 2 * i, texture, 4, uint8_t(i + 1));
        w.read(texture, 4);
    }
    EXPECT_EQ(w.reports().size(), 200u);
    EXPECT_EQ(w.dropped(), 800u);
}

TEST(CacheScenario, ManyRemarksLeaveRoomForMistakes) {
    CacheWorld w;
    for (uint32_t i = 0; i < 1000; i++)
        pixmill_cache_check_operate(w.check, PIXMILL_CACHE_CLEAN, 0x10000 + 2 * i, 0, texture);
    EXPECT_EQ(w.reports(true).size(), 200u);
    w.store(patch, texture, 4, 1);
    w.read(texture, 4);
    EXPECT_EQ(w.rules(), "gpu-reads-dirty");
    EXPECT_EQ(w.dropped(), 0u); // no mistake
}

TEST(CacheScenario, InvalidConfigurations) {
    uint8_t ram[2048] = {};
    const PixmillCacheRegion good{0x80000000, 1024, ram}, odd{0x80000010, 1024, ram},
        large{0xFFFFFC00, 2048, ram};
    PixmillCacheConfig config{};
    config.api_version = PIXMILL_API_VERSION;
    config.size = 4096;
    config.regions = &good;
    config.region_count = 1;
    PixmillCacheCheck* const check = pixmill_cache_check_create(&config);
    EXPECT_TRUE(check);
    pixmill_cache_check_destroy(check);
    EXPECT_FALSE(pixmill_cache_check_create(nullptr));
    for (const uint32_t size : {1u, 2048u, 5000u, 131072u}) {
        PixmillCacheConfig bad = config;
        bad.size = size;
        EXPECT_FALSE(pixmill_cache_check_create(&bad)) << size;
    }
    for (const PixmillCacheRegion& region : {odd, large}) {
        PixmillCacheConfig bad = config;
        bad.regions = &region;
        EXPECT_FALSE(pixmill_cache_check_create(&bad));
    }
    const PixmillCacheRegion unequal[] = {{0x80000000, 2048, ram}, {0x90000000, 1024, ram}};
    PixmillCacheConfig bad = config;
    bad.regions = unequal;
    bad.region_count = 2;
    EXPECT_FALSE(pixmill_cache_check_create(&bad));
    bad = config;
    bad.act = true; // without changed()
    EXPECT_FALSE(pixmill_cache_check_create(&bad));
}

} // namespace
} // namespace pixmill::test

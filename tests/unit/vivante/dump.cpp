/*
 * Decodes dumps of hung jobs. The tests build the dumps from the format's description in linux
 * etnaviv_dump.h and etnaviv_dump.c, which is the same in Linux 6.1, 6.12 and 7.2; the tables are
 * those of etnaviv_iommu.c and etnaviv_iommu_v2.c.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "../splitmix64.hpp"
#include "dump_file.hpp"
#include "tools/dump/analysis.hpp"
#include "tools/dump/dump.hpp"
#include "tools/dump/print.hpp"
#include "tools/dump/rerun.hpp"
#include "tools/dump/stream.hpp"
#include "tools/replay/dump.hpp"
#include "words.hpp"

namespace pixmill::test {
namespace {

using tools::Analysis;
using tools::BadDump;
using tools::Dump;
using tools::DumpObject;
using tools::Walk;
using Bytes = DumpFile::Bytes;

/* Addresses in the dumps below. */
constexpr uint32_t kRingAt = 0x00001000, kJobAt = 0x00002040, kPictureAt = 0x80400000;
constexpr uint32_t kPictureBytes = 0x2000, kStride = 256;
constexpr uint32_t kColor = 0xFF336699;

/* Fills a rectangle. The states are those of libdrm's etnaviv_2d_test. */
Stream fill(uint32_t stride, const Rect& area) {
    Stream s;
    s.state(state::kDestAddress, kPictureAt)
        .state(state::kDestStride, stride)
        .state(state::kDestRotation, 0)
        .state(state::kDestConfig, 6) /* A8R8G8B8, CLEAR */
        .state(state::kClearByteMask, 0xF)
        .state(state::kRop, 2 << 20 | 0xCC << 8 | 0xCC)
        .state(state::kClipTopLeft, 0)
        .state(state::kClipBottomRight, 0x10001000)
        .state(state::kConfig, 0)
        .state(state::kAlphaControl, 0)
        .state(state::kRotAngle, 0)
        .state(state::kClear32, kColor)
        .state(state::kClearLow, kColor)
        .state(state::kClearHigh, kColor)
        .draw(area);
    return s;
}

/* The ring: the job's LINK, the part that the job returns to, and the WAIT and LINK at its end. */
constexpr uint32_t kReturnAt = kRingAt + 0x10, kWaitAt = kReturnAt + 4 * 8;

Words ring(uint32_t job_qwords) {
    Stream s;
    s.link(job_qwords, kJobAt).link(2, kRingAt).state(state::kFlushCache, 8).sync();
    s.event(kEventFromPe | 3).wait(200).link(2, kWaitAt);
    Words words = s.words();
    words.resize(1024);
    return words;
}

struct Core {
    const char* name;
    bool v2;
    uint32_t model, revision, features, minor0; /* from their identity registers */
};
constexpr Core kCores[] = {
    {"gc320-imx6", false, 0x320, 0x5007, 0xE02C7ECA, 0xC1399EFF},
    {"gc320-am57xx", true, 0x320, 0x5301, 0xE02CFECA, 0xC9399EFF},
};

constexpr uint32_t kBase = 0x10000000; /* MMU v1: physical address of the linear window */
constexpr uint32_t kTable = 0x3F800000, kBadPage = 0x3F700000;
constexpr uint32_t kPage0 = 0x20005000, kPage1 = 0x20003000; /* of the picture */

/* MMU v1: one table of 2 MiB. MMU v2: the first-level table, and the tables of its entries. */
Words tables(const Core& core, bool map_picture = true) {
    if (!core.v2) {
        Words words(0x80000, kBadPage);
        if (map_picture) {
            words[(kPictureAt - 0x80000000) >> 12] = kPage0;
            words[(kPictureAt + 0x1000 - 0x80000000) >> 12] = kPage1;
        }
        return words;
    }
    Words words(3 * 1024, 2 /* exception */);
    words[kJobAt >> 22] = 0x3F810000 | 1;
    words[kPictureAt >> 22] = 0x3F820000 | 1;
    const auto entry = [](uint32_t page) { return page | 4 | 1; };
    words[1024 + 1] = entry(kBase + 0x1000);
    words[1024 + 2] = entry(kBase + 0x2000);
    if (map_picture) {
        words[2048] = entry(kPage0);
        words[2049] = entry(kPage1);
    }
    return words;
}

struct Hang {
    Stream job;
    uint32_t fe_address = 0, fe_low = 0, fe_high = 0, fe_debug = 0;
    uint32_t idle = kIdleAll, axi = 0;
};

Words registers(const Core& core, const Hang& hang) {
    Words words;
    const auto add = [&](uint32_t offset, uint32_t value) {
        words.push_back(offset);
        words.push_back(value);
    };
    add(reg::kAxiStatus, hang.axi);
    add(reg::kIdle, hang.idle);
    add(reg::kFeature, core.features);
    add(reg::kModel, core.model);
    add(reg::kRevision, core.revision);
    add(reg::kMinor0, core.minor0);
    for (const uint32_t offset : {reg::kPageTableFe, reg::kPageTableTx, reg::kPageTablePe,
                                  reg::kPageTablePez, reg::kPageTableRa})
        add(offset, core.v2 ? 0 : kTable);
    for (const uint32_t offset :
         {reg::kBaseRa, reg::kBaseFe, reg::kBaseTx, reg::kBasePez, reg::kBasePe})
        add(offset, core.v2 ? 0 : kBase);
    add(reg::kFeDebugState, hang.fe_debug);
    add(reg::kFeAddress, hang.fe_address);
    add(reg::kFeLow, hang.fe_low);
    add(reg::kFeHigh, hang.fe_high);
    return words;
}

DumpFile file_of(const Core& core, const Hang& hang, bool map_picture = true) {
    Stream job = hang.job;
    job.link(7, kReturnAt); /* as the driver appends it */
    DumpFile file;
    file.add(DumpFile::kReg, registers(core, hang));
    file.add(DumpFile::kMmu, tables(core, map_picture));
    file.add(DumpFile::kRing, ring(job.qwords()), kRingAt);
    file.add(DumpFile::kCmd, job.words(), kJobAt);
    file.add(DumpFile::kBomap, {0, 0, kPage0, 0, kPage1, 0}); /* the picture is the second buffer */
    file.add(DumpFile::kBo, Words(1024, 0x11111111), 0x80500000, 0);
    file.add(DumpFile::kBo, Words(kPictureBytes / 4), kPictureAt, 1);
    return file;
}

std::string summary_of(const Bytes& file) {
    const Dump dump(file);
    return joined(Analysis(dump).summary());
}

class VivanteDump : public testing::TestWithParam<Core> {
protected:
    const Core& core = GetParam();

    /* A job that fills the picture, and whose front end then waits for the 2D engine. */
    Hang stalled(uint32_t stride = kStride, const Rect& area = {0, 0, 16, 8}) const {
        Hang hang{.job = fill(stride, area).sync()};
        hang.fe_address = kJobAt + hang.job.bytes() - 8; /* of the STALL */
        hang.fe_low = op::kStall;
        hang.fe_high = kFeToPe;
        hang.fe_debug = 0x15; /* CMD_STATE: STALL */
        hang.idle = kIdleAll & ~(1u << 0 | 1u << 1);
        return hang;
    }
    uint32_t draw_at(const Hang& hang) const { /* DRAW_2D, then SEMAPHORE and STALL */
        return kJobAt + hang.job.bytes() - 16 - 16;
    }
};

// ---- Format ------------------------------------------------------------------------

TEST_P(VivanteDump, ListsObjects) {
    const Dump dump(file_of(core, stalled()).bytes());
    EXPECT_TRUE(dump.problems().empty());
    ASSERT_EQ(dump.objects().size(), 7u);
    const DumpObject& picture = dump.objects()[6];
    EXPECT_EQ(picture.kind, DumpObject::Kind::buffer);
    EXPECT_EQ(picture.address, kPictureAt);
    EXPECT_EQ(picture.bytes.size(), kPictureBytes);
    EXPECT_EQ(dump.page_address(uint64_t(picture.first_page) + 1), kPage1);
    EXPECT_EQ(dump.page_address(3), std::nullopt);
    EXPECT_EQ(dump.reg(reg::kModel), 0x320u);
    EXPECT_EQ(dump.reg(0x7F0), std::nullopt);
    EXPECT_EQ(dump.mmu_v2(), core.v2);
}

TEST_P(VivanteDump, NamesRegisters) {
    const Dump dump(file_of(core, stalled()).bytes());
    std::string text;
    tools::print_registers(dump, [&](const std::string& line) { text += line + "\n"; });
    EXPECT_HAS(text, "0x00004 IDLE_STATE");
    EXPECT_HAS(text, "0x00660 FE_DMA_DEBUG_STATE     0x00000015 CMD_STATE=21");
    EXPECT_HAS(text, "0x00024 CHIP_REV");
}

TEST_P(VivanteDump, RefusesOtherFiles) {
    EXPECT_THROW(Dump({}), BadDump);
    EXPECT_THROW(Dump(Bytes(31)), BadDump);
    EXPECT_THROW(Dump(Bytes(4096)), BadDump);
    Bytes file = file_of(core, stalled()).bytes();
    file[0] = std::byte('e');
    EXPECT_THROW(Dump{file}, BadDump);
}

TEST_P(VivanteDump, DecodesWhatATruncatedFileHas) {
    const Bytes whole = file_of(core, stalled()).bytes();
    for (size_t length = 32; length < whole.size(); length += length < 1024 ? 1 : 4093) {
        const Dump dump({whole.begin(), whole.begin() + ptrdiff_t(length)});
        EXPECT_FALSE(dump.problems().empty()) << length;
        (void)Analysis(dump).summary();
    }
}

TEST_P(VivanteDump, SkipsUnknownObjects) {
    DumpFile file = file_of(core, stalled());
    file.add(9, {1, 2, 3});
    const Dump dump(file.bytes());
    EXPECT_EQ(dump.objects().size(), 7u);
    ASSERT_EQ(dump.problems().size(), 1u);
    EXPECT_HAS(dump.problems()[0], "object 7 has type 9");
}

TEST_P(VivanteDump, RefusesAddressesBeyond4GiB) {
    DumpFile file = file_of(core, stalled());
    file.add(DumpFile::kBo, Words(1024), 0xFFFFF004);
    file.add(DumpFile::kBo, Words(1024), uint64_t(1) << 63);
    const Dump dump(file.bytes());
    EXPECT_EQ(dump.problems().size(), 2u);
    EXPECT_EQ(dump.buffer_at(0xFFFFF004), nullptr);
}

// ---- Page tables -------------------------------------------------------------------

TEST_P(VivanteDump, WalksTables) {
    const Dump dump(file_of(core, stalled()).bytes());
    const Walk picture = dump.walk(kPictureAt + 0x1234);
    EXPECT_EQ(picture.kind, Walk::Kind::mapped);
    EXPECT_EQ(picture.physical, kPage1 + 0x234);
    EXPECT_EQ(dump.walk(kPictureAt + 0x2000).kind, Walk::Kind::no_page);
    const Walk job = dump.walk(kJobAt);
    EXPECT_EQ(job.physical, kBase + kJobAt);
    EXPECT_EQ(job.kind, core.v2 ? Walk::Kind::mapped : Walk::Kind::linear);
    EXPECT_EQ(dump.walk(0xC0000000).kind, core.v2 ? Walk::Kind::no_table : Walk::Kind::no_page);
}

TEST(VivanteDumpTables, HavePermissionsAnd40Bits) {
    Words words = tables(kCores[1]);
    words[2048] = 0x20005000 | 0x12 << 4 | 1; /* read-only, bits 39:32 are 12h */
    DumpFile file;
    file.add(DumpFile::kReg, registers(kCores[1], {}));
    file.add(DumpFile::kMmu, words);
    const Dump dump(file.bytes());
    const Walk walk = dump.walk(kPictureAt + 4);
    EXPECT_EQ(walk.physical, 0x1220005004u);
    EXPECT_FALSE(walk.writable);
    EXPECT_TRUE(dump.walk(kPictureAt + 0x1000).writable);
}

TEST_P(VivanteDump, ComparesTablesWithPages) {
    /* The first buffer is one page that is not mapped, the second has two. */
    const Dump dump(file_of(core, stalled()).bytes());
    const tools::TableCheck check = tools::check_tables(dump);
    EXPECT_EQ(check.same, 2u);
    EXPECT_EQ(check.different, 1u);
    EXPECT_HAS(check.first, "0x80500000: the list has 0x0");
}

// ---- Position and cause ------------------------------------------------------------

TEST_P(VivanteDump, FindsAStallForAnEngine) {
    const Hang hang = stalled();
    const Dump dump(file_of(core, hang).bytes());
    const Analysis analysis(dump);
    ASSERT_EQ(analysis.where(), &analysis.job);
    ASSERT_TRUE(analysis.draw);
    EXPECT_EQ(analysis.job.commands[*analysis.draw].address, draw_at(hang));
    const std::string text = joined(analysis.summary());
    EXPECT_HAS(text, "waits for an engine that does not become idle (FE, DE busy)");
    EXPECT_HAS(text, "STALL at 0x0000");
    EXPECT_HAS(text, "Guilty: the job");
}

/* The address may be that of the words in FE_DMA_LOW and _HIGH, or that of the next ones. */
TEST_P(VivanteDump, FindsThePositionByTheWords) {
    Hang hang = stalled();
    const std::string at_words = summary_of(file_of(core, hang).bytes());
    hang.fe_address += 8;
    const std::string behind_words = summary_of(file_of(core, hang).bytes());
    const std::string stall = "in the command buffer at 0x00002040: STALL at ";
    EXPECT_HAS(at_words, stall);
    EXPECT_HAS(behind_words, stall);
}

TEST_P(VivanteDump, MarksThePosition) {
    const Hang hang = stalled();
    const Dump dump(file_of(core, hang).bytes());
    const Analysis analysis(dump);
    std::string text;
    const auto print = [&](const std::string& line) { text += line + "\n"; };
    tools::print_stream(analysis, analysis.job, print);
    char mark[64];
    (void)snprintf(mark, sizeof mark, "> 0x%08x: 48000000 00000701  STALL", hang.fe_address);
    EXPECT_HAS(text, mark);
    (void)snprintf(mark, sizeof mark, "* 0x%08x: 20000100", draw_at(hang));
    EXPECT_HAS(text, mark);
    EXPECT_HAS(text, "FE to PE");
    EXPECT_HAS(text, "DRAW_2D          1 rectangles, the first from (0, 0) to (16, 8)\n");
    /* The field of an address or a stride has no low bits, so its number would mislead. */
    EXPECT_HAS(text, "0x01228 DEST_ADDRESS               0x80400000\n");
    EXPECT_HAS(text, "0x0122c DEST_STRIDE                0x00000100\n");
    EXPECT_HAS(text, "0x01234 DEST_CONFIG                0x00000006  FORMAT=6\n");
    text.clear();
    tools::print_stream(analysis, analysis.ring, print);
    EXPECT_HAS(text, "LINK             to 0x00002040");
    EXPECT_HAS(text, "WAIT             200 cycles");
    EXPECT_HAS(text, "(zeros)\n");
    EXPECT_EQ(std::ranges::count(text, '>'), 0);
}

/* A LOAD_STATE of count 0 takes 1024 words, and with them the LINK back to the ring. */
TEST_P(VivanteDump, FindsAStarvedFrontEnd) {
    Hang hang{.job = Stream().raw({op::kLoadState, 0})};
    hang.fe_address = kJobAt + 16;
    hang.fe_low = op::kLink | 7;
    hang.fe_high = kReturnAt;
    hang.idle = kIdleButFe;
    const std::string text = summary_of(file_of(core, hang).bytes());
    EXPECT_HAS(text, "The front end starved: LOAD_STATE at 0x00002040 takes 1026 words");
    EXPECT_HAS(text, "had fetched no draw");
}

TEST_P(VivanteDump, FindsAnIllegalCommand) {
    Hang hang{.job = Stream().nop().raw({0xF8000000, 0})};
    hang.fe_address = kJobAt + 8;
    hang.fe_low = 0xF8000000;
    EXPECT_HAS(summary_of(file_of(core, hang).bytes()), "hangs at an illegal command, 0xf8000000");
}

TEST_P(VivanteDump, FindsALostInterrupt) {
    Hang hang = stalled();
    hang.fe_address = kWaitAt + 8;
    hang.fe_low = op::kWait | 200;
    hang.fe_high = kPadWord;
    hang.idle = kIdleAll;
    hang.fe_debug = 0x12;
    const Dump dump(file_of(core, hang).bytes());
    const Analysis analysis(dump);
    EXPECT_TRUE(analysis.after_job);
    const std::string text = joined(analysis.summary());
    EXPECT_HAS(text, "The core is idle after the job: its interrupt was lost");
    EXPECT_FALSE(has(text, "Guilty")) << text;
}

/* The front end has fetched a WAIT, and hung before the LINK that the driver wrote in its place. */
TEST_P(VivanteDump, FindsAReplacedWait) {
    Hang hang{.job = Stream().nop()};
    hang.fe_address = kRingAt;
    hang.fe_low = op::kWait | 200;
    hang.fe_high = 0;
    const std::string text = summary_of(file_of(core, hang).bytes());
    EXPECT_HAS(text, "It had fetched WAIT, which memory no longer contains");
    EXPECT_HAS(text, "stopped in the ring, before the job began");
    EXPECT_HAS(text, "had fetched no draw");
}

TEST_P(VivanteDump, FindsABusError) {
    Hang hang = stalled();
    hang.axi = 1 << 9;
    EXPECT_HAS(summary_of(file_of(core, hang).bytes()), "A bus error: the core read");
}

TEST_P(VivanteDump, FindsAFrontEndThatLeftItsBuffers) {
    Hang hang = stalled();
    hang.fe_address = kPictureAt + kPictureBytes + 0x100;
    const std::string text = summary_of(file_of(core, hang).bytes());
    EXPECT_HAS(text, "it followed a wrong LINK");
    EXPECT_HAS(text, "256 bytes after the end of the buffer at 0x80400000 (8192 bytes)");
}

/* The file ends within the job, before the command that the front end had fetched last. */
TEST_P(VivanteDump, SaysThatThePositionIsInThePartThatIsCutOff) {
    Bytes file = file_of(core, stalled()).bytes();
    uint32_t job = 0;
    std::memcpy(&job, &file[DumpFile::kCmd * 32 + 8], sizeof job); /* file_offset */
    file.resize(job + 16);
    const std::string text = summary_of(file);
    EXPECT_HAS(text, "The dump lacks the commands at the front end's position.");
    EXPECT_HAS(text, "of the command buffer at 0x00002040.");
    EXPECT_FALSE(has(text, "wrong LINK")) << text;
    EXPECT_FALSE(has(text, "had fetched no draw")) << text;
}

TEST_P(VivanteDump, NamesStatesWithoutPages) {
    const std::string text = summary_of(file_of(core, stalled(), false).bytes());
    EXPECT_HAS(text, "State 0x01228 holds 0x80400000, which no page maps");
    EXPECT_FALSE(has(summary_of(file_of(core, stalled()).bytes()), "which no page maps"));
}

// ---- On the model ------------------------------------------------------------------

TEST_P(VivanteDump, DrawsOnTheModel) {
    const std::string name = testing::TempDir() + "pixmill-" + core.name + ".dump";
    const Bytes file = file_of(core, stalled()).bytes();
    std::ofstream(name, std::ios::binary)
        .write(reinterpret_cast<const char*>(file.data()), std::streamsize(file.size()));
    ASSERT_TRUE(tools::is_dump(name));
    std::string text;
    std::map<std::string, tools::Picture> shown;
    EXPECT_FALSE(tools::replay_dump({name,
                                     [&](const std::string& line) { text += line; },
                                     [&](const std::string& picture, const tools::Picture& pixels) {
                                         shown.emplace(picture, pixels);
                                     },
                                     {}}));
    std::remove(name.c_str());
    EXPECT_HAS(text, "1 draws completed");
    EXPECT_HAS(text, "DEST_STRIDE");
    ASSERT_EQ(shown.size(), 1u) << text;
    tools::Picture& picture = shown.begin()->second;
    ASSERT_EQ(picture.width, kStride / 4);
    const auto pixel = [&](uint32_t x, uint32_t y) {
        const uint8_t* const rgb = picture.at(x, y);
        return uint32_t(rgb[0] << 16 | rgb[1] << 8 | rgb[2]);
    };
    EXPECT_EQ(pixel(0, 0), kColor & 0xFFFFFF);
    EXPECT_EQ(pixel(15, 7), kColor & 0xFFFFFF);
    EXPECT_EQ(pixel(16, 7), 0u);
    EXPECT_EQ(pixel(15, 8), 0u);
}

/* A row far beyond the picture. MMU v1 has no faults: its unmapped pages are all the same page. */
TEST_P(VivanteDump, FaultsOnTheModel) {
    constexpr uint32_t stride = 0x1000, row = 5;
    const Hang hang = stalled(stride, {0, row, 16, row + 1});
    const Dump dump(file_of(core, hang).bytes());
    const Analysis analysis(dump);
    const tools::Rerun rerun = tools::rerun(dump, analysis, {});
    const std::string text = joined(rerun.summary(dump));
    EXPECT_EQ(rerun.mmu_fault.has_value(), core.v2) << text;
    if (core.v2) {
        EXPECT_TRUE(rerun.hangs);
        EXPECT_TRUE(rerun.in_draw);
        EXPECT_EQ(rerun.draws, 0u);
        EXPECT_EQ(rerun.mmu_fault->address, kPictureAt + row * stride);
        EXPECT_HAS(text, "PE faults at 0x80405000 (no page): 12288 bytes after the end of the "
                         "buffer at 0x80400000");
    } else {
        EXPECT_EQ(rerun.missing, std::set<uint64_t>{kBadPage}) << text;
        EXPECT_HAS(text, "The dump lacks 1 pages that the job uses, the first at physical "
                         "0x3f700000");
    }
}

/* A 2D core skips a draw of primitives, so the last draw of the job never completes one. */
TEST_P(VivanteDump, DoesNotHangOnTheModelIfTheLastDrawDrawsNothing) {
    constexpr uint32_t draw_primitives = 5u << 27, triangles = 4;
    Hang hang = stalled();
    hang.job = fill(kStride, {0, 0, 16, 8}).raw({draw_primitives, triangles, 0, 1}).sync();
    hang.fe_address = kJobAt + hang.job.bytes() - 8; /* of the STALL */
    const Dump dump(file_of(core, hang).bytes());
    const Analysis analysis(dump);
    ASSERT_TRUE(analysis.draw);
    ASSERT_TRUE(analysis.job.commands[*analysis.draw].is("DRAW_PRIMITIVES"));
    const tools::Rerun rerun = tools::rerun(dump, analysis, {});
    EXPECT_FALSE(rerun.hangs);
    EXPECT_EQ(rerun.draws, 1u);
    EXPECT_HAS(joined(rerun.summary(dump)), "the job does not hang; it completes 1 draws");
}

TEST_P(VivanteDump, SaysWhichMemoryIsMissing) {
    DumpFile file;
    const Hang hang = stalled();
    file.add(DumpFile::kReg, registers(core, hang));
    file.add(DumpFile::kMmu, tables(core));
    file.add(DumpFile::kCmd, hang.job.words(), kJobAt);
    const Dump dump(file.bytes());
    const Analysis analysis(dump);
    const tools::Rerun rerun = tools::rerun(dump, analysis, {});
    EXPECT_TRUE(rerun.missing.contains(kPage0)) << joined(rerun.summary(dump));
}

TEST_P(VivanteDump, RefusesCoresWithoutAModel) {
    Core other = core;
    other.model = 0x1234;
    const Dump dump(file_of(other, stalled()).bytes());
    const Analysis analysis(dump);
    EXPECT_EQ(dump.chip(), nullptr);
    EXPECT_HAS(joined(analysis.summary()), "waits for an engine");
    EXPECT_THROW(tools::rerun(dump, analysis, {}), BadDump);
}

// ---- Hostile dumps -----------------------------------------------------------------

/* Changes words of a valid dump: headers, registers, tables, commands. Nothing may crash. */
TEST_P(VivanteDump, SurvivesMutations) {
    const Bytes whole = file_of(core, stalled()).bytes();
    constexpr uint32_t interesting[] = {0, 1, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF8, 0x20};
    constexpr int rounds = 150;
    for (uint64_t seed = 0; seed < rounds; seed++) {
        SplitMix64 random(seed);
        Bytes file = whole;
        const size_t changes = 1 + random.word() % 8;
        for (size_t i = 0; i < changes; i++) {
            /* mostly the headers and what is near the ends of the objects */
            const size_t part = random.word() % 2 ? 32 * 8 + 64 * 8 : file.size();
            const size_t at = random.word() % (part / 4) * 4;
            const uint32_t value = random.word() % 2
                                       ? interesting[random.word() % std::size(interesting)]
                                       : random.word();
            std::memcpy(&file[at], &value, sizeof value);
        }
        try {
            const Dump dump(file);
            const Analysis analysis(dump);
            const auto nothing = [](const std::string&) {};
            (void)analysis.summary();
            tools::print_objects(dump, nothing);
            tools::print_registers(dump, nothing);
            tools::print_tables(dump, nothing);
            tools::print_draw_states(analysis, nothing);
            for (const tools::Stream* stream : {&analysis.ring, &analysis.job})
                if (stream->buffer)
                    tools::print_stream(analysis, *stream, nothing);
            if (seed % 4 == 0)
                (void)tools::rerun(dump, analysis, {}).summary(dump);
        } catch (const BadDump&) {
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Cores, VivanteDump, testing::ValuesIn(kCores), [](const auto& tested) {
    return std::string(tested.param.v2 ? "MmuV2" : "MmuV1");
});

} // namespace
} // namespace pixmill::test

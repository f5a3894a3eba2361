/*
 * A dump of a core that hangs in an endless shader, with the registers that linux etnaviv_dump.c
 * reads, in its order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <string>

#include "../dump_file.hpp"
#include "target_scene.hpp"
#include "tools/dump/analysis.hpp"
#include "tools/dump/dump.hpp"
#include "tools/dump/rerun.hpp"

namespace pixmill::test {
namespace {

/* linux etnaviv_dump.c: etnaviv_dump_registers */
constexpr uint32_t kDumped[] = {
    0x00C, 0x000, 0x004, 0x008, 0x014, 0x018, 0x01C, 0x020, 0x024, 0x028, 0x02C, 0x034, 0x038,
    0x070, 0x100, 0x104, 0x108, 0x10C, 0x400, 0x404, 0x408, 0x40C, 0x410, 0x414, 0x418, 0x41C,
    0x420, 0x424, 0x428, 0x42C, 0x480, 0x65C, 0x660, 0x664, 0x668, 0x66C, 0x670};

constexpr uint32_t kTable = 0x08000000;

Words words_at(Machine& m, uint32_t address, uint32_t bytes) {
    Words words;
    for (uint32_t at = address; at < address + bytes; at += 4)
        words.push_back(m.ram.word(at));
    return words;
}

/* The linear window begins at address 0, so physical addresses are those of the core. */
DumpFile::Bytes dump_of(Machine& m, uint32_t job_bytes) {
    constexpr uint32_t ring = 0x3000;
    Words registers;
    for (const uint32_t offset : kDumped) {
        registers.push_back(offset);
        /* The machine has no page table; that of the dump must be apart from its buffers. */
        registers.push_back(offset >= 0x400 && offset <= 0x410 ? kTable : m.get(offset));
    }
    DumpFile file;
    file.add(DumpFile::kReg, registers);
    file.add(DumpFile::kMmu, Words(0x80000, 0x00180000));
    file.add(DumpFile::kRing, Words(1024), ring);
    file.add(DumpFile::kCmd, words_at(m, kStreamAt, job_bytes), kStreamAt);
    file.add(DumpFile::kBo, words_at(m, kVertices, 0x1000), kVertices);
    file.add(DumpFile::kBo, words_at(m, kColor, 2 * kHalf), kColor);
    return file.bytes();
}

/* Hangs a core in a pixel shader that branches to itself, and dumps it. */
DumpFile::Bytes hung_in_a_shader() {
    Machine m = machine();
    m.allow_logs();
    put_vertices(m, kLowerLeft);
    Stream job = base().state(0xD000, 0x00000016).state(0xD00C, 0).add(draw(1)).sync();
    job.link(7, 0x3000);
    m.put_stream(kStreamAt, job);
    m.start(kStreamAt, job.qwords());
    EXPECT_TRUE(m.go_to_draw());
    for (int i = 0; i < 100 && m.log_text().find("has not ended") == std::string::npos; i++) {
        m.draw(1 << 20);
        (void)m.run(512);
    }
    return dump_of(m, job.bytes());
}

TEST(Vivante3dDump, SaysThatAShaderDoesNotEnd) {
    const tools::Dump dump(hung_in_a_shader());
    ASSERT_NE(dump.chip(), nullptr);
    const tools::Analysis analysis(dump);
    const std::string text = joined(analysis.summary());
    EXPECT_HAS(text, "The shader module is busy: an endless shader, or an access that never ends.");
    EXPECT_HAS(text, "The last draw: DRAW_PRIMITIVES at 0x");
    EXPECT_HAS(text, "Guilty: the job whose commands are in the command buffer at 0x00001000");
}

TEST(Vivante3dDump, HangsOnTheModelToo) {
    const tools::Dump dump(hung_in_a_shader());
    const tools::Analysis analysis(dump);
    const tools::Rerun rerun = tools::rerun(dump, analysis, {});
    EXPECT_TRUE(rerun.hangs);
    EXPECT_TRUE(rerun.missing.empty());
    EXPECT_HAS(joined(rerun.summary(dump)), "a shader has not ended");
}

} // namespace
} // namespace pixmill::test

/*
 * Interrupting a draw. draw() must return soon, even while shaders run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "sh/assembler.hpp"
#include "target_scene.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVertexProgram = 0xC000, kPixelProgram = 0xD000;

/* Returns a draw whose program branches to itself, so that no lane ever ends. */
Stream endless(uint32_t program) {
    Stream s = base();
    s.state(program, 0x00000016).state(program + 12, 0);
    return s.add(draw(1));
}

/*
 * A delay after which the draw is past its first check for interrupts, but far from executing 2^20
 * instructions.
 */
constexpr std::chrono::milliseconds kInsideTheShader(2);

/*
 * Interrupts a core from a thread some time after begin(). The thread is running by then and never
 * sleeps, because the draw might end before the host wakes it.
 */
class Interruption {
public:
    Interruption(PixmillCore* gc, std::chrono::microseconds after)
        : thread_([this, gc, after] {
              using Clock = std::chrono::steady_clock;
              running_ = true;
              while (!begun_)
                  continue;
              const Clock::time_point due = Clock::now() + after;
              while (Clock::now() < due)
                  continue;
              pixmill_vivante.interrupt(gc);
          }) {
        while (!running_)
            std::this_thread::yield();
    }

    void begin() { begun_ = true; }
    void join() { thread_.join(); }

private:
    std::atomic<bool> running_ = false, begun_ = false;
    std::thread thread_;
};

/* Repeats the test, because the host may sometimes not run the interrupting thread in time. */
bool once(const std::function<bool()>& is_cut) {
    for (int i = 0; i < 500; i++)
        if (is_cut())
            return true;
    return false;
}

/*
 * True if an interrupted draw() returns before the shader has executed 2^20 instructions. Also
 * checks that the draw continues in the next call.
 */
bool is_cut(uint32_t program) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    const Stream stream = Stream(endless(program)).end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    EXPECT_TRUE(m.go_to_draw());
    Interruption interruption(m.gc(), kInsideTheShader);
    interruption.begin();
    m.draw(1 << 20);
    interruption.join();
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu) << "it is not done";
    (void)m.run(512); /* logs an error if the draw was not interrupted */
    const bool cut = m.guest_errors() == 0;
    for (int i = 0; i < 10 && m.guest_errors() == 0; i++) { /* continues without interrupts */
        m.draw(1 << 20);
        (void)m.run(512);
    }
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.allow_logs();
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    return cut;
}

constexpr uint32_t kTexture = 0x110000, kTextureEnd = 0x12C000; /* with seven mip levels */

/*
 * Returns a draw with 125 texture instructions in sequence, each with 16 taps of eight texels.
 * Interrupts are checked at branches, but there are none. With a budget of one byte, draw() returns
 * after the first batch of pixels. If it is interrupted earlier, that batch is not drawn.
 */
Stream many_texels() {
    constexpr uint32_t kLog64 = 6 * 32, kLog16 = 4 * 32;
    Stream s = base();
    s.state(0x2000, kLog16 << 24 | 7 << 13 | 2 << 11 | 2 << 9 | 3 << 7 | 2); /* A8R8G8B8, 2D */
    s.state(0x2040, 64 << 16 | 64).state(0x2080, kLog64 << 10 | kLog64);
    s.state(0x20C0, kLog64 << 1).state(0x2180, 1).state(0x21C0, 0x00321000);
    for (uint32_t level = 0; level < 7; level++)
        s.state(0x2400 + 0x40 * level, kTexture + 0x4000 * level);
    std::vector<vivante::test::Ins> code;
    for (int i = 0; i < 125; i++) {
        using namespace vivante::test;
        code.push_back({vivante::Opcode::texld, to(2), {t(1), none, none}});
        code.push_back(add(to(3), t(3), t(2)));
    }
    const std::vector<uint32_t> words = encode(code);
    for (uint32_t i = 0; i < words.size(); i++)
        s.state(0xD000 + 4 * i, words[i]);
    const auto last = uint32_t(0x100 + code.size() - 1);
    s.state(0x1004, 0x03030303).state(0x101C, last << 16 | 0x100);
    return s.add(draw(1));
}

TEST(Vivante3dInterrupts, CutRowsOfTextureInstructions) {
    std::atomic<bool> in_row =
        false; /* declared first, because the machine's destructor calls on_map */
    Machine m = machine();
    put_vertices(m, {{-1, -1, 0, 0, 0, 1}, {-1, 1, 0.1f, 2, 0, 1}, {1, 1, 40, 2.1f, 0, 1}});
    const Stream stream = many_texels().end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    EXPECT_TRUE(m.go_to_draw());
    /* Interrupts the core at the first texel read. */
    m.host.on_map = [&](uint64_t address) {
        if (address >= kTexture && address < kTextureEnd && !in_row.exchange(true))
            pixmill_vivante.interrupt(m.gc());
    };
    m.draw(1);
    EXPECT_TRUE(in_row);
    (void)m.run(0);
    EXPECT_EQ(m.counters().pixels, 0u);
    for (int more = 0; more < 3; more++) /* continues the draw */
        m.draw(1 << 20);
    (void)m.run(0);
    EXPECT_GT(m.counters().pixels, 0u);
}

TEST(Vivante3dInterrupts, CutPixelShaders) {
    EXPECT_TRUE(once([] { return is_cut(kPixelProgram); }));
}

TEST(Vivante3dInterrupts, CutVertexShaders) {
    EXPECT_TRUE(once([] { return is_cut(kVertexProgram); }));
}

} // namespace
} // namespace pixmill::test

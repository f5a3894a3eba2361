/*
 * What a draw is asked while it draws: a thread that wants it to return does not wait for shaders.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "target_scene.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kVertexProgram = 0xC000, kPixelProgram = 0xD000;

/* BRANCH 0 at 0: no lane ever ends. */
Stream endless(uint32_t program) {
    Stream s = base();
    s.state(program, 0x00000016).state(program + 12, 0);
    return s.add(draw(1));
}

/* The draw's first look at requests is behind it, the end of 2^20 instructions far away. */
constexpr std::chrono::milliseconds kInsideTheShader(2);

/*
 * Whether a draw that a thread interrupts returns before the shader has spent its 2^20
 * instructions, and goes on afterwards.
 */
bool is_cut(uint32_t program) {
    Machine m = machine();
    put_vertices(m, kLowerLeft);
    const Stream stream = Stream(endless(program)).end();
    m.put_stream(kStreamAt, stream);
    m.start(kStreamAt, stream.qwords());
    EXPECT_TRUE(m.go_to_draw());
    std::atomic<bool> begun = false;
    std::thread impatient([&] {
        while (!begun)
            std::this_thread::yield();
        std::this_thread::sleep_for(kInsideTheShader);
        pixmill_vivante.interrupt(m.gc());
    });
    begun = true;
    m.draw(1 << 20);
    impatient.join();
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu) << "it is not done";
    (void)m.run(512); /* says what has become of the draw */
    const bool cut = m.guest_errors() == 0;
    for (int i = 0; i < 10 && m.guest_errors() == 0; i++) { /* the next time nobody asks */
        m.draw(1 << 20);
        (void)m.run(512);
    }
    EXPECT_NE(m.get(reg::kIdle), 0x7FFFFFFFu);
    m.allow_logs();
    m.soft_reset();
    EXPECT_EQ(m.get(reg::kIdle), 0x7FFFFFFFu);
    return cut;
}

/* The host may give the thread no processor in time, but not always. */
void expect_cut_in_shader(uint32_t program) {
    int cuts = 0;
    for (int i = 0; i < 20 && !cuts; i++)
        cuts += is_cut(program);
    EXPECT_GT(cuts, 0);
}

TEST(Vivante3dInterrupts, CutPixelShaders) {
    expect_cut_in_shader(kPixelProgram);
}

TEST(Vivante3dInterrupts, CutVertexShaders) {
    expect_cut_in_shader(kVertexProgram);
}

} // namespace
} // namespace pixmill::test

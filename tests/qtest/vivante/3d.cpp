/*
 * The 3D engine of the i.MX6 Quad's GC2000 in QEMU, driven by registers and streams in guest
 * memory, on its worker thread and inline, and saved or reset with work in flight.  Latencies are
 * measured in hostile_loads.cpp and latency.cpp.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <thread>

#include "../rig.hpp"
#include "scene_3d.hpp"

namespace pixmill::qtest {
namespace {

using namespace scene_3d;

constexpr const char* kGc2000 = "/machine/pixmill-gc2000";
constexpr uint64_t kRegisters = 0x00130000; /* IMX6DQRM 2.1 */
constexpr Places kAt(kRam + 0x1000000);
constexpr uint32_t kBackground = 0xFF000080, kRed = 0xFFFF0000;

class Board {
public:
    explicit Board(bool threaded, bool incoming = false)
        : threaded_(threaded), qemu(options(threaded, incoming)), gc(qemu, kRegisters) {
        if (!incoming) {
            gc.write(reg::kIntrEnable, 0xFFFFFFFF);
        }
    }

    void start(Commands stream) {
        stream.event(1, kEventFromPe).end();
        qemu.write_words(kAt.stream, stream.words());
        gc.start(kAt.stream, stream.qwords());
    }
    bool wait(const std::function<bool()>& done, int64_t step = 20 * kMicrosecond) {
        for (int i = 0; i < 10'000; ++i) {
            if (done()) {
                return true;
            }
            qemu.clock_step(step);
            if (threaded_) {
                std::this_thread::sleep_for(Milliseconds(1));
            }
        }
        return false;
    }
    bool stopped() { return gc.read(reg::kIdle) == kStopped; }
    /*
     * Waits until the core stops and returns INTR_ACKNOWLEDGE.  The interrupt line is not checked:
     * after a migration it need not rise again, because the receiver may have saved its level.
     */
    uint32_t finish() {
        EXPECT_TRUE(wait([this] { return stopped(); }, kMillisecond));
        return gc.read(reg::kIntrAcknowledge);
    }
    uint32_t run(const Commands& stream) {
        start(stream);
        return finish();
    }
    uint64_t counter(const char* name) { return qemu.get_counter(kGc2000, name); }
    Words picture() { return qemu.read_words(kAt.rows, kSide * kSide); }

private:
    static QemuOptions options(bool threaded, bool incoming) {
        QemuOptions o{.machine = "sabrelite", .interrupt_of = kGc2000};
        if (threaded) {
            o.arguments = {"-global", "vivante-gc.x-force-thread=on"};
        }
        if (incoming) {
            o.arguments.insert(o.arguments.end(), {"-incoming", "defer"});
        }
        return o;
    }

    bool threaded_;

public:
    Qemu qemu;
    Gc gc;
};

class Vivante3d : public testing::TestWithParam<bool> {
protected:
    Board board{GetParam()};
};

/* Expects the triangle of lower_left() without the diagonal, which is a right edge. */
void expect_half(const Words& picture, uint32_t drawn, uint32_t around) {
    for (uint32_t y = 0; y < kSide; ++y) {
        for (uint32_t x = 0; x < kSide; ++x) {
            ASSERT_EQ(picture[y * kSide + x], x < y ? drawn : around) << x << ", " << y;
        }
    }
}

TEST_P(Vivante3d, DrawsATriangleAndInterrupts) {
    put_corners(board.qemu, kAt, lower_left());
    board.start(Commands{}
                    .append(fill(kAt, kBackground))
                    .append(states(kAt))
                    .append(draw(1))
                    .append(resolve(kAt)));
    EXPECT_TRUE(board.wait([&] { return board.qemu.interrupt(); }));
    expect_half(board.picture(), kRed, kBackground);
    EXPECT_EQ(board.finish(), 2u);
    EXPECT_EQ(board.counter("stat-draws"), 3u);
    EXPECT_FALSE(board.qemu.interrupt());
    EXPECT_TRUE(board.qemu.log().empty());
    expect_clean_quit(board.qemu);
}

TEST_P(Vivante3d, ClearsByTileStatus) {
    constexpr uint32_t kCleared = 0xFF0000FF;
    put_corners(board.qemu, kAt, lower_left());
    EXPECT_EQ(board.run(Commands{}
                            .append(clear_status(kAt))
                            .append(states(kAt))
                            .append(use_status(kAt, kCleared))
                            .append(draw(1))
                            .append(resolve(kAt))),
              2u);
    expect_half(board.picture(), kRed, kCleared);
    /* no pixel is drawn in the upper right 64 x 64, a supertile of the first pipe */
    const Words tiles = board.qemu.read_words(kAt.color, kTargetBytes / 4);
    size_t untouched = 0;
    for (const uint32_t word : tiles) {
        untouched += word == 0;
    }
    EXPECT_GE(untouched, size_t{64 * 64}) << "cleared tiles must not reach memory";
    expect_clean_quit(board.qemu);
}

TEST_P(Vivante3d, ATargetWithoutMemoryIsABusError) {
    put_corners(board.qemu, kAt, lower_left());
    Places nowhere = kAt;
    nowhere.color = kNoRam;
    board.start(states(nowhere).append(draw(1)));
    /* The worker may raise the line after it has released the lock for register reads. */
    EXPECT_TRUE(board.wait([&] { return board.stopped() && board.qemu.interrupt(); }));
    EXPECT_EQ(board.gc.read(reg::kIntrAcknowledge), kIntrBus | 2u)
        << "the stream continues after the error";
    EXPECT_GE(board.counter("stat-bus-errors"), 1u);
    EXPECT_FALSE(board.qemu.log().empty());
    EXPECT_EQ(board.run(Commands{}
                            .append(fill(kAt, kBackground))
                            .append(states(kAt))
                            .append(draw(1))
                            .append(resolve(kAt))),
              2u);
    expect_half(board.picture(), kRed, kBackground);
    expect_clean_quit(board.qemu);
}

/* The core's MMU (version 1) cannot fault, so the test injects faults with "x-inject". */
TEST_P(Vivante3d, AnMmuFaultInADrawStallsItUntilAReset) {
    put_corners(board.qemu, kAt, lower_left());
    board.qemu.set_property(kGc2000, "x-inject", "\"mmu-fault\"");
    board.start(states(kAt).append(draw(1)));
    EXPECT_TRUE(board.wait([&] { return board.qemu.interrupt(); }));
    EXPECT_EQ(board.gc.read(reg::kIntrAcknowledge), kIntrMmu);
    board.qemu.clock_step(10 * kMillisecond);
    EXPECT_NE(board.gc.read(reg::kIdle) & 1, 1u) << "the front end must wait for the draw";
    EXPECT_EQ(board.gc.read(reg::kIntrAcknowledge), 0u);
    EXPECT_EQ(board.counter("stat-mmu-faults"), 1u);
    board.gc.driver_reset();
    EXPECT_EQ(board.gc.read(reg::kIdle), kStopped);
    board.gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    EXPECT_EQ(board.run(Commands{}
                            .append(fill(kAt, kBackground))
                            .append(states(kAt))
                            .append(draw(1))
                            .append(resolve(kAt))),
              2u);
    expect_half(board.picture(), kRed, kBackground);
    expect_clean_quit(board.qemu);
}

TEST_P(Vivante3d, AnEndlessShaderHangsTheCoreUntilAReset) {
    put_corners(board.qemu, kAt, lower_left());
    board.start(states(kAt).append(never_end()).append(draw(1)));
    ASSERT_TRUE(board.wait([&] { return !board.qemu.log().empty(); }));
    board.qemu.clock_step(10 * kMillisecond);
    EXPECT_FALSE(board.qemu.interrupt());
    EXPECT_NE(board.gc.read(reg::kIdle), kStopped);
    board.gc.driver_reset();
    EXPECT_EQ(board.gc.read(reg::kIdle), kStopped);
    board.gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    EXPECT_EQ(board.run(Commands{}
                            .append(fill(kAt, kBackground))
                            .append(states(kAt))
                            .append(draw(1))
                            .append(resolve(kAt))),
              2u);
    expect_half(board.picture(), kRed, kBackground);
    expect_clean_quit(board.qemu);
}

/* Returns draws in which each pixel depends on all earlier triangles. */
Commands layers(uint32_t triangles) {
    return Commands{}
        .append(fill(kAt, kBackground))
        .append(states(kAt))
        .append(blended())
        .append(draw_indexed(kAt, triangles))
        .append(resolve(kAt));
}

void put_layers(Board& board, uint32_t triangles) {
    put_corners(board.qemu, kAt, overlapping());
    put_indices(board.qemu, kAt, 9, triangles);
}

Words uninterrupted(bool threaded, uint32_t triangles) {
    Board board(threaded);
    put_layers(board, triangles);
    EXPECT_EQ(board.run(layers(triangles)), 2u);
    Words picture = board.picture();
    expect_clean_quit(board.qemu);
    return picture;
}

/* Migrates the machine during the draw; false if the draw ended before the machine was saved. */
bool is_cut(bool threaded, uint32_t triangles, const Words& expected) {
    Board board(threaded);
    put_layers(board, triangles);
    board.start(layers(triangles));
    EXPECT_TRUE(board.wait([&] { return board.counter("stat-pixels") > 0; }, kMicrosecond));
    const std::string file = board.qemu.directory().file("machine");
    board.qemu.migrate_to(file);
    const bool cut = board.counter("stat-draws") == 2; /* saved before the resolve */
    Board copy(threaded, true);
    copy.qemu.clock_set(board.qemu.now());
    copy.qemu.migrate_from(file);
    EXPECT_EQ(copy.finish(), 2u);
    EXPECT_EQ(copy.picture(), expected);
    expect_clean_quit(copy.qemu);
    expect_clean_quit(board.qemu);
    return cut;
}

/* A fast worker may finish before the save, so the number of triangles grows until it does not. */
TEST_P(Vivante3d, MigrationInTheMiddleOfADrawGivesTheSamePicture) {
    uint32_t triangles = 50;
    while (!is_cut(GetParam(), triangles, uninterrupted(GetParam(), triangles))) {
        ASSERT_LT(triangles, 100'000u) << "was not saved in the middle";
        triangles *= 8;
    }
}

TEST_P(Vivante3d, SnapshotsInTheMiddleOfADrawGiveTheSamePictureAgain) {
    const uint32_t triangles = GetParam() ? 500 : 50;
    const Words expected = uninterrupted(GetParam(), triangles);
    put_layers(board, triangles);
    board.start(layers(triangles));
    EXPECT_TRUE(board.wait([&] { return board.counter("stat-pixels") > 0; }, kMicrosecond));
    board.qemu.save_snapshot();
    for (int i = 0; i < 2; ++i) {
        EXPECT_EQ(board.finish(), 2u);
        EXPECT_EQ(board.picture(), expected);
        board.qemu.fill(kAt.color, kTargetBytes, 0);
        board.qemu.load_snapshot();
    }
    expect_clean_quit(board.qemu);
}

TEST(Vivante3dWorkers, DrawTheSame) {
    const Words by_timer = uninterrupted(false, 20);
    EXPECT_NE(by_timer, Words(kSide * kSide, kBackground));
    EXPECT_EQ(uninterrupted(true, 20), by_timer);
}

INSTANTIATE_TEST_SUITE_P(Worker, Vivante3d, testing::Bool(),
                         [](const auto& p) { return p.param ? "Threaded" : "Inline"; });

} // namespace
} // namespace pixmill::qtest

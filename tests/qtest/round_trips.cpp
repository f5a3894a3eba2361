/*
 * Saves, disturbs and loads a scene again and again while it is being drawn.  Each load must
 * restore the registers and the picture of the save, and the final picture must equal that of an
 * uninterrupted run.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp; a case is a round trip.
 */
#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "../random_setting.hpp"
#include "geode/gp_rig.hpp"
#include "nema/rig.hpp"
#include "random_program.hpp"
#include "rig.hpp"
#include "vivante/drawing.hpp"

namespace pixmill::qtest {
namespace {

constexpr uint32_t kSide = 128;
constexpr int kDraws = 400;

/* A scene and the location of its picture. */
struct Scene {
    const char* name;
    const char* machine;
    const char* memory;
    uint64_t registers; /* base address of the device's registers */
    uint32_t list, picture;
    std::vector<uint32_t>
        compared; /* registers that keep their value while the machine is stopped */
    Words (*words)(const Scene&);
    void (*start)(Qemu&, const Scene&);
    bool (*done)(Qemu&, const Scene&);
};

void PrintTo(const Scene& scene, std::ostream* out) {
    *out << scene.name;
}

Words initial_picture() {
    Words words(size_t{kSide} * kSide);
    for (size_t i = 0; i < words.size(); ++i) {
        words[i] = static_cast<uint32_t>(i * 2654435761u);
    }
    return words;
}

/*
 * Returns blits all over a surface, each of which reads earlier results.  The WAITs between them
 * let guest time decide how far the core gets.
 */
Words vivante_words(const Scene& scene) {
    Commands stream = base_block(kSide, kSide, command::kBitBlt, scene.picture, scene.picture)
                          .load(state::kSrcConfig, src_config(format::kA8R8G8B8) | kRelative);
    Dice dice(1);
    for (int i = 0; i < kDraws; ++i) {
        const int x = static_cast<int>(dice.from(16, 79));
        const int y = static_cast<int>(dice.from(16, 79));
        stream.load(state::kRop, i % 7 == 0 ? 0x00306666 : 0x0030CCCC)
            .load(state::kSrcOrigin, point(static_cast<int>(dice.below(32)) - 16,
                                           static_cast<int>(dice.below(32)) - 16))
            .draw({{x, y, x + 32, y + 32}})
            .wait(2000);
    }
    return stream.event(3, kEventFromPe).end().words();
}

void start_vivante(Qemu& qemu, const Scene& scene) {
    Gc gc(qemu, scene.registers);
    gc.driver_reset();
    gc.write(reg::kIntrEnable, 0xFFFFFFFF);
    gc.start(scene.list, static_cast<uint32_t>(scene.words(scene).size() / 2));
}

bool vivante_done(Qemu& qemu, const Scene& scene) {
    return Gc(qemu, scene.registers).stopped();
}

/*
 * Returns a command list that leaves, in each channel of a pixel, the number of times the pixel was
 * drawn.
 */
Words nema_words(const Scene& scene) {
    constexpr uint32_t kAdd = 0x101; /* blend mode: source plus destination */
    Words list =
        joined({common_state(), fill_state({scene.picture, kSide, kSide}, 0x01010101, kAdd)});
    Dice dice(1);
    for (int i = 0; i < 4 * kDraws; ++i) {
        const uint32_t x = dice.below(kSide / 2);
        const uint32_t y = dice.below(kSide / 2);
        const Words pairs = rectangle(x, y, x + kSide / 2, y + kSide / 2);
        list.insert(list.end(), pairs.begin(), pairs.end());
    }
    return joined({list, {nema::kListId, 5, nema::kIntCtrl, 1}});
}

void start_nema(Qemu& qemu, const Scene& scene) {
    qemu.write32(scene.registers + nema::kIntCtrl, 0);
    qemu.write32(scene.registers + nema::kCmdAddr, scene.list);
    qemu.write32(scene.registers + nema::kCmdSize,
                 static_cast<uint32_t>(scene.words(scene).size()));
}

bool nema_done(Qemu& qemu, const Scene& scene) {
    return qemu.read32(scene.registers + nema::kStat) == 0 &&
           qemu.read32(scene.registers + nema::kCmdStat) == 0;
}

/* Returns packets that each blend a random part of the picture onto another part. */
Words geode_gp_words(const Scene&) {
    constexpr uint32_t kBlend =
        0x80F60080; /* 8:8:8:8, source and destination weighted by a constant */
    Words packets;
    Dice dice(1);
    for (int i = 0; i < 4 * kDraws; ++i) {
        const auto offset = [&] {
            return dice.below(kSide / 2) * kSide * 4 + dice.below(kSide / 2) * 4;
        };
        const uint32_t to = offset(), from = offset();
        packets.insert(packets.end(), {0xC01F, kBlend, to, from, kSide * 4 << 16 | kSide * 4,
                                       0x00400040, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x01004010, 5});
    }
    return packets;
}

/*
 * Stops the machine first, because the doorbell write of a running one would stall until all is
 * drawn.
 */
void start_geode_gp(Qemu& qemu, const Scene& scene) {
    const uint32_t vram = scene.list - geode_gp::kVram + test::geode_vram_base;
    qemu.stop();
    qemu.write32(geode_gp::kMsrs + 8, vram >> 20 << 16);
    qemu.write32(scene.registers + geode_gp::kTop, 0);
    qemu.write32(scene.registers + geode_gp::kRead, 0);
    qemu.write32(scene.registers + geode_gp::kWrite,
                 static_cast<uint32_t>(4 * scene.words(scene).size()));
    qemu.resume();
}

bool geode_gp_done(Qemu& qemu, const Scene& scene) {
    return qemu.read32(scene.registers + geode_gp::kStatus) == 0x18;
}

const std::vector<Scene> kScenes{
    {"Bb2d",
     "am57xx",
     "64",
     0x59000000,
     0x81000000,
     0x82000000,
     {reg::kIdle, reg::kIntrEnable, reg::kFeDebugState, reg::kFeDmaAddress, reg::kFeDmaLow},
     vivante_words,
     start_vivante,
     vivante_done},
    {"Gr5526",
     "gr5526",
     "8",
     nema::kBase,
     kPsram,
     kPsram + 0x100000,
     {nema::kStat, nema::kCmdStat, nema::kCmdAddr, nema::kListId, nema::kStartXy, nema::kEndXy},
     nema_words,
     start_nema,
     nema_done},
    {"GeodeGp",
     "pixmill-test",
     "1344",
     geode_gp::kBase,
     geode_gp::kVram + 0x100000,
     geode_gp::kVram,
     {geode_gp::kStatus, geode_gp::kRead, geode_gp::kWrite, 0x00, 0x04},
     geode_gp_words,
     start_geode_gp,
     geode_gp_done},
};

struct Sight {
    Words registers, picture;
};

class Stage {
public:
    Stage(const Scene& scene, bool threaded)
        : scene_(scene), threaded_(threaded), qemu_(options(scene, threaded)) {
        qemu_.write_words(scene.list, scene.words(scene));
    }

    Qemu& qemu() { return qemu_; }

    void start() {
        qemu_.write_words(scene_.picture, initial_picture());
        scene_.start(qemu_, scene_);
    }
    bool done() { return scene_.done(qemu_, scene_); }
    void pass(int64_t nanoseconds) {
        qemu_.clock_step(nanoseconds);
        if (threaded_) {
            std::this_thread::sleep_for(Milliseconds(1));
        }
    }
    Words picture() { return qemu_.read_words(scene_.picture, size_t{kSide} * kSide); }
    /* The machine must be stopped. */
    Sight look() {
        Sight sight{{}, picture()};
        for (const uint32_t offset : scene_.compared) {
            sight.registers.push_back(qemu_.read32(scene_.registers + offset));
        }
        return sight;
    }
    /*
     * Makes changes that the snapshot must undo.  Guest time stands still, because qtest's clock is
     * not saved.
     */
    void disturb(Dice& dice) {
        qemu_.resume();
        if (dice.one_in(4)) {
            qemu_.system_reset();
        }
        qemu_.fill(scene_.picture, kSide * kSide * 4, static_cast<uint8_t>(dice.any()));
        for (int i = 0; i < 20; ++i) {
            qemu_.write32(scene_.registers + dice.below(0x100) * 4, dice.edge());
        }
    }
    Words uninterrupted() {
        start();
        while (!done()) {
            pass(kMillisecond);
        }
        return picture();
    }

private:
    static QemuOptions options(const Scene& scene, bool threaded) {
        QemuOptions result{.machine = scene.machine, .arguments = {"-m", scene.memory}};
        if (threaded) {
            for (const char* device : {"vivante-gc", "nema-gfx", "geode-gp"}) {
                result.arguments.insert(result.arguments.end(),
                                        {"-global", std::string(device) + ".x-force-thread=on"});
            }
        }
        return result;
    }

    const Scene& scene_;
    bool threaded_;
    Qemu qemu_;
};

class RoundTrips : public testing::TestWithParam<std::tuple<Scene, bool>> {};

TEST_P(RoundTrips, InsideARunningSceneChangeNothing) {
    const auto& [scene, threaded] = GetParam();
    const uint64_t trips = random_cases(100);
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    Stage stage(scene, threaded);
    const Words expected = stage.uninterrupted();
    ASSERT_NE(expected, initial_picture());
    Dice dice(seed);
    uint64_t inside = 0;
    stage.start();
    for (uint64_t trip = 0; trip < trips; ++trip) {
        stage.pass(dice.below(300'000));
        stage.qemu().stop();
        /* Saving also collects the results of the last slice of a draw. */
        stage.qemu().save_snapshot();
        const Sight before = stage.look();
        inside += before.picture != expected;
        stage.disturb(dice);
        stage.qemu().stop();
        stage.qemu().load_snapshot();
        const Sight after = stage.look();
        ASSERT_EQ(after.registers, before.registers) << "PIXMILL_SEED=" << seed << ", " << trip;
        ASSERT_TRUE(after.picture == before.picture) << "PIXMILL_SEED=" << seed << ", " << trip;
        stage.qemu().resume();
        if (stage.done()) {
            ASSERT_TRUE(stage.picture() == expected) << "PIXMILL_SEED=" << seed << ", " << trip;
            stage.start();
        }
    }
    /*
     * A worker may finish the list before the machine stops, but inline work is paced by guest
     * time.
     */
    EXPECT_GE(inside, threaded ? 0 : trips / 2);
    std::cout << "figures: " << trips << " snapshot round trips, " << inside
              << " of them before the picture was complete\n";
    expect_clean_quit(stage.qemu());
}

INSTANTIATE_TEST_SUITE_P(On, RoundTrips,
                         testing::Combine(testing::ValuesIn(kScenes), testing::Bool()),
                         [](const auto& info) {
                             return std::get<0>(info.param).name +
                                    std::string(std::get<1>(info.param) ? "Threaded" : "Inline");
                         });

} // namespace
} // namespace pixmill::qtest

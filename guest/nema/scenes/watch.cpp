// SPDX-License-Identifier: GPL-2.0-or-later
#include "scenes.hpp"
#include "software_canvas.hpp"
#include "watch_face.hpp"

namespace nema::scenes {

namespace {

constexpr uint32_t START = (10 * 60 + 9) * 60; // nine minutes past ten
constexpr uint32_t FRAMES = 60;
constexpr uint64_t SECOND = 1'000'000'000;

// Draws for two seconds and returns the frame rate in hundredths of a frame per second.
template<typename Draw>
uint32_t rate_of(Machine& machine, Draw draw) {
    const uint64_t start = machine.nanoseconds();
    uint64_t passed = 0;
    uint32_t frames = 0;
    do {
        draw(START + frames++);
        passed = machine.nanoseconds() - start;
    } while (passed < 2 * SECOND);
    return uint32_t(frames * 100 * SECOND / passed);
}

Surface screen(Stage& stage) {
    return stage.surface(Format::RGBA8888, WatchFace::SIZE, WatchFace::SIZE);
}

} // namespace

// Draws every second of a minute into two alternating frame buffers, as firmware does for a
// display.
void watch(Stage& stage) {
    const WatchFace face(stage);
    const Surface buffers[] = {screen(stage), screen(stage)};
    for (uint32_t i = 0; i < FRAMES; ++i) {
        const Surface& buffer = buffers[i % 2];
        Text name;
        name << "watch-" << (i < 10 ? "0" : "") << i;
        if (i % stage.machine().frame_step() != 0) {
            stage.omit(name);
            continue;
        }
        GpuCanvas canvas(stage.painter(), buffer);
        face.draw(canvas, START + i);
        stage.frame(name, buffer);
    }
}

// Measures the frame rates of the GPU and of the processor with the same face.
void speed(Stage& stage) {
    const WatchFace face(stage);
    const Surface by_gpu = screen(stage), by_processor = screen(stage);
    SoftwareCanvas software(by_processor);
    face.draw(software, START + 36);
    stage.frame("watch-by-the-processor", by_processor);
    const uint32_t gpu = rate_of(stage.machine(), [&](uint32_t second) {
        GpuCanvas canvas(stage.painter(), by_gpu);
        face.draw(canvas, second);
        stage.painter().finish();
    });
    const uint32_t processor =
        rate_of(stage.machine(), [&](uint32_t second) { face.draw(software, second); });
    stage.figure("watch-by-the-gpu", gpu, "frames/s");
    stage.figure("watch-by-the-processor", processor, "frames/s");
    stage.figure("gpu-over-processor", gpu * 100 / (processor ? processor : 1), "times");
}

} // namespace nema::scenes

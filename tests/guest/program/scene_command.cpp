// SPDX-License-Identifier: GPL-2.0-or-later
#include "scene_command.hpp"

#include "../scene/artwork.hpp"
#include "../scene/scene.hpp"
#include "driver_sink.hpp"
#include "scattered_memory.hpp"

#include <cstdio>

namespace guest {

namespace {

void make_buffers(DriverSink& sink) {
    const ScatteredMemory scattered;
    for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i) {
        const auto memory = scene::Memory(i);
        const std::span<uint32_t> words = sink.make(memory, scene::bytes_of(memory)).words();
        scene::paint(memory, {reinterpret_cast<uint8_t*>(words.data()), scene::bytes_of(memory)});
    }
}

} // namespace

int scene_command(int argc, char** argv) {
    const char* path = argc > 0 ? argv[0] : "2d.bmp";
    Device device("/dev/dri/renderD128");
    DriverSink sink(device);
    make_buffers(sink);
    const std::span<uint32_t> frame = sink[scene::Memory::FRAME].words();

    const auto start = std::chrono::steady_clock::now();
    scene::draw(sink);
    sink.wait();
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    std::printf("the scene: %.1f ms, %u jobs, %zu words\n", taken.count(), sink.jobs(),
                sink.words());
    const bool scattered = is_behind_mmu(frame.size_bytes());
    std::printf("the frame is %s\n", scattered ? "behind the MMU" : "in one piece");
    const bool written = scene::write_bmp(path, frame.first(scene::WIDTH * scene::HEIGHT));
    return written && scattered ? 0 : 1;
}

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
#include "scene_command.hpp"

#include "../scene/artwork.hpp"
#include "../scene/scene.hpp"
#include "driver_sink.hpp"
#include "scattered_memory.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace guest {

namespace {

void make_buffers(Device& device, DriverSink& sink) {
    const ScatteredMemory scattered(device);
    for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i) {
        const auto memory = scene::Memory(i);
        const std::span<uint32_t> words = sink.make(memory, scene::bytes_of(memory)).words();
        scene::paint(memory, {reinterpret_cast<uint8_t*>(words.data()), scene::bytes_of(memory)});
    }
}

// Returns milliseconds.
double draw(DriverSink& sink) {
    const auto start = std::chrono::steady_clock::now();
    scene::draw(sink);
    sink.wait();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
}

bool are_buffers_scattered(DriverSink& sink) {
    std::vector<size_t> sizes; // of those that can be in pieces
    for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i)
        if (const size_t bytes = sink[scene::Memory(i)].words().size_bytes(); bytes > PAGE)
            sizes.push_back(bytes);
    const size_t behind_mmu = count_behind_mmu(sizes);
    std::printf("buffers behind the MMU: %zu of %zu\n", behind_mmu, sizes.size());
    return behind_mmu == sizes.size();
}

} // namespace

int scene_command(int argc, char** argv) {
    const char* path = argc > 0 ? argv[0] : "2d.bmp";
    const uint32_t count = argc > 1 ? std::strtoul(argv[1], nullptr, 0) : 1;
    Device device("/dev/dri/renderD128");
    DriverSink sink(device);
    make_buffers(device, sink);
    const std::span<uint32_t> frame = sink[scene::Memory::FRAME].words();

    std::vector<double> times;
    for (uint32_t i = 0; i < count; ++i)
        times.push_back(draw(sink));
    std::printf("the scene: %u jobs, %zu words\n", sink.jobs() / count, sink.words() / count);
    std::printf("first %.1f ms, shortest %.1f ms, longest %.1f ms, of %u\n", times.front(),
                *std::ranges::min_element(times), *std::ranges::max_element(times), count);
    const bool scattered = are_buffers_scattered(sink);
    const bool written = scene::write_bmp(path, frame.first(scene::WIDTH * scene::HEIGHT));
    return written && scattered ? 0 : 1;
}

} // namespace guest

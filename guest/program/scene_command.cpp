// SPDX-License-Identifier: GPL-2.0-or-later
#include "scene_command.hpp"

#include "../scene/artwork.hpp"
#include "../scene/scene.hpp"
#include "../scene/states.hpp"
#include "driver_sink.hpp"
#include "scattered_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace guest {

namespace {

constexpr int TRIES = 32;

// True if the MMU maps all buffers of these sizes. The driver assigns an address to a buffer when
// the first job uses it, so this submits a job that uses `last`.
bool is_behind_mmu(DriverSink& sink, scene::Memory last, std::span<const size_t> sizes) {
    sink.load_address(scene::SRC_ADDRESS, last, 0);
    sink.finish_part();
    sink.wait();
    return count_behind_mmu(sizes) == sizes.size();
}

// Allocates a buffer whose pages are not contiguous. Even in fragmented memory the kernel may
// return a contiguous buffer; the function holds such buffers until the kernel returns a scattered
// one. Appends the size to `sizes`, the sizes of the scattered buffers.
void make_in_pieces(DriverSink& sink, scene::Memory memory, std::vector<size_t>& sizes) {
    std::vector<std::unique_ptr<Buffer>> whole;
    size_t bytes = sink.make(memory, scene::bytes_of(memory)).words().size_bytes();
    if (bytes <= PAGE)
        return;
    sizes.push_back(bytes);
    while (!is_behind_mmu(sink, memory, sizes)) {
        if (whole.size() == TRIES) {
            sizes.pop_back();
            return;
        }
        whole.push_back(sink.take(memory));
        sink.make(memory, scene::bytes_of(memory));
    }
}

void make_buffers(Device& device, DriverSink& sink) {
    const ScatteredMemory scattered(device);
    std::vector<size_t> sizes;
    for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i) {
        const auto memory = scene::Memory(i);
        make_in_pieces(sink, memory, sizes);
        const std::span<uint32_t> words = sink[memory].words();
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

// Prints how many buffers are mapped through the MMU. The suite skips a check if some are not,
// because the guest kernel decides whether a buffer is contiguous.
void tell_buffers(DriverSink& sink) {
    std::vector<size_t> sizes; // of buffers larger than a page
    for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i)
        if (const size_t bytes = sink[scene::Memory(i)].words().size_bytes(); bytes > PAGE)
            sizes.push_back(bytes);
    std::printf("buffers behind the MMU: %zu of %zu\n", count_behind_mmu(sizes), sizes.size());
}

// For each line of standard input, draws the scene as many times as the line says (at least once)
// and writes the picture. Returns the exit status.
int draw_when_asked(DriverSink& sink, const char* path) {
    const std::span<uint32_t> frame = sink[scene::Memory::FRAME].words();
    for (uint32_t drawn = 0;;) {
        std::printf("drawn %u\n", drawn++);
        std::fflush(stdout);
        std::array<char, 80> line;
        if (!std::fgets(line.data(), line.size(), stdin))
            return 0;
        std::ranges::fill(frame, 0); // a new buffer is also zero
        for (auto left = std::max(1ul, std::strtoul(line.data(), nullptr, 0)); left; --left)
            draw(sink);
        if (!scene::write_bmp(path, frame.first(scene::WIDTH * scene::HEIGHT)))
            return 1;
    }
}

} // namespace

int scene_command(Words words) {
    const char* path = words.size() > 0 ? words[0] : "2d.bmp";
    const uint32_t count = words.size() > 1 ? std::strtoul(words[1], nullptr, 0) : 1;
    const bool asked = words.size() > 2 && std::string_view(words[2]) == "asked";
    Device device("/dev/dri/renderD128");
    DriverSink sink(device);
    make_buffers(device, sink);
    const std::span<uint32_t> frame = sink[scene::Memory::FRAME].words();

    const uint32_t jobs = sink.jobs();
    const size_t stream = sink.words();
    std::vector<double> times;
    for (uint32_t i = 0; i < count; ++i)
        times.push_back(draw(sink));
    std::printf("the scene: %u jobs, %zu words\n", (sink.jobs() - jobs) / count,
                (sink.words() - stream) / count);
    std::printf("first %.1f ms, shortest %.1f ms, longest %.1f ms, of %u\n", times.front(),
                *std::ranges::min_element(times), *std::ranges::max_element(times), count);
    tell_buffers(sink);
    if (!scene::write_bmp(path, frame.first(scene::WIDTH * scene::HEIGHT)))
        return 1;
    return asked ? draw_when_asked(sink, path) : 0;
}

} // namespace guest

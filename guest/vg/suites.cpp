// SPDX-License-Identifier: GPL-2.0-or-later
// The suites. "scene" draws every frame with the GPU. "speed" compares a frame drawn by the GPU
// with one drawn by the processor, and prints the frame rates of both.
#include "gpu_canvas.hpp"
#include "software_canvas.hpp"

#include <array>

namespace vg {

namespace {

uint32_t crc32(std::span<const uint8_t> bytes) {
    uint32_t crc = ~0u;
    for (const uint8_t byte : bytes) {
        crc ^= byte;
        for (int bit = 0; bit < 8; ++bit)
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
    }
    return ~crc;
}

// ---- Output ----------------------------------------------------------------------------------

class Line {
public:
    Line& operator<<(std::string_view text) {
        for (const char c : text)
            put(c);
        return *this;
    }
    Line& decimal(uint32_t number, uint32_t digits) {
        uint32_t unit = 1;
        while (--digits != 0)
            unit *= 10;
        for (; unit != 0; unit /= 10)
            put(char('0' + number / unit % 10));
        return *this;
    }
    Line& hex(uint32_t number) {
        for (int shift = 28; shift >= 0; shift -= 4)
            put("0123456789abcdef"[number >> shift & 15]);
        return *this;
    }
    std::string_view view() const { return {text_.data(), used_}; }

private:
    void put(char c) {
        if (used_ < text_.size())
            text_[used_++] = c;
    }
    std::array<char, 120> text_{};
    size_t used_ = 0;
};

void print_figure(Machine& machine, std::string_view name, uint64_t hundredths,
                  std::string_view unit) {
    const auto whole = uint32_t(hundredths / 100);
    uint32_t digits = 1;
    for (uint32_t rest = whole; rest >= 10; rest /= 10)
        ++digits;
    Line line;
    line << "figure " << name << " ";
    line.decimal(whole, digits) << ".";
    machine.print((line.decimal(uint32_t(hundredths % 100), 2) << " " << unit << "\n").view());
}

void print_frame(Machine& machine, std::string_view name, std::span<const uint8_t> picture) {
    machine.save((Line() << name << ".raw").view(), picture);
    Line line;
    line << "frame " << name << " rgba8888 400 400 1600 ";
    machine.print((line.hex(crc32(picture)) << "\n").view());
}

void run_scene(Machine& machine) {
    Scene scene(machine);
    GpuCanvas canvas(machine);
    const auto picture = machine.memory().subspan(PICTURE_AT, PICTURE_BYTES);
    bool drawn = true;
    for (uint32_t frame = 0; frame < Scene::FRAMES; ++frame) {
        scene.draw(canvas, frame);
        drawn = canvas.finish() && drawn;
        machine.show(Machine::MEMORY_ADDRESS + PICTURE_AT, SIDE, SIDE);
        Line name;
        name << "scene-";
        print_frame(machine, name.decimal(frame, 2).view(), picture);
    }
    machine.print(drawn ? "check events ok\n" : "check events failed\n");
}

// Draws for two seconds and returns the frame rate in hundredths of a frame per second.
template<typename Draw>
uint64_t rate_of(Machine& machine, Draw draw) {
    constexpr uint64_t SECOND = 1'000'000'000;
    const uint64_t start = machine.nanoseconds();
    uint64_t passed = 0, frames = 0;
    do {
        draw(uint32_t(frames++ % Scene::FRAMES));
        passed = machine.nanoseconds() - start;
    } while (passed < 2 * SECOND);
    return frames * 100 * SECOND / passed;
}

// True if fewer than one pixel in 50 differs clearly; a few may, because of edges and rounding.
bool alike(std::span<const uint8_t> a, std::span<const uint8_t> b) {
    constexpr int CLEARLY = 32;
    size_t different = 0;
    for (size_t i = 0; i < a.size(); i += 4) {
        bool same = true;
        for (size_t c = i; c < i + 4; ++c) {
            const int difference = int(a[c]) - int(b[c]);
            same = same && difference < CLEARLY && difference > -CLEARLY;
        }
        different += !same;
    }
    return different < a.size() / 4 / 50;
}

void run_speed(Machine& machine) {
    constexpr uint32_t FRAME = 3;
    Scene scene(machine);
    GpuCanvas gpu(machine);
    SoftwareCanvas processor(machine);
    const auto by_gpu = machine.memory().subspan(PICTURE_AT, PICTURE_BYTES);
    const auto by_processor = machine.memory().subspan(SOFTWARE_PICTURE_AT, PICTURE_BYTES);
    scene.draw(gpu, FRAME);
    bool drawn = gpu.finish();
    print_frame(machine, "by-the-gpu", by_gpu);
    scene.draw(processor, FRAME);
    print_frame(machine, "by-the-processor", by_processor);
    machine.print(alike(by_gpu, by_processor) ? "check alike ok\n" : "check alike failed\n");
    const uint64_t fast = rate_of(machine, [&](uint32_t frame) {
        scene.draw(gpu, frame);
        drawn = gpu.finish() && drawn;
    });
    const uint64_t slow = rate_of(machine, [&](uint32_t frame) { scene.draw(processor, frame); });
    machine.print(drawn ? "check events ok\n" : "check events failed\n");
    print_figure(machine, "by-the-gpu", fast, "frames/s");
    print_figure(machine, "by-the-processor", slow, "frames/s");
    print_figure(machine, "gpu-over-processor", fast * 100 / (slow ? slow : 1), "times");
}

struct Suite {
    std::string_view name;
    void (*run)(Machine&);
};
constexpr Suite SUITES[] = {{"scene", run_scene}, {"speed", run_speed}};

} // namespace

std::span<const std::string_view> suites() {
    static constexpr std::string_view NAMES[] = {SUITES[0].name, SUITES[1].name};
    return NAMES;
}

bool run_suite(Machine& machine, std::string_view name) {
    for (const Suite& suite : SUITES) {
        if (suite.name != name)
            continue;
        suite.run(machine);
        machine.print((Line() << "end " << name << "\n").view());
        return true;
    }
    return false;
}

} // namespace vg

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Registers are accessed as in NXP's VGLite (vg_lite_kernel.c, vg_lite_hw.h). Streams are in the
// SoC's OCRAM (i.MX6DQ RM, table 2-1), which is not system memory. The program uses its upper half,
// at the alias addresses that no driver claims.
#include "vector_command.hpp"

#include "../../tests/reference/vivante/vg/vivante_vg.hpp"
#include "../vg/states.hpp"
#include "physical_memory.hpp"

#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

namespace guest {

namespace {

using Model = pixmill::reference::VivanteVg;
using namespace std::chrono_literals;

constexpr uint32_t REGISTERS = 0x02204000, REGISTER_BYTES = 0x1000;
constexpr uint32_t CLOCK = 0x000, IDLE = 0x004, EVENTS = 0x010, ENABLE = 0x014, MODEL = 0x020,
                   REVISION = 0x024, STREAM = 0x500, QWORDS = 0x504;
constexpr uint32_t REST = 0x00000B05; // IDLE bits that the vendor's driver waits for
constexpr uint32_t HUNG = 0x7FFFFFFE;

constexpr uint32_t MEMORY = 0x00960000, MEMORY_BYTES = 0x20000;
constexpr uint32_t SIDE = 128, PICTURE_AT = 0, IMAGE_AT = 0x10000, RAMP_AT = 0x11000,
                   STREAM_AT = 0x12000, STREAM_BYTES = 0x4000;
constexpr uint32_t IMAGE_SIDE = 32, RAMP_TEXELS = 256, EVENT = 5;

class Core {
public:
    // Powers up the core as vg_lite_kernel.c does.
    void power_up() {
        for (const uint32_t value :
             {0x00070100, 0x00070300, 0x00070100, 0x000F0100, 0x000F1100, 0x000F0100, 0x00070100})
            m_registers.write32(CLOCK, value);
        wait("the core to become idle", [this] { return (read(IDLE) & REST) == REST; });
        m_registers.write32(ENABLE, 0); // because the interrupt has no handler
    }
    uint32_t read(uint32_t offset) const { return m_registers.read32(offset); }
    void start(uint32_t address, uint32_t qwords) {
        m_registers.write32(STREAM, address);
        m_registers.write32(QWORDS, qwords);
    }
    uint32_t wait_for_events() {
        uint32_t events = 0; // a read clears them
        wait("an event", [&] { return (events = read(EVENTS)) != 0; });
        return events;
    }

private:
    template<typename Done>
    void wait(const char* what, Done done) const {
        const auto end = std::chrono::steady_clock::now() + 5s;
        while (!done()) {
            if (std::chrono::steady_clock::now() > end)
                throw std::runtime_error(std::string("waited 5 s in vain for ") + what);
            usleep(100);
        }
    }

    PhysicalWindow m_registers{REGISTERS, REGISTER_BYTES};
};

// Memory shared by the core and this program.
class Memory {
public:
    std::vector<uint8_t> bytes() const {
        std::vector<uint8_t> all(MEMORY_BYTES);
        for (uint32_t i = 0; i < MEMORY_BYTES; i += 4) {
            const uint32_t word = m_window.read32(i);
            for (uint32_t b = 0; b < 4; ++b)
                all[i + b] = uint8_t(word >> 8 * b);
        }
        return all;
    }
    void put(uint32_t offset, std::span<const uint32_t> words) {
        for (const uint32_t word : words) {
            m_window.write32(offset, word);
            offset += 4;
        }
    }

private:
    PhysicalWindow m_window{MEMORY, MEMORY_BYTES};
};

std::vector<uint32_t> image() {
    std::vector<uint32_t> texels;
    for (uint32_t i = 0; i < IMAGE_SIDE * IMAGE_SIDE; ++i)
        texels.push_back(0xFF000000 | (i % IMAGE_SIDE * 8) << 16 | (i / IMAGE_SIDE * 8) << 8 | 64);
    return texels;
}

// Returns a color ramp in ABGR8888, with alpha in the lowest byte.
std::vector<uint32_t> ramp() {
    std::vector<uint32_t> texels;
    for (uint32_t i = 0; i < RAMP_TEXELS; ++i)
        texels.push_back(i << 24 | (255 - i) << 8 | 255);
    return texels;
}

// ---- Jobs ------------------------------------------------------------------------------------

void clear(vg::Stream& stream) {
    set_solid(stream, vg::RECTANGLE, vg::NO_PATH, 0xFF604020);
    stream.rectangle(0, 0, SIDE, SIDE);
}

vg::Path heart() {
    vg::Path path;
    path.move({64, 40});
    path.cubic({64, 10}, {10, 5}, {12, 50});
    path.cubic({14, 85}, {50, 95}, {64, 118});
    path.cubic({78, 95}, {114, 85}, {116, 50});
    path.cubic({118, 5}, {64, 10}, {64, 40});
    return path;
}

// Draws two overlapping translucent paths with different fill rules.
void paths(vg::Stream& stream) {
    clear(stream);
    set_solid(stream, vg::PATH, vg::COLORED, 0xC0203080);
    stream.path(heart());
    vg::Path star;
    const vg::Point points[] = {{64, 2}, {101, 116}, {4, 46}, {124, 46}, {27, 116}};
    star.polygon(points);
    set_solid(stream, vg::PATH, vg::COLORED | vg::EVEN_ODD, 0x80808080);
    stream.path(star);
}

void radial(vg::Stream& stream) {
    clear(stream);
    set_radial(stream, {60, 60}, 50);
    set_ramp(stream, MEMORY + RAMP_AT, RAMP_TEXELS);
    stream.path(heart());
}

// Draws the image rotated, at about three times its size.
void turned_image(vg::Stream& stream) {
    clear(stream);
    constexpr float C = 0.0090f, S = 0.0052f;
    set_image(stream, MEMORY + IMAGE_AT, IMAGE_SIDE,
              {{0.5f - 64 * (C - S), 0.5f - 64 * (C + S)}, {C, S}, {-S, C}});
    stream.rectangle(0, 0, SIDE, SIDE);
}

struct Job {
    const char* name;
    void (*add)(vg::Stream&);
};
constexpr Job JOBS[] = {
    {"clear", clear}, {"paths", paths}, {"radial", radial}, {"image", turned_image}};

void compare(const char* name, const std::vector<uint8_t>& seen, std::span<const uint8_t> expected,
             std::span<const uint8_t> before) {
    size_t changed = 0;
    for (size_t i = 0; i < seen.size(); ++i) {
        if (seen[i] != expected[i]) {
            char text[120];
            std::snprintf(text, sizeof text, "%s: byte %zx is %02x, expected %02x", name, i,
                          seen[i], expected[i]);
            throw std::runtime_error(text);
        }
        changed += expected[i] != before[i];
    }
    if (changed < SIDE * SIDE)
        throw std::runtime_error(std::string(name) + ": almost nothing was drawn");
    std::printf("%s: %zu bytes of memory match the model, %zu of them drawn\n", name, seen.size(),
                changed);
}

void run(Core& core, Memory& memory, Model& model, const Job& job) {
    std::vector<uint32_t> words(STREAM_BYTES / 4);
    vg::Stream stream(words, MEMORY + STREAM_AT);
    set_target(stream, vg::BGRA8888, MEMORY + PICTURE_AT, SIDE);
    job.add(stream);
    stream.end(EVENT);
    words.resize(stream.qwords() * 2);
    memory.put(STREAM_AT, words);
    memory.put(PICTURE_AT, std::vector<uint32_t>(SIDE * SIDE, 0x12345678));
    const std::vector<uint8_t> before = memory.bytes();
    std::ranges::copy(before, model.bytes().begin());
    model.run(stream.address(), stream.qwords());
    const uint32_t expected = model.read(EVENTS);
    core.start(stream.address(), stream.qwords());
    if (const uint32_t events = core.wait_for_events(); events != expected || events != 1u << EVENT)
        throw std::runtime_error(std::string(job.name) + ": events differ from the model's");
    compare(job.name, memory.bytes(), model.bytes(), before);
}

// A stream address that is not a multiple of 64 hangs the front end until a reset, as on silicon
// (rt1176-evkb).
void hang(Core& core) {
    core.start(MEMORY + STREAM_AT + 8, 1);
    usleep(20'000);
    if (core.read(IDLE) != HUNG || core.read(EVENTS) != 0)
        throw std::runtime_error("an unaligned stream does not hang the front end");
    core.power_up();
    std::printf("an unaligned stream hangs the front end until a reset\n");
}

} // namespace

int vector_command(Words) {
    Core core;
    Memory memory;
    core.power_up();
    std::printf("GC%x revision %x\n", core.read(MODEL), core.read(REVISION));
    if (core.read(MODEL) != 0x355 || core.read(REVISION) != 0x1215)
        throw std::runtime_error("this is not the GC355 of an i.MX6Q");
    memory.put(IMAGE_AT, image());
    memory.put(RAMP_AT, ramp());
    Model model({{MEMORY, std::vector<uint8_t>(MEMORY_BYTES)}}, "gc355-imx6q");
    for (const Job& job : JOBS)
        run(core, memory, model, job);
    hang(core);
    run(core, memory, model, JOBS[1]);
    return 0;
}

} // namespace guest

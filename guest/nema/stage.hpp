// The environment of a scene: allocates its surfaces, draws, and reports results.
//
// A run prints these lines:
//     frame NAME FORMAT WIDTH HEIGHT BYTES-A-ROW CRC32
//                                  a frame, also saved as NAME.raw
//     omitted NAME                 a frame that is skipped on this machine
//     check NAME ok                (or failed)
//     figure NAME VALUE UNIT       a measurement, not judged
//     end SUITE
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "draw/painter.hpp"
#include "machine.hpp"
#include "ring.hpp"

#include <string_view>

namespace nema {

/// Text of bounded length.
class Text {
public:
    Text& operator<<(std::string_view text);
    Text& operator<<(uint32_t number);
    Text& hex(uint32_t number);
    std::string_view view() const { return {text_.data(), used_}; }
    operator std::string_view() const { return view(); }

private:
    std::array<char, 160> text_{};
    size_t used_ = 0;
};

class Stage {
public:
    explicit Stage(Machine& machine);

    Machine& machine() { return machine_; }
    Ring& ring() { return ring_; }
    Painter& painter() { return painter_; }

    /// Allocates a cleared surface.
    Surface surface(Format format, uint32_t width, uint32_t height);
    struct Block {
        std::span<uint8_t> bytes;
        uint32_t address;
    };
    Block allocate(uint32_t bytes);
    /// Allocates words in the SRAM, for commands. Stores their GPU address in `address`.
    std::span<uint32_t> words(uint32_t count, uint32_t& address);

    /// Waits for the GPU, then reports and saves the contents of a surface.
    void frame(std::string_view name, const Surface& surface);
    /// Reports that a frame is skipped on this machine.
    void omit(std::string_view name);
    void check(std::string_view name, bool passed);
    void figure(std::string_view name, uint32_t hundredths, std::string_view unit);

    /// Returns the next number of a fixed pseudo-random sequence.
    uint32_t random();
    void scribble(const Surface& surface);

private:
    Block take(uint32_t& used, uint32_t end, uint32_t bytes);

    Machine& machine_;
    uint32_t sram_used_ = 0, psram_used_ = Machine::SRAM_BYTES;
    Ring ring_;
    Queue queue_;
    Painter painter_{queue_};
    uint32_t seed_ = 1;
};

uint32_t crc32(std::span<const uint8_t> bytes);

struct Suite {
    const char* name;
    void (*run)(Stage& stage);
};

std::span<const Suite> suites();

/// Runs the suite of that name. Returns false if there is none.
bool run_suite(Machine& machine, std::string_view name);

} // namespace nema

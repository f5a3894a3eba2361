// Reads tests/data/geode_vectors.txt (which documents its statements) and plays its vectors on any
// implementation of a Geode LX's graphics processor.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

namespace pixmill::test {

/// A graphics processor. Each call returns when all work that is possible is done.
class GeodeGp {
public:
    virtual ~GeodeGp() = default;
    virtual void write(uint32_t offset, uint32_t size, uint32_t value) = 0;
    virtual uint32_t read(uint32_t offset, uint32_t size) = 0;
    /// MSR @number is the one at A0002000h + @number.
    virtual void write_msr(uint32_t number, uint64_t value) = 0;
    virtual uint64_t read_msr(uint32_t number) = 0;
    /// Returns VRAM. The span is valid until another function is called.
    virtual std::span<uint8_t> vram() = 0;
    virtual bool interrupt() = 0;
};

constexpr uint32_t geode_vram_base = 0x01000000;

/// Creates a GP in power-on state with @vram_size bytes of zeros at geode_vram_base.
using GeodeGpMaker = std::function<std::unique_ptr<GeodeGp>(uint32_t vram_size)>;

struct GeodeStatement {
    enum class Verb { put, write, lut, msr, read, expect, interrupt };
    Verb verb;
    uint32_t unit = 0;             ///< bytes per value of `put` and `expect`
    std::vector<uint32_t> numbers; ///< a register or an MSR, then its value
    int line = 0;                  ///< line number in the file
};

struct GeodeVector {
    std::string name;
    uint32_t vram_size;
    std::vector<GeodeStatement> statements;
};

std::ostream& operator<<(std::ostream& out, const GeodeVector& vector);

/// Returns an empty list if the file cannot be read or is malformed.
std::vector<GeodeVector> read_geode_vectors();

/// Plays the vector on a GP in power-on state. Fails the running test if the results differ.
void play(const GeodeVector& vector, GeodeGp& gp);
void play(const GeodeVector& vector, const GeodeGpMaker& make);

} // namespace pixmill::test

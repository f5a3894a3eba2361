// tests/data/geode_vectors.txt, read, and played on anything that behaves as a Geode LX's graphics
// processor. The file says what its statements mean.
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

/// A graphics processor whose work is done, as far as it can be, when a function returns.
class GeodeGp {
public:
    virtual ~GeodeGp() = default;
    virtual void write(uint32_t offset, uint32_t size, uint32_t value) = 0;
    virtual uint32_t read(uint32_t offset, uint32_t size) = 0;
    /// The MSR of that number from A0002000h on.
    virtual void write_msr(uint32_t number, uint64_t value) = 0;
    virtual uint64_t read_msr(uint32_t number) = 0;
    /// Good until the next call of another function.
    virtual std::span<uint8_t> vram() = 0;
    virtual bool interrupt() = 0;
};

constexpr uint32_t geode_vram_base = 0x01000000;

/// A GP as after power-on with so many bytes of zeros from geode_vram_base on.
using GeodeGpMaker = std::function<std::unique_ptr<GeodeGp>(uint32_t vram_size)>;

struct GeodeStatement {
    enum class Verb { put, write, lut, msr, read, expect, interrupt };
    Verb verb;
    uint32_t unit = 0;             ///< bytes of a value of `put` and `expect`
    std::vector<uint32_t> numbers; ///< the number of a register or of an MSR, then its value
    int line = 0;                  ///< in the file
};

struct GeodeVector {
    std::string name;
    uint32_t vram_size;
    std::vector<GeodeStatement> statements;
};

std::ostream& operator<<(std::ostream& out, const GeodeVector& vector);

/// Empty if the file cannot be read, or holds what it must not.
std::vector<GeodeVector> read_geode_vectors();

/// Fails the running test where the GP, which is as one of a GeodeGpMaker, does anything else.
void play(const GeodeVector& vector, GeodeGp& gp);
void play(const GeodeVector& vector, const GeodeGpMaker& make);

} // namespace pixmill::test

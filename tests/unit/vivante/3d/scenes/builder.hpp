// Building blocks of random scenes: random numbers, memory, states and programs.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <bit>
#include <initializer_list>

#include "../../../splitmix64.hpp"
#include "../sh/program_words.hpp"
#include "random_scene.hpp"

namespace pixmill::test {

class Random : public pixmill::test::SplitMix64 {
public:
    using SplitMix64::SplitMix64;
    uint32_t below(uint32_t end) { return static_cast<uint32_t>((next() >> 32) * end >> 32); }
    /// Returns a number in [least, most].
    uint32_t between(uint32_t least, uint32_t most) { return least + below(most - least + 1); }
    bool chance(uint32_t percent) { return below(100) < percent; }
    float real(float least, float most) {
        return least + (most - least) * (static_cast<float>(below(1 << 20)) / (1 << 20));
    }
    template<typename T>
    T pick(std::initializer_list<T> from) {
        return from.begin()[below(static_cast<uint32_t>(from.size()))];
    }
    std::vector<uint8_t> bytes(uint32_t size) {
        std::vector<uint8_t> result(size);
        for (uint8_t& byte : result)
            byte = static_cast<uint8_t>(word());
        return result;
    }
};

class SceneBuilder {
public:
    SceneBuilder(uint64_t seed, const reference::Vivante3dFeatures& core, uint32_t base)
        : random(seed), next_(base) {
        scene.seed = seed;
        scene.base = base;
        scene.core = core;
    }

    unsigned halti() const { return scene.core.halti; }
    /// True if surfaces are split between two pixel pipes.
    bool splits() const { return scene.core.pixel_pipes > 1 && !scene.core.single_buffer; }
    /// Returns the address of a uniform. Those of the vertex shader come first in a common file.
    uint32_t uniform(bool vertex, unsigned number) const {
        const uint32_t bytes = 16 * number + (vertex ? 0 : 16 * vertex_uniforms);
        if (halti() == 0)
            return (vertex ? 0x5000 : 0x7000) + 16 * number;
        return (halti() < 5 ? 0x30000 : vertex ? 0x34000 : 0x36000) + bytes;
    }
    static constexpr uint32_t vertex_uniforms = 32;

    void load(uint32_t address, uint32_t value) {
        scene.commands.push_back(Burst{address, {value}});
    }
    void load(uint32_t address, float value) { load(address, std::bit_cast<uint32_t>(value)); }
    void burst(uint32_t address, std::vector<uint32_t> words) {
        scene.commands.push_back(Burst{address, std::move(words)});
    }
    void add(Feature feature) { scene.features |= uint64_t{1} << static_cast<unsigned>(feature); }

    uint32_t allocate(uint32_t bytes) {
        const uint32_t address = next_;
        next_ += (bytes + 255) / 256 * 256;
        return address;
    }
    uint32_t place(std::vector<uint8_t> bytes) {
        const uint32_t address = allocate(static_cast<uint32_t>(bytes.size()));
        scene.memory.push_back({address, std::move(bytes)});
        return address;
    }
    uint32_t place(const std::vector<uint32_t>& words, bool is_code = false) {
        std::vector<uint8_t> bytes;
        for (const uint32_t word : words)
            for (unsigned i = 0; i < 4; i++)
                bytes.push_back(static_cast<uint8_t>(word >> 8 * i));
        const uint32_t address = place(std::move(bytes));
        scene.memory.back().is_code = is_code;
        return address;
    }
    void put(uint32_t address, std::vector<uint8_t> bytes) {
        scene.memory.push_back({address, std::move(bytes)});
    }

    /// Returns the address of eight vectors for programs to load.
    uint32_t program_memory() {
        if (!program_memory_) {
            std::vector<uint32_t> words;
            for (unsigned i = 0; i < 32; i++)
                words.push_back(std::bit_cast<uint32_t>(random.real(-1, 1)));
            program_memory_ = place(words);
        }
        return program_memory_;
    }

    /// Allows differences in the results, for a reason.
    void tolerate(double channel, double outliers, const char* reason) {
        Tolerance& tolerance = scene.tolerance;
        tolerance.channel = std::max(tolerance.channel, channel);
        tolerance.outliers = std::max(tolerance.outliers, outliers);
        if (tolerance.reason.find(reason) == std::string::npos)
            tolerance.reason += (tolerance.reason.empty() ? "" : "; ") + std::string(reason);
    }

    Scene scene;
    Random random;

private:
    uint32_t next_;
    uint32_t program_memory_ = 0;
};

/* ---- Parts ---------------------------------------------------------------------------------- */

/// A surface of the PE or the RS.
struct SceneSurface {
    uint32_t format = 6; ///< RS format; for depth, the one used to copy it
    unsigned bytes = 4;
    bool tiled = true, super = false, multi = false;
    uint32_t width = 0, height = 0; ///< in samples, with padding
    std::array<uint32_t, 2> base{};
    bool new_tiles = false;   ///< SUPER_TILED_NEW
    bool large_tiles = false; ///< of its tile status, in RS

    uint32_t stride() const { return width * bytes; }
    uint32_t size() const { return stride() * height; }
    /// Returns the value for RS_SOURCE_STRIDE and RS_DEST_STRIDE.
    uint32_t rs_stride() const {
        return (tiled ? 4 * stride() : stride()) | uint32_t{new_tiles} << 27 |
               uint32_t{multi} << 30 | uint32_t{super} << 31;
    }
};

/// Returns how many bytes the tile status of a surface has.
uint32_t status_bytes(const SceneBuilder& builder, const SceneSurface& surface);
/// Returns tile status: some or all tiles are cleared.
std::vector<uint8_t> random_status(SceneBuilder& builder, uint32_t bytes, bool all);

/// Returns a surface with at least `width` x `height` samples.
SceneSurface make_surface(SceneBuilder& builder, unsigned bytes, bool tiled, bool super, bool multi,
                          uint32_t width, uint32_t height);

/// Copies the surface to linear memory and adds that as a region to compare. With `status`, the
/// copy reads through the color tile status in the current states.
void read_back(SceneBuilder& builder, const SceneSurface& surface, const char* name, bool status,
               uint32_t mask, std::vector<ChannelBits> channels);

/// Sends an RS job with this window, split between both pipes if the number of rows allows it.
void kick(SceneBuilder& builder, uint32_t width, uint32_t height, unsigned rows_of_a_unit,
          std::vector<uint32_t> clear_control);

/// A texture in memory and the states of its sampler.
struct SceneTexture {
    unsigned sampler = 0;
    unsigned coordinates = 2; ///< required by the instruction
    bool is_array = false;
    bool is_nearest = false; ///< unfiltered, with steps at the borders of texels
    uint32_t layers = 1;
    bool compares = false; ///< depths with a reference
    uint32_t integers = 0; ///< the type of integers in texels, if they are any
};
SceneTexture make_texture(SceneBuilder& builder, unsigned sampler);

/// Requirements for a program to generate.
struct ProgramRequest {
    bool vertex = false;
    bool exact = true;        ///< only bit-exact operations
    unsigned first_input = 1; ///< first of `inputs` registers, with values of about -1 to 1
    unsigned inputs = 0;
    unsigned first_free = 2;           ///< first free temporary
    unsigned steps = 0;                ///< approximate number of instructions
    bool fragment_coordinates = false; ///< t0.xy may be read
    bool has_face = false;             ///< i0.x may be read
    std::vector<SceneTexture> textures;
};

struct SceneProgram {
    std::vector<shader::Instruction> code;
    std::vector<unsigned> results; ///< registers, last result first
};

/// The first of the eight random uniforms of random programs. Constants follow them.
constexpr unsigned program_uniforms = 8;
std::vector<uint32_t> random_uniforms(Random& random);
/// The word of random_uniforms() that holds the address of SceneBuilder::program_memory().
constexpr unsigned memory_word = 4 * 10 + 3;

SceneProgram random_program(SceneBuilder& builder, const ProgramRequest& request);

/// Builds a random scene of RS jobs or of draws.
void random_resolves(SceneBuilder& builder);
void random_drawing(SceneBuilder& builder);

} // namespace pixmill::test

// What the benchmarks of the rendering core share: surfaces in one piece and in pieces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <pixman.h>

#include <memory>
#include <string>

#include "../unit/render_operation.hpp"
#include "bench.hpp"
#include "render/pipeline.hpp"

namespace pixmill::bench {

using namespace render;

constexpr uint64_t surface_bytes = uint64_t(1920) * 1080 * 4 + 0x1000;
constexpr uint64_t source_base = (surface_bytes + 0xFFFF) & ~uint64_t(0xFFFF);
constexpr uint32_t pattern = 0x80123456;

/// A destination at address 0 and a source at source_base, in one piece and scattered.
struct World {
    Pool pool{source_base + surface_bytes + 0x1000};
    std::byte* destination = pool.data();
    std::byte* source = pool.data() + source_base;
    ContiguousMemory contiguous{pool.data()};
    ScatteredMemory scattered{pool.data(), source_base + surface_bytes};
};

inline World& world() {
    static World world;
    return world;
}

struct Size {
    int32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
};

constexpr Size small{64, 64}, vga{640, 480}, full{1920, 1080};

inline Operation operation(Rop3 rop, const Format& to, const Format& from, Size size,
                           int32_t pitch) {
    return test::blit({to, 0, uint32_t(pitch) * to.bytes()},
                      {from, source_base, uint32_t(pitch) * from.bytes()},
                      {0, 0, size.width, size.height}, 0, 0, rop, pattern);
}

inline uint64_t row_bytes(const Operation& op) {
    return uint64_t(op.rect.width()) * op.destination.format.bytes();
}

inline uint64_t bytes(const Operation& op) {
    return row_bytes(op) * uint64_t(op.rect.height());
}

/// Preparation is part of the work: a guest changes its operation all the time.
inline void add_pipeline(const std::string& name, Memory& memory, const Operation& op,
                         unsigned threads) {
    auto pipeline = std::make_shared<Pipeline>(kernels(), BandConfig{.threads = threads});
    auto rows = std::make_shared<uint32_t>(0);
    add(
        name, bytes(op),
        [=, &memory] {
            if (!pipeline->prepare(memory, op))
                *rows = pipeline->run(0, pipeline->rows()).rows;
        },
        [=] { return *rows == uint32_t(op.rect.height()); });
}

/// On one thread, and what is large once more on two, beside one in the same run.
inline void add_pixmill(const std::string& name, Memory& memory, const Operation& op) {
    add_pipeline(name + "/pixmill", memory, op, 1);
    if (op.rect.width() < full.width || op.destination.format.bits < 32 ||
        &memory != &world().contiguous)
        return;
    const std::string what = name.substr(0, name.rfind('/')) + "/two_threads/";
    add_pipeline(what + "pixmill", memory, op, 2);
    add_pipeline(what + "single", memory, op, 1);
}

inline uint32_t* words(std::byte* bytes) {
    return reinterpret_cast<uint32_t*>(bytes);
}

inline auto begins_like_source() {
    return [] { return world().destination[0] == world().source[0]; };
}

inline void add_memcpy(const std::string& name, const Operation& op) {
    add(
        name + "/memcpy", bytes(op),
        [=] { std::memcpy(world().destination, world().source, bytes(op)); }, begins_like_source());
}

} // namespace pixmill::bench

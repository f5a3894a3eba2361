// Helpers of the rendering core's benchmarks: contiguous and scattered surfaces.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <pixman.h>

#include <memory>
#include <string>

#include "../unit/render/operation.hpp"
#include "bench.hpp"
#include "render/pipeline.hpp"

namespace pixmill::bench {

using namespace render;

constexpr uint64_t surface_bytes = uint64_t(1920) * 1080 * 4 + 0x1000;
constexpr uint64_t source_base = (surface_bytes + 0xFFFF) & ~uint64_t(0xFFFF);
constexpr uint32_t pattern = 0x80123456;

constexpr uint64_t source_bytes = 4 * surface_bytes; // twice the width and height
constexpr uint32_t key = 0xC0C0C0C0; ///< in 32 of every 512 source bytes; no source byte is higher

/// A destination at address 0 and a source at source_base, both in contiguous and in scattered
/// memory.
struct World {
    Pool pool{source_base + source_bytes + 0x1000}, pages{source_base + surface_bytes + 0x1000};
    std::byte* destination = pool.data();
    std::byte* source = pool.data() + source_base;
    ContiguousMemory contiguous{pool.data()};
    ScatteredMemory scattered{pages.data(), source_base + surface_bytes};

    /// Fills memory with premultiplied pixels, none of which is opaque or invisible.
    World() {
        std::mt19937 random(1);
        for (uint64_t at = 0; at < source_bytes; at += 4) {
            const uint32_t pixel = at % 512 < 32 ? key : 0x80000000 + (random() & 0x3F3F3F3F);
            std::memcpy(source + at, &pixel, sizeof pixel);
        }
    }
};

inline World& world() {
    static World world;
    return world;
}

struct Size {
    int32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
};

constexpr Size tiny{10, 10}, small{64, 64}, vga{640, 480}, full{1920, 1080};
constexpr Size sizes[] = {small, vga, full};
inline const Format* const formats_of[] = {&formats::r5g6b5, &formats::a8r8g8b8};

/// Returns the name OPERATION/FORMAT/SIZE/LAYOUT.
inline std::string named(const std::string& what, const Format& format, Size size,
                         const std::string& layout = "contiguous") {
    return what + "/" + std::to_string(format.bits) + "/" + size.name() + "/" + layout;
}

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

inline Amount amount(const Operation& op) {
    return {bytes(op), uint64_t(op.rect.width()) * uint64_t(op.rect.height())};
}

/// Measures preparation and drawing, since guests change their operation all the time.
inline void add_pipeline(const std::string& name, Memory& memory, const Operation& op,
                         unsigned threads, const Kernels& with = kernels()) {
    auto pipeline = std::make_shared<Pipeline>(with, BandConfig{.threads = threads});
    auto rows = std::make_shared<uint32_t>(0);
    add(
        name, amount(op),
        [=, &memory] {
            if (!pipeline->prepare(memory, op))
                *rows = pipeline->run(0, pipeline->rows()).rows;
        },
        [=] { return *rows == uint32_t(op.rect.height()); });
}

/// Measures on one thread. Large operations are also measured with two threads, next to another
/// measurement with one.
inline void add_pixmill(const std::string& name, Memory& memory, const Operation& op) {
    add_pipeline(name + "/pixmill", memory, op, 1);
    if (op.rect.width() < full.width || op.destination.format.bits < 32 ||
        &memory != &world().contiguous)
        return;
    const std::string what = name.substr(0, name.rfind('/')) + "/two_threads/";
    add_pipeline(what + "pixmill", memory, op, 2);
    add_pipeline(what + "single", memory, op, 1);
}

/// Measures pixmill without pixman.
inline void add_loops(const std::string& name, const Operation& op) {
    static const Kernels loops = [] {
        Kernels kernels = render::kernels();
        kernels.pixman = false;
        return kernels;
    }();
    add_pipeline(name + "/loops", world().contiguous, op, 1, loops);
}

inline uint32_t* words(std::byte* bytes) {
    return reinterpret_cast<uint32_t*>(bytes);
}

/// Adds a yardstick for the operation. `end` is the address after the last byte it writes.
inline void add_yardstick(const std::string& name, const Operation& op, uint64_t end,
                          std::function<void()> work) {
    add(name, amount(op), work, changes(world().destination + end - 1, work));
}

inline void add_memset(const std::string& name, const Operation& op) {
    add_yardstick(name + "/memset", op, bytes(op),
                  [=] { std::memset(world().destination, 0x5A, bytes(op)); });
}

inline void add_memcpy(const std::string& name, const Operation& op) {
    add_yardstick(name + "/memcpy", op, bytes(op),
                  [=] { std::memcpy(world().destination, world().source, bytes(op)); });
}

inline void add_pixman(const std::string& name, const Operation& op, std::function<void()> work) {
    const uint64_t row = uint64_t(op.rect.bottom - 1) * op.destination.stride;
    const uint64_t end = row + uint64_t(op.rect.right) * op.destination.format.bytes();
    add_yardstick(name + "/pixman", op, end, work);
}

// ---- pixman images -----------------------------------------------------------

using Image = std::shared_ptr<pixman_image_t>;

inline Image image(pixman_format_code_t format, std::byte* data, Size size, uint32_t stride) {
    return Image(
        pixman_image_create_bits(format, size.width, size.height, words(data), int(stride)),
        pixman_image_unref);
}

inline Image source_image(Size size, pixman_format_code_t format) {
    return image(format, world().source, size,
                 uint32_t(size.width) * uint32_t(PIXMAN_FORMAT_BPP(format)) / 8);
}

inline Image solid(uint16_t channels, uint16_t alpha) {
    const pixman_color_t color{channels, channels, channels, alpha};
    return Image(pixman_image_create_solid_fill(&color), pixman_image_unref);
}

inline pixman_format_code_t pixman_format(const Format& format) {
    return format.bits == 16 ? PIXMAN_r5g6b5 : PIXMAN_a8r8g8b8;
}

/// Adds a yardstick in which pixman composites `source` onto the whole destination, through `mask`
/// if there is one.
inline void add_pixman(const std::string& name, const Operation& op, pixman_op_t how, Image source,
                       Image mask = nullptr, int times = 1) {
    const Size size{int32_t(op.rect.width()), int32_t(op.rect.height())};
    const Image destination = image(pixman_format(op.destination.format), world().destination, size,
                                    op.destination.stride);
    add_pixman(name, op, [=] {
        for (int i = 0; i < times; i++)
            pixman_image_composite32(how, source.get(), mask.get(), destination.get(), 0, 0, 0, 0,
                                     0, 0, size.width, size.height);
    });
}

} // namespace pixmill::bench

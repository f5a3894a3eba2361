// The rendering core beside the C library and pixman.
//
// Named OPERATION/FORMAT/SIZE/LAYOUT/WHO. Bytes are those of the destination.
// contiguous: rows without gaps in one piece of memory. scattered: the same in
// 4 KiB pages in random order; its yardstick is the piece. window: a part of
// a surface 1920 pixels wide.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <pixman.h>

#include <memory>

#include "../unit/render_operation.hpp"
#include "bench.hpp"
#include "render/pipeline.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::render;

constexpr uint64_t surface_bytes = uint64_t(1920) * 1080 * 4 + 0x1000;
constexpr uint64_t source_base = (surface_bytes + 0xFFFF) & ~uint64_t(0xFFFF);
constexpr uint32_t pattern = 0x80123456;

/// A destination at address 0 and a source at source_base, in one piece and scattered.
struct World {
    bench::Pool pool{source_base + surface_bytes + 0x1000};
    std::byte* destination = pool.data();
    std::byte* source = pool.data() + source_base;
    bench::ContiguousMemory contiguous{pool.data()};
    bench::ScatteredMemory scattered{pool.data(), source_base + surface_bytes};
};

World& world() {
    static World world;
    return world;
}

struct Size {
    int32_t width, height;
    std::string name() const { return std::to_string(width) + "x" + std::to_string(height); }
};

constexpr Size small{64, 64}, vga{640, 480}, full{1920, 1080};

Operation operation(Rop3 rop, const Format& to, const Format& from, Size size, int32_t pitch) {
    return test::blit({to, 0, uint32_t(pitch) * to.bytes()},
                      {from, source_base, uint32_t(pitch) * from.bytes()},
                      {0, 0, size.width, size.height}, 0, 0, rop, pattern);
}

const SurfaceDesc& source_of(const Operation& op) {
    return op.stages[0].source.surface[0];
}

uint64_t row_bytes(const Operation& op) {
    return uint64_t(op.rect.width()) * op.destination.format.bytes();
}

uint64_t bytes(const Operation& op) {
    return row_bytes(op) * uint64_t(op.rect.height());
}

/// Preparation is part of the work: a guest changes its operation all the time.
void add_pixmill(const std::string& name, Memory& memory, const Operation& op) {
    auto pipeline = std::make_shared<Pipeline>();
    auto rows = std::make_shared<uint32_t>(0);
    bench::add(
        name + "/pixmill", bytes(op),
        [=, &memory] {
            if (!pipeline->prepare(memory, op))
                *rows = pipeline->run(0, pipeline->rows()).rows;
        },
        [=] { return *rows == uint32_t(op.rect.height()); });
}

/// Whether the destination begins with `byte`, as the yardsticks leave it.
auto begins_with(std::byte byte) {
    return [=] { return world().destination[0] == byte; };
}

auto begins_like_source() {
    return [] { return world().destination[0] == world().source[0]; };
}

void add_memset(const std::string& name, const Operation& op) {
    bench::add(
        name + "/memset", bytes(op), [=] { std::memset(world().destination, 0x5A, bytes(op)); },
        begins_with(std::byte(0x5A)));
}

void add_memcpy(const std::string& name, const Operation& op) {
    bench::add(
        name + "/memcpy", bytes(op),
        [=] { std::memcpy(world().destination, world().source, bytes(op)); }, begins_like_source());
}

uint32_t* words(std::byte* bytes) {
    return reinterpret_cast<uint32_t*>(bytes);
}

void add_pixman_fill(const std::string& name, const Operation& op) {
    const int bits = op.destination.format.bits;
    const uint32_t raw = pack(op.destination.format, pattern);
    bench::add(
        name + "/pixman", bytes(op),
        [=] {
            pixman_fill(words(world().destination), int(op.destination.stride / 4), bits, 0, 0,
                        int(op.rect.width()), int(op.rect.height()), raw);
        },
        begins_with(std::byte(raw)));
}

void add_pixman_copy(const std::string& name, const Operation& op) {
    const int bits = op.destination.format.bits;
    bench::add(
        name + "/pixman", bytes(op),
        [=] {
            pixman_blt(words(world().source), words(world().destination),
                       int(source_of(op).stride / 4), int(op.destination.stride / 4), bits, bits, 0,
                       0, 0, 0, int(op.rect.width()), int(op.rect.height()));
        },
        begins_like_source());
}

void add_pixman_convert(const std::string& name, const Operation& op, pixman_format_code_t to,
                        pixman_format_code_t from) {
    const auto image = [&](pixman_format_code_t format, std::byte* data, uint32_t stride) {
        return std::shared_ptr<pixman_image_t>(
            pixman_image_create_bits(format, int(op.rect.width()), int(op.rect.height()),
                                     words(data), int(stride)),
            pixman_image_unref);
    };
    const auto destination = image(to, world().destination, op.destination.stride);
    const auto source = image(from, world().source, source_of(op).stride);
    bench::add(
        name + "/pixman", bytes(op),
        [=] {
            pixman_image_composite32(PIXMAN_OP_SRC, source.get(), nullptr, destination.get(), 0, 0,
                                     0, 0, 0, 0, int(op.rect.width()), int(op.rect.height()));
        },
        [] { return true; });
}

void add_fills_and_copies(const Format& format, Size size) {
    const std::string what = "/" + std::to_string(format.bits) + "/" + size.name() + "/";
    for (const bool fill : {true, false}) {
        const std::string name = (fill ? "fill" : "copy") + what;
        const Operation op = operation(fill ? 0xF0 : 0xCC, format, format, size, size.width);
        for (const bool scattered : {false, true}) {
            const std::string layout = name + (scattered ? "scattered" : "contiguous");
            Memory& memory = scattered ? static_cast<Memory&>(world().scattered)
                                       : static_cast<Memory&>(world().contiguous);
            add_pixmill(layout, memory, op);
            fill ? add_memset(layout, op) : add_memcpy(layout, op);
            if (!scattered)
                fill ? add_pixman_fill(layout, op) : add_pixman_copy(layout, op);
        }
        if (size.width < full.width) {
            const Operation part = operation(op.stages[0].rop, format, format, size, full.width);
            add_pixmill(name + "window", world().contiguous, part);
            fill ? add_pixman_fill(name + "window", part) : add_pixman_copy(name + "window", part);
        }
    }
}

/// The screen up and down by some lines, and one pixel aside.
void add_scrolls() {
    const struct {
        const char* name;
        int32_t dx, dy;
    } moves[] = {{"scroll_up", 0, -16}, {"scroll_down", 0, 16}, {"scroll_right", 1, 0}};
    for (const auto& move : moves) {
        Operation op = operation(0xCC, formats::a8r8g8b8, formats::a8r8g8b8, full, full.width);
        Source& source = op.stages[0].source;
        source.surface[0].base = op.destination.base;
        op.rect.left += std::max(move.dx, 0);
        op.rect.top += std::max(move.dy, 0);
        op.rect.bottom += std::min(move.dy, 0);
        source.placement = test::from(op.rect, op.rect.left - move.dx, op.rect.top - move.dy);
        const std::string name = std::string(move.name) + "/32/1920x1080/";
        add_pixmill(name + "contiguous", world().contiguous, op);
        add_pixmill(name + "scattered", world().scattered, op);
        add_memcpy(name + "contiguous", op); // of other memory: what is moved has to be copied once
        add_memcpy(name + "scattered", op);
    }
}

void add_rops() {
    for (const auto& [name, rop] : {std::pair{"xor", 0x66}, {"invert", 0x55}, {"mask", 0xB8}})
        for (const Format& format : {formats::r5g6b5, formats::a8r8g8b8}) {
            const Operation op = operation(Rop3(rop), format, format, full, full.width);
            const std::string what = name + ("/" + std::to_string(format.bits)) + "/1920x1080/";
            add_pixmill(what + "contiguous", world().contiguous, op);
            add_memcpy(what + "contiguous", op);
        }
}

void add_conversions() {
    using namespace formats;
    const Format a8b8g8r8 = with_swizzle(a8r8g8b8, Swizzle::abgr);
    const struct {
        const char* name;
        const Format &to, &from;
        pixman_format_code_t pixman_to, pixman_from;
    } pairs[] = {
        {"565_to_8888", a8r8g8b8, r5g6b5, PIXMAN_a8r8g8b8, PIXMAN_r5g6b5},
        {"8888_to_565", r5g6b5, a8r8g8b8, PIXMAN_r5g6b5, PIXMAN_a8r8g8b8},
        {"1555_to_8888", a8r8g8b8, a1r5g5b5, PIXMAN_a8r8g8b8, PIXMAN_a1r5g5b5},
        {"abgr_to_argb", a8r8g8b8, a8b8g8r8, PIXMAN_a8r8g8b8, PIXMAN_a8b8g8r8},
        {"x888_to_8888", a8r8g8b8, x8r8g8b8, PIXMAN_a8r8g8b8, PIXMAN_x8r8g8b8},
    };
    for (const auto& pair : pairs) {
        const Operation op = operation(0xCC, pair.to, pair.from, full, full.width);
        const std::string name = std::string("convert/") + pair.name + "/1920x1080/contiguous";
        add_pixmill(name, world().contiguous, op);
        add_pixman_convert(name, op, pair.pixman_to, pair.pixman_from);
    }
}

[[maybe_unused]] const bool registered = [] {
    for (const Format& format : {formats::r5g6b5, formats::a8r8g8b8})
        for (const Size size : {small, vga, full})
            add_fills_and_copies(format, size);
    add_scrolls();
    add_rops();
    add_conversions();
    return true;
}();

} // namespace

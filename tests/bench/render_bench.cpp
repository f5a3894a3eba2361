// The rendering core beside the C library and pixman.
//
// Named OPERATION/FORMAT/SIZE/LAYOUT/WHO. Bytes are those of the destination.
// contiguous: rows without gaps in one piece of memory. scattered: the same in
// 4 KiB pages in random order; its yardstick is the piece. window: a part of
// a surface 1920 pixels wide.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "render_world.hpp"

namespace {

using namespace pixmill;
using namespace pixmill::bench;
using namespace pixmill::render;

const SurfaceDesc& source_of(const Operation& op) {
    return op.stages[0].source.surface[0];
}

/// Whether the destination begins with `byte`, as the yardsticks leave it.
auto begins_with(std::byte byte) {
    return [=] { return world().destination[0] == byte; };
}

void add_memset(const std::string& name, const Operation& op) {
    bench::add(
        name + "/memset", bytes(op), [=] { std::memset(world().destination, 0x5A, bytes(op)); },
        begins_with(std::byte(0x5A)));
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

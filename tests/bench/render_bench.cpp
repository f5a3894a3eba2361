// Compares the rendering core with the C library and pixman.
//
// Names are OPERATION/FORMAT/SIZE/LAYOUT/WHO. Rates count destination bytes. LAYOUT "contiguous"
// means rows without gaps in contiguous memory. "scattered" puts the same rows in 4 KiB pages in
// random order and has the same yardstick. "window" is a part of a surface 1920 pixels wide.
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

void add_pixman_fill(const std::string& name, const Operation& op) {
    const int bits = op.destination.format.bits;
    const uint32_t raw = pack(op.destination.format, pattern);
    add_pixman(name, op, [=] {
        pixman_fill(words(world().destination), int(op.destination.stride / 4), bits, 0, 0,
                    int(op.rect.width()), int(op.rect.height()), raw);
    });
}

void add_pixman_copy(const std::string& name, const Operation& op) {
    const int bits = op.destination.format.bits;
    add_pixman(name, op, [=] {
        pixman_blt(words(world().source), words(world().destination), int(source_of(op).stride / 4),
                   int(op.destination.stride / 4), bits, bits, 0, 0, 0, 0, int(op.rect.width()),
                   int(op.rect.height()));
    });
}

void add_fills_and_copies(const Format& format, Size size) {
    for (const bool fill : {true, false}) {
        const char* const what = fill ? "fill" : "copy";
        const Operation op = operation(fill ? 0xF0 : 0xCC, format, format, size, size.width);
        for (const bool scattered : {false, true}) {
            const std::string name =
                named(what, format, size, scattered ? "scattered" : "contiguous");
            Memory& memory = scattered ? static_cast<Memory&>(world().scattered)
                                       : static_cast<Memory&>(world().contiguous);
            add_pixmill(name, memory, op);
            fill ? add_memset(name, op) : add_memcpy(name, op);
            if (!scattered)
                fill ? add_pixman_fill(name, op) : add_pixman_copy(name, op);
        }
        if (size.width < full.width) {
            const Operation part = operation(op.stages[0].rop, format, format, size, full.width);
            const std::string name = named(what, format, size, "window");
            add_pixmill(name, world().contiguous, part);
            fill ? add_pixman_fill(name, part) : add_pixman_copy(name, part);
        }
    }
}

/// Scrolls the screen up and down by some lines, and by one pixel to the right.
void add_scrolls(const Format& format, Size size) {
    const struct {
        const char* name;
        int32_t dx, dy;
    } moves[] = {{"scroll_up", 0, -16}, {"scroll_down", 0, 16}, {"scroll_right", 1, 0}};
    for (const auto& move : moves) {
        Operation op = operation(0xCC, format, format, size, size.width);
        Source& source = op.stages[0].source;
        source.surface[0].base = op.destination.base;
        op.rect.left += std::max(move.dx, 0);
        op.rect.top += std::max(move.dy, 0);
        op.rect.bottom += std::min(move.dy, 0);
        source.placement = test::from(op.rect, op.rect.left - move.dx, op.rect.top - move.dy);
        const std::string contiguous = named(move.name, format, size),
                          scattered = named(move.name, format, size, "scattered");
        add_pixmill(contiguous, world().contiguous, op);
        add_pixmill(scattered, world().scattered, op);
        add_memcpy(contiguous, op); // between pictures: every byte is copied once too
        add_memcpy(scattered, op);
    }
}

void add_rops(const Format& format, Size size) {
    for (const auto& [what, rop] : {std::pair{"xor", 0x66}, {"invert", 0x55}, {"mask", 0xB8}}) {
        const Operation op = operation(Rop3(rop), format, format, size, size.width);
        const std::string name = named(what, format, size);
        add_pixmill(name, world().contiguous, op);
        add_memcpy(name, op);
    }
}

void add_conversions(Size size) {
    using namespace formats;
    const Format a8b8g8r8 = with_swizzle(a8r8g8b8, Swizzle::abgr);
    const struct {
        const char* name;
        const Format &to, &from;
        pixman_format_code_t pixman_from;
    } pairs[] = {
        {"565_to_8888", a8r8g8b8, r5g6b5, PIXMAN_r5g6b5},
        {"8888_to_565", r5g6b5, a8r8g8b8, PIXMAN_a8r8g8b8},
        {"1555_to_8888", a8r8g8b8, a1r5g5b5, PIXMAN_a1r5g5b5},
        {"abgr_to_argb", a8r8g8b8, a8b8g8r8, PIXMAN_a8b8g8r8},
        {"x888_to_8888", a8r8g8b8, x8r8g8b8, PIXMAN_x8r8g8b8},
    };
    for (const auto& pair : pairs) {
        const Operation op = operation(0xCC, pair.to, pair.from, size, size.width);
        const std::string name =
            std::string("convert/") + pair.name + "/" + size.name() + "/contiguous";
        add_pixmill(name, world().contiguous, op);
        add_pixman(name, op, PIXMAN_OP_SRC, source_image(size, pair.pixman_from));
        add_loops(name, op);
    }
}

[[maybe_unused]] const bool registered = [] {
    add_conversions(tiny);
    for (const Format* format : formats_of)
        add_fills_and_copies(*format, tiny);
    for (const Size size : sizes) {
        add_conversions(size);
        for (const Format* format : formats_of) {
            add_fills_and_copies(*format, size);
            add_scrolls(*format, size);
            add_rops(*format, size);
        }
    }
    return true;
}();

} // namespace

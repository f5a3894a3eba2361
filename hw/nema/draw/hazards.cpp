// SPDX-License-Identifier: GPL-2.0-or-later
#include "hazards.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace pixmill::nema {

namespace {

/// A byte range in guest and host memory. Several guest addresses may share host memory. `host` is
/// empty if the range is not contiguous there.
struct Place {
    ByteRange guest, host;
};

/// While the host watches, no range is contiguous for reading. ROM, which is not mapped for
/// writing, cannot overlap what is written.
Place place_of(const ByteRange& guest, Memory& memory, Access access) {
    const Access mapped = memory.watched() ? Access::write : access;
    const auto host =
        uint64_t(uintptr_t(memory.map_contiguous(guest.begin(), guest.size(), mapped)));
    return {guest, host ? ByteRange::up_to(host, guest.size()) : ByteRange()};
}

using Places = std::array<std::optional<Place>, images>; // of the images in use

bool overlap(const std::optional<Place>& a, const std::optional<Place>& b) {
    return a && b && (a->guest.overlaps(b->guest) || a->host.overlaps(b->host));
}

/// True if each pixel (x, y) occupies the same bytes in both surfaces.
bool same_pixels(const Texture& a, const Texture& b) {
    const Format *const fa = find_format(a.format), *const fb = find_format(b.format);
    return a.base == b.base && a.stride == b.stride && fa && fb && fa->kind == fb->kind &&
           fa->bits() == fb->bits() &&
           ((fa->kind == Format::Kind::words && fa->bits() % 8 == 0) ||
            (fa->kind == Format::Kind::tsc && fa->tsc == fb->tsc));
}

/// True if texels of surface `read` may be fetched for many pixels before any pixel is written to
/// surface `written`.
bool harmless(const DrawSetup& setup, const FragmentProgram& program, const render::Rect& bounds,
              unsigned written, unsigned read) {
    if (program.writes_elsewhere || program.reads_elsewhere >> read & 1)
        return false;
    const Texture& texture = setup.surface[read];
    return same_pixels(texture, setup.surface[written]) && !texture_mode::morton(texture.mode) &&
           bounds.right <= int32_t(texture.width) && bounds.bottom <= int32_t(texture.height);
}

/// Handles two overlapping outputs: a pixel written to one must be visible in the other.
void join_outputs(RenderOutput& a, RenderOutput& b, bool same, FragmentSurfaces& surfaces) {
    if (same)
        b.target().share_tiles(a.target());
    else
        surfaces.flushes |= a.target().compressed() || b.target().compressed();
}

} // namespace

bool find_hazards(const DrawSetup& setup, const FragmentProgram& program,
                  const render::Rect& bounds, FragmentSurfaces& surfaces, Memory& memory) {
    surfaces.flushes = false;
    if (!surfaces.readable && std::has_single_bit(surfaces.writable) && program.steps.size() == 1)
        return false; // a fill reads nothing
    Places read, written;
    for (unsigned i = 0; i < images; i++) {
        if (surfaces.reads(i))
            read[i] = place_of(surfaces.textures[i].extent(), memory, Access::read);
        if (!surfaces.takes(i))
            continue;
        const RenderOutput& output = surfaces.outputs[i];
        const render::Rect area =
            program.writes_elsewhere ? output.area() : bounds.intersect(output.area());
        if (!area.empty())
            written[i] = place_of(output.target().extent(area), memory, Access::write);
    }
    const auto writes =
        std::count_if(program.steps.begin(), program.steps.end(),
                      [](const Step& step) { return step.kind >= Step::Kind::write_screen; });
    bool found = program.writes_elsewhere && writes > 1;
    for (unsigned w = 0; w < images; w++) {
        if (!surfaces.takes(w))
            continue;
        for (unsigned i = 0; i < images; i++)
            found |= overlap(written[w], read[i]) && !harmless(setup, program, bounds, w, i);
        for (unsigned i = 0; i < w; i++) {
            if (!overlap(written[i], written[w]))
                continue;
            const bool same = same_pixels(setup.surface[i], setup.surface[w]);
            found |= program.writes_elsewhere || !same;
            join_outputs(surfaces.outputs[i], surfaces.outputs[w], same, surfaces);
        }
    }
    return found;
}

} // namespace pixmill::nema

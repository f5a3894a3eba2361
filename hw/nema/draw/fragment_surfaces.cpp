// SPDX-License-Identifier: GPL-2.0-or-later
#include "fragment_surfaces.hpp"

#include <algorithm>

namespace pixmill::nema {

void FragmentSurfaces::prepare(const DrawSetup& setup, const FragmentProgram& program,
                               std::vector<Unsupported>& unsupported) {
    readable = program.reads;
    writable = 0;
    for (unsigned i = 0; i < images; i++) {
        if (reads(i) && !find_format(setup.surface[i].format))
            unsupported.push_back({Cause::texture_format, setup.surface[i].format});
        if (!(program.writes >> i & 1))
            continue;
        if (outputs[i].prepare(setup.surface[i], setup.dithers[i], setup.blend, row_kernels()))
            writable |= uint8_t(1u << i);
        else
            unsupported.push_back({Cause::destination_format, setup.surface[i].format});
    }
}

void FragmentSurfaces::open(const DrawSetup& setup, Memory& memory) {
    each_texture([&](TextureMap& texture, unsigned i) { texture.open(setup.surface[i], memory); });
    each_output([&](RenderOutput& output) { output.open(memory); });
}

void FragmentSurfaces::close() {
    each_output([](RenderOutput& output) { output.close(); });
}

void FragmentSurfaces::forget() {
    each_texture([](TextureMap& texture, unsigned) { texture.forget(); });
}

render::Rect FragmentSurfaces::area() const {
    render::Rect all;
    each_output([&](const RenderOutput& output) {
        all.right = std::max(all.right, output.area().right);
        all.bottom = std::max(all.bottom, output.area().bottom);
    });
    return all;
}

bool FragmentSurfaces::compressed() const {
    bool any = false;
    each_output([&](const RenderOutput& output) { any |= output.target().compressed(); });
    return any;
}

uint64_t FragmentSurfaces::pixels() const {
    uint64_t all = 0;
    each_output([&](const RenderOutput& output) { all += output.pixels(); });
    return all;
}

} // namespace pixmill::nema

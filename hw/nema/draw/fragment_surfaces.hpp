// The surfaces TEX0 to TEX3 that a program reads and writes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "nema/fragment/program.hpp"
#include "nema/texture/map.hpp"
#include "render_output.hpp"

namespace pixmill::nema {

struct FragmentSurfaces {
    std::array<TextureMap, images> textures;
    std::array<RenderOutput, images> outputs;
    uint8_t readable = 0; ///< bit n: textures[n] is read
    uint8_t writable = 0; ///< bit n: outputs[n] is written
    bool flushes = false; ///< flush after each write, because two outputs share memory

    bool reads(unsigned image) const { return readable >> image & 1; }
    bool takes(unsigned image) const { return writable >> image & 1; }
    template<class Visit>
    void each_texture(Visit visit) {
        for (unsigned i = 0; i < images; i++)
            if (reads(i))
                visit(textures[i], i);
    }
    template<class Visit>
    void each_output(Visit visit) {
        for (unsigned i = 0; i < images; i++)
            if (takes(i))
                visit(outputs[i]);
    }
    template<class Visit>
    void each_output(Visit visit) const {
        for (unsigned i = 0; i < images; i++)
            if (takes(i))
                visit(outputs[i]);
    }

    /// Prepares the surfaces that `program` uses. Adds unsupported formats to `unsupported`.
    void prepare(const DrawSetup& setup, const FragmentProgram& program,
                 std::vector<Unsupported>& unsupported);
    /// open() begins a slice of work and close() ends it. Nothing stays mapped between slices.
    void open(const DrawSetup& setup, Memory& memory);
    void close();
    /// Drops decoded texels. Called after a write that may have changed a texture.
    void forget();

    /// True if an access has faulted. Callers check this after each run of pixels.
    bool stalled() const {
        for (unsigned i = 0; i < images; i++)
            if ((takes(i) && outputs[i].target().faulted()) || (reads(i) && textures[i].faulted()))
                return true;
        return false;
    }
    /// Returns the bounding box of all outputs.
    render::Rect area() const;
    bool compressed() const; ///< true if any output is compressed
    uint64_t pixels() const; ///< pixels written so far
};

} // namespace pixmill::nema

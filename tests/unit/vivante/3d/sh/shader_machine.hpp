// A shader for tests, with registers by number. All lanes are equal unless a test changes them.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "assembler.hpp"
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante::test {

using Value = std::array<float, 4>;

/// Records the requests. A texel is the coordinate, with the sampler's number as w.
class NotingTexturing : public Texturing {
public:
    struct Asked {
        unsigned sampler;
        Lod lod;
        bool quads;
        LaneMask live;
        Value coordinate, dx, dy; ///< of lane 0, like all below
        float level;
        std::optional<float> reference;
    };
    std::vector<Asked> asked;

    void sample(const TextureRequest& request, Vector& texel) override {
        const auto first = [](const Vector* v) {
            return Value{(*v)[0].f[0], (*v)[1].f[0], (*v)[2].f[0], (*v)[3].f[0]};
        };
        asked.push_back(
            {request.sampler, request.lod, request.quads, request.live, first(request.coordinate),
             first(request.dx), first(request.dy), request.level->f[0],
             request.reference ? std::optional(request.reference->f[0]) : std::nullopt});
        const Vector from = *request.coordinate;
        for (unsigned c = 0; c < 3; c++)
            texel[c] = from[c];
        texel[3].f.fill(float(request.sampler));
    }
    /// Each 32-bit word of the memory holds its own address.
    void load(const LoadRequest& request, Vector& numbers) override {
        for (unsigned lane = 0; lane < lane_count; lane++)
            for (unsigned n = 0; n < request.count; n++)
                numbers[n].f[lane] = std::bit_cast<float>(
                    std::bit_cast<uint32_t>(request.base->f[lane]) +
                    (std::bit_cast<uint32_t>(request.offset->f[lane]) << request.shift) +
                    n * request.bytes);
    }
};

class ShaderMachine {
public:
    Uniforms uniforms{};
    NotingTexturing texturing;
    Batch how;
    Outcome outcome;

    ShaderMachine() { how.texturing = &texturing; }

    void set(unsigned reg, const Value& value) {
        for (unsigned c = 0; c < 4; c++)
            state_->temporary(reg)[c].f.fill(value[c]);
    }
    std::array<float, lane_count>& lanes(unsigned reg, unsigned component) {
        return state_->temporary(reg)[component].f;
    }
    Value get(unsigned reg, unsigned lane = 0) const {
        const Vector& v = state_->temporary(reg);
        return {v[0].f[lane], v[1].f[lane], v[2].f[lane], v[3].f[lane]};
    }
    std::array<float, lane_count>& face() { return state_->face().f; }
    ShaderState& state() { return *state_; }

    ShaderIsa isa = ShaderIsa::halti0;

    void run(const std::vector<uint32_t>& words) {
        outcome = vivante::run(Program(words, all_components(), isa), uniforms, *state_, how);
    }
    void run(const std::vector<Ins>& code) { run(encode(code)); }

private:
    std::unique_ptr<ShaderState> state_ = std::make_unique<ShaderState>();
};

} // namespace pixmill::vivante::test

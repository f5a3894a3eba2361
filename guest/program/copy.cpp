// SPDX-License-Identifier: GPL-2.0-or-later
#include "copy.hpp"

#include "../scene/states.hpp"

namespace guest {

namespace {

constexpr uint32_t DRAW_2D = 0x20000000;

// The resolver's states and values, named as in rnndb state.xml.
enum : uint32_t {
    RS_KICKER = 0x1600,
    RS_CONFIG = 0x1604,
    RS_SOURCE_ADDR = 0x1608,
    RS_SOURCE_STRIDE = 0x160C,
    RS_DEST_ADDR = 0x1610,
    RS_DEST_STRIDE = 0x1614,
    RS_WINDOW_SIZE = 0x1620,
    RS_DITHER = 0x1630, // two states
    RS_CLEAR_CONTROL = 0x163C,
    RS_EXTRA_CONFIG = 0x16A0,
    RS_PIPE_SOURCE_ADDR = 0x16C0, // a state for each pipe, as the following
    RS_PIPE_DEST_ADDR = 0x16E0,
    RS_PIPE_OFFSET = 0x1700,
};
constexpr uint32_t RS_FORMAT_A8R8G8B8 = 6, NO_DITHER = 0xFFFFFFFF, KICK = 0xBEEBBEEB;
constexpr uint32_t FLUSH_COLOR_AND_DEPTH = 1 << 1 | 1 << 0; // GL.FLUSH_CACHE

} // namespace

Job blit_job(Place to, Place from, uint32_t width, uint32_t height) {
    using enum scene::State;
    Job job;
    job.load_address(SRC_ADDRESS, from.handle, from.offset);
    job.load_state(SRC_STRIDE, from.stride);
    job.load_state(SRC_ROTATION_CONFIG, 0);
    job.load_state(SRC_CONFIG, scene::A8R8G8B8 << 24);
    job.load_state(SRC_ORIGIN, 0);
    job.load_state(SRC_SIZE, height << 16 | width);
    job.load_state(STRETCH_FACTOR_LOW, 0);
    job.load_state(STRETCH_FACTOR_HIGH, 0);
    job.load_address(DEST_ADDRESS, to.handle, to.offset);
    job.load_state(DEST_STRIDE, to.stride);
    job.load_state(DEST_ROTATION_CONFIG, 0);
    job.load_state(DEST_CONFIG, scene::A8R8G8B8 | scene::BIT_BLT << 12);
    job.load_state(ROP, scene::ROP4 << 20 | scene::ROP_SOURCE << 8 | scene::ROP_SOURCE);
    job.load_state(CLIP_TOP_LEFT, 0);
    job.load_state(CLIP_BOTTOM_RIGHT, height << 16 | width);
    job.load_state(CONFIG, 0);
    job.load_state(SRC_ORIGIN_FRACTION, 0);
    job.load_state(ALPHA_CONTROL, 0);
    job.load_state(ROT_ANGLE, 0);
    job.load_state(COLOR_MULTIPLY_MODES, 0);
    job.load_state(PE_TRANSPARENCY, 0);
    job.load_state(PE_CONTROL, 0);
    job.words.insert(job.words.end(), {DRAW_2D | 1 << 8, 0, 0, height << 16 | width});
    job.load_state(FLUSH_CACHE, scene::FLUSH_PE2D);
    return job;
}

Job resolve_job(const Device& device, Place to, Place from, uint32_t width, uint32_t height) {
    const auto pipes = uint32_t(device.parameter(ETNAVIV_PARAM_GPU_PIXEL_PIPES, Pipe::THREE_D));
    Job job;
    job.pipe = Pipe::THREE_D;
    job.load_state(scene::FLUSH_CACHE, FLUSH_COLOR_AND_DEPTH);
    job.load_state(RS_CONFIG, RS_FORMAT_A8R8G8B8 << 8 | RS_FORMAT_A8R8G8B8);
    job.load_state(RS_SOURCE_STRIDE, from.stride);
    job.load_state(RS_DEST_STRIDE, to.stride);
    if (pipes == 1) {
        job.load_address(RS_SOURCE_ADDR, from.handle, from.offset);
        job.load_address(RS_DEST_ADDR, to.handle, to.offset);
    } else {
        for (uint32_t pipe = 0; pipe < pipes; ++pipe) { // each copies its share of the rows
            job.load_address(RS_PIPE_SOURCE_ADDR + 4 * pipe, from.handle, from.offset);
            job.load_address(RS_PIPE_DEST_ADDR + 4 * pipe, to.handle, to.offset);
            job.load_state(RS_PIPE_OFFSET + 4 * pipe, height / pipes * pipe << 16);
        }
    }
    job.load_state(RS_WINDOW_SIZE, height / pipes << 16 | width);
    job.load_state(RS_DITHER, NO_DITHER);
    job.load_state(RS_DITHER + 4, NO_DITHER);
    job.load_state(RS_CLEAR_CONTROL, 0);
    job.load_state(RS_EXTRA_CONFIG, 0);
    job.load_state(RS_KICKER, KICK);
    return job;
}

} // namespace guest

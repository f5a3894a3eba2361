// SPDX-License-Identifier: GPL-2.0-or-later
#include "fill.hpp"

#include "../scene/states.hpp"

#include <stdexcept>

namespace guest {

namespace {

constexpr uint32_t DRAW_2D = 0x20000000;
constexpr uint32_t NOP = 0x18000000;
constexpr uint32_t CLIP_MAX = 0x7FFF;

} // namespace

Job fill_job(uint32_t handle, uint32_t stride, std::span<const Rectangle> areas, uint32_t color) {
    using enum scene::State;
    Job job;
    job.load_address(DEST_ADDRESS, handle);
    job.load_state(DEST_STRIDE, stride);
    job.load_state(DEST_ROTATION_CONFIG, 0);
    job.load_state(DEST_CONFIG, scene::A8R8G8B8 | scene::CLEAR << 12);
    job.load_state(ROP, scene::ROP4 << 20 | scene::ROP_SOURCE << 8 | scene::ROP_SOURCE);
    job.load_state(CLIP_TOP_LEFT, 0);
    job.load_state(CLIP_BOTTOM_RIGHT, CLIP_MAX << 16 | CLIP_MAX);
    job.load_state(CLEAR_BYTE_MASK, 0xFF);
    job.load_state(CLEAR_PIXEL_VALUE_LOW, color);
    job.load_state(CLEAR_PIXEL_VALUE_HIGH, color);
    job.load_state(CLEAR_PIXEL_VALUE32, color);
    job.load_state(ALPHA_CONTROL, 0);
    job.load_state(PE_TRANSPARENCY, 0);
    job.load_state(PE_CONTROL, 0);
    job.words.push_back(DRAW_2D | uint32_t(areas.size()) << 8);
    job.words.push_back(0);
    for (const Rectangle& area : areas) {
        job.words.push_back(area.top << 16 | area.left);
        job.words.push_back(area.bottom << 16 | area.right);
    }
    job.load_state(FLUSH_CACHE, scene::FLUSH_PE2D);
    return job;
}

void run(Device& device, const Job& job) {
    if (!device.wait(device.submit(job), std::chrono::seconds(20), job.pipe))
        throw std::runtime_error("the job did not end within 20 s");
}

Job empty_job() {
    Job job;
    job.words = {NOP, 0};
    return job;
}

} // namespace guest

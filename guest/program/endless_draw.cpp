// SPDX-License-Identifier: GPL-2.0-or-later
#include "endless_draw.hpp"

#include <array>

namespace guest {

namespace {

// Named as in rnndb state.xml and state_3d.xml.
enum : uint32_t {
    FE_VERTEX_ELEMENT_CONFIG = 0x600,
    FE_VERTEX_STREAMS_BASE_ADDR = 0x680,
    FE_VERTEX_STREAMS_CONTROL = 0x6A0,
    VS_OUTPUT_COUNT = 0x804,
    VS_INPUT_COUNT = 0x808,
    VS_TEMP_REGISTER_CONTROL = 0x80C,
    VS_OUTPUT = 0x810,
    VS_INPUT = 0x820,
    VS_RANGE = 0x85C,
    SE_SCISSOR_RIGHT = 0xC08,
    SE_SCISSOR_BOTTOM = 0xC0C,
    PS_INPUT_COUNT = 0x1008,
    PS_TEMP_REGISTER_CONTROL = 0x100C,
    PS_RANGE = 0x101C,
    PE_COLOR_FORMAT = 0x142C,
    PE_COLOR_STRIDE = 0x1434,
    PE_PIPE_COLOR_ADDR = 0x1460, // a state for each pipe
    SH_INST_MEM = 0xC000,        // the pixel shader's part begins with instruction 256
};
constexpr uint32_t FLOATS_3 = 8 | 3 << 12, ELEMENT_BYTES = 12;
constexpr uint32_t SIDE = 64, FIXED_16 = 16;
constexpr uint32_t COLOR_A8R8G8B8 = 6 | 0xF << 8; // all components are written
constexpr uint32_t NOP = 0, BRANCH = 0x16;        // to instruction 0
constexpr uint32_t PS_START = 256, INSTRUCTION_BYTES = 16;
constexpr uint32_t DRAW_PRIMITIVES = 0x28000000, TRIANGLES = 4;

} // namespace

Job endless_draw_job(const Buffer& target, const Buffer& vertices) {
    Job job;
    job.pipe = Pipe::THREE_D;
    job.load_state(FE_VERTEX_ELEMENT_CONFIG, ELEMENT_BYTES << 24 | FLOATS_3);
    job.load_address(FE_VERTEX_STREAMS_BASE_ADDR, vertices.handle());
    job.load_state(FE_VERTEX_STREAMS_CONTROL, ELEMENT_BYTES);
    job.load_state(VS_OUTPUT_COUNT, 1);
    job.load_state(VS_INPUT_COUNT, 1 << 8 | 1);
    job.load_state(VS_TEMP_REGISTER_CONTROL, 1);
    job.load_state(VS_OUTPUT, 0);
    job.load_state(VS_INPUT, 0);
    job.load_state(VS_RANGE, 0);
    job.load_state(SE_SCISSOR_RIGHT, SIDE << FIXED_16);
    job.load_state(SE_SCISSOR_BOTTOM, SIDE << FIXED_16);
    job.load_state(PS_INPUT_COUNT, 0x1F00 | 1); // as Mesa sets the upper bits
    job.load_state(PS_TEMP_REGISTER_CONTROL, 1);
    job.load_state(PS_RANGE, PS_START << 16 | PS_START);
    job.load_states(SH_INST_MEM, std::array{BRANCH, 0u, 0u, 0u});
    job.load_states(SH_INST_MEM + PS_START * INSTRUCTION_BYTES, std::array{NOP, 0u, 0u, 0u});
    job.load_state(PE_COLOR_FORMAT, COLOR_A8R8G8B8);
    job.load_state(PE_COLOR_STRIDE, 4 * SIDE);
    for (const uint32_t pipe : {0, 1})
        job.load_address(PE_PIPE_COLOR_ADDR + 4 * pipe, target.handle(), pipe * SIDE * SIDE * 2);
    job.words.insert(job.words.end(), {DRAW_PRIMITIVES, TRIANGLES, 0, 1});
    return job;
}

} // namespace guest

// RS: copies, conversions, downsampling and fills.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <algorithm>

namespace pixmill::reference::vivante_3d {

namespace {

using Color8 = std::array<uint32_t, 4>; ///< 8-bit channels

struct Point {
    uint32_t x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

/// Widens a value by repeating its bits, or drops low bits.
uint32_t to_width(uint32_t value, unsigned from, unsigned to) {
    if (from >= to)
        return value >> (from - to);
    uint32_t result = 0;
    for (int shift = static_cast<int>(to - from); shift > -static_cast<int>(from);
         shift -= static_cast<int>(from))
        result |= shift >= 0 ? value << shift : value >> -shift;
    return result;
}

Color8 unpack(const Format& format, uint64_t raw) {
    Color8 color{0, 0, 0, 255};
    for (unsigned c = 0; c < 4; c++)
        if (const Channel& channel = format.channels[c]; channel.width)
            color[c] =
                to_width(static_cast<uint32_t>(raw >> channel.shift & largest(channel.width)),
                         channel.width, 8);
    return color;
}

/// Writes ones to the X bits.
uint64_t pack(const Format& format, const Color8& color) {
    uint64_t raw = largest(format.unused.width) << format.unused.shift;
    for (unsigned c = 0; c < 4; c++)
        if (const Channel& channel = format.channels[c]; channel.width)
            raw |= uint64_t{to_width(color[c], 8, channel.width)} << channel.shift;
    return raw;
}

struct Job {
    Surface source, destination;
    TileStatus status; ///< tile status of the source
    uint32_t source_format = 0, destination_format = 0;
    unsigned step_x = 1, step_y = 1; ///< source samples per destination pixel
    bool one_sample = false;         ///< takes the first sample instead of the mean
    bool swap_rb = false, flip = false;
    uint32_t mode = 0;
    uint32_t enables = 0;
    std::array<uint32_t, 4> values{};
    uint32_t width = 0, height = 0; ///< size of each window in source samples
    std::vector<Point> windows;
    uint32_t first_row = 0, end_row = 0; ///< range of rows over all windows
};

Surface surface_of(const Engine& engine, uint32_t stride_state, bool tiled, uint32_t format,
                   uint32_t pipe_address, uint32_t address) {
    const States& states = engine.states;
    const uint32_t stride = states[stride_state];
    const bool multi = engine.features.pixel_pipes > 1 && !states.bit(RS_SINGLE_BUFFER, 0);
    Surface surface;
    surface.layout =
        layout_of(engine.features, tiled, bits(stride, 31, 31), multi && bits(stride, 30, 30));
    surface.stride = tiled ? bits(stride, 17, 0) / 4 : bits(stride, 17, 0);
    surface.bytes = rs_bytes(format);
    surface.base = {states[engine.features.pipe_addresses ? pipe_address : address],
                    states[pipe_address + 4]};
    return surface;
}

Job job_of(const Engine& engine) {
    const States& states = engine.states;
    Job job;
    job.source_format = states.field(RS_CONFIG, 4, 0);
    job.destination_format = states.field(RS_CONFIG, 12, 8);
    job.source = surface_of(engine, RS_SOURCE_STRIDE, states.bit(RS_CONFIG, 7), job.source_format,
                            RS_PIPE_SOURCE_ADDR, RS_SOURCE_ADDR);
    job.destination = surface_of(engine, RS_DEST_STRIDE, states.bit(RS_CONFIG, 14),
                                 job.destination_format, RS_PIPE_DEST_ADDR, RS_DEST_ADDR);
    job.status =
        resolve_status(states, engine.features, job.source.bytes, states.bit(RS_SOURCE_STRIDE, 29));
    job.one_sample = states.bit(RS_SINGLE_BUFFER, 1);
    job.step_x = states.bit(RS_CONFIG, 5) ? 2 : 1;
    job.step_y = states.bit(RS_CONFIG, 6) ? 2 : 1;
    job.swap_rb = states.bit(RS_CONFIG, 29);
    job.flip = states.bit(RS_CONFIG, 30);
    job.mode = states.field(RS_CLEAR_CONTROL, 17, 16);
    job.enables = states.field(RS_CLEAR_CONTROL, 15, 0);
    for (unsigned i = 0; i < 4; i++)
        job.values[i] = states[RS_FILL_VALUE + 4 * i];
    job.width = states.field(RS_WINDOW_SIZE, 15, 0);
    job.height = states.field(RS_WINDOW_SIZE, 31, 16);

    job.first_row = UINT32_MAX;
    for (unsigned pipe = 0; pipe < engine.features.pixel_pipes; pipe++) {
        const uint32_t word =
            engine.features.pixel_pipes > 1 ? states[RS_PIPE_OFFSET + 4 * pipe] : 0;
        const Point window{bits(word, 15, 0), bits(word, 31, 16)};
        if (std::find(job.windows.begin(), job.windows.end(), window) == job.windows.end())
            job.windows.push_back(window);
        job.first_row = std::min(job.first_row, window.y);
        job.end_row = std::max(job.end_row, window.y + job.height);
    }
    return job;
}

void fill(Engine& engine, const Job& job, Point at) {
    const uint32_t group = job.mode == 1 ? 0 : at.x >> 2 & 3;
    const uint32_t enables = job.enables >> 4 * group & 15;
    uint64_t value = job.values[group];
    if (job.destination.bytes == 8)
        value = job.values[0] | uint64_t{job.values[1]} << 32;
    write(engine.memory, address_of(job.destination, at.x, at.y), job.destination.bytes, value,
          enables | enables << 4);
}

uint64_t source_pixel(const Engine& engine, const Job& job, Point at) {
    return read(engine.memory, job.status, address_of(job.source, at.x, at.y), job.source.bytes);
}

Color8 mean(const Engine& engine, const Job& job, const Format& format, Point first) {
    const uint32_t columns = job.one_sample ? 1 : job.step_x;
    const uint32_t rows = job.one_sample ? 1 : job.step_y;
    const uint32_t count = columns * rows;
    Color8 sum{};
    for (uint32_t y = 0; y < rows; y++)
        for (uint32_t x = 0; x < columns; x++) {
            const Color8 color =
                unpack(format, source_pixel(engine, job, {first.x + x, first.y + y}));
            for (unsigned c = 0; c < 4; c++)
                sum[c] += color[c];
        }
    for (uint32_t& channel : sum)
        channel = (channel + count / 2) / count;
    return sum;
}

/// Copies one pixel; `at` is its position in the destination before FLIP.
void copy(Engine& engine, const Job& job, Point at) {
    const Point first{at.x * job.step_x, at.y * job.step_y};
    const Format* from = rs_format(job.source_format);
    const Format* to = rs_format(job.destination_format);
    const bool same = job.source_format == job.destination_format && !job.swap_rb &&
                      (job.step_x * job.step_y == 1 || job.one_sample);
    uint64_t raw;
    if (same || !from || !to) {
        raw = source_pixel(engine, job, first);
    } else {
        Color8 color = mean(engine, job, *from, first);
        if (job.swap_rb)
            std::swap(color[0], color[2]);
        raw = pack(*to, color);
    }
    const uint32_t rows = (job.first_row + job.end_row) / job.step_y;
    const uint32_t y = job.flip ? rows - 1 - at.y : at.y;
    write(engine.memory, address_of(job.destination, at.x, y), job.destination.bytes, raw);
}

} // namespace

void resolve_in_place(Engine& engine, uint32_t tiles) {
    if (!engine.features.single_buffer)
        return;
    const States& states = engine.states;
    const uint32_t format = states.field(RS_CONFIG, 4, 0);
    const TileStatus status =
        resolve_status(states, engine.features, rs_bytes(format), states.bit(RS_EXTRA_CONFIG, 24));
    for (uint32_t tile = 0; tile < tiles; tile++) {
        const uint32_t address = status.surface_base + tile * status.tile_bytes;
        if (address - engine.memory.base >= engine.memory.bytes.size())
            return;
        if (is_cleared(engine.memory, status, address))
            fill_tile(engine.memory, status, address);
    }
}

void resolve(Engine& engine) {
    const Job job = job_of(engine);
    for (const Point& window : job.windows)
        for (uint32_t y = window.y / job.step_y; y < (window.y + job.height) / job.step_y; y++)
            for (uint32_t x = window.x / job.step_x; x < (window.x + job.width) / job.step_x; x++)
                if (job.mode == 0)
                    copy(engine, job, {x, y});
                else
                    fill(engine, job, {x, y});
}

} // namespace pixmill::reference::vivante_3d

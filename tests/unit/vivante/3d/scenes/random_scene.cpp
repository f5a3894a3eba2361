// Random scenes: playing and comparing them, and removing a feature.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "random_scene.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "builder.hpp"

namespace pixmill::test {

namespace {

constexpr const char* names[] = {
    "rs_fill",        "rs_copy",
    "rs_convert",     "rs_flip",
    "rs_downsample",  "color_status",
    "depth_status",   "points",
    "lines",          "triangles",
    "strips",         "fans",
    "indexed",        "restart",
    "vertex_formats", "matrix",
    "clipped",        "culling",
    "fill_modes",     "scissor",
    "depth",          "stencil",
    "polygon_offset", "alpha_test",
    "blend",          "color_mask",
    "targets",        "samples",
    "sample_mask",    "query",
    "flat",           "smooth",
    "point_sprite",   "arithmetic",
    "tiny",           "kill",
    "branch",         "loop",
    "derivatives",    "indirect",
    "face",           "shader_depth",
    "texture_2d",     "texture_cube",
    "texture_3d",     "texture_array",
    "linear_texture", "compressed",
    "mipmaps",        "srgb",
    "vertex_texture", "one_color",
    "instances",      "numbers",
    "integers",       "memory_loads",
    "float_targets",  "integer_targets",
    "early_depth",    "shadow",
    "sampler_status", "rs_in_place",
    "srgb_targets",
};
static_assert(std::size(names) == static_cast<size_t>(Feature::count));

} // namespace

const char* name_of(Feature feature) {
    return names[static_cast<unsigned>(feature)];
}

uint64_t possible_features(const reference::Vivante3dFeatures& core) {
    const auto below = [](Feature feature) {
        return (uint64_t{1} << static_cast<unsigned>(feature)) - 1;
    };
    uint64_t features = below(core.halti >= 5   ? Feature::count
                              : core.halti >= 2 ? Feature::srgb_targets
                                                : Feature::instances);
    if (!core.alpha_test)
        features &= ~(uint64_t{1} << static_cast<unsigned>(Feature::alpha_test));
    return features;
}

Scene random_scene(uint64_t seed, const reference::Vivante3dFeatures& core, uint32_t base) {
    SceneBuilder builder(seed, core, base);
    // Quirks of the GC2000, which the device can do without.
    builder.scene.solid_triangles = core.solid_triangles && seed % 2;
    builder.scene.shared_stencil_masks = core.shared_stencil_masks && seed / 2 % 2;
    builder.scene.large_points = core.large_points && seed / 4 % 2;
    if (builder.random.chance(20))
        random_resolves(builder);
    else
        random_drawing(builder);
    return std::move(builder.scene);
}

/* ---- Playing -------------------------------------------------------------------------------- */

std::vector<uint8_t> initial_memory(const Scene& scene) {
    std::vector<uint8_t> memory(scene_bytes);
    for (const Chunk& chunk : scene.memory)
        std::copy(chunk.bytes.begin(), chunk.bytes.end(),
                  memory.begin() + (chunk.address - scene.base));
    return memory;
}

namespace {

constexpr uint32_t load_state = 1u << 27, draw_primitives = 5u << 27, draw_indexed = 6u << 27,
                   draw_instanced = 12u << 27;

void append(std::vector<uint32_t>& words, const Burst& burst) {
    words.push_back(load_state | static_cast<uint32_t>(burst.words.size()) << 16 |
                    burst.address / 4);
    words.insert(words.end(), burst.words.begin(), burst.words.end());
    if (words.size() % 2)
        words.push_back(0);
}

void append(std::vector<uint32_t>& words, const Draw& draw) {
    if (draw.instances) {
        words.insert(words.end(),
                     {draw_instanced | uint32_t{draw.indexed} << 20 | draw.type << 16 |
                          (draw.instances & 0xFFFF),
                      draw.instances >> 16 << 24 | draw.vertices,
                      draw.indexed ? static_cast<uint32_t>(draw.offset) : draw.start, 0});
        return;
    }
    words.insert(words.end(), {draw.indexed ? draw_indexed : draw_primitives, draw.type, draw.start,
                               draw.primitives});
    if (draw.indexed)
        words.insert(words.end(), {static_cast<uint32_t>(draw.offset), 0});
}

} // namespace

std::vector<uint32_t> stream(const Scene& scene) {
    std::vector<uint32_t> words;
    for (const Command& command : scene.commands)
        std::visit([&](const auto& value) { append(words, value); }, command);
    return words;
}

/* ---- Comparing ------------------------------------------------------------------------------ */

namespace {

uint32_t pixel_at(std::span<const uint8_t> memory, uint32_t offset, unsigned bytes) {
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= uint32_t{memory[offset + i]} << 8 * i;
    return value;
}

/// True if two pixels are equal within the tolerance. A channel with few bits may always be off by
/// one.
bool is_near(const Region& region, const Tolerance& tolerance, uint32_t a, uint32_t b) {
    if (((a ^ b) & region.mask) == 0)
        return true;
    if (tolerance.channel == 0 || region.channels.empty())
        return false;
    return std::all_of(
        region.channels.begin(), region.channels.end(), [&](const ChannelBits& channel) {
            const uint64_t most = (uint64_t{1} << channel.width) - 1;
            const auto va = static_cast<int64_t>(a >> channel.shift & most);
            const auto vb = static_cast<int64_t>(b >> channel.shift & most);
            return std::llabs(va - vb) <=
                   std::max<int64_t>(1, static_cast<int64_t>(
                                            tolerance.channel * static_cast<double>(most) + 0.5));
        });
}

std::string difference(const Scene& scene, const Region& region, std::span<const uint8_t> expected,
                       std::span<const uint8_t> is) {
    const uint32_t first = region.address - scene.base;
    const uint32_t pixels = region.bytes / region.pixel_bytes;
    uint32_t far = 0;
    std::ostringstream text;
    for (uint32_t i = 0; i < pixels; i++) {
        const uint32_t offset = first + i * region.pixel_bytes;
        const uint32_t a = pixel_at(expected, offset, region.pixel_bytes);
        const uint32_t b = pixel_at(is, offset, region.pixel_bytes);
        if (is_near(region, scene.tolerance, a, b))
            continue;
        if (far++ < 4)
            text << ' ' << (region.width ? i % region.width : i) << ','
                 << (region.width ? i / region.width : 0) << std::hex << " 0x" << b << " for 0x"
                 << a << std::dec;
    }
    if (far <= scene.tolerance.outliers * pixels)
        return {};
    std::ostringstream result;
    result << "seed " << scene.seed << ", " << region.name << ": " << far << " of " << pixels
           << " differ:" << text.str() << '\n';
    return result.str();
}

} // namespace

std::string difference(const Scene& scene, std::span<const uint8_t> expected,
                       std::span<const uint8_t> is) {
    std::string text;
    for (const Region& region : scene.regions)
        text += difference(scene, region, expected, is);
    return text;
}

/* ---- Without a feature ---------------------------------------------------------------------- */

namespace {

/// A change that removes a feature: sets bits `mask` of states `first` to `last` to `value`.
struct Change {
    Feature feature;
    uint32_t first, last, mask, value;
};

constexpr uint32_t all = 0xFFFFFFFF;
constexpr Change changes[] = {
    {Feature::rs_fill, 0x1600, 0x1600, all, 0},
    {Feature::rs_copy, 0x1600, 0x1600, all, 0},
    {Feature::rs_convert, 0x1604, 0x1604, 0x20001F1F, 0x0606},
    {Feature::rs_flip, 0x1604, 0x1604, 1u << 30, 0},
    {Feature::rs_downsample, 0x1604, 0x1604, 0x60, 0},
    {Feature::color_status, 0x1654, 0x1654, 2, 0},
    {Feature::depth_status, 0x1654, 0x1654, 1, 0},
    {Feature::restart, 0x0648, 0x0648, 0x100, 0},
    {Feature::matrix, 0x5000, 0x503C, all, 0},
    {Feature::culling, 0x0A34, 0x0A34, 0x300, 0},
    {Feature::fill_modes, 0x0A34, 0x0A34, 0x3000, 0x2000},
    {Feature::scissor, 0x0C00, 0x0C04, all, 0},
    {Feature::scissor, 0x0C08, 0x0C0C, all, 0x43200000}, // right and bottom 160.0
    {Feature::depth, 0x1400, 0x1400, 0x1700, 0x0700},
    {Feature::stencil, 0x141C, 0x141C, 3, 0},
    {Feature::polygon_offset, 0x0C10, 0x0C14, all, 0},
    {Feature::alpha_test, 0x1420, 0x1420, 1, 0},
    {Feature::blend, 0x1428, 0x1428, 1, 0},
    {Feature::color_mask, 0x142C, 0x142C, 0xF00, 0xF00},
    {Feature::targets, 0x1010, 0x1010, 0x700, 0},
    {Feature::samples, 0x3818, 0x3818, 3, 0},
    {Feature::sample_mask, 0x3818, 0x3818, 0xF0, 0xF0},
    {Feature::query, 0x3824, 0x3824, all, 0},
    {Feature::flat, 0x0A34, 0x0A34, 0x10000, 0x10000},
    {Feature::smooth, 0x0A34, 0x0A34, 0x10000, 0},
    {Feature::smooth, 0x0A40, 0x0A7C, 1, 0},
    {Feature::point_sprite, 0x0A34, 0x0A34, 0x10, 0},
    {Feature::tiny, 0x5120, 0x5120, all, 0x3F800000}, // changes the factors to 1, 1/64 and 64
    {Feature::tiny, 0x5124, 0x5124, all, 0x42800000},
    {Feature::tiny, 0x7120, 0x7120, all, 0x3F800000},
    {Feature::tiny, 0x7124, 0x7124, all, 0x42800000},
    {Feature::texture_2d, 0x2000, 0x202C, all, 0},
    {Feature::texture_cube, 0x2000, 0x202C, all, 0},
    {Feature::texture_3d, 0x2000, 0x202C, all, 0},
    {Feature::texture_array, 0x2000, 0x202C, all, 0},
    {Feature::linear_texture, 0x2000, 0x202C, 3u << 20, 0},
    {Feature::compressed, 0x2000, 0x202C, all, 0},
    {Feature::mipmaps, 0x2000, 0x202C, 0x600, 0},
    {Feature::srgb, 0x2080, 0x20AC, 1u << 31, 0},
    {Feature::vertex_texture, 0x2020, 0x202C, all, 0},
    {Feature::one_color, 0x7070, 0x707C, all, 0},
    // NTE samplers and unified uniforms of HALTI1 to HALTI4.
    {Feature::matrix, 0x30000, 0x3003C, all, 0},
    {Feature::tiny, 0x30120, 0x30120, all, 0x3F800000},
    {Feature::tiny, 0x30124, 0x30124, all, 0x42800000},
    {Feature::tiny, 0x30320, 0x30320, all, 0x3F800000},
    {Feature::tiny, 0x30324, 0x30324, all, 0x42800000},
    {Feature::one_color, 0x30270, 0x3027C, all, 0},
    {Feature::texture_2d, 0x10000, 0x1007C, all, 0},
    {Feature::texture_cube, 0x10000, 0x1007C, all, 0},
    {Feature::texture_3d, 0x10000, 0x1007C, all, 0},
    {Feature::texture_array, 0x10000, 0x1007C, all, 0},
    {Feature::linear_texture, 0x10000, 0x1007C, 3u << 20, 0},
    {Feature::compressed, 0x10000, 0x1007C, all, 0},
    {Feature::mipmaps, 0x10000, 0x1007C, 0x600, 0},
    {Feature::srgb, 0x10100, 0x1017C, 1u << 31, 0},
    {Feature::vertex_texture, 0x10040, 0x1007C, all, 0},
    {Feature::shadow, 0x10700, 0x1077C, 1u << 16, 0},
    // Descriptors, uniforms and varyings of HALTI5.
    {Feature::matrix, 0x34000, 0x3403C, all, 0},
    {Feature::tiny, 0x34120, 0x34120, all, 0x3F800000},
    {Feature::tiny, 0x34124, 0x34124, all, 0x42800000},
    {Feature::tiny, 0x36320, 0x36320, all, 0x3F800000},
    {Feature::tiny, 0x36324, 0x36324, all, 0x42800000},
    {Feature::one_color, 0x36270, 0x3627C, all, 0},
    {Feature::texture_2d, 0x15C00, 0x15C7C, all, 0},
    {Feature::texture_cube, 0x15C00, 0x15C7C, all, 0},
    {Feature::texture_3d, 0x15C00, 0x15C7C, all, 0},
    {Feature::texture_array, 0x15C00, 0x15C7C, all, 0},
    {Feature::linear_texture, 0x15C00, 0x15C7C, all, 0},
    {Feature::compressed, 0x15C00, 0x15C7C, all, 0},
    {Feature::mipmaps, 0x16C00, 0x16C7C, 0x1800, 0},
    {Feature::srgb, 0x16E00, 0x16E7C, 4, 0},
    {Feature::vertex_texture, 0x15C40, 0x15C7C, all, 0},
    {Feature::shadow, 0x16C00, 0x16C7C, 1u << 17, 0},
    {Feature::flat, 0x38C0, 0x38FC, 0x22222222, 0},
    {Feature::smooth, 0x38C0, 0x38FC, 0x33333333, 0x22222222},
    // Both.
    {Feature::color_status, 0x17A4, 0x17BC, 1, 0},
    {Feature::numbers, 0x0808, 0x0808, 1u << 31, 0},
    {Feature::early_depth, 0x0E08, 0x0E08, all, 0x10000030},
    {Feature::sampler_status, 0x1720, 0x173C, 1, 0},
    {Feature::rs_in_place, 0x16B0, 0x16B0, all, 0},
    {Feature::srgb_targets, 0x14A4, 0x14A4, 1u << 31, 0},
    {Feature::srgb_targets, 0x14900, 0x14918, 1u << 30, 0},
};

bool apply(Burst& burst, Feature feature) {
    bool known = false;
    for (const Change& change : changes)
        if (change.feature == feature)
            for (size_t i = 0; i < burst.words.size(); i++) {
                const uint32_t address = burst.address + 4 * static_cast<uint32_t>(i);
                if (address < change.first || address > change.last)
                    continue;
                burst.words[i] = (burst.words[i] & ~change.mask) | change.value;
                known = true;
            }
    return known;
}

/// True if an instruction belongs to this feature. Removing the feature replaces it by a NOP.
bool is_of(Feature feature, const uint32_t* words) {
    const uint32_t opcode = (words[0] & 63) | (words[2] >> 16 & 1) << 6;
    switch (feature) {
    case Feature::kill:
        return opcode == shader::TEXKILL;
    case Feature::branch:
    case Feature::loop:
        return opcode == shader::BRANCH;
    case Feature::derivatives:
        return opcode == shader::DSX || opcode == shader::DSY;
    case Feature::indirect:
        return opcode == shader::MOVAR;
    case Feature::face:
        return opcode == shader::SET && (words[2] >> 3 & 7) == shader::internal;
    case Feature::shader_depth:
        return opcode == shader::MOV && (words[0] >> 16 & 0x7F) == 0;
    case Feature::integers:
        return opcode == shader::I2F || opcode == shader::CMP;
    case Feature::memory_loads:
        return opcode == shader::LOAD;
    case Feature::arithmetic:
        return opcode == shader::ADD || opcode == shader::MUL || opcode == shader::MAD;
    default:
        return false;
    }
}

/// Removes the instructions of a feature that are in memory.
bool apply_to_code(Chunk& chunk, Feature feature) {
    bool known = false;
    for (size_t i = 0; chunk.is_code && i + 16 <= chunk.bytes.size(); i += 16) {
        uint32_t words[4];
        for (size_t w = 0; w < 4; w++)
            words[w] = pixel_at(chunk.bytes, static_cast<uint32_t>(i + 4 * w), 4);
        if (!is_of(feature, words))
            continue;
        std::fill_n(chunk.bytes.begin() + static_cast<std::ptrdiff_t>(i), 16, uint8_t{0});
        known = true;
    }
    return known;
}

bool apply_to_code(Burst& burst, Feature feature) {
    if (burst.address < 0x9000 || burst.address >= 0xE000)
        return false;
    bool known = false;
    for (size_t i = 0; i + 3 < burst.words.size(); i += 4)
        if (is_of(feature, &burst.words[i])) {
            std::fill_n(burst.words.begin() + static_cast<std::ptrdiff_t>(i), 4, 0u);
            known = true;
        }
    return known;
}

/// True if a draw belongs to this feature. Removing the feature makes it empty.
bool is_draw_of(Feature feature, const Draw& draw) {
    switch (feature) {
    case Feature::points:
        return draw.type == 1;
    case Feature::lines:
        return draw.type == 2 || draw.type == 3 || draw.type == 7;
    case Feature::triangles:
        return draw.type == 4 || draw.type == 8;
    case Feature::strips:
        return draw.type == 5;
    case Feature::fans:
        return draw.type == 6;
    case Feature::indexed:
        return draw.indexed;
    case Feature::vertex_formats:
    case Feature::clipped:
    case Feature::float_targets:
    case Feature::integer_targets:
        return true;
    default:
        return false;
    }
}

} // namespace

bool without(Scene& scene, Feature feature) {
    bool known = false;
    for (Command& command : scene.commands)
        if (Draw* draw = std::get_if<Draw>(&command); draw && is_draw_of(feature, *draw)) {
            draw->primitives = draw->vertices = 0;
            known = true;
        }
    for (Command& command : scene.commands)
        if (Draw* draw = std::get_if<Draw>(&command);
            draw && feature == Feature::instances && draw->instances > 1) {
            draw->instances = 1;
            known = true;
        }
    for (Chunk& chunk : scene.memory)
        known |= apply_to_code(chunk, feature);
    for (Command& command : scene.commands)
        if (Burst* burst = std::get_if<Burst>(&command)) {
            known |= apply(*burst, feature);
            known |= apply_to_code(*burst, feature);
        }
    return known;
}

} // namespace pixmill::test

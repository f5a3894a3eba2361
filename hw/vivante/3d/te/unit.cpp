// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace pixmill::vivante::te {

namespace {

// ---- Channels ----------------------------------------------------------------------------------

constexpr ChannelOf constant_channel(float value) {
    ChannelOf channel;
    channel.constant = value;
    return channel;
}

constexpr Channels constants(float r, float g, float b, float a) {
    return {constant_channel(r), constant_channel(g), constant_channel(b), constant_channel(a)};
}

/// Returns channel `source` of the format, before the swizzle.
ChannelOf channel_of(const TextureFormat& format, unsigned source, bool srgb) {
    const Component& component = format.rgba[source];
    if (!component.width)
        return constant_channel(component.constant);
    ChannelOf channel;
    channel.kind = component.width > 16 ? ChannelOf::Kind::wide
                   : format.bias        ? ChannelOf::Kind::snorm
                                        : ChannelOf::Kind::unorm;
    channel.low = component.low;
    channel.mask = 0xFFFFFFFF >> (32 - component.width);
    channel.bias = format.bias;
    set_scale(channel, format.bias ? format.bias - 1u : channel.mask);
    // OpenGL supports sRGB only for 8-bit channels.
    if (srgb && source < 3 && component.width == 8) {
        channel.kind = ChannelOf::Kind::curve;
        channel.curve = srgb_curve();
    }
    return channel;
}

/// Turns each channel that equals an earlier channel into a copy of it.
void find_same(Channels& channels) {
    for (uint8_t c = 1; c < 4; c++)
        for (uint8_t earlier = 0; earlier < c; earlier++) {
            const ChannelOf &a = channels[c], &b = channels[earlier];
            if (a.kind == ChannelOf::Kind::constant || a.kind != b.kind || a.low != b.low ||
                a.mask != b.mask)
                continue;
            channels[c].kind = ChannelOf::Kind::same;
            channels[c].other = earlier;
            break;
        }
}

Channels swizzled(const Sampler& sampler, const TextureFormat& format) {
    Channels channels;
    for (unsigned c = 0; c < 4; c++) {
        const Channel from = sampler.swizzle[c];
        channels[c] = from >= Channel::zero ? constant_channel(from == Channel::one ? 1 : 0)
                                            : channel_of(format, unsigned(from), sampler.srgb);
    }
    find_same(channels);
    return channels;
}

constexpr Channels unconfigured = constants(0, 0, 0, 1);

/// Returns the constants that a sampler without a texture reads.
Channels without_texture(const Sampler& sampler) {
    switch (sampler.error) {
    case SamplerError::unconfigured:
    case SamplerError::disabled:
    case SamplerError::memory:
    case SamplerError::size:
        return unconfigured;
    default:
        break;
    }
    if (sampler.error == SamplerError::format)
        return swizzled(sampler, {});
    return constants(0, 0, 0, 0);
}

Layers layers_of(const Sampler& s) {
    switch (s.type) {
    case Type::cube:
        return Layers::faces;
    case Type::three_d:
        return s.array ? Layers::slices : Layers::volume;
    case Type::two_d:
        return s.array ? Layers::rows : Layers::none;
    default:
        return Layers::rows;
    }
}

// ---- Levels of detail --------------------------------------------------------------------------

constexpr float lod_unit = 1.0f / 32;

constexpr bool is_linear(Filter filter) {
    return filter >= Filter::linear;
}

/// floor(32 log2 n) for n = 1, 2, ...: Mesa 25.0 truncates logarithms.
constexpr uint8_t tap_logs[] = {0,   32,  50,  64,  74,  82,  89,  96,
                                101, 106, 110, 114, 118, 121, 125, 128};

/// Returns the maximum number of taps, at most 16.
unsigned most_taps(const Sampler& s) {
    const Layers layers = layers_of(s);
    if (layers == Layers::rows || layers == Layers::volume || !is_linear(s.min))
        return 1;
    return unsigned(std::ranges::upper_bound(tap_logs, s.anisotropy) - tap_logs);
}

/// Returns the level of detail up to which texels are magnified. With limits, it is compared after
/// them. Mesa sets MAX to 1/64 if only the filters differ.
float threshold_of(const Sampler& s) {
    // OpenGL ES 2.0, 3.7.8, requires this offset. No state selects it, and hardware fails tests of
    // exactly this case.
    const float offset = is_linear(s.mag) && !is_linear(s.min) && s.mip != Filter::none ? 0.5f : 0;
    if (!s.limits)
        return s.lod_min * lod_unit + offset;
    constexpr float always = std::numeric_limits<float>::infinity();
    const auto [min, max] = *s.limits;
    return min > offset ? -always : max <= offset ? always : offset;
}

LodRange lod_range(const Sampler& s) {
    LodRange range;
    range.min = s.lod_min * lod_unit;
    range.max = s.lod_max * lod_unit;
    range.mip = is_linear(s.mip) ? Filter::linear : s.mip;
    range.threshold = threshold_of(s);
    if (s.mip == Filter::none)
        range.min = range.max = std::min(range.min, range.max);
    // Less than the error of a level of detail, so halves select the higher level.
    if (s.halves_up)
        range.half += 0x1p-19f;
    range.last = int32_t(s.last_level());
    return range;
}

void set_lod(const Sampler& s, Unit& u) {
    u.range = lod_range(s);
    u.first_level = int32_t(s.first_level());
    u.bias = s.lod_bias * lod_unit;
    u.most_taps = most_taps(s);
    u.linear_min = is_linear(s.min);
    u.linear_mag = is_linear(s.mag);
    u.needs_lod = s.mip != Filter::none || u.linear_min != u.linear_mag || u.most_taps > 1;
    u.size = {float(s.width), float(s.height), float(s.depth)};
}

// ---- Locations ----------------------------------------------------------------------------------

Order order_of(const Sampler& s) {
    if (is_block(s.format->packing))
        return Order::tiled;
    if (s.addressing == Addressing::linear)
        return Order::linear;
    if (s.halign != Halign::super_tiled)
        return Order::tiled;
    return s.new_super_tiles ? Order::new_super_tiled : Order::super_tiled;
}

/// Compressed blocks are treated as tiles of 16 one-byte texels, so offsets are texel indices.
Pitches pitches_of(const Sampler& s, Order order) {
    Pitches p;
    p.width = s.width;
    p.height = s.type == Type::one_d ? 1 : s.height;
    p.stride = s.stride;
    const bool block = is_block(s.format->packing);
    p.slice = block ? 0 : s.slice;
    p.shift = block ? 0 : uint8_t(std::countr_zero(s.format->bytes));
    if (order == Order::super_tiled || order == Order::new_super_tiled) {
        p.align = p.align_rows = 64;
    } else if (order == Order::tiled) {
        p.align = !block && s.halign == Halign::sixteen ? 16 : 4;
        p.align_rows = 4;
    }
    return p;
}

uint64_t up(uint64_t value, uint64_t alignment) {
    return (value + alignment - 1) / alignment * alignment;
}

uint64_t slices_of(const Unit& u, unsigned level) {
    switch (u.layers) {
    case Layers::faces:
        return 6;
    case Layers::slices:
        return std::max(u.depth, 1u);
    case Layers::volume:
        return std::max(u.depth >> level, 1u);
    default:
        return 1;
    }
}

/// Returns the number of bytes from a level's address to the end of its last texel.
uint64_t level_bytes(const Unit& u, Order order, unsigned level) {
    const Pitches& p = u.pitches;
    const uint64_t w = std::max(p.width >> level, 1u), slices = slices_of(u, level),
                   h = std::max(u.layers == Layers::rows ? p.height : p.height >> level, 1u);
    const uint64_t given = level || !p.slice ? 0 : (slices - 1) * p.slice; // of all but one slice
    if (order == Order::linear) // YUV pixels come in pairs
        return (given ? given + (h - 1) * p.stride : (slices * h - 1) * p.stride) +
               (up(w, 2) << p.shift);
    if (given)
        return given + (up(w, p.align) * up(h, p.align_rows) << p.shift);
    const uint64_t texels = slices * up(w, p.align) * up(h, p.align_rows);
    return is_block(u.source.packing) ? texels / 16 * u.source.bytes : texels << p.shift;
}

/// Sets the layout of sampler `s`, which must have a texture.
void set_places(const Sampler& s, Unit& u) {
    u.layers = layers_of(s);
    u.depth = s.depth;
    u.pitches = pitches_of(s, order_of(s));
    u.source.packing = s.format->packing;
    u.source.bytes = s.format->bytes;
}

/// True if find(level, address, bytes) returns true for each level in use. Levels that wrap around
/// the end of the address space are not found.
template<class Find>
bool find_levels(const Sampler& s, Order order, const Unit& u, const Find& find) {
    for (unsigned level = s.first_level(); level <= s.last_level(); level++) {
        const uint64_t address = s.level[level], bytes = level_bytes(u, order, level);
        if (address + bytes > uint64_t(1) << 32 || !find(level, address, bytes))
            return false;
    }
    return true;
}

/// Finds the host memory of the levels, as far as it is known before it is read.
void find_memory(const Sampler& s, Order order, Memory& memory, Unit& u) {
    TexelSource& source = u.source;
    const uint32_t stride = order == Order::linear ? s.stride : 0;
    const auto find_span = [&](unsigned level, uint64_t address, uint64_t bytes) {
        source.host[level] = memory.map_contiguous(address, bytes, Access::read);
        return source.host[level] != nullptr;
    };
    const auto find_pages = [&](unsigned level, uint64_t address, uint64_t bytes) {
        const bool aligned = (address | stride) % source.bytes == 0; // no texel crosses a page
        source.pages[level] = {uint32_t(address % Memory::page_bytes),
                               aligned ? memory.mapped_pages(address, bytes) : nullptr};
        return source.pages[level].host != nullptr;
    };
    source.address = s.level;
    if (find_levels(s, order, u, find_span))
        source.known = TexelSource::Known::spans;
    else if (find_levels(s, order, u, find_pages))
        source.known = TexelSource::Known::pages;
}

/// True if all channels of the sampler are constants, so it reads no memory. The result of a
/// comparison is in all channels.
bool is_constant(const Sampler& s, const Channels& channels) {
    return (!s.compare || !s.format) && std::ranges::all_of(channels, [](const ChannelOf& c) {
               return c.kind == ChannelOf::Kind::constant;
           });
}

/// Channels of Packing::numbers stay as they are.
Channels channels_of(const Sampler& s) {
    if (s.format && s.format->packing == Packing::numbers)
        return {{{.kind = ChannelOf::Kind::unorm}}};
    return s.format ? swizzled(s, *s.format) : without_texture(s);
}

} // namespace

const Channels& unconfigured_channels() {
    return unconfigured;
}

void Comparison::operator()(const TeKernels& kernels, const LaneWords& words,
                            const Lanes& reference, Vector& texels) const {
    Vector depths;
    kernels.nearest(words, depth, depths);
    for (unsigned l = 0; l < lane_count; l++) {
        const float given = reference.f[l], stored = depths[0].f[l];
        const float limited = given > 0 ? std::min(given, 1.0f) : 0; // depths are fractions
        const unsigned relation = limited < stored ? 1 : limited == stored ? 2 : 4;
        const float result = passes & relation ? 1 : 0;
        for (unsigned c = 0; c < 4; c++)
            texels[c].f[l] = swizzle[c] == Channel::zero  ? 0
                             : swizzle[c] == Channel::one ? 1
                                                          : result;
    }
}

std::optional<unsigned> levels_of(const Sampler& s, LevelMemories& levels) {
    if (is_constant(s, channels_of(s)))
        return 0;
    Unit u;
    set_places(s, u);
    unsigned count = 0;
    for (unsigned level = s.first_level(); level <= s.last_level(); level++)
        levels[count++] = {s.level[level], level_bytes(u, order_of(s), level)};
    if (s.status.enabled && !s.first_level()) {
        const uint32_t from = s.level[0] - s.status.surface;
        const uint64_t last = from + levels[0].bytes - 1;
        if (last > UINT32_MAX)
            return std::nullopt;
        const auto byte = [&](uint64_t at) { return at / s.status.unit * s.status.tile_bits / 8; };
        levels[count++] = {uint32_t(s.status.status + byte(from)), byte(last) - byte(from) + 1};
    }
    return count;
}

Unit make_unit(const Sampler& s, bool exchanges_t_colors, const TeKernels& kernels,
               Memory& memory) {
    Unit u;
    u.channels = channels_of(s);
    u.constant = is_constant(s, u.channels);
    if (u.constant)
        return u;
    set_lod(s, u);
    set_places(s, u);
    u.sliced = u.layers == Layers::faces || u.layers == Layers::slices;
    u.axes = u.layers == Layers::volume ? 3 : u.layers == Layers::rows ? 1 : 2;
    const Order order = order_of(s);
    u.column = kernels.column[unsigned(order)];
    u.row = kernels.row[unsigned(order)];
    u.wrap = s.wrap;
    for (unsigned i = 0; i < 3; i++)
        u.axis[i] = &kernels.axis[unsigned(s.wrap[i])];
    u.source.exchanges_t_colors = exchanges_t_colors;
    u.border = s.format->bias * 0x10001u;
    u.seamless = s.seamless && u.layers == Layers::faces && s.width == s.height;
    u.source.status = s.status;
    find_memory(s, order, memory, u);
    u.fetch = fetch_for(u.source);
    if (!u.fetch)
        u.numbers = NumberDecoder(s);
    else if (s.compare)
        u.comparison = Comparison{*s.compare, {channel_of(*s.format, 0, false)}, s.swizzle};
    return u;
}

} // namespace pixmill::vivante::te

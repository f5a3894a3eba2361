// SPDX-License-Identifier: GPL-2.0-or-later
//
// Element types: rnndb state_3d.xml (FE_VERTEX_ELEMENT_CONFIG), Mesa etnaviv_translate.h. How
// hardware normalizes signed numbers is undocumented; the model uses the rule of OpenGL 4.2 and
// later: max(c / (2^(n-1) - 1), -1).
#include "vertex_fetch.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <limits>

namespace pixmill::vivante {

enum class Number : uint8_t { is_signed, is_unsigned, fixed, real, half, integer };

struct VertexType {
    /// Position of a component in the element's words.
    struct Component {
        uint8_t word, shift, bits;
    };
    uint8_t code;
    uint8_t component_bytes; ///< 0 if all are in one word
    Number number;
    std::array<Component, 4> component; ///< x, y, z, w

    constexpr unsigned bytes(unsigned components) const {
        return component_bytes ? component_bytes * components : 4;
    }
};

namespace {

using Components = std::array<VertexType::Component, 4>;

constexpr Components bytes = {{{0, 0, 8}, {0, 8, 8}, {0, 16, 8}, {0, 24, 8}}};
constexpr Components shorts = {{{0, 0, 16}, {0, 16, 16}, {1, 0, 16}, {1, 16, 16}}};
constexpr Components words = {{{0, 0, 32}, {1, 0, 32}, {2, 0, 32}, {3, 0, 32}}};
constexpr Components w_high = {{{0, 0, 10}, {0, 10, 10}, {0, 20, 10}, {0, 30, 2}}};
constexpr Components w_low = {{{0, 22, 10}, {0, 12, 10}, {0, 2, 10}, {0, 0, 2}}}; // assumed

// clang-format off
constexpr VertexType types[] = {
    {0, 1, Number::is_signed, bytes},      // BYTE
    {1, 1, Number::is_unsigned, bytes},    // UNSIGNED_BYTE
    {2, 2, Number::is_signed, shorts},     // SHORT
    {3, 2, Number::is_unsigned, shorts},   // UNSIGNED_SHORT
    {4, 4, Number::is_signed, words},      // INT
    {5, 4, Number::is_unsigned, words},    // UNSIGNED_INT
    {6, 0, Number::is_signed, w_high},     // INT_2_10_10_10_REV
    {7, 0, Number::is_unsigned, w_high},   // UNSIGNED_INT_2_10_10_10_REV
    {8, 4, Number::real, words},           // FLOAT
    {9, 2, Number::half, shorts},          // HALF_FLOAT
    {11, 4, Number::fixed, words},         // FIXED, 16.16
    {12, 0, Number::is_signed, w_low},     // INT_10_10_10_2
    {13, 0, Number::is_unsigned, w_low},   // UNSIGNED_INT_10_10_10_2
    {14, 1, Number::integer, bytes},       // BYTE_I
    {15, 2, Number::integer, shorts},      // SHORT_I
};
// clang-format on

const VertexType* find_type(uint32_t code) {
    for (const VertexType& type : types)
        if (type.code == code)
            return &type;
    return nullptr;
}

// ---- memory ----------------------------------------------------------------------------------

/// Returns how many bytes, up to `most`, can be read at `address` before addresses wrap.
uint64_t unwrapped(uint32_t address, uint64_t most) {
    return std::min(most, (uint64_t(1) << 32) - address);
}

/// Reads bytes span by span. On a fault, returns false and clears the rest.
[[nodiscard]] bool read(Memory& memory, uint64_t from, std::span<std::byte> to) {
    while (!to.empty()) {
        const auto address = uint32_t(from);
        const HostSpan span = memory.map(address, unwrapped(address, to.size()), Access::read);
        if (span.mapping == Mapping::fault) {
            std::ranges::fill(to, std::byte());
            return false;
        }
        const size_t count = std::min<uint64_t>(span.length, to.size());
        if (span.mapping == Mapping::hole)
            std::ranges::fill(to.first(count), std::byte(span.hole_value));
        else
            std::memcpy(to.data(), span.host, count);
        to = to.subspan(count);
        from += count;
    }
    return true;
}

// ---- numbers ---------------------------------------------------------------------------------

uint32_t field(uint32_t word, VertexType::Component c) {
    return word << (32 - c.shift - c.bits) >> (32 - c.bits);
}

int32_t signed_field(uint32_t word, VertexType::Component c) {
    return int32_t(word << (32 - c.shift - c.bits)) >> (32 - c.bits);
}

/// Converts a half-precision number exactly. Infinities and NaNs keep their fraction bits.
float from_half(uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16, magnitude = half & 0x7FFF;
    if (magnitude < 0x0400) // denormal: units of 2^-24
        return std::bit_cast<float>(std::bit_cast<uint32_t>(float(magnitude) * 0x1p-24f) | sign);
    const uint32_t bias = magnitude < 0x7C00 ? 127 - 15 : 255 - 31;
    return std::bit_cast<float>(sign | ((magnitude << 13) + (bias << 23)));
}

/// Divisor of an integer, and lower limit of the result.
struct Scale {
    double divisor = 1, least = -std::numeric_limits<double>::infinity();
};

Scale scale_of(const VertexElement& element, VertexType::Component c) {
    const uint32_t ones = ~0u >> (32 - c.bits);
    switch (element.type->number) {
    case Number::fixed:
        return {65536};
    case Number::is_signed:
        return element.normalize ? Scale{double(ones >> 1), -1} : Scale{};
    case Number::is_unsigned:
        return element.normalize ? Scale{double(ones)} : Scale{};
    default:
        return {};
    }
}

/// Sets each lane to number(w), where w is the lane's word with index `word`.
template<class Function>
void convert(Lanes& lanes, const ElementWords& raw, unsigned word, Function number) {
    for (unsigned i = 0; i < lane_count; i++)
        lanes.f[i] = number(raw[i][word]);
}

void convert_component(const VertexElement& element, unsigned which, const ElementWords& raw,
                       Lanes& lanes) {
    const VertexType::Component c = element.type->component[which];
    const Scale scale = scale_of(element, c);
    switch (element.type->number) {
    case Number::is_unsigned:
        return convert(lanes, raw, c.word, [&](uint32_t word) {
            return float(double(field(word, c)) / scale.divisor);
        });
    case Number::is_signed:
    case Number::fixed:
        return convert(lanes, raw, c.word, [&](uint32_t word) {
            return float(std::max(double(signed_field(word, c)) / scale.divisor, scale.least));
        });
    case Number::real:
        return convert(lanes, raw, c.word,
                       [](uint32_t word) { return std::bit_cast<float>(word); });
    case Number::half:
        return convert(lanes, raw, c.word,
                       [&](uint32_t word) { return from_half(field(word, c)); });
    case Number::integer:
        return convert(lanes, raw, c.word,
                       [&](uint32_t word) { return std::bit_cast<float>(signed_field(word, c)); });
    }
}

/// Sets a component that an element lacks: 1 for w, else 0.
void fill_missing(Lanes& lanes, unsigned which) {
    lanes.f.fill(which == 3 ? 1.0f : 0.0f);
}

/// Reverses the bytes of each group of `unit` bytes (ENDIAN).
void swap_bytes(unsigned unit, std::array<uint32_t, 4>& words_read) {
    for (uint32_t& word : words_read) {
        const uint32_t pairs = (word >> 8 & 0x00FF00FF) | (word & 0x00FF00FF) << 8;
        word = unit == 4 ? pairs >> 16 | pairs << 16 : pairs;
    }
}

VertexElement decode_element(uint32_t config) {
    using namespace fe::vertex_element_config;
    constexpr uint8_t units[] = {0, 2, 4, 0};
    VertexElement element;
    element.code = uint8_t(type(config));
    element.type = find_type(element.code);
    element.stream = uint8_t(stream(config));
    element.components = uint8_t(num(config) ? num(config) : 4);
    element.swap = units[endian(config)];
    element.start = uint8_t(start(config));
    element.normalize = normalize(config) != 0;
    // Byte swapping needs whole units, even if the element uses only part of the last one.
    const unsigned unit = std::max<unsigned>(element.swap, 1);
    if (element.type)
        element.bytes = uint8_t((element.type->bytes(element.components) + unit - 1) / unit * unit);
    return element;
}

VertexStream decode_stream(uint32_t base, uint32_t control) {
    using namespace fe::vertex_stream_control;
    // A stream with a divisor advances once per instance, and these cores draw a single instance.
    return {base, divisor(control) ? 0 : stride(control)};
}

} // namespace

// ---- vertices --------------------------------------------------------------------------------

FetchSetup FetchSetup::decode(States states, unsigned count, bool streams) {
    FetchSetup setup;
    setup.count = std::min(count, most_elements);
    for (unsigned s = 0; s < most_streams; s++) {
        const uint32_t n = streams ? 4 * s : 0;
        setup.stream[s] = streams ? decode_stream(states[FE_VERTEX_STREAMS_BASE_ADDR + n],
                                                  states[FE_VERTEX_STREAMS_CONTROL + n])
                                  : decode_stream(states[FE_VERTEX_STREAM_BASE_ADDR],
                                                  states[FE_VERTEX_STREAM_CONTROL]);
    }
    for (unsigned e = 0; e < setup.count; e++) {
        VertexElement& element = setup.element[e];
        element = decode_element(states[FE_VERTEX_ELEMENT_CONFIG + 4 * e]);
        uint32_t& extent = setup.stream[element.stream].extent;
        extent = std::max<uint32_t>(extent, element.bytes ? element.start + element.bytes : 0);
    }
    return setup;
}

void VertexFetch::open_windows(std::span<const uint32_t> vertices) {
    // Mapping a wider range costs more than fetching the vertices one by one.
    constexpr uint64_t widest = 256 << 10;
    const auto [least, greatest] = std::ranges::minmax(vertices);
    for (unsigned s = 0; s < most_streams; s++) {
        const VertexStream& stream = setup_.stream[s];
        Window& window = window_[s];
        const uint64_t address = stream.base + uint64_t(least) * stream.stride;
        const uint64_t length = uint64_t(greatest - least) * stream.stride + stream.extent;
        if (!stream.extent ||
            (address >= window.address && address + length <= window.address + window.length))
            continue;
        window = {};
        if (length <= widest && unwrapped(uint32_t(address), length) == length)
            window.host = memory_.map_contiguous(uint32_t(address), length, Access::read);
        if (window.host)
            window.address = address, window.length = length;
    }
}

void VertexFetch::gather_pieces(const VertexElement& element, std::span<const uint32_t> vertices,
                                ElementWords& raw) {
    const VertexStream& stream = setup_.stream[element.stream];
    for (size_t i = 0; i < vertices.size() && !faulted_; i++)
        faulted_ =
            !read(memory_, stream.base + uint64_t(vertices[i]) * stream.stride + element.start,
                  std::as_writable_bytes(std::span(raw[i])).first(element.bytes));
}

void VertexFetch::gather(const VertexElement& element, std::span<const uint32_t> vertices,
                         ElementWords& raw) {
    const VertexStream& stream = setup_.stream[element.stream];
    const Window& window = window_[element.stream];
    if (!window.host)
        return gather_pieces(element, vertices, raw);
    // Offset of the element in the window. May wrap modulo 2^64 until a vertex is added.
    const uint64_t start = uint64_t(stream.base) + element.start - window.address;
    const auto copy = [&](size_t count) {
        for (size_t i = 0; i < vertices.size(); i++)
            std::memcpy(raw[i].data(),
                        window.host + (start + uint64_t(vertices[i]) * stream.stride), count);
    };
    switch (element.bytes) { // a memcpy() of constant size compiles to a move
    case 4:
        return copy(4);
    case 8:
        return copy(8);
    case 12:
        return copy(12);
    case 16:
        return copy(16);
    default:
        return copy(element.bytes);
    }
}

void VertexFetch::fetch(std::span<const uint32_t> vertices, std::span<Vector> attributes) {
    vertices = vertices.first(std::min<size_t>(vertices.size(), lane_count));
    if (!vertices.empty() && !faulted_)
        open_windows(vertices);
    for (size_t e = 0; e < attributes.size(); e++) {
        const VertexElement element = e < setup_.count ? setup_.element[e] : VertexElement();
        ElementWords raw{};
        if (element.type && !faulted_)
            gather(element, vertices, raw);
        if (element.swap)
            for (auto& lane : raw)
                swap_bytes(element.swap, lane);
        for (unsigned c = 0; c < 4; c++)
            if (element.type && c < element.components)
                convert_component(element, c, raw, attributes[e][c]);
            else
                fill_missing(attributes[e][c], c);
    }
}

// ---- indices ---------------------------------------------------------------------------------

IndexSetup IndexSetup::decode(States states, uint32_t start, uint32_t offset) {
    constexpr uint32_t sizes[] = {1, 2, 4, 4};
    const uint32_t control = states[FE_INDEX_STREAM_CONTROL];
    IndexSetup setup;
    setup.bytes = sizes[fe::index_stream_control::type(control)];
    setup.address = states[FE_INDEX_STREAM_BASE_ADDR] + start * setup.bytes;
    setup.offset = offset;
    setup.restart = fe::index_stream_control::primitive_restart(control);
    setup.restart_index = states[FE_PRIMITIVE_RESTART_INDEX] & (~0u >> (32 - 8 * setup.bytes));
    return setup;
}

bool read_indices(const IndexSetup& setup, Memory& memory, uint32_t first,
                  std::span<uint32_t> indices) {
    std::array<std::byte, 1024> buffer;
    uint64_t address = setup.address + uint64_t(first) * setup.bytes;
    bool ok = true;
    while (!indices.empty()) {
        const size_t count = std::min(indices.size(), buffer.size() / setup.bytes);
        const auto some = std::span(buffer).first(count * setup.bytes);
        if (ok)
            ok = read(memory, address, some);
        else
            std::ranges::fill(some, std::byte());
        for (size_t i = 0; i < count; i++) {
            indices[i] = 0;
            std::memcpy(&indices[i], &some[i * setup.bytes], setup.bytes);
        }
        address += some.size();
        indices = indices.subspan(count);
    }
    return ok;
}

void VertexBatch::clear() {
    size_ = 0;
    if (++generation_ == 0) { // wrapped around: slots of old batches would look current
        slot_ = {};
        generation_ = 1;
    }
}

unsigned VertexBatch::add(uint32_t vertex) {
    // Adjacent vertices get adjacent slots, so strips and grids do not collide.
    for (uint32_t at = vertex % slots;; at = (at + 1) % slots) {
        Slot& slot = slot_[at];
        if (slot.generation != generation_) {
            if (!room())
                return full;
            slot = {generation_, vertex, uint8_t(size_)};
            vertex_[size_] = vertex;
            return size_++;
        }
        if (slot.vertex == vertex)
            return slot.lane;
    }
}

} // namespace pixmill::vivante

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

#include "vivante/3d/guest_read.hpp"
#include "vivante/3d/half.hpp"

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
constexpr Components exchanged = {{{0, 20, 10}, {0, 10, 10}, {0, 0, 10}, {0, 30, 2}}};

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
/// Types that differ on cores with HALTI2, where Mesa uses these two for B10G10R10A2.
constexpr VertexType halti2_types[] = {
    {12, 0, Number::is_signed, exchanged},
    {13, 0, Number::is_unsigned, exchanged},
};
// clang-format on

const VertexType* find_type(std::span<const VertexType> in, uint32_t code) {
    const auto at = std::ranges::find(in, code, &VertexType::code);
    return at == in.end() ? nullptr : &*at;
}

const VertexType* find_type(uint32_t code, const Features3d& features) {
    const VertexType* const own = features.halti2 ? find_type(halti2_types, code) : nullptr;
    return own ? own : find_type(types, code);
}

// ---- memory ----------------------------------------------------------------------------------

/// Returns how many bytes, up to `most`, can be read at `address` before addresses wrap.
uint64_t unwrapped(uint32_t address, uint64_t most) {
    return std::min(most, (uint64_t(1) << 32) - address);
}

// ---- numbers ---------------------------------------------------------------------------------

uint32_t field(uint32_t word, VertexType::Component c) {
    return word << (32 - c.shift - c.bits) >> (32 - c.bits);
}

int32_t signed_field(uint32_t word, VertexType::Component c) {
    return int32_t(word << (32 - c.shift - c.bits)) >> (32 - c.bits);
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
        return convert(lanes, raw, c.word, [&](uint32_t word) {
            return element.extends_sign ? std::bit_cast<float>(signed_field(word, c))
                                        : std::bit_cast<float>(field(word, c));
        });
    }
}

/// Sets a component that an element lacks: 0, except for w.
void fill_missing(const VertexElement& element, Lanes& lanes, unsigned which) {
    lanes.f.fill(which == 3 ? std::bit_cast<float>(element.missing_w) : 0.0f);
}

/// Reverses the bytes of each group of `unit` bytes (ENDIAN).
void swap_bytes(unsigned unit, std::array<uint32_t, 4>& words_read) {
    for (uint32_t& word : words_read) {
        const uint32_t pairs = (word >> 8 & 0x00FF00FF) | (word & 0x00FF00FF) << 8;
        word = unit == 4 ? pairs >> 16 | pairs << 16 : pairs;
    }
}

VertexElement decode_element(uint32_t config, const Features3d& features) {
    using namespace fe::vertex_element_config;
    constexpr uint8_t units[] = {0, 2, 4, 0};
    VertexElement element;
    element.code = uint8_t(type(config));
    element.type = find_type(element.code, features);
    element.stream =
        uint8_t(features.halti5 ? fe::nfe_generic_attrib_config0::stream(config) : stream(config));
    element.components = uint8_t(num(config) ? num(config) : 4);
    element.swap = units[endian(config)];
    element.start = uint8_t(start(config));
    element.normalize = normalize(config) != 0;
    element.extends_sign = element.normalize || !features.halti2;
    // Byte swapping needs whole units, even if the element uses only part of the last one.
    const unsigned unit = std::max<unsigned>(element.swap, 1);
    if (element.type)
        element.bytes = uint8_t((element.type->bytes(element.components) + unit - 1) / unit * unit);
    return element;
}

VertexStream decode_stream(uint32_t base, uint32_t control) {
    using namespace fe::vertex_stream_control;
    return {base, stride(control), divisor(control)};
}

/// Decodes the streams of a core, into `streams`.
void decode_streams(States states, const Features3d& features, std::span<VertexStream> streams) {
    constexpr unsigned halti0_streams = 8;
    if (features.halti2)
        for (unsigned s = 0; s < most_streams; s++)
            streams[s] = {
                states[NFE_VERTEX_STREAMS_BASE_ADDR + 4 * s],
                fe::nfe_vertex_stream_control::stride(states[NFE_VERTEX_STREAMS_CONTROL + 4 * s]),
                states[NFE_VERTEX_STREAMS_VERTEX_DIVISOR + 4 * s]};
    else if (features.halti0)
        for (unsigned s = 0; s < halti0_streams; s++)
            streams[s] = decode_stream(states[FE_VERTEX_STREAMS_BASE_ADDR + 4 * s],
                                       states[FE_VERTEX_STREAMS_CONTROL + 4 * s]);
    else // a single stream, which all elements read
        std::ranges::fill(streams, decode_stream(states[FE_VERTEX_STREAM_BASE_ADDR],
                                                 states[FE_VERTEX_STREAM_CONTROL]));
}

} // namespace

// ---- vertices --------------------------------------------------------------------------------

FetchSetup FetchSetup::decode(States states, unsigned count, const Features3d& features) {
    FetchSetup setup;
    setup.count = std::min(count, most_elements);
    decode_streams(states, features, setup.stream);
    for (unsigned e = 0; e < setup.count; e++) {
        VertexElement& element = setup.element[e];
        const uint32_t at = 4 * e, configs = features.halti5 ? NFE_GENERIC_ATTRIB_CONFIG0
                                                             : FE_VERTEX_ELEMENT_CONFIG;
        element = decode_element(states[configs + at], features);
        if (features.halti2)
            element.missing_w =
                states[(features.halti5 ? NFE_GENERIC_ATTRIB_SCALE : FE_GENERIC_ATTRIB_SCALE) + at];
        uint32_t& extent = setup.stream[element.stream].extent;
        extent = std::max<uint32_t>(extent, element.bytes ? element.start + element.bytes : 0);
    }
    return setup;
}

/// Returns the index of each vertex's data in the stream.
std::span<const uint32_t> VertexFetch::numbers(const VertexStream& stream, Numbers& scratch) const {
    if (!stream.divisor)
        return vertices_;
    for (size_t i = 0; i < vertices_.size(); i++)
        scratch[i] = instances_.empty() ? 0 : instances_[i] / stream.divisor;
    return std::span(scratch).first(vertices_.size());
}

void VertexFetch::open_windows() {
    // Mapping a wider range costs more than fetching the vertices one by one.
    constexpr uint64_t widest = 256 << 10;
    const auto of_vertices = std::ranges::minmax(vertices_);
    for (unsigned s = 0; s < most_streams; s++) {
        const VertexStream& stream = setup_.stream[s];
        if (!stream.extent)
            continue;
        Window& window = window_[s];
        Numbers scratch;
        const auto [least, greatest] =
            stream.divisor ? std::ranges::minmax(numbers(stream, scratch)) : of_vertices;
        const uint64_t address = stream.base + uint64_t(least) * stream.stride;
        const uint64_t length = uint64_t(greatest - least) * stream.stride + stream.extent;
        if (address >= window.address && address + length <= window.address + window.length)
            continue;
        window = {};
        if (length <= widest && unwrapped(uint32_t(address), length) == length)
            window.host = memory_.map_contiguous(uint32_t(address), length, Access::read);
        if (window.host)
            window.address = address, window.length = length;
    }
}

void VertexFetch::gather_pieces(const VertexElement& element, std::span<const uint32_t> numbers,
                                ElementWords& raw) {
    const VertexStream& stream = setup_.stream[element.stream];
    for (size_t i = 0; i < numbers.size() && !faulted_; i++)
        faulted_ =
            !read_guest(memory_, stream.base + uint64_t(numbers[i]) * stream.stride + element.start,
                        std::as_writable_bytes(std::span(raw[i])).first(element.bytes));
}

void VertexFetch::gather(const VertexElement& element, ElementWords& raw) {
    const VertexStream& stream = setup_.stream[element.stream];
    const Window& window = window_[element.stream];
    Numbers scratch;
    const std::span<const uint32_t> numbers = this->numbers(stream, scratch);
    if (!window.host)
        return gather_pieces(element, numbers, raw);
    // Offset of the element in the window. May wrap modulo 2^64 until a vertex is added.
    const uint64_t start = uint64_t(stream.base) + element.start - window.address;
    const auto copy = [&](size_t count) {
        for (size_t i = 0; i < numbers.size(); i++)
            std::memcpy(raw[i].data(), window.host + (start + uint64_t(numbers[i]) * stream.stride),
                        count);
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

void VertexFetch::fetch(std::span<const uint32_t> vertices, std::span<Vector> attributes,
                        std::span<const uint32_t> instances) {
    vertices_ = vertices.first(std::min<size_t>(vertices.size(), lane_count));
    instances_ = instances;
    if (!vertices_.empty() && !faulted_)
        open_windows();
    for (size_t e = 0; e < attributes.size(); e++) {
        const VertexElement element = e < setup_.count ? setup_.element[e] : VertexElement();
        ElementWords raw{};
        if (element.type && !faulted_)
            gather(element, raw);
        if (element.swap)
            for (auto& lane : raw)
                swap_bytes(element.swap, lane);
        for (unsigned c = 0; c < 4; c++)
            if (element.type && c < element.components)
                convert_component(element, c, raw, attributes[e][c]);
            else
                fill_missing(element, attributes[e][c], c);
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
            ok = read_guest(memory, address, some);
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
    forget();
}

void VertexBatch::begin_instance(uint32_t instance) {
    instance_now_ = instance;
    forget();
}

/// Adds a vertex again, even if an earlier one has the same number.
void VertexBatch::forget() {
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
            instance_[size_] = instance_now_;
            return size_++;
        }
        if (slot.vertex == vertex)
            return slot.lane;
    }
}

} // namespace pixmill::vivante

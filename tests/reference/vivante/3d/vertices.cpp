// FE: indices, primitive assembly and vertex attributes.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <bit>
#include <cmath>

namespace pixmill::reference::vivante_3d {

/* ---- Primitives --------------------------------------------------------------------------- */

namespace {

enum Type {
    points = 1,
    lines,
    line_strip,
    triangles,
    triangle_strip,
    triangle_fan,
    line_loop,
    quads
};

/// Returns the vertices per primitive of a list, or 0 for strips, fans and loops.
uint32_t list_size(uint32_t type) {
    switch (type) {
    case points:
        return 1;
    case lines:
        return 2;
    case triangles:
        return 3;
    case quads:
        return 4;
    default:
        return 0;
    }
}

/// Returns the number of indices for a strip, fan or loop.
uint64_t strip_size(uint32_t type, uint64_t primitives) {
    switch (type) {
    case line_strip:
        return primitives + 1;
    case triangle_strip:
    case triangle_fan:
        return primitives + 2;
    case line_loop:
        return primitives;
    default:
        return 0;
    }
}

uint32_t read_index(const Engine& engine, uint32_t number) {
    const unsigned type = engine.states.field(FE_INDEX_STREAM_CONTROL, 1, 0);
    const unsigned size = 1u << std::min(type, 2u);
    const uint32_t address = engine.states[FE_INDEX_STREAM_BASE_ADDR] + number * size;
    return static_cast<uint32_t>(read(engine.memory, address, size));
}

bool is_restart(const Engine& engine, uint32_t index) {
    const unsigned type = engine.states.field(FE_INDEX_STREAM_CONTROL, 1, 0);
    const uint32_t mask = type == 0 ? 0xFF : type == 1 ? 0xFFFF : 0xFFFFFFFF;
    return engine.states.bit(FE_INDEX_STREAM_CONTROL, 8) &&
           index == (engine.states[FE_PRIMITIVE_RESTART_INDEX] & mask);
}

/// Returns the index of vertex `n` of a command, or nothing at a primitive restart.
std::optional<uint32_t> vertex_number(const Engine& engine, const DrawCommand& command,
                                      uint32_t n) {
    if (!command.indexed)
        return command.start + n;
    const uint32_t index = read_index(engine, command.start + n);
    if (is_restart(engine, index))
        return std::nullopt;
    return index + static_cast<uint32_t>(command.offset);
}

using Run = std::vector<uint32_t>;

class Assembler {
public:
    Assembler(const Engine& engine, const DrawCommand& command)
        : engine_(engine), command_(command),
          provoking_last_(engine.states.bit(PA_SYSTEM_MODE, 0)) {}

    std::vector<Primitive> lists(uint32_t size) {
        Run run;
        uint64_t done = 0;
        const uint64_t most =
            command_.vertices.value_or(uint64_t{size} * command_.primitives + size - 1);
        for (uint64_t n = 0; n < most && (command_.vertices || done < command_.primitives); n++) {
            const auto vertex = vertex_number(engine_, command_, static_cast<uint32_t>(n));
            if (!vertex) {
                run.clear();
                continue;
            }
            run.push_back(*vertex);
            if (run.size() == size) {
                add_list(run);
                run.clear();
                done++;
            }
        }
        return std::move(primitives_);
    }

    std::vector<Primitive> strips() {
        Run run;
        const uint64_t all = command_.vertices.value_or(
            command_.primitives ? strip_size(command_.type, command_.primitives) : 0);
        for (uint64_t n = 0; n < all; n++) {
            if (const auto vertex = vertex_number(engine_, command_, static_cast<uint32_t>(n))) {
                run.push_back(*vertex);
            } else {
                add_strip(run);
                run.clear();
            }
        }
        add_strip(run);
        return std::move(primitives_);
    }

private:
    /// `first` and `last` are the provoking vertices under the two conventions.
    void add(const Run& vertices, uint32_t first, uint32_t last) {
        primitives_.push_back({vertices, provoking_last_ ? last : first});
    }

    void add_list(const Run& v) {
        if (v.size() == 4 && provoking_last_) {
            add({v[0], v[1], v[3]}, v[0], v[3]);
            add({v[1], v[2], v[3]}, v[1], v[3]);
        } else if (v.size() == 4) {
            add({v[0], v[1], v[2]}, v[0], v[2]);
            add({v[0], v[2], v[3]}, v[0], v[3]);
        } else {
            add(v, v.front(), v.back());
        }
    }

    void add_strip(const Run& v) {
        switch (command_.type) {
        case line_strip:
        case line_loop:
            for (size_t i = 0; i + 1 < v.size(); i++)
                add({v[i], v[i + 1]}, v[i], v[i + 1]);
            if (command_.type == line_loop && v.size() > 1)
                add({v.back(), v.front()}, v.back(), v.front());
            break;
        case triangle_strip:
            for (size_t i = 0; i + 2 < v.size(); i++)
                if (i % 2 == 0)
                    add({v[i], v[i + 1], v[i + 2]}, v[i], v[i + 2]);
                else
                    add({v[i + 1], v[i], v[i + 2]}, v[i], v[i + 2]);
            break;
        case triangle_fan:
            for (size_t i = 0; i + 2 < v.size(); i++)
                add({v[0], v[i + 1], v[i + 2]}, v[i + 1], v[i + 2]);
            break;
        }
    }

    const Engine& engine_;
    const DrawCommand& command_;
    const bool provoking_last_;
    std::vector<Primitive> primitives_;
};

} // namespace

std::vector<Primitive> assemble(const Engine& engine, const DrawCommand& command) {
    Assembler assembler(engine, command);
    const uint32_t size = list_size(command.type);
    return size ? assembler.lists(size) : assembler.strips();
}

/* ---- Attributes --------------------------------------------------------------------------- */

namespace {

enum ElementType {
    BYTE,
    UNSIGNED_BYTE,
    SHORT,
    UNSIGNED_SHORT,
    INT,
    UNSIGNED_INT,
    INT_2_10_10_10_REV,
    UNSIGNED_INT_2_10_10_10_REV,
    FLOAT,
    HALF_FLOAT,
    FIXED = 11,
    INT_10_10_10_2,
    UNSIGNED_INT_10_10_10_2,
    BYTE_I,
    SHORT_I,
};

unsigned component_bytes(unsigned type) {
    switch (type) {
    case BYTE:
    case UNSIGNED_BYTE:
    case BYTE_I:
        return 1;
    case SHORT:
    case UNSIGNED_SHORT:
    case HALF_FLOAT:
    case SHORT_I:
        return 2;
    default:
        return 4;
    }
}

float signed_value(uint32_t raw, unsigned width, bool normalize) {
    const int32_t value = static_cast<int32_t>(raw << (32 - width)) >> (32 - width);
    if (!normalize)
        return static_cast<float>(value);
    return std::max(static_cast<float>(value) / static_cast<float>(largest(width - 1)), -1.0f);
}

float unsigned_value(uint32_t raw, unsigned width, bool normalize) {
    const float value = static_cast<float>(raw);
    return normalize ? value / static_cast<float>(largest(width)) : value;
}

float component(unsigned type, uint32_t raw, bool normalize) {
    switch (type) {
    case BYTE:
        return signed_value(raw, 8, normalize);
    case UNSIGNED_BYTE:
        return unsigned_value(raw, 8, normalize);
    case SHORT:
        return signed_value(raw, 16, normalize);
    case UNSIGNED_SHORT:
        return unsigned_value(raw, 16, normalize);
    case INT:
        return signed_value(raw, 32, normalize);
    case UNSIGNED_INT:
        return unsigned_value(raw, 32, normalize);
    case FLOAT:
        return std::bit_cast<float>(raw);
    case HALF_FLOAT:
        return from_half(static_cast<uint16_t>(raw));
    case FIXED:
        return static_cast<float>(static_cast<int32_t>(raw)) / 65536.0f;
    default:
        return 0;
    }
}

/// Unpacks component `c` of the four in a word. The types without REV exchange x and z (Mesa uses
/// them for B10G10R10A2).
float packed(unsigned type, uint32_t word, unsigned c, bool normalize) {
    const bool reversed = type == INT_2_10_10_10_REV || type == UNSIGNED_INT_2_10_10_10_REV;
    const bool is_signed = type == INT_2_10_10_10_REV || type == INT_10_10_10_2;
    const unsigned width = c == 3 ? 2 : 10;
    const unsigned shift = reversed || c == 3 ? 10 * c : 20 - 10 * c;
    const uint32_t raw = word >> shift & static_cast<uint32_t>(largest(width));
    return is_signed ? signed_value(raw, width, normalize) : unsigned_value(raw, width, normalize);
}

bool is_packed(unsigned type) {
    return type == INT_2_10_10_10_REV || type == UNSIGNED_INT_2_10_10_10_REV ||
           type == INT_10_10_10_2 || type == UNSIGNED_INT_10_10_10_2;
}

struct Stream {
    uint32_t base, stride, divisor;
};

Stream stream_of(const Engine& engine, unsigned number) {
    const States& states = engine.states;
    const uint32_t at = 4 * number;
    if (engine.features.halti >= 2)
        return {states[NFE_VERTEX_STREAMS_BASE_ADDR + at],
                states.field(NFE_VERTEX_STREAMS_CONTROL + at, 11, 0),
                states[NFE_VERTEX_STREAMS_VERTEX_DIVISOR + at]};
    const uint32_t control = states[FE_VERTEX_STREAMS_CONTROL + at];
    return {states[FE_VERTEX_STREAMS_BASE_ADDR + at], bits(control, 7, 0), bits(control, 23, 16)};
}

/// The bits of a missing w. Mesa sets the scale to 1.0f, or to 1 for integers.
uint32_t missing_w(const Engine& engine, unsigned element) {
    const unsigned halti = engine.features.halti;
    const uint32_t scales = halti >= 5 ? NFE_GENERIC_ATTRIB_SCALE : FE_GENERIC_ATTRIB_SCALE;
    return halti >= 2 ? engine.states[scales + 4 * element] : 0x3F800000;
}

/// Returns the bits of a component that remains an integer.
uint32_t integer_component(uint32_t raw, unsigned bytes, bool sign_extend) {
    const unsigned shift = 32 - 8 * bytes;
    return sign_extend ? static_cast<uint32_t>(static_cast<int32_t>(raw << shift) >> shift) : raw;
}

} // namespace

uint32_t element_states(const Engine& engine) {
    return engine.features.halti >= 5 ? NFE_GENERIC_ATTRIB_CONFIG0 : FE_VERTEX_ELEMENT_CONFIG;
}

Vector attribute(const Engine& engine, unsigned element, VertexNumber number) {
    const uint32_t config = engine.states[element_states(engine) + 4 * element];
    const unsigned type = bits(config, 3, 0);
    const unsigned components = bits(config, 13, 12) ? bits(config, 13, 12) : 4;
    const bool normalize = bits(config, 15, 14) != 0; // and sign-extend
    const Stream stream = stream_of(engine, bits(config, engine.features.halti >= 2 ? 11 : 10, 8));
    const uint32_t row = stream.divisor ? number.instance / stream.divisor : number.vertex;
    const uint32_t address = stream.base + row * stream.stride + bits(config, 23, 16);
    // ENDIAN swaps bytes within 16 or 32 bits of the element.
    const uint32_t swap = bits(config, 5, 4) == 1 ? 1 : bits(config, 5, 4) == 2 ? 3 : 0;
    const auto raw = [&](uint32_t offset, unsigned size) {
        uint32_t value = 0;
        for (unsigned i = 0; i < size; i++)
            value |= uint32_t{engine.memory.read(address + ((offset + i) ^ swap))} << 8 * i;
        return value;
    };

    Vector result = {0, 0, 0, std::bit_cast<float>(missing_w(engine, element))};
    for (unsigned c = 0; c < components; c++) {
        if (is_packed(type)) {
            result[c] = packed(type, raw(0, 4), c, normalize);
        } else if (type == BYTE_I || type == SHORT_I) {
            const unsigned size = component_bytes(type);
            result[c] =
                std::bit_cast<float>(integer_component(raw(c * size, size), size, normalize));
        } else {
            const unsigned size = component_bytes(type);
            result[c] = component(type, raw(c * size, size), normalize);
        }
    }
    return result;
}

} // namespace pixmill::reference::vivante_3d

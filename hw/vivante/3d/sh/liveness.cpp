// SPDX-License-Identifier: GPL-2.0-or-later
#include "liveness.hpp"

#include <algorithm>

namespace pixmill::vivante {

namespace {

constexpr uint8_t all_four = 0xF;

uint8_t swizzled_mask(Swizzle swizzle, uint8_t mask) {
    uint8_t result = 0;
    for (unsigned c = 0; c < 4; c++)
        if (mask >> c & 1)
            result |= uint8_t(1 << swizzled(swizzle, c));
    return result;
}

/// Returns the components of a dot product.
uint8_t dot_components(const Instruction& instruction) {
    switch (Opcode(instruction.opcode)) {
    case Opcode::dp2:
    case Opcode::norm_dp2:
        return 3;
    case Opcode::dp3:
    case Opcode::norm_dp3:
        return 7;
    default:
        return all_four;
    }
}

/// Returns the components of an operand that are read, after its swizzle.
uint8_t operand_components(const Instruction& instruction) {
    if (instruction.is_split())
        return 1;
    switch (instruction.shape()) {
    case ResultShape::lane:
        return instruction.is(Opcode::litp) || instruction.is(Opcode::dst)
                   ? all_four
                   : instruction.destination.mask;
    case ResultShape::address:
        return instruction.destination.mask;
    case ResultShape::broadcast:
    case ResultShape::memory:
        return 1;
    case ResultShape::dot:
        return dot_components(instruction);
    default:
        return all_four;
    }
}

/// Components that are read after some point in a program.
struct Live {
    Components temporaries;
    uint8_t address = 0;

    void add_index(Addressing addressing) {
        if (addressing != Addressing::direct)
            address |= uint8_t(1 << (unsigned(addressing) - unsigned(Addressing::x)));
    }
    void add(const Instruction& instruction) {
        add_index(instruction.destination.addressing);
        add_index(instruction.sampler.addressing);
        for (unsigned slot = 0; slot < 3; slot++) {
            const Source& source = instruction.source[slot];
            const uint8_t read = components_read(instruction, slot);
            if (!read)
                continue;
            add_index(source.addressing);
            if (!is_temporary(source))
                continue;
            if (source.addressing != Addressing::direct)
                temporaries.fill(all_four);
            else if (source.reg < temporary_count)
                temporaries[source.reg] |= read;
        }
    }
    /// Returns the components of `instruction`'s destination that it must write, and marks them as
    /// no longer live.
    uint8_t take(const Instruction& instruction) {
        const uint8_t mask = instruction.destination.mask, read = take(instruction.destination);
        // These instructions distribute several results over the components of the mask.
        const bool keeps_mask =
            instruction.shape() == ResultShape::memory || instruction.is_split();
        if (keeps_mask && read && instruction.destination.addressing == Addressing::direct)
            temporaries[instruction.destination.reg] &= uint8_t(~mask);
        return keeps_mask && read ? mask : read;
    }
    /// Returns the live components of `destination`, and marks them as no longer live.
    uint8_t take(const Destination& destination) {
        if (destination.addressing != Addressing::direct)
            return destination.mask;
        if (destination.reg >= temporary_count)
            return 0;
        const uint8_t read = temporaries[destination.reg] & destination.mask;
        temporaries[destination.reg] &= uint8_t(~read);
        return read;
    }
    uint8_t take_address(uint8_t mask) {
        const uint8_t read = address & mask;
        address &= uint8_t(~read);
        return read;
    }
};

/// Returns the number of instructions before the first branch or branch target.
size_t entry_size(std::span<const Instruction> code) {
    size_t size = code.size();
    for (size_t n = 0; n < code.size(); n++) {
        const Instruction& instruction = code[n];
        if (!has_effect(instruction) || instruction.shape() != ResultShape::flow ||
            instruction.is(Opcode::texkill))
            continue;
        size = std::min(size, n);
        if (!instruction.is(Opcode::ret))
            size = std::min<size_t>(size, instruction.target);
    }
    return size;
}

} // namespace

bool is_temporary(const Source& source) {
    return source.group == Group::temporary || source.group == Group::full_temporary;
}

bool has_effect(const Instruction& instruction) {
    const OpcodeInfo& info = instruction.info();
    if (info.gate == Gate::absent || instruction.shape() == ResultShape::nothing)
        return false;
    return instruction.shape() == ResultShape::flow ||
           (instruction.destination.use && instruction.destination.mask);
}

uint8_t components_read(const Instruction& instruction, unsigned slot) {
    const Source& source = instruction.source[slot];
    if (!has_effect(instruction) || !source.use || !(instruction.info().slots >> slot & 1))
        return 0;
    return swizzled_mask(source.swizzle, operand_components(instruction));
}

uint8_t components_written(const Instruction& instruction) {
    const ResultShape shape = instruction.shape();
    if (!has_effect(instruction) || shape == ResultShape::flow || shape == ResultShape::address)
        return 0;
    return instruction.destination.mask;
}

void remove_dead_code(std::span<Instruction> code, const Components& outputs) {
    Live live{outputs};
    for (size_t n = code.size(); n-- > 0;) {
        Instruction& instruction = code[n];
        if (components_written(instruction))
            instruction.destination.mask = live.take(instruction);
        else if (has_effect(instruction) && instruction.shape() == ResultShape::address)
            instruction.destination.mask = live.take_address(instruction.destination.mask);
        if (has_effect(instruction))
            live.add(instruction);
        else
            instruction = {};
    }
}

Components unwritten(std::span<const Instruction> code, const Components& outputs) {
    Components written{}, result{};
    const auto read = [&](unsigned reg, uint8_t components) {
        result[reg] |= uint8_t(components & ~written[reg]);
    };
    const size_t entry = entry_size(code);
    for (size_t n = 0; n < code.size(); n++) {
        Live reads{};
        reads.add(code[n]);
        for (unsigned reg = 0; reg < temporary_count; reg++)
            read(reg, reads.temporaries[reg]);
        const Destination& destination = code[n].destination;
        if (n < entry && destination.addressing == Addressing::direct &&
            destination.reg < temporary_count)
            written[destination.reg] |= components_written(code[n]);
    }
    for (unsigned reg = 0; reg < temporary_count; reg++)
        read(reg, outputs[reg]);
    return result;
}

} // namespace pixmill::vivante

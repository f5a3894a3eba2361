// SPDX-License-Identifier: GPL-2.0-or-later
#include "print.hpp"

#include <algorithm>
#include <cinttypes>
#include <iterator>
#include <span>

#include "tools/state_value.hpp"
#include "tools/text.hpp"
#include "vivante/chip.hpp"
#include "vivante/offsets.hpp"
#include "vivante/registers.hpp"
#include "vivante/state_space.hpp"
#include "vivante/stored_fields.hpp"

namespace pixmill::tools {

using namespace vivante;
using Kind = DumpObject::Kind;

namespace {

/// Registers of cores without a model have the names of this one.
constexpr const char* usual_model = "gc2000-imx6q";

// rnndb state.xml: FE_DMA_DEBUG_STATE.
constexpr Field debug_state[] = {{"CMD_STATE", 4, 0},         {"CMD_DMA_STATE", 9, 8},
                                 {"CMD_FETCH_STATE", 11, 10}, {"REQ_DMA_STATE", 13, 12},
                                 {"CAL_STATE", 15, 14},       {"VE_REQ_STATE", 17, 16}};
constexpr Field interrupts[] = {intr_events, intr_mmu_exception, intr_axi_bus_error};
constexpr Field idle_modules[] = {module_fe, module_de, module_pe, module_sh,
                                  module_pa, module_se, module_ra, module_tx};
constexpr Field dma_status[] = {{"BUSY", 0}};

constexpr struct {
    uint32_t offset;
    std::span<const Field> fields;
} register_fields[] = {
    {CLOCK_CONTROL, clock_stored},     {IDLE_STATE, idle_modules},
    {AXI_CONFIG, axi_config},          {AXI_STATUS, axi_status},
    {INTR_ENBL, interrupts},           {POWER_CONTROLS, power_controls},
    {MODULE_CONTROLS, gated_modules},  {DEBUG_MEMORY, debug_memory},
    {BUS_CONFIG, bus_config},          {FE_DMA_STATUS, dma_status},
    {FE_DMA_DEBUG_STATE, debug_state},
};

/// Returns a line without the spaces of empty columns at its end.
std::string trimmed(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::string fields_of(uint32_t offset, uint32_t value) {
    std::string all;
    for (const auto& row : register_fields)
        if (row.offset == offset)
            for (const Field& field : row.fields)
                if (field(value))
                    all += text(" %s=%u", field.name, field(value));
    return all;
}

} // namespace

void print_registers(const Dump& dump, const PrintLine& print) {
    const Chip& chip = dump.chip() ? *dump.chip() : *find_chip(usual_model);
    for (const Dump::Register& reg : dump.registers()) {
        const Register* const row = find_register(chip, reg.offset);
        print(text("  0x%05x %-22s 0x%08x%s", reg.offset, row ? row->name : "(unknown)", reg.value,
                   fields_of(reg.offset, reg.value).c_str()));
    }
}

void print_objects(const Dump& dump, const PrintLine& print) {
    for (const DumpObject& object : dump.objects()) {
        std::string line = text("  %-14s %10" PRIu64 " bytes", name_of(object.kind), object.size);
        const bool has_address = object.kind == Kind::ring || object.kind == Kind::command ||
                                 object.kind == Kind::buffer;
        if (has_address)
            line += text(" at 0x%08" PRIx64 ", %s", object.address,
                         describe(dump.walk(uint32_t(object.address))).c_str());
        if (object.bytes.size() < object.size)
            line += text("; only %zu bytes are in the file", object.bytes.size());
        print(line);
    }
}

// ---- Page tables -----------------------------------------------------------------

namespace {

/// Adjacent pages with the same permissions.
struct MappedRange {
    uint64_t begin, end;
    bool writable;
};

std::vector<MappedRange> mapped_ranges(const Dump& dump) {
    std::vector<MappedRange> ranges;
    constexpr uint64_t all = uint64_t(1) << 32;
    for (uint64_t address = 0; address < all; address += Dump::page) {
        const Walk walk = dump.walk(uint32_t(address));
        if (walk.kind != Walk::Kind::mapped)
            continue;
        if (!ranges.empty() && ranges.back().end == address &&
            ranges.back().writable == walk.writable)
            ranges.back().end += Dump::page;
        else
            ranges.push_back({address, address + Dump::page, walk.writable});
    }
    return ranges;
}

} // namespace

void print_tables(const Dump& dump, const PrintLine& print) {
    const std::vector<MappedRange> ranges = mapped_ranges(dump);
    constexpr size_t most = 64;
    for (const MappedRange& range : std::span(ranges).first(std::min(ranges.size(), most)))
        print(text("  0x%08" PRIx64 " to 0x%08" PRIx64 ", %" PRIu64 " pages, %s", range.begin,
                   range.end - 1, (range.end - range.begin) / Dump::page,
                   range.writable ? "writable" : "read-only"));
    if (ranges.size() > most)
        print(text("  and %zu more ranges", ranges.size() - most));
    const TableCheck check = check_tables(dump);
    print(text("  pages of the buffers: %" PRIu64 " are mapped to the pages of the page list, "
               "%" PRIu64 " are not, %" PRIu64 " are not in the dump",
               check.same, check.different, check.unknown));
    if (check.different)
        print("  " + check.first);
}

// ---- Commands --------------------------------------------------------------------

namespace {

void print_states(const DumpObject& buffer, const Command& command, const PrintLine& print) {
    for (const LoadedState& state : states_of(buffer, command))
        print(trimmed(text("       0x%05x %-26s 0x%08x  %s", state.address,
                           state_name(state.address), state.value, value_of(state).c_str())));
}

} // namespace

void print_stream(const Analysis& analysis, const Stream& stream, const PrintLine& print) {
    for (size_t i = 0; i < stream.commands.size(); i++) {
        const Command& command = stream.commands[i];
        const bool last_draw = &stream == &analysis.job && analysis.draw == i;
        const char mark = analysis.is_position(stream, i) ? '>' : last_draw ? '*' : ' ';
        const bool unused = !command.header[0] && !command.header[1];
        if (unused && mark == ' ') // the rest of the ring; print one of them
            if (i && !stream.commands[i - 1].header[0] && !stream.commands[i - 1].header[1])
                continue;
        print(trimmed(text("%c 0x%08x: %08x %08x  %-16s %s", mark, command.address,
                           command.header[0], command.header[1],
                           command.name ? command.name
                           : unused     ? "(zeros)"
                                        : "(illegal)",
                           arguments_of(*stream.buffer, command).c_str())));
        print_states(*stream.buffer, command, print);
    }
}

void print_draw_states(const Analysis& analysis, const PrintLine& print) {
    if (!analysis.draw)
        return;
    size_t programs = 0;
    for (const auto& [address, value] :
         states_until(*analysis.job.buffer, analysis.job.commands, *analysis.draw)) {
        programs += is_program(address);
        if (!is_program(address))
            print(trimmed(text("  0x%05x %-28s 0x%08x  %s", address, state_name(address), value,
                               value_of(LoadedState{address, value}).c_str())));
    }
    if (programs)
        print(text("  %zu words of shaders", programs));
}

} // namespace pixmill::tools

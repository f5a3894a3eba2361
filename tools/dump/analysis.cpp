// SPDX-License-Identifier: GPL-2.0-or-later
#include "analysis.hpp"

#include <algorithm>
#include <cinttypes>
#include <iterator>

#include "tools/text.hpp"
#include "vivante/chip.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::tools {

using namespace vivante;
using Kind = DumpObject::Kind;

namespace {

/// Bits of IDLE_STATE (rnndb state_hi.xml: HI_IDLE_STATE).
constexpr const char* modules[] = {"FE", "DE", "PE", "SH",      "PA", "SE",  "RA", "TX", "VG", "IM",
                                   "FP", "TS", "BL", "ASYNCFE", "MC", "PPA", "WD", "NN", "TP"};

/// Values of FE_DMA_DEBUG_STATE.CMD_STATE (rnndb state.xml) in which the front end waits for
/// another module.
constexpr Field command_state{"CMD_STATE", 4, 0};
constexpr uint32_t state_wait_fifo = 17, state_stall = 21;

Stream stream_of(const Dump& dump, Kind kind) {
    const DumpObject* const buffer = dump.find(kind);
    return buffer ? Stream{buffer, commands_of(*buffer)} : Stream{};
}

std::string joined(const std::vector<std::string>& words) {
    std::string all;
    for (const std::string& word : words)
        all += (all.empty() ? "" : ", ") + word;
    return all.empty() ? "none" : all;
}

bool contains(const std::vector<std::string>& words, const char* word) {
    return std::ranges::find(words, word) != words.end();
}

std::string named(const Command& command) {
    return text("%s at 0x%08x", command.name ? command.name : "the illegal command",
                command.address);
}

} // namespace

std::optional<size_t> Stream::command_at(uint64_t address) const {
    const auto found = std::ranges::find_if(
        commands, [address](const Command& command) { return command.has(address); });
    return found == commands.end() ? std::nullopt : std::optional(size_t(found - commands.begin()));
}

Analysis::Analysis(const Dump& dump)
    : ring(stream_of(dump, Kind::ring)), job(stream_of(dump, Kind::command)), dump_(dump) {
    find_modules();
    find_position();
    find_draw();
}

void Analysis::find_modules() {
    const auto state = dump_.reg(IDLE_STATE);
    if (!state)
        return;
    const uint32_t present = dump_.chip() ? dump_.chip()->idle_mask() : ~0u;
    for (size_t bit = 0; bit < std::size(modules); bit++)
        if (present >> bit & 1)
            (*state >> bit & 1 ? idle : busy).emplace_back(modules[bit]);
}

/// FE_DMA_ADDRESS may be the address of the last two words that were fetched, or that of the next
/// ones. The words themselves, in FE_DMA_LOW and FE_DMA_HIGH, tell.
void Analysis::find_position() {
    const auto at = dump_.reg(FE_DMA_ADDRESS);
    if (!at)
        return;
    const uint64_t next = fetch_address.only(*at), last = next - 8;
    const auto low = dump_.reg(FE_DMA_LOW), high = dump_.reg(FE_DMA_HIGH);
    const auto fetched = [&](const DumpObject& buffer, uint64_t address) {
        const uint64_t index = (address - buffer.address) / 4;
        return buffer.has(address) && index + 1 < buffer.words() && low == buffer.word(index) &&
               high == buffer.word(index + 1);
    };
    for (const Stream* stream : {&ring, &job}) {
        if (!stream->buffer)
            continue;
        const DumpObject& buffer = *stream->buffer;
        const uint64_t found = fetched(buffer, last) ? last : next;
        if (!buffer.has(found) && !buffer.has(last))
            continue;
        where_ = stream;
        position_ = stream->command_at(buffer.has(found) ? found : last);
        replaced_ = !fetched(buffer, found);
        return;
    }
}

/// The driver appends a LINK to the job, to the part of the ring that raises the job's event.
void Analysis::find_draw() {
    size_t end = 0; // of the commands of the job that were fetched
    if (where_ == &job && position_)
        end = *position_ + 1;
    if (where_ == &ring && position_ && !job.commands.empty() && job.commands.back().is("LINK")) {
        constexpr uint64_t most_return_qwords = 7; // linux etnaviv_buffer_queue
        const uint64_t back = fetch_address.only(job.commands.back().header[1]);
        const uint64_t at = ring.commands[*position_].address;
        after_job = at >= back && at - back < 8 * most_return_qwords;
        end = after_job ? job.commands.size() : 0;
    }
    for (size_t i = 0; i < end; i++)
        if (job.commands[i].draws)
            draw = i;
}

std::string Analysis::position() const {
    const auto at = dump_.reg(FE_DMA_ADDRESS);
    if (!at)
        return "The dump does not say where the front end stood.";
    const std::string address = text("0x%08x", *at);
    if (!where_ || !position_)
        return "The front end stood at " + address + ", " + place_of(dump_, *at) + ".";
    const Command& command = where_->commands[*position_];
    std::string line = text("The front end stood at %s, in %s: %s.", address.c_str(),
                            label(*where_->buffer).c_str(), named(command).c_str());
    const CommandShape last = command_shape(dump_.reg(FE_DMA_LOW).value_or(0));
    if (replaced_ && last.name && !command.is(last.name))
        line += text(" It had fetched %s, which memory no longer contains.", last.name);
    return line;
}

std::string Analysis::overrun() const {
    const Command& command = where_->commands[*position_];
    return text("The front end starved: %s takes %" PRIu64 " words, up to 0x%08" PRIx64
                ", beyond the buffer's end at 0x%08" PRIx64 ".",
                named(command).c_str(), command.words, command.end(), where_->buffer->end());
}

std::string Analysis::at_stall() const {
    std::string line =
        "The front end waits for an engine that does not become idle (" + joined(busy) + " busy)";
    if (draw)
        line += ", after " + named(job.commands[*draw]);
    line += ".";
    if (contains(busy, "SH"))
        line += " The shader module is busy: an endless shader, or an access that never ends.";
    return line;
}

/// Returns the cause in one sentence, most certain causes first.
std::string Analysis::cause() const {
    const uint32_t axi = dump_.reg(AXI_STATUS).value_or(0);
    if (axi_write_error(axi) || axi_read_error(axi))
        return text("A bus error: the core %s where there is no memory (AXI_STATUS 0x%08x).",
                    axi_write_error(axi) ? "wrote" : "read", axi);
    if (!where_)
        return dump_.reg(FE_DMA_ADDRESS) ? "The front end is outside of the ring and of the job: "
                                           "it followed a wrong LINK."
                                         : "The cause is unknown.";
    if (!position_)
        return "The dump lacks the commands at the front end's position.";
    const Command& command = where_->commands[*position_];
    const uint32_t state = command_state(dump_.reg(FE_DMA_DEBUG_STATE).value_or(0));
    const bool engines_busy =
        std::ranges::any_of(busy, [](const auto& name) { return name != "FE" && name != "MC"; });
    if (command.overruns)
        return overrun();
    if (!command.name)
        return text("The front end hangs at an illegal command, 0x%08x.", command.header[0]);
    if (engines_busy || state == state_wait_fifo || state == state_stall || command.is("STALL"))
        return at_stall();
    if (command.is("WAIT") || (command.is("LINK") && where_ == &ring &&
                               where_->buffer->has(fetch_address.only(command.header[1])) &&
                               fetch_address.only(command.header[1]) < command.address))
        return after_job ? "The core is idle after the job: its interrupt was lost, or not handled."
                         : "The core is idle and waits for work: it never saw the job.";
    if (where_ == &ring && !after_job)
        return "The front end stopped in the ring, before the job began.";
    return "The front end stopped by itself, although no engine was busy.";
}

std::vector<std::string> Analysis::summary() const {
    std::vector<std::string> lines = {cause(), position()};
    if (draw) {
        const Command& command = job.commands[*draw];
        lines.push_back("The last draw: " + named(command) + ".");
        size_t left = 3; // a wrong base address spoils many states
        for (const auto& [state, value] : states_until(*job.buffer, job.commands, *draw))
            if (value && holds_address(state) && dump_.walk(value).faults() && left) {
                lines.push_back(text("State 0x%05x holds 0x%08x, which no page maps: %s.", state,
                                     value, place_of(dump_, value).c_str()));
                left--;
            }
    } else if (job.buffer && position_) {
        lines.push_back("The front end had fetched no draw of the job.");
    }
    lines.push_back("Busy modules: " + joined(busy) + ".");
    if (job.buffer && where_ == &job)
        lines.push_back("Guilty: the job whose commands are in " + label(*job.buffer) + ".");
    return lines;
}

// ---- Memory ----------------------------------------------------------------------

std::string place_of(const Dump& dump, uint64_t address) {
    if (const DumpObject* const buffer = dump.buffer_at(address))
        return text("byte %" PRIu64 " of %s", address - buffer->address, label(*buffer).c_str());
    if (const DumpObject* const below = dump.buffer_below(address))
        return text("%" PRIu64 " bytes after the end of %s (%" PRIu64 " bytes)",
                    address - below->end(), label(*below).c_str(), below->size);
    return "below all buffers of the dump";
}

std::string describe(const Walk& walk) {
    switch (walk.kind) {
    case Walk::Kind::linear:
        return text("in the linear window, physical 0x%" PRIx64, walk.physical);
    case Walk::Kind::mapped:
        return text("mapped to physical 0x%" PRIx64 "%s", walk.physical,
                    walk.writable ? "" : ", read-only");
    case Walk::Kind::no_table:
        return text("no second-level table (entry 0x%08x)", walk.master);
    case Walk::Kind::no_page:
        return text("no page (entry 0x%08x)", walk.slave);
    case Walk::Kind::unknown:
        break;
    }
    return "not in the dump's tables";
}

TableCheck check_tables(const Dump& dump) {
    TableCheck check;
    uint64_t left = (uint64_t(1) << 32) / Dump::page; // a malicious dump may repeat buffers
    for (const DumpObject& object : dump.objects()) {
        if (object.kind != Kind::buffer)
            continue;
        for (uint64_t at = 0; at < object.size && left; at += Dump::page, left--) {
            const auto listed = dump.page_address(uint64_t(object.first_page) + at / Dump::page);
            const Walk walk = dump.walk(uint32_t(object.address + at));
            if (!listed || walk.kind == Walk::Kind::unknown) {
                check.unknown++;
            } else if (walk.translates() && walk.physical == *listed) {
                check.same++;
            } else if (!check.different++) {
                check.first =
                    text("0x%08" PRIx64 ": the list has 0x%" PRIx64 ", the tables say: %s",
                         object.address + at, *listed, describe(walk).c_str());
            }
        }
    }
    return check;
}

} // namespace pixmill::tools

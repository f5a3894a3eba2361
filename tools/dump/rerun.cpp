// SPDX-License-Identifier: GPL-2.0-or-later
#include "rerun.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstring>
#include <map>
#include <utility>

#include "pixmill/vivante.h"
#include "tools/text.hpp"
#include "vivante/chip.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/memory/fields.hpp"
#include "vivante/memory/mmu.hpp"
#include "vivante/offsets.hpp"

namespace pixmill::tools {

using namespace vivante;
using Kind = DumpObject::Kind;

namespace {

constexpr uint32_t most_pages = capture::most_pages;

/// The master table's address is not in the dump, so the model gets one that no buffer has.
constexpr uint64_t no_memory_there = 0xFFFFF000;

// ---- Memory ----------------------------------------------------------------------

/// Physical memory of a dump.
class Memory {
public:
    using Page = std::array<std::byte, Dump::page>;

    explicit Memory(const Dump& dump) : dump_(dump) {
        for (const DumpObject& object : dump.objects())
            if (object.kind == Kind::buffer || object.kind == Kind::ring ||
                object.kind == Kind::command)
                add(object);
    }

    /// Adds bytes at a physical address.
    void add(uint64_t physical, std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const uint64_t in_page = physical % Dump::page;
            const size_t count = std::min<uint64_t>(bytes.size(), Dump::page - in_page);
            if (pages_.size() < most_pages || pages_.contains(physical / Dump::page))
                std::memcpy(&pages_[physical / Dump::page][in_page], bytes.data(), count);
            bytes = bytes.subspan(count);
            physical += count;
        }
    }
    const std::map<uint64_t, Page>& pages() const { return pages_; }

private:
    /// Adds a buffer at the pages of its list, or at those of the page tables.
    void add(const DumpObject& object) {
        for (uint64_t at = 0; at < object.bytes.size() && left_; left_--) {
            const uint64_t address = object.address + at;
            const uint64_t run =
                std::min<uint64_t>(Dump::page - address % Dump::page, object.bytes.size() - at);
            const auto listed =
                object.kind == Kind::buffer
                    ? dump_.page_address(uint64_t(object.first_page) + at / Dump::page)
                    : std::nullopt;
            const Walk walk = dump_.walk(uint32_t(address));
            if (listed || walk.translates())
                add(listed ? *listed + address % Dump::page : walk.physical,
                    object.bytes.subspan(at, run));
            at += run;
        }
    }

    const Dump& dump_;
    uint64_t left_ = 2 * uint64_t(most_pages); ///< objects of a malicious dump may overlap
    std::map<uint64_t, Page> pages_;
};

void add_tables(const Dump& dump, Memory& memory) {
    const DumpObject* const tables = dump.find(Kind::mmu);
    if (!tables)
        return;
    if (!dump.mmu_v2()) {
        for (const uint32_t offset : {MMU_FE_PAGE_TABLE, MMU_TX_PAGE_TABLE, MMU_PE_PAGE_TABLE,
                                      MMU_PEZ_PAGE_TABLE, MMU_RA_PAGE_TABLE})
            if (const auto address = dump.reg(offset))
                memory.add(*address / 4 * 4, tables->bytes);
        return;
    }
    constexpr size_t table = 4 * size_t(Dump::table_words);
    memory.add(no_memory_there, tables->bytes.first(std::min(tables->bytes.size(), table)));
    size_t at = table;
    for (uint64_t i = 0; i < std::min<uint64_t>(tables->words(), Dump::table_words); i++)
        if (entry_present(tables->word(i)) && at < tables->bytes.size()) {
            memory.add(master_address.only(tables->word(i)),
                       tables->bytes.subspan(at, std::min(table, tables->bytes.size() - at)));
            at += table;
        }
}

// ---- The core's state ------------------------------------------------------------

PixmillHost idle_host() {
    PixmillHost host{};
    host.api_version = PIXMILL_API_VERSION;
    host.map = [](void*, uint64_t, uint64_t* length, bool) -> void* {
        *length = 1;
        return nullptr;
    };
    host.dirty = [](void*, uint64_t, uint64_t) {};
    host.set_irq = [](void*, uint32_t, bool) {};
    host.clock_ns = [](void*) -> int64_t { return 0; };
    host.request_run = [](void*) {};
    host.log = [](void*, PixmillLog, const char*) {};
    host.trace = [](void*, PixmillTrace, uint64_t, uint64_t, const char*) {};
    return host;
}

/// Returns the fields of a struct whose fields are 32 or 64 bits wide, or texts.
Fields fields_of(const PixmillField* table, const void* object) {
    Fields fields;
    for (; table->name; table++) {
        Fields::Field field{table->name, uint32_t(table->type), {}, {}};
        const size_t size = table->type == PIXMILL_U32 ? 4 : 8;
        for (uint32_t i = 0; i < table->count; i++) {
            uint64_t word = 0;
            std::memcpy(&word, static_cast<const std::byte*>(object) + table->offset + i * size,
                        size);
            if (table->type == PIXMILL_TEXT)
                field.text = reinterpret_cast<const char*>(word);
            field.words.push_back(word);
        }
        fields.all.push_back(std::move(field));
    }
    return fields;
}

/// Returns the pipe that the ring selects before it links to the job, or the core's only one.
uint32_t pipe_of(const Chip& chip, const Analysis& analysis) {
    if (!chip.pipe_2d() || !chip.pipe_3d())
        return !chip.pipe_3d();
    uint32_t pipe = 0;
    for (const Command& command : analysis.ring.commands) {
        for (const LoadedState& state : states_of(*analysis.ring.buffer, command))
            if (state.address == GL_PIPE_SELECT)
                pipe = gl::pipe_select::pipe(state.value);
        if (command.is("LINK") && analysis.job.buffer->has(fetch_address.only(command.header[1])))
            break;
    }
    return pipe;
}

/// Sets what a job inherits: the memory controller's registers, and the pipe.
void inherit(const Dump& dump, const Analysis& analysis, PixmillVivanteState& state) {
    const Chip& chip = *dump.chip();
    for (const Dump::Register& reg : dump.registers())
        if (reg.offset >= MMU_FE_PAGE_TABLE && reg.offset <= MEMORY_BASE_ADDR_PE &&
            reg.offset % 4 == 0)
            state.reg[reg.offset / 4] = reg.value;
    if (chip.mmu_v2()) {
        state.reg[(chip.secure() ? MMU_SEC_CONTROL : MMU_CONTROL) / 4] = mmu_enable.put(1);
        state.mmu_mode = 0; // the driver's tables are of 4 KiB
        state.mmu_mtlb = uint32_t(no_memory_there);
        state.mmu_extended = 0;
    }
    state.state[GL_PIPE_SELECT / 4] = pipe_of(chip, analysis);
}

/// Returns the head of a capture that would begin where the job begins.
Head head_of(const Dump& dump, const Analysis& analysis) {
    const PixmillVivanteConfig config{dump.chip()->name, 0, 0, 0, 0, 0, 0, 0, 0};
    const PixmillHost host = idle_host();
    PixmillCore* core = nullptr;
    if (pixmill_vivante.create(&config, &host, &core) != PIXMILL_OK)
        throw BadDump("the model of the core cannot be created");
    const auto state = std::make_unique<PixmillVivanteState>();
    pixmill_vivante.save(core, state.get());
    pixmill_vivante.destroy(core);
    inherit(dump, analysis, *state);

    Head head;
    head.core = pixmill_vivante.name;
    head.state_version = pixmill_vivante.state_version;
    head.config = fields_of(pixmill_vivante.config_fields, &config);
    head.state = fields_of(pixmill_vivante.state_fields, state.get());
    return head;
}

// ---- Execution -------------------------------------------------------------------

class Run {
public:
    Run(const Dump& dump, const Analysis& analysis, const RerunOptions& options)
        : analysis_(analysis), options_(options), head_(head_of(dump, analysis)),
          replay_(classes, head_, watcher()) {
        Memory memory(dump);
        add_tables(dump, memory);
        for (uint32_t number = 0; const auto& [frame, bytes] : memory.pages())
            place(number++, frame * Dump::page, bytes);
        if (options.targets)
            targets_ = options.targets(replay_, head_);
    }

    Rerun play() {
        const DumpObject& job = *analysis_.job.buffer;
        call(capture::Op::write, {COMMAND_ADDRESS, 4, job.address});
        const auto qwords = uint32_t(std::min<uint64_t>(job.size / 8, 0xFFFF));
        call(capture::Op::write,
             {FE_COMMAND_CONTROL, 4, control_enable.mask() | control_prefetch.put(qwords)});
        constexpr int most_slices = 1 << 14; // the stream may loop, and draws may be endless
        for (int slice = 0; slice < most_slices && !reached(); slice++)
            if (!step())
                break;
        if (targets_ && result_.in_draw)
            targets_->done(result_.draws + 1);
        result_.hangs = result_.in_draw || result_.mmu_fault.has_value() || !reached();
        return std::move(result_);
    }

private:
    static constexpr const PixmillCoreClass* classes[] = {&pixmill_vivante};

    Watcher watcher() {
        Watcher watcher;
        watcher.trace = [this](PixmillTrace event, uint64_t a, uint64_t b, const char* name) {
            traced(event, a, b, name);
        };
        watcher.log = [this](PixmillLog, const char* line) {
            constexpr size_t most = 16;
            if (result_.log.size() < most)
                result_.log.emplace_back(line);
        };
        return watcher;
    }
    void traced(PixmillTrace event, uint64_t a, uint64_t b, const char* name) {
        if (event == PIXMILL_TRACE_COMMAND)
            result_.command = uint32_t(a);
        if (event == PIXMILL_TRACE_MMU_FAULT && !result_.mmu_fault)
            result_.mmu_fault = {a, b, name};
        if (event == PIXMILL_TRACE_BUS_ERROR && !result_.bus_error)
            result_.bus_error = {a, b, name};
        if (options_.trace)
            options_.trace(event, a, b, name);
    }

    void place(uint32_t number, uint64_t address, const Memory::Page& bytes) {
        Record record;
        record.entry.op = capture::Op::page;
        record.page = number;
        record.bytes.assign(bytes.begin(), bytes.end());
        replay_.play(record);
        record.entry.op = capture::Op::map;
        record.place = {address, Dump::page, number, 0};
        for (const bool write : {false, true}) {
            record.write = write;
            replay_.play(record);
        }
    }

    void call(capture::Op op, std::array<uint64_t, 3> in) {
        Record record;
        record.entry.op = op;
        record.entry.time = now_;
        std::ranges::copy(in, record.entry.in.begin());
        replay_.play(record);
        constexpr size_t most = 64;
        for (const Replay::Unknown& unknown : replay_.unknown())
            if (result_.missing.size() < most)
                result_.missing.insert(unknown.place.address / Dump::page * Dump::page);
    }

    /// Returns false if the core has nothing left to do.
    bool step() {
        constexpr uint64_t words = 256, work = 1 << 22;
        constexpr int64_t slice_ns = 100000;
        now_ += slice_ns;
        call(capture::Op::run, {words, 0, 0});
        const uint64_t action = replay_.outcome().out[0];
        if (action == PIXMILL_RUN_AGAIN)
            return true;
        if (action != PIXMILL_RUN_DRAW)
            return false;
        if (targets_)
            targets_->begun();
        const uint64_t before = replay_.draws();
        call(capture::Op::draw, {work, 0, 0});
        call(capture::Op::run, {0, 0, 0});
        // The core also traces a draw that faults.
        result_.in_draw = replay_.draws() == before || result_.mmu_fault;
        if (result_.in_draw)
            return true;
        result_.draws++;
        drawn_ = result_.command;
        if (targets_)
            targets_->done(result_.draws);
        return true;
    }

    /// True if the draw that hung is complete, or the job. A draw without primitives ends with the
    /// next command; the core executes none while it draws.
    bool reached() const {
        if (result_.draws >= options_.until_draw)
            return true;
        if (result_.in_draw || !result_.command)
            return false;
        if (!analysis_.job.buffer->has(result_.command))
            return true;
        if (!analysis_.draw)
            return false;
        const uint32_t draw = analysis_.job.commands[*analysis_.draw].address;
        return drawn_ == draw || result_.command > draw;
    }

    const Analysis& analysis_;
    const RerunOptions& options_;
    const Head head_;
    Replay replay_;
    std::unique_ptr<DrawTargets> targets_;
    Rerun result_;
    uint32_t drawn_ = 0; ///< address of the last command whose draw is complete
    int64_t now_ = 0;
};

constexpr const char* fault_names[] = {"no fault", "no second-level table", "no page",
                                       "a write to a read-only page"};

} // namespace

Rerun rerun(const Dump& dump, const Analysis& analysis, const RerunOptions& options) {
    if (!dump.chip())
        throw BadDump("no model is like the core of the dump");
    if (!analysis.job.buffer)
        throw BadDump("the dump has no command buffer");
    return Run(dump, analysis, options).play();
}

std::vector<std::string> Rerun::summary(const Dump& dump) const {
    std::vector<std::string> lines;
    if (mmu_fault)
        lines.push_back(text(
            "On the model, %s faults at 0x%08" PRIx64 " (%s): %s.", mmu_fault->client.c_str(),
            mmu_fault->address,
            mmu_fault->detail < std::size(fault_names) ? fault_names[mmu_fault->detail] : "unknown",
            place_of(dump, mmu_fault->address).c_str()));
    for (const std::string& line : log)
        if (!mmu_fault)
            lines.push_back("On the model: " + line + ".");
    if (!hangs)
        lines.push_back(
            text("On the model, the job does not hang; it completes %" PRIu64 " draws.", draws));
    if (!missing.empty())
        lines.push_back(text("The dump lacks %zu%s pages that the job uses, the first at physical "
                             "0x%" PRIx64 "; they read as 0.",
                             missing.size(), missing.size() == 64 ? " or more" : "",
                             *missing.begin()));
    return lines;
}

} // namespace pixmill::tools

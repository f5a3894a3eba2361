// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine_3d.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "common/guard.hpp"
#include "state_table.hpp"
#include "vivante/3d/sh/shader.hpp"
#include "vivante/3d/sh/states.hpp"
#include "vivante/core.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/render_bands.hpp"

namespace pixmill::vivante {

namespace {

/// Maximum work of a resolve between interrupt checks, on one thread and on several. Draws have no
/// such limit, because threads wait for each other whenever work is split. Draws check after each
/// batch of pixels or, with several threads, after each section and each tile.
constexpr int64_t chunk_work = 0x40000, shared_chunk_work = 0x800000;

/// PRIMITIVE_TYPE, in the second word of a draw command (rnndb cmdstream.xml).
constexpr Field primitive_type{"TYPE", 7, 0};

constexpr uint32_t draw_indexed_primitives = 6, draw_instanced = 12;

/// Fields of DRAW_INSTANCED: the first two in the header, the others in the second word.
namespace instanced {
constexpr Field indexed{"INDEXED", 20}, type{"TYPE", 19, 16}, count_low{"INSTANCE_COUNT_LO", 15, 0},
    count_high{"INSTANCE_COUNT_HI", 31, 24}, vertices{"VERTEX_COUNT", 23, 0};
} // namespace instanced

bool is_indexed(uint32_t header) {
    const uint32_t op = command_op(header);
    return op == draw_indexed_primitives || (op == draw_instanced && instanced::indexed(header));
}

constexpr uint32_t own_clients =
    client_bit(Client::tx) | client_bit(Client::pez) | client_bit(Client::ra);

JitMode jit_mode(const PixmillVivanteConfig& config) {
    switch (config.jit) {
    case PIXMILL_VIVANTE_JIT_NEVER:
        return JitMode::never;
    case PIXMILL_VIVANTE_JIT_ALWAYS:
        return JitMode::always;
    default:
        return JitMode::hot;
    }
}

} // namespace

bool Engine3d::models(const Chip& chip) {
    const bool halti1 = chip.has(chip.minor[2], 11), halti2 = chip.has(chip.minor[4], 16),
               blt = chip.has(chip.minor[5], 31);
    return chip.pipe_3d() && (!halti1 || halti2) && !blt;
}

Engine3d::Engine3d(Core& core, const PixmillVivanteConfig& config)
    : PipeEngine(Pipe::pipe_3d, {.modules = module_pe.mask() | module_sh.mask() | module_pa.mask() |
                                            module_se.mask() | module_ra.mask() | module_tx.mask(),
                                 .clients = own_clients}),
      core_(core), s_(core.s), features_(Features3d::of(core.chip)), bands_(render_bands(config)),
      draw_(pool_, bands_.share, jit_mode(config), features_.isa), vertices_(core.host),
      texels_(core.host), pixels_(core.host), depths_(core.host) {
    draw_.show_progress(core.profile.fe_progress);
    pixels_.inject(core.injector.accesses, uint8_t(Fault::page_not_present));
}

void Engine3d::reset() {
    s_.g3d_job = s_.g3d_counting = 0;
    s_.g3d_samples = 0;
    if (ready_)
        cancel_.store(true, std::memory_order_relaxed);
}

// ---- States ------------------------------------------------------------------

namespace {

/// Returns the address of a state that others mirror: both stages have windows of their own to the
/// shared memories for instructions and uniforms.
uint32_t unmirrored(uint32_t address) {
    constexpr uint32_t window = 0x2000;
    if (address >= SH_INST_MEM_MIRROR && address < SH_INST_MEM)
        return SH_INST_MEM + (address - SH_INST_MEM_MIRROR) % window;
    if (address >= SH_UNIFORMS_MIRROR)
        return SH_UNIFORMS + (address - SH_UNIFORMS_MIRROR) % window;
    return address;
}

} // namespace

void Engine3d::write_state(uint32_t address, uint32_t value) {
    if (features_.halti2)
        address = unmirrored(address);
    uint32_t& word = s_.state[address / 4];
    switch (address) {
    case RS_KICKER:
        kicked_ = Job::resolve;
        break;
    case RS_KICKER_INPLACE:
        if (features_.single_buffer)
            kicked_ = Job::in_place;
        else
            core_.host.unimplemented(Cause::unmodeled_kick, address, "RS_KICKER_INPLACE");
        break;
    case GL_OCCLUSION_QUERY_ADDR:
        // Undocumented if a query is open; the model ends it and stores its result.
        end_query();
        s_.g3d_counting = 1;
        s_.g3d_samples = 0;
        break;
    case GL_OCCLUSION_QUERY_CONTROL:
        end_query();
        break;
    }
    word = masked_write(address, word, value);
}

/// A resolve uses the states as they are at the end of the LOAD_STATE that starts it.
void Engine3d::end_load() {
    if (const Job job = std::exchange(kicked_, Job::none); job != Job::none)
        start(job);
}

/// Ends an open query: stores the number of samples that passed since OCCLUSION_QUERY_ADDR was
/// written.
void Engine3d::end_query() {
    if (!std::exchange(s_.g3d_counting, 0))
        return;
    const uint32_t address = s_.state[GL_OCCLUSION_QUERY_ADDR / 4];
    const Mmu mmu = core_.mmu(ports_[pixel_port].client);
    pixels_.begin(mmu);
    {
        constexpr unsigned any_pipe = 0;
        GuestBytes bytes(pixels_, Access::write);
        std::memcpy(bytes.at(any_pipe, address, sizeof s_.g3d_samples), &s_.g3d_samples,
                    sizeof s_.g3d_samples);
        bytes.mark_dirty(any_pipe, address, sizeof s_.g3d_samples);
    }
    pixels_.end();
    Report report;
    report.errors[pixel_port] = pixels_.take_errors();
    account(report);
}

// ---- Jobs --------------------------------------------------------------------

void Engine3d::operand(uint32_t, uint32_t index, const uint32_t word[2]) {
    if (index == 0) {
        s_.g3d_command[2] = word[0];
        s_.g3d_command[3] = word[1];
    } else {
        s_.g3d_command[4] = word[0];
    }
}

void Engine3d::draw(const uint32_t header[2]) {
    const uint32_t op = command_op(header[0]);
    if (gl::pipe_select::pipe(s_.state[GL_PIPE_SELECT / 4])) {
        core_.host.guest_error(Cause::draw_3d_in_2d, op,
                               "3D draw while PIPE_SELECT is 2D, skipped");
        return;
    }
    if (op > draw_indexed_primitives && !(op == draw_instanced && features_.halti2)) {
        core_.host.unimplemented(Cause::unmodeled_pipe, op, "draw command %u", op);
        return;
    }
    s_.g3d_command[0] = header[0];
    s_.g3d_command[1] = primitive_type(header[1]);
    s_.g3d_command[5] = 1;
    if (op == draw_instanced)
        take_instanced(header);
    else if (op != draw_indexed_primitives)
        s_.g3d_command[4] = 0;
    start(Job::draw);
}

/// Takes a DRAW_INSTANCED. Its operand is the first vertex or, if it is indexed, added to each
/// index. The driver adds the first index to the address.
void Engine3d::take_instanced(const uint32_t header[2]) {
    const uint32_t operand = s_.g3d_command[2];
    const bool indexed = instanced::indexed(header[0]);
    s_.g3d_command[1] = instanced::type(header[0]);
    s_.g3d_command[2] = indexed ? 0 : operand;
    s_.g3d_command[3] = instanced::vertices(header[1]);
    s_.g3d_command[4] = indexed ? operand : 0;
    s_.g3d_command[5] = instanced::count_high(header[1]) << 16 | instanced::count_low(header[0]);
}

void Engine3d::start(Job job) {
    s_.g3d_job = uint32_t(job);
    std::ranges::fill(s_.g3d_place, 0);
    std::ranges::fill(s_.g3d_place_vertex, 0);
    std::ranges::fill(s_.g3d_done, 0);
    const Decoded decoded = guarded(Decoded::no_memory, [&] { return decode(); });
    if (decoded == Decoded::no_memory)
        core_.out_of_memory(Client::pe, 0);
    if (decoded == Decoded::stalled) // until a reset
        return;
    if (decoded != Decoded::work) {
        s_.g3d_job = uint32_t(Job::none);
        return;
    }
    core_.counters.draws++;
    if (job == Job::draw)
        core_.profile.add(Module::fe, fe_draw_count, 1);
    core_.time.engine_starts();
    s_.reg[DRAW_START_STAMP / 4] = core_.time.read(Timebase::debug);
    begin_job();
}

/// Decodes the states that the job uses.
Engine3d::Decoded Engine3d::decode() {
    const States states(s_.state);
    if (job() != Job::draw) {
        const bool in_place = job() == Job::in_place;
        const RsSetup setup = in_place ? RsSetup::decode_in_place(states, features_)
                                       : RsSetup::decode(states, features_);
        if (!in_place)
            log_unsupported(setup);
        resolve_.begin(setup);
        return setup.kind != RsSetup::Kind::nothing ? Decoded::work : Decoded::nothing;
    }
    return decode_draw();
}

Engine3d::Decoded Engine3d::decode_draw() {
    const DrawCommand command{.indexed = is_indexed(s_.g3d_command[0]),
                              .type = s_.g3d_command[1],
                              .start = s_.g3d_command[2],
                              .count = s_.g3d_command[3],
                              .offset = int32_t(s_.g3d_command[4]),
                              .instanced = command_op(s_.g3d_command[0]) == draw_instanced,
                              .instances = s_.g3d_command[5]};
    if (!command.count || !command.instances)
        return Decoded::nothing;
    const States states(s_.state);
    if (features_.halti2) { // programs may be in memory
        const Mmu mmu = Mmu::read(core_.chip, s_, ports_[texel_port].client);
        texels_.begin(mmu);
        draw_.prepare(states, command, features_, core_.host, &texels_);
        texels_.end();
        Report report;
        report.errors[texel_port] = texels_.take_errors();
        account(report);
        if (report.faulted())
            return Decoded::stalled;
    } else {
        draw_.prepare(states, command, features_, core_.host);
    }
    return Decoded::work;
}

void Engine3d::log_unsupported(const RsSetup& setup) {
    const bool empty = !setup.width || !setup.height;
    if (setup.kind == RsSetup::Kind::nothing && !empty)
        core_.host.guest_error(Cause::resolve, setup.source_format << 8 | setup.destination_format,
                               "resolve from format %u to format %u, skipped", setup.source_format,
                               setup.destination_format);
    else if (setup.width % 16)
        core_.host.guest_error(Cause::resolve, 0x10000 | setup.width,
                               "resolve of %u columns, which is not a multiple of 16", setup.width);
}

void Engine3d::begin_job() {
    for (unsigned i = 0; i < memory_count; i++)
        mmu_[i] = core_.mmu(ports_[i].client);
    report_ = {};
    ready_ = true;
}

void Engine3d::end_job() {
    ready_ = false;
    s_.g3d_job = uint32_t(Job::none);
    core_.time.engine_stops();
    s_.reg[DRAW_END_STAMP / 4] = core_.time.read(Timebase::debug);
}

bool Engine3d::Report::faulted() const {
    return std::ranges::any_of(errors, &AccessErrors::fault);
}

void Engine3d::collect() {
    if (!ready_)
        return;
    core_.profile.fe_progress.clear(); // these counts are now in the report
    if (cancel_.exchange(false, std::memory_order_relaxed)) {
        ready_ = false;
        return;
    }
    const Report report = std::exchange(report_, {});
    account(report);
    if (report.faulted()) {
        ready_ = false;                 // the access stalls until a reset
    } else if (report.result.endless) { // the shader hangs until a reset
        ready_ = false;
        core_.freeze(Client::ra);
        core_.host.guest_error(Cause::endless_shader, 0,
                               "a shader has not ended after %u instructions: the 3D pipe hangs",
                               unsigned(instruction_budget()));
    } else if (report.result.finished) {
        end_job();
    }
}

void Engine3d::account(const Report& report) {
    core_.counters.pixels += report.result.pixels;
    if (s_.g3d_counting)
        s_.g3d_samples += report.result.samples;
    if (report.result.met_compressed)
        core_.host.unimplemented(Cause::tile_status, 0, "compressed tiles are read as pixels");
    count(report);
    if (report.result.finished || report.faulted())
        core_.host.trace(PIXMILL_TRACE_DRAW, core_.counters.pixels, s_.g3d_command[3],
                         job() == Job::draw ? "primitives" : "resolve");
    for (unsigned i = 0; i < memory_count; i++) {
        const AccessErrors& errors = report.errors[i];
        const Client client = ports_[i].client;
        core_.raise(client, errors, errors.fault);
        if (errors.fault) {
            // Bits of clients outside the 3D pipe would freeze the front end or the 2D engine.
            core_.freeze(client_bit(client) & own_clients ? client : Client::ra);
        }
    }
}

namespace {

/// Signals of the debug multiplexers (linux etnaviv_perfmon.c; names: rnndb state_hi.xml).
constexpr struct {
    Module module;
    unsigned signal;
    uint64_t (*of)(const DrawCounts&);
} signals[] = {
    {Module::pe, 0x0, [](const DrawCounts& c) { return c.killed_by_alpha; }},
    {Module::pe, 0x1, [](const DrawCounts& c) { return c.killed_by_depth; }},
    {Module::pe, 0x2, [](const DrawCounts& c) { return c.drawn_color; }},
    {Module::pe, 0x3, [](const DrawCounts& c) { return c.drawn_depth; }},
    {Module::sh, 0x7, [](const DrawCounts& c) { return c.instructions; }},
    {Module::sh, 0x8, [](const DrawCounts& c) { return c.shaded; }},
    {Module::sh, 0x9, [](const DrawCounts& c) { return c.primitives.instructions; }},
    {Module::sh, 0xA, [](const DrawCounts& c) { return c.primitives.shaded; }},
    {Module::sh, 0xC, [](const DrawCounts& c) { return c.primitives.texels; }},
    {Module::sh, 0xE, [](const DrawCounts& c) { return c.texels; }},
    {Module::pa, 0x3, [](const DrawCounts& c) { return c.primitives.vertices; }},
    {Module::pa, 0x4, [](const DrawCounts& c) { return c.primitives.primitives; }},
    {Module::pa, 0x5, [](const DrawCounts& c) { return c.primitives.drawn; }},
    {Module::pa, 0x6, [](const DrawCounts& c) { return c.primitives.pa.depth_clipped; }},
    {Module::pa, 0x7, [](const DrawCounts& c) { return c.primitives.pa.rejected; }},
    {Module::pa, 0x8, [](const DrawCounts& c) { return c.primitives.pa.culled; }},
    {Module::pa, 0x9, [](const DrawCounts& c) { return c.primitives.pa.dropped; }},
    {Module::ra, 0x0, [](const DrawCounts& c) { return c.covered; }},
    {Module::ra, 0x1, [](const DrawCounts& c) { return c.quads; }},
    {Module::ra, 0x2, [](const DrawCounts& c) { return c.tested_quads; }},
    {Module::ra, 0x3, [](const DrawCounts& c) { return c.primitives.drawn; }},
    {Module::tx, 0x3, [](const DrawCounts& c) { return c.texels + c.primitives.texels; }},
};

} // namespace

void Engine3d::count(const Report& report) {
    for (const auto& signal : signals)
        core_.profile.add(signal.module, signal.signal, signal.of(report.result.counts));
    core_.profile.add(Module::fe, fe_current_prim, report.result.fe.primitives);
    core_.profile.add(Module::fe, fe_out_vertex_count, report.result.fe.vertices);
    // Counts each sample once, even if the job was interrupted.
    if (!s_.memory_counters_frozen)
        s_.write_bytes += report.result.written;
}

// ---- Migration ---------------------------------------------------------------

bool Engine3d::is_valid(const PixmillVivanteState& in) const {
    if (in.g3d_job >= uint32_t(Job::count) || in.g3d_counting > 1)
        return false;
    if (in.g3d_job == uint32_t(Job::none)) // only the write of a query's result may be stalled
        return true;
    return stays_beside_work(FeRun(in.fe_run)) && !in.de_draw_active;
}

bool Engine3d::restore() {
    ready_ = false;
    cancel_.store(false, std::memory_order_relaxed);
    if (!busy() || s_.mmu_frozen & slot.clients)
        return true;
    const Decoded decoded = decode();
    if (decoded == Decoded::stalled)
        return true;
    if (decoded != Decoded::work)
        return false;
    draw_.note_migration(); // no effect on a resolve
    begin_job();
    return true;
}

void Engine3d::scrub(PixmillVivanteState& copy) const {
    if (copy.g3d_job != uint32_t(Job::none))
        return;
    std::ranges::fill(copy.g3d_command, 0);
    std::ranges::fill(copy.g3d_place, 0);
    std::ranges::fill(copy.g3d_place_vertex, 0);
    std::ranges::fill(copy.g3d_done, 0);
}

// ---- Outside the lock ------------------------------------------------------------

void Engine3d::begin_slice() {
    for (unsigned i = 0; i < memory_count; i++)
        ports_[i].memory->begin(mmu_[i]);
    draw_.begin_slice();
    parallel_resolve_.begin_slice();
}

/// Collects this slice's errors, keeping the first of each kind.
void Engine3d::end_slice() {
    for (unsigned i = 0; i < memory_count; i++) {
        ports_[i].memory->end();
        report_.errors[i].merge(ports_[i].memory->take_errors());
    }
}

bool Engine3d::stop(int64_t budget) {
    return budget <= 0 || report_.result.finished || report_.result.endless ||
           cancel_.load(std::memory_order_relaxed) ||
           interrupt_.exchange(false, std::memory_order_relaxed);
}

uint64_t Engine3d::render(uint64_t budget_bytes) {
    if (!ready_ || report_.result.finished || report_.result.endless || report_.faulted())
        return 0;
    begin_slice();
    auto budget = int64_t(std::min<uint64_t>(budget_bytes, INT64_MAX));
    const uint64_t longest = job() == Job::draw ? render_draw(budget) : render_resolve(budget);
    end_slice();
    if (report_.faulted())
        report_.result.finished = false;
    return longest;
}

namespace {

Work work_of(const DrawResult& part) {
    const DrawCounts& counts = part.counts;
    return {.vertices = counts.primitives.vertices,
            .instructions = counts.primitives.instructions + counts.instructions,
            .texels = counts.primitives.texels + counts.texels,
            .pixels = counts.covered};
}

} // namespace

uint64_t Engine3d::render_draw(int64_t& budget) {
    uint64_t longest = 0;
    const DrawMemory memory{vertices_, texels_, pixels_, depths_};
    DrawPosition position = load_position();
    while (!stop(budget)) {
        const DrawResult part = draw_.run(memory, position, budget, interrupt_);
        store_position(position);
        report_.result += part;
        work_ += work_of(part);
        longest = std::max(longest, part.longest);
        budget -= int64_t(part.work);
        if (part.faulted)
            break;
    }
    return longest;
}

uint64_t Engine3d::render_resolve(int64_t& budget) {
    uint64_t longest = 0;
    uint32_t& position = s_.g3d_done[0];
    while (!stop(budget)) {
        const bool shared = parallel_resolve_.takes(pixels_, position, uint64_t(budget));
        const auto part = uint64_t(std::min(budget, shared ? shared_chunk_work : chunk_work));
        const Resolve::Progress progress =
            shared ? parallel_resolve_.run(pixels_, position, part, interrupt_)
                   : resolve_.run(pixels_, position, part);
        position = progress.position;
        report_.result.finished = progress.done;
        report_.result.met_compressed |= progress.met_compressed;
        report_.result.written += progress.written;
        work_.bytes += 2 * progress.written; // a resolve reads as much as it writes
        longest = std::max(longest, progress.longest);
        budget -= int64_t(progress.work);
        if (progress.faulted)
            break;
    }
    return longest;
}

DrawPosition Engine3d::load_position() const {
    DrawPosition position{{}, s_.g3d_done[0], s_.g3d_done[1]};
    position.place = {.instance = s_.g3d_place[3],
                      .taken = s_.g3d_place[0],
                      .assembled = s_.g3d_place[1],
                      .run = s_.g3d_place[2],
                      .first = s_.g3d_place_vertex[0],
                      .recent = {}};
    std::copy_n(s_.g3d_place_vertex + 1, position.place.recent.size(),
                position.place.recent.begin());
    return position;
}

void Engine3d::store_position(const DrawPosition& position) {
    const Assembler::Place& place = position.place;
    s_.g3d_place[0] = place.taken;
    s_.g3d_place[1] = place.assembled;
    s_.g3d_place[2] = place.run;
    s_.g3d_place[3] = place.instance;
    s_.g3d_place_vertex[0] = place.first;
    std::ranges::copy(place.recent, s_.g3d_place_vertex + 1);
    s_.g3d_done[0] = position.tiles;
    s_.g3d_done[1] = position.batches;
}

} // namespace pixmill::vivante

// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine_vg.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "common/guard.hpp"
#include "common/memory/byte_range.hpp"
#include "vivante/core.hpp"

namespace pixmill::vivante {

namespace {

/// Amount of work between two checks for requests from other threads.
constexpr int64_t chunk_work = 0x40000;

/// Maximum length of a stream and of the payload of a DATA command. Both counts have 21 bits.
constexpr uint32_t most_qwords = 0x1FFFFF;
/// Addresses that a stream can reach. Streams start below 4 GiB and have a maximum length.
constexpr ByteRange stream_space =
    ByteRange::up_to(0, (uint64_t(1) << 32) + 8 * uint64_t(FrontEnd20::most_qwords));

// Bits of IDLE_STATE. Undocumented; rectangles keep PE, VG and IM busy, and paths keep PE, VG and
// TS busy (VD16).
constexpr uint32_t module_vg = 1u << 8, module_im = 1u << 9, module_ts = 1u << 11;
constexpr uint32_t of_all = module_pe.mask() | module_vg;

constexpr bool is_qword(uint64_t address) {
    return address % 8 == 0;
}
constexpr bool is_stream_address(uint64_t address) {
    return is_qword(address) && stream_space.contains(address);
}

/// Returns true if there is a request, and clears it. An exchange waits until all earlier stores
/// have completed, even those of a long fill, so it is avoided if there is no request.
bool take(std::atomic<bool>& request) {
    return request.load(std::memory_order_relaxed) &&
           request.exchange(false, std::memory_order_relaxed);
}

vg::Features features_of(const Chip& chip) {
    const bool gc255 = chip.model == 0x255;
    return {.pads_close = gc255, .culls_borders = gc255, .small_formats = gc255};
}

} // namespace

EngineVg::EngineVg(Core& core)
    : Engine({.modules = of_all | module_im | module_ts, .clients = 0}), core_(core), s_(core.s),
      features_(features_of(core.chip)), memory_(core.host, 64) {}

uint32_t EngineVg::modules() const {
    return of_all | (draw_.kind() == vg::Draw::Kind::path ? module_ts : module_im);
}

const char* EngineVg::shape() const {
    using Kind = vg::Draw::Kind;
    return draw_.kind() == Kind::path         ? "path"
           : draw_.kind() == Kind::rectangles ? "rectangles"
                                              : "DATA";
}

void EngineVg::reset() {
    vg::reset_states(std::span(s_.state).first<vg::state_count>());
    s_.vg_draw_active = 0;
    if (ready_)
        cancel_.store(true, std::memory_order_relaxed);
}

void EngineVg::write_state(uint32_t address, uint32_t value) {
    s_.state[address] = value;
}

void EngineVg::draw(const vg::Payload& payload) {
    s_.vg_data_address = payload.address;
    s_.vg_data_qwords = payload.qwords;
    s_.vg_draw_index = s_.vg_draw_row = s_.vg_draw_column = 0;
    prepare();
    log_unsupported();
    if (!draw_.draws())
        return;
    s_.vg_draw_active = 1;
    core_.counters.draws++;
    if (draw_.kind() == vg::Draw::Kind::rectangles)
        core_.counters.rectangles += payload.qwords;
    core_.time.engine_starts();
    begin_draw();
    // For injected faults, a draw is one access. The number of slices depends on the host.
    if (core_.injector.accesses.count(AccessFaults::bus_error))
        report_.errors.note(target_, true);
}

void EngineVg::prepare() {
    draw_.prepare(vg::States(s_.state), features_, {s_.vg_data_address, s_.vg_data_qwords});
    target_ = s_.state[vg::TARGET_ADDRESS];
}

void EngineVg::log_unsupported() {
    using Kind = vg::Draw::Kind;
    Host& host = core_.host;
    const uint32_t control = s_.state[vg::VG_CONTROL];
    if (draw_.kind() == Kind::no_primitive)
        host.guest_error(Cause::draw_primitive, 0, "DATA without a primitive, skipped");
    if (draw_.kind() == Kind::no_tessellator)
        host.guest_error(Cause::draw_primitive, 1, "a path while the tessellator is off, skipped");
    if (draw_.kind() > Kind::path || !s_.vg_data_qwords)
        return;
    const vg::Output& output = draw_.output();
    const uint32_t config = s_.state[vg::TARGET_CONFIG];
    if (!output.exists())
        host.guest_error(Cause::destination_format, vg::target_config::format(config),
                         "target of format %u, not drawn", vg::target_config::format(config));
    if (output.foreign_blend())
        host.guest_error(Cause::unmodeled_field, vg::control::blend(control),
                         "blend %u does not exist on this core", vg::control::blend(control));
    if (output.coloring().foreign_mode())
        host.guest_error(Cause::unmodeled_field, 0x100 | vg::control::image_mode(control),
                         "image mode %u does not exist on this core",
                         vg::control::image_mode(control));
    if (output.coloring().unreadable())
        host.guest_error(Cause::source_format, 0, "source format does not exist on this core");
    if (output.exists())
        log_misalignment();
}

/// Logs addresses and strides that are not aligned as silicon requires. Logs once per kind of draw
/// and surface. The model draws with the unaligned values.
void EngineVg::log_misalignment() {
    const vg::Output& output = draw_.output();
    const vg::Coloring& coloring = output.coloring();
    const auto of = [](const std::optional<vg::Source>& source) {
        return source && source->readable() ? std::optional(source->placement()) : std::nullopt;
    };
    const struct {
        const char* name;
        std::optional<vg::Placement> placement;
    } surfaces[] = {
        {"target", output.placement()},
        {"image", of(coloring.image())},
        {"paint", of(coloring.paint())},
    };
    uint32_t detail = uint32_t(draw_.kind()) << 8;
    for (const auto& [name, placement] : surfaces) {
        if (placement && placement->address % placement->address_alignment)
            core_.host.guest_error(
                Cause::alignment, detail,
                "%s address 0x%08x is no multiple of %u bytes: silicon may mangle it", name,
                placement->address, placement->address_alignment);
        if (placement && placement->stride % placement->stride_alignment)
            core_.host.guest_error(Cause::alignment, detail + 1,
                                   "%s stride %u is no multiple of %u bytes: silicon may mangle it",
                                   name, placement->stride, placement->stride_alignment);
        detail += 2;
    }
}

void EngineVg::begin_draw() {
    (void)memory_.take_errors();
    report_ = {};
    ready_ = true;
}

void EngineVg::collect() {
    if (!ready_)
        return;
    if (take(cancel_)) {
        ready_ = false;
        return;
    }
    const LogScope scope(core_.host, core_.last_command());
    const Report report = std::exchange(report_, {});
    core_.counters.pixels += report.pixels;
    if (!s_.memory_counters_frozen)
        s_.write_bytes += report.written_bytes;
    if (report.errors.read)
        core_.bus_error(Client::pe, report.errors.read_address, false);
    if (report.errors.write)
        core_.bus_error(Client::pe, report.errors.write_address, true);
    if (report.out_of_memory)
        core_.out_of_memory(Client::pe, target_);
    if (!report.finished)
        return;
    if (draw_.kind() == vg::Draw::Kind::path) {
        if (draw_.reader().too_long())
            core_.host.guest_error(Cause::draw_primitive, 2, "a path with too many edges, skipped");
        if (draw_.reader().bad_opcode())
            core_.host.guest_error(Cause::draw_primitive, 3, "unknown path opcode");
        if (draw_.reader().bad_point())
            core_.host.guest_error(Cause::draw_primitive, 4, "a path point is not a finite number");
    }
    core_.host.trace(PIXMILL_TRACE_DRAW, core_.counters.pixels, s_.vg_data_qwords, shape());
    ready_ = false;
    s_.vg_draw_active = 0;
    core_.time.engine_stops();
}

// ---- Migration -----------------------------------------------------------------

bool EngineVg::is_valid(const PixmillVivanteState& in) const {
    const auto run = FeRun(in.fe_run);
    if (run != FeRun::stopped && run != FeRun::running && run != FeRun::hung)
        return false;
    if (in.vg_fe_depth > PIXMILL_VIVANTE_VG_CALLS || in.vg_fe_read > FrontEnd20::most_qwords ||
        in.vg_draw_active > 1)
        return false;
    // If the front end hangs because CMDBUF_ADDRESS is not a multiple of 64, vg_fe_address still
    // has that value.
    const bool aligned = run == FeRun::hung || is_qword(in.vg_fe_address);
    if (!aligned || !stream_space.contains(in.vg_fe_address) || in.vg_fe_left > most_qwords ||
        in.vg_fe_queued > most_qwords || !is_stream_address(in.vg_data_address) ||
        !std::ranges::all_of(in.vg_fe_call_address, is_stream_address) ||
        std::ranges::any_of(in.vg_fe_call_left, [](uint32_t n) { return n > most_qwords; }))
        return false;
    return !in.vg_draw_active || (run == FeRun::running && in.vg_data_qwords <= most_qwords);
}

/// Restarts the draw in progress. Reads the payload again, because clients do not change commands
/// before they have been executed.
bool EngineVg::restore() {
    ready_ = false;
    cancel_.store(false, std::memory_order_relaxed);
    if (!busy())
        return true;
    prepare();
    if (!draw_.draws())
        return false;
    begin_draw();
    return true;
}

void EngineVg::scrub(PixmillVivanteState& copy) const {
    if (copy.vg_draw_active)
        return;
    copy.vg_data_address = copy.vg_data_qwords = 0;
    copy.vg_draw_index = copy.vg_draw_row = copy.vg_draw_column = 0;
}

// ---- Without the lock ----------------------------------------------------------

uint64_t EngineVg::render(uint64_t budget_bytes) {
    if (!ready_ || report_.finished)
        return 0;
    uint64_t longest = 0;
    const auto budget = int64_t(std::min<uint64_t>(budget_bytes, INT64_MAX));
    const bool had_memory = guarded(false, [&] {
        render_slice(budget, longest);
        return true;
    });
    if (!had_memory)
        report_.finished = report_.out_of_memory = true;
    memory_.end();
    const uint64_t drawn = draw_.take_drawn();
    report_.pixels += drawn;
    pixels_ += drawn;
    report_.written_bytes += memory_.take_written();
    report_.errors.merge(memory_.take_errors());
    return longest;
}

void EngineVg::render_slice(int64_t budget, uint64_t& longest) {
    draw_.begin_slice(memory_);
    while (budget > 0 && !report_.finished && !cancel_.load(std::memory_order_relaxed) &&
           !take(interrupt_)) {
        const int64_t part = std::min(budget, chunk_work);
        int64_t left = part;
        vg::Position at = position();
        report_.finished = draw_.run(memory_, at, left);
        s_.vg_draw_index = at.index;
        s_.vg_draw_row = at.row;
        s_.vg_draw_column = at.column;
        longest = std::max(longest, uint64_t(part - left));
        budget -= part - left;
    }
}

} // namespace pixmill::vivante

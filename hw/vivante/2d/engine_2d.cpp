// SPDX-License-Identifier: GPL-2.0-or-later
//
// Executes draws. drawing_states.cpp decodes the states.
#include "engine_2d.hpp"

#include <algorithm>
#include <utility>

#include "states.hpp"
#include "vivante/core.hpp"
#include "vivante/fe/commands.hpp"
#include "vivante/render_bands.hpp"

namespace pixmill::vivante {

using render::Rect;

namespace {

/// Work between two checks for interrupt and cancel requests. The normal amount takes a fraction of
/// a millisecond; the larger one is enough to benefit from threads or from rows that share work. A
/// step is always completed, which may take longer: see docs/develop/timing.md.
constexpr uint64_t chunk_work = 0x40000, shared_chunk_work = 0x400000;

/// Cost of preparing a rectangle, even if nothing is drawn, and the additional cost per pixel of
/// its width.
constexpr uint64_t rectangle_work = 64, pixel_work = 8;

/// Returns the smallest rectangle that contains both pixels.
Rect around(const Rect& ends) {
    return {std::min(ends.left, ends.right), std::min(ends.top, ends.bottom),
            std::max(ends.left, ends.right) + 1, std::max(ends.top, ends.bottom) + 1};
}

/// Returns the number of words of the command stream that a rectangle consumes.
uint64_t words_of(render::Pack pack, const Rect& rect) {
    if (rect.empty())
        return 0;
    struct Block {
        uint8_t width, height;
    };
    constexpr Block blocks[] = {{8, 4}, {16, 2}, {32, 1}, {32, 1}};
    const Block block = blocks[unsigned(pack)];
    const auto across = uint64_t(rect.width() + block.width - 1) / block.width;
    const auto down = uint64_t(rect.height() + block.height - 1) / block.height;
    return across * down;
}

/// Returns the average number of bits read from a source per pixel.
uint64_t bits_of(const render::Source& source) {
    switch (source.kind) {
    case render::Source::Kind::none:
    case render::Source::Kind::stream:
        return 0;
    case render::Source::Kind::mono:
        return 1;
    case render::Source::Kind::index8:
    case render::Source::Kind::rgb:
        return source.surface[0].format.bits;
    case render::Source::Kind::yuv:
        break;
    }
    const render::YuvLayout& layout = source.layout;
    uint64_t bits = 0;
    for (unsigned plane = 0; plane < layout.planes; plane++)
        bits += 8u * layout.pixel_bytes[plane] >> (plane ? layout.u.x_shift + layout.u.y_shift : 0);
    return bits;
}

/// Returns the number of bits read per drawn pixel: one pixel of each source and, if needed, one of
/// the destination. A filter counts as reading one source pixel.
uint64_t bits_read(const render::Operation& operation) {
    uint64_t bits = 0;
    bool destination = operation.stage_count > 1;
    for (unsigned n = 0; n < operation.stage_count; n++) {
        const render::Stage& stage = operation.stages[n];
        destination |= render::needs_destination(stage);
        if (render::needs_source(stage))
            bits += bits_of(stage.source);
    }
    return bits + (destination ? operation.destination.format.bits : 0);
}

Rect unpack_rect(const uint32_t word[2]) {
    return {low_half(word[0]), high_half(word[0]), low_half(word[1]), high_half(word[1])};
}

} // namespace

Engine2d::Engine2d(Core& core, const PixmillVivanteConfig& config)
    : PipeEngine(Pipe::pipe_2d, {.modules = module_de.mask() | module_pe.mask(),
                                 .clients = client_bit(Client::pe)}),
      core_(core), s_(core.s), memory_(core.host),
      pipeline_(render::kernels(), render_bands(config)) {
    memory_.inject(core.injector.accesses, uint8_t(Fault::page_not_present));
}

void Engine2d::reset() {
    s_.de_draw_active = 0;
    if (ready_)
        cancel_.store(true, std::memory_order_relaxed);
    for (const StateRow& state : de_states())
        s_.state[state.address / 4] = state.reset;
    s_.de_brush_config = s_.de_brush_low = s_.de_brush_high = s_.de_brush_bg = s_.de_brush_fg = 0;
    std::fill(std::begin(s_.de_brush_pixel), std::end(s_.de_brush_pixel), 0);
}

bool Engine2d::is_valid(const PixmillVivanteState& in) const {
    if (in.de_draw_active > 1 || in.de_draw_filter > 1 ||
        in.de_draw_rects > PIXMILL_VIVANTE_DE_MAX_RECTS ||
        in.de_draw_data_words > PIXMILL_VIVANTE_DE_MAX_DATA || in.de_draw_index > in.de_draw_rects)
        return false;
    const bool stalls = in.mmu_frozen & slot.clients; // in a draw or while loading a brush
    if (!in.de_draw_active)
        return !stalls;
    const bool brush = stalls && in.de_draw_rects == 0;
    return stays_beside_work(FeRun(in.fe_run)) &&
           (brush ||
            (in.de_draw_index < in.de_draw_rects && (!in.de_draw_filter || in.de_draw_rects == 1)));
}

bool Engine2d::restore() {
    mask_states(s_.state);
    for (const StateRow& state : de_states())
        s_.de_draw_state[(state.address - de_first) / 4] &= state.mask;
    ready_ = false;
    cancel_.store(false, std::memory_order_relaxed);
    if (!s_.de_draw_active || s_.mmu_frozen & slot.clients)
        return true;
    if (!decode(setup_))
        return false;
    begin_draw();
    return true;
}

/// Clears the operands of finished draws in a copy of the state. reset() cannot clear them, because
/// render() may still be reading them.
void Engine2d::scrub(PixmillVivanteState& copy) const {
    if (copy.de_draw_active)
        return;
    copy.de_draw_rects = copy.de_draw_data_words = copy.de_draw_index = copy.de_draw_row = 0;
    copy.de_draw_column = copy.de_draw_filter = 0;
    std::ranges::fill(copy.de_draw_state, 0);
    std::ranges::fill(copy.de_draw_rect, 0);
    std::ranges::fill(copy.de_draw_data, 0);
}

// ---- Draws -------------------------------------------------------------------

/// Stores an operand of DRAW_2D: first the rectangles, then the words of the bit stream. The last
/// word may be padding.
void Engine2d::operand(uint32_t header, uint32_t index, const uint32_t word[2]) {
    const uint32_t rects = count_of(draw_2d_rectangles, header), words = draw_2d_data(header);
    if (index < rects) {
        std::copy_n(word, 2, s_.de_draw_rect + 2 * size_t(index));
        return;
    }
    const uint32_t at = 2 * (index - rects);
    std::copy_n(word, std::min(words - at, 2u), s_.de_draw_data + at);
}

void Engine2d::draw(const uint32_t command[2]) {
    const uint32_t header = command[0];
    if (!core_.chip.pipe_2d()) {
        core_.host.guest_error(Cause::unsupported_opcode, command_op(header),
                               "DRAW_2D on a core without the 2D pipe, skipped");
        return;
    }
    s_.de_draw_filter = 0;
    s_.de_draw_data_words = draw_2d_data(header);
    sample(count_of(draw_2d_rectangles, header));
    start();
}

/// Prepares the filter blit that VR_CONFIG starts. It draws one rectangle, the target window. The
/// filter tables are not copied, and restore() must find them unchanged, so the draw starts only at
/// the end of the LOAD_STATE.
void Engine2d::filter() {
    s_.de_draw_filter = 1;
    s_.de_draw_data_words = 0;
    sample(1);
    kicked_ = true;
}

void Engine2d::end_load() {
    if (std::exchange(kicked_, false))
        start();
}

/// Copies the current states for the draw.
void Engine2d::sample(uint32_t rects) {
    s_.de_draw_rects = rects;
    s_.de_draw_index = s_.de_draw_row = s_.de_draw_column = 0;
    std::copy_n(s_.state + de_first / 4, PIXMILL_VIVANTE_DE_DRAW_STATES, s_.de_draw_state);
}

void Engine2d::start() {
    if (!decode(setup_))
        return;
    core_.counters.draws++;
    core_.counters.rectangles += s_.de_draw_rects;
    s_.de_draw_active = 1;
    core_.time.engine_starts();
    s_.reg[DRAW_START_STAMP / 4] = core_.time.read(Timebase::debug);
    begin_draw();
}

void Engine2d::begin_draw() {
    mmu_ = core_.mmu(Client::pe);
    report_ = {};
    ready_ = true;
    chosen_ = prepared_ = false;
    stream_index_ = 0;
    stream_words_ = 0;
}

void Engine2d::collect() {
    if (!ready_)
        return;
    if (cancel_.exchange(false, std::memory_order_relaxed)) {
        ready_ = false;
        return;
    }
    const Report report = report_;
    report_ = {};
    report_.drawn = report.drawn % setup_.bytes_per_pixel;
    report_.read_bits = report.read_bits % 8;
    account(report);
    if (report.faulted) {
        // The pixel engine stalls on this access until it is reset.
        ready_ = false;
        core_.freeze(Client::pe);
    } else if (report.finished) {
        ready_ = false;
        s_.de_draw_active = 0;
        core_.time.engine_stops();
        s_.reg[DRAW_END_STAMP / 4] = core_.time.read(Timebase::debug);
    }
}

void Engine2d::account(const Report& report) {
    const uint64_t pixels = report.drawn / setup_.bytes_per_pixel;
    core_.counters.pixels += pixels;
    core_.profile.add(Module::pe, pe_pixels_2d, pixels);
    if (!s_.memory_counters_frozen) {
        s_.read_bytes += report.read_bits / 8;
        s_.write_bytes += report.written_bytes;
    }
    if (report.finished || report.faulted)
        core_.host.trace(PIXMILL_TRACE_DRAW, core_.counters.pixels, s_.de_draw_rects,
                         setup_.primitive);
    if (report.error) {
        constexpr const char* reasons[] = {"the destination lies outside the address space",
                                           "the source lies outside the address space",
                                           "a surface has no layout"};
        const auto reason = uint32_t(*report.error);
        core_.host.guest_error(Cause::draw_extent, reason, "%s: %s, rectangle skipped",
                               setup_.primitive, reasons[reason]);
    }
    if (report.short_stream)
        core_.host.guest_error(Cause::draw_stream, 0, "%s: %u data words are too few, bits read 0",
                               setup_.primitive, s_.de_draw_data_words);
    if (report.out_of_memory)
        core_.out_of_memory(Client::pe, setup_.operation.destination.base);
    core_.raise(Client::pe, report.errors, report.faulted);
}

// ---- Rectangles --------------------------------------------------------------

/// Passes rectangle `index` to the pipeline. Returns false if it has nothing to draw.
bool Engine2d::prepare_rect(uint32_t index) {
    if (!place_rect(index))
        return false;
    const auto error = chosen_ ? pipeline_.move() : pipeline_.prepare(memory_, setup_.operation);
    chosen_ = !error;
    if (error) {
        if (*error == render::Error::out_of_memory)
            report_.out_of_memory = true;
        else
            report_.error = error;
        return false;
    }
    return true;
}

/// Computes the visible part of rectangle `index`, in physical coordinates, and the placements of
/// the sources. Returns false if no pixel is visible.
bool Engine2d::place_rect(uint32_t index) {
    render::Operation& op = setup_.operation;
    Rect full = unpack_rect(s_.de_draw_rect + 2 * size_t(index));
    if (setup_.shape == Shape::lines)
        full = around(full);
    if (full.empty())
        return false;
    const Rect visible = full.intersect(setup_.clip);
    if (visible.empty())
        return false;
    const bool clipped = setup_.shape != Shape::window || !op.destination.stride;
    const int64_t room = clipped ? INT32_MAX : std::min<int64_t>(op.row_pixels(), INT32_MAX);
    Rect physical = setup_.destination.rect(visible).intersect({0, 0, int32_t(room), INT32_MAX});
    physical.left *= int32_t(setup_.bytes_per_pixel);
    physical.right *= int32_t(setup_.bytes_per_pixel);
    if (physical.empty())
        return false;
    op.rect = physical;
    if (setup_.shape == Shape::lines) {
        const Rect ends = unpack_rect(s_.de_draw_rect + 2 * size_t(index));
        const Orientation& o = setup_.destination;
        op.line = {int32_t(o.x(ends.left, ends.top)), int32_t(o.y(ends.left, ends.top)),
                   int32_t(o.x(ends.right, ends.bottom)), int32_t(o.y(ends.right, ends.bottom))};
    }
    place_sources(full);
    if (setup_.stream)
        place_stream(index, full);
    return true;
}

/// Computes the placements of the sources from the full rectangle, because clipping does not move
/// source pixels.
void Engine2d::place_sources(const Rect& full) {
    for (unsigned n = 0; n < setup_.operation.stage_count; n++) {
        render::Stage& stage = setup_.operation.stages[n];
        const SourceSetup& place_of = setup_.source[n];
        SourceAxis x = place_of.x, y = place_of.y;
        const SourceAxis mask_x{.mirror = x.mirror}, mask_y{.mirror = y.mirror};
        if (stage.mask)
            stage.mask->placement = place(setup_.destination, full, {}, mask_x, mask_y);
        const bool bits = stage.source.kind == render::Source::Kind::stream;
        if (setup_.shape == Shape::window || bits) {
            stage.source.placement = place(setup_.destination, full, {}, mask_x, mask_y);
            continue;
        }
        if (x.stretch != render::Stretch::none) {
            const auto size = [](uint32_t source, uint32_t factor, int64_t target) {
                // Without a size, use the number of pixels that the stretch factor covers.
                return source ? source
                              : uint32_t((uint64_t(factor) * uint64_t(target - 1) >> 16) + 1);
            };
            const uint32_t* state = s_.de_draw_state;
            x.size = size(x.size, state[(DE_STRETCH_FACTOR_LOW - de_first) / 4], full.width());
            y.size = size(y.size, state[(DE_STRETCH_FACTOR_HIGH - de_first) / 4], full.height());
        } else if (place_of.relative) {
            x.origin += full.left;
            y.origin += full.top;
        }
        stage.source.placement = place(setup_.destination, full, place_of.orientation, x, y);
    }
}

/// Finds the part of the bit stream that belongs to rectangle `index`. Each rectangle consumes as
/// many words as it needs.
void Engine2d::place_stream(uint32_t index, const Rect& full) {
    for (; stream_index_ < index; stream_index_++)
        stream_words_ +=
            words_of(setup_.pack, unpack_rect(s_.de_draw_rect + 2 * size_t(stream_index_)));
    const uint64_t first = stream_words_, available = s_.de_draw_data_words;
    const uint64_t begin = std::min(first, available);
    const render::BitStream bits{{s_.de_draw_data + begin, size_t(available - begin)},
                                 setup_.pack,
                                 uint32_t(full.width()),
                                 uint32_t(full.height())};
    report_.short_stream |= first + words_of(setup_.pack, full) > available;
    render::Stage& stage = setup_.operation.stages[0];
    stage.source.bits = bits;
    if (stage.mask)
        stage.mask->bits = bits;
}

/// Returns the amount of work between two checks for interrupt(). Data shared by rows or threads is
/// dropped after this amount and must be computed again.
uint64_t Engine2d::chunk() const {
    const uint64_t least = pipeline_.band_work();
    return least || pipeline_.joins() ? std::max(least, shared_chunk_work) : chunk_work;
}

/// Prepares rectangle de_draw_index if necessary. Returns false if none of its rows is left to
/// draw.
bool Engine2d::next_rect(int64_t& budget) {
    if (!prepared_) {
        budget -= rectangle_work;
        prepared_ = prepare_rect(s_.de_draw_index);
        if (prepared_)
            budget -= int64_t(pixel_work * uint64_t(setup_.operation.rect.width()));
    }
    return prepared_ && s_.de_draw_row < pipeline_.rows();
}

void Engine2d::end_rect() {
    s_.de_draw_index++;
    s_.de_draw_row = s_.de_draw_column = 0;
    prepared_ = false;
}

uint64_t Engine2d::render(uint64_t budget_bytes) {
    if (!ready_ || report_.finished || report_.faulted)
        return 0;
    memory_.begin(mmu_);
    int64_t budget = int64_t(std::min<uint64_t>(budget_bytes, INT64_MAX)), seen = budget;
    uint64_t longest = 0;
    const uint64_t read_bits = bits_read(setup_.operation);
    const uint64_t moved_bits = read_bits + setup_.operation.destination.format.bits;
    const auto note = [&] {
        longest = std::max(longest, uint64_t(seen - budget));
        seen = budget;
    };
    const auto stop = [&] {
        note();
        return budget <= 0 || cancel_.load(std::memory_order_relaxed) ||
               interrupt_.exchange(false, std::memory_order_relaxed);
    };
    while (s_.de_draw_index < s_.de_draw_rects && !report_.faulted && !stop()) {
        if (!next_rect(budget)) {
            end_rect();
            continue;
        }
        const render::Reached from{s_.de_draw_row, s_.de_draw_column};
        const uint64_t least = pipeline_.stages() ? chunk_work : 1;
        const uint64_t work =
            std::min(chunk(), std::max(uint64_t(std::max<int64_t>(budget, 0)), least));
        const render::Progress progress = pipeline_.run(from, work);
        s_.de_draw_row += progress.rows;
        s_.de_draw_column = progress.column;
        report_.faulted = progress.faulted;
        report_.drawn += progress.pixels;
        moved_bits_ += progress.pixels * moved_bits;
        report_.read_bits += read_bits * progress.pixels / setup_.bytes_per_pixel;
        budget -= int64_t(progress.work);
        if (s_.de_draw_row >= pipeline_.rows())
            end_rect();
    }
    note();
    memory_.end();
    report_.finished = s_.de_draw_index >= s_.de_draw_rects && !report_.faulted;
    report_.written_bytes += memory_.take_written();
    report_.errors.merge(memory_.take_errors());
    return longest;
}

} // namespace pixmill::vivante

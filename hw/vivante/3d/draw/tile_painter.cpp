// SPDX-License-Identifier: GPL-2.0-or-later
#include "tile_painter.hpp"

#include <algorithm>

#include "counted_texturing.hpp"

namespace pixmill::vivante {

using render::BlockMask;
using render::Overlap;
using render::Rect;

namespace {

constexpr auto run_program = run;

constexpr int32_t edge = RenderTile::edge;
constexpr int32_t block_edge = 8;

/// Maximum number of quads or batches to collect at once, and maximum number of quads that a
/// primitive has in a tile.
constexpr size_t most_quads = 8192, quads_of_tile = edge * edge / 4;

/// A run ends after the batch with which the cost of memory accesses exceeds this.
constexpr uint64_t most_memory_of_run = 64 << 10;

float saturated(float value) {
    return value > 0 ? std::min(value, 1.0f) : 0; // NaN becomes 0
}

/// Places of a block's quads, relative to the block.
constexpr auto quads_of_block = [] {
    std::array<Fragments::Place, quad_count> places;
    for (unsigned q = 0; q < quad_count; q++)
        places[q] = {uint8_t(q % 4 * 2), uint8_t(q / 4 * 2)};
    return places;
}();

/// Returns the pixels of the block at (x, y) that are inside `square`.
BlockMask inside(const Rect& square, int32_t x, int32_t y) {
    const int32_t left = std::max(square.left - x, 0), right = std::min(square.right - x, 8);
    const int32_t top = std::max(square.top - y, 0), bottom = std::min(square.bottom - y, 8);
    if (left >= right || top >= bottom)
        return 0;
    const uint64_t row = (0xFFu >> (8 - (right - left))) << left;
    const uint64_t rows = ~uint64_t(0) >> (64 - 8 * (bottom - top)) << 8 * top;
    return row * 0x0101010101010101u & rows;
}

} // namespace

TilePainter::TilePainter(const DrawContext& context, ShaderUnit& unit)
    : context_(context), unit_(unit) {
    quads_.reserve(most_quads);
    batches_.reserve(most_quads);
}

void TilePainter::begin(const PixelMemory& memory) {
    const PipelineSetup& setup = context_.setup;
    memory_.emplace(memory);
    memory_before_ = memory.cost();
    painted_ = {};
    checked_ = 0;
    for (unsigned i = 0; i < setup.pe.color.targets; i++)
        if (setup.draws_color[i])
            colors_[i].emplace(memory.colors, setup.color[i], setup.color_status[i]);
    if (setup.draws_depth)
        depths_.emplace(memory.depths, setup.depth, setup.depth_status);
    constants_known_ = false;
    most_filled_ = most_tiles;
    fragments_.place.fill({}); // with multisampling, tiles have fewer pixels than in earlier draws
}

void TilePainter::end() {
    for (auto& color : colors_)
        color.reset();
    depths_.reset();
    spend(0, {}); // accounts for marking memory dirty
}

DrawResult TilePainter::take() {
    note_check();
    checked_ = 0;
    return std::exchange(painted_, {});
}

/// checked_ may exceed painted_.work, because draw_run() advances it before adding programs' work.
void TilePainter::note_check() {
    if (painted_.work > checked_)
        painted_.longest = std::max(painted_.longest, painted_.work - checked_);
    checked_ = painted_.work;
}

void TilePainter::note_memory() {
    const uint64_t now = memory_->cost();
    painted_.work += now - memory_before_;
    checked_ += now - memory_before_;
    memory_before_ = now;
}

/// Adds work. Returns false if the limit is reached.
bool TilePainter::spend(uint64_t work, const PaintLimit& limit) {
    const uint64_t now = memory_->cost();
    painted_.work += work + (now - memory_before_);
    memory_before_ = now;
    if (limit.interrupt)
        note_check();
    return painted_.work < limit.work &&
           !(limit.interrupt && limit.interrupt->load(std::memory_order_relaxed));
}

/// Calls work(surface, plane, high, number) for each surface that is drawn to, colors first, then
/// depth. `high` is the plane for the second words of samples.
template<class Work>
void TilePainter::each_target(const Work& work) {
    for (unsigned i = 0; i < most_targets; i++)
        if (colors_[i])
            work(*colors_[i], tile_.color[i], &tile_.high[i], i);
    if (depths_)
        work(*depths_, tile_.depth, nullptr, most_targets);
}

void TilePainter::check_faults() {
    each_target([&](const RenderSurface& surface, const RenderTile::Plane&,
                    const RenderTile::Plane*, unsigned) {
        painted_.faulted |= surface.faulted();
        painted_.met_compressed |= surface.met_compressed();
    });
}

uint32_t TilePainter::paint(const Tiles& tiles, uint32_t first, uint32_t end, uint32_t& batch,
                            const PaintLimit& limit) {
    if (context_.plan.constant && !batch)
        if (const uint32_t filled = fill_tiles(tiles, first, end, limit))
            return filled;
    return paint_tile(tiles, first, batch, limit) ? 1 : 0;
}

/// Returns the rectangle of pixels that a tile covers.
Rect TilePainter::square(const TileBins::Place& place) const {
    const int32_t w = edge >> context_.setup.shift_x, h = edge >> context_.setup.shift_y;
    return {place.x * w, place.y * h, (place.x + 1) * w, (place.y + 1) * h};
}

bool TilePainter::paint_tile(const Tiles& tiles, uint32_t number, uint32_t& batch,
                             const PaintLimit& limit) {
    const std::span<const uint16_t> list = tiles.bins.of(number);
    const TileBins::Place place = tiles.bins.place(number);
    Call call{square(place), uint32_t(place.x), uint32_t(place.y), batch, limit};
    for (size_t next = 0; next < list.size();) {
        next = find_batches(tiles.primitives, list, next, call.square);
        if (!batches_.empty() && !draw_batches(call))
            return false;
    }
    return true;
}

// ---- Batches -----------------------------------------------------------------

/// Collects batches of the list's primitives in order, starting with the primitive at index
/// `first`, until there is no more room. Returns the index of the first primitive that did not fit.
size_t TilePainter::find_batches(std::span<const Primitive* const> primitives,
                                 std::span<const uint16_t> list, size_t first, const Rect& square) {
    quads_.clear();
    batches_.clear();
    open_first_ = 0;
    open_blocks_ = 0;
    stamp_++;
    touched_ = replaced_ = {};
    const Rect window = square.intersect(context_.setup.ra.scissor);
    const auto room = [&] {
        return std::max(quads_.size(), batches_.size()) < most_quads - quads_of_tile;
    };
    size_t next = first;
    for (; next < list.size() && room(); next++) {
        const Primitive& primitive = *primitives[list[next]];
        const Rect seen = primitive.shape.bounds().intersect(window);
        if (!seen.empty())
            add_primitive(primitive, square, seen);
    }
    close_batch();
    return next;
}

/// Adds a primitive's blocks and quads to the batches. `seen` is the part of its bounds that is
/// inside the square and the scissor.
void TilePainter::add_primitive(const Primitive& primitive, const Rect& square, const Rect& seen) {
    const Rect window = square.intersect(context_.setup.ra.scissor);
    const Overlap all = primitive.shape.overlap(square.left, square.top, edge);
    if (all == Overlap::none)
        return;
    if (all == Overlap::all && window == square && context_.setup.ra.enabled)
        return add_whole_tile(primitive, square);
    for (int32_t y = seen.top & -block_edge; y < seen.bottom; y += block_edge)
        for (int32_t x = seen.left & -block_edge; x < seen.right; x += block_edge) {
            const Overlap overlap =
                all == Overlap::all ? all : primitive.shape.overlap(x, y, block_edge);
            if (overlap == Overlap::none)
                continue;
            const bool inner = x >= window.left && x + block_edge <= window.right &&
                               y >= window.top && y + block_edge <= window.bottom;
            if (overlap == Overlap::all && inner && context_.setup.ra.enabled)
                add_whole_block(primitive, x, y, square);
            else
                add_block(primitive, x, y, window, overlap == Overlap::all);
        }
}

/// Calls work(row, bits) for each row of a TileMask that a square of `side` pixels covers. `bits`
/// selects the columns.
template<class Work>
void TilePainter::each_row(const Rect& square, int32_t x, int32_t y, int32_t side,
                           const Work& work) const {
    const PipelineSetup& setup = context_.setup;
    const auto left = unsigned(x - square.left) << setup.shift_x;
    const auto top = unsigned(y - square.top) << setup.shift_y;
    const unsigned columns = std::max(unsigned(side) << setup.shift_x >> 2, 1u);
    const unsigned rows = std::max(unsigned(side) << setup.shift_y >> 2, 1u);
    const auto bits = uint16_t(((1u << columns) - 1) << left / 4);
    for (unsigned row = top / 4; row < top / 4 + rows; row++)
        work(row, bits);
}

void TilePainter::mark(TileMask& mask, const Rect& square, int32_t x, int32_t y,
                       int32_t side) const {
    each_row(square, x, y, side, [&](unsigned row, uint16_t bits) { mask[row] |= bits; });
}

namespace {

/// Returns the bit that stands for a pixel's block.
uint64_t block_bit(const Rect& square, int32_t x, int32_t y) {
    return uint64_t(1) << ((y - square.top) / block_edge * 8 + (x - square.left) / block_edge);
}

} // namespace

/// Adds a covered block as a batch. Closes the open batch first if it has quads in the block.
void TilePainter::add_whole_block(const Primitive& primitive, int32_t x, int32_t y,
                                  const Rect& square) {
    if (open_blocks_ & block_bit(square, x, y))
        close_batch();
    const unsigned all_samples = (1u << context_.setup.ra.samples) - 1;
    const bool replaces = context_.setup.ra.enabled == all_samples;
    each_row(square, x, y, block_edge, [&](unsigned row, uint16_t bits) {
        if (replaces)
            replaced_[row] |= uint16_t(bits & ~touched_[row]);
        touched_[row] |= bits;
    });
    batches_.push_back({&primitive, x, y, 0, 0});
}

/// Like add_whole_block(), for all blocks of the tile.
void TilePainter::add_whole_tile(const Primitive& primitive, const Rect& square) {
    const unsigned all_samples = (1u << context_.setup.ra.samples) - 1;
    for (int32_t y = square.top; y < square.bottom; y += block_edge)
        for (int32_t x = square.left; x < square.right; x += block_edge) {
            if (open_blocks_ & block_bit(square, x, y))
                close_batch();
            batches_.push_back({&primitive, x, y, 0, 0});
        }
    for (size_t row = 0; row < touched_.size(); row++) {
        if (context_.setup.ra.enabled == all_samples)
            replaced_[row] |= uint16_t(~touched_[row]);
        touched_[row] = 0xFFFF;
    }
}

/// Adds a block's quads to the open batch. `window` is the part of the tile that may be drawn.
/// `covered` is set if the primitive covers the whole block.
void TilePainter::add_block(const Primitive& primitive, int32_t x, int32_t y, const Rect& window,
                            bool covered) {
    const RaSetup& ra = context_.setup.ra;
    const BlockMask within = inside(window, x, y);
    std::array<BlockMask, most_samples> samples{};
    BlockMask any = 0;
    for (unsigned s = 0; s < ra.samples; s++)
        if (ra.enabled >> s & 1) {
            samples[s] = covered ? within : primitive.shape.cover(x, y, ra.sample[s]) & within;
            any |= samples[s];
        }
    const int32_t w = edge >> context_.setup.shift_x, h = edge >> context_.setup.shift_y;
    const Rect square{x & -w, y & -h, (x & -w) + w, (y & -h) + h};
    constexpr BlockMask first_quad = 0x0303;
    for (int32_t row = 0; row < block_edge; row += 2)
        for (int32_t column = 0; column < block_edge; column += 2) {
            const int32_t shift = 8 * row + column;
            if (!(any >> shift & first_quad))
                continue;
            QuadRef quad{&primitive, x + column, y + row, {}};
            for (unsigned s = 0; s < ra.samples; s++) {
                const uint64_t bits = samples[s] >> shift;
                quad.covered[s] = uint8_t((bits & 3) | (bits >> 6 & 12));
            }
            add_quad(quad, square);
        }
}

/// Adds a quad to the open batch. A batch never has two quads at the same position.
void TilePainter::add_quad(const QuadRef& quad, const Rect& square) {
    const auto column = unsigned(quad.x - square.left) / 2, row = unsigned(quad.y - square.top) / 2;
    uint32_t* const stamp = &stamps_[row * (edge / 2) + column];
    if (quads_.size() - open_first_ == quad_count || *stamp == stamp_)
        close_batch();
    *stamp = stamp_;
    open_blocks_ |= block_bit(square, quad.x, quad.y);
    quads_.push_back(quad);
    mark(touched_, square, quad.x, quad.y, 2);
}

void TilePainter::close_batch() {
    const auto count = uint32_t(quads_.size()) - open_first_;
    if (!count)
        return;
    batches_.push_back({nullptr, 0, 0, open_first_, count});
    open_first_ += count;
    open_blocks_ = 0;
    stamp_++;
}

// ---- Tiles -------------------------------------------------------------------

/// Draws the collected batches. Returns true if all are drawn.
bool TilePainter::draw_batches(Call& call) {
    const auto count = uint32_t(batches_.size());
    if (call.position >= call.number + count) { // all drawn by an earlier call
        call.number += count;
        return true;
    }
    // Samples need not be loaded if the first batch that draws them is a covered block.
    const bool knows_less = context_.plan.replaces && call.position <= call.number;
    load(call, knows_less);
    drawn_ = {};
    planes_of_ = nullptr;
    size_t done = std::max(call.position, call.number) - call.number; // by an earlier call
    for (bool time = !painted_.faulted; time && done < count;) {
        const uint32_t before = call.position;
        time = draw_run(run_at(done), call);
        done += call.position - before;
    }
    call.number += uint32_t(done);
    store(call, knows_less && done < count ? known(call, done) : touched_);
    return done == count && !painted_.faulted;
}

/// Returns the batches from `first` on that are to be drawn as a run.
std::span<const TilePainter::Batch> TilePainter::run_at(size_t first) const {
    const std::span<const Batch> rest = std::span(batches_).subspan(first);
    return rest.first(std::min<size_t>(rest.size(), context_.plan.most_batches));
}

/// Returns the lanes that have at least one sample. The loop is scalar, because vector loads would
/// stall on the masks, which were just stored as scalars.
LaneMask TilePainter::any_lane(const std::array<LaneMask, most_samples>& samples) const {
    LaneMask any = samples[0];
    for (unsigned s = 1; s < context_.setup.ra.samples; s++)
        any |= samples[s];
    return any;
}

/// Returns the touched 4x4 tiles whose samples are valid after the first `done` batches.
TileMask TilePainter::known(const Call& call, size_t done) const {
    TileMask mask{};
    for (const Batch& batch : std::span(batches_).first(done))
        if (batch.block)
            mark(mask, call.square, batch.x, batch.y, block_edge);
    for (size_t row = 0; row < mask.size(); row++)
        mask[row] = uint16_t(touched_[row] & (mask[row] | ~replaced_[row]));
    return mask;
}

void TilePainter::load(const Call& call, bool knows_less) {
    TileMask used = touched_;
    if (knows_less)
        for (size_t row = 0; row < used.size(); row++)
            used[row] &= uint16_t(~replaced_[row]);
    each_target(
        [&](RenderSurface& surface, RenderTile::Plane& plane, RenderTile::Plane* high, unsigned) {
            const uint64_t before = surface.work();
            surface.load(call.x, call.y, used, plane, high);
            painted_.work += surface.work() - before;
        });
    check_faults();
}

void TilePainter::store(const Call& call, const TileMask& tiles) {
    each_target([&](RenderSurface& surface, const RenderTile::Plane& plane,
                    const RenderTile::Plane* high, unsigned number) {
        if (number < most_targets ? !(drawn_.colors >> number & 1) : !drawn_.depth)
            return;
        const uint64_t before = surface.work();
        surface.store(call.x, call.y, tiles, plane, high);
        painted_.work += surface.work() - before;
        painted_.written += surface.work() - before;
    });
    painted_.samples += drawn_.samples;
    check_faults();
}

// ---- Pixels ------------------------------------------------------------------

/// Draws a run of batches, and advances call.position past those that are drawn: all, unless a
/// limit was reached, the shader was interrupted or failed, or memory was slow. Returns false if
/// painting must stop.
bool TilePainter::draw_run(std::span<const Batch> run, Call& call) {
    const PixelPlan& plan = context_.plan;
    const PixelEngine::Drawn before = drawn_;
    Tally tally;
    // With an interrupt pending, a batch would test depths and then be cut at its first texture
    // instruction.
    const auto may_go_on = [&] {
        const std::atomic<bool>* const interrupt = call.limit.interrupt;
        const uint64_t memory = memory_->cost() - memory_before_;
        return memory <= most_memory_of_run &&
               painted_.work + tally.work + memory < call.limit.work &&
               !(interrupt && interrupt->load(std::memory_order_relaxed));
    };
    bool good = true;
    size_t done = 0;
    while (done < run.size() && (!done || may_go_on())) {
        const Batch& batch = run[done];
        if (batch.block && plan.constant && (constants_known_ || find_constants()))
            fill_block(batch, call.square, tally);
        else
            good = draw_batch(batch, call, tally);
        if (!good)
            break;
        done++;
    }
    if (!done)
        return false;
    count(tally, before);
    call.position += uint32_t(done);
    checked_ += tally.checked;
    return spend(tally.work, call.limit) && good;
}

/// Calls work(first, count) for each row of the batch's samples in the depth plane. The batch must
/// have been placed.
template<class Work>
void TilePainter::each_depth_row(const Batch& batch, const Work& work) {
    const PipelineSetup& setup = context_.setup;
    const unsigned squares = batch.block ? 1 : batch.count;
    const size_t side = batch.block ? block_edge : 2;
    const size_t columns = side << setup.shift_x, rows = side << setup.shift_y;
    for (unsigned n = 0; n < squares; n++) {
        const Fragments::Place at = fragments_.place[n]; // of a block, the first pixel
        uint32_t* const first = tile_.depth.data() + (size_t(at.y) << setup.shift_y) * edge +
                                (size_t(at.x) << setup.shift_x);
        for (size_t row = 0; row < rows; row++)
            work(first + row * edge, columns);
    }
}

void TilePainter::save_depths(const Batch& batch) {
    uint32_t* to = depths_before_.data();
    each_depth_row(batch,
                   [&to](const uint32_t* row, size_t count) { to = std::copy_n(row, count, to); });
}

void TilePainter::restore_depths(const Batch& batch) {
    const uint32_t* from = depths_before_.data();
    each_depth_row(batch, [&from](uint32_t* row, size_t count) {
        std::copy_n(from, count, row);
        from += count;
    });
}

/// Draws a batch. Returns false if the shader was interrupted or failed. An interrupt leaves the
/// tile unchanged.
bool TilePainter::draw_batch(const Batch& batch, const Call& call, Tally& tally) {
    const PixelPlan& plan = context_.plan;
    place(batch, call.square);
    const bool reads_face = context_.setup.ps.program().traits().internals;
    PixelInputs inputs{&unit_.registers.temporary(0),
                       reads_face ? &unit_.registers.face() : nullptr, nullptr, 0, plan.wanted};
    const PixelEngine::Drawn before = drawn_;
    PixelEngine::SampleLanes passed{};
    const LaneMask covered = covered_pixels();
    Shaded shaded;
    bool seen = true;
    // An interrupt may cut texture instructions after the early test, and the batch is then drawn
    // again. It must not be tested against its own depths.
    const DepthSetup& depth = context_.setup.pe.depth;
    const bool may_be_cut = plan.early_tests && (depth.write || depth.stencil) &&
                            call.limit.interrupt &&
                            (context_.setup.ps.program().traits().samplers ||
                             context_.setup.ps.program().traits().loads);
    if (may_be_cut)
        save_depths(batch);
    if (plan.early_tests) {
        constexpr Components nothing{};
        PixelInputs depths{&unit_.registers.temporary(0), nullptr, fragments_.depth.data(), 0,
                           nothing};
        if (batch.block)
            interpolate(context_.setup.ra, BlockRef{batch.block, batch.x, batch.y}, depths);
        else
            interpolate_quads(batch, depths);
        fragments_.positive = depths.positive;
        passed = context_.pe.test(tile_, fragments_, drawn_);
        seen = any_lane(passed) != 0;
    } else if (plan.has_depth) {
        inputs.depth = fragments_.depth.data();
    }
    if (seen) {
        LaneMask live = ~LaneMask(0);
        if (!batch.block)
            live >>= lane_count - 4 * batch.count;
        interpolate_batch(batch, inputs);
        fragments_.positive = inputs.positive;
        if (!context_.setup.ps_bypass && !run_shader(live, covered, call.limit, shaded)) {
            drawn_ = before;
            if (may_be_cut)
                restore_depths(batch);
            return false;
        }
        if (shaded.killed)
            for (LaneMask& sample : fragments_.covered)
                sample &= ~shaded.killed;
        take_outputs();
        if (!plan.early_tests)
            passed = context_.pe.test(tile_, fragments_, drawn_);
        context_.pe.paint(tile_, fragments_, passed, drawn_);
    }
    add_counts(batch, covered, seen, shaded, tally);
    tally.work += plan.batch_work + shaded.work;
    tally.checked += shaded.checked;
    return true;
}

void TilePainter::interpolate_quads(const Batch& batch, PixelInputs& inputs) const {
    interpolate(context_.setup.ra, std::span(quads_).subspan(batch.first, batch.count), inputs);
}

/// Interpolates the inputs of the program. They must be the same for all batches of the tile.
void TilePainter::interpolate_batch(const Batch& batch, PixelInputs& inputs) {
    if (!batch.block)
        return interpolate_quads(batch, inputs);
    const RaSetup& ra = context_.setup.ra;
    if (planes_of_ != batch.block) {
        planes_of_ = batch.block;
        are_planes_ = planes_.prepare(ra, *batch.block, inputs);
    }
    if (!are_planes_)
        return interpolate(ra, BlockRef{batch.block, batch.x, batch.y}, inputs);
    planes_.interpolate(batch.x, batch.y);
    inputs.positive = batch.block->positive ? ~LaneMask(0) : 0;
}

/// Runs the pixel shader. Returns false if it was interrupted or failed.
bool TilePainter::run_shader(LaneMask live, LaneMask covered, const PaintLimit& limit,
                             Shaded& shaded) {
    for (const uint16_t lanes : context_.plan.cleared)
        unit_.registers.temporary(lanes / 4)[lanes % 4].f.fill(0);
    if (context_.plan.idle) {
        const uint64_t instructions = context_.plan.idle_instructions;
        shaded = {0, instructions, 0, instruction_work * instructions, 0};
        return true;
    }
    const Stage& ps = context_.setup.ps;
    CountedTexturing texturing(context_.setup.te, unit_.textures, covered, memory_->texels,
                               limit.interrupt);
    const Outcome outcome = run_program(ps.program(), ps.uniforms(), unit_.registers,
                                        {.live = live,
                                         .texturing = &texturing,
                                         .compiled = ps.compiled(),
                                         .interrupt = limit.interrupt});
    if (outcome.interrupted || texturing.cut())
        return false;
    painted_.endless |= outcome.endless;
    painted_.faulted |= unit_.faulted();
    const uint64_t work = instruction_work * outcome.executed + texturing.work();
    shaded = {outcome.killed, outcome.executed, texturing.requests(), work, 0};
    if (limit.interrupt)
        shaded.checked =
            work + texturing.memory_work() - longest_part(outcome.executed, texturing.longest());
    return !painted_.endless && !painted_.faulted;
}

/// Sets the positions and the coverage of a batch's fragments.
void TilePainter::place(const Batch& batch, const Rect& square) {
    const RaSetup& ra = context_.setup.ra;
    fragments_.covered = {};
    fragments_.block = batch.block != nullptr;
    if (batch.block) {
        const auto x = uint8_t(batch.x - square.left), y = uint8_t(batch.y - square.top);
        const unsigned places = ra.samples > 1 ? quad_count : 1; // see Fragments::block
        for (unsigned q = 0; q < places; q++)
            fragments_.place[q] = {uint8_t(quads_of_block[q].x + x),
                                   uint8_t(quads_of_block[q].y + y)};
        for (unsigned s = 0; s < ra.samples; s++)
            fragments_.covered[s] = ra.enabled >> s & 1 ? ~LaneMask(0) : 0;
        return;
    }
    for (unsigned q = 0; q < batch.count; q++) {
        const QuadRef& quad = quads_[batch.first + q];
        fragments_.place[q] = {uint8_t(quad.x - square.left), uint8_t(quad.y - square.top)};
        for (unsigned s = 0; s < ra.samples; s++)
            fragments_.covered[s] |= LaneMask(quad.covered[s]) << 4 * q;
    }
}

void TilePainter::take_outputs() {
    const PipelineSetup& setup = context_.setup;
    for (unsigned i = 0; i < setup.pe.color.targets; i++)
        fragments_.color[i] = &unit_.registers.temporary(setup.ps_bypass ? 1 : setup.ps_output[i]);
    if (!setup.ps_writes_depth)
        return;
    const Lanes& z = unit_.registers.temporary(0)[2];
    for (unsigned lane = 0; lane < lane_count; lane++)
        fragments_.depth[0].f[lane] = saturated(z.f[lane]);
    for (unsigned s = 1; s < setup.ra.samples; s++)
        fragments_.depth[s] = fragments_.depth[0];
}

// ---- Counters ----------------------------------------------------------------

LaneMask TilePainter::covered_pixels() const {
    return any_lane(fragments_.covered);
}

/// Counts a batch that was drawn. `covered` is its coverage before the shader ran.
void TilePainter::add_counts(const Batch& batch, LaneMask covered, bool seen, const Shaded& shaded,
                             Tally& tally) {
    const uint64_t quads = batch.block ? quad_count : batch.count;
    const uint64_t pixels = count_lanes(covered);
    DrawCounts& counted = tally.counts;
    counted.quads += quads;
    counted.covered += pixels;
    if (seen)
        counted.tested_quads += quads;
    if (seen && !context_.setup.ps_bypass) {
        counted.shaded += pixels;
        counted.instructions += shaded.executed * pixels;
        counted.texels += shaded.texels;
    }
    for (unsigned s = 0; s < context_.setup.ra.samples; s++)
        tally.samples += count_lanes(fragments_.covered[s]);
    painted_.pixels += count_lanes(covered_pixels());
}

/// Adds the counts of a run. `before` is the value of drawn_ before the run.
void TilePainter::count(const Tally& tally, const PixelEngine::Drawn& before) {
    DrawCounts counted = tally.counts;
    const uint64_t passed = drawn_.samples - before.samples;
    counted.killed_by_depth = drawn_.killed - before.killed;
    counted.killed_by_alpha = tally.samples - counted.killed_by_depth - passed;
    counted.drawn_color = drawn_.colors ? passed : 0;
    counted.drawn_depth = context_.setup.pe.depth.write ? passed : 0;
    painted_.counts += counted;
}

/// Counts filled tiles, as if the program had run for each pixel.
void TilePainter::count_fill(const Covered& covered) {
    const PipelineSetup& setup = context_.setup;
    const uint64_t pixels = covered.pixels, samples = pixels * setup.ra.samples;
    const bool colors = std::ranges::any_of(colors_, [](const auto& c) { return c.has_value(); });
    DrawCounts counted;
    counted.quads = counted.tested_quads = covered.quads;
    counted.covered = counted.shaded = pixels;
    counted.instructions = constant_instructions_ * pixels;
    counted.drawn_color = colors ? samples : 0;
    counted.drawn_depth = setup.pe.depth.write ? samples : 0;
    painted_.counts += counted;
}

// ---- One color ---------------------------------------------------------------

/// Computes the words to fill all pixels with. Leaves the tile unchanged.
bool TilePainter::find_constants() {
    Shaded shaded;
    if (!run_shader(~LaneMask(0), 0, {}, shaded))
        return false;
    constant_instructions_ = shaded.executed;
    fragments_.block = false;
    for (unsigned q = 0; q < quad_count; q++)
        fragments_.place[q] = {};
    fragments_.covered = {1};
    take_outputs();
    std::array<uint32_t, most_targets> before{};
    for (unsigned n = 0; n < most_targets; n++)
        before[n] = tile_.color[n][0];
    PixelEngine::Drawn unused;
    context_.pe.paint(tile_, fragments_, {1}, unused);
    for (unsigned n = 0; n < most_targets; n++)
        constant_[n] = std::exchange(tile_.color[n][0], before[n]);
    constants_known_ = true;
    return true;
}

namespace {

/// Maximum number of primitives that are checked for covering tiles together.
constexpr size_t most_covering = 8;

/// True if a few primitives together cover a whole tile. Adds up their pixels and quads.
bool is_covered(const Tiles& tiles, uint32_t number, const Rect& square, const RaSetup& ra,
                Covered& covered) {
    const std::span<const uint16_t> list = tiles.bins.of(number);
    if (list.size() > most_covering || square.intersect(ra.scissor) != square)
        return false;
    TileCoverage coverage(square, ra);
    for (const uint16_t primitive : list)
        if (!coverage.add(tiles.primitives[primitive]->shape))
            return false;
    if (!coverage.is_whole())
        return false;
    covered.pixels += coverage.covered().pixels;
    covered.quads += coverage.covered().quads;
    return true;
}

/// True if it is easy to see that the primitives of a small batch cover a rectangle of whole tiles.
bool is_covered_at_once(const Tiles& tiles, const Rect& pixels, const RaSetup& ra,
                        Covered& covered) {
    if (pixels.intersect(ra.scissor) != pixels)
        return false;
    RectangleCoverage coverage(pixels, ra);
    for (const Primitive* primitive : tiles.primitives)
        if (!coverage.add(primitive->shape))
            return false;
    covered = coverage.covered();
    return coverage.is_whole();
}

} // namespace

/// Returns covered tiles, from tile `first` on and before `end`: whole rows, if that is easy to
/// see, or consecutive tiles of a row.
TilePainter::FillArea TilePainter::find_covered(const Tiles& tiles, uint32_t first, uint32_t end,
                                                const PaintLimit& limit) const {
    const PipelineSetup& setup = context_.setup;
    const TileBins& bins = tiles.bins;
    constexpr uint64_t batches_of_tile = edge * edge / lane_count;
    const uint64_t left = limit.work - std::min(painted_.work, limit.work);
    const uint64_t affordable = left / (context_.plan.fill_work * batches_of_tile) + 1;
    const auto most = uint32_t(std::min<uint64_t>({end - first, most_filled_, affordable}));
    const uint32_t across = bins.across(), column = first % across;
    const uint32_t in_row = std::min(most, across - column);
    const Rect one = square(bins.place(first));
    if (tiles.primitives.size() <= most_covering && bins.passes() == 1) {
        const auto area = [&](uint32_t columns, uint32_t rows) -> FillArea {
            const Rect pixels{one.left, one.top, int32_t(one.left + columns * one.width()),
                              int32_t(one.top + rows * one.height())};
            FillArea all{columns, rows, {}};
            return is_covered_at_once(tiles, pixels, setup.ra, all.covered) ? all : FillArea{};
        };
        FillArea found;
        if (!column && most >= 2 * across)
            found = area(across, most / across);
        if (!found.rows && in_row > 1)
            found = area(in_row, 1);
        if (found.rows)
            return found;
    }
    FillArea found{0, 1, {}};
    while (found.columns < in_row &&
           is_covered(tiles, first + found.columns, square(bins.place(first + found.columns)),
                      setup.ra, found.covered))
        found.columns++;
    return found;
}

/// Fills covered tiles, starting at tile `first` and ending before `end`. Returns the number of
/// tiles filled, or 0 if some target cannot be filled that way. Then no target has been changed.
uint32_t TilePainter::fill_tiles(const Tiles& tiles, uint32_t first, uint32_t end,
                                 const PaintLimit& limit) {
    const PipelineSetup& setup = context_.setup;
    const FillArea area = find_covered(tiles, first, end, limit);
    const uint32_t count = area.columns * area.rows;
    if (!count || (!constants_known_ && !find_constants()))
        return 0;
    const TileBins::Place place = tiles.bins.place(first);
    const RenderSurface::Squares squares{uint32_t(place.x), uint32_t(place.y), area.columns,
                                         area.rows};
    const auto opens = [&](auto& color) { return !color || color->open_to_fill(squares); };
    if (!std::ranges::all_of(colors_, opens)) {
        // A single row may still be contiguous.
        most_filled_ = area.rows > 1 ? tiles.bins.across() : 1;
        return 0;
    }
    for (unsigned n = 0; n < most_targets; n++)
        if (colors_[n])
            colors_[n]->fill(squares, constant_[n]);
    constexpr uint64_t samples = edge * edge;
    each_target([&](const RenderSurface&, const RenderTile::Plane&, const RenderTile::Plane*,
                    unsigned n) { painted_.written += count * samples * setup.color[n].bytes; });
    painted_.pixels += area.covered.pixels;
    painted_.samples += area.covered.pixels * setup.ra.samples;
    count_fill(area.covered);
    spend(count * samples / setup.ra.samples / lane_count * context_.plan.fill_work, limit);
    return count;
}

/// Fills a block. Counts its pixels as if the program had run for each.
void TilePainter::fill_block(const Batch& batch, const Rect& square, Tally& tally) {
    const PipelineSetup& setup = context_.setup;
    const auto x = size_t(batch.x - square.left) << setup.shift_x;
    const auto y = size_t(batch.y - square.top) << setup.shift_y;
    const size_t columns = size_t(block_edge) << setup.shift_x;
    const size_t rows = size_t(block_edge) << setup.shift_y;
    for (unsigned n = 0; n < most_targets; n++) {
        if (!colors_[n])
            continue;
        for (size_t row = y; row < y + rows; row++)
            std::fill_n(tile_.color[n].begin() + ptrdiff_t(row * edge + x), columns, constant_[n]);
        drawn_.colors |= uint8_t(1u << n);
    }
    constexpr uint64_t pixels = block_edge * block_edge;
    const uint64_t samples = pixels * setup.ra.samples;
    painted_.pixels += pixels;
    drawn_.samples += samples;
    tally.samples += samples;
    tally.work += context_.plan.fill_work;
    tally.counts.quads += quad_count;
    tally.counts.tested_quads += quad_count;
    tally.counts.covered += pixels;
    tally.counts.shaded += pixels;
    tally.counts.instructions += constant_instructions_ * pixels;
}

} // namespace pixmill::vivante

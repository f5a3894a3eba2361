// SPDX-License-Identifier: GPL-2.0-or-later
//
// Splits a draw into batches of primitives, and draws each batch tile by tile. A batch consists of
// sections: sections limit how much memory vertices need, and the work that an interrupt loses.
// Threads share the sections of a batch, and then its tiles.
#include "draw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "parallel_tiles.hpp"
#include "parallel_vertices.hpp"
#include "pipeline_setup.hpp"
#include "section.hpp"
#include "tile_bins.hpp"
#include "tile_painter.hpp"
#include "vertex_stage.hpp"
#include "vivante/3d/pa/assembler.hpp"

namespace pixmill::vivante {

namespace {

/// Maximum number of vertices that an index adds: the corners of two triangles of a quad.
constexpr unsigned most_new_vertices = 4;

/// Limits of a batch: it gets no more sections once it has this many or this much work. The work is
/// worth several threads, but little enough that primitives stay in the host's caches.
constexpr unsigned most_sections = 16;
constexpr uint64_t enough_work = 16 << 20;
constexpr size_t most_of_batch = TileBins::most_primitives_of_batch;
static_assert(Section::most_drawn <= most_of_batch);

/// Work in memcpy-equivalent bytes: per index, per tile that has primitives, and per entry of a
/// tile's list, to draw it and to sort it.
constexpr uint64_t index_work = 16, tile_work = 512, list_work = 32, sort_work = 64;

/// Maximum number of indices read at once.
constexpr unsigned index_chunk = 256;

/// Reads memory ahead of the draw, which may never access it. If memory is absent, returns a fault
/// that the core does not see.
class MemoryAhead final : public Memory {
public:
    explicit MemoryAhead(Memory& memory) : memory_(memory) {}

    HostSpan map(uint64_t address, uint64_t length, Access access) override {
        const uint64_t most = std::min(length, page_bytes - address % page_bytes);
        std::byte* const host = memory_.map_contiguous(address, most, access);
        return host ? HostSpan{Mapping::host, 0, host, most} : HostSpan{};
    }
    void mark_dirty(uint64_t, uint64_t) override {}

private:
    Memory& memory_;
};

} // namespace

/// Returns the vertex numbers of a draw: indices from memory, or consecutive numbers. Reads several
/// indices at once, but none in a page of which the draw may need no index.
class IndexReader {
public:
    IndexReader(const PipelineSetup& setup, Memory& memory) : setup_(setup), memory_(memory) {}

    uint32_t operator[](uint64_t number) {
        if (!setup_.command.indexed)
            return setup_.command.start + uint32_t(number);
        if (number - first_ >= count_)
            read(number);
        return chunk_[number - first_];
    }
    bool faulted() const { return faulted_; }

private:
    void read(uint64_t number) {
        const IndexSetup& setup = setup_.indices;
        const uint32_t address = setup.address + uint32_t(number) * setup.bytes;
        const uint64_t in_page = Memory::page_bytes - address % Memory::page_bytes;
        first_ = number;
        count_ = std::clamp<uint64_t>(in_page / setup.bytes, 1, index_chunk);
        faulted_ |=
            !read_indices(setup, memory_, uint32_t(number), std::span(chunk_).first(count_));
    }

    const PipelineSetup& setup_;
    Memory& memory_;
    uint64_t first_ = 0, count_ = 0; ///< the indices in chunk_
    bool faulted_ = false;
    std::array<uint32_t, index_chunk> chunk_{};
};

struct Draw::Parts {
    PipelineSetup setup;
    Assembler assembler;
    PixelEngine pe;
    PixelPlan plan;
    ShaderUnit unit; ///< used by the calling thread: shades vertices, then tiles
    VertexStage stage{setup, unit};
    TilePainter painter{{setup, plan, pe}, unit};
    ParallelVertices parallel_vertices;
    ParallelTiles parallel;

    Parts(ThreadPool& pool, uint64_t share, JitMode jit, ShaderIsa isa)
        : parallel_vertices(setup, pool, share), parallel({setup, plan, pe}, pool, share) {
        setup.programs = ProgramCache(jit, isa);
        own.reserve(most_of_batch);
        primitives.reserve(most_of_batch);
    }

    // The current batch of primitives. It begins at the draw's position. While it grows, an
    // interrupt loses only the section that is being built, and the end of the budget loses
    // nothing.
    enum class Progress : uint8_t { none, growing, ready } batch = Progress::none;
    bool hurries = false; ///< finish the batch in this call; see note_migration()
    Assembler::Place end; ///< of the last section
    unsigned sections = 0;
    uint64_t work_before_tiles = 0; ///< of all sections, excluding memory accesses
    /// The batch's primitives, in order. Those of sections made by several threads are stored in
    /// the sections, all others in `own`.
    std::vector<const Primitive*> primitives;
    std::vector<Primitive> own;
    TileBins bins;
    PrimitiveCounts counts; ///< of the batch; added to the result when the batch is finished

    FeProgress unseen;
    FeProgress* shown = &unseen;

    /// The batch's sections, then those that are being built.
    std::array<Section, most_sections> section;
    VertexBatch group; ///< scratch

    // State of one run() call.
    struct Call {
        const DrawMemory& memory;
        DrawPosition& position;
        DrawResult result;
        int64_t budget;
        const std::atomic<bool>& interrupt;
        uint64_t memory_before = memory.vertices.cost();
        uint64_t checked = 0;     ///< result.work at the last interrupt check
        bool interrupted = false; ///< interrupted while building a section; rebuild it

        PixelMemory pixel_memory() const { return {memory.texels, memory.colors, memory.depths}; }
        uint64_t left() const { return uint64_t(budget) - std::min(result.work, uint64_t(budget)); }
        /// Adds work. Returns false if the budget is spent or an interrupt is pending.
        bool spend(uint64_t work) {
            const uint64_t now = memory.vertices.cost();
            result.work += work + (now - memory_before);
            memory_before = now;
            result.longest = std::max(result.longest, result.work - checked);
            checked = result.work;
            return result.work < uint64_t(budget) && !interrupt.load(std::memory_order_relaxed);
        }
        /// True if an interrupt is pending, so building a batch must stop.
        bool cut() {
            interrupted |= interrupt.load(std::memory_order_relaxed);
            return interrupted;
        }
        void add(const DrawResult& painted) {
            result += painted;
            checked += painted.work; // the painter checks for interrupts itself
        }
    };

    bool make_batch(Call& call);
    uint64_t load() const;
    bool wants_more() const;
    bool add_section(Call& call);
    bool shade(Call& call, Section& made, unsigned number);
    bool share_sections(Call& call);
    unsigned sections_ahead(uint64_t left) const;
    std::span<Section> assemble_ahead(Call& call, unsigned count);
    template<class Close>
    bool assemble(IndexReader& index, Section& out, const Close& close);
    void take(const Section& made, std::span<const Primitive> drawn);

    FeCounts drawn(const DrawPosition& at) const;
    void show(Call& call, const FeCounts& counted, FeCounts& before);
    bool draw_tiles(Call& call);
    uint32_t draw_tile(Call& call);
    bool share_tiles(Call& call);
};

Draw::Draw(ThreadPool& pool, uint64_t share, JitMode jit, ShaderIsa isa)
    : parts_(std::make_unique<Parts>(pool, share, jit, isa)) {}
Draw::~Draw() = default;

void Draw::prepare(const States& states, const DrawCommand& command, const Features3d& features,
                   Host& host, Memory* memory) {
    Parts& p = *parts_;
    p.setup.decode(states, command, features, memory);
    p.setup.log_unsupported(states, features, host);
    // Only programs with branches need room, and those never run on other threads.
    p.unit.registers.make_room(p.setup.vs.program());
    p.unit.registers.make_room(p.setup.ps.program());
    p.assembler = command.instanced
                      ? Assembler::instanced(command.type, command.count, command.instances,
                                             p.setup.provoking_last)
                      : Assembler(command.type, command.count, p.setup.provoking_last,
                                  p.setup.indices.restart && command.indexed);
    p.pe.prepare(p.setup.pe);
    p.plan.prepare(p.setup, p.pe);
    begin_slice();
    p.batch = Parts::Progress::none;
    p.hurries = false;
}

void Draw::note_migration() {
    parts_->hurries = true;
}

void Draw::show_progress(FeProgress& shown) {
    parts_->shown = &shown;
}

void Draw::begin_slice() {
    parts_->parallel.begin_slice();
    parts_->parallel_vertices.begin_slice();
}

DrawResult Draw::run(const DrawMemory& memory, DrawPosition& position, int64_t work,
                     const std::atomic<bool>& interrupt) {
    Parts& p = *parts_;
    Parts::Call call{memory, position, {}, work, interrupt};
    p.unit.begin(p.setup, memory.texels);
    p.painter.begin(call.pixel_memory());
    bool goes_on = true;
    while (goes_on) {
        p.assembler.resume(position.place);
        const bool ready = p.batch == Parts::Progress::ready;
        if (!ready && p.assembler.done()) {
            call.result.finished = true;
            break;
        }
        // Even invisible batches consume the budget, since a guest may draw 2^32 primitives.
        goes_on = (ready || p.make_batch(call)) && p.draw_tiles(call) && call.spend(0);
    }
    p.painter.end();
    call.add(p.painter.take());
    call.spend(0);
    p.setup.ps.note(call.result.counts.shaded);
    return call.result;
}

// ---- Vertices ------------------------------------------------------------------

/// Builds a batch of one or more sections, and sorts its primitives into bins. Returns false on a
/// fault, an endless shader or an interrupt, or if the budget ends before the batch is ready.
bool Draw::Parts::make_batch(Call& call) {
    if (batch == Progress::none) {
        batch = Progress::growing;
        end = call.position.place;
        sections = 0;
        work_before_tiles = 0;
        primitives.clear();
        own.clear();
        counts = {};
        bins.begin(setup.ra.scissor, int32_t(RenderTile::edge >> setup.shift_x),
                   int32_t(RenderTile::edge >> setup.shift_y));
    }
    assembler.resume(end);
    while (!sections || wants_more()) {
        const bool time = !sections || hurries || call.left();
        if (!time || call.cut() || !(share_sections(call) || add_section(call)))
            return false;
    }
    if (call.cut())
        return false;
    bins.sort(primitives, parallel.most_pixels_of_tile());
    batch = Progress::ready;
    hurries = false;
    call.spend(bins.sorted() ? sort_work * bins.entries() : 0);
    return !call.cut();
}

/// Returns the work of the batch. Valid only if plan.straight is set.
uint64_t Draw::Parts::load() const {
    return work_before_tiles + plan.work_of(bins.pixels()) + tile_work * bins.entries();
}

/// True if the batch has too little work for several threads, and room for more. Depends only on
/// the draw, since the position within a batch must have the same meaning after a migration.
bool Draw::Parts::wants_more() const {
    const bool straight = plan.straight && !setup.vs.program().traits().branches;
    if (!straight || assembler.done() || sections == most_sections ||
        primitives.size() + Section::most_drawn > most_of_batch)
        return false;
    return load() < enough_work;
}

/// Shades as many vertices as fit in a section, and adds their primitives to the batch. Returns
/// false on a fault, an endless shader or an interrupt; the batch is then unchanged.
bool Draw::Parts::add_section(Call& call) {
    Section& made = section[sections];
    IndexReader index(setup, call.memory.vertices);
    assembler.resume(end);
    const bool good =
        assemble(index, made, [&](unsigned number) { return shade(call, made, number); });
    call.result.faulted |= index.faulted();
    if (!good || call.result.faulted)
        return false;
    const size_t before = own.size();
    const uint64_t work = stage.set_up(made, own);
    call.spend(work + index_work * made.counts.vertices);
    take(made, std::span(own).subspan(before));
    return true;
}

/// Shades a group of the section. Returns false on a fault, an endless shader or an interrupt.
bool Draw::Parts::shade(Call& call, Section& made, unsigned number) {
    if (number && call.cut())
        return false;
    const VertexStage::Outcome shaded =
        stage.shade(made, number, call.memory.vertices, call.memory.texels, &call.interrupt);
    painter.note_memory(); // accounts for texel fetches
    call.result.faulted |= shaded.faulted;
    call.result.endless |= shaded.endless;
    call.interrupted |= shaded.interrupted;
    call.result.longest = std::max(call.result.longest, shaded.longest);
    call.checked += shaded.work - std::min(shaded.work, shaded.longest);
    call.spend(shaded.work);
    return shaded.good();
}

/// Makes sections on several threads if that is faster, and adds those that the batch needs. The
/// others are made again for the next batch, since this one may overwrite their vertices. Returns
/// false if none was added; the batch is then unchanged, and no fault has occurred.
bool Draw::Parts::share_sections(Call& call) {
    if (!sections) // the first section shows how many more the batch needs
        return false;
    const uint64_t left = hurries ? uint64_t(call.budget) : call.left();
    const unsigned wanted = sections_ahead(left);
    const uint64_t work = std::min(work_before_tiles / sections * wanted, left);
    if (wanted < 2 || !parallel_vertices.wants(work))
        return false;
    const uint64_t before = call.result.work;
    const std::span<Section> ahead = assemble_ahead(call, wanted);
    const bool ready =
        ahead.size() > 1 && parallel_vertices.prepare(ahead, call.memory.vertices, work);
    call.spend(0);         // accounts for mapping
    call.checked = before; // nothing has checked for interrupts since
    if (!ready)
        return false;
    // Even if an interrupt is pending, threads finish a section. Otherwise a draw that is
    // interrupted whenever it maps memory would never end.
    ParallelVertices::Outcome outcome = parallel_vertices.run(ahead, work, left, call.interrupt);
    outcome.made.longest += call.result.work - before;
    call.add(outcome.made);
    call.checked = call.result.work;
    unsigned added = 0;
    for (const Section& made : ahead.first(outcome.taken)) {
        if (!made.finished || (added && !wants_more()))
            break;
        take(made, made.primitives);
        added++;
    }
    call.result.vain_sections += outcome.taken - added;
    return added > 0;
}

/// Returns how many more sections the batch probably needs, judged by those that it has, or how
/// many can be made with the work that is left. Those may say little about the next ones, for
/// example if they are invisible, and sections that the batch does not need are made in vain. So
/// returns at most twice as many as the batch has, or as many as justify a second thread.
unsigned Draw::Parts::sections_ahead(uint64_t left) const {
    const uint64_t work = std::max<uint64_t>(work_before_tiles / sections, 1); // of each
    const auto until = [&](uint64_t most, uint64_t now) { // `now` is less than or equal to `most`
        return (most - now) / std::max<uint64_t>(now / sections, 1) + 1;
    };
    const uint64_t of_work = until(enough_work, load());
    const uint64_t of_primitives = until(most_of_batch - Section::most_drawn, primitives.size());
    const uint64_t of_budget = left / work + 1;
    const uint64_t trusted =
        std::max<uint64_t>(2 * uint64_t(sections), parallel_vertices.least() / work + 1);
    return unsigned(
        std::min<uint64_t>({of_work, of_primitives, of_budget, trusted, most_sections - sections}));
}

/// Assembles up to `count` sections after the batch, and returns them. Stops, without a fault,
/// before a section for which add_section() would find a fault or a hole in the indices.
std::span<Section> Draw::Parts::assemble_ahead(Call& call, unsigned count) {
    MemoryAhead memory(call.memory.vertices);
    const std::span<Section> room = std::span(section).subspan(sections, count);
    assembler.resume(end);
    size_t done = 0;
    uint64_t indices = 0;
    while (done < room.size() && !assembler.done()) {
        IndexReader index(setup, memory); // a new one, to read ahead as far as add_section()
        assemble(index, room[done], [](unsigned) { return true; });
        indices += room[done].counts.vertices;
        if (index.faulted())
            break;
        done++;
    }
    call.spend(index_work * indices);
    return room.first(done);
}

/// Reads the indices of a section, and assembles its primitives. Calls close(number) after each
/// group of vertices. Stops and returns false if that returns false.
template<class Close>
bool Draw::Parts::assemble(IndexReader& index, Section& out, const Close& close) {
    uint64_t taken = 0;
    const bool indexed = setup.command.indexed;
    out.clear();
    group.clear();
    group.begin_instance(uint32_t(assembler.place().instance));
    bool good = true;
    const auto close_group = [&] {
        out.add(group);
        group.clear();
        good = close(out.groups - 1);
    };
    while (good && out.groups < Section::most_groups && !assembler.done() &&
           out.assembled.size() < Section::most_assembled && taken < Section::most_indices) {
        if (assembler.advance())
            group.begin_instance(uint32_t(assembler.place().instance));
        taken++;
        const uint32_t i = index[assembler.place().taken];
        const bool restarts = indexed && setup.indices.restarts(i);
        const uint32_t vertex = indexed ? setup.indices.vertex(i) : i;
        for (const Corners& corners : restarts ? assembler.restart() : assembler.take(vertex)) {
            Section::Assembled a{{}, corners.count, corners.provoking};
            for (unsigned c = 0; c < corners.count; c++)
                a.vertex[c] = uint16_t(out.groups * lane_count + group.add(corners.vertex[c]));
            out.assembled.push_back(a);
        }
        if (group.room() < most_new_vertices)
            close_group();
    }
    if (good && group.size())
        close_group();
    out.end = assembler.place();
    out.counts.vertices = taken;
    out.counts.primitives = out.assembled.size();
    out.work += index_work * out.counts.vertices;
    return good;
}

/// Adds the next section, whose primitives are `drawn`, to the batch.
void Draw::Parts::take(const Section& made, std::span<const Primitive> drawn) {
    const size_t before = primitives.size();
    for (const Primitive& primitive : drawn)
        primitives.push_back(&primitive);
    bins.add(std::span(primitives).subspan(before));
    counts += made.counts;
    work_before_tiles += made.work;
    setup.vs.note(made.counts.shaded);
    end = made.end;
    assembler.resume(end);
    sections++;
}

// ---- Tiles ---------------------------------------------------------------------

/// Returns the batch's FE counts at a position: its totals, scaled by the fraction of pixels drawn
/// so far. The result depends only on the position and the primitives, not on when the draw was
/// interrupted.
FeCounts Draw::Parts::drawn(const DrawPosition& at) const {
    const uint64_t all = bins.pixels();
    uint64_t pixels = all;
    if (!all)
        return {};
    if (at.tiles < bins.count()) {
        pixels = std::min(bins.pixels_before(at.tiles) + uint64_t(at.batches) * lane_count,
                          bins.pixels_before(at.tiles + 1));
    }
    return {counts.primitives * pixels / all, counts.vertices * pixels / all};
}

/// Publishes the counts added since `before`, then sets `before` to `counted`.
void Draw::Parts::show(Call& call, const FeCounts& counted, FeCounts& before) {
    const FeCounts more = counted - before;
    call.result.fe += more;
    shown->add(more.primitives, more.vertices);
    before = counted;
}

/// Draws tiles of the batch. Returns true if the batch is finished and the budget allows another.
bool Draw::Parts::draw_tiles(Call& call) {
    DrawPosition& at = call.position;
    bool time = true;
    FeCounts reported = drawn(at);
    while (at.tiles < bins.count()) {
        if (!time)
            return false;
        if (share_tiles(call)) {
            show(call, drawn(at), reported);
            time = call.spend(0);
            continue;
        }
        const size_t seen = bins.of(at.tiles).size();
        const uint32_t done = seen ? draw_tile(call) : 1;
        if (done) {
            at.tiles += done;
            at.batches = 0;
        }
        if (seen)
            show(call, drawn(at), reported);
        if (!done)
            return false;
        if (seen)
            time = call.spend(done * (tile_work + list_work * seen));
    }
    show(call, {counts.primitives, counts.vertices}, reported); // includes invisible primitives
    call.result.counts.primitives += counts;
    at = {.place = end};
    batch = Progress::none;
    return time;
}

/// Draws the tiles on several threads if that is faster and cannot change the result. Otherwise
/// returns false.
bool Draw::Parts::share_tiles(Call& call) {
    DrawPosition& at = call.position;
    const Tiles tiles{primitives, bins};
    // Building the batch may have spent the budget. draw_tiles() would then draw one batch of
    // pixels, and leave the rest of that tile to one thread.
    const uint64_t left = std::max(call.left(), std::min(uint64_t(call.budget), parallel.least()));
    if (at.batches || !parallel.takes(tiles, at.tiles, left, call.pixel_memory()))
        return false;
    const ParallelTiles::Outcome outcome =
        parallel.paint(tiles, at.tiles, left, call.pixel_memory(), call.interrupt);
    at.tiles = outcome.next;
    call.add(outcome.painted);
    return true;
}

/// Draws tile position.tiles, starting at pixel batch position.batches, and possibly more tiles
/// after it. Returns the number of tiles finished.
uint32_t Draw::Parts::draw_tile(Call& call) {
    DrawPosition& at = call.position;
    const uint32_t done = painter.paint({primitives, bins}, at.tiles, bins.count(), at.batches,
                                        {call.left(), &call.interrupt});
    call.add(painter.take());
    return done;
}

} // namespace pixmill::vivante

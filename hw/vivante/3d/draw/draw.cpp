// SPDX-License-Identifier: GPL-2.0-or-later
//
// Splits a draw into batches of primitives, and draws each batch tile by tile. A batch consists of
// sections: sections limit how much memory vertices need, and the work that an interrupt loses.
#include "draw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "counted_texturing.hpp"
#include "parallel_tiles.hpp"
#include "pipeline_setup.hpp"
#include "tile_bins.hpp"
#include "tile_painter.hpp"
#include "vivante/3d/pa/assembler.hpp"
#include "vivante/3d/sh/shader.hpp"

namespace pixmill::vivante {

namespace {

/// pixmill::vivante::run(), which Draw::run() hides.
constexpr auto run_program = run;

/// Limits of a section: 64-vertex groups, new vertices per index, assembled primitives, and indices
/// (which may complete no primitive).
constexpr unsigned most_groups = 4, most_new_vertices = 4, most_assembled = 256,
                   most_indices = 2048;
constexpr size_t most_of_section = (most_assembled + Assembler::most) * most_primitives;

/// Limits of a batch: it gets no more sections once it has this many or this much work. The work is
/// worth several threads, but little enough that primitives stay in the host's caches.
constexpr unsigned most_sections = 16;
constexpr uint64_t enough_work = 16 << 20;
constexpr size_t most_of_batch = TileBins::most_primitives_of_batch;
static_assert(most_of_section <= most_of_batch);

/// Work in memcpy-equivalent bytes: per vertex (excluding its shader), per primitive, per index,
/// per tile that has primitives, and per entry of a tile's list, to draw it and to sort it.
constexpr uint64_t vertex_work = 256, primitive_work = 2048, index_work = 16, tile_work = 512,
                   list_work = 32, sort_work = 64;

/// Maximum number of indices read at once.
constexpr unsigned index_chunk = 256;

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
    TilePainter painter{{setup, plan, pe}, unit};
    ParallelTiles parallel;

    Parts(ThreadPool& pool, uint64_t share, JitMode jit)
        : parallel({setup, plan, pe}, pool, share) {
        setup.programs = ProgramCache(jit);
        primitives.reserve(most_of_batch);
        assembled.reserve(most_assembled + Assembler::most);
    }

    // The current batch of primitives. It begins at the draw's position. While it grows, an
    // interrupt loses only the section that is being built, and the end of the budget loses
    // nothing.
    enum class Progress : uint8_t { none, growing, ready } batch = Progress::none;
    bool hurries = false; ///< finish the batch in this call; see note_migration()
    Assembler::Place end; ///< of the last section
    unsigned sections = 0;
    uint64_t work_before_tiles = 0; ///< of all sections, excluding memory accesses
    std::vector<Primitive> primitives;
    TileBins bins;
    PrimitiveCounts counts; ///< of the batch; added to the result when the batch is finished

    FeProgress unseen;
    FeProgress* shown = &unseen;

    // The section that is being built.
    PrimitiveCounts section_counts;
    uint64_t section_work = 0;
    std::array<Vector, most_elements> attributes;
    VertexBatch group;
    std::array<Vertex, most_groups * lane_count> vertices;
    struct Assembled {
        std::array<uint16_t, 3> vertex;
        uint8_t count, provoking;
    };
    std::vector<Assembled> assembled;

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
    bool add_section(Call& call);
    void set_up_section(Call& call);
    bool wants_more() const;
    void add(const Corners& corners, unsigned first);
    bool shade_vertices(Call& call, unsigned first);
    void take_vertices(unsigned first, unsigned count);

    FeCounts drawn(const DrawPosition& at) const;
    void show(Call& call, const FeCounts& counted, FeCounts& before);
    bool draw_tiles(Call& call);
    uint32_t draw_tile(Call& call);
    bool share_tiles(Call& call);
};

Draw::Draw(ThreadPool& pool, uint64_t share, JitMode jit)
    : parts_(std::make_unique<Parts>(pool, share, jit)) {}
Draw::~Draw() = default;

void Draw::prepare(const States& states, const DrawCommand& command, const Features3d& features,
                   Host& host) {
    Parts& p = *parts_;
    p.setup.decode(states, command, features);
    p.setup.log_unsupported(states, host);
    // Only programs with branches need room, and those never run on other threads.
    p.unit.registers.make_room(p.setup.vs.program());
    p.unit.registers.make_room(p.setup.ps.program());
    p.assembler = Assembler(command.type, command.count, p.setup.provoking_last,
                            p.setup.indices.restart && command.indexed);
    p.pe.prepare(p.setup.pe);
    p.plan.prepare(p.setup, p.pe);
    p.parallel.begin_slice();
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
        counts = {};
        bins.begin(setup.ra.scissor, int32_t(RenderTile::edge >> setup.shift_x),
                   int32_t(RenderTile::edge >> setup.shift_y));
    }
    assembler.resume(end);
    while (!sections || wants_more()) {
        const bool time = !sections || hurries || call.left();
        if (!time || call.cut() || !add_section(call))
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

/// True if the batch has too little work for several threads, and room for more. Depends only on
/// the draw, since the position within a batch must have the same meaning after a migration.
bool Draw::Parts::wants_more() const {
    const bool straight = plan.straight && !setup.vs.program().traits().branches;
    if (!straight || assembler.done() || sections == most_sections ||
        primitives.size() + most_of_section > most_of_batch)
        return false;
    return work_before_tiles + plan.work_of(bins.pixels()) + tile_work * bins.entries() <
           enough_work;
}

/// Shades as many vertices as fit in a section, and adds their primitives to the batch. Returns
/// false on a fault, an endless shader or an interrupt; the batch is then unchanged.
bool Draw::Parts::add_section(Call& call) {
    const uint64_t begin = end.taken;
    assembler.resume(end);
    assembled.clear();
    group.clear();
    section_counts = {};
    section_work = 0;
    IndexReader index(setup, call.memory.vertices);
    unsigned first = 0; // index in the section of the group's first vertex
    bool good = true;
    while (good && first < vertices.size() && !assembler.done() &&
           assembled.size() < most_assembled && assembler.place().taken - begin < most_indices) {
        const uint32_t i = index[assembler.place().taken];
        const bool restarts = setup.command.indexed && setup.indices.restarts(i);
        const uint32_t vertex = setup.command.indexed ? setup.indices.vertex(i) : i;
        for (const Corners& corners : restarts ? assembler.restart() : assembler.take(vertex))
            add(corners, first);
        if (group.room() >= most_new_vertices)
            continue;
        good = shade_vertices(call, first) && !call.cut();
        first += lane_count;
        group.clear();
    }
    if (group.size())
        good = shade_vertices(call, first) && good;
    call.result.faulted |= index.faulted() || (!good && !call.result.endless && !call.interrupted);
    if (call.result.faulted || call.result.endless || call.interrupted)
        return false;
    set_up_section(call);
    return true;
}

/// Adds a section's primitives to the batch, after its vertices are shaded.
void Draw::Parts::set_up_section(Call& call) {
    const size_t before = primitives.size();
    for (const Assembled& a : assembled) {
        std::array<const Vertex*, 3> corner{};
        for (unsigned c = 0; c < a.count; c++)
            corner[c] = &vertices[a.vertex[c]];
        section_counts.pa += set_up(setup.pa, {corner.data(), a.count}, a.provoking, primitives);
    }
    bins.add(std::span(primitives).subspan(before));
    section_counts.vertices = assembler.place().taken - end.taken;
    section_counts.primitives = assembled.size();
    section_counts.drawn = primitives.size() - before;
    counts += section_counts;
    const uint64_t work = primitive_work * assembled.size() + index_work * section_counts.vertices;
    call.spend(work);
    work_before_tiles += section_work + work;
    end = assembler.place();
    sections++;
}

/// Adds a primitive to the section. `first` is the index in the section of the group's first
/// vertex.
void Draw::Parts::add(const Corners& corners, unsigned first) {
    Assembled a{{}, corners.count, corners.provoking};
    for (unsigned c = 0; c < corners.count; c++)
        a.vertex[c] = uint16_t(first + group.add(corners.vertex[c]));
    assembled.push_back(a);
}

/// Fetches and shades the group's vertices. Returns false on a fault, an endless shader or an
/// interrupt.
bool Draw::Parts::shade_vertices(Call& call, unsigned first) {
    VertexFetch fetch(setup.fetch, call.memory.vertices);
    fetch.fetch(group.vertices(), attributes);
    if (fetch.faulted())
        return false;
    ShaderState& shader = unit.registers;
    shader.clear_unwritten(setup.vs.program(), setup.vs_inputs);
    for (unsigned a = 0; a < setup.fetch.count; a++)
        shader.temporary(setup.vs_input[a]) = attributes[a];
    const LaneMask live = ~LaneMask(0) >> (lane_count - group.size());
    CountedTexturing texturing(setup.te, unit.textures, live, call.memory.texels, &call.interrupt);
    const Outcome outcome = run_program(setup.vs.program(), setup.vs.uniforms(), shader,
                                        {.live = live,
                                         .quads = false,
                                         .texturing = &texturing,
                                         .compiled = setup.vs.compiled(),
                                         .interrupt = &call.interrupt});
    setup.vs.note(group.size());
    call.result.endless |= outcome.endless;
    const bool interrupted = outcome.interrupted || texturing.cut();
    call.interrupted |= interrupted;
    section_counts.shaded += group.size();
    section_counts.instructions += outcome.executed * group.size();
    section_counts.texels += texturing.requests();
    const uint64_t work = instruction_work * outcome.executed + texturing.work();
    painter.note_memory(); // accounts for texel fetches
    take_vertices(first, group.size());
    const uint64_t part = longest_part(outcome.executed, texturing.longest());
    call.result.longest = std::max(call.result.longest, part);
    call.checked += work - std::min(work, part);
    section_work += vertex_work * group.size() + work;
    call.spend(vertex_work * group.size() + work);
    return !unit.faulted() && !outcome.endless && !interrupted;
}

/// Copies the vertex shader's outputs from its registers to `vertices`, starting at index `first`.
void Draw::Parts::take_vertices(unsigned first, unsigned count) {
    const ShaderState& shader = unit.registers;
    const auto component = [&](unsigned slot, unsigned c, unsigned lane) {
        return shader.temporary(setup.vs_output[slot])[c].f[lane];
    };
    for (unsigned lane = 0; lane < count; lane++) {
        Vertex& v = vertices[first + lane];
        for (unsigned c = 0; c < 4; c++)
            v.position[c] = component(0, c, lane);
        for (unsigned n = 0; n < setup.pa.varyings.count; n++)
            for (unsigned c = 0; c < 4; c++)
                v.varying[n][c] = component(1 + n, c, lane);
        v.point_size = setup.vs_point_size ? component(1 + setup.pa.varyings.count, 0, lane) : 0;
    }
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

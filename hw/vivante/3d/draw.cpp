// SPDX-License-Identifier: GPL-2.0-or-later
//
// A draw in batches of primitives, each of them tile by tile of the target, each tile in batches of
// 16 quads of pixels.
#include "draw.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include "assembler.hpp"
#include "pipeline_setup.hpp"
#include "shader.hpp"
#include "te.hpp"

namespace pixmill::vivante {

namespace {

using render::Rect;

/// How a program is run; Draw has a member of that name.
constexpr auto run_program = run;

/// What a batch of primitives is made of: as many groups of 64 vertices, of which an index may ask
/// for so many more; so many primitives, as vertices make them; so many indices, even if they make
/// none.
constexpr unsigned most_groups = 4, most_new_vertices = 4, most_batch = 256, most_indices = 2048;

/// Work, in bytes that are copied in the same time: a batch of pixels without its shader, a vertex
/// likewise, an instruction for 64 of either, a texel for each of them, a primitive, an index, a
/// tile that somebody looks at, and each primitive of the batch there.
constexpr uint64_t pixels_work = 4096, vertex_work = 256, instruction_work = 256,
                   primitive_work = 2048, index_work = 16, tile_work = 512, look_work = 32,
                   texel_work = 2048;

/// An invocation that has not ended after so many instructions never will.
constexpr uint64_t instruction_budget = 1 << 20;

/// Indices that are read at once.
constexpr unsigned index_chunk = 256;

constexpr unsigned edge = RenderTile::edge;

/// Quads that are worked off at once, and those of a primitive in a tile.
constexpr size_t most_quads = 8192, quads_of_tile = edge * edge / 4;

float saturated(float value) {
    return value > 0 ? std::min(value, 1.0f) : 0; // what is no number is 0
}

} // namespace

/// The indices of a draw, one after the other: what memory holds, or just numbers.
class IndexReader {
public:
    IndexReader(const PipelineSetup& setup, render::Memory& memory)
        : setup_(setup), memory_(memory) {}

    uint32_t operator[](uint64_t number) {
        if (!setup_.command.indexed)
            return setup_.command.start + uint32_t(number);
        if (number < first_ || number - first_ >= index_chunk || !read_) {
            first_ = number;
            read_ = true;
            faulted_ |= !read_indices(setup_.indices, memory_, uint32_t(first_), chunk_);
        }
        return chunk_[number - first_];
    }
    bool faulted() const { return faulted_; }

private:
    const PipelineSetup& setup_;
    render::Memory& memory_;
    uint64_t first_ = 0;
    bool read_ = false, faulted_ = false;
    std::array<uint32_t, index_chunk> chunk_{};
};

namespace {

/// Counts who asks for texels, and what that costs. Looks at interrupts: hundreds of these
/// instructions may stand in a row, without a branch that would.
class CountedTexturing final : public Texturing {
public:
    CountedTexturing(const te::TeSetup& setup, Texturing& units, LaneMask who,
                     const std::atomic<bool>& interrupt)
        : setup_(setup), units_(units), who_(who), interrupt_(interrupt) {}
    void sample(const TextureRequest& request, Vector& texel) override {
        cut_ |= interrupt_.load(std::memory_order_relaxed);
        if (cut_)
            return; // nobody will look at the texels
        requests_ += uint64_t(std::popcount(request.live & who_));
        work_ += texel_work * texels_of(setup_.sampler[request.sampler]);
        units_.sample(request, texel);
    }
    bool cut() const { return cut_; }
    uint64_t requests() const { return requests_; }
    uint64_t work() const { return work_; }

private:
    /// Of each lane, at most.
    static uint64_t texels_of(const te::Sampler& sampler) {
        const bool linear = sampler.min >= te::Filter::linear || sampler.mag >= te::Filter::linear;
        constexpr unsigned most_log = 4; // 16 taps
        const unsigned log =
            sampler.min == te::Filter::anisotropic ? (sampler.anisotropy + 31) / 32 : 0;
        return uint64_t(linear ? 4 : 1) * (sampler.mip == te::Filter::linear ? 2 : 1)
               << std::min(log, most_log);
    }

    const te::TeSetup& setup_;
    Texturing& units_;
    const LaneMask who_;
    const std::atomic<bool>& interrupt_;
    bool cut_ = false;
    uint64_t requests_ = 0, work_ = 0;
};

} // namespace

struct Draw::Parts {
    PipelineSetup setup;
    Assembler assembler;
    PixelEngine pe;
    te::TextureUnits texture_units;

    Parts() {
        primitives.reserve(most_batch * most_primitives * 2);
        assembled.reserve(most_batch + Assembler::most);
        quads.reserve(most_quads);
    }

    // The batch of primitives that is in work; it begins at the position.
    bool batch_ready = false;
    Assembler::Place end;
    std::vector<Primitive> primitives;
    Rect tiles;             ///< that it touches
    PrimitiveCounts counts; ///< of the batch; the draw's when the batch is drawn

    // Scratch.
    ShaderState shader;
    std::array<Vector, most_elements> attributes;
    VertexBatch group;
    std::array<Vertex, most_groups * lane_count> vertices;
    struct Assembled {
        std::array<uint16_t, 3> vertex;
        uint8_t count, provoking;
    };
    std::vector<Assembled> assembled;
    std::vector<QuadRef> quads; ///< of a tile, or of a part of its primitives
    RenderTile tile;
    Fragments fragments;

    // Of one call of run().
    struct Call {
        const DrawMemory& memory;
        DrawPosition& position;
        DrawProgress progress;
        int64_t budget;
        const std::atomic<bool>& interrupt;
        std::array<std::optional<RenderSurface>, most_targets> colors;
        std::optional<RenderSurface> depth;
        uint64_t memory_before = memory_work();
        bool interrupted = false; ///< in a vertex shader: its batch is made again

        void look_at(const RenderSurface& surface) {
            progress.faulted |= surface.faulted();
            progress.met_compressed |= surface.met_compressed();
        }
        void look_for_faults() {
            for (const auto& color : colors)
                if (color)
                    look_at(*color);
            if (depth)
                look_at(*depth);
        }
        uint64_t memory_work() const {
            return memory.vertices.work() + memory.texels.work() + memory.colors.work() +
                   memory.depths.work();
        }
        /// Whether there is time for more, behind some work.
        bool spend(uint64_t work) {
            progress.work += work + memory_work() - memory_before;
            memory_before = memory_work();
            return progress.work < uint64_t(budget) && !interrupt.load(std::memory_order_relaxed);
        }
    };

    bool make_batch(Call& call);
    void add(const Corners& corners, unsigned first);
    bool shade_vertices(Call& call, unsigned first);
    void take_vertices(unsigned first, unsigned count);
    void find_tiles();

    bool draw_tiles(Call& call);
    bool draw_tile(Call& call, int32_t tile_x, int32_t tile_y);
    bool draw_quads(Call& call, int32_t tile_x, int32_t tile_y, uint32_t& batch);
    size_t find_quads(const Rect& square, size_t first);
    void add_block(const Primitive& primitive, int32_t x, int32_t y, const Rect& square);
    TileMask touched(const Rect& square) const;
    unsigned next_batch(size_t first) const;
    bool shade(Call& call, std::span<const QuadRef> batch, const Rect& square,
               PixelEngine::Drawn& drawn);
    void take_pixels(std::span<const QuadRef> batch, const Rect& square, LaneMask killed);

    Rect square_of(int32_t tile_x, int32_t tile_y) const {
        const auto w = int32_t(edge >> setup.shift_x), h = int32_t(edge >> setup.shift_y);
        return {tile_x * w, tile_y * h, (tile_x + 1) * w, (tile_y + 1) * h};
    }
};

Draw::Draw() : parts_(std::make_unique<Parts>()) {}
Draw::~Draw() = default;

void Draw::prepare(const States& states, const DrawCommand& command, const Features3d& features,
                   Host& host) {
    Parts& p = *parts_;
    p.setup.decode(states, command, features);
    p.setup.complain(states, host);
    p.assembler = Assembler(command.type, command.count, p.setup.provoking_last,
                            p.setup.indices.restart && command.indexed);
    p.pe.prepare(p.setup.pe);
    p.batch_ready = false;
}

DrawProgress Draw::run(const DrawMemory& memory, DrawPosition& position, int64_t work,
                       const std::atomic<bool>& interrupt) {
    Parts& p = *parts_;
    Parts::Call call{memory, position, {}, work, interrupt, {}, {}};
    for (unsigned i = 0; i < p.setup.pe.color.targets; i++)
        if (p.setup.draws_color[i])
            call.colors[i].emplace(memory.colors, p.setup.color[i], p.setup.color_status[i]);
    if (p.setup.draws_depth)
        call.depth.emplace(memory.depths, p.setup.depth, p.setup.depth_status);
    p.texture_units.bind(p.setup.te, memory.texels);
    bool goes_on = true;
    while (goes_on) {
        p.assembler.resume(position.place);
        if (!p.batch_ready && p.assembler.done()) {
            call.progress.finished = true;
            break;
        }
        // Also where nothing is seen of a batch it costs time: a guest may ask for 2^32 primitives.
        goes_on = (p.batch_ready || p.make_batch(call)) && p.draw_tiles(call) && call.spend(0);
    }
    return call.progress;
}

// ---- Vertices ------------------------------------------------------------------

/// Makes the primitives of as many vertices as there is room for. False if an access stalls, or a
/// shader does not end for now.
bool Draw::Parts::make_batch(Call& call) {
    const Assembler::Place begin = call.position.place;
    assembler.resume(begin);
    primitives.clear();
    assembled.clear();
    group.clear();
    counts = {};
    IndexReader index(setup, call.memory.vertices);
    unsigned first = 0; // vertex of the group
    bool good = true;
    while (good && first < vertices.size() && !assembler.done() && assembled.size() < most_batch &&
           assembler.place().taken - begin.taken < most_indices) {
        const uint32_t i = index[assembler.place().taken];
        const bool restarts = setup.command.indexed && setup.indices.restarts(i);
        const uint32_t vertex = setup.command.indexed ? setup.indices.vertex(i) : i;
        for (const Corners& corners : restarts ? assembler.restart() : assembler.take(vertex))
            add(corners, first);
        if (group.room() >= most_new_vertices)
            continue;
        good = shade_vertices(call, first);
        first += lane_count;
        group.clear();
    }
    if (group.size())
        good = shade_vertices(call, first) && good;
    end = assembler.place();
    call.progress.faulted |=
        index.faulted() || (!good && !call.progress.endless && !call.interrupted);
    if (call.progress.faulted || call.progress.endless || call.interrupted)
        return false;
    for (const Assembled& a : assembled) {
        std::array<const Vertex*, 3> corner{};
        for (unsigned c = 0; c < a.count; c++)
            corner[c] = &vertices[a.vertex[c]];
        counts.pa += set_up(setup.pa, {corner.data(), a.count}, a.provoking, primitives);
    }
    counts.vertices = end.taken - begin.taken;
    counts.primitives = assembled.size();
    counts.drawn = primitives.size();
    call.progress.work +=
        primitive_work * assembled.size() + index_work * (end.taken - begin.taken);
    find_tiles();
    batch_ready = true;
    return true;
}

/// There is room for its vertices in the group, whose first one is number `first` of the batch.
void Draw::Parts::add(const Corners& corners, unsigned first) {
    Assembled a{{}, corners.count, corners.provoking};
    for (unsigned c = 0; c < corners.count; c++)
        a.vertex[c] = uint16_t(first + group.add(corners.vertex[c]));
    assembled.push_back(a);
}

/// The vertices of the group. False if that cannot be done.
bool Draw::Parts::shade_vertices(Call& call, unsigned first) {
    VertexFetch fetch(setup.fetch, call.memory.vertices);
    fetch.fetch(group.vertices(), attributes);
    if (fetch.faulted())
        return false;
    shader.clear_unwritten(setup.vs.program(), setup.vs_inputs);
    for (unsigned a = 0; a < setup.fetch.count; a++)
        shader.temporary(setup.vs_input[a]) = attributes[a];
    const LaneMask live = ~LaneMask(0) >> (lane_count - group.size());
    CountedTexturing texturing(setup.te, texture_units, live, call.interrupt);
    const Outcome outcome = run_program(setup.vs.program(), setup.vs.uniforms(), shader,
                                        {.live = live,
                                         .quads = false,
                                         .texturing = &texturing,
                                         .budget = instruction_budget,
                                         .interrupt = &call.interrupt});
    call.progress.endless |= outcome.endless;
    const bool interrupted = outcome.interrupted || texturing.cut();
    call.interrupted |= interrupted;
    counts.shaded += group.size();
    counts.instructions += outcome.executed * group.size();
    counts.texels += texturing.requests();
    call.progress.work +=
        vertex_work * group.size() + instruction_work * outcome.executed + texturing.work();
    take_vertices(first, group.size());
    return !texture_units.faulted() && !outcome.endless && !interrupted;
}

/// What the shader has left in its registers becomes vertices.
void Draw::Parts::take_vertices(unsigned first, unsigned count) {
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

/// The tiles that primitives of the batch touch.
void Draw::Parts::find_tiles() {
    const Rect all = square_of(0, 0);
    tiles = {};
    for (const Primitive& primitive : primitives) {
        const Rect seen = primitive.shape.bounds().intersect(setup.ra.scissor);
        if (seen.empty())
            continue;
        const Rect touched{seen.left / all.right, seen.top / all.bottom,
                           (seen.right - 1) / all.right + 1, (seen.bottom - 1) / all.bottom + 1};
        tiles = tiles.empty()
                    ? touched
                    : Rect{std::min(tiles.left, touched.left), std::min(tiles.top, touched.top),
                           std::max(tiles.right, touched.right),
                           std::max(tiles.bottom, touched.bottom)};
    }
}

// ---- Tiles ---------------------------------------------------------------------

/// Draws tiles of the batch. True when the batch is done, and there is time for another.
bool Draw::Parts::draw_tiles(Call& call) {
    DrawPosition& at = call.position;
    const auto across = uint32_t(tiles.empty() ? 0 : tiles.width());
    const uint32_t count = across * uint32_t(tiles.empty() ? 0 : tiles.height());
    bool time = true;
    while (at.tiles < count) {
        const auto x = int32_t(at.tiles % across), y = int32_t(at.tiles / across);
        if (!time || !draw_tile(call, tiles.left + x, tiles.top + y))
            return false;
        at.tiles++;
        at.batches = 0;
        time = call.spend(tile_work + look_work * primitives.size());
    }
    call.progress.counts.primitives += counts;
    at = {.place = end};
    batch_ready = false;
    return time;
}

/// From batch position.batches of pixels on. True when all of the tile is drawn.
bool Draw::Parts::draw_tile(Call& call, int32_t tile_x, int32_t tile_y) {
    const Rect square = square_of(tile_x, tile_y);
    uint32_t batch = 0;
    for (size_t next = 0; next < primitives.size();) {
        next = find_quads(square.intersect(setup.ra.scissor), next);
        if (!quads.empty() && !draw_quads(call, tile_x, tile_y, batch))
            return false;
    }
    return true;
}

/// Draws the quads of a tile; `batch` is the number of the first batch of them, and then of what
/// follows. True when all are drawn.
bool Draw::Parts::draw_quads(Call& call, int32_t tile_x, int32_t tile_y, uint32_t& batch) {
    const Rect square = square_of(tile_x, tile_y);
    const TileMask used = touched(square);
    const auto x = uint32_t(tile_x), y = uint32_t(tile_y);
    for (unsigned i = 0; i < most_targets; i++)
        if (call.colors[i])
            call.colors[i]->load(x, y, used, tile.color[i]);
    if (call.depth)
        call.depth->load(x, y, used, tile.depth);
    call.look_for_faults();

    PixelEngine::Drawn drawn;
    size_t first = 0;
    bool time = !call.progress.faulted;
    while (time && first < quads.size()) {
        const unsigned count = next_batch(first);
        if (batch >= call.position.batches) {
            time = shade(call, std::span(quads).subspan(first, count), square, drawn);
            if (batch == call.position.batches) // it could not be drawn
                break;
        }
        batch++;
        first += count;
    }
    for (unsigned i = 0; i < most_targets; i++)
        if (call.colors[i] && drawn.colors >> i & 1)
            call.colors[i]->store(x, y, used, tile.color[i]);
    if (call.depth && drawn.depth)
        call.depth->store(x, y, used, tile.depth);
    call.look_for_faults();
    return first >= quads.size() && !call.progress.faulted;
}

/// The quads that are seen in `square`, of primitive `first` of the batch and as many behind it as
/// there is room for, in order. The first primitive that is left.
size_t Draw::Parts::find_quads(const Rect& square, size_t first) {
    quads.clear();
    size_t next = first;
    for (; next < primitives.size() && quads.size() < most_quads - quads_of_tile; next++) {
        const Primitive& primitive = primitives[next];
        const Rect seen = primitive.shape.bounds().intersect(square);
        if (seen.empty())
            continue;
        for (int32_t y = seen.top & ~7; y < seen.bottom; y += 8)
            for (int32_t x = seen.left & ~7; x < seen.right; x += 8)
                if (primitive.shape.overlap(x, y, 8) != render::Overlap::none)
                    add_block(primitive, x, y, square);
    }
    return next;
}

namespace {

/// Pixels of the block at (x, y) that lie in `square`.
render::BlockMask inside(const Rect& square, int32_t x, int32_t y) {
    const int32_t left = std::max(square.left - x, 0), right = std::min(square.right - x, 8);
    const int32_t top = std::max(square.top - y, 0), bottom = std::min(square.bottom - y, 8);
    if (left >= right || top >= bottom)
        return 0;
    const uint64_t row = (0xFFu >> (8 - (right - left))) << left;
    const uint64_t rows = ~uint64_t(0) >> (64 - 8 * (bottom - top)) << 8 * top;
    return row * 0x0101010101010101u & rows;
}

} // namespace

void Draw::Parts::add_block(const Primitive& primitive, int32_t x, int32_t y, const Rect& square) {
    const render::BlockMask within = inside(square, x, y);
    std::array<render::BlockMask, most_samples> covered{};
    render::BlockMask any = 0;
    for (unsigned s = 0; s < setup.ra.samples; s++)
        if (setup.ra.enabled >> s & 1) {
            covered[s] = primitive.shape.cover(x, y, setup.ra.sample[s]) & within;
            any |= covered[s];
        }
    constexpr render::BlockMask first_quad = 0x0303;
    for (int32_t row = 0; row < 8; row += 2)
        for (int32_t column = 0; column < 8; column += 2) {
            const int32_t shift = 8 * row + column;
            if (!(any >> shift & first_quad))
                continue;
            QuadRef quad{&primitive, x + column, y + row, {}};
            for (unsigned s = 0; s < setup.ra.samples; s++) {
                const uint64_t bits = covered[s] >> shift;
                quad.covered[s] = uint8_t((bits & 3) | (bits >> 6 & 12));
            }
            quads.push_back(quad);
        }
}

/// The 4 x 4 tiles of samples in which quads lie.
TileMask Draw::Parts::touched(const Rect& square) const {
    TileMask mask{};
    for (const QuadRef& quad : quads) {
        const auto x = unsigned(quad.x - square.left) << setup.shift_x;
        const auto y = unsigned(quad.y - square.top) << setup.shift_y;
        mask[y / 4] |= uint16_t(1u << x / 4);
    }
    return mask;
}

/// How many quads from number `first` on make a batch: no two of them lie at the same place.
unsigned Draw::Parts::next_batch(size_t first) const {
    const auto most = unsigned(std::min<size_t>(quad_count, quads.size() - first));
    for (unsigned n = 1; n < most; n++)
        for (unsigned before = 0; before < n; before++) {
            const QuadRef &a = quads[first + before], &b = quads[first + n];
            if (a.x == b.x && a.y == b.y)
                return n;
        }
    return most;
}

// ---- Pixels --------------------------------------------------------------------

/// One batch of pixels. False if it is the last one for now.
bool Draw::Parts::shade(Call& call, std::span<const QuadRef> batch, const Rect& square,
                        PixelEngine::Drawn& drawn) {
    if (!setup.ps_bypass)
        shader.clear_unwritten(setup.ps.program(), setup.ps_inputs);
    PixelInputs inputs{&shader.temporary(0), &shader.face(), fragments.depth.data(), 0};
    interpolate(setup.ra, batch, inputs);
    fragments.positive = inputs.positive;
    LaneMask live = 0, killed = 0, covered = 0;
    for (unsigned q = 0; q < batch.size(); q++) {
        live |= LaneMask(0xF) << 4 * q;
        for (const uint8_t pixels : batch[q].covered)
            covered |= LaneMask(pixels) << 4 * q;
    }
    DrawCounts counted;
    counted.quads = batch.size();
    counted.covered = uint64_t(std::popcount(covered));
    if (!setup.ps_bypass) {
        CountedTexturing texturing(setup.te, texture_units, covered, call.interrupt);
        const Outcome outcome = run_program(setup.ps.program(), setup.ps.uniforms(), shader,
                                            {.live = live,
                                             .texturing = &texturing,
                                             .budget = instruction_budget,
                                             .interrupt = &call.interrupt});
        if (outcome.interrupted || texturing.cut())
            return false;
        call.progress.endless |= outcome.endless;
        call.progress.faulted |= texture_units.faulted();
        if (call.progress.endless || call.progress.faulted)
            return false;
        killed = outcome.killed;
        counted.shaded = counted.covered;
        counted.instructions = outcome.executed * counted.covered;
        counted.texels = texturing.requests();
        call.progress.work += instruction_work * outcome.executed + texturing.work();
    }
    take_pixels(batch, square, killed);
    const PixelEngine::Drawn now = pe.draw(tile, fragments);
    drawn.depth |= now.depth;
    drawn.colors |= now.colors;
    call.progress.samples += now.samples;
    LaneMask shown = 0;
    uint64_t samples = 0;
    for (const LaneMask sample : fragments.covered) {
        shown |= sample;
        samples += uint64_t(std::popcount(sample));
    }
    counted.killed_by_depth = now.killed;
    counted.killed_by_alpha = samples - now.killed - now.samples;
    counted.drawn_color = now.colors ? now.samples : 0;
    counted.drawn_depth = setup.pe.depth.write ? now.samples : 0;
    call.progress.counts += counted;
    call.progress.pixels += uint64_t(std::popcount(shown));
    call.position.batches++;
    return call.spend(pixels_work);
}

void Draw::Parts::take_pixels(std::span<const QuadRef> batch, const Rect& square, LaneMask killed) {
    fragments.covered = {};
    for (unsigned q = 0; q < batch.size(); q++) {
        fragments.place[q] = {uint8_t(batch[q].x - square.left), uint8_t(batch[q].y - square.top)};
        for (unsigned s = 0; s < setup.ra.samples; s++)
            fragments.covered[s] |= LaneMask(batch[q].covered[s]) << 4 * q;
    }
    for (LaneMask& covered : fragments.covered)
        covered &= ~killed;
    for (unsigned i = 0; i < setup.pe.color.targets; i++)
        fragments.color[i] = shader.temporary(setup.ps_bypass ? 1 : setup.ps_output[i]);
    if (!setup.ps_writes_depth)
        return;
    const Lanes& z = shader.temporary(0)[2];
    for (unsigned lane = 0; lane < lane_count; lane++)
        fragments.depth[0].f[lane] = saturated(z.f[lane]);
    for (unsigned s = 1; s < setup.ra.samples; s++)
        fragments.depth[s] = fragments.depth[0];
}

} // namespace pixmill::vivante

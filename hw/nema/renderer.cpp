// SPDX-License-Identifier: GPL-2.0-or-later
#include "renderer.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "fragment_processor.hpp"

namespace pixmill::nema {

namespace {

/// A rectangle as polygons and lines are: rows of spans.
class Box {
public:
    explicit Box(const render::Rect& bounds = {}) : bounds_(bounds) {}
    const render::Rect& bounds() const { return bounds_; }
    render::Span row(int32_t, std::span<uint8_t>) const {
        return {bounds_.left, bounds_.right, nullptr};
    }

private:
    render::Rect bounds_;
};

using Shape = std::variant<Box, render::LineShape, render::Polygon>;

Shape make_shape(const Primitive& primitive, const render::Rect& clip) {
    if (const auto* rectangle = std::get_if<Rectangle>(&primitive))
        return Box(rectangle->rect.intersect(clip));
    if (const auto* line = std::get_if<LineEnds>(&primitive))
        return render::LineShape(line->x0, line->y0, line->x1, line->y1, clip);
    return render::Polygon(std::get<render::PolygonDesc>(primitive), clip);
}

bool overlap(const TextureMap::Extent& a, const TextureMap::Extent& b) {
    return a.begin < b.end && b.begin < a.end;
}

/// Where bytes are. Several guest addresses can be one piece of memory; what lies in more than one
/// piece has no place in the host.
struct Place {
    TextureMap::Extent guest, host;
};

Place place_of(const TextureMap::Extent& guest, render::Memory& memory, render::Access access) {
    const uint64_t length = guest.end - guest.begin;
    const auto host = uint64_t(uintptr_t(memory.whole(guest.begin, length, access)));
    return {guest, host ? TextureMap::Extent{host, host + length} : TextureMap::Extent{}};
}

bool overlap(const Place& a, const Place& b) {
    return overlap(a.guest, b.guest) || overlap(a.host, b.host);
}

/// Pixel (x, y) has the same bytes in both.
bool same_pixels(const Texture& a, const Texture& b) {
    const Format *const fa = find_format(a.format), *const fb = find_format(b.format);
    return a.base == b.base && a.stride == b.stride && fa && fb && fa->kind == fb->kind &&
           fa->bits() == fb->bits() &&
           ((fa->kind == Format::Kind::words && fa->bits() % 8 == 0) ||
            (fa->kind == Format::Kind::tsc && fa->tsc == fb->tsc));
}

/// Bytes that could be copied in the time of a step for one pixel, by Step::Kind, about.
constexpr uint64_t step_cost[] = {2, 40, 20, 10, 8, 4, 12, 200, 200};
constexpr uint64_t row_cost = 256; ///< of one without pixels
/// What a compressed pixel costs beside its step, if it is in one row with others or not.
constexpr uint64_t codec_cost = 300, scattered_codec_cost = 16 * codec_cost;
constexpr uint64_t chunk_cost = 512;       ///< beside that of its pixels
constexpr uint64_t short_budget = 1 << 16; ///< of rows that are drawn without looking up

/// Pixels of a row that are drawn without looking up: microseconds, of a long program 1 ms.
constexpr uint32_t whole_rows = 1 << 16, blit_chunk = 2048, program_chunk = row_pixels,
                   long_chunk = 32;
constexpr uint64_t long_program = 400; ///< cost of a pixel
/// Accesses to memory, each of which may be to another mapping of the host, that are made without
/// looking up; the fewest pixels have twice as many at most.
constexpr uint32_t chunk_accesses = 4096, shortest_chunk = 16;
constexpr uint32_t chunk_bits = 12; ///< of progress(): as many as the longest row has

/// From here on coverage that is full is worth to be drawn as such.
constexpr uint32_t full_run = 8;

bool all_full(const uint8_t* coverage) {
    uint64_t eight;
    std::memcpy(&eight, coverage, sizeof eight);
    return eight == ~uint64_t(0);
}

} // namespace

struct Renderer::Impl {
    Impl() : processor(row_kernels()) {}

    // What begin() has decoded.
    DrawSetup draw;
    FragmentSource source;
    bool compiled = false;
    FragmentProgram program;
    std::vector<Complaint> complaints;
    FragmentProcessor processor;
    FragmentSurfaces surfaces;
    std::optional<Coordinates> coordinates;
    Shape shape;
    render::Rect bounds;
    int32_t grid_left = 0;       ///< chunks begin every `chunk` pixels from here on
    uint32_t chunk = 0;          ///< pixels
    uint32_t band = 1;           ///< rows that are drawn chunk by chunk
    uint64_t pixel_cost = 0;     ///< bytes that could be copied instead
    uint32_t pixel_accesses = 0; ///< to memory; 0: rows are accessed as they are
    const Step* fill = nullptr;  ///< the program is nothing but this constant's output
    /// The program writes texels of this step as they are to `blit_to`.
    const Step* blit = nullptr;
    uint8_t blit_to = 0;
    bool copies = false;                 ///< nothing happens to their bytes
    std::optional<WordOrder> blit_order; ///< else, if they can be blended where they are
    int32_t blit_x = 0, blit_y = 0;      ///< from a pixel to its texel
    bool one_row = false;                ///< and all rows are one in memory
    bool short_rows = false;             ///< of a rectangle, each is one chunk

    // How far it has come.
    bool active = false, faulted = false;
    uint32_t row = 0;        ///< of bounds, done
    uint32_t chunk_done = 0; ///< of the band that begins there
    bool has_spans = false;
    std::array<render::Span, tsc_side> spans;
    uint32_t chunks_end = 0; ///< no later chunk of the band has pixels
    std::vector<uint8_t> coverage;
    struct {
        uint32_t u = 0, v = 0, count = 0; ///< texels from (u, v) on
        uint32_t rows = 0, pitch = 0;
        std::array<uint32_t, row_pixels + 8> texel; ///< see RenderOutput::write()
    } ahead;

    render::Memory* memory = nullptr;
    Complaints* listener = nullptr;
    bool in_order = false; ///< pixels read what others have written
    render::Rect dirty;

    bool begin(const DrawState& state, uint32_t progress);
    void compile(const DrawState& state);
    void prepare_outputs();
    void place();
    void choose_path();
    bool translates(const Texture& texture);
    bool same_bytes(uint8_t from, uint8_t to) const;
    bool plain_write(const Step& step) const;
    uint64_t compression_cost(const Step& step) const;
    uint32_t accesses(const Step& step) const;
    uint32_t chunk_pixels() const;
    bool is_one_row() const;
    bool find_blit();

    bool run(uint64_t budget, const std::atomic<bool>& stop);
    void open();
    void close();
    void settle(unsigned a, unsigned b);
    void find_conflicts();
    bool harmless(unsigned written, unsigned read) const;
    uint32_t rows_of_band() const;
    uint32_t chunks() const;
    void forget_texels();
    void find_spans();
    void find_chunks();
    uint64_t draw_chunk(uint32_t index);
    void draw_span(render::Span span, int32_t y);
    void draw_run(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);
    uint32_t draw_whole_rows(uint64_t budget);
    uint32_t draw_short_rows(uint64_t budget);
    bool stalled() const;
    uint64_t cost_of(uint32_t pixels) const { return pixels * pixel_cost * (in_order ? 8 : 1); }
    ConstRow texels(uint32_t u, uint32_t v, uint32_t count);
    uint32_t blit_texels(int32_t x, int32_t y, uint32_t count);
    uint32_t blit_run(int32_t x, int32_t y, uint32_t count);
    void draw_pixels(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);
    void execute(int32_t x, int32_t y, uint32_t count, const uint8_t* covered);

    template<class Visit>
    void each_output(Visit visit) {
        for (unsigned i = 0; i < images; i++)
            if (surfaces.writable >> i & 1)
                visit(surfaces.outputs[i]);
    }
};

// ---- Decoding -----------------------------------------------------------------------------

void Renderer::Impl::compile(const DrawState& state) {
    FragmentSource wanted;
    std::copy(state.imem.begin(), state.imem.end(), wanted.imem.begin());
    wanted.constants = draw.constants;
    wanted.code_pointer = draw.code_pointer;
    wanted.has_gradient = draw.has_gradient;
    wanted.color = draw.has_gradient ? 0 : draw.color;
    if (compiled && wanted == source)
        return;
    compiled = false; // until all of it is there: memory may run out
    source = wanted;
    program.compile(source);
    processor.load(program);
    compiled = true;
}

void Renderer::Impl::prepare_outputs() {
    surfaces.writable = 0;
    for (unsigned i = 0; i < images; i++) {
        if (program.reads >> i & 1 && !find_format(draw.surface[i].format))
            complaints.push_back({"format of a texture", draw.surface[i].format});
        if (!(program.writes >> i & 1))
            continue;
        if (surfaces.outputs[i].prepare(draw.surface[i], draw.dithers[i], draw.blend,
                                        row_kernels()))
            surfaces.writable |= uint8_t(1u << i);
        else
            complaints.push_back({"format of a destination", draw.surface[i].format});
    }
}

/// Which pixels there are, and in which order they are drawn.
void Renderer::Impl::place() {
    render::Rect clip = draw.clip;
    band = 1;
    if (!program.writes_elsewhere) {
        render::Rect area;
        each_output([&](RenderOutput& output) {
            area.right = std::max(area.right, output.area().right);
            area.bottom = std::max(area.bottom, output.area().bottom);
        });
        clip = clip.intersect(area);
    }
    each_output([&](RenderOutput& output) {
        if (output.target().compressed())
            band = tsc_side;
    });
    shape = Box();
    if (surfaces.writable && !clip.empty())
        shape = make_shape(draw.primitive, clip);
    bounds = std::visit([](const auto& s) { return s.bounds(); }, shape);
    if (bounds.empty())
        bounds = {};
    grid_left = bounds.left & ~int32_t(row_pixels - 1); // as Target keeps tiles
    if (bounds.empty())
        return;
    coverage.resize(size_t(bounds.width()) * tsc_side + full_run);
}

/// What is stored is what was read.
bool Renderer::Impl::same_bytes(uint8_t from, uint8_t to) const {
    const Format* const format = find_format(draw.surface[from].format);
    return draw.surface[from].format == draw.surface[to].format &&
           format->kind == Format::Kind::words && format->bits() % 8 == 0 &&
           !format->layout.padding.width && !(draw.dithers[to] && format->dithers());
}

/// Each pixel has a texel of its own, beside those of its neighbours. Then blit_x and blit_y are
/// known.
bool Renderer::Impl::translates(const Texture& texture) {
    constexpr uint8_t filter_and_wrap = 0x0F;
    if (texture.mode & ~filter_and_wrap || !coordinates->translates())
        return false;
    double x = 0, y = 0; // of pixel (0, 0)
    coordinates->row(0, 0, &x, &y, 1);
    const bool filters = texture.mode & Texture::bilinear;
    const auto to_texel = [&](double coordinate, int32_t& texel) {
        constexpr double far = 1 << 23; // coordinates are clamped further out
        const double at = std::floor((coordinate - (filters ? 0.5 : 0)) * 16);
        if (!(std::abs(coordinate) < far) || (filters && std::fmod(at, 16) != 0))
            return false;
        texel = int32_t(std::floor(at / 16));
        return true;
    };
    return to_texel(x, blit_x) && to_texel(y, blit_y);
}

bool Renderer::Impl::plain_write(const Step& step) const {
    return step.kind == Step::Kind::write_screen && step.kill == program.no_kill &&
           surfaces.writable >> step.image & 1;
}

/// Whether the program does nothing to texels, each of which goes to a pixel of its own.
bool Renderer::Impl::find_blit() {
    const auto& steps = program.steps;
    if (steps.size() != 2 || steps[0].kind != Step::Kind::read_texture || !steps[0].interpolated ||
        !plain_write(steps[1]) || steps[1].a != steps[0].out)
        return false;
    const uint8_t from = steps[0].image;
    const Format* const format = find_format(draw.surface[from].format);
    if (!format || !translates(draw.surface[from]))
        return false;
    blit_to = steps[1].image;
    const RenderOutput& output = surfaces.outputs[blit_to];
    copies = output.replaces() && same_bytes(from, blit_to);
    blit_order = output.blends_words() ? word_order(*format) : std::nullopt;
    return !output.target().compressed();
}

uint64_t Renderer::Impl::compression_cost(const Step& step) const {
    const Format* const format = find_format(draw.surface[step.image].format);
    if (step.kind < Step::Kind::write_screen || !format || format->kind != Format::Kind::tsc)
        return 0;
    return step.kind == Step::Kind::write_screen ? codec_cost : scattered_codec_cost;
}

/// Of one pixel, at most.
uint32_t Renderer::Impl::accesses(const Step& step) const {
    switch (step.kind) {
    case Step::Kind::read_texture:
        return draw.surface[step.image].mode & Texture::bilinear ? 4 : 1;
    case Step::Kind::read_screen:
        return 1;
    case Step::Kind::write_screen:
    case Step::Kind::write_walked:
    case Step::Kind::write_texture:
        return 2; // the destination is read, too
    default:
        return 0;
    }
}

/// A power of two, as chunks do not cut tiles, nor pass the edges of what a program is run for.
uint32_t Renderer::Impl::chunk_pixels() const {
    const uint32_t longest = pixel_cost > long_program ? long_chunk : program_chunk;
    const uint32_t allowed = chunk_accesses / std::max(pixel_accesses * band, 1u);
    return std::clamp(std::bit_floor(allowed), shortest_chunk, longest);
}

void Renderer::Impl::choose_path() {
    const auto& steps = program.steps;
    const bool fills = steps.size() == 1 && plain_write(steps[0]) && program.constant(steps[0].a);
    fill = fills ? &steps[0] : nullptr;
    blit = find_blit() ? &steps[0] : nullptr;
    pixel_cost = pixel_accesses = 0;
    for (const Step& step : steps) {
        pixel_cost += step_cost[size_t(step.kind)] + compression_cost(step);
        pixel_accesses += accesses(step);
    }
    const bool in_memory = blit && (copies || blit_order);
    const bool whole = fill && band == 1; // tiles are complete when a chunk of a band is
    if (whole || in_memory) {
        pixel_cost = 4;
        pixel_accesses = 0;
    }
    chunk = whole ? whole_rows : in_memory ? blit_chunk : chunk_pixels();
    one_row = is_one_row();
    short_rows = band == 1 && std::holds_alternative<Box>(shape) && chunks() == 1;
}

bool Renderer::Impl::begin(const DrawState& state, uint32_t progress) {
    active = faulted = false;
    complaints.clear();
    for (RenderOutput& output : surfaces.outputs)
        output.reset_counts();
    if (!draw.decode(state))
        return false;
    compile(state);
    complaints = program.complaints;
    coordinates.emplace(draw.matrix, draw.matmult);
    prepare_outputs();
    place();
    if (bounds.empty() && complaints.empty())
        return false;
    choose_path();
    row = progress >> chunk_bits;
    chunk_done = progress & ((1u << chunk_bits) - 1);
    if (progress && (row >= uint32_t(bounds.height()) || chunk_done >= chunks()))
        return false;
    has_spans = false;
    active = true;
    return true;
}

// ---- Drawing --------------------------------------------------------------------------------

/// `read` may be fetched for many pixels before any of them is written.
bool Renderer::Impl::harmless(unsigned written, unsigned read) const {
    if (program.writes_elsewhere || program.reads_elsewhere >> read & 1)
        return false;
    const Texture& texture = draw.surface[read];
    return same_pixels(texture, draw.surface[written]) && !(texture.mode & Texture::morton) &&
           bounds.right <= int32_t(texture.width) && bounds.bottom <= int32_t(texture.height);
}

/// Two images are written where they overlap.
void Renderer::Impl::settle(unsigned a, unsigned b) {
    Target &first = surfaces.outputs[a].target(), &second = surfaces.outputs[b].target();
    const bool same = same_pixels(draw.surface[a], draw.surface[b]);
    in_order |= program.writes_elsewhere || !same;
    if (same)
        second.share_tiles(first);
    else
        surfaces.flushes |= first.compressed() || second.compressed();
}

/// Finds out whether pixels have to be drawn one after another.
void Renderer::Impl::find_conflicts() {
    std::array<Place, images> read, written;
    for (unsigned i = 0; i < images; i++) {
        const RenderOutput& output = surfaces.outputs[i];
        const render::Rect area =
            program.writes_elsewhere ? output.area() : bounds.intersect(output.area());
        if (program.reads >> i & 1)
            read[i] = place_of(surfaces.textures[i].extent(), *memory, render::Access::read);
        if (surfaces.writable >> i & 1 && !area.empty())
            written[i] = place_of(output.target().extent(area), *memory, render::Access::write);
    }
    in_order = surfaces.flushes = false;
    for (unsigned w = 0; w < images; w++) {
        for (unsigned i = 0; i < images; i++)
            in_order |= overlap(written[w], read[i]) && !harmless(w, i);
        for (unsigned i = 0; i < w; i++)
            if (overlap(written[i], written[w]))
                settle(i, w);
    }
    const auto writes =
        std::count_if(program.steps.begin(), program.steps.end(),
                      [](const Step& step) { return step.kind >= Step::Kind::write_screen; });
    in_order |= program.writes_elsewhere && writes > 1;
}

void Renderer::Impl::open() {
    for (unsigned i = 0; i < images; i++)
        if (program.reads >> i & 1)
            surfaces.textures[i].open(draw.surface[i], *memory);
    each_output([&](RenderOutput& output) { output.open(*memory); });
    ahead.rows = 0;
    find_conflicts();
}

void Renderer::Impl::close() {
    each_output([&](RenderOutput& output) {
        output.close();
        faulted |= output.target().faulted();
        const render::Rect drawn = output.take_dirty();
        if (drawn.empty())
            return;
        dirty = dirty.empty()
                    ? drawn
                    : render::Rect{std::min(dirty.left, drawn.left), std::min(dirty.top, drawn.top),
                                   std::max(dirty.right, drawn.right),
                                   std::max(dirty.bottom, drawn.bottom)};
    });
}

/// Bands begin at multiples of their height.
uint32_t Renderer::Impl::rows_of_band() const {
    const auto y = uint32_t(bounds.top) + row;
    return std::min(band - y % band, uint32_t(bounds.height()) - row);
}

uint32_t Renderer::Impl::chunks() const {
    return (uint32_t(bounds.right - grid_left) + chunk - 1) / chunk;
}

void Renderer::Impl::find_spans() {
    const auto width = size_t(bounds.width());
    for (uint32_t i = 0; i < rows_of_band(); i++) {
        const std::span<uint8_t> scratch(coverage.data() + i * width, width);
        const int32_t y = bounds.top + int32_t(row + i);
        spans[i] = std::visit([&](const auto& s) { return s.row(y, scratch); }, shape);
    }
    has_spans = true;
    find_chunks();
}

/// Skips those without pixels, which can be more than there are pixels.
void Renderer::Impl::find_chunks() {
    int32_t left = bounds.right, right = grid_left;
    for (uint32_t i = 0; i < rows_of_band(); i++) {
        if (spans[i].left >= spans[i].right)
            continue;
        left = std::min(left, spans[i].left);
        right = std::max(right, spans[i].right);
    }
    chunk_done = std::max(chunk_done, uint32_t(left - grid_left) / chunk);
    chunks_end = (uint32_t(right - grid_left) + chunk - 1) / chunk;
}

void Renderer::Impl::forget_texels() {
    for (unsigned i = 0; i < images; i++)
        if (program.reads >> i & 1)
            surfaces.textures[i].forget();
}

/// Runs the program for pixels, in the order that they need.
void Renderer::Impl::draw_pixels(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    if (!in_order) {
        for (uint32_t done = 0; done < count; done += row_pixels)
            execute(x + int32_t(done), y, std::min(count - done, row_pixels),
                    covered ? covered + done : nullptr);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (covered && !covered[i])
            continue;
        execute(x + int32_t(i), y, 1, covered ? covered + i : nullptr);
        forget_texels();
    }
}

void Renderer::Impl::execute(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    Gradient gradient;
    if (draw.has_gradient)
        gradient = draw.gradient.row(x, y);
    processor.run(x, y, count, draw.has_gradient ? &gradient : nullptr, covered, *coordinates,
                  surfaces);
}

/// Texels [u, u + count) of row v of the source. Of short rows, as glyphs have, some are fetched
/// together.
ConstRow Renderer::Impl::texels(uint32_t u, uint32_t v, uint32_t count) {
    if (ahead.u == u && ahead.count == count && v >= ahead.v && v - ahead.v < ahead.rows)
        return &ahead.texel[(v - ahead.v) * ahead.pitch];
    TextureMap& texture = surfaces.textures[blit->image];
    const uint32_t pitch = texture.pitch();
    const bool close = pitch >= count && pitch <= 2 * count;
    const uint32_t rows = close ? (row_pixels - count) / pitch + 1 : 1;
    ahead.u = u;
    ahead.v = v;
    ahead.count = count;
    ahead.rows = std::min(rows, texture.texture().height - v);
    ahead.pitch = pitch;
    if (ahead.rows > 1)
        texture.fetch_long(u, v, ahead.texel.data(), (ahead.rows - 1) * pitch + count);
    else
        texture.fetch(int32_t(u), int32_t(v), ahead.texel.data(), count);
    return ahead.texel.data();
}

/// The same as blit_run() of texels that have to become ARGB; all are in the source.
uint32_t Renderer::Impl::blit_texels(int32_t x, int32_t y, uint32_t count) {
    const auto u = uint32_t(x + blit_x), v = uint32_t(y + blit_y);
    for (uint32_t done = 0; done < count; done += row_pixels) {
        const uint32_t n = std::min(count - done, row_pixels);
        const ConstRow source_row = texels(u + done, v, n);
        if (surfaces.textures[blit->image].faulted())
            break;
        surfaces.outputs[blit_to].write(x + int32_t(done), y, n, source_row, nullptr, nullptr);
    }
    return count;
}

/// Writes texels of the source's inside, as many as it can; returns how many.
uint32_t Renderer::Impl::blit_run(int32_t x, int32_t y, uint32_t count) {
    const Texture& texture = draw.surface[blit->image];
    RenderOutput& output = surfaces.outputs[blit_to];
    const int64_t u = int64_t(x) + blit_x, v = int64_t(y) + blit_y;
    if (u < 0 || v < 0 || u >= texture.width || v >= texture.height)
        return 0;
    count = uint32_t(std::min<int64_t>(count, texture.width - u));
    if (!copies && !blit_order)
        return in_order ? 0 : blit_texels(x, y, count);
    const uint32_t bytes = output.target().format().bits() / 8;
    const uint32_t address =
        texture.base + uint32_t(v) * uint32_t(texture.stride) + uint32_t(u) * bytes;
    const std::byte* const from =
        memory->whole(address, uint64_t(count) * bytes, render::Access::read);
    if (!copies)
        return from && !in_order && output.blend_words(x, y, count, from, *blit_order) ? count : 0;
    std::byte* const to = output.target().in_place(x, y, count);
    // What is copied to behind its source would be read again, pixel by pixel.
    if (!from || !to || (in_order && to > from && to < from + size_t(count) * bytes))
        return 0;
    std::memmove(to, from, size_t(count) * bytes);
    output.drawn_in_place(x, y, count);
    return count;
}

void Renderer::Impl::draw_run(int32_t x, int32_t y, uint32_t count, const uint8_t* covered) {
    if (!covered && fill) {
        surfaces.outputs[fill->image].fill(x, y, count, program.value(fill->a));
        return;
    }
    const uint32_t copied = !covered && blit ? blit_run(x, y, count) : 0;
    if (copied < count)
        draw_pixels(x + int32_t(copied), y, count - copied, covered);
}

/// In parts that are covered in full and others.
void Renderer::Impl::draw_span(render::Span span, int32_t y) {
    const auto count = uint32_t(span.right - span.left);
    if (!span.coverage) {
        draw_run(span.left, y, count, nullptr);
        return;
    }
    const auto full_at = [&](uint32_t i) {
        return i + full_run <= count && all_full(span.coverage + i);
    };
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        const bool full = full_at(i);
        if (full)
            while (end < count && span.coverage[end] == 255)
                end++;
        else
            while (end < count && !full_at(end))
                end++;
        draw_run(span.left + int32_t(i), y, end - i, full ? nullptr : span.coverage + i);
        i = end;
    }
}

uint64_t Renderer::Impl::draw_chunk(uint32_t index) {
    const int64_t left = int64_t(grid_left) + int64_t(index) * chunk;
    const int64_t right = left + chunk;
    uint64_t cost = chunk_cost;
    for (uint32_t i = 0; i < rows_of_band(); i++) {
        render::Span part = spans[i];
        part.left = int32_t(std::max<int64_t>(part.left, left));
        part.right = int32_t(std::min<int64_t>(part.right, right));
        if (part.left >= part.right)
            continue;
        if (part.coverage)
            part.coverage += part.left - spans[i].left;
        draw_span(part, bounds.top + int32_t(row + i));
        cost += cost_of(uint32_t(part.right - part.left));
    }
    each_output([](RenderOutput& output) { output.target().flush(); });
    if (band > 1) // blocks that were read may have been written
        forget_texels();
    return cost;
}

/// The rows of what is filled or blitted follow each other in memory: they are one long row.
bool Renderer::Impl::is_one_row() const {
    if (!(fill || blit) || !std::holds_alternative<Box>(shape))
        return false;
    const unsigned image = fill ? fill->image : blit_to;
    const RenderOutput& output = surfaces.outputs[image];
    if (bounds.left != 0 || bounds.right != output.area().right ||
        bounds != bounds.intersect(output.area()) || !output.target().gapless())
        return false;
    const Texture& texture = draw.surface[fill ? image : blit->image];
    return fill ||
           ((copies || blit_order) && blit_x == 0 && int32_t(texture.width) == bounds.width() &&
            texture.stride == draw.surface[blit_to].stride &&
            find_format(texture.format)->bits() == output.target().format().bits());
}

/// Returns how many have been drawn, at most what the budget allows and about a chunk of pixels.
uint32_t Renderer::Impl::draw_whole_rows(uint64_t budget) {
    const auto width = uint32_t(bounds.width());
    const uint64_t affordable = std::min<uint64_t>(budget / pixel_cost, whole_rows) / width;
    const auto rows = uint32_t(std::min<uint64_t>(uint32_t(bounds.height()) - row, affordable));
    const int32_t y = bounds.top + int32_t(row);
    if (rows < 2 || chunk_done)
        return 0;
    if (fill)
        return surfaces.outputs[fill->image].fill_rows(y, rows, program.value(fill->a)) ? rows : 0;
    const Texture& texture = draw.surface[blit->image];
    const int64_t v = int64_t(y) + blit_y;
    if (in_order || v < 0 || v + rows > texture.height)
        return 0;
    const auto stride = uint32_t(texture.stride);
    const std::byte* const from = memory->whole(texture.base + uint32_t(v) * stride,
                                                uint64_t(stride) * rows, render::Access::read);
    if (!from)
        return 0;
    RenderOutput& output = surfaces.outputs[blit_to];
    const bool drawn =
        copies ? output.copy_rows(y, rows, from) : output.blend_rows(y, rows, from, *blit_order);
    return drawn ? rows : 0;
}

/// Returns how many have been drawn.
uint32_t Renderer::Impl::draw_short_rows(uint64_t budget) {
    if (chunk_done)
        return 0;
    const auto width = uint32_t(bounds.width());
    const uint64_t affordable =
        std::min<uint64_t>(budget / (row_cost + cost_of(width)),
                           chunk_accesses / std::max(pixel_accesses * width, 1u));
    const auto rows = uint32_t(std::min<uint64_t>(affordable, uint32_t(bounds.height()) - row));
    uint32_t drawn = 0;
    while (drawn < rows && !faulted) {
        draw_run(bounds.left, bounds.top + int32_t(row + drawn++), width, nullptr);
        faulted = stalled();
    }
    return drawn;
}

/// Memory has stalled an access.
bool Renderer::Impl::stalled() const {
    for (unsigned i = 0; i < images; i++)
        if ((surfaces.writable >> i & 1 && surfaces.outputs[i].target().faulted()) ||
            (program.reads >> i & 1 && surfaces.textures[i].faulted()))
            return true;
    return false;
}

bool Renderer::Impl::run(uint64_t budget, const std::atomic<bool>& stop) {
    for (const Complaint& complaint : complaints)
        listener->unimplemented(complaint.what, complaint.detail);
    complaints.clear();
    const auto height = uint32_t(bounds.height());
    open();
    uint64_t cost = 0;
    while (row < height && !faulted && cost < budget && !stop.load(std::memory_order_relaxed)) {
        if (const uint32_t rows = one_row ? draw_whole_rows(budget - cost) : 0) {
            row += rows;
            cost += uint64_t(rows) * uint64_t(bounds.width()) * pixel_cost;
            continue;
        }
        if (const uint32_t rows =
                short_rows ? draw_short_rows(std::min(budget - cost, short_budget)) : 0) {
            row += rows;
            cost += rows * (row_cost + cost_of(uint32_t(bounds.width())));
            continue;
        }
        if (!has_spans) {
            find_spans();
            cost += row_cost * rows_of_band();
        }
        if (chunk_done < chunks_end) {
            cost += draw_chunk(chunk_done++);
            faulted = stalled();
        }
        if (chunk_done >= chunks_end) {
            row += rows_of_band();
            chunk_done = 0;
            has_spans = false;
        }
    }
    close();
    if (row >= height)
        active = false;
    return !active;
}

// ---- The interface --------------------------------------------------------------------------

Renderer::Renderer() : impl_(std::make_unique<Impl>()) {}
Renderer::~Renderer() = default;

bool Renderer::begin(const DrawState& state, uint32_t progress, render::Memory& memory,
                     Complaints& complaints) {
    impl_->memory = &memory;
    impl_->listener = &complaints;
    return impl_->begin(state, progress);
}

bool Renderer::run(uint64_t budget_bytes, const std::atomic<bool>& stop) {
    return !impl_->active || impl_->run(budget_bytes, stop);
}

void Renderer::cancel() {
    impl_->active = false;
}

uint32_t Renderer::progress() const {
    return impl_->row << chunk_bits | impl_->chunk_done;
}

uint64_t Renderer::pixels() const {
    uint64_t all = 0;
    impl_->each_output([&](RenderOutput& output) { all += output.pixels(); });
    return all;
}

render::Rect Renderer::take_dirty() {
    return std::exchange(impl_->dirty, {});
}

bool Renderer::faulted() const {
    return impl_->faulted;
}

} // namespace pixmill::nema

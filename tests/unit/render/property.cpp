// SPDX-License-Identifier: GPL-2.0-or-later
//
// Compares Pipeline with reference() on random operations, with every set of kernels.
//
// Settings: tests/random_setting.hpp.
#include <gtest/gtest.h>

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <sstream>

#include "../../random_setting.hpp"
#include "../../reference/render.hpp"
#include "describe.hpp"
#include "memory.hpp"
#include "random.hpp"
#include "render/pipeline.hpp"
#include "render/pixman_painter.hpp"

namespace pixmill::render {
namespace {

using test::Drawing;
using test::Random;
using test::TestMemory;

constexpr unsigned most_threads = 4;

/// Ways to draw: with pixman where possible and otherwise with loops for the host or for any CPU;
/// then with these loops alone.
constexpr unsigned ways = 4;

const Kernels& way(unsigned number) {
    static const auto all = [] {
        std::array<Kernels, ways> all{kernels(), baseline_kernels(), kernels(), baseline_kernels()};
        all[2].pixman = all[3].pixman = false;
        return all;
    }();
    return all[number];
}

struct Case {
    Drawing drawing;
    std::vector<uint32_t> cuts;               ///< rows at which a new pipeline continues
    unsigned way = 0;                         ///< index of the way to draw (see way())
    const Kernels* kernels = &render::way(0); ///< kernels of this way
    unsigned threads = 1;
    uint64_t work = 0; ///< limit of work per call; 0: none
    bool blit = false;
    Rect first; ///< rectangle for prepare() if the operation is moved later; else empty

    const Operation& op() const { return drawing.op; }
    const TestMemory& memory() const { return drawing.memory; }
};

/// Returns the number of rows; a line counts as one.
uint32_t rows_of(const Operation& op) {
    return op.line ? 1 : uint32_t(op.rect.height());
}

Case random_case(uint64_t seed, uint64_t number) {
    Random random(seed * 0x100000001B3 + number);
    Case c;
    c.blit = random.chance(35);
    c.drawing = c.blit ? test::RandomBlit(random).make() : test::RandomOperation(random).make();
    c.cuts.push_back(0);
    const uint32_t rows = rows_of(c.op());
    while (random.chance(30) && c.cuts.back() < rows)
        c.cuts.push_back(uint32_t(random.in(c.cuts.back(), rows)));
    c.cuts.push_back(rows);
    if (random.chance(30))
        c.threads = unsigned(random.in(2, most_threads));
    else if (random.chance(40))
        c.work = uint64_t(1) << random.in(0, 15);
    if (const Rect& rect = c.op().rect; random.chance(30) && !rect.empty()) {
        const auto inside = [&](int32_t a, int32_t b) { return int32_t(random.in(a, b)); };
        c.first.left = inside(rect.left, rect.right - 1);
        c.first.top = inside(rect.top, rect.bottom - 1);
        c.first.right = inside(c.first.left + 1, rect.right);
        c.first.bottom = inside(c.first.top + 1, rect.bottom);
    }
    return c;
}

std::string describe(const Case& c) {
    std::ostringstream text;
    test::describe(text, c.op());
    text << "pages of " << c.memory().page_size << ", cuts";
    for (const uint32_t cut : c.cuts)
        text << ' ' << cut;
    if (!c.first.empty())
        text << ", moved";
    text << (c.way % 2 ? ", baseline kernels" : ", best kernels")
         << (way(c.way).pixman ? " and pixman, " : ", ") << c.threads << " threads, work "
         << c.work;
    return text.str();
}

/// Pipelines with threads are kept between cases, because threads are slow to create. They must not
/// depend on earlier operations.
Pipeline& sharing_pipeline(const Case& c) {
    static std::unique_ptr<Pipeline> kept[ways][most_threads + 1];
    auto& pipeline = kept[c.way][c.threads];
    if (!pipeline)
        pipeline =
            std::make_unique<Pipeline>(*c.kernels, BandConfig{c.threads, 1, ThreadPool::Wait::all});
    return *pipeline;
}

/// Statistics of operations that were drawn in several steps.
struct Pieces {
    uint64_t inside = 0; ///< steps that ended within a row
    uint64_t waited = 0; ///< steps that composed pixels but stored none
    uint64_t taken = 0;  ///< partial rows that another pipeline continued
};

/// Draws with a small limit of work per call. Sometimes a new pipeline continues the operation.
Progress draw_pieces(const Case& c, TestMemory& memory, Pieces& pieces) {
    Random random(c.work);
    std::unique_ptr<Pipeline> pipeline;
    Progress total;
    bool waits = false;
    while (total.rows < rows_of(c.op()) && !total.faulted) {
        // a new pipeline must compose pixels again that were not stored
        const bool fresh = !pipeline || random.chance(waits ? 1 : 10);
        if (fresh) {
            pieces.taken += pipeline && total.column;
            pipeline = std::make_unique<Pipeline>(*c.kernels);
            if (pipeline->prepare(memory, c.op()))
                return {UINT32_MAX, false};
        }
        const Progress progress = pipeline->run(Reached{total.rows, total.column}, c.work);
        pieces.inside += progress.column != 0;
        waits = !progress.rows && !progress.pixels && !progress.faulted;
        pieces.waited += waits;
        total.rows += progress.rows;
        total.column = progress.column;
        total.pixels += progress.pixels;
        total.faulted = progress.faulted;
    }
    return total;
}

/// Prepares the case's operation, or prepares a different one and moves it there. @moved must
/// outlive the use of the pipeline.
std::optional<Error> prepare(Pipeline& pipeline, const Case& c, TestMemory& memory,
                             Operation& moved) {
    if (c.first.empty())
        return pipeline.prepare(memory, c.op());
    moved = c.op();
    moved.rect = c.first;
    if (const auto error = pipeline.prepare(memory, moved))
        return error;
    moved.rect = c.op().rect;
    return pipeline.move();
}

/// Draws the case in steps that end at its cuts or at its limit of work.
Progress draw(const Case& c, TestMemory& memory, Pieces& pieces) {
    if (c.work)
        return draw_pieces(c, memory, pieces);
    Progress total;
    for (size_t i = 1; i < c.cuts.size() && !total.faulted; i++) {
        // One more row than requested may have been drawn because of chroma.
        const uint32_t count = std::max(c.cuts[i], total.rows) - total.rows;
        Pipeline fresh(*c.kernels);
        Pipeline& pipeline = c.threads > 1 ? sharing_pipeline(c) : fresh;
        Operation moved;
        if (prepare(pipeline, c, memory, moved) || pipeline.rows() != rows_of(c.op()))
            return {UINT32_MAX, false};
        const Progress progress = pipeline.run(total.rows, count);
        total.rows += progress.rows;
        total.pixels += progress.pixels;
        total.faulted = progress.faulted;
    }
    return total;
}

/// Returns the number of the operation's pixels, even of those that do not change.
uint64_t pixels_of(const Operation& op) {
    if (!op.line)
        return uint64_t(op.rect.width()) * uint64_t(op.rect.height());
    uint64_t pixels = 0;
    for (int64_t i = 0; i < op.line->length(); i++) {
        const auto [x, y] = op.line->at(i);
        pixels += x >= op.rect.left && x < op.rect.right && y >= op.rect.top && y < op.rect.bottom;
    }
    return pixels;
}

// ---- Comparison --------------------------------------------------------------

/// Calls `visit` for each byte that has memory, with its offset and its position in host memory.
template<class Visitor>
void for_each_byte(const TestMemory& memory, const Visitor& visit) {
    for (size_t page = 0; page < memory.pages.size(); page++)
        for (size_t i = 0; i < memory.page_size && memory.pages[page].mapping == Mapping::host; i++)
            visit(page * memory.page_size + i, memory.pages[page].host + i);
}

/// Returns an array by address. It is nonzero for bytes that change if all of the operation's
/// pixels are filled.
std::vector<uint8_t> bytes_of(const Operation& op, const TestMemory& memory) {
    TestMemory flat(memory.origin, memory.page_size, memory.pages.size());
    Operation fill;
    fill.destination = op.destination;
    fill.planar = op.planar;
    fill.rect = op.rect;
    fill.line = op.line;
    fill.stages[0].rop = 0;
    reference(flat, fill);
    return flat.dirty;
}

/// True if transparent pixels may be reported as dirty together with the drawn pixel before them.
bool has_transparent_pixels(const Operation& op) {
    return op.stage_count == 1 && has_transparency(op.stages[0]);
}

/// Returns the differences from the expected picture, or an empty string. Bytes in
/// `unknown` may have any value.
std::string compare(const Case& c, const TestMemory& fast, const TestMemory& plain,
                    const std::vector<uint8_t>& unknown) {
    const TestMemory& before = c.memory();
    const bool keeps = has_transparent_pixels(c.op());
    const std::vector<uint8_t> all = keeps ? bytes_of(c.op(), before) : std::vector<uint8_t>();
    std::ostringstream wrong;
    wrong << std::hex;
    for_each_byte(before, [&](size_t i, size_t host) {
        const bool drawn = plain.dirty[i] != 0;
        const bool reported = fast.dirty[i] != 0;
        const bool told = drawn == reported || (keeps && !drawn && all[i] && !fast.begun[i]);
        const bool canary = !drawn && plain.pool[host] != before.pool[host];
        const bool early = reported && fast.shadow[i] != fast.pool[host];
        if ((fast.pool[host] == plain.pool[host] && told && !canary && !early) ||
            (!unknown.empty() && unknown[i]) || wrong.tellp() > 400)
            return;
        wrong << "at 0x" << before.origin + i << ": " << int(before.pool[host]) << " became "
              << int(fast.pool[host]) << " instead of " << int(plain.pool[host]);
        wrong << (drawn ? "" : ", is not to be drawn") << (reported ? "" : ", not reported")
              << (early ? ", reported before it was written" : "")
              << (canary ? ", and the reference changes it" : "") << '\n';
    });
    if (fast.strays)
        wrong << fast.strays << " accesses or reports that are not allowed\n";
    return wrong.str();
}

/// True if each plane of the source is a plane of the destination.
bool is_within_surface(const Operation& op) {
    const Source& source = op.stages[0].source;
    const unsigned planes = op.planar ? op.planar->layout.planes : 1;
    bool same = !op.planar || source.layout.planes == planes;
    for (unsigned i = 0; i < planes && same; i++) {
        const SurfaceDesc& d = i ? op.planar->more[i - 1] : op.destination;
        const SurfaceDesc& s = source.surface[i];
        same = d.base == s.base && d.stride == s.stride && d.tiling == s.tiling && d.swap == s.swap;
    }
    return same;
}

/// True if rows are drawn from bottom to top.
bool walks_up(const Operation& op) {
    const Stage& stage = op.stages[0];
    const SurfaceDesc &d = op.destination, &s = stage.source.surface[0];
    const Placement& p = stage.source.placement;
    const Rect& r = op.rect;
    const Source::Kind kind = op.planar ? Source::Kind::yuv : Source::Kind::rgb;
    if (op.line || (op.planar && !op.to_yuv()) || op.stage_count > 1 || stage.source.filter ||
        stage.source.kind != kind || !needs_source(stage) || p.transpose || !p.x.unit() ||
        !p.y.unit() || p.y.falling() || (!op.planar && d.format != s.format))
        return false;
    if (op.planar || !d.linear() || !s.linear())
        return is_within_surface(op) && p.source_y(r.left, r.top) < r.top;
    if (d.stride != s.stride)
        return false;
    const auto row = r.width() * d.format.bytes();
    const auto address = [](const SurfaceDesc& surface, int64_t x, int64_t y) {
        return surface.base + uint64_t(y * surface.stride + x * surface.format.bytes());
    };
    const uint64_t to = address(d, r.left, r.top);
    const int64_t left = std::min(p.source_x(r.left, r.top), p.source_x(r.right - 1, r.top));
    const uint64_t from = address(s, left, p.source_y(r.left, r.top));
    const uint64_t extent = uint64_t((r.height() - 1) * int64_t(d.stride) + row);
    return d.stride >= row && to > from && to < from + extent;
}

/// Returns the operation restricted to rows [first, first + count) in drawing order. It must not be
/// a line.
Operation part(const Operation& op, uint32_t first, uint32_t count) {
    Operation some = op;
    if (walks_up(op)) {
        some.rect.bottom -= int32_t(first);
        some.rect.top = some.rect.bottom - int32_t(count);
    } else {
        some.rect.top += int32_t(first);
        some.rect.bottom = some.rect.top + int32_t(count);
    }
    return some;
}

/// True if the pipeline may read memory that the reference does not read: pixels between those that
/// are used, and the destination of pixels that are kept.
bool may_fault_early(const Operation& op) {
    bool any = has_transparent_pixels(op);
    for (unsigned i = 0; i < op.stage_count; i++) {
        const Source& s = op.stages[i].source;
        any |= s.kind == Source::Kind::yuv || s.filter || !s.placement.straight() ||
               !s.placement.y.unit() || s.surface[0].tiling != Tiling::linear || s.surface[0].swap;
    }
    return any || op.planar || !op.destination.linear() || op.line;
}

/// Returns how many of the first `rows` rows share no chroma with later rows.
uint32_t whole_cells(const Operation& op, uint32_t rows) {
    if (!op.planar || op.line)
        return rows;
    const auto cell = int32_t(1) << op.planar->layout.y_shift;
    if (walks_up(op)) {
        const int32_t begin = op.rect.bottom - int32_t(rows);
        return uint32_t(std::max(op.rect.bottom - ((begin + cell - 1) & -cell), 0));
    }
    const int32_t end = op.rect.top + int32_t(rows);
    return uint32_t(std::max((end & -cell) - op.rect.top, 0));
}

/// Checks that the rows before a fault are correct and the rows after it are unchanged.
std::string check_fault(const Case& c, const Progress& got, const Progress& expected,
                        const TestMemory& fast) {
    const Operation& op = c.op();
    TestMemory plain = c.memory();
    uint32_t rows = whole_cells(op, got.rows);
    if (op.planar && rows <= expected.rows + 2) // chroma of the last rows may be missing
        rows = std::min(rows, expected.rows);
    if (rows > expected.rows || (rows < expected.rows && !may_fault_early(op)))
        return "faulted after " + std::to_string(got.rows) + " rows instead of " +
               std::to_string(expected.rows);
    if (rows)
        reference(plain, part(op, 0, rows));
    // Rows are drawn together so that each tile is read only once.
    const uint32_t count = std::min(c.blit ? 1u : 64u, rows_of(op) - rows);
    const Operation row = op.line ? op : part(op, rows, count);
    return compare(c, fast, plain, bytes_of(row, c.memory()));
}

bool is_for_pixman(const Case& c) {
    TestMemory memory = c.memory();
    PixmanPainter painter(*c.kernels);
    return c.kernels->pixman && painter.choose(memory, c.op()) && painter.place(c.op());
}

/// The result of the reference for a case.
struct Expected {
    explicit Expected(const Case& c) : memory(c.memory()), progress(reference(memory, c.op())) {}
    TestMemory memory;
    Progress progress;
};

std::string check(const Case& c, const Expected& plain, uint64_t& shared, Pieces& pieces) {
    TestMemory fast = c.memory();
    const Progress got = draw(c, fast, pieces), &expected = plain.progress;
    shared += !fast.maps && fast.reports; // only threads do not call map()
    if (got.rows > rows_of(c.op()))
        return "refused";
    if (got.faulted)
        return check_fault(c, got, expected, fast);
    if (expected.faulted || got.rows != expected.rows)
        return "rows " + std::to_string(got.rows) + " instead of " + std::to_string(expected.rows);
    if (!c.op().rect.empty() && got.pixels != pixels_of(c.op()))
        return "counts " + std::to_string(got.pixels) + " pixels";
    return compare(c, fast, plain.memory, {});
}

// ---- Crashes -----------------------------------------------------------------

/// While an instance exists, fatal signals print the current case first.
class CrashNotice {
public:
    CrashNotice() {
        struct sigaction tell = {};
        tell.sa_handler = &CrashNotice::tell;
        for (size_t i = 0; i < std::size(signals); i++)
            sigaction(signals[i], &tell, &before[i]);
    }
    ~CrashNotice() { restore(); }
    CrashNotice(const CrashNotice&) = delete;
    CrashNotice& operator=(const CrashNotice&) = delete;

    void enter(uint64_t seed, uint64_t number) const {
        length = size_t(std::snprintf(
            text, sizeof text, "\nends here: PIXMILL_SEED=%llu PIXMILL_CASE=%llu\n",
            static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number)));
    }

private:
    static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    static inline struct sigaction before[std::size(signals)];
    static inline char text[100];
    static inline size_t length = 0;

    static void restore() {
        for (size_t i = 0; i < std::size(signals); i++)
            sigaction(signals[i], &before[i], nullptr);
    }
    /// Prints the case and restores the old handlers. Returning repeats the fault, which the old
    /// handler then gets.
    static void tell(int) {
        (void)!write(STDERR_FILENO, text, length);
        restore();
    }
};

// ---- The test ----------------------------------------------------------------

TEST(RenderProperty, PipelineEqualsReference) {
    RandomCases cases(100000);
    uint64_t shared = 0, by_pixman = 0;
    Pieces pieces;
    const CrashNotice notice;
    for (const auto [seed, number] : cases) {
        notice.enter(seed, number);
        Case c = random_case(seed, number);
        const Expected plain(c);
        by_pixman += is_for_pixman(c);
        for (c.way = 0; c.way < ways; c.way++) {
            c.kernels = &way(c.way);
            const std::string wrong = check(c, plain, shared, pieces);
            ASSERT_TRUE(wrong.empty())
                << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                << describe(c) << '\n'
                << wrong;
        }
    }
    constexpr uint64_t enough = 1000; // fewer cases may leave a statistic at 0 by chance
    if (cases.played() >= enough) {
        const uint64_t draws = ways * cases.played();
        EXPECT_GT(by_pixman, cases.played() / 100) << "cases that pixman has drawn";
        EXPECT_GT(shared, draws / 50) << "draws that threads have shared";
        EXPECT_GT(pieces.inside, draws / 10) << "calls that end within a row";
        EXPECT_GT(pieces.waited, draws / 10) << "calls that store nothing yet";
        EXPECT_GT(pieces.taken, draws / 100) << "rows completed by another pipeline";
    }
    RecordProperty("shared", int(shared));
    RecordProperty("by_pixman", int(by_pixman));
}

/// A faulty kernel that also reads the byte after its source.
[[gnu::no_sanitize_address]] void copy_and_look_behind(const RopRow& terms, const ByteSpan& span) {
    baseline_kernels().copy(terms, span);
    const volatile std::byte* const behind =
        span.source + size_t(span.rows - 1) * span.source_pitch + span.length;
    [[maybe_unused]] const std::byte seen = *behind;
}

/// A faulty kernel that also accesses the byte before its destination.
[[gnu::no_sanitize_address]] void fill_and_touch_before(const RopRow& terms, const ByteSpan& span) {
    baseline_kernels().fill(terms, span);
    volatile std::byte* const before = span.destination - 1;
    *before = *before;
}

void draw_with(const Kernels& kernels) {
    const CrashNotice notice;
    for (uint64_t number = 0; number < 20000; number++) {
        notice.enter(1, number);
        Case c = random_case(1, number);
        c.kernels = &kernels;
        c.threads = 1;
        TestMemory memory = c.memory();
        Pieces pieces;
        draw(c, memory, pieces);
    }
}

TEST(RenderPropertyDeathTest, ReadingPastTheEndOfMemoryIsSeen) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Kernels bad = baseline_kernels();
    bad.copy = copy_and_look_behind;
    EXPECT_DEATH(draw_with(bad), "PIXMILL_SEED=1 PIXMILL_CASE=");
}

TEST(RenderPropertyDeathTest, TouchingWhatLiesBeforeMemoryIsSeen) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    Kernels bad = baseline_kernels();
    bad.fill = fill_and_touch_before;
    EXPECT_DEATH(draw_with(bad), "PIXMILL_SEED=1 PIXMILL_CASE=");
}

} // namespace
} // namespace pixmill::render

// SPDX-License-Identifier: GPL-2.0-or-later
//
// Pipeline == reference() on random operations, with every set of kernels.
//
// PIXMILL_SEED=n    another sequence of cases
// PIXMILL_CASES=n   how many (20000)
// PIXMILL_CASE=n    only this one
#include <gtest/gtest.h>

#include <cstdlib>
#include <iomanip>
#include <sstream>

#include "render/pipeline.hpp"
#include "render_memory.hpp"

namespace pixmill::render {
namespace {

using test::TestMemory;

uint64_t setting(const char* name, uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

/// splitmix64: equal on every host.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}
    uint64_t next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15;
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
        z = (z ^ z >> 27) * 0x94D049BB133111EB;
        return z ^ z >> 31;
    }
    /// In [low, high].
    int64_t in(int64_t low, int64_t high) {
        return low + int64_t(next() % uint64_t(high - low + 1));
    }
    bool chance(unsigned percent) { return next() % 100 < percent; }
    template<class T, size_t N>
    const T& of(const T (&choices)[N]) {
        return choices[next() % N];
    }

private:
    uint64_t state_;
};

struct Case {
    Operation op;
    TestMemory memory;
    std::vector<uint32_t> cuts; ///< rows at which a new pipeline takes over
    const Kernels* kernels = nullptr;
};

constexpr uint64_t bytes = 0x2000;

Format random_format(Random& random) {
    using namespace formats;
    constexpr Format all[] = {x4r4g4b4, a4r4g4b4, x1r5g5b5, a1r5g5b5,
                              r5g6b5,   x8r8g8b8, a8r8g8b8, a8};
    constexpr Swizzle swizzles[] = {Swizzle::argb, Swizzle::rgba, Swizzle::abgr, Swizzle::bgra};
    return with_swizzle(random.of(all), random.of(swizzles));
}

TestMemory random_memory(Random& random) {
    constexpr uint64_t page_sizes[] = {bytes, bytes, 7, 16, 61, 256, 0x1000};
    constexpr uint64_t origins[] = {0, 0x10000, 0x100000000 - bytes};
    const uint64_t page_size = random.of(page_sizes);
    TestMemory memory(random.of(origins), page_size, bytes / page_size);
    auto& pages = memory.pages;
    if (random.chance(80))
        for (size_t i = 0; i + 1 < pages.size(); i++)
            std::swap(pages[i], pages[size_t(random.in(int64_t(i), int64_t(pages.size()) - 1))]);
    const bool faults = random.chance(10);
    for (auto& page : pages)
        if (pages.size() > 1 && random.chance(4))
            page = {faults ? Mapping::fault : Mapping::hole, uint8_t(random.next()), 0};
    for (size_t i = 0; i < memory.pool.size(); i += 8) {
        const uint64_t noise = random.next();
        std::memcpy(&memory.pool[i], &noise, std::min<size_t>(8, memory.pool.size() - i));
    }
    return memory;
}

/// Bytes from the first to past the last of `rect`.
uint64_t extent(const SurfaceDesc& surface, const Rect& rect) {
    return uint64_t(rect.height() - 1) * surface.stride +
           uint64_t(rect.width()) * surface.format.bytes();
}

uint32_t random_stride(Random& random, const Format& format, const Rect& rect, uint64_t room) {
    const auto row = uint32_t(rect.width()) * format.bytes();
    const unsigned kind = unsigned(random.in(0, 9));
    uint32_t stride = row;
    if (kind >= 3)
        stride = kind == 9 ? uint32_t(random.in(0, row)) : row + uint32_t(random.in(1, 200));
    if (rect.height() > 1) // else any stride is in bounds
        stride = std::min(stride, uint32_t((room - row) / uint64_t(rect.height() - 1)));
    return stride;
}

/// Places pixel (x, y) of `surface` at `address`; moves it to (0, 0) if the base would be
/// negative.
void place(SurfaceDesc& surface, int32_t& x, int32_t& y, uint64_t address) {
    const int64_t offset = int64_t(y) * surface.stride + int64_t(x) * surface.format.bytes();
    if (int64_t(address) < offset)
        x = y = 0;
    surface.base = int64_t(address) < offset ? address : address - uint64_t(offset);
}

void random_surfaces(Random& random, Case& c) {
    Operation& op = c.op;
    const uint64_t room = c.memory.pool.size();
    const auto somewhere = [&](const SurfaceDesc& surface) {
        return c.memory.origin + uint64_t(random.in(0, int64_t(room - extent(surface, op.rect))));
    };
    op.rect = {0, 0, int32_t(random.in(1, random.chance(10) ? 500 : 40)),
               int32_t(random.in(1, random.chance(10) ? 40 : 9))};
    SurfaceDesc source;
    op.destination.format = random_format(random);
    source.format = random.chance(50) ? op.destination.format : random_format(random);
    op.destination.stride = random_stride(random, op.destination.format, op.rect, room);
    const bool alike = source.format.bits == op.destination.format.bits && random.chance(70);
    source.stride =
        alike ? op.destination.stride : random_stride(random, source.format, op.rect, room);

    const uint64_t to = somewhere(op.destination);
    uint64_t from = somewhere(source);
    if (random.chance(30)) { // within a few rows: likely to overlap
        const int64_t near = int64_t(to) + random.in(-2, 2) * int64_t(source.stride) +
                             random.in(-9, 9) * (random.chance(80) ? source.format.bytes() : 1);
        const auto last = int64_t(c.memory.origin + room - extent(source, op.rect));
        from = uint64_t(std::clamp(near, int64_t(c.memory.origin), last));
    }
    int32_t x = int32_t(random.in(-9, 40)), y = int32_t(random.in(-9, 40));
    place(op.destination, x, y, to);
    op.rect = {x, y, x + op.rect.right, y + op.rect.bottom};
    op.source_x = int32_t(random.in(-9, 40));
    op.source_y = int32_t(random.in(-9, 40));
    place(source, op.source_x, op.source_y, from);
    op.source = source;
}

Case random_case(uint64_t seed, uint64_t number) {
    Random random(seed * 0x100000001B3 + number);
    Case c{{}, random_memory(random), {}, nullptr};
    random_surfaces(random, c);
    constexpr Rop3 common[] = {0xCC, 0xCC, 0xF0, 0x66, 0x5A, 0x33, 0x55, 0xB8, 0x00, 0xFF, 0xAA};
    c.op.rop = random.chance(60) ? random.of(common) : Rop3(random.next());
    c.op.pattern = uint32_t(random.next());
    c.cuts.push_back(0);
    const auto rows = uint32_t(c.op.rect.height());
    while (random.chance(30) && c.cuts.back() < rows)
        c.cuts.push_back(uint32_t(random.in(c.cuts.back(), rows)));
    c.cuts.push_back(rows);
    c.kernels = random.chance(50) ? &kernels() : &baseline_kernels();
    return c;
}

std::string describe(const Case& c) {
    std::ostringstream text;
    const auto surface = [&](const char* name, const SurfaceDesc& s) {
        text << name << ' ' << s.format.name << " (R at bit " << int(s.format.red.shift)
             << ") base 0x" << std::hex << s.base << std::dec << " stride " << s.stride << '\n';
    };
    surface("destination", c.op.destination);
    surface("source", *c.op.source);
    const Rect& r = c.op.rect;
    text << "rect (" << r.left << ", " << r.top << ") to (" << r.right << ", " << r.bottom
         << "), source (" << c.op.source_x << ", " << c.op.source_y << ")\nrop 0x" << std::hex
         << int(c.op.rop) << " pattern 0x" << c.op.pattern << std::dec << "\npages of "
         << c.memory.page_size << ", cuts";
    for (const uint32_t cut : c.cuts)
        text << ' ' << cut;
    text << (c.kernels == &baseline_kernels() ? ", baseline kernels" : ", best kernels");
    return text.str();
}

/// Draws with the pipeline, in the pieces of the case.
Progress draw(Case& c, TestMemory& memory) {
    Progress total;
    for (size_t i = 0; i + 1 < c.cuts.size() && !total.faulted; i++) {
        Pipeline pipeline(*c.kernels);
        if (pipeline.prepare(memory, c.op))
            return {UINT32_MAX, false};
        const Progress progress = pipeline.run(c.cuts[i], c.cuts[i + 1] - c.cuts[i]);
        total.rows += progress.rows;
        total.faulted = progress.faulted;
    }
    return total;
}

enum Part : uint8_t { outside, drawn, unknown };

/// By address: the bytes of rows that were drawn, and of the row that faulted. `bottom_up`
/// tells the walking order.
std::vector<Part> parts(const Case& c, const Progress& progress, bool bottom_up) {
    std::vector<Part> map(c.memory.pool.size(), outside);
    const SurfaceDesc& d = c.op.destination;
    const auto rows = uint32_t(c.op.rect.height());
    const auto mark = [&](uint32_t done, Part part) {
        const int64_t y = c.op.rect.top + int64_t(bottom_up ? rows - 1 - done : done);
        const uint64_t begin =
            d.base + uint64_t(y * d.stride + int64_t(c.op.rect.left) * d.format.bytes());
        for (uint64_t i = 0; i < uint64_t(c.op.rect.width()) * d.format.bytes(); i++)
            if (c.memory.is_host(begin + i))
                map[begin + i - c.memory.origin] = part;
    };
    for (uint32_t done = 0; done < progress.rows && c.op.rop != 0xAA; done++)
        mark(done, drawn);
    if (progress.faulted)
        mark(progress.rows, unknown);
    return map;
}

/// What is wrong with the pipeline's picture, or nothing.
std::string compare(const Case& c, TestMemory& before, TestMemory& fast, TestMemory& plain,
                    const std::vector<Part>& map) {
    std::ostringstream wrong;
    wrong << std::hex;
    for (size_t i = 0; i < map.size() && wrong.tellp() < 300; i++) {
        const uint64_t address = c.memory.origin + i;
        if (!c.memory.is_host(address) || map[i] == unknown)
            continue;
        if (fast.byte(address) != plain.byte(address))
            wrong << "at 0x" << address << ": " << int(fast.byte(address)) << " instead of "
                  << int(plain.byte(address)) << '\n';
        if (map[i] == outside && fast.byte(address) != before.byte(address))
            wrong << "at 0x" << address << ": written outside of the rectangle\n";
        if ((map[i] == drawn) != (fast.dirty[i] != 0))
            wrong << "at 0x" << address << ": reported " << int(fast.dirty[i]) << " times\n";
        if (fast.dirty[i] && fast.shadow[i] != fast.byte(address))
            wrong << "at 0x" << address << ": reported before it was written\n";
    }
    if (fast.strays)
        wrong << fast.strays << " accesses or reports that are not allowed\n";
    return wrong.str();
}

bool walks_up(const Case& c) {
    if (!uses_source(c.op.rop))
        return false;
    const SurfaceDesc &d = c.op.destination, &s = *c.op.source;
    const auto first = [](const SurfaceDesc& surface, int64_t x, int64_t y) {
        return surface.base + uint64_t(y * surface.stride + x * surface.format.bytes());
    };
    const uint64_t to = first(d, c.op.rect.left, c.op.rect.top);
    const uint64_t from = first(s, c.op.source_x, c.op.source_y);
    return d.format == s.format && d.stride == s.stride &&
           d.stride >= c.op.rect.width() * d.format.bytes() && to > from &&
           to < from + extent(s, c.op.rect);
}

std::string check(Case& c) {
    TestMemory fast = c.memory, plain = c.memory;
    const Progress got = draw(c, fast);
    const Progress expected = reference(plain, c.op);
    if (got.rows != expected.rows || got.faulted != expected.faulted)
        return "rows " + std::to_string(got.rows) + " instead of " + std::to_string(expected.rows);
    return compare(c, c.memory, fast, plain, parts(c, expected, walks_up(c)));
}

TEST(RenderProperty, PipelineEqualsReference) {
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    const uint64_t first = only == UINT64_MAX ? 0 : only;
    const uint64_t end = only == UINT64_MAX ? setting("PIXMILL_CASES", 20000) : only + 1;
    for (uint64_t number = first; number < end; number++) {
        Case c = random_case(seed, number);
        const std::string wrong = check(c);
        ASSERT_TRUE(wrong.empty()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << '\n'
                                   << describe(c) << '\n'
                                   << wrong;
    }
}

} // namespace
} // namespace pixmill::render

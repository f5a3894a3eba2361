/*
 * Filter blits of the video rasterizer: nine taps, 32 phases, one axis or both (rnndb VR.*,
 * FILTER_KERNEL; xf86-video-armada Xv, gcbv, th1520 g2d).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <array>

#include "vivante_2d.hpp"

namespace pixmill::test {
namespace {

enum Start : uint32_t { kHorizontal, kVertical, kOnePass };

/* A kernel table: 17 rows of nine taps in 1.14 fixed point. */
struct Kernel {
    std::array<int16_t, 17 * 9> coefficients{};

    Kernel& row(size_t r, std::initializer_list<std::pair<size_t, uint16_t>> taps) {
        for (const auto& [tap, value] : taps)
            coefficients[r * 9 + tap] = static_cast<int16_t>(value);
        return *this;
    }
    static Kernel identity() {
        Kernel kernel;
        for (size_t r = 0; r < 17; r++)
            kernel.row(r, {{4, 0x4000}});
        return kernel;
    }
    static Kernel noise(std::mt19937& random) {
        Kernel kernel;
        for (int16_t& c : kernel.coefficients)
            c = static_cast<int16_t>(static_cast<int>(random() % 0x3000) - 0x1000);
        return kernel;
    }
    Words words() const {
        Words result;
        for (size_t i = 0; i < coefficients.size(); i += 2) {
            const uint32_t low = static_cast<uint16_t>(coefficients[i]);
            const uint32_t high =
                i + 1 < coefficients.size() ? static_cast<uint16_t>(coefficients[i + 1]) : 0x7777;
            result.push_back(low | high << 16);
        }
        return result;
    }
    int32_t at(uint32_t phase, int tap) const { /* phases 17 to 31 are mirrored rows */
        return phase <= 16 ? coefficients[phase * 9 + static_cast<size_t>(tap)]
                           : coefficients[(32 - phase) * 9 + static_cast<size_t>(8 - tap)];
    }
};

uint32_t grey(uint32_t value) {
    return 0xFF000000 | value * 0x010101;
}

Words greys(const std::vector<uint32_t>& values) {
    Words result;
    for (const uint32_t value : values)
        result.push_back(grey(value));
    return result;
}

Writes vr(const Rect& image, uint32_t origin_x, uint32_t origin_y, const Rect& window,
          uint32_t factor_x, uint32_t factor_y) {
    return {{state::kStretchLow, factor_x},
            {state::kStretchHigh, factor_y},
            {state::kVrSourceLow, pack_xy(image.left, image.top)},
            {state::kVrSourceHigh, pack_xy(image.right, image.bottom)},
            {state::kVrOriginLow, origin_x},
            {state::kVrOriginHigh, origin_y},
            {state::kVrTargetLow, pack_xy(window.left, window.top)},
            {state::kVrTargetHigh, pack_xy(window.right, window.bottom)}};
}

/* ---- Quirks ------------------------------------------------------------- */

MachineOptions with_quirks(const char* model, uint32_t on, uint32_t off = 0) {
    return {.model = model, .quirks_on = on, .quirks_off = off, .ram_size = Scene::kRam};
}

/* The kernel, which averages two pixels here, must also apply at a factor of 1.0. */
TEST(Vivante2dFilter, AFactorOfOneIsFiltered) {
    const Kernel average = Kernel().row(16, {{4, 0x2000}, {5, 0x2000}});
    for (const uint32_t start : {kHorizontal, kOnePass}) {
        Scene scene({.model = kPe20, .ram_size = Scene::kRam});
        scene.words(kSrcAt, greys({10, 20, 30, 40}))
            .base(8, 1, 0x5000)
            .set(vr({0, 0, 4, 1}, 0x8000, 0x8000, {0, 0, 4, 1}, 0x10000, 0x10000))
            .table(state::kFilterKernel, average.words())
            .table(state::kHoriKernel, average.words())
            .table(state::kVertiKernel, average.words())
            .set(state::kVrConfig, start)
            .run()
            .expect_words(kDstAt, greys({15, 25, 35, 40}));
    }
}

/*
 * For equal sizes the vendor's HAL sets an origin of half a pixel. The kernel row of that phase has
 * 1.0 in the middle and 0 elsewhere, so the result is a copy whether or not the kernel applies.
 */
TEST(Vivante2dFilter, AtTheVendorsOriginOneToOneIsACopyAnyhow) {
    Kernel vendors = Kernel().row(16, {{4, 0x4000}});
    for (size_t r = 0; r < 16; r++)
        vendors.row(r, {{3, 0x1800}, {4, 0x2800}});
    const Words ramp = greys({10, 20, 30, 40});
    Scene scene({.model = kPe20, .ram_size = Scene::kRam});
    scene.words(kSrcAt, ramp)
        .base(8, 1, 0x5000)
        .set(vr({0, 0, 4, 1}, 0x8000, 0, {0, 0, 4, 1}, 0x10000, 0x10000))
        .table(state::kFilterKernel, vendors.words())
        .set(state::kVrConfig, kHorizontal)
        .run()
        .expect_words(kDstAt, ramp);
}

/* A filter blit with an identity kernel must still convert YUV to RGB. */
TEST(Vivante2dFilter, AnIdentityConvertsFormats) {
    Scene scene({.model = kPe20, .ram_size = Scene::kRam});
    scene.bytes(kSrcAt, {0x51, 0x5A, 0x91, 0xF0, 0x29, 0xF0, 0x10, 0x6E})
        .base(4, 1, 0x5000, {{state::kSrcConfig, kYuy2 << 24}})
        .set(vr({0, 0, 4, 1}, 0x8000, 0x8000, {0, 0, 4, 1}, 0x10000, 0x10000))
        .table(state::kFilterKernel, Kernel::identity().words())
        .set(state::kVrConfig, kHorizontal)
        .run()
        .expect_words(kDstAt, {0xFFFF0000, 0xFFFF4A49, 0xFF0000FF, 0xFF0000E3});
}

/* Returns two pixels in the byte order of @format: Y 51 and 91, U 5A, V F0. */
std::vector<uint8_t> two_pixels(uint32_t format) {
    return format == kYuy2 ? std::vector<uint8_t>{0x51, 0x5A, 0x91, 0xF0}
                           : std::vector<uint8_t>{0x5A, 0x51, 0xF0, 0x91};
}

std::vector<uint8_t> filtered_yuv(const MachineOptions& options, uint32_t from, uint32_t to,
                                  uint32_t start, bool said) {
    Scene scene(options);
    scene.bytes(kSrcAt, two_pixels(from))
        .words(kDstAt, {0xEEEEEEEE})
        .base(2, 1, 0x5000, {{state::kSrcConfig, from << 24}, {state::kDestConfig, to | 0x6000}})
        .set(vr({0, 0, 2, 1}, 0x8000, 0x8000, {0, 0, 2, 1}, 0x10000, 0x10000))
        .table(state::kFilterKernel, Kernel::identity().words())
        .table(state::kHoriKernel, Kernel::identity().words())
        .table(state::kVertiKernel, Kernel::identity().words())
        .set(state::kVrConfig, start)
        .run();
    std::vector<uint8_t> bytes(4);
    scene.m.ram.get(kDstAt, bytes.data(), bytes.size());
    scene.expect_bytes(kDstAt, bytes);
    EXPECT_EQ(scene.m.guest_errors(), said ? 1u : 0u);
    return bytes;
}

/*
 * xf86-video-armada, "etnaviv: fix XV resize for UYVY source format" (December 2016): on the
 * i.MX6's GC320, revisions 5007 and 5303, the first pass from UYVY to YUY2 writes zeros.
 */
TEST(Vivante2dFilter, TheOrderOfPackedYuvCannotChangeOnTheImx6) {
    const std::vector<uint8_t> zeros(4);
    const struct {
        MachineOptions options;
        bool fault;
    } rows[] = {{with_quirks("gc320-imx6", 0), true},
                {with_quirks("gc320-imx6qp", 0), true},
                {with_quirks("gc320-am57xx", 0), false},
                {with_quirks("gc320-imx8mm", 0), false},
                {with_quirks("gc320-imx6", 0, PIXMILL_VIVANTE_QUIRK_YUV_ORDER), false},
                {with_quirks("gc320-am57xx", PIXMILL_VIVANTE_QUIRK_YUV_ORDER), true}};
    for (const auto& row : rows) {
        for (const uint32_t start : {kHorizontal, kVertical, kOnePass}) {
            for (const uint32_t from : {kYuy2, kUyvy}) {
                SCOPED_TRACE(testing::Message() << row.options.model << " " << start);
                const uint32_t to = from == kYuy2 ? kUyvy : kYuy2;
                EXPECT_EQ(filtered_yuv(row.options, from, to, start, row.fault),
                          row.fault ? zeros : two_pixels(to));
                EXPECT_EQ(filtered_yuv(row.options, from, from, start, false), two_pixels(from));
            }
        }
    }
}

/* On the i.MX6, armada's filters from planar formats to YUY2 work, and so do other blits. */
TEST(Vivante2dFilter, OnlyTheFilterBetweenPackedFormatsHasTheFault) {
    Scene planar("gc320-imx6");
    planar.bytes(kSrcAt, {0x51, 0x91})
        .bytes(kSrcAt + 0x100, {0x5A})
        .bytes(kSrcAt + 0x200, {0xF0})
        .base(2, 1, 0x5000,
              {{state::kSrcConfig, kYv12 << 24},
               {state::kDestConfig, kYuy2 | 0x6000u},
               {state::kUPlaneAddress, kSrcAt + 0x100},
               {state::kVPlaneAddress, kSrcAt + 0x200}})
        .set(vr({0, 0, 2, 1}, 0x8000, 0x8000, {0, 0, 2, 1}, 0x10000, 0x10000))
        .table(state::kFilterKernel, Kernel::identity().words())
        .set(state::kVrConfig, kVertical)
        .run()
        .expect_bytes(kDstAt, two_pixels(kYuy2));
    Scene blit("gc320-imx6");
    blit.bytes(kSrcAt, two_pixels(kUyvy))
        .base(2, 1, kCommandBlit,
              {{state::kSrcConfig, kUyvy << 24}, {state::kDestConfig, kYuy2 | kCommandBlit}})
        .draw({0, 0, 2, 1})
        .run()
        .expect_bytes(kDstAt, two_pixels(kYuy2));
}

/* ---- Vectors ------------------------------------------------------------ */

struct RowCase {
    const char* name;
    Kernel kernel;
    uint32_t origin, factor;
    std::vector<uint32_t> source, result;
    int left = 0, right = -1; /* columns of the image box; right -1: to the row's end */
};

std::vector<RowCase> row_cases() {
    const Kernel identity = Kernel::identity();
    const Kernel average = Kernel().row(16, {{4, 0x2000}, {5, 0x2000}});
    const Kernel quarter = Kernel().row(8, {{3, 0x1000}, {4, 0x3000}});
    const Kernel sharp = Kernel().row(16, {{3, 0xFC00}, {4, 0x2400}, {5, 0x2400}, {6, 0xFC00}});
    const std::vector<uint32_t> ramp = {10, 20, 30, 40};
    return {
        {"identity", identity, 0x8000, 0x10000, ramp, ramp},
        {"average", average, 0x8000, 0x10000, ramp, {15, 25, 35, 40}},
        {"phase 8", quarter, 0x4000, 0x10000, ramp, {10, 18, 28, 38}},
        {"phase 24", quarter, 0xC000, 0x10000, ramp, {13, 23, 33, 40}},
        {"lobes", sharp, 0x8000, 0x10000, {0, 255, 255, 0}, {128, 255, 128, 0}},
        {"8 to 4", identity, 0x8000, 0x25555, {0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 5, 7}},
        {"4 to 8", identity, 0x8000, 0x6DB6, ramp, {10, 10, 20, 20, 30, 30, 40, 40}},
        {"no center", identity, 0, 0x6DB6, ramp, {10, 10, 10, 20, 20, 30, 30, 30}},
        {"box", identity, 0x8000, 0x10000, ramp, {20, 20, 30, 30}, 1, 3},
        {"negative", identity, 0xFFFE8000, 0x10000, ramp, {10, 10, 10, 20}},
    };
}

TEST(Vivante2dFilter, HorizontalRows) {
    for (const RowCase& c : row_cases()) {
        SCOPED_TRACE(c.name);
        const int count = static_cast<int>(c.result.size());
        const int right = c.right < 0 ? static_cast<int>(c.source.size()) : c.right;
        Scene scene;
        scene.words(kSrcAt, greys(c.source))
            .base(8, 1, 0x5000)
            .set(vr({c.left, 0, right, 1}, c.origin, 0, {0, 0, count, 1}, c.factor, 0x10000))
            .table(state::kFilterKernel, c.kernel.words())
            .set(state::kVrConfig, kHorizontal)
            .run()
            .expect_words(kDstAt, greys(c.result));
    }
}

TEST(Vivante2dFilter, VerticalColumns) {
    for (const RowCase& c : row_cases()) { /* the row becomes a column */
        for (uint32_t other_factor : {0u, 0x10000u}) {
            SCOPED_TRACE(c.name);
            const int count = static_cast<int>(c.result.size());
            const int bottom = c.right < 0 ? static_cast<int>(c.source.size()) : c.right;
            Scene scene;
            for (size_t i = 0; i < c.source.size(); i++)
                scene.words(kSrcAt + 32 * static_cast<uint32_t>(i), {grey(c.source[i])});
            scene.base(8, 8, 0x6000)
                .set(vr({0, c.left, 1, bottom}, 0, c.origin, {0, 0, 1, count}, other_factor,
                        c.factor))
                .table(state::kFilterKernel, c.kernel.words())
                .set(state::kVrConfig, kVertical)
                .run();
            for (size_t i = 0; i < c.result.size(); i++)
                scene.expect_words(kDstAt + 32 * static_cast<uint32_t>(i), {grey(c.result[i])});
        }
    }
}

/* Sets up an identity filter of one row. A test may override its states before the kick. */
Scene& identity_row(Scene& scene, uint32_t command = 0x5000) {
    return scene.words(kSrcAt, greys({10, 20, 30, 40}))
        .base(4, 1, command)
        .set(vr({0, 0, 4, 1}, 0x8000, 0x8000, {0, 0, 4, 1}, 0x10000, 0x10000))
        .table(state::kFilterKernel, Kernel::identity().words())
        .table(state::kHoriKernel, Kernel::identity().words())
        .table(state::kVertiKernel, Kernel::identity().words());
}

const Words kRamp = greys({10, 20, 30, 40});

TEST(Vivante2dFilter, OnePassIdentityIsACopy) {
    Scene scene;
    identity_row(scene, 0x7000).set(state::kVrConfig, kOnePass).run().expect_words(kDstAt, kRamp);
}

TEST(Vivante2dFilter, MaskedKickStartsNothing) {
    Scene scene;
    identity_row(scene).set(state::kVrConfig, 8).set(state::kVrConfig, ~0u).run();
}

TEST(Vivante2dFilter, KickDecidesWhateverTheCommandIs) {
    for (uint32_t command : {0x0000u, 0x2000u, 0x6000u, 0xF000u}) {
        Scene scene;
        identity_row(scene, command).set(state::kVrConfig, 0).run().expect_words(kDstAt, kRamp);
    }
}

TEST(Vivante2dFilter, ClipAndRopOfTheLastBlitDoNotMatter) {
    for (uint32_t code : {0xF0u, 0x55u, 0x00u}) {
        Scene scene;
        identity_row(scene)
            .set(state::kRop, rop4(code))
            .add(clip(0, 1, 1, 2))
            .set(state::kVrConfig, 0)
            .run()
            .expect_words(kDstAt, kRamp);
    }
}

TEST(Vivante2dFilter, KickAtTheEndOfABurst) {
    Scene scene; /* one burst of states 1284 to 1294, where 1294 starts the blit */
    identity_row(scene)
        .table(state::kUPlaneAddress, {0, 0, 0, 0, kHorizontal})
        .run()
        .expect_words(kDstAt, kRamp);
}

/*
 * A blit uses the states from before the kick, but reads the kernel tables while it runs, possibly
 * after a migration. Tables that the same command writes after the kick therefore apply. The
 * reference draws at the kick.
 */
TEST(Vivante2dFilter, TablesOfTheKicksOwnBurst) {
    for (const bool migrating : {false, true}) {
        Scene scene;
        scene.without_reference();
        scene.m.allow_logs(); /* the burst includes undocumented states */
        Words burst((state::kFilterKernel - state::kVrConfig) / 4);
        const Words kernel = Kernel().row(16, {{3, 0x4000}}).words(); /* selects the left pixel */
        burst.insert(burst.end(), kernel.begin(), kernel.end());
        identity_row(scene).table(state::kVrConfig, burst);
        (migrating ? scene.run_migrating() : scene.run())
            .expect_words(kDstAt, greys({10, 10, 20, 30}));
    }
}

TEST(Vivante2dFilter, KernelThatWasNeverLoadedIsZero) {
    Scene scene;
    scene.words(kSrcAt, kRamp)
        .words(kDstAt, Words(4, 0x12345678))
        .base(4, 1, 0x5000)
        .set(vr({0, 0, 4, 1}, 0x8000, 0, {0, 0, 2, 1}, 0x10000, 0))
        .set(state::kVrConfig, 0)
        .set(state::kSrcConfig, kX8R8G8B8 << 24)
        .set(state::kVrTargetLow, pack_xy(2, 0))
        .set(state::kVrTargetHigh, pack_xy(4, 1))
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0, 0, 0xFF000000, 0xFF000000});
}

TEST(Vivante2dFilter, OpaqueFormatsStayOpaque) {
    Scene scene; /* the kernel halves white, but alpha must stay FF */
    scene.halves(kSrcAt, {0xFFFF, 0xFFFF})
        .base(2, 1, 0x5000, {{state::kSrcConfig, 0x04000000}})
        .set(vr({0, 0, 2, 1}, 0x8000, 0, {0, 0, 2, 1}, 0x10000, 0))
        .table(state::kFilterKernel, Kernel().row(16, {{4, 0x2000}}).words())
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0xFF808080, 0xFF808080});
}

/* ---- By the formula ------------------------------------------------------- */

constexpr int kSize = 16;

struct Filter {
    Kernel horizontal, vertical;
    Rect image{}, window{};
    int32_t x = 0, y = 0;
    uint32_t dx = 0, dy = 0;
    Words source{};

    uint32_t fetch(int64_t sx, int64_t sy) const {
        sx = std::clamp<int64_t>(sx, image.left, image.right - 1);
        sy = std::clamp<int64_t>(sy, image.top, image.bottom - 1);
        return source[static_cast<size_t>(sy * kSize + sx)];
    }
    template<class Sample>
    static uint32_t taps(const Kernel& kernel, int64_t position, Sample sample) {
        const auto phase = static_cast<uint32_t>(position >> 11 & 31);
        uint32_t out = 0;
        for (int shift = 0; shift < 32; shift += 8) {
            int64_t sum = 0;
            for (int k = 0; k < 9; k++)
                sum += kernel.at(phase, k) *
                       static_cast<int64_t>(sample((position >> 16) - 4 + k) >> shift & 0xFF);
            const int64_t value = std::clamp<int64_t>((sum + 0x2000) >> 14, 0, 255);
            out |= static_cast<uint32_t>(value) << shift;
        }
        return out;
    }
    uint32_t column(int64_t sx, int j) const {
        return taps(vertical, y + int64_t{dy} * j, [&](int64_t t) { return fetch(sx, t); });
    }
    uint32_t pixel(Start start, int i, int j) const {
        const int64_t position = x + int64_t{dx} * i;
        if (start == kHorizontal)
            return taps(horizontal, position, [&](int64_t s) { return fetch(s, (y >> 16) + j); });
        if (start == kVertical)
            return column((x >> 16) + i, j);
        return taps(horizontal, position, [&](int64_t s) {
            return column(std::clamp<int64_t>(s, image.left, image.right - 1), j);
        });
    }
    Words picture(Start start) const {
        Words result(kSize * kSize, 0);
        for (int j = 0; j < window.bottom - window.top; j++) {
            for (int i = 0; i < window.right - window.left; i++)
                result[static_cast<size_t>((window.top + j) * kSize + window.left + i)] =
                    pixel(start, i, j);
        }
        return result;
    }
    Scene& load(Scene& scene, Start start) const {
        return scene.words(kSrcAt, source)
            .base(kSize, kSize, 0x5000)
            .set(vr(image, static_cast<uint32_t>(x), static_cast<uint32_t>(y), window, dx, dy))
            .table(state::kFilterKernel, (start == kVertical ? vertical : horizontal).words())
            .table(state::kHoriKernel, horizontal.words())
            .table(state::kVertiKernel, vertical.words());
    }
};

Filter random_filter(std::mt19937& random) {
    Filter f{Kernel::noise(random), Kernel::noise(random)};
    f.image = {pick(random, 0, 7), pick(random, 0, 7), pick(random, 8, 16), pick(random, 8, 16)};
    f.window = {pick(random, 0, 7), pick(random, 0, 7), pick(random, 8, 16), pick(random, 8, 16)};
    f.x = pick(random, -0x40000, 0x100000);
    f.y = pick(random, -0x40000, 0x100000);
    f.dx = static_cast<uint32_t>(pick(random, 0, 0x30000));
    f.dy = static_cast<uint32_t>(pick(random, 0, 0x30000));
    f.source = random_words(random, kSize * kSize);
    return f;
}

class Vivante2dFilterPasses : public testing::TestWithParam<Start> {};

TEST_P(Vivante2dFilterPasses, RandomKernelsImagesAndSteps) {
    std::mt19937 random(GetParam());
    for (int i = 0; i < 60; i++) {
        const Filter f = random_filter(random);
        Scene scene;
        f.load(scene, GetParam())
            .set(state::kVrConfig, GetParam())
            .run()
            .expect_words(kDstAt, f.picture(GetParam()));
    }
}

TEST_P(Vivante2dFilterPasses, LargestStepAndOrigin) {
    std::mt19937 random(7);
    Filter f = random_filter(random);
    f.dx = f.dy = 0x7FFFFFFF;
    for (int32_t origin : {INT32_MIN, INT32_MAX, -1, 0}) {
        f.x = f.y = origin;
        Scene scene;
        f.load(scene, GetParam())
            .set(state::kVrConfig, GetParam())
            .run()
            .expect_words(kDstAt, f.picture(GetParam()));
    }
}

/* armada kicks once per clip box, with the origin of that box. */
TEST_P(Vivante2dFilterPasses, PartsOfAWindowEqualTheWhole) {
    std::mt19937 random(8);
    const Filter f = random_filter(random);
    Scene scene;
    f.load(scene, GetParam());
    for (int top = f.window.top; top < f.window.bottom; top += 3) {
        for (int left = f.window.left; left < f.window.right; left += 5) {
            const Rect piece{left, top, std::min(left + 5, f.window.right),
                             std::min(top + 3, f.window.bottom)};
            const auto i = static_cast<uint32_t>(left - f.window.left);
            const auto j = static_cast<uint32_t>(top - f.window.top);
            /* An axis that is not filtered has a step of one pixel. */
            const uint32_t step_x = GetParam() == kVertical ? 0x10000 : f.dx;
            const uint32_t step_y = GetParam() == kHorizontal ? 0x10000 : f.dy;
            scene
                .set(vr(f.image, static_cast<uint32_t>(f.x) + i * step_x,
                        static_cast<uint32_t>(f.y) + j * step_y, piece, f.dx, f.dy))
                .set(state::kVrConfig, GetParam());
        }
    }
    scene.run().expect_words(kDstAt, f.picture(GetParam()));
}

TEST_P(Vivante2dFilterPasses, MigrationInTheMiddle) {
    std::mt19937 random(9);
    const Filter f = random_filter(random);
    Scene scene({.ram_size = Scene::kRam, .budget = 7, .draw_budget = 64});
    f.load(scene, GetParam()).set(state::kVrConfig, GetParam());
    scene.run_migrating().expect_words(kDstAt, f.picture(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Passes, Vivante2dFilterPasses,
                         testing::Values(kHorizontal, kVertical, kOnePass));

TEST(Vivante2dFilter, OnePassEqualsTwoPasses) {
    std::mt19937 random(10);
    Filter f = random_filter(random);
    f.image = {0, 0, kSize, kSize};
    f.window = {0, 0, kSize, kSize};
    Filter second = f;
    Filter first = f;
    first.x = 0;
    second.y = 0;
    second.source = first.picture(kVertical);
    EXPECT_EQ(second.picture(kHorizontal), f.picture(kOnePass)) << "the formula agrees with itself";
    Scene scene;
    f.load(scene, kOnePass).set(state::kVrConfig, kOnePass).run();
    scene.expect_words(kDstAt, second.picture(kHorizontal));
}

/*
 * FILTER_TAP and HORIZONTAL_FILTER_TAP of VR_CONFIG_EX select the middle n of the nine taps on
 * cores with 2D_ONE_PASS_FILTER_TAP (nano2D). The source is filled with FF808080. The weights of
 * the taps, in 1/64, are 1, 2, 4, 8, 16, 8, 4, 2, 1. Their sum is 46, or 44, 40, 32 or 16 if only
 * the middle 7, 5, 3 or 1 are selected. Bits 8, 14 and 19 each protect one field.
 */
TEST(Vivante2dFilter, TapCountsOfTheOnePassFilter) {
    constexpr uint32_t kOwn = 1 << 13, kNine = 0xB75C5C5C, kSeven = 0xAF585858, kFive = 0x9F505050,
                       kThree = 0x80404040, kOne = 0x40202020;
    Kernel weights;
    weights.row(16, {{0, 0x100},
                     {1, 0x200},
                     {2, 0x400},
                     {3, 0x800},
                     {4, 0x1000},
                     {5, 0x800},
                     {6, 0x400},
                     {7, 0x200},
                     {8, 0x100}});
    const struct {
        const char* model;
        uint32_t ex, across, down;
        uint32_t before = 0; /* VR_CONFIG_EX before `ex` is written */
    } rows[] = {{kNewest, 0, kNine, kNine},
                {kNewest, 5 << 4, kFive, kFive},
                {kNewest, 5 << 4 | kOwn | 3u << 15, kThree, kFive},
                {kNewest, 7 << 4 | 3u << 15, kSeven, kSeven}, /* horizontal count disabled */
                {kNewest, 1 << 4 | kOwn | 9u << 15, kNine, kOne},
                {kNewest, 4 << 4, kNine, kNine}, /* an undefined count selects all nine */
                {kNewest, 1 << 8 | 3 << 4, kFive, kFive, 5 << 4},
                {kNewest, 1 << 14 | 5 << 4 | 3u << 15, kThree, kFive, kOwn | 7u << 15},
                {kNewest, 1 << 19 | 5 << 4 | kOwn | 7u << 15, kThree, kFive, 3u << 15},
                {kPe20, 5 << 4, kNine, kNine}};
    for (const auto& row : rows) {
        SCOPED_TRACE(testing::Message() << row.model << std::hex << ' ' << row.ex);
        for (const bool down : {false, true}) {
            Scene scene(row.model);
            identity_row(scene, 0x7000)
                .words(kSrcAt, Words(4, 0xFF808080))
                .table(down ? state::kVertiKernel : state::kHoriKernel, weights.words())
                .set({{state::kVrConfigEx, row.before},
                      {state::kVrConfigEx, row.ex},
                      {state::kVrConfig, kOnePass}})
                .run()
                .expect_words(kDstAt, Words(4, down ? row.down : row.across));
        }
    }
}

/* ---- Other stages of the engine ---------------------------------------- */

TEST(Vivante2dFilter, ResultBlends) {
    Scene scene;
    identity_row(scene)
        .words(kSrcAt, Words(4, 0x80402010))
        .words(kDstAt, Words(4, 0xFF336699))
        .set({{state::kAlphaControl, 1}, {state::kAlphaModes, 0x31000000}})
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, Words(4, 0xFF59535C));
}

/* A filter blit has no background ROP, so transparent pixels are not written. */
TEST(Vivante2dFilter, TransparentPixelsStay) {
    const Writes mask = {{state::kPatternMaskLow, 0x50505050}},
                 key = {{state::kSrcColorBg, 2}, {state::kSrcColorKeyHigh, 2}};
    const struct {
        const char* name;
        const char* model;
        Writes states;
        Words result;
    } rows[] = {
        {"source key", kPe20, key + Writes{{state::kTransparency, 2}}, {1, 8, 3, 4}},
        {"destination key",
         kPe20,
         {{state::kDestColorKey, 9}, {state::kDestColorKeyHigh, 9}, {state::kTransparency, 0x200}},
         {1, 8, 3, 8}},
        {"pattern", kPe20, mask + Writes{{state::kTransparency, 0x10}}, {9, 2, 9, 4}},
        {"PE 1.0, OPAQUE", kPe10, mask + Writes{{state::kSrcConfig, 0x06}}, {9, 2, 9, 4}},
        {"PE 1.0, TRANSPARENT", kPe10, key + Writes{{state::kSrcConfig, 0x16}}, {1, 8, 3, 4}},
        {"PE 1.0, MASKED_PATTERN", kPe10, mask + Writes{{state::kSrcConfig, 0x36}}, {9, 2, 9, 4}},
        /* A kick has no mask stream, so all pixels are drawn. */
        {"mask", kPe20, {{state::kTransparency, 1}, {state::kSrcConfig, 0x06000100}}, {1, 2, 3, 4}},
        {"PE 1.0, MASKED_MASK", kPe10, {{state::kSrcConfig, 0x126}}, {1, 2, 3, 4}},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        Scene scene(row.model);
        identity_row(scene)
            .words(kSrcAt, {1, 2, 3, 4})
            .words(kDstAt, {9, 8, 9, 8})
            .set(row.states)
            .set(state::kVrConfig, kHorizontal)
            .run()
            .expect_words(kDstAt, row.result);
    }
}

/* A color key is compared with the filtered value, in the source's format. */
TEST(Vivante2dFilter, KeyOfAFilteredPixel) {
    Scene scene; /* filtering changes 10, 20, 30, 40 to 15, 25, 35, 40 */
    identity_row(scene)
        .words(kDstAt, Words(4, 9))
        .table(state::kFilterKernel, Kernel().row(16, {{4, 0x2000}, {5, 0x2000}}).words())
        .set({{state::kSrcColorBg, grey(20)},
              {state::kSrcColorKeyHigh, grey(30)},
              {state::kTransparency, 2},
              {state::kVrConfig, 0}})
        .run()
        .expect_words(kDstAt, {grey(15), 9, grey(35), grey(40)});
}

TEST(Vivante2dFilter, ResultIsConvertedToTheDestination) {
    Scene scene;
    identity_row(scene)
        .words(kSrcAt, Words(4, 0xFF123456))
        .set(state::kDestConfig, dest_config(kR5G6B5, 0x5000))
        .set(state::kVrConfig, 0)
        .run()
        .expect_halves(kDstAt, {0x11AA, 0x11AA, 0x11AA, 0x11AA});
}

TEST(Vivante2dFilter, SourceAndDestinationRotate) {
    Scene source;
    identity_row(source)
        .set({{state::kRotAngle, 1}, {state::kSrcRotation, 4}})
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, greys({40, 30, 20, 10}));
    Scene destination; /* 4x1 pixels with ROT180 */
    identity_row(destination)
        .set({{state::kRotAngle, 5 << 3},
              {state::kDestRotation, 4},
              {state::kDestRotationHeight, 1}})
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, greys({40, 30, 20, 10}));
}

TEST(Vivante2dFilter, MirrorTurnsTheWindow) {
    Scene scene;
    identity_row(scene)
        .set(state::kRotAngle, 0x1000)
        .set(state::kVrTargetHigh, pack_xy(3, 1))
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, greys({30, 20, 10}));
}

TEST(Vivante2dFilter, YuvIsFilteredBeforeItIsConverted) {
    Scene scene; /* the mean Y of 16 and 235 is 126, which becomes 298 * 110 >> 8 in RGB */
    scene.bytes(kSrcAt, {16, 128, 235, 128})
        .base(2, 1, 0x5000, {{state::kSrcConfig, kYuy2 << 24}})
        .set(vr({0, 0, 2, 1}, 0x8000, 0, {0, 0, 1, 1}, 0x10000, 0))
        .table(state::kFilterKernel, Kernel().row(16, {{4, 0x2000}, {5, 0x2000}}).words())
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0xFF808080});
}

TEST(Vivante2dFilter, PlanarSource) {
    Scene scene; /* as in armada's Xv: YV12, a gray ramp with neutral chroma */
    scene.bytes(kSrcAt, {16, 128, 235, 16})
        .bytes(kSrcAt + 0x100, {128, 128})
        .bytes(kSrcAt + 0x200, {128, 128})
        .base(4, 1, 0x5000,
              {{state::kSrcConfig, kYv12 << 24},
               {state::kUPlaneAddress, kSrcAt + 0x100},
               {state::kVPlaneAddress, kSrcAt + 0x200},
               {state::kUPlaneStride, 8},
               {state::kVPlaneStride, 8}})
        .set(vr({0, 0, 4, 1}, 0x8000, 0, {0, 0, 4, 1}, 0x10000, 0))
        .table(state::kFilterKernel, Kernel::identity().words())
        .set(state::kVrConfig, 0)
        .run()
        .expect_words(kDstAt, {0xFF000000, 0xFF828282, 0xFFFFFFFF, 0xFF000000});
}

} // namespace
} // namespace pixmill::test

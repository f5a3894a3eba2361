// Blending, compared with the formulas in double precision.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "fixture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace pixmill::vivante {
namespace {

using Color = std::array<double, 4>; // r, g, b, a

struct Function {
    uint32_t source, target, equation;
};

/// Returns the blend factor with this code for channel c.
double factor(uint32_t code, unsigned c, const Color& s, const Color& d, const Color& constant) {
    switch (code) {
    case 0:
        return 0;
    case 1:
        return 1;
    case 2:
        return s[c];
    case 3:
        return 1 - s[c];
    case 4:
        return s[3];
    case 5:
        return 1 - s[3];
    case 6:
        return d[3];
    case 7:
        return 1 - d[3];
    case 8:
        return d[c];
    case 9:
        return 1 - d[c];
    case 10:
        return c == 3 ? 1 : std::min(s[3], 1 - d[3]);
    case 11:
        return constant[3];
    case 12:
        return 1 - constant[3];
    case 13:
        return constant[c];
    default:
        return 1 - constant[c];
    }
}

double blended(const Function& f, unsigned c, const Color& s, const Color& d,
               const Color& constant) {
    const double a = s[c] * factor(f.source, c, s, d, constant);
    const double b = d[c] * factor(f.target, c, s, d, constant);
    switch (f.equation) {
    case 0:
        return a + b;
    case 1:
        return a - b;
    case 2:
        return b - a;
    case 3:
        return std::min(s[c], d[c]);
    default:
        return std::max(s[c], d[c]);
    }
}

/// The width and shift of each channel of a format: r, g, b, a.
struct Layout4 {
    uint32_t code;
    unsigned channel[4][2];
};
constexpr Layout4 formats[] = {
    {0, {{4, 8}, {4, 4}, {4, 0}, {0, 0}}},   {1, {{4, 8}, {4, 4}, {4, 0}, {4, 12}}},
    {2, {{5, 10}, {5, 5}, {5, 0}, {0, 0}}},  {3, {{5, 10}, {5, 5}, {5, 0}, {1, 15}}},
    {4, {{5, 11}, {6, 5}, {5, 0}, {0, 0}}},  {5, {{8, 16}, {8, 8}, {8, 0}, {0, 0}}},
    {6, {{8, 16}, {8, 8}, {8, 0}, {8, 24}}}, {22, {{10, 0}, {10, 10}, {10, 20}, {2, 30}}},
};

class PeBlend : public Pe {
protected:
    void set_format(uint32_t code) {
        set(PE_COLOR_FORMAT, 0x00100F00 | (code < 16 ? code : code << 24));
    }
    void set_functions(const Function& color, const Function& alpha, bool separate) {
        set(PE_ALPHA_CONFIG, 1 | color.source << 4 | color.target << 8 | color.equation << 12 |
                                 uint32_t(separate) << 16 | alpha.source << 20 |
                                 alpha.target << 24 | alpha.equation << 28);
    }
    float random() {
        seed = seed * 1664525 + 1013904223;
        return float(seed >> 8) * 0x1p-24f;
    }
    void randomize() {
        for (unsigned i = 0; i < lane_count; i++) {
            set_color(i, random(), random(), random(), random());
            seed = seed * 1664525 + 1013904223;
            color(i) = seed ^ seed >> 16;
        }
        set_color(0, 0, 0, 0, 0);
        set_color(1, 1, 1, 1, 1);
        set_color(2, 1, 0, 1, 0);
        color(2) = color(3) = 0;
        color(1) = color(4) = 0xFFFFFFFF;
    }
    /// Expects every channel to be an integer nearest to the exact result.
    void expect(const Layout4& format, const Function& rgb, const Function& alpha) {
        const Color constant = {0x33 / 255.0, 0x80 / 255.0, 0xFE / 255.0, 0x4D / 255.0};
        set(PE_ALPHA_BLEND_COLOR, 0x4D3380FE);
        const RenderTile before = *tile;
        EXPECT_EQ(draw().samples, 64u);
        for (unsigned i = 0; i < lane_count; i++) {
            Color s, d;
            for (unsigned c = 0; c < 4; c++) {
                const auto [bits, shift] = format.channel[c];
                const double most = (1u << bits) - 1;
                s[c] = double(colors[0][c].f[i]);
                d[c] = bits ? (before.color[0][at(i)] >> shift & ((1u << bits) - 1)) / most : 1;
            }
            for (unsigned c = 0; c < 4; c++) {
                const auto [bits, shift] = format.channel[c];
                const double most = (1u << bits) - 1;
                const double exact =
                    std::clamp(blended(c == 3 ? alpha : rgb, c, s, d, constant), 0.0, 1.0) * most;
                ASSERT_NEAR(color(i) >> shift & uint32_t(most), exact, 0.5001)
                    << "format " << format.code << " channel " << c << " functions " << rgb.source
                    << " " << rgb.target << " " << rgb.equation;
            }
        }
    }

    uint32_t seed = 7;
};

TEST_F(PeBlend, ComputesEveryFunction) {
    for (uint32_t source = 0; source < 15; source++)
        for (uint32_t target = 0; target < 15; target++)
            for (uint32_t equation = 0; equation < 5; equation++) {
                const Function rgb = {source, target, equation};
                const Function alpha = {(source + 4) % 15, (target + 7) % 15, (equation + 2) % 5};
                const Layout4& format = formats[(source + target) % 2 ? 6 : 7];
                set_format(format.code);
                randomize();
                set_functions(rgb, alpha, true);
                expect(format, rgb, alpha);
                set_functions(rgb, alpha, false);
                expect(format, rgb, rgb);
            }
}

TEST_F(PeBlend, ComputesInEveryFormat) {
    const Function functions[] = {{4, 5, 0}, {1, 5, 0},   {6, 7, 0}, {10, 1, 0},
                                  {8, 0, 0}, {13, 14, 1}, {1, 1, 2}, {1, 1, 3}};
    for (const Layout4& format : formats)
        for (const Function& f : functions) {
            set_format(format.code);
            randomize();
            set_functions(f, {}, false);
            expect(format, f, f);
        }
}

TEST_F(PeBlend, MixesBySourceAlpha) {
    set_functions({4, 5, 0}, {}, false);
    for (const auto& [format, mixed] : {std::pair(6u, 0xBF800080u), {5u, 0xFF800080u}}) {
        set_format(format);
        for (unsigned i = 0; i < lane_count; i++) {
            set_color(i, 1, 0, 0, 0.5f);
            color(i) = 0xFF0000FF;
        }
        draw();
        for (unsigned i = 0; i < lane_count; i++)
            EXPECT_EQ(color(i), mixed);
    }
}

TEST_F(PeBlend, ReadsOneAsAlphaOfX) {
    set_format(5);
    set_functions({6, 7, 0}, {}, false); // DST_ALPHA, ONE_MINUS_DST_ALPHA
    set_color(0, 0.2f, 0.4f, 0.6f, 0);
    color(0) = 0x00FFFFFF;
    draw();
    EXPECT_EQ(color(0), 0xFF336699);
}

// A channel of n bits is read as c / (2^n - 1). A blend factor of one must store the same c.
TEST_F(PeBlend, KeepsEveryCodeTimesOne) {
    set_functions({0, 1, 0}, {}, false);
    for (const Layout4& format : formats) {
        set_format(format.code);
        uint32_t fields = 0, steps = 1;
        for (const auto& [bits, shift] : format.channel) {
            fields |= ((1u << bits) - 1) << shift;
            steps = std::max(steps, 1u << bits);
        }
        for (uint32_t step = 0; step < steps; step += lane_count) {
            for (unsigned i = 0; i < lane_count; i++) {
                color(i) = 0;
                for (const auto& [bits, shift] : format.channel)
                    color(i) |= ((step + i) & ((1u << bits) - 1)) << shift;
            }
            draw();
            for (unsigned i = 0; i < lane_count; i++)
                for (const auto& [bits, shift] : format.channel)
                    ASSERT_EQ(color(i) >> shift & ((1u << bits) - 1),
                              (step + i) & ((1u << bits) - 1))
                        << "format " << format.code;
        }
    }
}

TEST_F(PeBlend, ClampsTheSourceOnlyWhereTheShaderSaturates) {
    set_functions({1, 2, 0}, {}, false); // s + d s
    set_color(0, 4, -1, 0.25f, std::numeric_limits<float>::quiet_NaN());
    set(PE_ALPHA_CONFIG, 1 | 5 << 4 | 2 << 8); // s (1 - as) + d s
    colors[0][3].f[0] = 0.75f;
    color(0) = 0x00336633; // destination 0.2, 0.4, 0.2
    draw();
    // red: 1 x 0.25 + 0.2 x 1; green 0; blue: 0.25 x 0.25 + 0.2 x 0.25; alpha: 0.75 x 0.25
    EXPECT_EQ(color(0), 0x3073001Du);
    set(PS_CONTROL, 0);
    color(0) = 0x00336633;
    set_color(0, 4, -1, 2, 3);
    draw();
    // red: 4 x -2 + 0.8; green: -1 x -2 - 0.4; blue: 2 x -2 + 0.4; alpha: 3 x -2
    EXPECT_EQ(color(0), 0x0000FF00u);
}

TEST_F(PeBlend, MixesWhatTheShaderDoesNotSaturate) {
    set_functions({4, 5, 0}, {}, false);
    set_color(0, 2, -1, 0.5f, 0.5f);
    color(0) = 0xFF3333FF; // destination 0.2, 0.2, 1
    draw();
    // red: 1 x 0.5 + 0.2 x 0.5; green: 0.1; blue: 0.25 + 0.5; alpha: 0.25 + 0.5
    EXPECT_EQ(color(0), 0xBF991ABFu);
    set(PS_CONTROL, 0);
    color(0) = 0xFF3333FF;
    draw();
    // red: 2 x 0.5 + 0.1; green: -0.5 + 0.1
    EXPECT_EQ(color(0), 0xBFFF00BFu);
}

TEST_F(PeBlend, MakesNothingOfNoNumber) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    for (const uint32_t control : {0u, 2u}) {
        set(PS_CONTROL, control);
        set_functions({1, 0, 0}, {}, false);
        set_color(0, nan, nan, nan, nan);
        color(0) = 0x12345678;
        draw();
        EXPECT_EQ(color(0), 0u);
        set(PE_ALPHA_CONFIG, 0);
        color(0) = 0x12345678;
        draw();
        EXPECT_EQ(color(0), 0u);
    }
}

TEST_F(PeBlend, KeepsMaskedChannels) {
    set(PE_COLOR_FORMAT, 0x00100A06); // writes G and A
    set_functions({4, 5, 0}, {}, false);
    set_color(0, 1, 0, 0, 0.5f);
    color(0) = 0xFF0000FF;
    draw();
    EXPECT_EQ(color(0), 0xBF0000FFu);
}

} // namespace
} // namespace pixmill::vivante

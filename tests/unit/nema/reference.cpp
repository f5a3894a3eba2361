/*
 * The independent model of the NEMA|GFX must match tests/data/nema_vectors.txt.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <array>
#include <iomanip>

#include "../../reference/nema/nema.hpp"
#include "vectors.hpp"

namespace pixmill::test {
namespace {

using Verb = NemaStatement::Verb;
using Numbers = std::vector<uint64_t>;

/* Formats bytes as the file does. */
std::string text_of(const std::vector<uint8_t>& bytes) {
    std::ostringstream text;
    text << std::hex << std::uppercase << std::setfill('0');
    for (size_t i = 0; i + 3 < bytes.size(); i += 4)
        text << std::setw(8)
             << (bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | uint32_t{bytes[i + 3]} << 24)
             << ' ';
    return text.str();
}

class NemaReferenceVectors : public testing::TestWithParam<NemaVector> {
protected:
    void execute(const NemaStatement& statement) {
        const Numbers& n = statement.numbers;
        switch (statement.verb) {
        case Verb::reset:
            model_.reset();
            break;
        case Verb::memory:
            std::copy(n.begin() + 1, n.end(), memory_.bytes.begin() + offset(n[0]));
            break;
        case Verb::write:
            for (size_t i = 0; i < n.size(); i += 2)
                model_.write(uint32_t(n[i]), uint32_t(n[i + 1]));
            break;
        case Verb::read:
            for (size_t i = 0; i < n.size(); i += 2)
                EXPECT_EQ(model_.read(uint32_t(n[i])), n[i + 1]) << std::hex << n[i];
            break;
        case Verb::expect: {
            const auto first = memory_.bytes.begin() + offset(n[0]);
            EXPECT_EQ(text_of({first, first + int64_t(n.size()) - 1}),
                      text_of({n.begin() + 1, n.end()}));
            break;
        }
        case Verb::instruction:
            EXPECT_EQ(model_.instruction(uint32_t(n[0])), n[1] << 32 | n[2]);
            break;
        case Verb::line:
            EXPECT_EQ((std::array{model_.completion(), model_.error(), model_.freeze()}.at(n[0])),
                      n[1] != 0);
            break;
        }
    }

private:
    static int64_t offset(uint64_t address) { return int64_t(address - nema_vector_ram); }

    reference::NemaMemory memory_{nema_vector_ram, std::vector<uint8_t>(nema_vector_ram_size)};
    reference::NemaReference model_{memory_};
};

TEST_P(NemaReferenceVectors, Hold) {
    for (const NemaStatement& statement : GetParam().statements) {
        SCOPED_TRACE("nema_vectors.txt:" + std::to_string(statement.number_of_line));
        execute(statement);
    }
}

INSTANTIATE_TEST_SUITE_P(Nema, NemaReferenceVectors, testing::ValuesIn(read_nema_vectors()),
                         [](const auto& info) { return info.param.name.substr(0, 3); });

TEST(NemaReference, AllVectorsAreThere) {
    EXPECT_EQ(read_nema_vectors().size(), 65u + 18 + 14 + 16 + 1 + 19 + 1 + 5);
}

/* ---- Arithmetic of programs: two vendor filters with known results ---- */

using Rgb = std::array<double, 3>; /* from 0 to 1 */

uint32_t pixel_of(const Rgb& rgb) {
    uint32_t pixel = 0xFF000000;
    for (unsigned c = 0; c < 3; c++)
        pixel |= uint32_t(rgb[c] * 255 + 0.5) << 8 * c;
    return pixel;
}

struct Filter {
    uint32_t pointer;
    uint32_t color;
    std::array<uint32_t, 4> constants; /* red in the low byte */
    std::vector<uint64_t> program;
};

Rgb filtered(const Filter& filter, const Rgb& source) {
    constexpr uint32_t base = 0x20000000;
    reference::NemaMemory memory{base, std::vector<uint8_t>(0x100)};
    reference::NemaReference model(memory);
    const uint32_t pixel = pixel_of(source);
    for (unsigned i = 0; i < 4; i++)
        memory.bytes[0x80 + i] = uint8_t(pixel >> 8 * i);
    const uint32_t setup[][2] = {{0x000, base},        {0x004, 0x01000004}, {0x008, 0x00010001},
                                 {0x010, base + 0x80}, {0x014, 0x01000004}, {0x018, 0x00010001},
                                 {0x114, 0x00010001},  {0x1D0, 1},          {0x12C, filter.color},
                                 {0x174, 0},           {0x168, 0},          {0x11C, filter.pointer},
                                 {0x108, 0x00010001},  {0x0C4, 0}};
    for (const auto& [offset, value] : setup)
        model.write(offset, value);
    for (uint32_t i = 0; i < 4; i++)
        model.write(0x200 + 4 * i, filter.constants[i]);
    for (const uint64_t word : filter.program) {
        model.write(0x0C8, uint32_t(word));
        model.write(0x0CC, uint32_t(word >> 32));
    }
    model.write(0x100, 2);
    return {memory.bytes[0] / 255.0, memory.bytes[1] / 255.0, memory.bytes[2] / 255.0};
}

void expect_near(const Rgb& actual, const Rgb& expected, double tolerance) {
    for (size_t c = 0; c < 3; c++)
        EXPECT_NEAR(actual[c], expected[c], tolerance) << "channel " << c;
}

const Filter kRgbToYcbcr{0xE000,
                         0x00808000,
                         {0, 0x006B2C4C, 0x007F7F96, 0x0016551D},
                         {0x01002664'00001000, 0x02074874'00001000, 0x02045664'00001000,
                          0x03072668'00001000, 0x01002664'00001000, 0x0204D664'00001000,
                          0x02074C74'00001000, 0x03071668'00001000, 0x80049665'00001002}};
const Filter kYcbcrToRgb{
    0,
    0,
    {0x8800FF00, 0x2C8080FF, 0x5C808000, 0x0066C300},
    {0x0AB4A948'00001083, 0x0BB76955'00001080, 0x0BB4DF44'00001080, 0x0BB71F48'00001080,
     0x05B19D2C'00001080, 0x07B74535'00001080, 0x07B4DE27'00001080, 0x0B371B09'00001080,
     0x09375BB6'00001080, 0x0A319BA8'00001080, 0x0B3517A8'00001080, 0x0B3757B4'00001080,
     0x083417B4'00001080, 0x0B341DB4'00001080, 0x01375A14'00001000, 0x8030420D'00001002}};

/* Converts to full-range BT.601, with chroma around one half. */
Rgb bt601(const Rgb& rgb) {
    const double y = 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2];
    return {y, 0.5 + (rgb[2] - y) / 1.772, 0.5 + (rgb[0] - y) / 1.402};
}

TEST(NemaReference, VendorsYcbcrFilters) {
    for (const Rgb& rgb : {Rgb{0.2, 0.5, 0.8}, Rgb{0.9, 0.1, 0.3}, Rgb{0.5, 0.5, 0.5}}) {
        const Rgb ycbcr = filtered(kRgbToYcbcr, rgb);
        expect_near(ycbcr, bt601(rgb), 0.007);
        expect_near(filtered(kYcbcrToRgb, ycbcr), rgb, 0.012);
    }
}

} // namespace
} // namespace pixmill::test

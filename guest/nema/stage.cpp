// SPDX-License-Identifier: GPL-2.0-or-later
#include "stage.hpp"

#include <algorithm>

namespace nema {

namespace {

constexpr uint32_t RING_WORDS = 256; // 1 KiB, as in ST's and LVGL's ports
constexpr uint32_t LIST_WORDS = 8192;

// Has one entry per nibble. Without a cache, a table per byte would be no faster.
constexpr std::array<uint32_t, 16> CRC_TABLE = [] {
    std::array<uint32_t, 16> table{};
    for (uint32_t i = 0; i < 16; ++i) {
        uint32_t crc = i;
        for (int bit = 0; bit < 4; ++bit)
            crc = crc & 1 ? crc >> 1 ^ 0xEDB88320 : crc >> 1;
        table[i] = crc;
    }
    return table;
}();

struct Words {
    std::span<uint32_t> words;
    uint32_t address;
};

Words sram_words(Stage& stage, uint32_t count) {
    uint32_t address = 0;
    const auto words = stage.words(count, address);
    return {words, address};
}

Ring make_ring(Stage& stage, Machine& machine) {
    const Words w = sram_words(stage, RING_WORDS);
    return Ring(machine, w.words, w.address);
}

Queue make_queue(Stage& stage, Ring& ring) {
    const Words w = sram_words(stage, LIST_WORDS);
    return Queue(ring, w.words, w.address);
}

} // namespace

uint32_t crc32(std::span<const uint8_t> bytes) {
    uint32_t crc = ~0u;
    for (uint8_t byte : bytes) {
        crc = crc >> 4 ^ CRC_TABLE[(crc ^ byte) & 15];
        crc = crc >> 4 ^ CRC_TABLE[(crc ^ byte >> 4) & 15];
    }
    return ~crc;
}

Text& Text::operator<<(std::string_view text) {
    const size_t size = std::min(text.size(), text_.size() - used_);
    std::copy_n(text.data(), size, text_.data() + used_);
    used_ += size;
    return *this;
}

Text& Text::operator<<(uint32_t number) {
    std::array<char, 10> digits;
    size_t first = digits.size();
    do
        digits[--first] = char('0' + number % 10);
    while ((number /= 10) != 0);
    return *this << std::string_view(&digits[first], digits.size() - first);
}

Text& Text::hex(uint32_t number) {
    std::array<char, 8> digits;
    for (size_t i = 0; i < digits.size(); ++i)
        digits[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    return *this << std::string_view(digits.data(), digits.size());
}

Stage::Stage(Machine& machine)
    : machine_(machine), ring_(make_ring(*this, machine)), queue_(make_queue(*this, ring_)) {}

Stage::Block Stage::take(uint32_t& used, uint32_t end, uint32_t bytes) {
    const uint32_t begin = (used + 7) & ~7u;
    if (bytes > end - begin)
        __builtin_trap(); // out of memory: the scene is too large
    used = begin + bytes;
    const Block block{machine_.memory().subspan(begin, bytes), Machine::MEMORY_ADDRESS + begin};
    std::ranges::fill(block.bytes, uint8_t(0));
    return block;
}

Stage::Block Stage::allocate(uint32_t bytes) {
    return take(psram_used_, Machine::MEMORY_BYTES, bytes);
}

std::span<uint32_t> Stage::words(uint32_t count, uint32_t& address) {
    const Block block = take(sram_used_, Machine::SRAM_BYTES, 4 * count);
    address = block.address;
    return {reinterpret_cast<uint32_t*>(block.bytes.data()), count};
}

Surface Stage::surface(Format format, uint32_t width, uint32_t height) {
    Surface s{0, nullptr, format, uint16_t(width), uint16_t(height), natural_stride(format, width)};
    const Block block = allocate(s.size());
    s.address = block.address;
    s.bytes = block.bytes.data();
    return s;
}

void Stage::frame(std::string_view name, const Surface& s) {
    painter_.finish();
    machine_.save((Text() << name << ".raw").view(), s.span());
    machine_.print(Text() << "frame " << name << " " << info_of(s.format).name << " " << s.width
                          << " " << s.rows() << " " << uint32_t(s.stride) << " ");
    machine_.print(Text().hex(crc32(s.span())) << "\n");
}

void Stage::omit(std::string_view name) {
    machine_.print(Text() << "omitted " << name << "\n");
}

void Stage::check(std::string_view name, bool passed) {
    machine_.print(Text() << "check " << name << (passed ? " ok\n" : " failed\n"));
}

void Stage::figure(std::string_view name, uint32_t hundredths, std::string_view unit) {
    machine_.print(Text() << "figure " << name << " " << hundredths / 100 << "."
                          << hundredths / 10 % 10 << hundredths % 10 << " " << unit << "\n");
}

// Xorshift (Marsaglia 2003).
uint32_t Stage::random() {
    seed_ ^= seed_ << 13;
    seed_ ^= seed_ >> 17;
    seed_ ^= seed_ << 5;
    return seed_;
}

void Stage::scribble(const Surface& surface) {
    for (uint8_t& byte : surface.span())
        byte = uint8_t(random() >> 11);
}

bool run_suite(Machine& machine, std::string_view name) {
    for (const Suite& suite : suites()) {
        if (name != suite.name)
            continue;
        Stage stage(machine);
        suite.run(stage);
        machine.print(Text() << "end " << name << "\n");
        return true;
    }
    return false;
}

} // namespace nema

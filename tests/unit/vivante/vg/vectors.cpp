// SPDX-License-Identifier: GPL-2.0-or-later
#include "vectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iomanip>
#include <map>
#include <sstream>

#include "../../../test_data.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kTarget = 0x801904C0; /* address that `scene` sets */
constexpr uint32_t kBackground = 0xFF204060;

/* Registers. */
constexpr uint32_t kIdle = 0x004, kStatus = 0x010, kAddress = 0x500, kSize = 0x504;
constexpr uint32_t kAllIdle = 0x7FFFFFFF;

struct BadStatement {};

uint32_t number_of(const std::string& text, int base) {
    char* end = nullptr;
    const unsigned long long value = std::strtoull(text.c_str(), &end, base);
    if (text.empty() || *end || value > UINT32_MAX)
        throw BadStatement();
    return static_cast<uint32_t>(value);
}
uint32_t hex(const std::string& text) {
    return number_of(text, 16);
}
uint32_t decimal(const std::string& text) {
    return number_of(text, 10);
}

/* Parses two hexadecimal numbers separated by "=". */
std::pair<uint32_t, uint32_t> assignment(const std::string& text) {
    const size_t at = text.find('=');
    if (at == std::string::npos)
        throw BadStatement();
    return {hex(text.substr(0, at)), hex(text.substr(at + 1))};
}

std::vector<uint8_t> bytes_of(const std::vector<uint32_t>& values, unsigned unit) {
    std::vector<uint8_t> bytes;
    bytes.reserve(values.size() * unit);
    for (const uint32_t value : values)
        for (unsigned i = 0; i < unit; i++)
            bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
    return bytes;
}

uint32_t value_at(const std::vector<uint8_t>& bytes, size_t at, unsigned unit) {
    uint32_t value = 0;
    for (unsigned i = 0; i < unit; i++)
        value |= uint32_t{bytes[at + i]} << 8 * i;
    return value;
}

std::string text_of(uint32_t value) {
    std::ostringstream text;
    text << std::hex << std::uppercase << std::setw(8) << std::setfill('0') << value;
    return text.str();
}

/* Returns the FNV-1a hash, which the file uses. */
uint32_t hash_of(const std::vector<uint8_t>& bytes) {
    uint32_t hash = 0x811C9DC5;
    for (const uint8_t byte : bytes)
        hash = (hash ^ byte) * 0x01000193;
    return hash;
}

struct Box {
    uint32_t left, top, right, bottom;

    bool has(uint32_t x, uint32_t y) const {
        return x >= left && x < right && y >= top && y < bottom;
    }
    bool operator==(const Box&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Box& box) {
    return out << box.left << ',' << box.top << " to " << box.right << ',' << box.bottom;
}

/* ---- The player ---------------------------------------------------------- */

class Player {
public:
    explicit Player(VgDevice& device) : device_(device) {}

    void execute(const VgStatement& statement) {
        static const std::map<std::string, void (Player::*)(const Words&)> verbs{
            {"bytes", &Player::put<1>},
            {"words", &Player::put<4>},
            {"fill", &Player::fill},
            {"image", &Player::image},
            {"ramp", &Player::ramp},
            {"gray", &Player::gray},
            {"write", &Player::write},
            {"read", &Player::read},
            {"line", &Player::line},
            {"scene", &Player::scene},
            {"at", &Player::at},
            {"states", &Player::states},
            {"stream", &Player::stream},
            {"repeat", &Player::repeat},
            {"rectangle", &Player::rectangle},
            {"path", &Player::path},
            {"run", &Player::run},
            {"finish", &Player::finish},
            {"cells", &Player::cells},
            {"picture", &Player::picture},
            {"pixels", &Player::pixels},
            {"box", &Player::box},
            {"outside", &Player::outside},
            {"changed", &Player::changed},
            {"count", &Player::count},
            {"bright", &Player::bright},
            {"samples", &Player::samples},
            {"hash", &Player::hash},
            {"unknown", &Player::unknown},
        };
        const auto found = verbs.find(statement.verb);
        if (found == verbs.end())
            throw BadStatement();
        (this->*found->second)(statement.words);
    }

    /* Fails if the vector has a stream that was never run. */
    void end() const { EXPECT_TRUE(stream_.empty()); }

private:
    using Words = std::vector<std::string>;

    static void need(bool holds) {
        if (!holds)
            throw BadStatement();
    }

    /* -- Memory -- */

    template<unsigned unit>
    void put(const Words& words) {
        need(words.size() > 1);
        std::vector<uint32_t> values;
        for (size_t i = 1; i < words.size(); i++)
            values.push_back(hex(words[i]));
        device_.put(hex(words[0]), bytes_of(values, unit));
    }
    void fill(const Words& words) {
        need(words.size() == 3);
        device_.put(hex(words[0]),
                    bytes_of(std::vector<uint32_t>(decimal(words[1]), hex(words[2])), 4));
    }
    void image(const Words& words) {
        need(words.size() == 1);
        std::vector<uint32_t> values;
        for (uint32_t j = 0; j < 32; j++)
            for (uint32_t i = 0; i < 64; i++)
                values.push_back(0xFF000040 | 4 * i << 16 | 8 * j << 8);
        device_.put(hex(words[0]), bytes_of(values, 4));
    }
    void ramp(const Words& words) {
        need(words.size() == 1);
        std::vector<uint32_t> values;
        for (uint32_t k = 0; k < 256; k++)
            values.push_back(k << 24 | (255 - k) << 8 | 0xFF);
        device_.put(hex(words[0]), bytes_of(values, 4));
    }
    void gray(const Words& words) {
        need(words.size() == 1);
        std::vector<uint32_t> values;
        for (uint32_t k = 0; k < 1024; k++)
            values.push_back(0xFF000000 | 0x010101 * std::min(k, 255u));
        device_.put(hex(words[0]), bytes_of(values, 4));
    }

    /* -- Registers -- */

    void write(const Words& words) {
        for (const std::string& word : words) {
            const auto [offset, value] = assignment(word);
            device_.write(offset, value);
        }
    }
    void read(const Words& words) {
        for (const std::string& word : words) {
            const auto [offset, value] = assignment(word);
            EXPECT_EQ(text_of(device_.read(offset)), text_of(value)) << "of " << text_of(offset);
        }
    }
    void line(const Words& words) {
        need(words.size() == 1);
        EXPECT_EQ(device_.interrupt(), hex(words[0]) != 0);
    }
    void cells(const Words& words) {
        for (const std::string& word : words) {
            const auto [address, value] = assignment(word);
            const std::optional<uint32_t> is = device_.state(address);
            EXPECT_EQ(text_of(is.value_or(value)), text_of(value)) << "of " << text_of(address);
        }
    }

    /* -- Streams -- */

    void add(std::initializer_list<uint32_t> words) {
        stream_.insert(stream_.end(), words.begin(), words.end());
    }
    void scene(const Words& words) {
        need(words.empty() || words.size() == 2);
        width_ = words.empty() ? 320 : decimal(words[0]);
        height_ = words.empty() ? 480 : decimal(words[1]);
        picture_ = kTarget;
        unit_ = 4;
        stride_ = 4 * width_;
        device_.put(kTarget, bytes_of(std::vector<uint32_t>(width_ * height_, kBackground), 4));
        add({0x30010A10, 0x00010303, 0x30010A11, kTarget, 0x30010A12, stride_, 0x30010A13,
             height_ << 16 | width_, 0x30010A3A, 0x01000100});
    }
    void at(const Words& words) {
        need(words.size() == 1);
        place_ = hex(words[0]);
    }
    void states(const Words& words) {
        for (const std::string& word : words) {
            const auto [address, value] = assignment(word);
            add({0x30010000 | address, value});
        }
    }
    void stream(const Words& words) {
        for (const std::string& word : words)
            add({hex(word)});
    }
    void repeat(const Words& words) {
        need(words.size() > 1);
        for (uint32_t i = decimal(words[0]); i; i--)
            for (size_t word = 1; word < words.size(); word++)
                add({hex(words[word])});
    }
    void rectangle(const Words& words) {
        need(words.size() == 4);
        add({0x40000001, 0, decimal(words[1]) << 16 | decimal(words[0]),
             decimal(words[3]) << 16 | decimal(words[2])});
    }
    void path(const Words& words) {
        std::vector<uint8_t> bytes;
        for (const std::string& word : words)
            bytes.push_back(static_cast<uint8_t>(hex(word)));
        bytes.resize((bytes.size() + 7) / 8 * 8);
        add({0x40000000 | static_cast<uint32_t>(bytes.size() / 8), 0});
        for (size_t at = 0; at < bytes.size(); at += 4)
            add({value_at(bytes, at, 4)});
    }
    void run(const Words& words) {
        need(words.size() < 2);
        device_.put(place_, bytes_of(stream_, 4));
        device_.write(kAddress, place_);
        device_.write(kSize, words.empty() ? static_cast<uint32_t>((stream_.size() + 1) / 2)
                                           : hex(words[0]));
        stream_.clear();
    }
    void finish(const Words& words) {
        need(words.empty());
        add({0x10000007, 0, 0x20000007, 0, 0, 0});
        run({});
        EXPECT_EQ(text_of(device_.read(kStatus)), text_of(1)) << "no END";
        EXPECT_EQ(text_of(device_.read(kIdle)), text_of(kAllIdle));
    }

    /* -- Pictures -- */

    void picture(const Words& words) {
        need(words.size() == 5);
        picture_ = hex(words[0]);
        stride_ = hex(words[1]);
        unit_ = decimal(words[2]);
        width_ = decimal(words[3]);
        height_ = decimal(words[4]);
    }
    std::vector<uint8_t> shown() const { return device_.get(picture_, stride_ * height_); }
    size_t place(uint32_t x, uint32_t y) const { return size_t{y} * stride_ + x * unit_; }

    void pixels(const Words& words) {
        need(words.size() > 2);
        const uint32_t x = decimal(words[0]), y = decimal(words[1]);
        const std::vector<uint8_t> bytes = shown();
        std::string is, wanted;
        for (uint32_t i = 2; i < words.size(); i++) {
            is += text_of(value_at(bytes, place(x + i - 2, y), unit_)) + ' ';
            wanted += text_of(hex(words[i])) + ' ';
        }
        EXPECT_EQ(is, wanted) << "at " << x << ',' << y;
    }
    /* Expects a value for all pixels inside a box, or for all pixels outside it. */
    void all(const Words& words, bool inside) {
        need(words.size() == 5);
        const Box box{decimal(words[0]), decimal(words[1]), decimal(words[2]), decimal(words[3])};
        const uint32_t wanted = hex(words[4]);
        const std::vector<uint8_t> bytes = shown();
        for (uint32_t y = 0; y < height_; y++) {
            for (uint32_t x = 0; x < width_; x++) {
                const uint32_t is = value_at(bytes, place(x, y), unit_);
                if (box.has(x, y) != inside || is == wanted)
                    continue;
                ADD_FAILURE() << x << ',' << y << " is " << text_of(is) << " instead of "
                              << text_of(wanted);
                return;
            }
        }
    }
    void box(const Words& words) { all(words, true); }
    void outside(const Words& words) { all(words, false); }
    void changed(const Words& words) {
        need(words.size() == 5);
        const Box wanted{decimal(words[0]), decimal(words[1]), decimal(words[2]),
                         decimal(words[3])};
        const std::vector<uint8_t> bytes = shown();
        Box is{width_, height_, 0, 0};
        for (uint32_t y = 0; y < height_; y++) {
            for (uint32_t x = 0; x < width_; x++) {
                if (value_at(bytes, place(x, y), unit_) != hex(words[4]))
                    is = {std::min(is.left, x), std::min(is.top, y), std::max(is.right, x + 1),
                          std::max(is.bottom, y + 1)};
            }
        }
        EXPECT_EQ(is, wanted);
    }
    template<typename Function>
    void each_pixel(const Function& function) const {
        const std::vector<uint8_t> bytes = shown();
        for (uint32_t y = 0; y < height_; y++)
            for (uint32_t x = 0; x < width_; x++)
                function(value_at(bytes, place(x, y), unit_));
    }
    void count(const Words& words) {
        need(words.size() == 2);
        uint32_t is = 0;
        each_pixel([&](uint32_t value) { is += value == hex(words[0]); });
        EXPECT_EQ(is, decimal(words[1])) << "pixels of " << words[0];
    }
    void bright(const Words& words) {
        need(words.size() == 1);
        uint32_t is = 0;
        each_pixel([&](uint32_t value) { is += (value >> 8 & 0xFF) >= 0x80; });
        EXPECT_EQ(is, decimal(words[0]));
    }
    /*
     * Expects a total number of samples. A coverage of n/N is stored as floor((255 n + N/2) / N).
     */
    void samples(const Words& words) {
        need(words.size() == 2);
        const uint32_t of = decimal(words[0]);
        std::map<uint32_t, uint32_t> samples_of;
        for (uint32_t n = 0; n <= of; n++)
            samples_of[(255 * n + of / 2) / of] = n;
        uint32_t is = 0, strange = 0;
        each_pixel([&](uint32_t value) {
            const auto found = samples_of.find(value & 0xFF);
            is += found == samples_of.end() ? 0 : found->second;
            strange += found == samples_of.end();
        });
        EXPECT_EQ(is, decimal(words[1]));
        EXPECT_EQ(strange, 0u) << "pixels with an impossible coverage";
    }
    void hash(const Words& words) {
        need(words.size() == 1);
        EXPECT_EQ(text_of(hash_of(shown())), text_of(hex(words[0])));
    }

    /* Has no effect. The statement is for the test that every doubt has a vector. */
    void unknown(const Words& words) { need(!words.empty()); }

    VgDevice& device_;
    std::vector<uint32_t> stream_;
    uint32_t place_ = 0x80100000;
    uint32_t picture_ = kTarget, stride_ = 0, unit_ = 4, width_ = 0, height_ = 0;
};

} // namespace

std::ostream& operator<<(std::ostream& out, const VgVector& vector) {
    return out << vector.name << ' ' << vector.what;
}

std::vector<VgVector> read_vg_vectors() {
    std::ifstream file(test_data("vivante_vg_vectors.txt"));
    std::vector<VgVector> vectors;
    std::string text;
    for (int number = 1; std::getline(file, text); number++) {
        std::istringstream line(text);
        VgStatement statement;
        statement.line = number;
        if (!(line >> statement.verb) || statement.verb[0] == '#')
            continue;
        for (std::string word; line >> word;)
            statement.words.push_back(word);
        if (statement.verb == "vector") {
            const std::vector<std::string>& words = statement.words;
            if (words.size() < 2)
                return {};
            vectors.push_back(
                {words[0], words[1], words.size() > 2 ? words[2] : "gc355-rt1170", {}});
        } else if (vectors.empty()) {
            return {};
        } else {
            vectors.back().statements.push_back(std::move(statement));
        }
    }
    return vectors;
}

void play(const VgVector& vector, const VgDeviceMaker& make) {
    const std::unique_ptr<VgDevice> device = make(vector.chip, vg_vector_ram, vg_vector_ram_size);
    Player player(*device);
    for (const VgStatement& statement : vector.statements) {
        const testing::ScopedTrace trace("vivante_vg_vectors.txt", statement.line, vector.name);
        try {
            player.execute(statement);
        } catch (const BadStatement&) {
            ADD_FAILURE() << "there is no such statement";
        }
    }
    player.end();
}

} // namespace pixmill::test

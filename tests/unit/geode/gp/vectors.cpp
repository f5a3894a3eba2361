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

using Verb = GeodeStatement::Verb;

constexpr uint32_t kLutIndex = 0x70, kLutData = 0x74;

/* ---- The file ------------------------------------------------------------ */

/* Parses the numbers in a word that are separated by "=". */
bool add_numbers(const std::string& word, std::vector<uint32_t>& to) {
    std::istringstream parts(word);
    std::string part;
    while (std::getline(parts, part, '=')) {
        char* end = nullptr;
        const unsigned long number = std::strtoul(part.c_str(), &end, 16);
        if (part.empty() || *end || number > UINT32_MAX)
            return false;
        to.push_back(static_cast<uint32_t>(number));
    }
    return true;
}

bool parse(const std::string& verb, std::istringstream& rest, GeodeStatement& statement) {
    static const std::map<std::string, Verb> verbs{{"put", Verb::put},
                                                   {"write", Verb::write},
                                                   {"lut", Verb::lut},
                                                   {"msr", Verb::msr},
                                                   {"read", Verb::read},
                                                   {"expect", Verb::expect},
                                                   {"interrupt", Verb::interrupt}};
    static const std::map<std::string, uint32_t> units{{"bytes", 1}, {"halves", 2}, {"words", 4}};
    const auto found = verbs.find(verb);
    if (found == verbs.end())
        return false;
    statement.verb = found->second;
    std::string word;
    if (statement.verb == Verb::put || statement.verb == Verb::expect) {
        rest >> word;
        const auto unit = units.find(word);
        if (unit == units.end())
            return false;
        statement.unit = unit->second;
    }
    while (rest >> word) {
        if (!add_numbers(word, statement.numbers))
            return false;
    }
    const size_t count = statement.numbers.size();
    if (statement.verb == Verb::interrupt)
        return count == 1;
    const bool list = statement.unit || statement.verb == Verb::lut;
    return count >= 2 && (list || count % 2 == 0);
}

/* ---- The player ---------------------------------------------------------- */

std::string text_of(std::span<const uint8_t> bytes) {
    std::ostringstream text;
    text << std::hex << std::setfill('0');
    for (const uint8_t byte : bytes)
        text << std::setw(2) << int{byte} << ' ';
    return text.str();
}

class Player {
public:
    Player(GeodeGp& gp, uint32_t vram_size) : gp_(gp), expected_(vram_size) {}

    void execute(const GeodeStatement& statement) {
        const std::vector<uint32_t>& n = statement.numbers;
        switch (statement.verb) {
        case Verb::put:
            store(statement, gp_.vram());
            store(statement, expected_);
            break;
        case Verb::expect:
            store(statement, expected_);
            compare(n[0], statement.unit * (n.size() - 1));
            break;
        case Verb::lut:
            gp_.write(kLutIndex, 4, n[0]);
            for (size_t i = 1; i < n.size(); i++)
                gp_.write(kLutData, 4, n[i]);
            break;
        case Verb::interrupt:
            EXPECT_EQ(gp_.interrupt(), n[0] != 0);
            break;
        default:
            for (size_t i = 0; i < n.size(); i += 2)
                access(statement.verb, n[i], n[i + 1]);
        }
    }

    /* Checks that VRAM has the expected bytes and is otherwise unchanged. */
    void finish() {
        const std::span<const uint8_t> actual = gp_.vram();
        const auto [wrong, right] =
            std::mismatch(actual.begin(), actual.end(), expected_.begin(), expected_.end());
        if (wrong != actual.end())
            ADD_FAILURE() << "VRAM " << std::hex << right - expected_.begin() << " is "
                          << int{*wrong} << " instead of " << int{*right};
    }

private:
    void access(Verb verb, uint32_t number, uint32_t value) {
        if (verb == Verb::write)
            gp_.write(number, 4, value);
        else if (verb == Verb::msr)
            gp_.write_msr(number, value);
        else
            EXPECT_EQ(gp_.read(number, 4), value) << "of register " << std::hex << number;
    }

    static void store(const GeodeStatement& statement, std::span<uint8_t> vram) {
        uint32_t at = statement.numbers[0];
        for (size_t i = 1; i < statement.numbers.size(); i++) {
            for (uint32_t byte = 0; byte < statement.unit; byte++)
                vram[at++] = static_cast<uint8_t>(statement.numbers[i] >> 8 * byte);
        }
    }

    void compare(size_t at, size_t count) {
        EXPECT_EQ(text_of(gp_.vram().subspan(at, count)),
                  text_of(std::span(expected_).subspan(at, count)));
    }

    GeodeGp& gp_;
    std::vector<uint8_t> expected_; /* VRAM */
};

} // namespace

std::ostream& operator<<(std::ostream& out, const GeodeVector& vector) {
    return out << vector.name;
}

std::vector<GeodeVector> read_geode_vectors() {
    std::ifstream file(test_data("geode_vectors.txt"));
    std::vector<GeodeVector> vectors;
    std::string text;
    for (int number = 1; std::getline(file, text); number++) {
        std::istringstream line(text);
        std::string verb;
        if (!(line >> verb) || verb[0] == '#')
            continue;
        if (verb == "vector") {
            std::string name, what;
            uint32_t vram_size = 0;
            line >> name >> what;
            if (!(line >> std::hex >> vram_size))
                vram_size = 2 << 20;
            vectors.push_back({name + ' ' + what, vram_size, {}});
            continue;
        }
        GeodeStatement statement{Verb::put, 0, {}, number};
        if (vectors.empty() || !parse(verb, line, statement))
            return {};
        vectors.back().statements.push_back(std::move(statement));
    }
    return vectors;
}

void play(const GeodeVector& vector, GeodeGp& gp) {
    Player player(gp, vector.vram_size);
    for (const GeodeStatement& statement : vector.statements) {
        const testing::ScopedTrace trace("geode_vectors.txt", statement.line, vector.name);
        player.execute(statement);
    }
    const testing::ScopedTrace trace("geode_vectors.txt", 0, vector.name + ", at the end");
    player.finish();
}

void play(const GeodeVector& vector, const GeodeGpMaker& make) {
    play(vector, *make(vector.vram_size));
}

} // namespace pixmill::test

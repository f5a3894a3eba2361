// SPDX-License-Identifier: GPL-2.0-or-later
#include "vectors.hpp"

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "../../test_data.hpp"

namespace pixmill::test {
namespace {

using Verb = NemaStatement::Verb;

/// Returns the statement that precedes every vector.
const NemaStatement& common_state() {
    static const NemaStatement state{Verb::write,
                                     {0x0C4, 0x1F, 0x0C8, 0x08000002, 0x0CC, 0x80000009, 0x200, 0,
                                      0x204, 0xFFFFFFFF, 0x1D0, 1, 0x158, 0, 0x15C, 0x7FFF7FFF},
                                     0};
    return state;
}

/// Parses the numbers in a word that are separated by "=" or "_".
bool add_numbers(std::string word, std::vector<uint64_t>& to) {
    static const std::map<std::string, uint64_t> lines{
        {"completion", 0}, {"error", 1}, {"freeze", 2}};
    if (const auto line = lines.find(word); line != lines.end()) {
        to.push_back(line->second);
        return true;
    }
    for (char& c : word)
        c = c == '=' || c == '_' ? ' ' : c;
    std::istringstream parts(word);
    std::string part;
    while (parts >> part) {
        char* end = nullptr;
        to.push_back(std::strtoull(part.c_str(), &end, 16));
        if (*end)
            return false;
    }
    return true;
}

/// Converts the numbers of a statement `words` to those of `memory`: an address and bytes.
void words_to_bytes(std::vector<uint64_t>& numbers) {
    std::vector<uint64_t> bytes{numbers[0]};
    for (size_t i = 1; i < numbers.size(); i++) {
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(numbers[i] >> shift & 0xFF);
    }
    numbers = std::move(bytes);
}

bool parse(const std::string& verb, std::istringstream& rest, NemaStatement& statement) {
    static const std::map<std::string, Verb> verbs{
        {"reset", Verb::reset}, {"words", Verb::memory},    {"bytes", Verb::memory},
        {"write", Verb::write}, {"read", Verb::read},       {"expect", Verb::expect},
        {"line", Verb::line},   {"imem", Verb::instruction}};
    const auto found = verbs.find(verb);
    if (found == verbs.end())
        return false;
    statement.verb = found->second;
    std::string word;
    while (rest >> word) {
        if (!add_numbers(word, statement.numbers))
            return false;
    }
    if (verb != "reset" && statement.numbers.size() < 2)
        return false;
    if (verb == "words" || verb == "expect")
        words_to_bytes(statement.numbers);
    const bool pairs = verb == "write" || verb == "read" || verb == "line";
    return !pairs || statement.numbers.size() % 2 == 0;
}

} // namespace

std::vector<NemaVector> read_nema_vectors() {
    std::ifstream file(test_data("nema_vectors.txt"));
    std::vector<NemaVector> vectors;
    std::string text;
    for (int number = 1; std::getline(file, text); number++) {
        std::istringstream line(text);
        std::string verb;
        if (!(line >> verb) || verb[0] == '#')
            continue;
        if (verb == "vector") {
            std::string name, what;
            line >> name >> what;
            vectors.push_back({name + ' ' + what, {common_state()}});
            continue;
        }
        NemaStatement statement{Verb::reset, {}, number};
        if (vectors.empty() || !parse(verb, line, statement))
            return {};
        vectors.back().statements.push_back(std::move(statement));
    }
    return vectors;
}

} // namespace pixmill::test

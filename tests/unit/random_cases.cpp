/*
 * Tests which cases the environment selects for RandomCases (tests/random_setting.hpp).
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../random_setting.hpp"

namespace pixmill::test {
namespace {

using Values = std::map<std::string, std::string>;

/// While an instance exists, the environment has exactly these PIXMILL_ settings.
class Settings {
public:
    explicit Settings(const Values& settings) {
        for (const char* name : {"PIXMILL_SEED", "PIXMILL_CASES", "PIXMILL_SMOKE",
                                 "PIXMILL_RANDOM_SECONDS", "PIXMILL_CASE"}) {
            const char* before = std::getenv(name);
            before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
            const auto found = settings.find(name);
            put(name, found == settings.end() ? std::nullopt : std::optional(found->second));
        }
    }
    ~Settings() {
        for (const auto& [name, value] : before_)
            put(name, value);
    }
    Settings(const Settings&) = delete;
    Settings& operator=(const Settings&) = delete;

private:
    static void put(const std::string& name, const std::optional<std::string>& value) {
        if (value)
            setenv(name.c_str(), value->c_str(), 1);
        else
            unsetenv(name.c_str());
    }
    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

using Played = std::vector<std::pair<uint64_t, uint64_t>>;

Played played(uint64_t all, const Values& settings) {
    const Settings these(settings);
    RandomCases cases(all, {{71, 24050}, {3, 9}});
    Played result;
    uint64_t of_table = 0;
    for (const auto [seed, number] : cases) {
        result.emplace_back(seed, number);
        of_table += cases.of_table();
    }
    EXPECT_EQ(cases.played(), result.size() - of_table);
    return result;
}

TEST(RandomCases, ThoseThatOnceFailedComeFirst) {
    EXPECT_EQ(played(3, {}), (Played{{71, 24050}, {3, 9}, {1, 0}, {1, 1}, {1, 2}}));
    EXPECT_EQ(played(3, {{"PIXMILL_SEED", "8"}, {"PIXMILL_CASES", "1"}}),
              (Played{{71, 24050}, {3, 9}, {8, 0}}));
    EXPECT_EQ(played(20, {{"PIXMILL_SMOKE", "10"}}), (Played{{71, 24050}, {3, 9}, {1, 0}, {1, 1}}));
}

TEST(RandomCases, OneIsPlayedAlone) {
    EXPECT_EQ(played(3, {{"PIXMILL_SEED", "5"}, {"PIXMILL_CASE", "4711"}}), (Played{{5, 4711}}));
}

TEST(RandomCases, AFewArePlayedWhateverTimeThereIs) {
    EXPECT_EQ(played(2000, {{"PIXMILL_RANDOM_SECONDS", "0"}}).size(), 2u + 10);
    EXPECT_EQ(played(4, {{"PIXMILL_RANDOM_SECONDS", "0"}}).size(), 2u + 4);
    EXPECT_EQ(played(2000, {{"PIXMILL_RANDOM_SECONDS", "0"}, {"PIXMILL_CASES", "50"}}).size(),
              2u + 50);
    EXPECT_EQ(played(50, {{"PIXMILL_RANDOM_SECONDS", "1000"}}).size(), 2u + 50);
}

/* The limit is CPU time, so a test that sleeps must get as many cases as one that does not. */
TEST(RandomCases, EndWithTheirSeconds) {
    const Settings these(Values{{"PIXMILL_RANDOM_SECONDS", "0.1"}});
    RandomCases cases(1'000'000'000);
    const double begin = processor_seconds();
    for ([[maybe_unused]] const RandomCase c : cases) {
    }
    EXPECT_GE(processor_seconds() - begin, 0.1);
    EXPECT_GT(cases.played(), 10u);
    EXPECT_LT(cases.played(), 1'000'000'000u);
}

} // namespace
} // namespace pixmill::test

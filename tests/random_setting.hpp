// SPDX-License-Identifier: GPL-2.0-or-later
// Settings of tests with random cases, taken from the environment:
// PIXMILL_SEED=n            selects a different sequence of cases
// PIXMILL_CASES=n           number of cases
// PIXMILL_SMOKE=n           divides each test's usual number of cases by n
// PIXMILL_RANDOM_SECONDS=s  stops a test after that much CPU time, but not before its first few
//                           cases (scripts/test without --thorough)
// PIXMILL_CASE=n            plays only this case
// Case n of a seed is always the same. Cases that once failed are kept in a table in their test and
// are played first, unless PIXMILL_CASE is set.
#pragma once

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <iterator>
#include <limits>
#include <vector>

namespace pixmill {

inline uint64_t setting(const char* name, uint64_t otherwise) {
    const char* text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

inline uint64_t random_cases(uint64_t all) {
    const uint64_t part = std::max<uint64_t>(setting("PIXMILL_SMOKE", 1), 1);
    return setting("PIXMILL_CASES", std::max<uint64_t>(all / part, 1));
}

// The cases of a test: [first, end).
struct CaseRange {
    uint64_t first, end;
};

inline CaseRange case_range(uint64_t all) {
    const uint64_t only = setting("PIXMILL_CASE", UINT64_MAX);
    return only == UINT64_MAX ? CaseRange{0, random_cases(all)} : CaseRange{only, only + 1};
}

// Returns the CPU time of this process and of the child processes it has waited for.
inline double processor_seconds() {
    timespec own{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &own);
    rusage others{};
    getrusage(RUSAGE_CHILDREN, &others);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return static_cast<double>(own.tv_sec) + static_cast<double>(own.tv_nsec) * 1e-9 +
           seconds(others.ru_utime) + seconds(others.ru_stime);
}

struct RandomCase {
    uint64_t seed, number;
};

// Yields the cases of a test to `for (const RandomCase c : cases)`: first those that once failed,
// then those of PIXMILL_SEED in order.
class RandomCases {
public:
    explicit RandomCases(uint64_t all, std::vector<RandomCase> once_failed = {})
        : range_(case_range(all)), seed_(setting("PIXMILL_SEED", 1)) {
        if (!only_one())
            once_failed_ = std::move(once_failed);
        if (const char* text = std::getenv("PIXMILL_RANDOM_SECONDS");
            text && !std::getenv("PIXMILL_CASES"))
            seconds_ = std::strtod(text, nullptr);
    }
    ~RandomCases() {
        const double took = processor_seconds() - start_;
        std::printf("random cases: %llu, and %zu that once failed, in %.2f s of processor time\n",
                    static_cast<unsigned long long>(played_), once_failed_.size(), took);
        testing::Test::RecordProperty("random_cases", std::to_string(played_));
    }
    RandomCases(const RandomCases&) = delete;
    RandomCases& operator=(const RandomCases&) = delete;

    // Returns how many of the seed's cases were started; the test's statistics refer to this count.
    [[nodiscard]] uint64_t played() const { return played_; }
    // True if PIXMILL_CASE is set. Statistics need more than a single case.
    [[nodiscard]] bool only_one() const {
        return setting("PIXMILL_CASE", UINT64_MAX) != UINT64_MAX;
    }
    // True if the current case comes from the table of failures. Statistics leave such cases out.
    [[nodiscard]] bool of_table() const { return at_ < once_failed_.size(); }

    class Iterator {
    public:
        explicit Iterator(RandomCases* cases) : cases_(cases) {}
        RandomCase operator*() const { return cases_->present(); }
        Iterator& operator++() {
            cases_->at_++;
            return *this;
        }
        bool operator==(std::default_sentinel_t /*end*/) const { return !cases_->enter(); }

    private:
        RandomCases* cases_;
    };
    Iterator begin() {
        start_ = processor_seconds();
        at_ = played_ = 0;
        return Iterator(this);
    }
    static std::default_sentinel_t end() { return {}; }

private:
    static constexpr uint64_t kFew = 10;

    [[nodiscard]] RandomCase present() const {
        return of_table() ? once_failed_[at_]
                          : RandomCase{seed_, range_.first + at_ - once_failed_.size()};
    }
    // True if there is another case to play. Counts it unless it comes from the table of failures.
    bool enter() {
        if (of_table())
            return true;
        const uint64_t number = at_ - once_failed_.size();
        if (number >= range_.end - range_.first ||
            (number >= kFew && processor_seconds() - start_ >= seconds_))
            return false;
        played_ = number + 1;
        return true;
    }

    CaseRange range_;
    uint64_t seed_;
    std::vector<RandomCase> once_failed_;
    double seconds_ = std::numeric_limits<double>::infinity();
    double start_ = processor_seconds();
    uint64_t at_ = 0, played_ = 0;
};

// Returns a lower bound for a count whose usual value is `usual`: five standard deviations less, or
// 0 if `usual` is below 10.
inline uint64_t least(double usual) {
    return usual < 10 ? 0 : static_cast<uint64_t>(std::max(usual - 5 * std::sqrt(usual), 1.0));
}

} // namespace pixmill

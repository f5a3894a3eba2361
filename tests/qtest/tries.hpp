/*
 * How long things take: the best and the median of some tries, beside a goal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * In real time, more often in a thorough run (PIXMILL_SMOKE does not ask for less).  What is
 * printed is for people; a loaded machine must not decide tests: only something of another order of
 * magnitude than the goal fails.
 */
#ifndef PIXMILL_TESTS_QTEST_TRIES_HPP
#define PIXMILL_TESTS_QTEST_TRIES_HPP

#include <chrono>
#include <functional>
#include <string>
#include <vector>

namespace pixmill::qtest {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point start);
double milliseconds(const std::function<void()>& action);

/* What is wanted of the best of some tries, and what is too much even for a machine that is busy.
 */
struct Goal {
    double wanted;
    double hopeless;
    const char* unit;
};

constexpr Goal kAtOnce = {.wanted = 50, .hopeless = 2000, .unit = "ms"};
constexpr Goal kSoon = {.wanted = 100, .hopeless = 2000, .unit = "ms"};
constexpr Goal kAnyTime = {.wanted = 60000, .hopeless = 60000, .unit = "ms"};

/* Tries to reach a goal. */
class Tries {
public:
    static int count();

    explicit Tries(const Goal& goal) : goal_(goal) {}
    void add(double figure);
    /* The machine is to be idle now, too. */
    void probe();
    [[nodiscard]] double best() const;
    /* Judges the best. */
    void judge(const std::string& what);

private:
    Goal goal_;
    std::vector<double> figures_;
    bool busy_ = false; /* when the goal was missed */
};

} // namespace pixmill::qtest

#endif

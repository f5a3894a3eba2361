/*
 * Measures latencies in real time and compares the best and the median of several tries with a
 * goal.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A thorough run (without PIXMILL_SMOKE) makes more tries.  The figures are printed for
 * information.  A test fails only if the best try misses the goal by an order of magnitude, so that
 * a loaded host does not decide the result.
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

/*
 * Limits for the best try: the printed goal, and the value at which the test fails even if the host
 * is busy.
 */
struct Goal {
    double wanted;
    double hopeless;
    const char* unit;
};

constexpr Goal kAtOnce = {.wanted = 50, .hopeless = 2000, .unit = "ms"};
constexpr Goal kSoon = {.wanted = 100, .hopeless = 2000, .unit = "ms"};
constexpr Goal kAnyTime = {.wanted = 60000, .hopeless = 60000, .unit = "ms"};

/* Collects several measurements of one figure and compares them with a goal. */
class Tries {
public:
    static int count();

    explicit Tries(const Goal& goal) : goal_(goal) {}
    void add(double figure);
    /* Records whether the host is busy now. */
    void probe();
    [[nodiscard]] double best() const;
    /* Prints the best and the median try; fails the test if the best one is hopeless. */
    void judge(const std::string& what);

private:
    Goal goal_;
    std::vector<double> figures_;
    bool busy_ = false; /* the host was busy when a try missed the goal */
};

} // namespace pixmill::qtest

#endif

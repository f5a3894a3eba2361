/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tries.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <thread>

#include "../random_setting.hpp"

namespace pixmill::qtest {

double milliseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double milliseconds(const std::function<void()>& action) {
    const auto start = Clock::now();
    action();
    return milliseconds_since(start);
}

namespace {

/* Returns the share of a 10 ms interval in which this thread was running. */
double processor_share() {
    const auto processor_time = [] {
        timespec now{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    };
    const auto start = Clock::now();
    const double before = processor_time();
    while (milliseconds_since(start) < 10) {
    }
    return (processor_time() - before) / milliseconds_since(start);
}

/* True if one thread per processor gets more than 90% of its processor. */
bool machine_is_idle() {
    std::vector<double> shares(std::thread::hardware_concurrency());
    std::vector<std::thread> threads;
    threads.reserve(shares.size());
    for (double& share : shares) {
        threads.emplace_back([&share] { share = processor_share(); });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    return std::ranges::all_of(shares, [](double share) { return share > 0.9; });
}

bool is_thorough() {
    return setting("PIXMILL_SMOKE", 1) <= 1;
}

} // namespace

int Tries::count() {
    return is_thorough() ? 5 : 3;
}

void Tries::add(double figure) {
    figures_.push_back(figure);
    if (figure >= goal_.wanted) {
        probe();
    }
}

void Tries::probe() {
    busy_ = busy_ || !machine_is_idle();
}

double Tries::best() const {
    return *std::ranges::min_element(figures_);
}

void Tries::judge(const std::string& what) {
    std::ranges::sort(figures_);
    std::printf("  %-36s best %7.2f, median %7.2f %s", what.c_str(), best(),
                figures_[figures_.size() / 2], goal_.unit);
    if (best() >= goal_.wanted) {
        std::printf("; wanted: %g%s", goal_.wanted, busy_ ? ", but the machine is busy" : "");
    }
    std::printf("\n");
    EXPECT_LT(best(), goal_.hopeless) << what;
}

} // namespace pixmill::qtest

/*
 * Runs random programs in one QEMU for a long time and expects that its memory (without guest RAM),
 * threads and open files do not grow.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * PIXMILL_HOURS=h sets the duration (scripts/test --long).  Without it kRounds programs are played,
 * so the amount of work does not depend on the clock.  Other settings: tests/random_setting.hpp.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "../random_setting.hpp"
#include "random_program.hpp"
#include "rig.hpp"

namespace pixmill::qtest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr uint64_t kRounds = 40;
constexpr size_t kSteps = 300;
constexpr size_t kSamples = 1000; /* when there are this many, every second one is dropped */
constexpr int64_t kGrowthKib = 4096;

struct Use {
    int64_t kib = 0; /* RssAnon: linux proc(5); excludes guest RAM, which is a memfd */
    int64_t threads = 0;
    int64_t files = 0;
};

Use use_of(pid_t pid) {
    const std::string folder = "/proc/" + std::to_string(pid);
    Use use;
    std::ifstream status(folder + "/status");
    for (std::string line; std::getline(status, line);) {
        std::istringstream words(line);
        std::string name;
        words >> name;
        if (name == "RssAnon:") {
            words >> use.kib;
        } else if (name == "Threads:") {
            words >> use.threads;
        }
    }
    use.files = std::distance(std::filesystem::directory_iterator(folder + "/fd"), {});
    return use;
}

/* Evenly spaced samples of a run of any length. */
class Samples {
public:
    void add(const Use& use) {
        if (seen_++ % every_ != 0) {
            return;
        }
        samples_.push_back(use);
        if (samples_.size() == kSamples) {
            size_t kept = 0;
            for (size_t i = 0; i < samples_.size(); i += 2) {
                samples_[kept++] = samples_[i];
            }
            samples_.resize(kept);
            every_ *= 2;
        }
    }

    /* Returns the median of @of in one quarter (0 to 3) of the run. */
    [[nodiscard]] int64_t median(int64_t Use::*of, size_t quarter) const {
        const size_t length = samples_.size() / 4;
        std::vector<int64_t> values;
        for (size_t i = quarter * length; i < (quarter + 1) * length; ++i) {
            values.push_back(samples_[i].*of);
        }
        std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(length / 2),
                         values.end());
        return values[length / 2];
    }

private:
    std::vector<Use> samples_;
    uint64_t seen_ = 0, every_ = 1;
};

/* Counts rounds until the run is long enough. */
class Duration {
public:
    bool goes_on() {
        ++rounds_;
        return hours_ > 0 ? elapsed() < hours_ : rounds_ <= rounds_to_play_;
    }
    [[nodiscard]] uint64_t rounds() const { return rounds_ - 1; }
    [[nodiscard]] double elapsed() const {
        return std::chrono::duration<double, std::ratio<3600>>(Clock::now() - start_).count();
    }

private:
    static double hours() {
        const char* text = std::getenv("PIXMILL_HOURS");
        return text != nullptr ? std::atof(text) : 0;
    }

    double hours_ = hours();
    uint64_t rounds_to_play_ = std::max<uint64_t>(random_cases(kRounds), 8);
    uint64_t rounds_ = 0;
    Clock::time_point start_ = Clock::now();
};

/*
 * Drops saves and loads, because QEMU 10.0 leaks about 10 KiB per snapshot even without our
 * devices.
 */
Program soaked(Program program) {
    std::erase_if(program, [](const Step& step) {
        return step.what == Step::Do::kSave || step.what == Step::Do::kLoad;
    });
    return program;
}

class Soak : public testing::TestWithParam<MachineAndWorker> {};

TEST_P(Soak, MemoryAndFilesDoNotGrow) {
    const auto& [machine, threaded] = GetParam();
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    Qemu qemu(fuzzed_options(machine, threaded));
    prepare(qemu, machine);
    Samples samples;
    Duration duration;
    while (duration.goes_on()) {
        Dice dice(seed, duration.rounds());
        play(qemu, soaked(random_program(machine, dice, kSteps)));
        qemu.qmp_error("cont");
        qemu.system_reset();
        samples.add(use_of(qemu.pid()));
    }
    /* Caches fill up during the first quarter, so that quarter is ignored. */
    const int64_t early = samples.median(&Use::kib, 1), late = samples.median(&Use::kib, 3);
    std::cout << "figures: " << duration.rounds() << " programs of " << kSteps
              << " steps in one process in " << duration.elapsed() << " h; memory " << early
              << " KiB in the second quarter, " << late << " KiB in the last one; threads "
              << samples.median(&Use::threads, 3) << ", files " << samples.median(&Use::files, 3)
              << '\n';
    EXPECT_LE(late - early, kGrowthKib);
    EXPECT_LE(samples.median(&Use::files, 3), samples.median(&Use::files, 1));
    expect_sound(qemu);
    EXPECT_EQ(qemu.quit(), "exit 0") << qemu.stderr_text();
}

INSTANTIATE_TEST_SUITE_P(
    On, Soak,
    testing::Combine(testing::Values(fuzzed_machines()[0], fuzzed_machines()[5]), testing::Bool()),
    machine_and_worker);

} // namespace
} // namespace pixmill::qtest

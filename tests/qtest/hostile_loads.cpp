/*
 * Whatever a guest does, QEMU must serve its owner's requests quickly, and a saved machine must
 * continue.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The tests check order, not time: each answer must come while the load, which would last for
 * hours, is still running.  Times are printed next to their goals, as in tries.hpp.
 */
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "loads.hpp"
#include "rig.hpp"
#include "tries.hpp"

namespace pixmill::qtest {
namespace {

/* Goal for the difference between two measurements that each write a gigabyte. */
constexpr Goal kLittleLonger = {.wanted = 100, .hopeless = 60000, .unit = "ms"};

/* A machine under load. */
class Subject {
public:
    Subject(const Load& load, bool threaded)
        : load_(load), console_(directory_.file("console")),
          qemu_(traced(machine_of(load, threaded, directory_.file("console")))) {
        start();
    }

    Qemu& qemu() { return qemu_; }
    uint64_t work() { return *load_.work ? qemu_.get_counter(load_.path, load_.work) : 0; }

    void start() {
        load_.start(qemu_);
        await([this] { return load_.lasts(qemu_) && (!*load_.work || work() > 0); });
    }

    /*
     * Polls for up to 10 s: a busy host may delay a thread, but cannot change the order of events.
     */
    void await(const std::function<bool()>& done) {
        for (int i = 0; i < 2000 && !done(); ++i) {
            std::this_thread::sleep_for(Milliseconds(5));
        }
        ASSERT_TRUE(done());
    }

    /* Expects the load to be running and to make progress. */
    void expect_it_lasts() {
        EXPECT_TRUE(load_.lasts(qemu_));
        const uint64_t before = work();
        await([&] { return !*load_.work || work() > before; });
    }

    void expect_it_rests() {
        const uint64_t before = work();
        std::this_thread::sleep_for(Milliseconds(30));
        EXPECT_EQ(work(), before);
    }

private:
    static QemuOptions traced(QemuOptions options) {
        options.arguments.insert(options.arguments.end(), {"-trace", "pixmill_worker_draw"});
        return options;
    }

    const Load& load_;
    TemporaryDirectory directory_;
    LineSocket console_; /* never read */
    Qemu qemu_;
};

struct Case {
    const Load* load;
    bool threaded;
};

std::string name_of(const Case& p) {
    return p.load->name + std::string(!*p.load->device ? "" : p.threaded ? "Threaded" : "Inline");
}

void PrintTo(const Case& p, std::ostream* out) {
    *out << name_of(p);
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Load& load : loads()) {
        all.push_back({&load, true});
        if (*load.device != 0) {
            all.push_back({&load, false});
        }
    }
    return all;
}

class HostileLoad : public testing::TestWithParam<Case> {
protected:
    HostileLoad() : subject(*GetParam().load, GetParam().threaded) {}

    void judge(const char* what, Tries& tries) { tries.judge(name_of(GetParam()) + ", " + what); }

    Subject subject;
};

TEST_P(HostileLoad, LetsTheMonitorAnswer) {
    Tries answer(kAtOnce);
    for (int i = 0; i < 4 * Tries::count(); ++i) {
        answer.add(milliseconds([&] { subject.qemu().qmp("query-status"); }));
        EXPECT_TRUE(GetParam().load->lasts(subject.qemu())) << i;
        std::this_thread::sleep_for(Milliseconds(17)); /* vary the phase of the load */
    }
    judge("query-status", answer);
    expect_clean_quit(subject.qemu());
}

/*
 * Work done while holding the BQL must be limited.  Budgets are given as the number of bytes that
 * could be copied in the same time.
 */
TEST_P(HostileLoad, DrawsWithoutTheBql) {
    constexpr uint64_t inline_budget = 16 << 10; /* INLINE_DRAW_BYTES of hw/qemu/cores/worker.c */
    const uint64_t most = GetParam().threaded ? 0 : inline_budget;
    subject.expect_it_lasts();
    subject.qemu().stop();
    size_t draws = 0;
    for (const std::string& line : subject.qemu().log()) {
        const size_t colon = line.find(": ");
        if (!line.starts_with("pixmill_worker_draw") || colon == std::string::npos) {
            continue;
        }
        ++draws;
        if (line.ends_with("BQL 1")) {
            EXPECT_LE(std::stoull(line.substr(colon + 2)), most) << line;
        }
    }
    if (GetParam().load->work == std::string("stat-pixels")) {
        EXPECT_NE(draws, 0u);
    }
    expect_clean_quit(subject.qemu());
}

TEST_P(HostileLoad, StopsAndNothingMovesUntilItContinues) {
    Tries stop(kAtOnce);
    Tries resume(kAtOnce);
    for (int i = 0; i < Tries::count(); ++i) {
        stop.add(milliseconds([&] { subject.qemu().stop(); }));
        subject.expect_it_rests();
        resume.add(milliseconds([&] { subject.qemu().resume(); }));
        subject.expect_it_lasts();
    }
    judge("stop", stop);
    judge("cont", resume);
    expect_clean_quit(subject.qemu());
}

TEST_P(HostileLoad, EndsOrBeginsAnewWithAReset) {
    Tries reset(kSoon);
    for (int i = 0; i < Tries::count(); ++i) {
        reset.add(milliseconds([&] { subject.qemu().system_reset(); }));
        if (GetParam().load->ends_with_reset) {
            EXPECT_FALSE(GetParam().load->lasts(subject.qemu()));
            subject.expect_it_rests();
            subject.qemu().stop();
            subject.start();
        } else {
            subject.await([&] { return GetParam().load->lasts(subject.qemu()); });
            subject.expect_it_lasts();
        }
    }
    judge("system_reset", reset);
    expect_clean_quit(subject.qemu());
}

/*
 * savevm writes all of RAM, however long that takes.  What matters is how much longer it takes
 * under load than with the machine stopped.
 */
TEST_P(HostileLoad, IsSavedAndContinues) {
    Qemu& qemu = subject.qemu();
    qemu.make_snapshot_disk();
    const auto savevm = [&] {
        const double took = milliseconds([&] { EXPECT_EQ(qemu.monitor("savevm one"), "\"\""); });
        qemu.monitor("delvm one");
        return took;
    };
    savevm(); /* makes the image grow before the measurements */
    Tries loaded(kAnyTime);
    Tries stopped(kAnyTime);
    for (int i = 0; i < Tries::count() - 1; ++i) {
        loaded.add(savevm());
        subject.expect_it_lasts();
        qemu.stop();
        stopped.add(savevm());
        qemu.resume();
    }
    judge("savevm", loaded);
    Tries longer(kLittleLonger);
    longer.add(loaded.best() - stopped.best());
    judge("... longer than stopped by", longer);
    expect_clean_quit(qemu);
}

TEST_P(HostileLoad, DoesNotKeepQemuFromEnding) {
    Tries quit(kSoon);
    quit.add(milliseconds([&] { EXPECT_EQ(subject.qemu().quit(), "exit 0"); }));
    judge("quit", quit);
}

TEST_P(HostileLoad, DoesNotKeepQemuFromEndingBySigterm) {
    Tries end(kSoon);
    end.add(milliseconds([&] { EXPECT_EQ(subject.qemu().terminate(), "exit 0"); }));
    judge("SIGTERM", end);
}

INSTANTIATE_TEST_SUITE_P(Of, HostileLoad, testing::ValuesIn(cases()),
                         [](const auto& p) { return name_of(p.param); });

} // namespace
} // namespace pixmill::qtest

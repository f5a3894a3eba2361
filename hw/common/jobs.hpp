// Numbers the jobs of a core for a host that watches.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/host.hpp"

namespace pixmill {

/// Jobs in the order in which register writes started them, which is the order of their execution.
/// Several may wait. Not migrated; does nothing unless the host watches.
class Jobs {
public:
    explicit Jobs(const Host& host) : host_(host) {}

    /// A register write has started a job. `end` is the address at which it ends, if others may
    /// follow; a job without it is over as soon as another one waits.
    void start(std::optional<uint32_t> end = {}) {
        if (!host_.watches())
            return;
        started_++;
        if (count_ == waiting_.size()) // the newest two become one
            count_--;
        waiting_[count_++] = {started_, end};
        host_.job(PIXMILL_JOB_STARTED, started_);
        if (count_ == 1)
            run();
    }
    /// The core is about to execute what is at `address`.
    void reach(uint32_t address) {
        while (count_ > 1 && waiting_[0].end.value_or(address) == address)
            finish();
    }
    /// The core begins to execute the job that was started last.
    void reach_last() {
        while (count_ > 1)
            finish();
    }
    /// All jobs are done.
    void finish_all() { count_ = 0; }

    /// Number of the job that is being executed or was the last one.
    uint32_t running() const { return running_; }
    /// A register read shows that jobs up to `number` are done.
    void seen(uint32_t number) {
        if (number > seen_)
            host_.job(PIXMILL_JOB_SEEN, seen_ = number);
    }
    /// A register read shows that the core is idle.
    void seen_all() { seen(started_); }

private:
    struct Waiting {
        uint32_t number;
        std::optional<uint32_t> end; ///< address at which the job ends
    };

    void run() {
        running_ = waiting_[0].number;
        host_.job(PIXMILL_JOB_RUNS, running_);
    }
    void finish() {
        std::move(waiting_.begin() + 1, waiting_.begin() + ptrdiff_t(count_), waiting_.begin());
        count_--;
        run();
    }

    const Host& host_;
    uint32_t started_ = 0, running_ = 0, seen_ = 0;
    std::array<Waiting, 32> waiting_{};
    size_t count_ = 0; ///< entries of waiting_; the first one is executed
};

} // namespace pixmill

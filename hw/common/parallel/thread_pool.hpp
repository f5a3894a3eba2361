// Threads that help the caller's.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace pixmill {

/// The caller's thread and some helpers, for one job at a time. Helpers are started with the first
/// job, sleep between jobs, and take no signals. One caller at a time.
class ThreadPool {
public:
    /// Something that several threads do together. Does not throw.
    class Job {
    public:
        /// The part of thread `number`: 0 is the caller's, helpers follow.
        virtual void work(unsigned number) = 0;

    protected:
        ~Job() = default;
    };

    /// Whom run() waits for before the caller does its own part. `all` is for tests, which want to
    /// see every helper at work.
    enum class Wait : uint8_t { none, all };

    explicit ThreadPool(unsigned helpers, Wait wait = Wait::none)
        : helpers_(helpers), wait_(wait) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// How many threads may work, the caller's included.
    unsigned threads() const { return helpers_ + 1; }

    /// Calls job.work() on the caller's thread, and on those of at most `helpers` others that wake
    /// up before the caller has done its part: a busy host delays nothing. Returns when all have
    /// returned.
    void run(Job& job, unsigned helpers);

private:
    void start();
    void serve(unsigned number);

    const unsigned helpers_;
    const Wait wait_;
    bool started_ = false;
    std::vector<std::thread> threads_;

    std::mutex mutex_;
    std::condition_variable wake_, changed_;
    Job* job_ = nullptr;
    uint64_t jobs_ = 0;    ///< the number of job_
    unsigned invited_ = 0; ///< how many helpers may still join it
    unsigned working_ = 0;
    bool quit_ = false;
};

} // namespace pixmill

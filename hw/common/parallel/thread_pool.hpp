// Helper threads that share the work of the caller's thread.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace pixmill {

/// The caller's thread and a number of helpers, which run one job at a time. The first job starts
/// the helper threads. They sleep between jobs and handle no signals. Only one thread may call
/// run() at a time.
class ThreadPool {
public:
    /// Work that several threads share. Must not throw.
    class Job {
    public:
        /// Does the part of thread `number`. The caller's thread has number 0.
        virtual void work(unsigned number) = 0;

    protected:
        ~Job() = default;
    };

    /// Selects whether run() waits until all helpers have joined before the caller starts its own
    /// part. `all` is for tests that need every helper to take part.
    enum class Wait : uint8_t { none, all };

    explicit ThreadPool(unsigned helpers, Wait wait = Wait::none)
        : helpers_(helpers), wait_(wait) {}
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    /// Maximum number of threads, including the caller's.
    unsigned threads() const { return helpers_ + 1; }

    /// Calls job.work() on the caller's thread and on at most `helpers` others. Helpers that have
    /// not woken up when the caller finishes its part are skipped, so a busy host does not delay
    /// the caller. Returns when all calls have returned.
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
    uint64_t jobs_ = 0;    ///< sequence number of the current job_
    unsigned invited_ = 0; ///< number of helpers that may still join
    unsigned working_ = 0;
    bool quit_ = false;
};

} // namespace pixmill

// SPDX-License-Identifier: GPL-2.0-or-later
#include "thread_pool.hpp"

#include <algorithm>
#include <csignal>
#include <exception>

namespace pixmill {

namespace {

/// Blocks signals in the threads started during its lifetime, so that the program's own threads
/// handle them. Signals that a thread raises itself stay unblocked, because blocking them is
/// undefined behavior.
class NoSignals {
public:
    NoSignals() {
        sigset_t all;
        sigfillset(&all);
        for (const int own : {SIGSEGV, SIGFPE, SIGILL})
            sigdelset(&all, own);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~NoSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    NoSignals(const NoSignals&) = delete;
    NoSignals& operator=(const NoSignals&) = delete;

private:
    sigset_t before_;
};

} // namespace

ThreadPool::~ThreadPool() {
    {
        const std::lock_guard lock(mutex_);
        quit_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

void ThreadPool::start() {
    started_ = true;
    const NoSignals none;
    try {
        threads_.reserve(helpers_);
        while (threads_.size() < helpers_)
            threads_.emplace_back(&ThreadPool::serve, this, unsigned(threads_.size()) + 1);
    } catch (const std::exception&) {
        // Continue with the threads that have been started.
    }
}

void ThreadPool::run(Job& job, unsigned helpers) {
    if (!started_)
        start();
    helpers = std::min(helpers, unsigned(threads_.size()));
    std::unique_lock lock(mutex_);
    job_ = &job;
    jobs_++;
    invited_ = helpers;
    for (unsigned i = 0; i < helpers; i++)
        wake_.notify_one();
    if (wait_ == Wait::all)
        changed_.wait(lock, [&] { return !invited_; });
    lock.unlock();
    job.work(0);
    lock.lock();
    invited_ = 0; // helpers that have not joined yet skip this job
    changed_.wait(lock, [&] { return !working_; });
}

void ThreadPool::serve(unsigned number) {
    std::unique_lock lock(mutex_);
    for (uint64_t joined = 0;;) { // last job joined; a helper joins each job once
        wake_.wait(lock, [&] { return quit_ || (invited_ && joined != jobs_); });
        if (quit_)
            return;
        joined = jobs_;
        invited_--;
        working_++;
        if (!invited_)
            changed_.notify_one();
        Job& job = *job_;
        lock.unlock();
        job.work(number);
        lock.lock();
        working_--;
        changed_.notify_one();
    }
}

} // namespace pixmill

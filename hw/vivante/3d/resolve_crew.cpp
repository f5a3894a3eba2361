// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve_crew.hpp"

#include <algorithm>

#include "common/guard.hpp"
#include "mapped_surface.hpp"

namespace pixmill::vivante {

using render::Access;

namespace {

/// Of blocks, that a thread takes at once: 64 rows of pixels, or fewer, so that all get some.
constexpr uint32_t most_rows = 16, parts_of_thread = 4;

} // namespace

bool ResolveCrew::takes(render::Memory& memory, uint32_t position, uint64_t budget) {
    const Resolve::Blocks blocks = resolve_.blocks_at(position);
    const uint64_t left = blocks.work(position), least = 2 * share_;
    if (pool_.threads() < 2 || std::min(left, budget) < least)
        return false;
    if (looked_ == Looked::nowhere || rectangle_ != blocks.rectangle) {
        rectangle_ = blocks.rectangle;
        looked_ = guarded(false, [&] { return look_up(memory, rectangle_, left); })
                      ? Looked::found
                      : Looked::failed;
    }
    return looked_ == Looked::found;
}

/// All memory of a rectangle. False if it is not all there, or something that is written is
/// anything else, too: then it matters who comes first.
bool ResolveCrew::look_up(render::Memory& memory, uint32_t rectangle, uint64_t work) {
    const RsSetup& setup = resolve_.setup();
    mapped_.clear();
    while (members_.size() < pool_.threads())
        members_.push_back(std::make_unique<Member>(mapped_));
    for (const auto& member : members_)
        member->resolve.begin(setup);
    Lookup lookup(work);
    const MappedMemory* const all[] = {&mapped_};
    return lookup.add(mapped_, memory, setup.source, setup.status, resolve_.rectangle(rectangle),
                      Access::read) &&
           lookup.add(mapped_, memory, setup.destination, {}, resolve_.written_by(rectangle),
                      Access::write) &&
           apart(all);
}

class ResolveCrew::Job final : public render::ThreadPool::Job {
public:
    Job(ResolveCrew& crew, const Resolve::Blocks& blocks, uint32_t position, uint64_t share,
        const std::atomic<bool>& interrupt)
        : crew_(crew), end_(blocks.end), share_(share), interrupt_(interrupt), next_(position) {
        const uint32_t rows = (blocks.end - position) / blocks.columns;
        const uint32_t parts = crew.pool_.threads() * parts_of_thread;
        step_ = std::clamp(rows / parts, 1u, most_rows) * blocks.columns;
    }

    void work(unsigned number) override {
        Member& member = *crew_.members_[number];
        Resolve::Progress& progress = member.progress;
        while (!stop_.load(std::memory_order_relaxed)) {
            const uint64_t first = next_.fetch_add(step_, std::memory_order_relaxed);
            if (first >= end_)
                break;
            const auto last = uint32_t(std::min<uint64_t>(first + step_, end_));
            progress.add(member.resolve.run(member.memory, uint32_t(first), UINT64_MAX, last));
            if (progress.work >= share_ || interrupt_.load(std::memory_order_relaxed))
                stop_.store(true, std::memory_order_relaxed);
        }
    }
    uint32_t next() const { return uint32_t(std::min<uint64_t>(next_.load(), end_)); }

private:
    ResolveCrew& crew_;
    const uint32_t end_; ///< of the blocks
    const uint64_t share_;
    const std::atomic<bool>& interrupt_;
    uint32_t step_;
    std::atomic<uint64_t> next_;
    std::atomic<bool> stop_ = false;
};

Resolve::Progress ResolveCrew::run(render::Memory& memory, uint32_t position, uint64_t budget,
                                   const std::atomic<bool>& interrupt) {
    const Resolve::Blocks blocks = resolve_.blocks_at(position);
    const uint64_t work = std::min(budget, blocks.work(position));
    Job job(*this, blocks, position, budget / pool_.threads(), interrupt);
    pool_.run(job, unsigned(std::min<uint64_t>((work - 1) / share_, pool_.threads() - 1)));
    Resolve::Progress all;
    for (const auto& member : members_) {
        all.add(member->progress);
        member->progress = {};
        member->memory.report(memory);
    }
    all.position = job.next();
    all.done = all.position == resolve_.end();
    return all;
}

} // namespace pixmill::vivante

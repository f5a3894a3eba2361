// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve_crew.hpp"

#include <algorithm>

#include "common/guard.hpp"
#include "vivante/3d/shared_range.hpp"
#include "vivante/3d/ts/mapped_surface.hpp"

namespace pixmill::vivante {

namespace {

/// Of blocks, that a thread takes at once: 64 rows of pixels, or fewer, so that all get some.
constexpr uint32_t most_rows = 16, parts_of_thread = 4;

} // namespace

bool ResolveCrew::takes(Memory& memory, uint32_t position, uint64_t budget) {
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
bool ResolveCrew::look_up(Memory& memory, uint32_t rectangle, uint64_t work) {
    const RsSetup& setup = resolve_.setup();
    mapped_.clear();
    while (members_.size() < pool_.threads())
        members_.push_back(std::make_unique<Member>(mapped_));
    for (const auto& member : members_)
        member->resolve.begin(setup);
    MappingBudget budget(work);
    const MappedMemory* const all[] = {&mapped_};
    return budget.add(mapped_, memory, setup.source, setup.status, resolve_.rectangle(rectangle),
                      Access::read) &&
           budget.add(mapped_, memory, setup.destination, {}, resolve_.written_by(rectangle),
                      Access::write) &&
           apart(all);
}

class ResolveCrew::Job final : public render::ThreadPool::Job {
public:
    Job(ResolveCrew& crew, SharedRange& blocks) : crew_(crew), blocks_(blocks) {}

    void work(unsigned number) override {
        Member& member = *crew_.members_[number];
        Resolve::Progress& progress = member.progress;
        while (const SharedRange::Piece piece = blocks_.take()) {
            progress.add(member.resolve.run(member.memory, piece.first, UINT64_MAX, piece.end));
            blocks_.has_worked(progress.work);
        }
    }

private:
    ResolveCrew& crew_;
    SharedRange& blocks_;
};

Resolve::Progress ResolveCrew::run(Memory& memory, uint32_t position, uint64_t budget,
                                   const std::atomic<bool>& interrupt) {
    const Resolve::Blocks blocks = resolve_.blocks_at(position);
    const uint64_t work = std::min(budget, blocks.work(position));
    const uint32_t rows = (blocks.end - position) / blocks.columns;
    const uint32_t step =
        std::clamp(rows / (pool_.threads() * parts_of_thread), 1u, most_rows) * blocks.columns;
    SharedRange range(position, blocks.end, step, budget / pool_.threads(), interrupt);
    Job job(*this, range);
    pool_.run(job, unsigned(std::min<uint64_t>((work - 1) / share_, pool_.threads() - 1)));
    Resolve::Progress all;
    for (const auto& member : members_) {
        all.add(member->progress);
        member->progress = {};
        member->memory.flush_dirty(memory);
    }
    all.position = range.next();
    all.done = all.position == resolve_.end();
    return all;
}

} // namespace pixmill::vivante

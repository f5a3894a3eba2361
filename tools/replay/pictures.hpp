// The targets of a replayed core's draws, as pictures.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "replay.hpp"
#include "tools/picture.hpp"

namespace pixmill::tools {

/// What a family knows of its draws.
class DrawTargets {
public:
    virtual ~DrawTargets() = default;
    /// A draw is in flight: remembers where it goes.
    virtual void begun() = 0;
    /// It is done.
    virtual void done(uint64_t number) = 0;
};

using Print = std::function<void(const std::string& text)>;
using Show = std::function<void(const std::string& name, const Picture& picture)>;

/// Null: nobody knows how to show what this core draws.
std::unique_ptr<DrawTargets> targets_of(const Replay& replay, const Head& head, const Print& print,
                                        const Show& show);

/// Tells it what happens, behind each entry point.
class Pictures {
public:
    explicit Pictures(DrawTargets& targets) : targets_(targets) {}
    void after(const Record& record, uint64_t draws);

private:
    DrawTargets& targets_;
    uint64_t draws_ = 0;
};

} // namespace pixmill::tools

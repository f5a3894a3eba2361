// Pictures of the targets of draws in a replay.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "replay.hpp"
#include "tools/picture.hpp"

namespace pixmill::tools {

/// Shows the targets of draws of one core family.
class DrawTargets {
public:
    virtual ~DrawTargets() = default;
    /// Called after a draw has started. Remembers the draw's target.
    virtual void begun() = 0;
    /// Called when the draw is complete.
    virtual void done(uint64_t number) = 0;
};

using Print = std::function<void(const std::string& text)>;
using Show = std::function<void(const std::string& name, const Picture& picture)>;

/// Returns null if the model cannot tell where draws of this core go.
std::unique_ptr<DrawTargets> targets_of(const Replay& replay, const Head& head, const Print& print,
                                        const Show& show);

/// Notifies a DrawTargets after each entry point.
class Pictures {
public:
    explicit Pictures(DrawTargets& targets) : targets_(targets) {}
    void after(const Record& record, uint64_t draws);

private:
    DrawTargets& targets_;
    uint64_t draws_ = 0;
};

} // namespace pixmill::tools

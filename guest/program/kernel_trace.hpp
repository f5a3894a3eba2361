// SPDX-License-Identifier: GPL-2.0-or-later
// The kernel's own trace events, with its time stamps.
#pragma once

#include <string>
#include <vector>

namespace guest {

class KernelTrace {
public:
    struct Event {
        double microseconds; // since boot
        std::string name, text;
    };

    // Records the events, named "group/event", from now on.
    explicit KernelTrace(std::vector<std::string> events);
    ~KernelTrace();
    KernelTrace(const KernelTrace&) = delete;
    KernelTrace& operator=(const KernelTrace&) = delete;

    // What was recorded, in order of time.
    std::vector<Event> stop();

private:
    std::vector<std::string> m_events;
};

} // namespace guest

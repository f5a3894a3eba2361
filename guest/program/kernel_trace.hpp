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

    // Records the events, named "group/event" as in the newest kernel, from now on. Their names are
    // these on older ones, too.
    explicit KernelTrace(const std::vector<std::string>& events);
    ~KernelTrace();
    KernelTrace(const KernelTrace&) = delete;
    KernelTrace& operator=(const KernelTrace&) = delete;

    // What was recorded, in order of time.
    std::vector<Event> stop();

private:
    std::vector<std::string> m_events; // by the kernel's own names
};

} // namespace guest

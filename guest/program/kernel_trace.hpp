// SPDX-License-Identifier: GPL-2.0-or-later
// Records kernel trace events with their time stamps.
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

    // Starts to record the events, which are named "group/event" as in the newest kernel. Also
    // works with older kernels, which name some events differently.
    explicit KernelTrace(const std::vector<std::string>& events);
    ~KernelTrace();
    KernelTrace(const KernelTrace&) = delete;
    KernelTrace& operator=(const KernelTrace&) = delete;

    // Returns the recorded events, in order of time.
    std::vector<Event> stop();

private:
    std::vector<std::string> m_events; // named as in this kernel
};

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
// The format of the trace is in Linux Documentation/trace/ftrace.rst.
#include "kernel_trace.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <sys/mount.h>

namespace guest {

namespace {

const std::string ROOT = "/sys/kernel/tracing/";

// Events that had a different name before Linux 6.17.
constexpr struct {
    const char *group, *name, *older;
} RENAMED[] = {
    {"gpu_scheduler", "drm_sched_job_run", "drm_run_job"}, // linux gpu_scheduler_trace.h
};

bool put(const std::string& file, const char* text) {
    std::ofstream stream(ROOT + file);
    stream << text;
    stream.flush();
    return stream.good();
}

bool enable(const std::string& event) {
    return put("events/" + event + "/enable", "1");
}

// Enables an event and returns its name in this kernel, or "" if this kernel does not have the
// event.
std::string enable_by_any_name(const std::string& event) {
    if (enable(event))
        return event;
    for (const auto& other : RENAMED) {
        const std::string group = std::string(other.group) + "/";
        if (event == group + other.name && enable(group + other.older))
            return group + other.older;
    }
    return "";
}

// Translates an event's name in this kernel to its name in the newest kernel, which callers use.
std::string todays_name(const std::string& name) {
    for (const auto& other : RENAMED)
        if (name == other.older)
            return other.name;
    return name;
}

// Parses "  task-12 [001] d.h. 123.456789: name: text". Returns false if the line is not an event.
bool parse(const std::string& line, KernelTrace::Event& event) {
    const size_t flags = line.find("] ");
    if (line.empty() || line[0] == '#' || flags == std::string::npos)
        return false;
    const size_t time = line.find(' ', flags + 2), name = line.find(": ", time);
    const size_t text = line.find(": ", name + 2);
    if (time == std::string::npos || name == std::string::npos || text == std::string::npos)
        return false;
    event.microseconds = std::strtod(line.c_str() + time, nullptr) * 1e6;
    event.name = todays_name(line.substr(name + 2, text - name - 2));
    event.text = line.substr(text + 2);
    return true;
}

} // namespace

KernelTrace::KernelTrace(const std::vector<std::string>& events) {
    if (!std::ifstream(ROOT + "trace") &&
        mount("tracefs", ROOT.c_str(), "tracefs", 0, nullptr) != 0)
        throw std::runtime_error("the kernel has no trace events");
    put("buffer_size_kb", "8192");
    put("trace", "");
    for (const std::string& event : events) {
        m_events.push_back(enable_by_any_name(event));
        if (m_events.back().empty())
            throw std::runtime_error("the kernel cannot trace " + event);
    }
    put("tracing_on", "1");
}

KernelTrace::~KernelTrace() {
    for (const std::string& event : m_events)
        put("events/" + event + "/enable", "0");
}

std::vector<KernelTrace::Event> KernelTrace::stop() {
    put("tracing_on", "0");
    std::vector<Event> events;
    std::ifstream stream(ROOT + "trace");
    Event event;
    for (std::string line; std::getline(stream, line);)
        if (parse(line, event))
            events.push_back(event);
    return events;
}

} // namespace guest

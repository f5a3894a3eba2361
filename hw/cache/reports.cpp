// SPDX-License-Identifier: GPL-2.0-or-later
#include "reports.hpp"

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <iterator>

namespace pixmill::cache {

namespace {

constexpr const char* rule_names[] = {
    "gpu-reads-dirty",    "cpu-reads-stale",   "cpu-may-prefetch-stale",
    "dirty-under-output", "stale-line-stored", "lost-cpu-data",
    "shared-line",        "cpu-writes-busy",   "cpu-reads-busy",
    "missing-barrier",    "no-effect",         "redundant",
    "mixed-attributes",   "disabled-dirty",
};
static_assert(std::size(rule_names) == size_t(Rule::count));

constexpr const char* access_names[] = {"commands", "read", "write", "scan-out"};

/// Rules that only inform: no byte is wrong.
constexpr bool informs(Rule rule) {
    using enum Rule;
    return rule == shared_line || rule == missing_barrier || rule == no_effect || rule == redundant;
}

template<class... Values>
void append(std::string& to, const char* format, Values... values) {
    char text[160];
    (void)snprintf(text, sizeof text, format, values...);
    to += text;
}

} // namespace

const char* name_of(Rule rule) {
    return rule_names[size_t(rule)];
}

Reports::Group* Reports::group_of(const Finding& finding) {
    const auto fits = [&](const Group& group) {
        const Finding& f = group.first;
        return f.rule == finding.rule && f.pc == finding.pc && f.master == finding.master &&
               f.access == finding.access;
    };
    if (last_ < groups_.size() && fits(groups_[last_]))
        return &groups_[last_];
    const auto found = std::ranges::find_if(groups_, fits);
    last_ = size_t(found - groups_.begin());
    if (found != groups_.end())
        return &*found;
    const bool remark = informs(finding.rule);
    if (count_[remark] == most_groups) {
        dropped_ += !remark;
        return nullptr;
    }
    count_[remark]++;
    return &groups_.emplace_back(Group{.first = finding});
}

void Reports::add(const Finding& finding) {
    Group* const group = group_of(finding);
    if (!group)
        return;
    group->count++;
    group->visible += finding.visible;
    group->likely += finding.likely;
    extend(*group, finding);
    sample(*group, finding);
}

/// Adds the bytes to a range that they overlap or adjoin.
void Reports::extend(Group& group, const Finding& finding) {
    const uint32_t first = finding.address + uint32_t(std::countr_zero(finding.bytes));
    const uint32_t last = finding.address + 31 - uint32_t(std::countl_zero(finding.bytes));
    const uint32_t end_of_line = finding.address + PIXMILL_CACHE_LINE - 1;
    for (Range& range : group.ranges) {
        const bool adjoins =
            finding.address <= range.last + PIXMILL_CACHE_LINE && end_of_line + 1 >= range.first;
        if (range.store_pc != finding.store_pc || !adjoins)
            continue;
        range.first = std::min(range.first, first);
        range.last = std::max(range.last, last);
        return;
    }
    if (group.ranges.size() < most_ranges)
        group.ranges.push_back({first, last, finding.store_pc});
    else
        group.more_ranges = true;
}

/// Keeps the first byte whose two values differ.
void Reports::sample(Group& group, const Finding& finding) {
    if (group.sampled || !finding.cpu)
        return;
    for (uint32_t i = 0; i < PIXMILL_CACHE_LINE; i++) {
        if (!(finding.bytes >> i & 1) || finding.cpu[i] == finding.memory[i])
            continue;
        group.sample = {finding.address + i, finding.cpu[i], finding.memory[i]};
        group.sampled = true;
        return;
    }
}

void Reports::write(std::string& to, const Group& group, const std::vector<std::string>& masters) {
    const Finding& f = group.first;
    append(to, "{\"rule\": \"%s\", \"level\": \"%s\", \"likely\": %s", name_of(f.rule),
           informs(f.rule) ? "info"
           : group.visible ? "visible"
                           : "latent",
           group.likely ? "true" : "false");
    append(to,
           ", \"count\": %" PRIu64 ", \"visible\": %" PRIu64 ", \"pc\": %" PRIu32
           ", \"lr\": %" PRIu32,
           group.count, group.visible, f.pc, f.lr);
    if (f.master != no_master)
        append(to,
               ", \"master\": \"%s\", \"access\": \"%s\", \"job\": %" PRIu32 ", \"draw\": %" PRIu32,
               masters[f.master].c_str(), access_names[f.access], f.job, f.draw);
    if (f.note)
        append(to, ", \"note\": \"%s\"", f.note);
    if (group.sampled)
        append(to, ", \"sample\": {\"address\": %" PRIu32 ", \"cpu\": %u, \"memory\": %u}",
               group.sample.address, group.sample.cpu, group.sample.memory);
    to += ", \"ranges\": [";
    for (const Range& range : group.ranges)
        append(to, "%s{\"first\": %" PRIu32 ", \"last\": %" PRIu32 ", \"pc\": %" PRIu32 "}",
               &range == group.ranges.data() ? "" : ", ", range.first, range.last, range.store_pc);
    append(to, "], \"more_ranges\": %s}", group.more_ranges ? "true" : "false");
}

void Reports::write(std::string& to, const std::vector<std::string>& masters) const {
    to += "[";
    for (const Group& group : groups_) {
        to += &group == groups_.data() ? "\n" : ",\n";
        write(to, group, masters);
    }
    to += "\n]";
}

} // namespace pixmill::cache

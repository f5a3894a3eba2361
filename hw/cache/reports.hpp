// The findings of the checker, grouped by place.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "pixmill/cache_check.h"

namespace pixmill::cache {

enum class Rule : uint8_t {
    gpu_reads_dirty,
    cpu_reads_stale,
    cpu_may_prefetch_stale,
    dirty_under_output,
    stale_line_stored,
    lost_cpu_data,
    shared_line,
    cpu_writes_busy,
    cpu_reads_busy,
    missing_barrier,
    no_effect,
    redundant,
    mixed_attributes,
    disabled_dirty,
    count,
};

/// True if the rule is broken only while the cache holds the line.
constexpr bool needs_line(Rule rule) {
    using enum Rule;
    return rule == gpu_reads_dirty || rule == cpu_reads_stale || rule == dirty_under_output ||
           rule == stale_line_stored || rule == lost_cpu_data || rule == disabled_dirty;
}

/// The name of a rule in reports, such as "gpu-reads-dirty".
const char* name_of(Rule rule);

constexpr uint8_t no_master = 0xFF;

/// A finding about bytes of one line.
struct Finding {
    Rule rule;
    uint32_t pc = 0;       ///< of the access or operation that the report is about
    uint32_t address = 0;  ///< of the line
    uint32_t bytes = 0;    ///< mask of the bytes in question
    bool visible = false;  ///< somebody gets, or memory keeps, wrong values
    bool likely = true;    ///< true also in a cache of the real size
    uint32_t store_pc = 0; ///< of the last store to the bytes, if it is not `pc`
    uint32_t lr = 0;
    uint8_t master = no_master;
    PixmillTransfer access = PIXMILL_TRANSFER_COMMANDS;
    uint32_t job = 0, draw = 0;
    const char* note = nullptr;   ///< of static lifetime
    const uint8_t* cpu = nullptr; ///< the line as the processor sees it, if its bytes differ
    const uint8_t* memory = nullptr;
};

/// All findings of one rule at one place of the program, for one kind of access of one master.
class Reports {
public:
    void add(const Finding& finding);
    /// Appends all groups, as a JSON array.
    void write(std::string& to, const std::vector<std::string>& masters) const;
    /// The number of findings, without remarks, that have found no room.
    size_t dropped() const { return dropped_; }

private:
    static constexpr size_t most_groups = 200; ///< of mistakes, and of remarks
    static constexpr size_t most_ranges = 8;

    struct Range {
        uint32_t first, last; ///< addresses of the first and of the last byte
        uint32_t store_pc;
    };
    struct Sample {
        uint32_t address;
        uint8_t cpu, memory;
    };
    struct Group {
        Finding first; ///< its first finding
        uint64_t count = 0, visible = 0, likely = 0;
        std::vector<Range> ranges{};
        bool more_ranges = false;
        bool sampled = false;
        Sample sample{};
    };

    Group* group_of(const Finding& finding);
    static void extend(Group& group, const Finding& finding);
    static void sample(Group& group, const Finding& finding);
    static void write(std::string& to, const Group& group, const std::vector<std::string>& masters);

    std::vector<Group> groups_;
    size_t last_ = 0;               ///< index of the group used last
    std::array<size_t, 2> count_{}; ///< of groups: mistakes and remarks
    size_t dropped_ = 0;
};

} // namespace pixmill::cache

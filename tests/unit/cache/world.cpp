// SPDX-License-Identifier: GPL-2.0-or-later
#include "world.hpp"

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

namespace pixmill::test {

namespace {

/// Returns the value of a member of a JSON object without nesting, or "".
std::string member(const std::string& text, const std::string& name) {
    std::smatch match;
    const std::regex pattern("\"" + name + "\": \"?([^\",}]*)");
    return std::regex_search(text, match, pattern) ? match[1].str() : "";
}

uint32_t number(const std::string& text, const std::string& name) {
    return uint32_t(std::strtoul(member(text, name).c_str(), nullptr, 10));
}

} // namespace

CacheWorld::CacheWorld(const Options& options) : ram(ram_size + 64), size_(options.size) {
    const PixmillCacheRegion regions[] = {{ram_base, ram_size, ram.data()},
                                          {alias_base, ram_size, ram.data()}};
    PixmillCacheConfig config{};
    config.api_version = PIXMILL_API_VERSION;
    config.size = options.size;
    config.act = options.act;
    config.speculates = options.speculates;
    config.seed = options.seed;
    config.regions = regions;
    config.region_count = options.alias ? 2 : 1;
    config.changed = [](void* user, uint32_t, uint32_t len) {
        static_cast<CacheWorld*>(user)->changed += len;
    };
    config.user = this;
    check = pixmill_cache_check_create(&config);
    gpu = uint32_t(pixmill_cache_check_add_master(check, "gpu"));
    display = uint32_t(pixmill_cache_check_add_master(check, "display"));
    control.mpu_ctrl = 5; // ENABLE, PRIVDEFENA
    control.mpu_regions = PIXMILL_CACHE_MPU_REGIONS;
    set_region(0, ram_base, 29, options.attributes);
    enable(options.begins_enabled);
}

void CacheWorld::set_region(uint32_t region, uint32_t address, uint32_t log_size,
                            uint32_t attributes, uint32_t disabled_subregions) {
    control.rbar[region] = address;
    control.rasr[region] = attributes | disabled_subregions << 8 | (log_size - 1) << 1 | 1;
    apply();
}

void CacheWorld::enable(bool enabled) {
    control.enabled = enabled;
    apply();
}

void CacheWorld::store(uint32_t pc, uint32_t address, uint32_t length, uint8_t value) {
    std::fill_n(host(address), length, value);
    for (uint32_t done = 0; done < length; done += 4)
        pixmill_cache_check_store(check, pc, address + done, std::min(4u, length - done));
}

uint8_t CacheWorld::load(uint32_t pc, uint32_t address, uint32_t length) {
    const uint8_t value = *host(address);
    for (uint32_t done = 0; done < length; done += 4)
        pixmill_cache_check_load(check, pc, address + done, std::min(4u, length - done));
    return value;
}

void CacheWorld::operate(PixmillCacheOperation operation, uint32_t address, uint32_t length) {
    for (uint32_t at = address & ~31u; length && at < address + length; at += 32)
        pixmill_cache_check_operate(check, operation, operate_pc, 0, at);
}

void CacheWorld::sweep(PixmillCacheOperation operation, uint32_t ways) {
    const uint32_t sets = std::max(size_, 4096u) / 32 / 4;
    for (uint32_t set = sets; set--;)
        for (uint32_t way = ways; way--;)
            pixmill_cache_check_operate_way(check, operation, operate_pc, 0, way << 30 | set << 5);
}

uint8_t& CacheWorld::memory(uint32_t address) {
    return *pixmill_cache_check_memory(check, host(address));
}

uint8_t CacheWorld::read(uint32_t address, uint32_t length, PixmillTransfer kind) {
    pixmill_cache_check_access(check, gpu, kind, address, length, job, 1);
    return memory(address);
}

void CacheWorld::write(uint32_t address, uint32_t length, uint8_t value) {
    for (uint32_t i = 0; i < length; i++)
        memory(address + i) = value;
    pixmill_cache_check_access(check, gpu, PIXMILL_TRANSFER_WRITE, address, length, job, 1);
}

void CacheWorld::scan_out(uint32_t address, uint32_t length) {
    pixmill_cache_check_access(check, display, PIXMILL_TRANSFER_SCAN_OUT, address, length, 0, 0);
}

std::string CacheWorld::json() const {
    std::string text;
    pixmill_cache_check_write(
        check,
        [](void* user, const char* text, size_t len) {
            static_cast<std::string*>(user)->append(text, len);
        },
        &text);
    return text;
}

uint32_t CacheWorld::dropped() const {
    return number(json(), "dropped");
}

std::vector<Report> CacheWorld::reports(bool all) const {
    std::vector<Report> found;
    std::istringstream lines(json());
    for (std::string line; std::getline(lines, line);) {
        if (member(line, "level").empty())
            continue;
        const size_t ranges = line.find("\"ranges\"");
        const std::string head = line.substr(0, ranges), tail = line.substr(ranges);
        Report report{.rule = member(head, "rule"),
                      .level = member(head, "level"),
                      .master = member(head, "master"),
                      .access = member(head, "access"),
                      .note = member(head, "note"),
                      .pc = number(head, "pc"),
                      .lr = number(head, "lr"),
                      .store_pc = number(tail, "pc"),
                      .job = number(head, "job"),
                      .first = number(tail, "first"),
                      .last = number(tail, "last"),
                      .count = number(head, "count"),
                      .likely = member(head, "likely") == "true",
                      .ranges = size_t(std::count(tail.begin(), tail.end(), '{'))};
        if (all || (report.rule != "redundant" && report.rule != "missing-barrier"))
            found.push_back(report);
    }
    return found;
}

std::string CacheWorld::rules(bool all) const {
    std::string names;
    for (const Report& report : reports(all))
        names += (names.empty() ? "" : " ") + report.rule;
    return names;
}

Report CacheWorld::only() const {
    const std::vector<Report> found = reports();
    EXPECT_EQ(found.size(), 1u) << rules();
    return found.empty() ? Report() : found[0];
}

} // namespace pixmill::test

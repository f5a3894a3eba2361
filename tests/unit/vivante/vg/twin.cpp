// Plays random jobs on two devices and compares the results.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "random_job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "../../../random_setting.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t kIdle = 0x004, kStatus = 0x010, kAddress = 0x500, kSize = 0x504;

std::string names_of_features(const VgJob& job) {
    std::string names;
    for (const VgFeature& feature : vg_features())
        if (feature.is_in(job))
            names += std::string(" ") + feature.name;
    return names;
}

} // namespace

VgOutcome play(const VgJob& job, const VgDeviceMaker& make) {
    const std::unique_ptr<VgDevice> device = make(job.chip, vg_job_base, vg_job_bytes);
    const VgProgram program = program_of(job);
    for (const auto* chunks : {&job.memory, &program.memory})
        for (const VgChunk& chunk : *chunks)
            device->put(chunk.address, chunk.bytes);
    device->write(kAddress, program.address);
    device->write(kSize, program.qwords);
    VgOutcome outcome;
    outcome.idle = device->read(kIdle);
    outcome.status = device->read(kStatus);
    outcome.memory = device->get(vg_job_base, vg_job_bytes);
    return outcome;
}

std::string difference(const VgJob& job, const VgOutcome& expected, const VgOutcome& is) {
    std::ostringstream text;
    text << std::hex << std::uppercase;
    const auto compare = [&](const char* name, uint32_t wanted, uint32_t seen) {
        if (wanted != seen)
            text << name << " is " << seen << " instead of " << wanted << '\n';
    };
    compare("004", expected.idle, is.idle);
    compare("010", expected.status, is.status);
    size_t wrong = 0, first = 0;
    for (size_t i = 0; i < expected.memory.size(); i++)
        if (i >= is.memory.size() || is.memory[i] != expected.memory[i])
            first = wrong++ ? first : i;
    if (wrong) {
        const uint32_t at = static_cast<uint32_t>(first);
        text << std::dec << wrong << " bytes are wrong, the first one at " << std::hex
             << vg_job_base + at;
        const uint32_t target = job.draws[0].states.at(0xA12) & 0x3FFFF;
        if (target && at < 0x20000)
            text << std::dec << " (by the first target's stride row " << at / target << ", byte "
                 << at % target << ")" << std::hex;
        text << ": " << (at < is.memory.size() ? is.memory[at] : 0) << " instead of "
             << int{expected.memory[at]} << '\n';
    }
    return text.str();
}

uint64_t compare_vg_devices(uint64_t jobs, const VgDeviceMaker& expected,
                            const VgDeviceMaker& device) {
    RandomCases cases(jobs);
    uint64_t differ = 0;
    for (const auto [seed, number] : cases) {
        const VgJob job = random_vg_job(seed * 1'000'003 + number);
        const std::string seen = difference(job, play(job, expected), play(job, device));
        if (seen.empty())
            continue;
        ADD_FAILURE() << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number << ": " << job.chip
                      << names_of_features(job) << '\n'
                      << seen;
        if (++differ == setting("PIXMILL_MOST", 10))
            break;
    }
    return differ;
}

} // namespace pixmill::test

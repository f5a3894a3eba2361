// Random work for a VG core: streams of draws, most of them meaningful, to compare two
// devices. Independent of any device.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "vg_device.hpp"

#include <array>
#include <map>

namespace pixmill::test {

/// A path segment: its opcode, and the operands of MOVE to CUBIC.
struct VgSegment {
    uint8_t opcode = 0;
    std::array<double, 6> operands{};
};

struct VgDraw {
    std::map<uint32_t, uint32_t> states; ///< every state that the draw depends on
    std::map<uint32_t, uint32_t> tame;   ///< original values of states that became wild
    std::vector<VgSegment> path;
    std::vector<uint32_t> rectangles; ///< two words each
    bool is_called = false;           ///< the path is outside of the stream
    uint32_t full_size = 0;           ///< TARGET_CLIP without a scissor
    uint32_t usual_target = 0;        ///< TARGET_ADDRESS with memory
};

struct VgChunk {
    uint32_t address = 0;
    std::vector<uint8_t> bytes;

    bool operator==(const VgChunk&) const = default;
};

/// The way a stream ends.
enum class VgEnding { end, illegal, cut_off, lonely_return };

struct VgJob {
    uint64_t seed = 0;
    std::string chip;
    std::vector<VgChunk> memory; ///< everything else is 0
    std::vector<VgDraw> draws;
    VgEnding ending = VgEnding::end;
    bool has_event = false;
    bool is_fetched = false;  ///< the second half of the stream is elsewhere
    bool has_padding = false; ///< commands and bits without effect
    bool has_bursts = false;  ///< STATE commands with several values
};

constexpr uint32_t vg_job_base = 0x80000000, vg_job_bytes = 1 << 20;

/// Deterministic for a seed, on every host.
VgJob random_vg_job(uint64_t seed);

/// The memory contents of a job, and the address of its stream.
struct VgProgram {
    std::vector<VgChunk> memory;
    uint32_t address = 0, qwords = 0;
};
VgProgram program_of(const VgJob& job);

/* ---- Features of jobs; each is counted ------------------------------------------------------ */

struct VgFeature {
    const char* name;
    bool (*is_in)(const VgJob& job);
    /// Null: drawing does not depend on it.
    void (*remove)(VgJob& job);
};
const std::vector<VgFeature>& vg_features();

/* ---- Playing -------------------------------------------------------------------------------- */

/// The result of a job on a device.
struct VgOutcome {
    std::vector<uint8_t> memory;
    uint32_t status = 0; ///< register 010
    uint32_t idle = 0;   ///< register 004

    bool operator==(const VgOutcome&) const = default;
};
VgOutcome play(const VgJob& job, const VgDeviceMaker& make);

/// Describes the difference, or returns an empty string.
std::string difference(const VgJob& job, const VgOutcome& expected, const VgOutcome& is);

/// Compares two devices on random jobs (tests/random_setting.hpp). Fails the running test for each
/// job with different results and names it. Returns the number of such jobs.
uint64_t compare_vg_devices(uint64_t jobs, const VgDeviceMaker& expected,
                            const VgDeviceMaker& device);

} // namespace pixmill::test

// Random jobs to compare two VG devices: streams of draws, most of them meaningful.
// Independent of any device.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "vg_device.hpp"

#include <array>
#include <map>

namespace pixmill::test {

/// A path segment. Only the opcodes from MOVE to CUBIC have operands.
struct VgSegment {
    uint8_t opcode = 0;
    std::array<double, 6> operands{};
};

struct VgDraw {
    std::map<uint32_t, uint32_t> states; ///< every state that the draw depends on
    std::map<uint32_t, uint32_t> tame;   ///< original values of states replaced by extreme values
    std::vector<VgSegment> path;
    std::vector<uint32_t> rectangles; ///< two words per rectangle
    bool is_called = false;           ///< the path is in a called stream
    uint32_t full_size = 0;           ///< TARGET_CLIP without a scissor
    uint32_t usual_target = 0;        ///< a TARGET_ADDRESS that has memory
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
    std::vector<VgChunk> memory; ///< all other memory is 0
    std::vector<VgDraw> draws;
    VgEnding ending = VgEnding::end;
    bool has_event = false;
    bool is_fetched = false;  ///< a FETCH jumps to the second half of the stream
    bool has_padding = false; ///< commands and bits without effect
    bool has_bursts = false;  ///< STATE commands with several values
};

constexpr uint32_t vg_job_base = 0x80000000, vg_job_bytes = 1 << 20;

/// Returns the same job for the same seed on every host.
VgJob random_vg_job(uint64_t seed);

/// The memory contents of a job, and the address of its stream.
struct VgProgram {
    std::vector<VgChunk> memory;
    uint32_t address = 0, qwords = 0;
};
VgProgram program_of(const VgJob& job);

/* ---- Features of jobs ------------------------------------------------------------------------ */

struct VgFeature {
    const char* name;
    bool (*is_in)(const VgJob& job);
    /// Removes the feature. Null if drawing does not depend on it.
    void (*remove)(VgJob& job);
};
const std::vector<VgFeature>& vg_features();

/* ---- Playing -------------------------------------------------------------------------------- */

/// The result of a job on a device.
struct VgOutcome {
    std::vector<uint8_t> memory;
    uint32_t status = 0; ///< register 0x010
    uint32_t idle = 0;   ///< register 0x004

    bool operator==(const VgOutcome&) const = default;
};
VgOutcome play(const VgJob& job, const VgDeviceMaker& make);

/// Returns a description of the differences, or an empty string.
std::string difference(const VgJob& job, const VgOutcome& expected, const VgOutcome& is);

/// Compares two devices on random jobs (tests/random_setting.hpp). For each job with different
/// results, fails the running test and names the job. Returns the number of such jobs.
uint64_t compare_vg_devices(uint64_t jobs, const VgDeviceMaker& expected,
                            const VgDeviceMaker& device);

} // namespace pixmill::test

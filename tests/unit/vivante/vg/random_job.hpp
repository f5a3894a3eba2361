// Random work for a VG core: streams of draws that mean something, and some that do not, for a
// device to be held against another one. Nothing here is a device's.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "vg_device.hpp"

#include <array>
#include <map>

namespace pixmill::test {

/// A segment of a path: its opcode and, of MOVE to CUBIC, its operands.
struct VgSegment {
    uint8_t opcode = 0;
    std::array<double, 6> operands{};
};

struct VgDraw {
    std::map<uint32_t, uint32_t> states; ///< all that it depends on
    std::map<uint32_t, uint32_t> tame;   ///< what those had before they were made wild
    std::vector<VgSegment> path;
    std::vector<uint32_t> rectangles; ///< two words each
    bool is_called = false;           ///< the path stands outside of the stream
    uint32_t full_size = 0;           ///< what TARGET_CLIP has without a scissor
    uint32_t usual_target = 0;        ///< what TARGET_ADDRESS is if memory is there
};

struct VgChunk {
    uint32_t address = 0;
    std::vector<uint8_t> bytes;

    bool operator==(const VgChunk&) const = default;
};

/// How a stream ends.
enum class VgEnding { end, illegal, cut_off, lonely_return };

struct VgJob {
    uint64_t seed = 0;
    std::string chip;
    std::vector<VgChunk> memory; ///< all else is 0
    std::vector<VgDraw> draws;
    VgEnding ending = VgEnding::end;
    bool has_event = false;
    bool is_fetched = false;  ///< the second half of the stream stands elsewhere
    bool has_padding = false; ///< commands and bits that say nothing
    bool has_bursts = false;  ///< STATE commands of several values
};

constexpr uint32_t vg_job_base = 0x80000000, vg_job_bytes = 1 << 20;

/// The same for the same seed, on every host.
VgJob random_vg_job(uint64_t seed);

/// What has to be put into memory, and where the stream begins.
struct VgProgram {
    std::vector<VgChunk> memory;
    uint32_t address = 0, qwords = 0;
};
VgProgram program_of(const VgJob& job);

/* ---- Features: what jobs have; each is counted ---------------------------------------------- */

struct VgFeature {
    const char* name;
    bool (*is_in)(const VgJob& job);
    /// Null: what is drawn does not depend on it.
    void (*remove)(VgJob& job);
};
const std::vector<VgFeature>& vg_features();

/* ---- Playing -------------------------------------------------------------------------------- */

/// What a device leaves.
struct VgOutcome {
    std::vector<uint8_t> memory;
    uint32_t status = 0; ///< register 010
    uint32_t idle = 0;   ///< register 004

    bool operator==(const VgOutcome&) const = default;
};
VgOutcome play(const VgJob& job, const VgDeviceMaker& make);

/// In words; empty if there is none.
std::string difference(const VgJob& job, const VgOutcome& expected, const VgOutcome& is);

/// Jobs of which two devices leave the same, by tests/random_setting.hpp. Fails the running test
/// where they do not, and names the job. The number of those that differ.
uint64_t compare_vg_devices(uint64_t jobs, const VgDeviceMaker& expected,
                            const VgDeviceMaker& device);

} // namespace pixmill::test

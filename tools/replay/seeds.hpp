// Inputs for the cores' fuzzers, made of captures: what a core was asked for from one rest to the
// next, and the state and the memory that it found.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>

namespace pixmill::tools::seeds {

/// The first byte of an input: Frame::kCaptured of tests/fuzz/frame.hpp. Of a Vivante core the
/// number of its model follows, then steps: each its byte, and what Frame::Captured reads.
inline constexpr uint8_t captured = 0xFF;
enum Step : uint8_t { place, words, fill, state, load, write, read, work, clock, reset, call };

inline constexpr size_t most_bytes = 4096; ///< of an input, as of all that libFuzzer makes up
inline constexpr size_t most_seeds = 64;   ///< of a capture
inline constexpr uint32_t slots = 256;     ///< pages of memory in an input

/// Replays `capture`. Only what has something that no seed before it had, by what the core says in
/// its trace, becomes a seed. Returns the name of the core's class. Throws BadCapture; one that is
/// cut off is used up to there.
using Keep = std::function<void(const std::string& seed)>;
std::string make(std::istream& capture, const Keep& keep);

} // namespace pixmill::tools::seeds

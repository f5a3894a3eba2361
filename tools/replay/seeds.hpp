// Derives inputs for the cores' fuzzers from captures: the accesses between two idle points of a
// core, and its state and memory at the first one.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <istream>
#include <string>

namespace pixmill::tools::seeds {

/// First byte of an input: Frame::kCaptured of tests/fuzz/frame.hpp. For a Vivante core, the
/// model's index follows. Each step after that is a byte and the arguments that Frame::Captured
/// reads.
inline constexpr uint8_t captured = 0xFF;
enum Step : uint8_t { place, words, fill, state, load, write, read, work, clock, reset, call };

inline constexpr size_t most_bytes = 4096; ///< per input; libFuzzer's default limit
inline constexpr size_t most_seeds = 64;   ///< maximum number per capture
inline constexpr uint32_t slots = 256;     ///< pages of memory per input

/// Replays `capture` and keeps seeds: inputs that cause something in the core's trace that no
/// earlier seed caused. Returns the name of the core's class. Throws BadCapture. If the capture is
/// cut off, uses the part that exists.
using Keep = std::function<void(const std::string& seed)>;
std::string make(std::istream& capture, const Keep& keep);

} // namespace pixmill::tools::seeds

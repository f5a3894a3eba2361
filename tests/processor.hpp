// The processor that test programs and fuzzers draw on.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::processor {

/// While one lives, and was made with true, new cores find a processor without AVX2.
class Portable {
public:
    explicit Portable(bool portable = true);
    ~Portable();
    Portable(const Portable&) = delete;
    Portable& operator=(const Portable&) = delete;

private:
    const bool before_;
};

} // namespace pixmill::processor

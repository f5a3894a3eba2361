// Lets test programs and fuzzers run as if the processor had no AVX2.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace pixmill::processor {

/// During the lifetime of a Portable(true), new cores do not use AVX2.
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

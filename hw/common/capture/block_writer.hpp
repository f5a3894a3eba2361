// Splits the byte stream of a capture file into separately compressed blocks.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>

#include "format.hpp"
#include "pixmill/capture.h"

namespace pixmill::capture {

class BlockWriter {
public:
    explicit BlockWriter(const PixmillSink& sink) : sink_(sink) {}

    /// Writes the file header.
    void begin();
    void write(std::span<const std::byte> bytes);
    /// Compresses and writes the buffered bytes as a block.
    void flush();

    bool failed() const { return failed_; }

private:
    void emit(const void* bytes, size_t length);

    PixmillSink sink_;
    Bytes raw_, packed_;
    bool failed_ = false;
};

} // namespace pixmill::capture

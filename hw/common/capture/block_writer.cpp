// SPDX-License-Identifier: GPL-2.0-or-later
#include "block_writer.hpp"

#include <zlib.h>

#include <algorithm>

namespace pixmill::capture {

void BlockWriter::emit(const void* bytes, size_t length) {
    failed_ = failed_ || !sink_.write(sink_.user, bytes, length);
}

void BlockWriter::begin() {
    raw_.reserve(block_bytes);
    packed_.resize(block_header + compressBound(block_bytes));
    emit(magic.data(), magic.size());
    emit(&version, sizeof version);
}

void BlockWriter::write(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const size_t count = std::min(bytes.size(), block_bytes - raw_.size());
        raw_.insert(raw_.end(), bytes.begin(), bytes.begin() + ptrdiff_t(count));
        bytes = bytes.subspan(count);
        if (raw_.size() == block_bytes)
            flush();
    }
}

void BlockWriter::flush() {
    if (raw_.empty())
        return;
    uLongf length = packed_.size() - block_header;
    const int result =
        compress2(reinterpret_cast<Bytef*>(packed_.data() + block_header), &length,
                  reinterpret_cast<const Bytef*>(raw_.data()), uLong(raw_.size()), Z_BEST_SPEED);
    failed_ |= result != Z_OK;
    const uint32_t header[] = {uint32_t(raw_.size()), uint32_t(length)};
    std::memcpy(packed_.data(), header, sizeof header);
    emit(packed_.data(), block_header + length);
    raw_.clear();
}

} // namespace pixmill::capture

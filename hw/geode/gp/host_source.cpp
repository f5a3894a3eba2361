// SPDX-License-Identifier: GPL-2.0-or-later
#include "host_source.hpp"

#include <algorithm>
#include <cstring>

namespace pixmill::geode {

void HostSource::put(Port port, std::span<const uint32_t> words) {
    std::memcpy(s_.queue[uint32_t(port)] + count(port), words.data(), words.size_bytes());
    count(port) += uint32_t(words.size());
}

const std::byte* HostSource::bytes(Port port, uint32_t byte) const {
    const auto* first = reinterpret_cast<const std::byte*>(s_.queue[uint32_t(port)]);
    return first + (byte - 4 * taken(port));
}

void HostSource::take(Port port, uint32_t number) {
    if (number <= taken(port))
        return;
    const uint32_t words = std::min(number - taken(port), count(port));
    uint32_t* const queue = s_.queue[uint32_t(port)];
    std::copy(queue + words, queue + count(port), queue);
    count(port) -= words;
    taken(port) += words;
    std::fill_n(queue + count(port), words, 0);
}

void HostSource::clear() {
    for (const Port port : {Port::hst_src, Port::ch3_hsrc}) {
        std::fill_n(s_.queue[uint32_t(port)], count(port), 0);
        count(port) = taken(port) = 0;
    }
}

bool HostSource::is_valid() const {
    return std::ranges::all_of(s_.queue_count,
                               [](uint32_t n) { return n <= PIXMILL_GEODE_GP_QUEUE_WORDS; });
}

} // namespace pixmill::geode

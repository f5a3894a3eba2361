// BIF: the bus interface, with the MMU, of a core or of the master bank.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/memory/bus.hpp"
#include "pixmill/sgx.h"
#include "wrapper.hpp"

namespace pixmill::sgx {

const char* requester_name(size_t requester);
/// True if the requester uses the BIF of the master bank.
bool of_master(PixmillSgxRequester requester);

class Bif {
public:
    /// `words` are the registers of the bank. `port` is the master port that the accesses use.
    Bif(Host& host, PixmillSgxCounters& counters, Wrapper& wrapper, std::span<uint32_t> words,
        unsigned port)
        : host_(host), counters_(counters), wrapper_(wrapper), words_(words), port_(port) {}

    [[nodiscard]] PixmillSgxWalk walk(PixmillSgxRequester requester, uint32_t va, bool write,
                                      uint64_t& physical);
    /// Returns the page directory of `requester`, or nothing if the bank registers select a
    /// directory list that does not exist.
    std::optional<uint32_t> directory(PixmillSgxRequester requester) const;
    bool bypassed(PixmillSgxRequester requester) const;

    /// Called after a write to BIF_CTRL.
    void control_written();
    void clear_fault();
    /// Reports that an access by this BIF hit no memory.
    void bus_error(const char* client, uint64_t address, bool write);

private:
    enum class FaultType : uint32_t { none, page = 1, read = 2, write = 4 };
    struct Page;

    [[nodiscard]] Page find_page(Bus& bus, PixmillSgxRequester requester, uint32_t va, bool write);
    void latch(PixmillSgxRequester requester, uint32_t va, FaultType type);

    Host& host_;
    PixmillSgxCounters& counters_;
    Wrapper& wrapper_;
    std::span<uint32_t> words_;
    unsigned port_;
};

} // namespace pixmill::sgx

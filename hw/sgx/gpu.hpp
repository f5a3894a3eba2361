// The SGX544-MP2: its blocks, its register window and its interrupt output.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>

#include "core_bank.hpp"
#include "log.hpp"
#include "master_bank.hpp"
#include "pixmill/sgx.h"
#include "wrapper.hpp"

namespace pixmill::sgx {

class Gpu {
public:
    Gpu(const PixmillSgxConfig& config_, const PixmillHost& host_);
    Gpu(const Gpu&) = delete;
    Gpu& operator=(const Gpu&) = delete;

    const PixmillSgxConfig config;
    void* const user; ///< argument of PixmillSgxConfig.kick
    Host host;
    PixmillSgxState s{};
    PixmillSgxCounters counters{};
    bool lose_event = false; ///< fault injection: drop the next event
    bool lose_kick = false;  ///< fault injection: ignore the next kick

    Wrapper wrapper;
    std::array<CoreBank, PIXMILL_SGX_CORES> cores;
    MasterBank master;

    void power_on();

    PixmillResult read(uint32_t offset, uint32_t size, uint32_t& value);
    PixmillResult write(uint32_t offset, uint32_t size, uint32_t value);
    uint32_t peek(uint32_t offset) const;
    int64_t run();
    [[nodiscard]] PixmillSgxWalk walk(uint32_t core, PixmillSgxRequester requester, uint32_t va,
                                      bool write, uint64_t& physical);

    /// Updates the interrupt output from the registers.
    void settle();

    /// Loads an untrusted state. Returns false if the state has a different core ID or revision.
    [[nodiscard]] bool load(const PixmillSgxState& in);

private:
    uint32_t read_window(uint32_t offset) const;
    void write_window(uint32_t offset, uint32_t value);
    const char* name_of(uint32_t offset) const;
    PixmillResult refuse(uint32_t offset, uint32_t size, const char* access);
    void clear();
};

} // namespace pixmill::sgx

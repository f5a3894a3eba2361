// Registers of the master bank ("hydra") at 0x4000, which serves all cores.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "bif.hpp"
#include "events.hpp"
#include "pixmill/sgx.h"
#include "register.hpp"

namespace pixmill::sgx {

class Gpu;

class MasterBank {
public:
    MasterBank(Gpu& gpu, std::span<uint32_t> words);

    static std::span<const Register<MasterBank>> registers();
    /// Returns nullptr if the word at `offset` is undocumented. Undocumented words are stored.
    static const Register<MasterBank>* find(uint32_t offset);

    uint32_t read(uint32_t offset) const;
    void write(uint32_t offset, uint32_t value, uint32_t place);
    /// Handles a write to bank 0 of a register that the cores and the master bank both have.
    /// Ignores bits that the master bank lacks.
    void take(uint32_t offset, uint32_t value);

    void reset();
    void load(std::span<const uint32_t> in);
    /// True if MASTER_SOFT_RESET holds `unit` in reset.
    bool held(const Field& unit) const;

    std::span<uint32_t> words() const { return words_; }

private:
    struct Table;
    static uint32_t read_core_id(const MasterBank& master, uint32_t offset);
    static void write_clkgatectl(MasterBank& master, uint32_t offset, uint32_t before,
                                 uint32_t after);
    static void write_soft_reset(MasterBank& master, uint32_t offset, uint32_t before,
                                 uint32_t after);
    static void write_bif_ctrl(MasterBank& master, uint32_t offset, uint32_t before,
                               uint32_t after);
    static void write_host_clear(MasterBank& master, uint32_t offset, uint32_t before,
                                 uint32_t after);
    static void write_start(MasterBank& master, uint32_t offset, uint32_t before, uint32_t after);
    static void write_ptla_command(MasterBank& master, uint32_t offset, uint32_t before,
                                   uint32_t after);
    static void write_slc_request(MasterBank& master, uint32_t offset, uint32_t before,
                                  uint32_t after);
    static void write_slc_clear(MasterBank& master, uint32_t offset, uint32_t before,
                                uint32_t after);
    static uint32_t read_slc_status2(const MasterBank& master, uint32_t offset);

    Gpu& gpu_;
    std::span<uint32_t> words_;

public:
    Events events;
    Bif bif;
};

} // namespace pixmill::sgx

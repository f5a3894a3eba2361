// Registers of the master bank ("hydra") at 0x4000, which the cores share.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "bif.hpp"
#include "pixmill/sgx.h"
#include "register.hpp"

namespace pixmill::sgx {

class Gpu;

class MasterBank {
public:
    MasterBank(Gpu& gpu, std::span<uint32_t> words);

    static std::span<const Register<MasterBank>> registers();
    /// Returns nullptr if the word at `offset` is undocumented. Such words are just stored.
    static const Register<MasterBank>* find(uint32_t offset);

    uint32_t read(uint32_t offset) const;
    void write(uint32_t offset, uint32_t value, uint32_t place);

    void reset();
    void load(std::span<const uint32_t> in);
    /// True if MASTER_SOFT_RESET holds `unit` in reset.
    bool held(const Field& unit) const;

    std::span<uint32_t> words() const { return words_; }

private:
    struct Table;
    static uint32_t read_identity(const MasterBank& master, uint32_t offset);
    static void write_soft_reset(MasterBank& master, uint32_t offset, uint32_t before,
                                 uint32_t after);
    static void write_bif_ctrl(MasterBank& master, uint32_t offset, uint32_t before,
                               uint32_t after);
    static void write_bif_inval(MasterBank& master, uint32_t offset, uint32_t before,
                                uint32_t after);

    Gpu& gpu_;
    std::span<uint32_t> words_;

public:
    Bif bif; ///< uses core 0's page directories: the master bank has no directory lists
};

} // namespace pixmill::sgx

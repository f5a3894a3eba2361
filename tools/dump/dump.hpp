// Reads the dump that the kernel's etnaviv driver keeps of a hung job (linux etnaviv_dump.h). Linux
// 6.1, 6.12 and 7.2 write the same format. Dumps are not trusted: everything is validated before
// use.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace pixmill::vivante {
struct Chip;
}

namespace pixmill::tools {

/// The file is not a dump of etnaviv.
struct BadDump : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// An object of a dump.
struct DumpObject {
    enum class Kind : uint32_t { registers, mmu, ring, command, pages, buffer, end };

    Kind kind;
    uint64_t address = 0;             ///< as the core sees it
    uint64_t size = 0;                ///< as the dump says
    std::span<const std::byte> bytes; ///< less than `size` if the file is truncated
    uint32_t first_page = 0;          ///< of a buffer: its index in the list of pages

    uint64_t end() const { return address + size; }
    bool has(uint64_t at) const { return at >= address && at - address < size; }
    uint64_t words() const { return bytes.size() / 4; }
    uint32_t word(uint64_t index) const;
};

/// Result of a walk of the page tables.
struct Walk {
    enum class Kind : uint8_t { mapped, linear, no_table, no_page, unknown } kind = Kind::unknown;
    uint64_t physical = 0; ///< if mapped or linear
    bool writable = true;
    uint32_t master = 0, slave = 0; ///< the entries that were read; MMU v1 has only `slave`

    bool translates() const { return kind == Kind::mapped || kind == Kind::linear; }
    bool faults() const { return kind == Kind::no_table || kind == Kind::no_page; }
};

class Dump {
public:
    static constexpr uint32_t page = 4096;
    static constexpr uint32_t table_words = 1024; ///< of a table of MMU v2

    /// Throws BadDump if `file` does not begin with an object.
    explicit Dump(std::vector<std::byte> file);
    /// Also throws std::runtime_error if the file cannot be read.
    static Dump of_file(const std::string& name);
    Dump(const Dump&) = delete;
    Dump& operator=(const Dump&) = delete;

    std::span<const DumpObject> objects() const { return objects_; }
    /// Returns the first object of a kind, or null. The kernel writes one of each kind except
    /// buffers.
    const DumpObject* find(DumpObject::Kind kind) const;
    /// Returns the ring, command or other buffer that contains an address, or null.
    const DumpObject* buffer_at(uint64_t address) const;
    /// Returns the buffer whose end is nearest below an address, or null.
    const DumpObject* buffer_below(uint64_t address) const;
    /// Parts that are missing or wrong in the file; empty for a complete dump.
    const std::vector<std::string>& problems() const { return problems_; }

    struct Register {
        uint32_t offset, value;
    };
    std::span<const Register> registers() const { return registers_; }
    std::optional<uint32_t> reg(uint32_t offset) const;

    /// The core that the identity registers name, or null if no model is like it.
    const vivante::Chip* chip() const { return chip_; }
    bool mmu_v2() const { return mmu_v2_; }

    Walk walk(uint32_t address) const;
    /// Returns entry `index` of the list of pages: a physical address.
    std::optional<uint64_t> page_address(uint64_t index) const;

private:
    void read_objects();
    void read_registers();
    void read_tables();
    Walk walk_v1(uint32_t address) const;
    Walk walk_v2(uint32_t address) const;

    std::vector<std::byte> file_;
    std::vector<DumpObject> objects_;
    std::vector<Register> registers_;
    std::vector<std::string> problems_;
    const vivante::Chip* chip_ = nullptr;
    const DumpObject* tables_ = nullptr;
    const DumpObject* pages_ = nullptr;
    std::optional<uint32_t> window_; ///< MMU v1: physical base of the linear window
    bool mmu_v2_ = false;
    uint32_t bad_page_ = 0; ///< MMU v1: entry of pages without memory, which all share one
    /// MMU v2: positions of the second-level tables in the object, in units of tables; 0: none.
    std::array<uint32_t, table_words> slaves_{};
};

const char* name_of(DumpObject::Kind kind);

/// Returns `DumpObject::Kind` in words, with the address: "the ring at 0x00001000".
std::string label(const DumpObject& object);

} // namespace pixmill::tools

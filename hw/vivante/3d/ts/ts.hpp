// TS: which tiles of a surface are cleared although memory does not show it yet.
//
// Two bits (four on cores before the GC880) tell of 64 bytes of a surface, wherever they lie in it:
// bits are found by the distance from the surface's base, in all layouts and both pipes' halves.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vivante/3d/guest_bytes.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// The tile status of one surface, as the states tell of it.
struct TsSurface {
    bool enabled = false; ///< else the addresses may be anything
    uint8_t tile_bits = 2;
    uint32_t status = 0, surface = 0; ///< addresses
    std::array<uint32_t, 2> clear =
        {}; ///< words of a cleared tile: even, odd where pixels have 64 bits
};

struct TsSetup {
    TsSurface color, depth;

    /// `tile_bits`: 2 where the core has 2BITPERTILE, else 4.
    static TsSetup decode(States states, unsigned tile_bits = 2);
};

/// Looks up and changes states for one drawing call.
class TileStatus {
public:
    static constexpr uint32_t unit = 64; ///< bytes of a surface that have a state

    /// `bytes`: of a sample of the surface.
    TileStatus(Memory& memory, const TsSurface& setup, uint32_t bytes);

    bool enabled() const { return setup_.enabled; }
    /// What of the surface is about to be looked up, see GuestBytes.
    void open(unsigned pipe, const GuestBytes::Rows& rows);
    /// Whether the unit around `address` is cleared.
    bool cleared(unsigned pipe, uint32_t address) {
        const Place bits = place(address);
        const auto byte = uint32_t(*reads_.at(pipe, bits.address, 1));
        const uint32_t state = byte >> bits.shift & mask();
        met_compressed_ |= state > 1;
        return state == 1;
    }
    /// From now on memory holds the unit around `address`.
    void set_drawn(unsigned pipe, uint32_t address);

    /// How far behind its unit's first byte `address` lies.
    uint32_t into_unit(uint32_t address) const { return (address - setup_.surface) % unit; }
    /// Of the states of what is open, see GuestBytes.
    GuestBytes::Opened opened(unsigned pipe) const { return reads_.opened(pipe); }

    /// `length` bytes, at most GuestBytes::most, from `address` on as cleared units have them.
    const std::byte* clear_bytes(uint32_t address) const {
        return clear_.data() + into_unit(address) % 8;
    }

    bool faulted() const { return reads_.faulted() || writes_.faulted(); }
    /// Whether a unit was in a state that this model never makes. It was taken for drawn.
    bool met_compressed() const { return met_compressed_; }

private:
    struct Place {
        uint32_t address; ///< of the byte
        uint8_t shift;
    };
    Place place(uint32_t address) const {
        const uint32_t bit = (address - setup_.surface) / unit * setup_.tile_bits;
        return {setup_.status + bit / 8, uint8_t(bit % 8)};
    }
    uint8_t mask() const { return uint8_t((1u << setup_.tile_bits) - 1); }

    const TsSurface setup_;
    bool met_compressed_ = false;
    GuestBytes reads_, writes_;
    std::array<std::byte, GuestBytes::most + 8> clear_;
};

/// Reads a surface through its tile status.
class SurfaceReader {
public:
    SurfaceReader(Memory& memory, const TsSurface& status, uint32_t bytes)
        : status_(memory, status, bytes), bytes_(memory, Access::read) {}

    void open(unsigned pipe, const GuestBytes::Rows& rows) {
        bytes_.open(pipe, rows);
        status_.open(pipe, rows);
    }
    /// See GuestBytes. What is open can be read there if there is no tile status.
    GuestBytes::Opened opened(unsigned pipe) const { return bytes_.opened(pipe); }
    bool has_status() const { return status_.enabled(); }
    /// Whether each tile of a row is in one unit of the status, if there is one.
    template<class Row>
    bool in_units(const Row& row) const {
        return !has_status() || (TileStatus::unit % row.tile_bytes == 0 &&
                                 status_.into_unit(row.address[0]) % row.tile_bytes == 0 &&
                                 status_.into_unit(row.address[1]) % row.tile_bytes == 0);
    }
    TileStatus& status() { return status_; }
    const TileStatus& status() const { return status_; }
    /// See GuestBytes::at(). Nothing of this may be changed.
    [[nodiscard]] const std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        if (!status_.enabled())
            return bytes_.at(pipe, address, length);
        if (length + status_.into_unit(address) > TileStatus::unit)
            return units(pipe, address, length);
        return status_.cleared(pipe, address) ? status_.clear_bytes(address)
                                              : bytes_.at(pipe, address, length);
    }
    /// See GuestBytes::in_place(). Null also if the bytes are in several units.
    [[nodiscard]] const std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        if (!status_.enabled())
            return bytes_.in_place(pipe, address, length);
        if (length + status_.into_unit(address) > TileStatus::unit)
            return nullptr;
        return status_.cleared(pipe, address) ? status_.clear_bytes(address)
                                              : bytes_.in_place(pipe, address, length);
    }
    bool faulted() const { return status_.faulted() || bytes_.faulted(); }
    bool met_compressed() const { return status_.met_compressed(); }

private:
    const std::byte* units(unsigned pipe, uint32_t address, uint32_t length);

    TileStatus status_;
    GuestBytes bytes_;
    std::array<std::byte, GuestBytes::most> copy_;
};

/// Writes a surface, and its tile status: what is written is drawn, and what else is in its units
/// is memory's again.
class SurfaceWriter {
public:
    SurfaceWriter(Memory& memory, const TsSurface& status, uint32_t bytes)
        : status_(memory, status, bytes), bytes_(memory, Access::write) {}

    void open(unsigned pipe, const GuestBytes::Rows& rows) {
        bytes_.open(pipe, rows);
        status_.open(pipe, rows);
    }
    GuestBytes::Opened opened(unsigned pipe) const { return bytes_.opened(pipe); }
    /// Whether nothing but the bytes is to be written.
    template<class Row>
    bool in_units(const Row&) const {
        return !status_.enabled();
    }
    /// See GuestBytes::in_place(). With tile status, bytes that are not changed are lost.
    [[nodiscard]] std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        if (status_.enabled())
            settle(pipe, address, length);
        return bytes_.in_place(pipe, address, length);
    }
    /// See GuestBytes::at(). As in_place().
    [[nodiscard]] std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        if (status_.enabled())
            settle(pipe, address, length);
        return bytes_.at(pipe, address, length);
    }
    void mark_dirty(unsigned pipe, uint32_t address, uint64_t length) {
        bytes_.mark_dirty(pipe, address, length);
    }
    /// The same of rows that are open.
    void mark_dirty(unsigned pipe, const GuestBytes::Rows& rows) {
        bytes_.mark_dirty(pipe, rows.address, uint64_t(rows.count - 1) * rows.stride + rows.length);
    }
    bool faulted() const { return status_.faulted() || bytes_.faulted(); }
    bool met_compressed() const { return status_.met_compressed(); }

private:
    void settle(unsigned pipe, uint32_t address, uint32_t length);

    TileStatus status_;
    GuestBytes bytes_;
};

} // namespace pixmill::vivante

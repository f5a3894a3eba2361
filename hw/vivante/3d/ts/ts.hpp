// TS: tile status, which marks tiles as cleared before memory holds the clear value.
//
// Two or four bits describe 64, 128 or 256 bytes of a surface, a unit. Their index depends only on
// the distance from the surface's base, in all layouts and in both pipes' halves.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "vivante/3d/features.hpp"
#include "vivante/3d/guest_bytes.hpp"
#include "vivante/3d/render_tile.hpp"
#include "vivante/3d/states.hpp"

namespace pixmill::vivante {

/// The decoded tile status of one surface.
struct TsSurface {
    bool enabled = false; ///< if false, the addresses are undefined
    uint8_t tile_bits = 2;
    uint32_t status = 0, surface = 0;   ///< addresses
    std::array<uint32_t, 2> clear = {}; ///< alternating words; the second is for 64-bit pixels
    uint16_t unit = 64;                 ///< bytes of a surface per state, a power of two
};

struct TsSetup {
    TsSurface color, depth;
    std::array<TsSurface, most_targets> target; ///< targets from 1 on

    static TsSetup decode(States states, const Features3d& features = {});
};

/// Reads and writes tile states during one drawing call.
class TileStatus {
public:
    /// `bytes` is the size of a sample.
    TileStatus(Memory& memory, const TsSurface& setup, uint32_t bytes);

    bool enabled() const { return setup_.enabled; }
    /// Returns the bytes of a surface per state.
    uint32_t unit() const { return setup_.unit; }
    /// Announces the rows of the surface whose states will be accessed; see GuestBytes.
    void open(unsigned pipe, const GuestBytes::Rows& rows);
    /// True if the unit that contains `address` is cleared.
    bool cleared(unsigned pipe, uint32_t address) {
        const Place bits = place(address);
        const auto byte = uint32_t(*reads_.at(pipe, bits.address, 1));
        const uint32_t state = byte >> bits.shift & mask();
        met_compressed_ |= state > 1;
        return state == 1;
    }
    /// Marks the unit that contains `address` as drawn, which means that memory holds its contents.
    void set_drawn(unsigned pipe, uint32_t address);

    /// Returns the offset of `address` in its unit.
    uint32_t into_unit(uint32_t address) const { return (address - setup_.surface) & (unit() - 1); }
    /// Returns the open states; see GuestBytes.
    GuestBytes::Opened opened(unsigned pipe) const { return reads_.opened(pipe); }

    /// Returns at least GuestBytes::most bytes of cleared units' contents, starting at `address`.
    const std::byte* clear_bytes(uint32_t address) const {
        return clear_.data() + into_unit(address) % 8;
    }

    bool faulted() const { return reads_.faulted() || writes_.faulted(); }
    /// True if a unit was in a state that the model never writes. Such units are read as if drawn.
    bool met_compressed() const { return met_compressed_; }

private:
    struct Place {
        uint32_t address; ///< of the status byte
        uint8_t shift;
    };
    Place place(uint32_t address) const {
        const uint32_t bit = (address - setup_.surface) >> shift_ << bits_shift_;
        return {setup_.status + bit / 8, uint8_t(bit % 8)};
    }
    uint8_t mask() const { return uint8_t((1u << setup_.tile_bits) - 1); }

    const TsSurface setup_;
    const uint8_t shift_, bits_shift_; ///< log2 of the unit and of the bits per state
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
    /// See GuestBytes. Without a tile status, the open memory can be read directly.
    GuestBytes::Opened opened(unsigned pipe) const { return bytes_.opened(pipe); }
    bool has_status() const { return status_.enabled(); }
    /// True if each tile of a row is within one unit, or if there is no tile status.
    template<class Row>
    bool in_units(const Row& row) const {
        return !has_status() || (status_.unit() % row.tile_bytes == 0 &&
                                 status_.into_unit(row.address[0]) % row.tile_bytes == 0 &&
                                 status_.into_unit(row.address[1]) % row.tile_bytes == 0);
    }
    TileStatus& status() { return status_; }
    const TileStatus& status() const { return status_; }
    /// See GuestBytes::at().
    [[nodiscard]] const std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        if (!status_.enabled())
            return bytes_.at(pipe, address, length);
        if (length + status_.into_unit(address) > status_.unit())
            return units(pipe, address, length);
        return status_.cleared(pipe, address) ? status_.clear_bytes(address)
                                              : bytes_.at(pipe, address, length);
    }
    /// See GuestBytes::in_place(). Also returns null if the bytes span several units.
    [[nodiscard]] const std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        if (!status_.enabled())
            return bytes_.in_place(pipe, address, length);
        if (length + status_.into_unit(address) > status_.unit())
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

/// Writes a surface and updates its tile status. Writing to a unit marks it as drawn, so the rest
/// of a cleared unit is filled with the clear value.
class SurfaceWriter {
public:
    SurfaceWriter(Memory& memory, const TsSurface& status, uint32_t bytes)
        : status_(memory, status, bytes), bytes_(memory, Access::write) {}

    void open(unsigned pipe, const GuestBytes::Rows& rows) {
        bytes_.open(pipe, rows);
        status_.open(pipe, rows);
    }
    GuestBytes::Opened opened(unsigned pipe) const { return bytes_.opened(pipe); }
    /// True if writes need no tile status update.
    template<class Row>
    bool in_units(const Row&) const {
        return !status_.enabled();
    }
    /// See GuestBytes::in_place(). With a tile status, the caller must overwrite all of the bytes.
    [[nodiscard]] std::byte* in_place(unsigned pipe, uint32_t address, uint32_t length) {
        if (status_.enabled())
            prepare_units(pipe, address, length);
        return bytes_.in_place(pipe, address, length);
    }
    /// See GuestBytes::at(). With a tile status, the caller must overwrite all of the bytes.
    [[nodiscard]] std::byte* at(unsigned pipe, uint32_t address, uint32_t length) {
        if (status_.enabled())
            prepare_units(pipe, address, length);
        return bytes_.at(pipe, address, length);
    }
    void mark_dirty(unsigned pipe, uint32_t address, uint64_t length) {
        bytes_.mark_dirty(pipe, address, length);
    }
    /// Marks open rows dirty.
    void mark_dirty(unsigned pipe, const GuestBytes::Rows& rows) {
        bytes_.mark_dirty(pipe, rows.address, uint64_t(rows.count - 1) * rows.stride + rows.length);
    }
    bool faulted() const { return status_.faulted() || bytes_.faulted(); }
    bool met_compressed() const { return status_.met_compressed(); }

private:
    void prepare_units(unsigned pipe, uint32_t address, uint32_t length);

    TileStatus status_;
    GuestBytes bytes_;
};

} // namespace pixmill::vivante

// The cause of a NEMA|GFX core's current activity, for log messages.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pixmill::nema {

/// An access by the host, a pair of a list, or a draw that one of these started. Not migrated:
/// after load(), the origin of lists and draws in progress is unknown.
struct Trigger {
    enum class Kind : uint8_t { unknown, host, list };

    Kind kind = Kind::unknown;
    std::optional<uint32_t> list{};  ///< address of the list's first pair
    uint32_t pair = 0;               ///< address of the pair
    const char* primitive = nullptr; ///< primitive of the draw; null: not a draw
    uint64_t draw = 0;               ///< number of the draw, counted from 1; 0: unknown

    /// Writes a description, for example "rectangle, draw 12, list 0x20004100+0x28".
    void describe(char* text, size_t size) const;
};

inline constexpr Trigger unknown_trigger{}, host_trigger{.kind = Trigger::Kind::host};

} // namespace pixmill::nema

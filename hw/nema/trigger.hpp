// The cause of a core's present activity, for log lines.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pixmill::nema {

/// An access of the host, a pair of a list, or a draw that either of them has started. Not
/// migrated: in a loaded state, lists and draws in progress have no known beginning.
struct Trigger {
    enum class Kind : uint8_t { unknown, host, list };

    Kind kind = Kind::unknown;
    std::optional<uint32_t> list{};  ///< address of its first pair
    uint32_t pair = 0;               ///< address of the pair
    const char* primitive = nullptr; ///< of the draw; null: not a draw
    uint64_t draw = 0;               ///< number of the draw, from 1 on; 0: unknown

    /// Writes, for example, "rectangle, draw 12, list 0x20004100+0x28".
    void describe(char* text, size_t size) const;
};

inline constexpr Trigger unknown_trigger{}, host_trigger{.kind = Trigger::Kind::host};

} // namespace pixmill::nema

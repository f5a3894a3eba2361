// Fields that the front end decodes from commands (rnndb cmdstream.xml) and states (state.xml, GL).
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>

#include "common/field.hpp"

namespace pixmill::vivante {

constexpr Field command_op{"OP", 31, 27};

constexpr Field load_state_offset{"OFFSET", 15, 0};
constexpr Field load_state_count{"COUNT", 25, 16}; ///< 0 means 1024
constexpr Field load_state_fixp{"FIXP", 26};

constexpr Field end_event_id{"EVENT_ID", 4, 0};
constexpr Field end_event_enable{"EVENT_ENABLE", 8};

constexpr Field wait_delay{"DELAY", 15, 0};
/// Address field of commands and fences. Clients also set the low bits (linux sync_point_worker).
constexpr Field fetch_address{"ADDRESS", 31, 3};
constexpr Field link_prefetch{"PREFETCH", 15, 0}; ///< of LINK, CALL and the return word of CALL
constexpr Field chip_select_chip0{"ENABLE_CHIP0", 0};

constexpr Field draw_2d_rectangles{"COUNT", 15, 8}; ///< 0 means 256
constexpr Field draw_2d_data{"DATA_COUNT", 26, 16};

/// Returns the value of a count field, in which 0 encodes one more than the field's maximum.
constexpr uint32_t count_of(const Field& field, uint32_t word) {
    const uint32_t count = field(word);
    return count ? count : field(~0u) + 1;
}

/// A command of FE 1.0, for tools that read streams.
struct CommandShape {
    const char* name; ///< null for an illegal opcode
    uint32_t qwords;  ///< including the header
    bool draws;
};
CommandShape command_shape(uint32_t header);

namespace gl::pipe_select {
inline constexpr Field pipe{"PIPE", 0};
} // namespace gl::pipe_select

namespace gl::event {
inline constexpr Field event_id{"EVENT_ID", 4, 0};
inline constexpr Field from_fe{"FROM_FE", 5}, from_pe{"FROM_PE", 6}, from_blt{"FROM_BLT", 7};
} // namespace gl::event

// Fields of the token in SEMAPHORE_TOKEN and STALL.
constexpr Field token_from{"FROM", 4, 0};
constexpr Field token_to{"TO", 12, 8};

} // namespace pixmill::vivante

// The video input port (databook 6.10). Models only the registers; no video is captured.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "pixmill/geode_display.h"
#include "register.hpp"

namespace pixmill::geode_display {

class VideoInputPort {
public:
    explicit VideoInputPort(std::span<uint32_t> words) : words_(words) {}

    static std::span<const Register<VideoInputPort>> registers();
    /// Returns nullptr: the block has no plain memory.
    static uint32_t* memory(uint32_t) { return nullptr; }
    static const Register<VideoInputPort>* find(uint32_t offset);

    void reset() { reset_registers(words_, registers()); }
    void load(std::span<const uint32_t> in) { load_registers(words_, in, registers()); }

    std::span<uint32_t> words() const { return words_; }

private:
    struct Table;

    std::span<uint32_t> words_;
};

} // namespace pixmill::geode_display

// SPDX-License-Identifier: GPL-2.0-or-later
// Draws scenes through the kernel driver, with one job per part.
#pragma once

#include "../scene/sink.hpp"
#include "device.hpp"

#include <array>
#include <memory>
#include <optional>

namespace guest {

class DriverSink final : public scene::Sink {
public:
    explicit DriverSink(Device& device) : m_device(device) {}

    bool has(scene::Feature feature) const override;

    // Allocates or replaces a buffer.
    Buffer& make(scene::Memory memory, size_t bytes);
    // Hands a buffer over to the caller, who may keep its pages allocated.
    std::unique_ptr<Buffer> take(scene::Memory memory) {
        return std::move(m_buffers[size_t(memory)]);
    }
    Buffer& operator[](scene::Memory memory) { return *m_buffers[size_t(memory)]; }

    void load_state(uint32_t address, uint32_t value) override;
    void load_address(uint32_t state, scene::Memory memory, uint32_t offset) override;
    void draw(std::span<const scene::Rectangle> rectangles) override;
    void finish_part() override;

    // Waits until all parts are drawn.
    void wait();

    uint32_t jobs() const { return m_jobs; }
    size_t words() const { return m_words; }

private:
    void end_burst();

    Device& m_device;
    std::array<std::unique_ptr<Buffer>, scene::MEMORY_COUNT> m_buffers;
    Job m_job;
    uint32_t m_burst_address = 0; // of the first state; consecutive states become one command
    std::vector<uint32_t> m_burst;
    std::optional<uint32_t> m_fence; // of the last job
    uint32_t m_jobs = 0;
    size_t m_words = 0;
};

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
#include "driver_sink.hpp"

#include <stdexcept>

using namespace std::chrono_literals;

namespace guest {

namespace {

constexpr uint32_t DRAW_2D = 0x20000000;
struct FeatureBit {
    uint32_t word;
    unsigned bit;
};

constexpr uint32_t MINOR_2 = ETNAVIV_PARAM_GPU_FEATURES_3, MINOR_4 = ETNAVIV_PARAM_GPU_FEATURES_5;
// Indexed by scene::Feature. These are bits of chipMinorFeatures2 and 4 (rnndb common.xml):
// 2D_TILING, which implies the one-pass filter; 2D_MULTI_SOURCE_BLIT; YUV_STANDARD; YUV_CONVERSION;
// 2D_TILING; 2D_SUPER_TILE_VERSION.
constexpr FeatureBit FEATURE_BITS[] = {{MINOR_2, 17}, {MINOR_2, 21}, {MINOR_2, 20},
                                       {MINOR_2, 22}, {MINOR_2, 17}, {MINOR_4, 29}};
constexpr size_t RECTANGLES_PER_DRAW = 256, STATES_PER_LOAD = 1023;

} // namespace

bool DriverSink::has(scene::Feature feature) const {
    const FeatureBit found = FEATURE_BITS[size_t(feature)];
    return m_device.parameter(found.word) >> found.bit & 1;
}

Buffer& DriverSink::make(scene::Memory memory, size_t bytes) {
    auto& buffer = m_buffers[size_t(memory)];
    buffer = std::make_unique<Buffer>(m_device, (bytes + PAGE - 1) & ~(PAGE - 1));
    return *buffer;
}

void DriverSink::load_state(uint32_t address, uint32_t value) {
    if (address != m_burst_address + m_burst.size() * 4 || m_burst.size() == STATES_PER_LOAD)
        end_burst();
    if (m_burst.empty())
        m_burst_address = address;
    m_burst.push_back(value);
}

void DriverSink::end_burst() {
    if (!m_burst.empty())
        m_job.load_states(m_burst_address, m_burst);
    m_burst.clear();
}

void DriverSink::load_address(uint32_t state, scene::Memory memory, uint32_t offset) {
    end_burst();
    m_job.load_address(state, (*this)[memory].handle(), offset);
}

void DriverSink::draw(std::span<const scene::Rectangle> rectangles) {
    end_burst();
    while (!rectangles.empty()) {
        const auto now = rectangles.first(std::min(rectangles.size(), RECTANGLES_PER_DRAW));
        rectangles = rectangles.subspan(now.size());
        m_job.words.push_back(DRAW_2D | (uint32_t(now.size()) & 0xFF) << 8);
        m_job.words.push_back(0);
        for (const scene::Rectangle& r : now) {
            m_job.words.push_back(scene::pack(r.left, r.top));
            m_job.words.push_back(scene::pack(r.right, r.bottom));
        }
    }
}

void DriverSink::finish_part() {
    end_burst();
    m_fence = m_device.submit(m_job);
    m_words += m_job.words.size();
    ++m_jobs;
    m_job = {};
}

void DriverSink::wait() {
    if (m_fence && !m_device.wait(*m_fence, 20s))
        throw std::runtime_error("the jobs did not end within 20 s");
}

} // namespace guest

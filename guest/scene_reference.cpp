// SPDX-License-Identifier: GPL-2.0-or-later
// pixmill-scene-reference FILE.bmp: draws the scene with the reference engine, on the host. Fails
// if the picture depends on the features of the core.
#include "scene/artwork.hpp"
#include "scene/scene.hpp"

#include "../tests/reference/vivante/2d/vivante_2d.hpp"

#include <algorithm>
#include <cstdio>

namespace {

using scene::Memory;

constexpr uint32_t SPACING = 0x01000000; // distance between the addresses of two buffers

uint32_t address_of(Memory memory) {
    return (uint32_t(memory) + 1) * SPACING;
}

// The scene's buffers. Counts accesses outside the buffers; such reads return 0.
class Buffers final : public reference::Memory {
public:
    Buffers() {
        for (uint32_t i = 0; i < scene::MEMORY_COUNT; ++i) {
            m_bytes.emplace_back(scene::bytes_of(scene::Memory(i)));
            scene::paint(scene::Memory(i), m_bytes[i]);
        }
    }

    uint8_t read(uint32_t address) override {
        const uint8_t* byte = find(address);
        return byte ? *byte : 0;
    }

    void write(uint32_t address, uint8_t value) override {
        if (uint8_t* byte = find(address))
            *byte = value;
    }

    std::span<const uint32_t> frame() const {
        const auto& bytes = m_bytes[size_t(scene::Memory::FRAME)];
        return {reinterpret_cast<const uint32_t*>(bytes.data()), bytes.size() / 4};
    }

    size_t strays() const { return m_strays; }

private:
    uint8_t* find(uint32_t address) {
        const uint32_t index = address / SPACING - 1, offset = address % SPACING;
        if (index < m_bytes.size() && offset < m_bytes[index].size())
            return &m_bytes[index][offset];
        ++m_strays;
        return nullptr;
    }

    std::vector<std::vector<uint8_t>> m_bytes;
    size_t m_strays = 0;
};

class ReferenceSink final : public scene::Sink {
public:
    // Creates the engine of a core with no feature of scene::Feature, or with all except
    // SUPER_TILE_ORDER.
    ReferenceSink(Buffers& buffers, bool has_all)
        : m_engine({.multi_source = has_all,
                    .yuv_standard = has_all,
                    .yuv_conversion = has_all,
                    .tiling = has_all,
                    .yuv_order_fault = !has_all},
                   buffers),
          m_has_all(has_all) {}

    bool has(scene::Feature feature) const override {
        return m_has_all && feature != scene::Feature::SUPER_TILE_ORDER;
    }

    void load_state(uint32_t address, uint32_t value) override {
        m_engine.load_state(address, value);
    }

    void load_address(uint32_t state, Memory memory, uint32_t offset) override {
        m_engine.load_state(state, address_of(memory) + offset);
    }

    void draw(std::span<const scene::Rectangle> rectangles) override {
        std::vector<uint32_t> words;
        for (const scene::Rectangle& r : rectangles) {
            words.push_back(scene::pack(r.left, r.top));
            words.push_back(scene::pack(r.right, r.bottom));
        }
        m_engine.draw(words);
    }

    void finish_part() override {}

private:
    reference::Engine2d m_engine;
    bool m_has_all;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: pixmill-scene-reference FILE.bmp\n");
        return 2;
    }
    Buffers plain, rich;
    for (Buffers* buffers : {&plain, &rich}) {
        ReferenceSink sink(*buffers, buffers == &rich);
        scene::draw(sink);
        if (buffers->strays() != 0) {
            std::fprintf(stderr, "the scene accessed memory outside its buffers %zu times\n",
                         buffers->strays());
            return 1;
        }
    }
    if (!std::ranges::equal(plain.frame(), rich.frame())) {
        std::fprintf(stderr, "the scene differs on a core with more features\n");
        return 1;
    }
    return scene::write_bmp(argv[1], plain.frame()) ? 0 : 1;
}

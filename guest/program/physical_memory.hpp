// SPDX-License-Identifier: GPL-2.0-or-later
// Access to registers and memory that the kernel does not use. Needs root.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace guest {

// Maps physical memory that starts at `address`, through /dev/mem. No driver may have claimed them.
class PhysicalWindow {
public:
    PhysicalWindow(uint32_t address, size_t bytes);
    ~PhysicalWindow();
    PhysicalWindow(const PhysicalWindow&) = delete;
    PhysicalWindow& operator=(const PhysicalWindow&) = delete;

    uint16_t read16(size_t offset) const { return at<uint16_t>(offset); }
    uint32_t read32(size_t offset) const { return at<uint32_t>(offset); }
    void write32(size_t offset, uint32_t value) { at<uint32_t>(offset) = value; }

private:
    template<typename T>
    volatile T& at(size_t offset) const {
        return *reinterpret_cast<volatile T*>(&m_pages[m_skip + offset]);
    }

    std::span<char> m_pages;
    size_t m_skip; // from the start of the first page to the address
};

} // namespace guest

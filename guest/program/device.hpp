// SPDX-License-Identifier: GPL-2.0-or-later
// Access to the etnaviv kernel driver through its ioctls: cores, buffers, jobs and counters.
#pragma once

#include <drm/etnaviv_drm.h>

#include <chrono>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace guest {

// A job consists of command words, relocations (words that receive a buffer's address), and
// counters to read before or after it.
struct Job {
    struct Relocation {
        size_t word;
        uint32_t handle;
        uint32_t offset; // offset in the buffer
    };
    struct Counter {
        uint8_t domain;
        uint16_t signal;
        uint32_t flags; // ETNA_PM_PROCESS_PRE or _POST
        uint32_t handle;
        uint32_t offset; // at 0 the kernel writes a sequence number
    };

    std::vector<uint32_t> words;
    std::vector<Relocation> relocations;
    std::vector<Counter> counters;

    void load_states(uint32_t first_address, std::span<const uint32_t> values);
    void load_state(uint32_t address, uint32_t value) { load_states(address, {&value, 1}); }
    void load_address(uint32_t address, uint32_t handle, uint32_t offset = 0);
};

class Device {
public:
    // Opens the render node and selects the first core that has a 2D pipe.
    explicit Device(const char* path);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    uint64_t parameter(uint32_t parameter) const;

    uint32_t submit(const Job& job); // returns the job's fence
    bool wait(uint32_t fence, std::chrono::milliseconds limit);

    struct Signal {
        uint8_t domain;
        uint16_t signal;
    };
    Signal find_signal(std::string_view name) const;

    int file() const { return m_file; }

private:
    bool has_2d() const;

    int m_file;
    uint32_t m_pipe = 0;
};

constexpr size_t PAGE = 4096;

// A GEM buffer, mapped into this program.
class Buffer {
public:
    Buffer(Device& device, size_t bytes);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    uint32_t handle() const { return m_handle; }
    std::span<uint32_t> words() { return m_words; }

private:
    Device& m_device;
    uint32_t m_handle = 0;
    std::span<uint32_t> m_words;
};

// Whole pages of this program's memory that the core may access. With only ETNA_USERPTR_READ, the
// core may not write them.
class UserBuffer {
public:
    UserBuffer(Device& device, std::span<const uint32_t> words,
               uint32_t rights = ETNA_USERPTR_READ | ETNA_USERPTR_WRITE);
    ~UserBuffer();
    UserBuffer(const UserBuffer&) = delete;
    UserBuffer& operator=(const UserBuffer&) = delete;

    uint32_t handle() const { return m_handle; }

private:
    Device& m_device;
    uint32_t m_handle = 0;
};

} // namespace guest

// SPDX-License-Identifier: GPL-2.0-or-later
// Access to the etnaviv kernel driver through its ioctls: cores, buffers, jobs and counters.
#pragma once

#include "drm.hpp"

#include <drm/etnaviv_drm.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace guest {

// A pipe of a core. On all tested boards, each core has only one.
enum class Pipe { TWO_D, THREE_D };

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

    Pipe pipe = Pipe::TWO_D;
    std::vector<uint32_t> words;
    std::vector<Relocation> relocations;
    std::vector<Counter> counters;

    void load_states(uint32_t first_address, std::span<const uint32_t> values);
    void load_state(uint32_t address, uint32_t value) { load_states(address, {&value, 1}); }
    void load_address(uint32_t address, uint32_t handle, uint32_t offset = 0);
};

class Device {
public:
    // Opens the render node and finds the first core with each pipe. A core with a 2D pipe must
    // exist.
    explicit Device(const char* path);
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    bool has(Pipe pipe) const { return m_cores[size_t(pipe)].has_value(); }
    uint64_t parameter(uint32_t parameter, Pipe pipe = Pipe::TWO_D) const;

    // Returns the job's fence, which is a number. The job waits for all earlier jobs that use its
    // buffers.
    uint32_t submit(const Job& job);
    bool wait(uint32_t fence, std::chrono::milliseconds limit, Pipe pipe = Pipe::TWO_D);

    // Submits a job that waits only for the sync file, if there is one, and not for other jobs that
    // use its buffers.
    SyncFile submit_after(const SyncFile& before, const Job& job);

    struct Signal {
        uint8_t domain;
        uint16_t signal;
    };
    Signal find_signal(std::string_view name) const;

    int file() const { return m_file.number(); }

private:
    uint32_t core(Pipe pipe) const;
    void submit(const Job& job, drm_etnaviv_gem_submit& request);

    File m_file;
    std::optional<uint32_t> m_cores[2]; // their numbers in the driver, by pipe
};

constexpr size_t PAGE = 4096;

// A GEM buffer, mapped into this program.
class Buffer {
public:
    Buffer(Device& device, size_t bytes);
    // Imports a dma-buf of that size from another device.
    Buffer(Device& device, const File& buffer, size_t bytes);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    uint32_t handle() const { return m_handle; }
    std::span<uint32_t> words() { return m_mapping.words(); }

private:
    void map(size_t bytes);

    Device& m_device;
    uint32_t m_handle = 0;
    Mapping m_mapping;
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

// SPDX-License-Identifier: GPL-2.0-or-later
// Files, dma-bufs and sync files, which all DRM drivers offer.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <sys/mman.h>

namespace guest {

// Calls ioctl() again after a signal. Returns 0, or a negative errno.
int try_call(int file, unsigned long request, void* argument);
// The same, but throws std::system_error, in which `what` says what failed.
void call(int file, unsigned long request, void* argument, const char* what);

// An open file, closed by the destructor.
class File {
public:
    File() = default;
    explicit File(int number) : m_number(number) {}
    ~File();
    File(File&& other) noexcept : m_number(other.release()) {}
    File& operator=(File&& other) noexcept;

    int number() const { return m_number; }
    explicit operator bool() const { return m_number >= 0; }
    int release();

private:
    int m_number = -1;
};

enum class Node { CARD, RENDER };

// Opens the node of the first DRM device with this driver, such as "etnaviv". Returns no file if
// there is none.
File open_driver(const std::string& driver, Node node);

// A mapping of a file, removed by the destructor.
class Mapping {
public:
    Mapping() = default;
    // `access` is made of PROT_*.
    Mapping(int file, uint64_t offset, size_t bytes, int access = PROT_READ | PROT_WRITE);
    ~Mapping();
    Mapping(Mapping&& other) noexcept;
    Mapping& operator=(Mapping&& other) noexcept;

    std::span<uint32_t> words() const { return m_words; }

private:
    std::span<uint32_t> m_words;
};

// ---- dma-bufs ------------------------------------------------------------------------------

// Exports a GEM buffer of the device as a dma-buf.
File export_buffer(int device, uint32_t handle);
// Imports a dma-buf. Returns 0 and sets `handle`, or returns a negative errno.
int import_buffer(int device, const File& buffer, uint32_t& handle);
void close_handle(int device, uint32_t handle);

// Tells a dma-buf's exporter about accesses by the processor, from the construction on. The
// constructor waits for the devices that use the buffer.
class Access {
public:
    explicit Access(const File& buffer);
    ~Access();
    Access(const Access&) = delete;
    Access& operator=(const Access&) = delete;

private:
    const int m_file;
};

// ---- sync files ----------------------------------------------------------------------------

// A file that signals when all its fences have (linux Documentation/driver-api/sync_file.rst).
class SyncFile {
public:
    struct Fence {
        std::string driver;
        int status;           // 0: pending, 1: signaled, negative: failed
        uint64_t nanoseconds; // when it signaled; 0 if it has not
    };

    SyncFile() = default;
    explicit SyncFile(int number) : m_file(number) {}

    int number() const { return m_file.number(); }
    explicit operator bool() const { return bool(m_file); }

    // Returns false if the time limit expires.
    bool wait(std::chrono::milliseconds limit) const;
    std::vector<Fence> fences() const;
    // Returns the time of the last of the fences, all of which must have signaled.
    uint64_t time() const;
    // Returns a sync file with the fences of both.
    SyncFile merged(const SyncFile& other) const;

private:
    File m_file;
};

} // namespace guest

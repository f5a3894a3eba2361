// SPDX-License-Identifier: GPL-2.0-or-later
#include "drm.hpp"

#include <drm/drm.h>
#include <linux/dma-buf.h>
#include <linux/sync_file.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace guest {

int try_call(int file, unsigned long request, void* argument) {
    int result;
    do {
        result = ioctl(file, request, argument);
    } while (result < 0 && (errno == EINTR || errno == EAGAIN));
    return result < 0 ? -errno : 0;
}

void call(int file, unsigned long request, void* argument, const char* what) {
    const int result = try_call(file, request, argument);
    if (result < 0)
        throw std::system_error(-result, std::generic_category(), what);
}

// ---- files ---------------------------------------------------------------------------------

File::~File() {
    if (m_number >= 0)
        close(m_number);
}

File& File::operator=(File&& other) noexcept {
    File old(std::exchange(m_number, other.release()));
    return *this;
}

int File::release() {
    return std::exchange(m_number, -1);
}

File open_driver(const std::string& driver, Node node) {
    constexpr int MINORS = 16, FIRST_RENDER_NODE = 128;
    for (int minor = 0; minor < MINORS; ++minor) {
        std::array<char, 32> path, name{};
        if (node == Node::RENDER)
            std::snprintf(path.data(), path.size(), "/dev/dri/renderD%d",
                          FIRST_RENDER_NODE + minor);
        else
            std::snprintf(path.data(), path.size(), "/dev/dri/card%d", minor);
        File file(open(path.data(), O_RDWR | O_CLOEXEC));
        drm_version version{};
        version.name_len = name.size() - 1;
        version.name = name.data();
        if (file && try_call(file.number(), DRM_IOCTL_VERSION, &version) == 0 &&
            driver == name.data())
            return file;
    }
    return File();
}

Mapping::Mapping(int file, uint64_t offset, size_t bytes, int access) {
    void* const memory =
        mmap64(nullptr, bytes, access, MAP_SHARED, file, static_cast<off64_t>(offset));
    if (memory == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "map a buffer");
    m_words = {static_cast<uint32_t*>(memory), bytes / 4};
}

Mapping::~Mapping() {
    if (!m_words.empty())
        munmap(m_words.data(), m_words.size_bytes());
}

Mapping::Mapping(Mapping&& other) noexcept : m_words(std::exchange(other.m_words, {})) {}

Mapping& Mapping::operator=(Mapping&& other) noexcept {
    std::swap(m_words, other.m_words);
    return *this;
}

// ---- dma-bufs ------------------------------------------------------------------------------

File export_buffer(int device, uint32_t handle) {
    drm_prime_handle request{handle, DRM_CLOEXEC | DRM_RDWR, -1};
    call(device, DRM_IOCTL_PRIME_HANDLE_TO_FD, &request, "export a buffer");
    return File(request.fd);
}

int import_buffer(int device, const File& buffer, uint32_t& handle) {
    drm_prime_handle request{0, 0, buffer.number()};
    const int result = try_call(device, DRM_IOCTL_PRIME_FD_TO_HANDLE, &request);
    handle = request.handle;
    return result;
}

void close_handle(int device, uint32_t handle) {
    drm_gem_close request{handle, 0};
    try_call(device, DRM_IOCTL_GEM_CLOSE, &request);
}

Access::Access(const File& buffer) : m_file(buffer.number()) {
    dma_buf_sync request{DMA_BUF_SYNC_RW | DMA_BUF_SYNC_START};
    call(m_file, DMA_BUF_IOCTL_SYNC, &request, "begin to access a buffer");
}

Access::~Access() {
    dma_buf_sync request{DMA_BUF_SYNC_RW | DMA_BUF_SYNC_END};
    try_call(m_file, DMA_BUF_IOCTL_SYNC, &request);
}

// ---- sync files ----------------------------------------------------------------------------

bool SyncFile::wait(std::chrono::milliseconds limit) const {
    pollfd request{number(), POLLIN, 0};
    int result;
    do {
        result = poll(&request, 1, int(limit.count()));
    } while (result < 0 && errno == EINTR);
    return result == 1;
}

std::vector<SyncFile::Fence> SyncFile::fences() const {
    std::array<sync_fence_info, 8> found{};
    sync_file_info request{};
    request.num_fences = found.size();
    request.sync_fence_info = reinterpret_cast<uintptr_t>(found.data());
    call(number(), SYNC_IOC_FILE_INFO, &request, "read a sync file");
    std::vector<Fence> fences;
    for (const sync_fence_info& fence : std::span(found).first(request.num_fences))
        fences.push_back({fence.driver_name, fence.status, fence.timestamp_ns});
    return fences;
}

uint64_t SyncFile::time() const {
    uint64_t last = 0;
    for (const Fence& fence : fences()) {
        if (fence.status != 1)
            throw std::runtime_error("a fence of " + fence.driver + " has the status " +
                                     std::to_string(fence.status));
        last = std::max(last, fence.nanoseconds);
    }
    return last;
}

SyncFile SyncFile::merged(const SyncFile& other) const {
    sync_merge_data request{};
    std::strcpy(request.name, "pixmill");
    request.fd2 = other.number();
    call(number(), SYNC_IOC_MERGE, &request, "merge sync files");
    return SyncFile(request.fence);
}

} // namespace guest

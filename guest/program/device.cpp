// SPDX-License-Identifier: GPL-2.0-or-later
#include "device.hpp"

#include <cerrno>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace guest {

namespace {

constexpr uint32_t LOAD_STATE = 0x08000000;
constexpr uint32_t FEATURE_PIPE_2D = 1 << 9; // rnndb common: chipFeatures.PIPE_2D

int call(int file, unsigned long request, void* argument) {
    int result;
    do {
        result = ioctl(file, request, argument);
    } while (result < 0 && errno == EINTR);
    return result;
}

void must(int result, const char* what) {
    if (result < 0)
        throw std::system_error(errno, std::generic_category(), what);
}

// Returns an absolute time of CLOCK_MONOTONIC, as the kernel expects.
drm_etnaviv_timespec deadline(std::chrono::nanoseconds limit) {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t nanoseconds = now.tv_nsec + limit.count();
    return {now.tv_sec + nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
}

template<typename T>
uint64_t address_of(const std::vector<T>& items) {
    return reinterpret_cast<uintptr_t>(items.data());
}

void close_handle(int file, uint32_t handle) {
    drm_gem_close request{handle, 0};
    call(file, DRM_IOCTL_GEM_CLOSE, &request);
}

// The buffers of a job, without duplicates.
class BufferTable {
public:
    uint32_t index(uint32_t handle) {
        for (uint32_t i = 0; i < entries.size(); ++i)
            if (entries[i].handle == handle)
                return i;
        entries.push_back({ETNA_SUBMIT_BO_READ | ETNA_SUBMIT_BO_WRITE, handle, 0});
        return entries.size() - 1;
    }

    std::vector<drm_etnaviv_gem_submit_bo> entries;
};

} // namespace

// Pads the command, since commands are aligned to 64 bits.
void Job::load_states(uint32_t first_address, std::span<const uint32_t> values) {
    words.push_back(LOAD_STATE | uint32_t(values.size()) << 16 | first_address / 4);
    words.insert(words.end(), values.begin(), values.end());
    words.resize((words.size() + 1) & ~size_t(1));
}

void Job::load_address(uint32_t address, uint32_t handle, uint32_t offset) {
    relocations.push_back({words.size() + 1, handle, offset});
    load_state(address, 0);
}

Device::Device(const char* path) : m_file(open(path, O_RDWR | O_CLOEXEC)) {
    must(m_file, path);
    for (; m_pipe < ETNA_MAX_PIPES; ++m_pipe)
        if (has_2d())
            return;
    close(m_file);
    throw std::runtime_error("no core has a 2D pipe");
}

Device::~Device() {
    close(m_file);
}

bool Device::has_2d() const {
    drm_etnaviv_param request{m_pipe, ETNAVIV_PARAM_GPU_FEATURES_0, 0};
    return call(m_file, DRM_IOCTL_ETNAVIV_GET_PARAM, &request) == 0 &&
           (request.value & FEATURE_PIPE_2D);
}

uint64_t Device::parameter(uint32_t parameter) const {
    drm_etnaviv_param request{m_pipe, parameter, 0};
    must(call(m_file, DRM_IOCTL_ETNAVIV_GET_PARAM, &request), "get a parameter");
    return request.value;
}

uint32_t Device::submit(const Job& job) {
    BufferTable buffers;
    std::vector<drm_etnaviv_gem_submit_reloc> relocations;
    std::vector<drm_etnaviv_gem_submit_pmr> counters;
    for (const Job::Relocation& at : job.relocations)
        relocations.push_back({uint32_t(at.word * 4), buffers.index(at.handle), at.offset, 0});
    for (const Job::Counter& read : job.counters)
        counters.push_back(
            {read.flags, read.domain, 0, read.signal, 1, read.offset, buffers.index(read.handle)});

    drm_etnaviv_gem_submit request{};
    request.pipe = m_pipe;
    request.exec_state = ETNA_PIPE_2D;
    request.nr_bos = buffers.entries.size();
    request.bos = address_of(buffers.entries);
    request.nr_relocs = relocations.size();
    request.relocs = address_of(relocations);
    request.stream_size = job.words.size() * 4;
    request.stream = address_of(job.words);
    request.nr_pmrs = counters.size();
    request.pmrs = address_of(counters);
    must(call(m_file, DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &request), "submit a job");
    return request.fence;
}

bool Device::wait(uint32_t fence, std::chrono::milliseconds limit) {
    drm_etnaviv_wait_fence request{};
    request.pipe = m_pipe;
    request.fence = fence;
    request.timeout = deadline(limit);
    const int result = call(m_file, DRM_IOCTL_ETNAVIV_WAIT_FENCE, &request);
    if (result < 0 && errno == ETIMEDOUT)
        return false;
    must(result, "wait for a fence");
    return true;
}

Device::Signal Device::find_signal(std::string_view name) const {
    constexpr uint8_t LAST_DOMAIN = 0xFF;
    constexpr uint16_t LAST_SIGNAL = 0xFFFF;
    drm_etnaviv_pm_domain domain{};
    domain.pipe = m_pipe;
    do {
        must(call(m_file, DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &domain), "query a counter domain");
        drm_etnaviv_pm_signal signal{};
        signal.pipe = m_pipe;
        signal.domain = domain.id;
        do {
            must(call(m_file, DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &signal), "query a counter");
            if (signal.name == name)
                return {domain.id, signal.id};
        } while (signal.iter != LAST_SIGNAL);
    } while (domain.iter != LAST_DOMAIN);
    throw std::runtime_error("no counter " + std::string(name));
}

Buffer::Buffer(Device& device, size_t bytes) : m_device(device) {
    // Write-combined, as in Mesa. On arm64, ETNA_BO_UNCACHED would be device memory (linux
    // etnaviv_gem.c: pgprot_noncached), where unaligned accesses fault.
    drm_etnaviv_gem_new create{bytes, ETNA_BO_WC, 0};
    must(call(device.file(), DRM_IOCTL_ETNAVIV_GEM_NEW, &create), "make a buffer");
    m_handle = create.handle;
    drm_etnaviv_gem_info info{m_handle, 0, 0};
    must(call(device.file(), DRM_IOCTL_ETNAVIV_GEM_INFO, &info), "locate a buffer");
    void* memory = mmap64(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, device.file(),
                          static_cast<off64_t>(info.offset));
    if (memory == MAP_FAILED)
        throw std::system_error(errno, std::generic_category(), "map a buffer");
    m_words = {static_cast<uint32_t*>(memory), bytes / 4};
}

Buffer::~Buffer() {
    munmap(m_words.data(), m_words.size_bytes());
    close_handle(m_device.file(), m_handle);
}

UserBuffer::UserBuffer(Device& device, std::span<const uint32_t> words, uint32_t rights)
    : m_device(device) {
    drm_etnaviv_gem_userptr create{reinterpret_cast<uintptr_t>(words.data()), words.size_bytes(),
                                   rights, 0};
    must(call(device.file(), DRM_IOCTL_ETNAVIV_GEM_USERPTR, &create), "share memory");
    m_handle = create.handle;
}

UserBuffer::~UserBuffer() {
    close_handle(m_device.file(), m_handle);
}

} // namespace guest

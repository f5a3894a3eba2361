// SPDX-License-Identifier: GPL-2.0-or-later
#include "device.hpp"

#include <cerrno>
#include <ctime>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fcntl.h>

namespace guest {

namespace {

constexpr uint32_t LOAD_STATE = 0x08000000;
// rnndb common: chipFeatures.PIPE_2D and PIPE_3D, by Pipe.
constexpr uint32_t FEATURE_PIPE[] = {1 << 9, 1 << 2};
constexpr uint32_t EXEC_STATE[] = {ETNA_PIPE_2D, ETNA_PIPE_3D};

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
    if (!m_file)
        throw std::system_error(errno, std::generic_category(), path);
    for (uint32_t core = ETNA_MAX_PIPES; core-- > 0;) {
        drm_etnaviv_param request{core, ETNAVIV_PARAM_GPU_FEATURES_0, 0};
        if (try_call(file(), DRM_IOCTL_ETNAVIV_GET_PARAM, &request) == 0)
            for (const Pipe pipe : {Pipe::TWO_D, Pipe::THREE_D})
                if (request.value & FEATURE_PIPE[size_t(pipe)])
                    m_cores[size_t(pipe)] = core;
    }
    if (!has(Pipe::TWO_D))
        throw std::runtime_error("no core has a 2D pipe");
}

uint32_t Device::core(Pipe pipe) const {
    return m_cores[size_t(pipe)].value();
}

uint64_t Device::parameter(uint32_t parameter, Pipe pipe) const {
    drm_etnaviv_param request{core(pipe), parameter, 0};
    call(file(), DRM_IOCTL_ETNAVIV_GET_PARAM, &request, "get a parameter");
    return request.value;
}

void Device::submit(const Job& job, drm_etnaviv_gem_submit& request) {
    BufferTable buffers;
    std::vector<drm_etnaviv_gem_submit_reloc> relocations;
    std::vector<drm_etnaviv_gem_submit_pmr> counters;
    for (const Job::Relocation& at : job.relocations)
        relocations.push_back({uint32_t(at.word * 4), buffers.index(at.handle), at.offset, 0});
    for (const Job::Counter& read : job.counters)
        counters.push_back(
            {read.flags, read.domain, 0, read.signal, 1, read.offset, buffers.index(read.handle)});

    request.pipe = core(job.pipe);
    request.exec_state = EXEC_STATE[size_t(job.pipe)];
    request.nr_bos = buffers.entries.size();
    request.bos = address_of(buffers.entries);
    request.nr_relocs = relocations.size();
    request.relocs = address_of(relocations);
    request.stream_size = job.words.size() * 4;
    request.stream = address_of(job.words);
    request.nr_pmrs = counters.size();
    request.pmrs = address_of(counters);
    call(file(), DRM_IOCTL_ETNAVIV_GEM_SUBMIT, &request, "submit a job");
}

uint32_t Device::submit(const Job& job) {
    drm_etnaviv_gem_submit request{};
    submit(job, request);
    return request.fence;
}

SyncFile Device::submit_after(const SyncFile& before, const Job& job) {
    drm_etnaviv_gem_submit request{};
    request.flags = ETNA_SUBMIT_NO_IMPLICIT | ETNA_SUBMIT_FENCE_FD_OUT;
    if (before)
        request.flags |= ETNA_SUBMIT_FENCE_FD_IN;
    request.fence_fd = before.number();
    submit(job, request);
    return SyncFile(request.fence_fd);
}

bool Device::wait(uint32_t fence, std::chrono::milliseconds limit, Pipe pipe) {
    drm_etnaviv_wait_fence request{};
    request.pipe = core(pipe);
    request.fence = fence;
    request.timeout = deadline(limit);
    const int result = try_call(file(), DRM_IOCTL_ETNAVIV_WAIT_FENCE, &request);
    if (result < 0 && result != -ETIMEDOUT)
        throw std::system_error(-result, std::generic_category(), "wait for a fence");
    return result == 0;
}

Device::Signal Device::find_signal(std::string_view name) const {
    constexpr uint8_t LAST_DOMAIN = 0xFF;
    constexpr uint16_t LAST_SIGNAL = 0xFFFF;
    drm_etnaviv_pm_domain domain{};
    domain.pipe = core(Pipe::TWO_D);
    do {
        call(file(), DRM_IOCTL_ETNAVIV_PM_QUERY_DOM, &domain, "query a counter domain");
        drm_etnaviv_pm_signal signal{};
        signal.pipe = core(Pipe::TWO_D);
        signal.domain = domain.id;
        do {
            call(file(), DRM_IOCTL_ETNAVIV_PM_QUERY_SIG, &signal, "query a counter");
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
    call(device.file(), DRM_IOCTL_ETNAVIV_GEM_NEW, &create, "make a buffer");
    m_handle = create.handle;
    map(bytes);
}

Buffer::Buffer(Device& device, const File& buffer, size_t bytes) : m_device(device) {
    const int result = import_buffer(device.file(), buffer, m_handle);
    if (result < 0)
        throw std::system_error(-result, std::generic_category(), "import a buffer");
    map(bytes);
}

void Buffer::map(size_t bytes) {
    drm_etnaviv_gem_info info{m_handle, 0, 0};
    call(m_device.file(), DRM_IOCTL_ETNAVIV_GEM_INFO, &info, "locate a buffer");
    m_mapping = Mapping(m_device.file(), info.offset, bytes);
}

Buffer::~Buffer() {
    close_handle(m_device.file(), m_handle);
}

UserBuffer::UserBuffer(Device& device, std::span<const uint32_t> words, uint32_t rights)
    : m_device(device) {
    drm_etnaviv_gem_userptr create{reinterpret_cast<uintptr_t>(words.data()), words.size_bytes(),
                                   rights, 0};
    call(device.file(), DRM_IOCTL_ETNAVIV_GEM_USERPTR, &create, "share memory");
    m_handle = create.handle;
}

UserBuffer::~UserBuffer() {
    close_handle(m_device.file(), m_handle);
}

} // namespace guest

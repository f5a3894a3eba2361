// SPDX-License-Identifier: GPL-2.0-or-later
#include "physical_memory.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace guest {

namespace {

constexpr uint32_t PAGE = 4096;

} // namespace

PhysicalWindow::PhysicalWindow(uint32_t address, size_t bytes) : m_skip(address % PAGE) {
    const int file = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
    const size_t length = (m_skip + bytes + PAGE - 1) / PAGE * PAGE;
    void* memory = mmap64(nullptr, length, PROT_READ | PROT_WRITE, MAP_SHARED, file,
                          static_cast<off64_t>(address - m_skip));
    const int why = errno;
    close(file);
    if (memory == MAP_FAILED)
        throw std::system_error(why, std::generic_category(), "map /dev/mem");
    m_pages = {static_cast<char*>(memory), length};
}

PhysicalWindow::~PhysicalWindow() {
    munmap(m_pages.data(), m_pages.size());
}

} // namespace guest

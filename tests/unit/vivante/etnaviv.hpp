/*
 * A model of linux drivers/gpu/drm/etnaviv for kernels 6.1 and 6.12: its register accesses
 * (etnaviv_gpu.c) and ring handling (etnaviv_buffer.c), in the driver's order.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#ifndef PIXMILL_TESTS_UNIT_VIVANTE_ETNAVIV_HPP
#define PIXMILL_TESTS_UNIT_VIVANTE_ETNAVIV_HPP

#include "machine.hpp"

namespace pixmill::test {

enum class Mmu { kV1, kV2, kSecure };

struct EtnavivOptions {
    Mmu mmu = Mmu::kV1;
    bool pipe_2d = true;
    bool v6_12 = true;
    bool dynamic_frequency = false; /* bit 14 of chipMinorFeatures2 */
    uint32_t memory_base = 0x10000000;
};

class Etnaviv {
public:
    /* Guest-physical memory layout. The machine needs kRamSize bytes of RAM at kRam. */
    static constexpr uint32_t kRam = 0x10000000;
    static constexpr uint32_t kRamSize = 0x01000000;
    static constexpr uint32_t kCmdbuf = kRam; /* 512 KiB: the ring, then user buffers */
    static constexpr uint32_t kCmdbufSize = 0x80000;
    static constexpr uint32_t kRingSize = 0x1000;
    static constexpr uint32_t kBadPage = kRam + 0x080000;
    static constexpr uint32_t kMtlb = kRam + 0x081000;
    static constexpr uint32_t kPta = kRam + 0x082000;
    static constexpr uint32_t kStlb = kRam + 0x090000;      /* v2: tables of 4 KiB */
    static constexpr uint32_t kPageTable = kRam + 0x200000; /* v1: 2 MiB */
    static constexpr uint32_t kBuffers = kRam + 0x400000;   /* pages of BOs */
    static constexpr uint32_t kBoV1 = 0x80000000;           /* v1: address of the first BO */
    static constexpr uint32_t kBoV2 = 0x00400000;           /* v2: start of the softpin range */

    Etnaviv(Machine& machine, const EtnavivOptions& options);

    void hw_reset();
    void clock_update(uint32_t fscale = 64);
    void hw_init();
    void probe();
    void first_submit(); /* sets up the MMU and starts the front end */
    /* Maps @pages pages at @va to consecutive or scattered pages of kBuffers. */
    void map_bo(uint32_t va, uint32_t pages, bool scattered);
    uint64_t bo_address(uint32_t va) const; /* returns a physical address */
    uint32_t bo_base() const { return options_.mmu == Mmu::kV1 ? kBoV1 : kBoV2; }

    /* Queues a user stream that signals @event when done. */
    void submit(const Stream& user, uint32_t event, bool flush_mmu = true);
    void sync_point(uint32_t event);
    void sync_point_worker();
    uint32_t irq(); /* reads INTR_ACKNOWLEDGE once, like the handler */
    void buffer_end();
    int wait_idle(); /* returns the number of polls, or -1 after a timeout */
    void suspend();
    void resume();

    uint32_t ring_va() const { return ring_va_; }
    Machine& machine() { return m_; }

private:
    void build_tables();
    void restore_v1();
    void restore_v2();
    void restore_secure();
    void start_fe(uint32_t addr, uint32_t qwords);
    uint32_t reserve(uint32_t qwords); /* returns an offset in the ring */
    void put_ring(uint32_t offset, const Stream& stream);
    void replace_wait(uint32_t offset, uint32_t word0, uint32_t word1);
    void link_from_wait(uint32_t qwords, uint32_t ring_offset);
    Stream prologue(bool flush_mmu);
    Stream wait_link(uint32_t at) const;

    Machine& m_;
    EtnavivOptions options_;
    uint32_t ring_va_ = 0;
    uint32_t ring_used_ = 0;
    uint32_t wait_at_ = 0;
    uint32_t user_next_ = kRingSize;
    bool pipe_selected_ = false;
    bool fe_running_ = false;
};

} // namespace pixmill::test

#endif

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "etnaviv.hpp"

#include <gtest/gtest.h>

namespace pixmill::test {
namespace {

constexpr uint32_t kPteEmpty = 2;
constexpr uint32_t kPageSize = 0x1000;
constexpr uint32_t kWaitCycles = 200;

} // namespace

Etnaviv::Etnaviv(Machine& machine, const EtnavivOptions& options) : m_(machine), options_(options) {
    build_tables();
}

/* Like etnaviv_iommu_global_init() and etnaviv_iommuv1/v2_context_alloc(). */
void Etnaviv::build_tables() {
    m_.ram.set_words(kBadPage, Words(kPageSize / 4, 0xDEAD55AA));
    if (options_.mmu == Mmu::kV1) {
        m_.ram.set_words(kPageTable, Words(0x200000 / 4, kBadPage));
        ring_va_ = kCmdbuf - options_.memory_base;
        return;
    }
    m_.ram.set_words(kMtlb, Words(kPageSize / 4, kPteEmpty));
    m_.ram.set_words(kStlb, Words(64 * kPageSize / 4, kPteEmpty));
    m_.ram.set_word(kMtlb, kStlb | 1);
    for (uint32_t page = 0; page < kCmdbufSize / kPageSize; page++)
        m_.ram.set_word(kStlb + 4 * (page + 1), (kCmdbuf + page * kPageSize) | 1);
    m_.ram.set_word(kPta, kMtlb);
    m_.ram.set_word(kPta + 4, 0);
    ring_va_ = kPageSize;
}

void Etnaviv::map_bo(uint32_t va, uint32_t pages, bool scattered) {
    for (uint32_t i = 0; i < pages; i++) {
        const uint32_t slot = scattered ? (i * 37 + 11) % 512 : i;
        const uint32_t page = kBuffers + slot * kPageSize * (scattered ? 2 : 1);
        const uint32_t at = va + i * kPageSize;
        if (options_.mmu == Mmu::kV1) {
            m_.ram.set_word(kPageTable + ((at - 0x80000000u) >> 12) * 4, page);
            continue;
        }
        const uint32_t stlb = kStlb + (at >> 22) * kPageSize;
        m_.ram.set_word(kMtlb + (at >> 22) * 4, stlb | 1);
        m_.ram.set_word(stlb + (at >> 12 & 0x3FF) * 4, page | 1 | 4);
    }
}

uint64_t Etnaviv::bo_address(uint32_t va) const {
    const uint32_t entry =
        options_.mmu == Mmu::kV1
            ? m_.ram.word(kPageTable + ((va - 0x80000000u) >> 12) * 4)
            : m_.ram.word(kStlb + (va >> 22) * kPageSize + (va >> 12 & 0x3FF) * 4);
    return (entry & ~0xFFFu) | (va & 0xFFF);
}

/* ---- etnaviv_gpu.c ------------------------------------------------------ */

void Etnaviv::hw_reset() {
    if (options_.v6_12) {
        m_.set(reg::kPowerControls, 0);
        m_.set(reg::kPulseEater, 0x015B0880);
        m_.set(reg::kPulseEater, 0x015B0881);
    }
    m_.set(reg::kClock, 0x300);
    m_.set(reg::kClock, 0x100);
    m_.set(reg::kClock, 0x80100);
    if (options_.mmu == Mmu::kSecure)
        m_.set(reg::kAhbControl, 1);
    else
        m_.set(reg::kClock, 0x81100);
    m_.go(15'000);
    m_.set(reg::kClock, 0x80100);
    m_.set(reg::kClock, 0x100);
    EXPECT_EQ(m_.get(reg::kIdle) & 1, 1u) << "GPU failed to reset";
    const uint32_t control = m_.get(reg::kClock);
    EXPECT_EQ(control & 0x30000, 0x30000u) << "GPU failed to reset";
    m_.set(reg::kClock, control | 0x800);
    clock_update();
    pipe_selected_ = false;
    fe_running_ = false;
}

void Etnaviv::clock_update(uint32_t fscale) {
    if (options_.dynamic_frequency)
        return;
    uint32_t clock = m_.get(reg::kClock);
    clock = (clock & ~0x1FCu) | fscale << 2 | 0x200;
    m_.set(reg::kClock, clock);
    m_.set(reg::kClock, clock & ~0x200u);
}

void Etnaviv::hw_init() {
    const uint32_t model = m_.get(reg::kModel);
    const uint32_t revision = m_.get(reg::kRevision);
    if (model == 0x320 && revision == 0x5007 && m_.get(reg::kTime) != 0x02062400)
        m_.set(reg::kDebugMemory, (m_.get(reg::kDebugMemory) & ~0xFFu) | 0x0C);
    m_.set(reg::kPowerControls, m_.get(reg::kPowerControls) | 1);
    m_.set(reg::kModuleControls, m_.get(reg::kModuleControls) | 0x38000);
    m_.set(reg::kAxiConfig, 0x2200);
    if (model == 0x2000 && revision == 0x5108)
        m_.set(reg::kBusConfig, (m_.get(reg::kBusConfig) & ~0xFFu) | 1);
    if (options_.mmu == Mmu::kSecure)
        m_.set(reg::kAhbControl, m_.get(reg::kAhbControl) | 2);
    m_.set(reg::kPulseEater, 0x01590880);
    m_.set(reg::kIntrEnable, ~0u);
}

void Etnaviv::probe() {
    hw_reset();
    hw_init();
}

void Etnaviv::start_fe(uint32_t addr, uint32_t qwords) {
    m_.set(reg::kCommandAddress, addr);
    m_.set(reg::kCommandControl, kEnable | qwords);
    if (options_.mmu == Mmu::kSecure)
        m_.set(reg::kSecCommandControl, kEnable | qwords);
}

void Etnaviv::restore_v1() {
    for (uint32_t offset : {0x418u, 0x41Cu, 0x420u, 0x424u, 0x428u})
        m_.set(offset, options_.memory_base);
    for (uint32_t offset : {0x400u, 0x404u, 0x408u, 0x40Cu, 0x410u})
        m_.set(offset, kPageTable);
}

void Etnaviv::restore_v2() {
    if (m_.get(reg::kMmuControl) & 1)
        return;
    Stream config;
    config.state(state::kPipeSelect, options_.pipe_2d ? 1 : 0)
        .state(state::kMmuConfig, kMtlb)
        .state(state::kMmuSafe, kBadPage)
        .sync()
        .end();
    EXPECT_EQ(config.qwords(), 6u);
    m_.put_stream(kCmdbuf, config);
    start_fe(kCmdbuf, 6); /* a physical address, as translation is off */
    EXPECT_GE(wait_idle(), 0) << "MMU configuration timed out";
    m_.set(reg::kMmuControl, 1);
    EXPECT_EQ(m_.get(reg::kMmuControl) & 1, 1u);
}

void Etnaviv::restore_secure() {
    if (m_.get(reg::kSecControl) & 1)
        return;
    m_.set(reg::kPtaLow, kPta);
    m_.set(reg::kPtaHigh, 0);
    m_.set(reg::kPtaControl, 1);
    m_.set(reg::kNonsecSafeLow, kBadPage);
    m_.set(reg::kSecSafeLow, kBadPage);
    m_.set(reg::kSafeConfig, 0);
    m_.put_stream(kCmdbuf, Stream().state(state::kPtaConfig, 0).end());
    start_fe(kCmdbuf, 2);
    EXPECT_GE(wait_idle(), 0) << "PTA configuration timed out";
    m_.set(reg::kSecControl, 1);
}

void Etnaviv::first_submit() {
    switch (options_.mmu) {
    case Mmu::kV1:
        restore_v1();
        break;
    case Mmu::kV2:
        restore_v2();
        break;
    case Mmu::kSecure:
        restore_secure();
        break;
    }
    put_ring(0, wait_link(0));
    ring_used_ = 16;
    wait_at_ = 0;
    start_fe(ring_va_, 2);
    fe_running_ = true;
}

/* Like etnaviv_gpu_wait_idle(): polls every 5 us for at most 100 ms. */
int Etnaviv::wait_idle() {
    const bool eight = m_.get(reg::kModel) == 0x600 && m_.get(reg::kRevision) == 0x19;
    const uint32_t mask = eight ? 0xFF : 0x7FFFFFFF;
    for (int polls = 0; polls < 20'000; polls++) {
        if ((m_.get(reg::kIdle) & mask) == mask)
            return polls;
        m_.go(5'000);
    }
    return -1;
}

uint32_t Etnaviv::irq() {
    return m_.get(reg::kIntrAck);
}

/* ---- etnaviv_buffer.c --------------------------------------------------- */

Stream Etnaviv::wait_link(uint32_t at) const {
    return Stream().wait(kWaitCycles).link(2, ring_va_ + at);
}

void Etnaviv::put_ring(uint32_t offset, const Stream& stream) {
    m_.put_stream(kCmdbuf + offset, stream);
}

uint32_t Etnaviv::reserve(uint32_t qwords) {
    if (ring_used_ + qwords * 8 > kRingSize)
        ring_used_ = 0;
    const uint32_t at = ring_used_;
    ring_used_ += qwords * 8;
    return at;
}

void Etnaviv::replace_wait(uint32_t offset, uint32_t word0, uint32_t word1) {
    m_.ram.set_word(kCmdbuf + offset + 4, word1);
    m_.ram.set_word(kCmdbuf + offset, word0);
}

void Etnaviv::link_from_wait(uint32_t qwords, uint32_t ring_offset) {
    replace_wait(wait_at_, op::kLink | qwords, ring_va_ + ring_offset);
}

Stream Etnaviv::prologue(bool flush_mmu) {
    Stream s;
    if (flush_mmu) {
        if (options_.mmu == Mmu::kV1)
            s.state(state::kFlushMmu, 0x1F);
        else
            s.state(state::kMmuConfig, options_.mmu == Mmu::kV2 ? kMtlb | 0x18 : 0x18).sync();
    }
    if (!pipe_selected_) {
        s.state(state::kFlushCache, 0).sync();
        s.state(state::kPipeSelect, options_.pipe_2d ? 1 : 0);
        pipe_selected_ = true;
    }
    return s;
}

void Etnaviv::submit(const Stream& user, uint32_t event, bool flush_mmu) {
    if (!fe_running_)
        first_submit();
    const uint32_t user_offset = user_next_;
    user_next_ = (user_next_ + user.bytes() + 8 + 0xFFF) & ~0xFFFu;
    uint32_t link_qwords = user.qwords() + 1;
    uint32_t link_offset = user_offset;
    Stream first = prologue(flush_mmu);
    if (first.qwords()) {
        const uint32_t at = reserve(first.qwords() + 1);
        put_ring(at, first.link(link_qwords, ring_va_ + user_offset));
        link_qwords = first.qwords();
        link_offset = at;
    }
    const uint32_t back = reserve(7);
    m_.put_stream(kCmdbuf + user_offset, Stream(user).link(7, ring_va_ + back));
    Stream tail = Stream().state(state::kFlushCache, options_.pipe_2d ? 8 : 0x23);
    if (!options_.pipe_2d)
        tail.state(state::kTsFlush, 1);
    tail.sync().event(event | kEventFromPe);
    const uint32_t wait = back + tail.bytes();
    ring_used_ = wait + 16;
    put_ring(back, tail.add(wait_link(wait)));
    link_from_wait(link_qwords, link_offset);
    wait_at_ = wait;
}

void Etnaviv::sync_point(uint32_t event) {
    const uint32_t at = reserve(4);
    put_ring(at, Stream().event(event | kEventFromPe).end().add(wait_link(at + 16)));
    link_from_wait(4, at);
    wait_at_ = at + 16;
}

void Etnaviv::sync_point_worker() {
    const uint32_t addr = m_.get(reg::kFeAddress);
    m_.set(reg::kPowerControls, m_.get(reg::kPowerControls) & ~1u);
    m_.set(reg::kClock, m_.get(reg::kClock) & ~0x800u);
    m_.set(reg::kClock, m_.get(reg::kClock) | 0x800);
    m_.set(reg::kPowerControls, m_.get(reg::kPowerControls) | 1);
    start_fe(addr + 2, 2);
}

void Etnaviv::buffer_end() {
    if (!pipe_selected_) {
        replace_wait(wait_at_, op::kEnd, 0);
        return;
    }
    const uint32_t at = reserve(7);
    Stream s = Stream().sync().state(state::kFlushCache, options_.pipe_2d ? 8 : 0x57);
    if (!options_.pipe_2d)
        s.state(state::kTsFlush, 1);
    put_ring(at, s.sync().end());
    link_from_wait(7, at);
}

void Etnaviv::suspend() {
    const uint32_t idle = m_.get(reg::kIdle) | 1 | 0x4000;
    EXPECT_TRUE((idle & 0xFF) == 0xFF) << "autosuspend would be refused";
    if (fe_running_) {
        buffer_end();
        EXPECT_GE(wait_idle(), 0) << "timed out waiting for idle";
        fe_running_ = false;
        pipe_selected_ = false;
    }
}

void Etnaviv::resume() {
    clock_update();
    hw_init();
}

} // namespace pixmill::test

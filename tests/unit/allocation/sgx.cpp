/*
 * The SGX544 on a host that runs out of memory. Only creation allocates.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "../sgx/machine.hpp"
#include "scarce_heap.hpp"

namespace pixmill::test {
namespace {

TEST(SgxAllocation, Creation) {
    expect_creation_or_nothing(pixmill_sgx, nullptr);
}

TEST(SgxAllocation, NothingElseAsks) {
    Sgx gpu;
    gpu.host.ram.add(0x80000000, 0x10000);
    const ScarceHeap heap(gpu.host);
    for (uint32_t offset = 0; offset < 0x10000 + 0x200; offset += 4) {
        if (offset % 0x4000 >= 0x0AB0 && offset % 0x4000 <= 0x0AD8)
            continue; /* the test's host allocates to record kicks */
        gpu.write(offset, 0x80000000);
        gpu.read(offset);
    }
    for (uint32_t requester = 0; requester < PIXMILL_SGX_REQUESTERS; requester++)
        for (const uint32_t core : {0u, 1u})
            gpu.walk(PixmillSgxRequester(requester), 0x12345000, core != 0, core);
    for (size_t i = 0; const char* name = pixmill_sgx_event(i); i++)
        gpu.raise(i % 2, name);
    gpu.host.entries++;
    for (const PixmillSgxFault fault : {PIXMILL_SGX_FAULT_RESPONSE_0, PIXMILL_SGX_FAULT_RESPONSE_1,
                                        PIXMILL_SGX_FAULT_LOST_EVENT, PIXMILL_SGX_FAULT_LOST_KICK})
        pixmill_sgx.inject(gpu.abi(), fault);
    PixmillRegister row;
    for (size_t i = 0; pixmill_sgx.register_at(gpu.abi(), i, &row); i++) {
    }
    gpu.host.entries--;
    gpu.run();
    gpu.counters();
    EXPECT_EQ(gpu.load(gpu.save()), PIXMILL_OK);
    gpu.reset();
    EXPECT_EQ(heap.requests(), 0u);
}

} // namespace
} // namespace pixmill::test

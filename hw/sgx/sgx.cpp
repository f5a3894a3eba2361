// SPDX-License-Identifier: GPL-2.0-or-later
//
// The C ABI of include/pixmill/sgx.h.
#include "pixmill/sgx.h"

#include <iterator>

#include "common/guard.hpp"
#include "gpu.hpp"

using pixmill::sgx::Gpu;

struct PixmillSgx {
    Gpu gpu;
    PixmillSgx(const PixmillSgxConfig& config, const PixmillHost& host) : gpu(config, host) {}
};

namespace {

bool complete(const PixmillHost& h) {
    return h.map && h.dirty && h.set_irq && h.clock_ns && h.request_run && h.log && h.trace;
}

/// Takes row `index` of `table`, whose block is at `base`, or counts the table's rows off it.
template<class Block>
bool take_row(std::span<const pixmill::sgx::Register<Block>> table, const Block& block,
              uint32_t base, size_t& index, PixmillRegister* out) {
    if (index >= table.size()) {
        index -= table.size();
        return false;
    }
    const pixmill::sgx::Register<Block>& reg = table[index];
    const bool identity = reg.access == PIXMILL_ACCESS_RO && reg.read && !reg.latch;
    const uint32_t reset = identity ? reg.read(block, reg.offset) : reg.reset;
    *out = {base + reg.offset, reg.name, "", reg.access, reset, reg.mask, reg.note};
    return true;
}

} // namespace

extern "C" {

PixmillResult pixmill_sgx_create(const PixmillSgxConfig* config, const PixmillHost* host,
                                 PixmillSgx** out) {
    if (!host || !out)
        return PIXMILL_ERROR_ARGUMENT;
    *out = nullptr;
    if (host->api_version != PIXMILL_API_VERSION)
        return PIXMILL_ERROR_VERSION;
    const PixmillSgxConfig zero{};
    if (!config)
        config = &zero;
    if (!complete(*host) || config->init_status % 4 != 0)
        return PIXMILL_ERROR_ARGUMENT;
    return pixmill::guarded(PIXMILL_ERROR_MEMORY, [&] {
        *out = new PixmillSgx(*config, *host);
        return PIXMILL_OK;
    });
}

void pixmill_sgx_destroy(PixmillSgx* sgx) {
    delete sgx;
}

void pixmill_sgx_reset(PixmillSgx* sgx) {
    sgx->gpu.power_on();
}

PixmillResult pixmill_sgx_mmio_read(PixmillSgx* sgx, uint32_t offset, uint32_t size,
                                    uint32_t* value) {
    return sgx->gpu.read(offset, size, *value);
}

PixmillResult pixmill_sgx_mmio_write(PixmillSgx* sgx, uint32_t offset, uint32_t size,
                                     uint32_t value) {
    return sgx->gpu.write(offset, size, value);
}

int64_t pixmill_sgx_run(PixmillSgx* sgx) {
    return sgx->gpu.run();
}

const char* pixmill_sgx_requester(size_t requester) {
    return pixmill::sgx::requester_name(requester);
}

PixmillSgxWalk pixmill_sgx_walk(PixmillSgx* sgx, uint32_t core, PixmillSgxRequester requester,
                                uint32_t va, bool write, uint64_t* physical) {
    *physical = 0;
    if (core >= PIXMILL_SGX_CORES || requester >= PIXMILL_SGX_REQUESTERS)
        return PIXMILL_SGX_WALK_STOPPED;
    return sgx->gpu.walk(core, requester, va, write, *physical);
}

bool pixmill_sgx_register(const PixmillSgx* sgx, size_t index, PixmillRegister* out) {
    using namespace pixmill::sgx;
    const Gpu& gpu = sgx->gpu;
    return take_row(CoreBank::registers(), gpu.cores[0], 0x0000, index, out) ||
           take_row(MasterBank::registers(), gpu.master, 0x4000, index, out) ||
           take_row(Wrapper::registers(), gpu.wrapper, Wrapper::base, index, out);
}

void pixmill_sgx_counters(const PixmillSgx* sgx, PixmillSgxCounters* out) {
    *out = sgx->gpu.counters;
}

const char* pixmill_sgx_event(size_t index) {
    using pixmill::sgx::event_table;
    return index < std::size(event_table) ? event_table[index].name : nullptr;
}

PixmillResult pixmill_sgx_raise(PixmillSgx* sgx, uint32_t core, const char* name) {
    const pixmill::sgx::Event* event = name ? pixmill::sgx::find_event(name) : nullptr;
    if (core >= PIXMILL_SGX_CORES || !event)
        return PIXMILL_ERROR_ARGUMENT;
    sgx->gpu.cores[core].events.raise(*event);
    sgx->gpu.settle();
    return PIXMILL_OK;
}

void pixmill_sgx_inject(PixmillSgx* sgx, PixmillSgxFault fault) {
    Gpu& gpu = sgx->gpu;
    switch (fault) {
    case PIXMILL_SGX_FAULT_RESPONSE_0:
    case PIXMILL_SGX_FAULT_RESPONSE_1:
        gpu.counters.bus_errors++;
        gpu.wrapper.raise(pixmill::sgx::event_response_error[fault]);
        gpu.settle();
        break;
    case PIXMILL_SGX_FAULT_LOST_EVENT:
        gpu.lose_event = true;
        break;
    case PIXMILL_SGX_FAULT_LOST_KICK:
        gpu.lose_kick = true;
        break;
    }
}

void pixmill_sgx_save(const PixmillSgx* sgx, PixmillSgxState* out) {
    *out = sgx->gpu.s;
}

PixmillResult pixmill_sgx_load(PixmillSgx* sgx, const PixmillSgxState* in) {
    return sgx->gpu.load(*in) ? PIXMILL_OK : PIXMILL_ERROR_STATE;
}

} // extern "C"

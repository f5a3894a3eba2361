// SPDX-License-Identifier: GPL-2.0-or-later
#include "microkernel.hpp"

#include "common/memory/bus.hpp"
#include "gpu.hpp"
#include "offsets.hpp"

namespace pixmill::sgx {
namespace {

/// Answers like the microkernel, which sets bit 0 of a word in memory when it has started. The
/// driver polls this word (InitStatus, sgxinit.c of the vendor's kernel services).
void answer(Gpu& gpu, CoreBank& core, const char* name) {
    if (!core.bif.bypassed(PIXMILL_SGX_EDM) && !core.bif.directory(PIXMILL_SGX_EDM).value_or(0)) {
        gpu.host.guest_error(Cause::kick_without_directory, core.number,
                             "%s of core %u: the event data master has no page directory", name,
                             core.number);
        return;
    }
    if (!Bus(gpu.host).write32(gpu.config.init_status, 1))
        core.bif.bus_error("fake microkernel", gpu.config.init_status, true);
}

} // namespace

void kick(Gpu& gpu, CoreBank& core, uint32_t number, uint32_t value, const char* name) {
    if (core.held(soft_reset::use.mask())) {
        gpu.host.guest_error(Cause::kick_in_reset, core.number << 4 | number,
                             "%s of core %u, whose USE is in reset", name, core.number);
        return;
    }
    if (gpu.lose_kick) {
        gpu.lose_kick = false;
        return;
    }
    gpu.counters.kicks++;
    gpu.host.trace(PIXMILL_TRACE_COMMAND, core.number, value, name);
    if (gpu.config.kick)
        gpu.config.kick(gpu.user, core.number, number);
    if (gpu.config.fake_microkernel)
        answer(gpu, core, name);
    else
        gpu.host.unimplemented(Cause::kick, core.number << 4 | number,
                               "%s of core %u: USSE code is not executed, nothing will answer",
                               name, core.number);
}

} // namespace pixmill::sgx

/*
 * A bus that stalls until the core's work in flight is done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plain wait, without the BQL, in the middle of the access would be simpler.
 * Each part that is more than that is forced by a promise; the tests named here
 * check it.
 *
 * The vCPU leaves the instruction and makes it anew, vcpu_can_leave():
 *   stop, and whatever the main loop wants of a vCPU, take 50 ms at most, and
 *   no store is lost.  A NEMA|GFX refuses a store while a list runs, for hours
 *   if the guest likes, and a Geode holds one for 64 million pixels.  To finish
 *   it first takes too long, and to give it up loses it.
 *   HostileLoad of NemaStall and NemaStallGr5526,
 *   GeodeProcessor.StopsWhileItsStoreIsHeld,
 *   Gr5526Firmware.LosesNoWriteOfAStalledBus.
 *
 * ... for interrupts and work of other vCPUs, too, not for a stop alone:
 *   in a multi-processor guest others wait for this vCPU, in run_on_cpu() and
 *   before exclusive instructions, and so does the main loop, to see what has
 *   been written to a display.  Their work cannot be done here: a flush frees
 *   the TLB entries by which TCG is making the store.  No test shows this: the
 *   two processors of GeodeProcessors ask nothing of each other.
 *
 * What has been taken of a store is noted (retries.h):
 *   a store that the Geode's bus holds has been taken when the vCPU leaves, and
 *   so has the first half of eight bytes whose second half waits.  Made anew,
 *   they would start their work twice.  The vCPU could leave after the store
 *   instead, since TCG ends its block there; but it must then be kept from its
 *   next instruction until the pixels are there, also after a snapshot, since
 *   drivers go on with the processor.
 *   GeodeProcessor.StartsOnceWhatItWaitsForWhenOthersWriteMeanwhile,
 *   StoresTwoWordsOnceOfWhichTheSecondStartsWork and ...Waits; in a snapshot
 *   TakesItsStoreAlongToAnotherMachine.
 *
 * ... by its instruction and registers, not by address and value, or by vCPU:
 *   until the vCPU is back, handlers on it and other vCPUs may make an equal
 *   store, which is theirs, and the guest's scheduler may let the thread go on
 *   on another vCPU.  GeodeProcessors.ShareTheBusForLargeOperations; no test
 *   has a scheduler.
 *
 * An access is judged by the depth of RCU's read lock, access_is_direct():
 *   DMA of another device never waits, and is never left by a longjmp: it is in
 *   the middle of that device's code.
 *   GeodeBus.DmaIsRefusedWhereAProcessorWouldWait,
 *   GeodeProcessor.IsNotTakenOutOfAnotherDevicesCode.
 *
 * Only a core that refuses or holds stores comes here.  Vivante and SGX cores
 * never do.  A NEMA|GFX takes a store whole or not at all and needs no notes.
 */
#include "qemu/osdep.h"
#include "qemu/main-loop.h"
#include "qemu/rcu.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "system/qtest.h"
#include "system/replay.h"
#include "system/tcg.h"
#include "hw/pixmill/compat.h"
#include "bus-stall.h"
#include "hw/pixmill/trace.h"

enum {
    /* The main loop, or a stop of the VM, waits no longer for a stalled bus. */
    STALL_NS = 1000 * SCALE_MS,
    /* A stalled access lets others have the BQL for that long at a time. */
    STALL_SLICE_NS = 1 * SCALE_MS,
};

/*
 * Attributes do not tell who makes an access.  Most DMA has
 * MEMTXATTRS_UNSPECIFIED, as tests have; an MSI and some masters state theirs,
 * as a vCPU does; and so do stores that a vCPU makes on the side, for a page
 * table or SMM's state, for which no instruction can be executed anew.  But
 * accesses nest, and each holds RCU's read lock once more: the loop of TCG for
 * what its code stores, else address_space_write(), and enter().  The loop that
 * executes one instruction alone, while all other vCPUs stand still, does not
 * hold it.
 */
static bool access_is_direct(void)
{
    bool alone = tcg_enabled() && current_cpu &&
                 cpu_in_exclusive_context(current_cpu);

    return get_ptr_rcu_reader()->depth <= (alone ? 1 : 2);
}

bool pixmill_bus_serves_instruction(void)
{
    return tcg_enabled() && current_cpu && current_cpu->running &&
           access_is_direct();
}

/*
 * A vCPU, a debugger and a test may wait in an access and release the BQL
 * meanwhile.  DMA may not: it is in the middle of its device's code, which
 * holds guards and has not finished its registers, or of the main loop.
 */
static bool may_wait(MemTxAttrs attrs)
{
    if (tcg_enabled() && current_cpu) {
        return pixmill_bus_serves_instruction();
    }
    return access_is_direct() &&
           (current_cpu || attrs.debug || qtest_driver());
}

/*
 * TCG makes an access anew, so its vCPU goes to its loop at once when it is
 * asked to: for a stop of the VM, an interrupt, or work of another vCPU.  Under
 * record/replay for a stop only: there the order of events is that of
 * instructions, and half an access has no place in it.  Where there is no
 * instruction, but an exception that is being taken, it stays.
 */
static bool vcpu_can_leave(const CPUState *cpu)
{
    return tcg_enabled() && cpu->mem_io_pc &&
           (cpu->stop || (replay_mode == REPLAY_MODE_NONE &&
                          qatomic_read(&cpu->exit_request)));
}

/*
 * A stall ends even if the guest has made up work for hours.  The access of a
 * vCPU of any other accelerator that is to stop will be lost, and so is that of
 * the main loop, which no vCPU is: a debugger or a test.
 */
static bool stall_is_over(PixmillBusStall *stall)
{
    if (current_cpu && vcpu_can_leave(current_cpu)) {
        stall->restart = true;
        return true;
    }
    if (current_cpu && !current_cpu->stop) {
        return false;
    }
    if (!stall->deadline) {
        stall->deadline = get_clock() + STALL_NS;
    }
    return get_clock() > stall->deadline;
}

bool pixmill_bus_stall(PixmillWorker *w, PixmillBusStall *stall,
                       MemTxAttrs attrs)
{
    stall->refused = !may_wait(attrs);
    if (stall->refused || w->paused || stall->idle || stall_is_over(stall)) {
        return false;
    }
    /*
     * The BQL is free while anything is done, and not just in between: who
     * waits for it takes longer to wake up than we would to take it again.  The
     * lock is held where the BQL is given up, but not where it is taken again.
     */
    bql_unlock();
    pixmill_worker_help(w, STALL_SLICE_NS);
    pixmill_worker_let_go(w);
    bql_lock();
    pixmill_worker_enter(w);
    stall->idle = pixmill_worker_is_idle(w);
    trace_pixmill_bus_stall(w->name, stall->idle);
    return true;
}

void pixmill_bus_restart_vcpu(void)
{
    cpu_loop_exit_restore(current_cpu, current_cpu->mem_io_pc);
}

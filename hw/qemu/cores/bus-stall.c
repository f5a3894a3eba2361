/*
 * A bus that stalls until the core's work in flight is done.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A plain wait in the middle of the access, without the BQL, would be simpler.
 * Each part that goes beyond it has a reason; the tests named here check it.
 *
 * The vCPU leaves the instruction and executes it again, vcpu_can_leave():
 *   A stop, or anything else that the main loop wants from a vCPU, must take
 *   50 ms at most, and no store may be lost.  A NEMA|GFX refuses a store while
 *   a list runs, for hours if the guest likes, and a Geode holds one for 64
 *   million pixels.  It would take too long to finish the store first.
 *   HostileLoad of NemaStall and NemaStallGr5526,
 *   GeodeProcessor.StopsWhileItsStoreIsHeld,
 *   Gr5526Firmware.LosesNoWriteOfAStalledBus.
 *
 * It also leaves for interrupts and for work of other vCPUs:
 *   In a multi-processor guest, other vCPUs wait for this one, in run_on_cpu()
 *   and before exclusive instructions; so does the main loop, to see what has
 *   been written to a display.  Work of other vCPUs cannot be done inside the
 *   access: a flush would free the TLB entries that TCG is using for the store.
 *   No test covers this, because the two processors of GeodeProcessors never
 *   wait for each other.
 *
 * The part of a store that has been taken is recorded (retries.h):
 *   When the vCPU leaves, the device has already taken a store that the Geode's
 *   bus holds, or the first half of eight bytes whose second half waits.  If it
 *   were executed again, it would start its work twice.  The vCPU could leave
 *   after the store instead, because TCG ends its block there.  But it would
 *   have to be kept from its next instruction until the pixels are drawn, even
 *   across a snapshot, because drivers then access them with the processor.
 *   GeodeProcessor.StartsWorkOnceDespiteOtherWriters,
 *   StoresTwoWordsOnceIfTheSecondStartsWork and ...Waits; in a snapshot
 *   MigratesAStalledStore.
 *
 * The record has the instruction and registers, but no address, value or vCPU:
 *   Until the vCPU is back, handlers on it and other vCPUs may make an equal
 *   store, and the guest's scheduler may resume the thread on another vCPU.
 *   GeodeProcessors.ShareTheBusForLargeOperations; no test has a scheduler.
 *
 * RCU's read lock depth shows who makes an access, access_is_direct():
 *   DMA of another device must never wait, and must not be left by a longjmp:
 *   it is in the middle of that device's code.
 *   GeodeBus.DmaIsRefusedWhereAProcessorWouldWait,
 *   GeodeProcessor.IsNotRestartedInsideAnotherDevice.
 *
 * Only cores that refuse or hold stores use this file; Vivante and SGX cores do
 * not.  A NEMA|GFX takes a store whole or not at all, and needs no records.
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
    /* Maximum delay of the main loop, or of a stop of the VM. */
    STALL_NS = 1000 * SCALE_MS,
    /* A stalled access releases the BQL for this long at a time. */
    STALL_SLICE_NS = 1 * SCALE_MS,
};

/*
 * True if the current access is not nested in another one.  Attributes do not
 * tell who makes an access: most DMA, like that of tests, has
 * MEMTXATTRS_UNSPECIFIED.  An MSI and some bus masters set attributes as a vCPU
 * does.  So do implicit stores of a vCPU to a page table or to SMM's state,
 * which no instruction can repeat.  But each level of nesting takes RCU's read
 * lock once more: TCG's loop for stores of guest code, or else
 * address_space_write(), and then enter().  The loop that executes one
 * instruction while all other vCPUs are stopped does not take it.
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
 * A vCPU, a debugger and a test may wait in an access, and release the BQL
 * meanwhile.  DMA must not: its caller is the code of another device, which
 * holds guards and has not updated its registers yet, or the main loop.
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
 * TCG can repeat an access, so its vCPU returns to its loop as soon as it is
 * asked to: for a stop of the VM, an interrupt, or work of another vCPU.  Under
 * record/replay it leaves only for a stop, because events are ordered by
 * instructions there, and half an access has no place in that order.  While an
 * exception is being taken, there is no instruction to restart, so the vCPU
 * stays.
 */
static bool vcpu_can_leave(const CPUState *cpu)
{
    return tcg_enabled() && cpu->mem_io_pc &&
           (cpu->stop || (replay_mode == REPLAY_MODE_NONE &&
                          qatomic_read(&cpu->exit_request)));
}

/*
 * A stall ends even if the guest has queued work for hours.  If a vCPU of
 * another accelerator must stop, its access is lost.  The same is true of an
 * access of the main loop, which comes from a debugger or a test.
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
     * Release the BQL for the whole slice, not just in between, because a
     * waiter takes longer to wake up than this thread takes to lock it again.
     *
     * Keep the device lock meanwhile, so that the VM cannot be paused between
     * the check above and the work.  This does not invert the order of the
     * locks: bql_unlock() does not wait, and each bql_lock() until enter() is
     * called without the device lock, also that for interrupts in help().
     */
    bql_unlock();
    pixmill_worker_help(w, STALL_SLICE_NS);
    pixmill_worker_release(w);
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

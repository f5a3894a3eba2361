/*
 * Stores that a vCPU has left unfinished and will make again.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "exec/cpu-common.h"
#include "exec/gdbstub.h"
#include "hw/core/cpu.h"
#include "retries.h"

/*
 * TCG describes an instruction by its address and some target-specific words.
 */
enum { UNWIND_WORDS = 3 };
/* The number of general registers in 32-bit x86 code; r0 to r7 on Arm. */
enum { GENERAL_REGISTERS = 8 };

/*
 * Returns the instruction that makes the current vCPU's access: its address, or
 * its offset in the page if TCG keeps only that (CF_PCREL).
 */
static uint64_t current_instruction(void)
{
    uint64_t words[UNWIND_WORDS] = { 0 };

    cpu_unwind_state_data(current_cpu, current_cpu->mem_io_pc, words);
    return words[0];
}

/*
 * Returns a hash (FNV-1a) of general registers.  On all targets that have these
 * devices, they are the first registers of the gdbstub.  TCG writes them back
 * before each store, so they are the same when the instruction is executed
 * again.
 */
static uint64_t current_context(void)
{
    g_autoptr(GByteArray) registers = g_byte_array_new();
    uint64_t hash = 0xCBF29CE484222325;

    for (int i = 0; i < GENERAL_REGISTERS; i++) {
        gdb_read_register(current_cpu, registers, i);
    }
    for (guint i = 0; i < registers->len; i++) {
        hash = (hash ^ registers->data[i]) * 0x100000001B3;
    }
    return hash;
}

static void forget(PixmillRetries *retries, uint32_t index)
{
    retries->count--;
    memmove(&retries->at[index], &retries->at[index + 1],
            (retries->count - index) * sizeof(retries->at[0]));
}

void pixmill_retries_note(PixmillRetries *retries, const PixmillStore *store)
{
    if (!store->done) {
        return;
    }
    if (retries->count == ARRAY_SIZE(retries->at)) {
        forget(retries, 0);
    }
    retries->at[retries->count++] = (PixmillRetry) {
        .instruction = current_instruction(),
        .context = current_context(),
        .store = *store,
    };
}

static bool is_same(const PixmillRetry *a, const PixmillRetry *b)
{
    return a->instruction == b->instruction && a->context == b->context &&
           a->store.addr == b->store.addr && a->store.size == b->store.size &&
           a->store.data == b->store.data;
}

void pixmill_retries_resume(PixmillRetries *retries, PixmillStore *store)
{
    PixmillRetry now;

    if (!current_cpu->mem_io_pc) {
        return; /* an exception is being taken: no restart */
    }
    now = (PixmillRetry) {
        .instruction = current_instruction(),
        .context = current_context(),
        .store = *store,
    };
    for (uint32_t i = 0; i < retries->count; i++) {
        if (is_same(&retries->at[i], &now)) {
            store->done = retries->at[i].store.done;
            forget(retries, i);
            return;
        }
    }
}

/* ---- Migration ---------------------------------------------------------- */

static bool is_valid(const PixmillStore *store)
{
    return store->size <= 8 && store->done && store->done <= store->size &&
           (store->done == store->size || store->done % 4 == 0);
}

bool pixmill_retries_valid(const PixmillRetries *retries)
{
    if (retries->count > ARRAY_SIZE(retries->at)) {
        return false;
    }
    for (uint32_t i = 0; i < retries->count; i++) {
        if (!is_valid(&retries->at[i].store)) {
            return false;
        }
    }
    return true;
}

const VMStateDescription vmstate_pixmill_retry = {
    .name = "pixmill-retry",
    .version_id = 1,
    .minimum_version_id = 1,
    .fields = (const VMStateField[]) {
        VMSTATE_UINT64(instruction, PixmillRetry),
        VMSTATE_UINT64(context, PixmillRetry),
        VMSTATE_UINT64(store.addr, PixmillRetry),
        VMSTATE_UINT64(store.data, PixmillRetry),
        VMSTATE_UINT32(store.size, PixmillRetry),
        VMSTATE_UINT32(store.done, PixmillRetry),
        VMSTATE_END_OF_LIST()
    },
};

/*
 * Stores that a vCPU will make again, because it has left them in the middle.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "qemu/osdep.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "retries.h"

/* TCG's words for an instruction: its address, and what the target adds. */
enum { UNWIND_WORDS = 3 };

/*
 * The instruction that makes the current vCPU's access: its address, or what
 * TCG keeps of that where code does not depend on it, the offset in its page.
 */
static uint64_t current_instruction(void)
{
    uint64_t words[UNWIND_WORDS] = { 0 };

    cpu_unwind_state_data(current_cpu, current_cpu->mem_io_pc, words);
    return words[0];
}

bool pixmill_retries_have_room(const PixmillRetries *retries)
{
    return retries->count < ARRAY_SIZE(retries->at);
}

void pixmill_retries_note(PixmillRetries *retries, const PixmillStore *store)
{
    if (store->done) {
        retries->at[retries->count++] = (PixmillRetry) {
            .cpu = current_cpu->cpu_index,
            .instruction = current_instruction(),
            .store = *store,
        };
    }
}

static PixmillRetry *find(PixmillRetries *retries)
{
    uint64_t instruction = current_instruction();

    for (uint32_t i = 0; i < retries->count; i++) {
        PixmillRetry *retry = &retries->at[i];

        if (retry->cpu == current_cpu->cpu_index &&
            retry->instruction == instruction) {
            return retry;
        }
    }
    return NULL;
}

void pixmill_retries_resume(PixmillRetries *retries, PixmillStore *store)
{
    PixmillRetry *retry = find(retries);

    if (!retry) {
        return;
    }
    if (retry->store.addr == store->addr && retry->store.size == store->size &&
        retry->store.data == store->data) {
        store->done = retry->store.done;
    }
    /* If it is another one, the vCPU has not come back, as of a dead process. */
    *retry = retries->at[--retries->count];
}

/* ---- Migration ---------------------------------------------------------- */

static bool is_plausible(const PixmillStore *store)
{
    return store->size <= 8 && store->done && store->done <= store->size &&
           (store->done == store->size || store->done % 4 == 0);
}

bool pixmill_retries_plausible(const PixmillRetries *retries)
{
    if (retries->count > ARRAY_SIZE(retries->at)) {
        return false;
    }
    for (uint32_t i = 0; i < retries->count; i++) {
        if (!is_plausible(&retries->at[i].store)) {
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
        VMSTATE_UINT32(cpu, PixmillRetry),
        VMSTATE_UINT64(instruction, PixmillRetry),
        VMSTATE_UINT64(store.addr, PixmillRetry),
        VMSTATE_UINT64(store.data, PixmillRetry),
        VMSTATE_UINT32(store.size, PixmillRetry),
        VMSTATE_UINT32(store.done, PixmillRetry),
        VMSTATE_END_OF_LIST()
    },
};

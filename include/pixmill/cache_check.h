/*
 * Checks cache maintenance: a model of a processor's data cache that is told about every access to
 * memory, and reports those that see, or destroy, other bytes than on hardware without coherence.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The processor's memory map is flat, and each range of memory that it may cache is a region. The
 * model has no eviction of its own when it reports: a line may leave a cache at any time, and may
 * stay forever, so an access that is wrong in one of the two cases is reported. A second model, of
 * the cache's size, says which reports are likely.
 *
 * All functions take a PixmillCacheCheck from one thread at a time. None calls the host, except
 * PixmillCacheConfig.changed().
 */
#ifndef PIXMILL_CACHE_CHECK_H
#define PIXMILL_CACHE_CHECK_H

#include <stddef.h>

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    PIXMILL_CACHE_LINE = 32,
    PIXMILL_CACHE_WAYS = 4,
    PIXMILL_CACHE_MAX_REGIONS = 16,
    PIXMILL_CACHE_MAX_MASTERS = 8,
    PIXMILL_CACHE_MPU_REGIONS = 16,
};

typedef struct PixmillCacheCheck PixmillCacheCheck;

/* Memory at an address of the processor. */
typedef struct PixmillCacheRegion {
    uint32_t address; /* both are multiples of 1 KiB */
    uint32_t size;
    uint8_t *ram; /* its first byte; regions that begin at the same byte are one memory */
} PixmillCacheRegion;

typedef struct PixmillCacheConfig {
    uint32_t api_version; /* PIXMILL_API_VERSION */
    uint32_t size;   /* of the data cache in bytes: 0, or a power of two from 4 KiB to 64 KiB */
    bool act;        /* masters and the processor get the bytes that a cache would give them */
    bool speculates; /* report lines that only a speculative access can have filled */
    uint32_t seed;   /* of the choice of victims */
    const PixmillCacheRegion *regions;
    uint32_t region_count;

    /*
     * Reports that the model has changed bytes of a region's RAM. Called only if @act.
     * @address: of the processor.
     */
    void (*changed)(void *user, uint32_t address, uint32_t len);
    void *user;
} PixmillCacheConfig;

/* Selects which memory is cached. Changes at run time. */
typedef struct PixmillCacheControl {
    bool enabled; /* CCR.DC */
    bool siwt;    /* CACR.SIWT: shareable memory is cached, write-through */
    bool forcewt; /* CACR.FORCEWT: all cached memory is write-through */
    uint32_t mpu_ctrl;
    uint32_t mpu_regions;
    uint32_t rbar[PIXMILL_CACHE_MPU_REGIONS]; /* only the address counts */
    uint32_t rasr[PIXMILL_CACHE_MPU_REGIONS];
} PixmillCacheControl;

typedef enum PixmillCacheOperation {
    PIXMILL_CACHE_CLEAN = 1,
    PIXMILL_CACHE_INVALIDATE = 2,
    PIXMILL_CACHE_CLEAN_INVALIDATE = 3,
} PixmillCacheOperation;

/* Returns NULL if the host is out of memory or @config is invalid. */
PixmillCacheCheck *pixmill_cache_check_create(const PixmillCacheConfig *config);
void pixmill_cache_check_destroy(PixmillCacheCheck *check);

/* Forgets the state of all lines, and all jobs, as reset does. Keeps the reports. */
void pixmill_cache_check_reset(PixmillCacheCheck *check);
void pixmill_cache_check_control(PixmillCacheCheck *check, const PixmillCacheControl *control);

/* ---- The processor ------------------------------------------------------- */

/* Accesses of @len bytes, at most 64. A store is reported after memory has changed. */
void pixmill_cache_check_load(PixmillCacheCheck *check, uint32_t pc, uint32_t address,
                              uint32_t len);
void pixmill_cache_check_store(PixmillCacheCheck *check, uint32_t pc, uint32_t address,
                               uint32_t len);
/* Maintenance of the line that contains @address. @lr is the link register. */
void pixmill_cache_check_operate(PixmillCacheCheck *check, PixmillCacheOperation operation,
                                 uint32_t pc, uint32_t lr, uint32_t address);
/* Maintenance by set and way; @value is that of DCISW, DCCSW or DCCISW. */
void pixmill_cache_check_operate_way(PixmillCacheCheck *check, PixmillCacheOperation operation,
                                     uint32_t pc, uint32_t lr, uint32_t value);
/* A DMB or DSB. */
void pixmill_cache_check_barrier(PixmillCacheCheck *check);

/* ---- Other masters ------------------------------------------------------- */

/* Returns the number of a new master, or a negative number if there are too many. */
int pixmill_cache_check_add_master(PixmillCacheCheck *check, const char *name);
/*
 * @master has accessed [@address, @address + @len).
 * @job: number of the master's job, from 1; 0 if it has no jobs.
 * @draw: number of the draw, from 1; 0 if none.
 */
void pixmill_cache_check_access(PixmillCacheCheck *check, uint32_t master, PixmillTransfer transfer,
                                uint64_t address, uint64_t len, uint32_t job, uint32_t draw);
/* The store of @pc has started job @job of @master; numbers increase. */
void pixmill_cache_check_submit(PixmillCacheCheck *check, uint32_t master, uint32_t job,
                                uint32_t pc);
/* The processor has learned that all jobs of @master up to @job are done. */
void pixmill_cache_check_seen(PixmillCacheCheck *check, uint32_t master, uint32_t job);
/*
 * Returns the memory as masters see it: @ram itself, or, if the configuration has @act, the byte
 * of the model's copy that belongs to @ram.
 */
uint8_t *pixmill_cache_check_memory(PixmillCacheCheck *check, uint8_t *ram);

/* ---- Reports ------------------------------------------------------------- */

/* Calls @put with all reports, as JSON. */
void pixmill_cache_check_write(const PixmillCacheCheck *check,
                               void (*put)(void *user, const char *text, size_t len), void *user);

#ifdef __cplusplus
}
#endif

#endif

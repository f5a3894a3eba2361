// SPDX-License-Identifier: GPL-2.0-or-later
#include "pixmill/cache_check.h"

#include <new>

#include "checker.hpp"
#include "common/guard.hpp"

struct PixmillCacheCheck {
    pixmill::cache::Checker checker;
};

namespace {

using pixmill::guarded;
using pixmill::cache::Checker;

/// Calls a function of the checker. If the host is out of memory, a report is lost.
template<auto function, class... Values>
void call(PixmillCacheCheck* check, Values... values) {
    guarded(false, [=] {
        (check->checker.*function)(values...);
        return true;
    });
}

} // namespace

PixmillCacheCheck* pixmill_cache_check_create(const PixmillCacheConfig* config) {
    if (!config || !Checker::valid(*config))
        return nullptr;
    return guarded(static_cast<PixmillCacheCheck*>(nullptr),
                   [&] { return new PixmillCacheCheck{Checker(*config)}; });
}

void pixmill_cache_check_destroy(PixmillCacheCheck* check) {
    delete check;
}

void pixmill_cache_check_reset(PixmillCacheCheck* check) {
    call<&Checker::reset>(check);
}

void pixmill_cache_check_control(PixmillCacheCheck* check, const PixmillCacheControl* control) {
    check->checker.control(*control);
}

void pixmill_cache_check_load(PixmillCacheCheck* check, uint32_t pc, uint32_t address,
                              uint32_t len) {
    if (!check->checker.load_hit(address, len))
        call<&Checker::load>(check, pc, address, len);
}

void pixmill_cache_check_store(PixmillCacheCheck* check, uint32_t pc, uint32_t address,
                               uint32_t len) {
    if (!check->checker.store_hit(pc, address, len))
        call<&Checker::store>(check, pc, address, len);
}

void pixmill_cache_check_operate(PixmillCacheCheck* check, PixmillCacheOperation operation,
                                 uint32_t pc, uint32_t lr, uint32_t address) {
    call<&Checker::operate>(check, operation, pc, lr, address);
}

void pixmill_cache_check_operate_way(PixmillCacheCheck* check, PixmillCacheOperation operation,
                                     uint32_t pc, uint32_t lr, uint32_t value) {
    call<&Checker::operate_way>(check, operation, pc, lr, value);
}

void pixmill_cache_check_barrier(PixmillCacheCheck* check) {
    check->checker.barrier();
}

int pixmill_cache_check_add_master(PixmillCacheCheck* check, const char* name) {
    return guarded(-1, [&] { return check->checker.add_master(name); });
}

void pixmill_cache_check_access(PixmillCacheCheck* check, uint32_t master, PixmillTransfer access,
                                uint64_t address, uint64_t len, uint32_t job, uint32_t draw) {
    call<&Checker::access>(check, master, access, address, len, job, draw);
}

void pixmill_cache_check_submit(PixmillCacheCheck* check, uint32_t master, uint32_t job,
                                uint32_t pc) {
    call<&Checker::submit>(check, master, job, pc);
}

void pixmill_cache_check_seen(PixmillCacheCheck* check, uint32_t master, uint32_t job) {
    check->checker.seen(master, job);
}

uint8_t* pixmill_cache_check_memory(PixmillCacheCheck* check, uint8_t* ram) {
    return check->checker.memory(ram);
}

void pixmill_cache_check_write(const PixmillCacheCheck* check,
                               void (*put)(void* user, const char* text, size_t len), void* user) {
    guarded(false, [&] {
        const std::string text = check->checker.json();
        put(user, text.data(), text.size());
        return true;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include "scarce_heap.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pixman.h>

#include <new>
#include <thread>

namespace pixmill::test {
namespace {

std::atomic<const FakeHost*> watched{nullptr};
Refusal refusal;
std::thread::id caller;
std::atomic<uint64_t> asked{0}, asked_outside_draw{0}, denied{0};
std::atomic<int64_t> live{0};

bool refuses() {
    const FakeHost* const host = watched;
    if (!host || host->entries == 0 || FakeHost::recording)
        return false;
    const uint64_t number = asked++;
    if (std::this_thread::get_id() == caller && !FakeHost::in_draw)
        asked_outside_draw++;
    const bool refused = number == refusal.first || (number > refusal.first && refusal.all_behind);
    denied += refused;
    return refused;
}

void* allocate(size_t size, size_t alignment) noexcept {
    void* block = nullptr;
    if (refuses() || posix_memalign(&block, alignment, size ? size : 1) != 0)
        return nullptr;
    live++;
    return block;
}

void* allocate_or_throw(size_t size, size_t alignment) {
    if (void* const block = allocate(size, alignment))
        return block;
    throw std::bad_alloc();
}

void release(void* block) noexcept {
    live -= block != nullptr;
    std::free(block);
}

constexpr size_t kUsual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

} // namespace

ScarceHeap::ScarceHeap(const FakeHost& host, const Refusal& which) {
    refusal = which;
    caller = std::this_thread::get_id();
    asked = asked_outside_draw = denied = 0;
    watched = &host;
}

ScarceHeap::~ScarceHeap() {
    watched = nullptr;
}

uint64_t ScarceHeap::requests() const {
    return asked;
}

uint64_t ScarceHeap::outside_draw() const {
    return asked_outside_draw;
}

uint64_t ScarceHeap::refused() const {
    return denied;
}

uint64_t at_every_request(const std::function<uint64_t(const Refusal&)>& attempt) {
    constexpr uint64_t most = 2000; /* more allocations than any of these tests makes */
    uint64_t all = 0;
    for (const bool all_behind : {false, true}) {
        for (uint64_t number = 0; attempt({number, all_behind}); number++, all++) {
            EXPECT_LT(number, most) << "no end";
            if (testing::Test::HasFailure())
                return all;
        }
    }
    return all;
}

void expect_creation_or_nothing(const PixmillCoreClass& table, const void* config) {
    FakeHost host;
    host.entries = 1;
    const uint64_t attempts = at_every_request([&](const Refusal& refusal) {
        const int64_t before = live_blocks();
        const ScarceHeap heap(host, refusal);
        PixmillCore* core = nullptr;
        const PixmillResult result = table.create(config, host.abi(), &core);
        EXPECT_EQ(result, heap.refused() ? PIXMILL_ERROR_MEMORY : PIXMILL_OK);
        EXPECT_EQ(core == nullptr, result != PIXMILL_OK);
        table.destroy(core);
        EXPECT_EQ(live_blocks(), before);
        return heap.refused();
    });
    EXPECT_GT(attempts, 0u);
}

int64_t live_blocks() {
    return live;
}

} // namespace pixmill::test

/* ---- The program's heap ------------------------------------------------------ */

using pixmill::test::allocate;
using pixmill::test::allocate_or_throw;
using pixmill::test::kUsual;
using pixmill::test::release;

void* operator new(size_t size) {
    return allocate_or_throw(size, kUsual);
}
void* operator new[](size_t size) {
    return allocate_or_throw(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, size_t(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment) {
    return allocate_or_throw(size, size_t(alignment));
}
void* operator new(size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, kUsual);
}
void* operator new[](size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, kUsual);
}
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, size_t(alignment));
}
void* operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return allocate(size, size_t(alignment));
}
void operator delete(void* block) noexcept {
    release(block);
}
void operator delete[](void* block) noexcept {
    release(block);
}
void operator delete(void* block, size_t) noexcept {
    release(block);
}
void operator delete[](void* block, size_t) noexcept {
    release(block);
}
void operator delete(void* block, std::align_val_t) noexcept {
    release(block);
}
void operator delete[](void* block, std::align_val_t) noexcept {
    release(block);
}
void operator delete(void* block, size_t, std::align_val_t) noexcept {
    release(block);
}
void operator delete[](void* block, size_t, std::align_val_t) noexcept {
    release(block);
}
void operator delete(void* block, const std::nothrow_t&) noexcept {
    release(block);
}
void operator delete[](void* block, const std::nothrow_t&) noexcept {
    release(block);
}

/* ---- pixman's images --------------------------------------------------------- */

/*
 * pixman calls malloc() of the C library. The definitions in this program take precedence over
 * those in the library.
 */
template<class Function>
static Function* pixmans(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

pixman_image_t* pixman_image_create_bits(pixman_format_code_t format, int width, int height,
                                         uint32_t* bits, int stride) {
    static auto* const create =
        pixmans<decltype(pixman_image_create_bits)>("pixman_image_create_bits");
    return pixmill::test::refuses() ? nullptr : create(format, width, height, bits, stride);
}

pixman_image_t* pixman_image_create_solid_fill(const pixman_color_t* color) {
    static auto* const create =
        pixmans<decltype(pixman_image_create_solid_fill)>("pixman_image_create_solid_fill");
    return pixmill::test::refuses() ? nullptr : create(color);
}

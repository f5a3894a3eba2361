// Measures the speed of the Vivante core's command processing and address translation.
//
// Names are vivante/<what>; items are command words or translations. Draws through an MMU with
// pages in random order are named as in render_bench.cpp; their yardsticks use separate memory.
// "unmapped" is the same draw on pages in random order without an MMU.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <numeric>

#include "board.hpp"
#include "common/memory/translated_memory.hpp"
#include "pixmill/vivante.h"
#include "render_world.hpp"
#include "vivante/chip.hpp"
#include "vivante/memory/mmu.hpp"

namespace {

using pixmill::bench::Board;

/// Plays a stream whose LOAD_STATEs write `count` words each to the 2D states.
void front_end(benchmark::State& state) {
    constexpr uint32_t start = 0x10000, qwords = 0x8000;
    const auto count = uint32_t(state.range(0));
    const uint32_t command = (1 + count + 1) / 2;
    Board board;
    uint32_t q = 0;
    for (; q + command < qwords; q += command)
        board.poke(start + 8 * q, 0x08000000 | count << 16 | 0x1210 / 4);
    board.poke(start + 8 * q, 0x10000000);

    const PixmillVivanteConfig config{"gc320-imx6", 0, 0, 0, 0, 0, 0, 0, 0};
    PixmillCore* gc = nullptr;
    if (pixmill_vivante.create(&config, &board.host(), &gc) != PIXMILL_OK) {
        state.SkipWithError("no core");
        return;
    }
    for (auto _ : state) {
        pixmill_vivante.write(gc, 0x654, 4, start);
        pixmill_vivante.write(gc, 0x658, 4, 0x10000 | (q + 1));
        while (pixmill_vivante.run(gc, 512).action == PIXMILL_RUN_AGAIN) {
        }
    }
    if (pixmill_vivante.peek(gc, 0x664) != start + 8 * (q + 1))
        state.SkipWithError("the stream did not reach its END");
    state.SetItemsProcessed(state.iterations() * 2 * (q + 1));
    pixmill_vivante.destroy(gc);
}
BENCHMARK(front_end)->Name("vivante/front_end_words/load_state")->Arg(1)->Arg(4)->Arg(64);

constexpr uint32_t mtlb = 0x1000, stlb = 0x2000, pages = 1024;

pixmill::vivante::Mmu mmu_v2_with_tables(Board& board) {
    board.poke(mtlb, stlb | 1);
    for (uint32_t i = 0; i < pages; i++)
        board.poke(stlb + 4 * i, (0x400000 + 0x1000 * (i * 37 % pages)) | 5);
    pixmill::vivante::Mmu config;
    config.v2 = config.enabled = true;
    config.mtlb = mtlb;
    return config;
}

void translation_walk(benchmark::State& state) {
    Board board;
    const auto config = mmu_v2_with_tables(board);
    const pixmill::Host host(board.host());
    pixmill::Bus bus(host);
    uint32_t page = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(config.translate(bus, page << 12 | 0x123, false).physical);
        page = (page + 1) % pages;
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(translation_walk)->Name("vivante/mmu_translations/v2_walk");

void translation_cached(benchmark::State& state) {
    using pixmill::Access;
    Board board;
    const auto config = mmu_v2_with_tables(board);
    const pixmill::Host host(board.host());
    const auto memory = std::make_unique<pixmill::TranslatedMemory>(host);
    memory->begin(config);
    uint32_t page = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(memory->map(page << 12 | 0x123, 64, Access::write).host);
        page = (page + 1) % pages;
    }
    state.SetItemsProcessed(state.iterations());
}
BENCHMARK(translation_cached)->Name("vivante/mmu_translations/v2_cached");

/// TranslatedMemory through an MMU v2 that maps pages in random order.
class ScatteredBoard {
public:
    ScatteredBoard() : board_(first_page + bytes) {
        std::vector<uint32_t> page(bytes >> 12);
        std::iota(page.begin(), page.end(), 0);
        std::shuffle(page.begin(), page.end(), std::mt19937(1)); // same order in every run
        for (uint32_t i = 0; i < page.size(); i += pages)
            board_.poke(mtlb + i / pages * 4, (stlb + i * 4) | 1);
        for (uint32_t i = 0; i < page.size(); i++)
            board_.poke(stlb + 4 * i, (first_page + (page[i] << 12)) | 5);
        config_.v2 = config_.enabled = true;
        config_.mtlb = mtlb;
    }
    /// Returns the memory for a new slice of work, which the core would begin in the same way.
    pixmill::Memory& memory() {
        memory_.begin(config_);
        return memory_;
    }

private:
    static constexpr uint32_t first_page = 0x100000;
    static constexpr uint32_t bytes =
        uint32_t(pixmill::bench::source_base + pixmill::bench::surface_bytes) & ~0xFFFu;
    Board board_;
    pixmill::Host host_{board_.host()};
    pixmill::TranslatedMemory memory_{host_};
    pixmill::vivante::Mmu config_;
};

/// Measures a draw through the MMU, and the same draw on scattered pages without an MMU.
void add_scattered(const std::string& name, const pixmill::render::Operation& op) {
    using namespace pixmill::bench;
    const auto board = std::make_shared<std::unique_ptr<ScatteredBoard>>();
    const auto pipeline = std::make_shared<Pipeline>(kernels(), BandConfig{.threads = 1});
    const auto rows = std::make_shared<uint32_t>(0);
    pixmill::bench::add(
        name + "/pixmill", amount(op),
        [=] {
            if (!*board)
                *board = std::make_unique<ScatteredBoard>();
            if (!pipeline->prepare((*board)->memory(), op))
                *rows = pipeline->run(0, pipeline->rows()).rows;
        },
        [=] { return *rows == uint32_t(full.height); });
    add_pipeline(name + "/unmapped", world().scattered, op, 1);
}

[[maybe_unused]] const bool registered = [] {
    using namespace pixmill::bench;
    const auto add_rop = [](const char* what, pixmill::render::Rop3 rop, auto add_yardstick) {
        const Operation op = operation(rop, formats::a8r8g8b8, formats::a8r8g8b8, full, full.width);
        const std::string name = "vivante/" + named(what, formats::a8r8g8b8, full, "scattered");
        add_scattered(name, op);
        add_yardstick(name, op);
    };
    add_rop("fill", 0xF0, add_memset);
    add_rop("copy", 0xCC, add_memcpy);
    add_rop("xor", 0x66, add_memcpy);

    // The Compositor draws the first of these, the PixmanPainter the second.
    Operation op = operation(0xCC, formats::a8r8g8b8, formats::a8r8g8b8, full, full.width);
    op.stages[0].source.placement.x.first = full.width - 1;
    op.stages[0].source.placement.x.downward = true;
    add_scattered("vivante/" + named("mirror", formats::a8r8g8b8, full, "scattered"), op);
    op = operation(0xCC, formats::a8r8g8b8, formats::a8r8g8b8, full, full.width);
    op.stages[0].blend = {{}, {.factor = pixmill::render::Factor::inverse_alpha}, false};
    add_scattered("vivante/" + named("over", formats::a8r8g8b8, full, "scattered"), op);
    return true;
}();

} // namespace

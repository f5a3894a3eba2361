// Compares the checker with a byte-by-byte model on random accesses.
//
// Settings: tests/random_setting.hpp.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <random>

#include "../../random_setting.hpp"
#include "world.hpp"

namespace pixmill::test {
namespace {

constexpr uint32_t base = CacheWorld::ram_base + 0x1000, lines = 4, bytes = lines * 32;

/// A step of a program. Each step has a PC of its own, from 1.
struct Step {
    enum Kind { load, store, clean, invalidate, clean_invalidate, read, write, kinds } kind;
    uint32_t at, length; ///< bytes from `base`
    uint8_t value;
};

std::vector<Step> make_steps(uint64_t seed, uint64_t number) {
    std::mt19937_64 random(seed << 32 ^ number);
    std::vector<Step> steps;
    for (int i = 0; i < 40; i++) {
        const auto at = uint32_t(random() % bytes);
        steps.push_back({Step::Kind(random() % Step::kinds), at,
                         1 + uint32_t(random() % std::min(40u, bytes - at)), uint8_t(random())});
    }
    return steps;
}

void play(CacheWorld& w, const Step& step, uint32_t pc) {
    const uint32_t at = base + step.at;
    const auto operate = [&](PixmillCacheOperation operation) {
        for (uint32_t line = at & ~31u; line < at + step.length; line += 32)
            pixmill_cache_check_operate(w.check, operation, pc, 0, line);
    };
    switch (step.kind) {
    case Step::load:
        return pixmill_cache_check_load(w.check, pc, at, step.length);
    case Step::store:
        std::fill_n(&w.ram[at - CacheWorld::ram_base], step.length, step.value);
        return pixmill_cache_check_store(w.check, pc, at, step.length);
    case Step::clean:
        return operate(PIXMILL_CACHE_CLEAN);
    case Step::invalidate:
        return operate(PIXMILL_CACHE_INVALIDATE);
    case Step::clean_invalidate:
        return operate(PIXMILL_CACHE_CLEAN_INVALIDATE);
    case Step::read:
        w.read(at, step.length);
        return;
    case Step::write:
        w.write(at, step.length, step.value);
        return;
    case Step::kinds:
        return;
    }
}

// ---- Reports -------------------------------------------------------------------

/// Counts lines with a finding by rule and PC.
using Findings = std::map<std::pair<std::string, uint32_t>, uint64_t>;

/// Write-back memory and a cache that evicts nothing.
class ReferenceChecker {
public:
    void play(const Step& step, uint32_t pc) {
        for (uint32_t line = step.at / 32; line * 32 < step.at + step.length; line++) {
            std::vector<uint32_t> touched;
            for (uint32_t i = line * 32; i < line * 32 + 32; i++)
                if (i >= step.at && i < step.at + step.length)
                    touched.push_back(i);
            play_line(step.kind, line, touched, pc);
        }
    }
    Findings findings;

private:
    struct Byte {
        bool dirty = false, foreign = false, output = false;
    };
    using Bytes = std::vector<uint32_t>;

    void find(const char* rule, uint32_t pc) { findings[{rule, pc}]++; }
    bool any(uint32_t line, bool Byte::*state) const {
        for (uint32_t i = line * 32; i < line * 32 + 32; i++)
            if (byte_[i].*state)
                return true;
        return false;
    }
    bool any(const Bytes& touched, bool Byte::*state) const {
        return std::any_of(touched.begin(), touched.end(),
                           [&](uint32_t i) { return byte_[i].*state; });
    }
    void clear(uint32_t line, bool Byte::*state) {
        for (uint32_t i = line * 32; i < line * 32 + 32; i++)
            byte_[i].*state = false;
    }
    /// True if some byte is a master's, and none is both dirty and a master's.
    bool shared(uint32_t line) const {
        bool both = false;
        for (uint32_t i = line * 32; i < line * 32 + 32; i++)
            both |= byte_[i].dirty && byte_[i].output;
        return any(line, &Byte::output) && !both;
    }
    void fill(uint32_t line) {
        if (held_[line])
            return;
        held_[line] = true;
        clear(line, &Byte::foreign);
    }
    void lose(uint32_t line, uint32_t pc) {
        if (!any(line, &Byte::dirty))
            return;
        find("lost-cpu-data", pc);
        if (shared(line))
            find("shared-line", pc);
        clear(line, &Byte::dirty);
    }
    void clean(uint32_t line) {
        if (!any(line, &Byte::dirty))
            return;
        clear(line, &Byte::dirty);
        clear(line, &Byte::foreign);
    }

    void play_line(Step::Kind kind, uint32_t line, const Bytes& touched, uint32_t pc) {
        switch (kind) {
        case Step::load:
            if (held_[line] && any(touched, &Byte::foreign))
                find("cpu-reads-stale", pc);
            fill(line);
            break;
        case Step::store:
            fill(line);
            for (const uint32_t i : touched)
                byte_[i].foreign = false;
            store(line, touched, pc);
            break;
        case Step::clean:
            clean(line);
            break;
        case Step::clean_invalidate:
            clean(line);
            [[fallthrough]];
        case Step::invalidate:
            lose(line, pc);
            held_[line] = false;
            clear(line, &Byte::foreign);
            break;
        case Step::read:
            if (any(touched, &Byte::dirty))
                find("gpu-reads-dirty", store_pc_[line]);
            break;
        case Step::write:
            write(line, touched);
            break;
        case Step::kinds:
            break;
        }
    }
    void store(uint32_t line, const Bytes& touched, uint32_t pc) {
        const bool stale = any(line, &Byte::foreign);
        for (const uint32_t i : touched) {
            byte_[i].dirty = true;
            byte_[i].output = false;
        }
        if (stale) {
            find("stale-line-stored", pc);
            if (shared(line))
                find("shared-line", pc);
        }
        store_pc_[line] = pc;
    }
    void write(uint32_t line, const Bytes& touched) {
        if (any(line, &Byte::dirty)) {
            find("dirty-under-output", store_pc_[line]);
            if (!any(touched, &Byte::dirty))
                find("shared-line", store_pc_[line]);
        }
        for (const uint32_t i : touched)
            byte_[i].foreign = byte_[i].output = true;
    }

    std::array<Byte, bytes> byte_{};
    std::array<bool, lines> held_{};
    std::array<uint32_t, lines> store_pc_{};
};

TEST(CacheRandom, ReportsEqualThoseOfTheReference) {
    RandomCases cases(3000);
    for (const auto [seed, number] : cases) {
        CacheWorld w;
        ReferenceChecker reference;
        uint32_t pc = 0;
        for (const Step& step : make_steps(seed, number)) {
            play(w, step, ++pc);
            reference.play(step, pc);
        }
        Findings found;
        for (const Report& report : w.reports())
            found[{report.rule, report.pc}] += report.count;
        ASSERT_EQ(found, reference.findings)
            << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
    }
}

// ---- Acting --------------------------------------------------------------------

/// Memory, and a cache with copies of lines.
class NaiveCache {
public:
    std::array<uint8_t, bytes> memory{};

    uint8_t cpu(uint32_t i) const { return line_[i / 32] ? (*line_[i / 32])[i % 32] : memory[i]; }

    void play(const Step& step) {
        for (uint32_t i = step.at; i < step.at + step.length; i++) {
            switch (step.kind) {
            case Step::load:
                (void)fill(i / 32);
                break;
            case Step::store:
                fill(i / 32)[i % 32] = step.value;
                dirty_[i / 32] = true;
                break;
            case Step::write:
                memory[i] = step.value;
                break;
            case Step::clean:
            case Step::clean_invalidate:
                clean(i / 32);
                break;
            default:
                break;
            }
            if (step.kind == Step::invalidate || step.kind == Step::clean_invalidate) {
                line_[i / 32].reset();
                dirty_[i / 32] = false;
            }
        }
    }

private:
    using Line = std::array<uint8_t, 32>;

    Line& fill(uint32_t line) {
        if (!line_[line])
            std::copy_n(&memory[line * 32], 32, line_[line].emplace().begin());
        return *line_[line];
    }
    void clean(uint32_t line) {
        if (dirty_[line])
            std::ranges::copy(*line_[line], &memory[line * 32]);
        dirty_[line] = false;
    }

    std::array<std::optional<Line>, lines> line_;
    std::array<bool, lines> dirty_{};
};

TEST(CacheRandom, ActsAsACache) {
    RandomCases cases(1000);
    for (const auto [seed, number] : cases) {
        CacheWorld w({.act = true});
        NaiveCache naive;
        for (const Step& step : make_steps(seed, number)) {
            play(w, step, 1);
            naive.play(step);
            for (uint32_t i = 0; i < bytes; i++) {
                ASSERT_EQ(w.ram[base - CacheWorld::ram_base + i], naive.cpu(i)) << "byte " << i;
                ASSERT_EQ(w.memory(base + i), naive.memory[i]) << "byte " << i;
            }
            ASSERT_FALSE(HasFailure()) << "PIXMILL_SEED=" << seed << " PIXMILL_CASE=" << number;
        }
    }
}

} // namespace
} // namespace pixmill::test

/*
 * Compares the IRQ crossbar under random writes, reads and inputs with a simple model of a bank
 * that stores bytes and selects at most one source per line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Settings: tests/random_setting.hpp.
 */
#include <gtest/gtest.h>

#include <random>

#include "../../random_setting.hpp"
#include "crossbar_rig.hpp"

namespace pixmill::qtest {
namespace {

/* Models a bank; shares only the bank's description with the crossbar under test. */
class Model {
public:
    explicit Model(const CrossbarBank& bank) : bank_(bank), input_(bank.sources) { reset(); }

    void reset() {
        bytes_.clear();
        for (const auto& [line, description] : bank_.lines) {
            for (uint32_t i = 0; i < bank_.reg_size; ++i) {
                bytes_[*description.address + i] = static_cast<uint8_t>(description.reset >> 8 * i);
            }
        }
    }

    void set(unsigned source, bool level) { input_[source] = level; }

    void write(uint64_t address, unsigned size, uint64_t value) {
        for (unsigned i = 0; i < size; ++i) {
            const auto byte = bytes_.find(address + i);
            if (byte != bytes_.end()) {
                const uint64_t lane = (address + i - bank_.base) % bank_.reg_size;
                byte->second = static_cast<uint8_t>(value >> 8 * i & bank_.mask >> 8 * lane);
            }
        }
    }

    [[nodiscard]] uint64_t read(uint64_t address, unsigned size) const {
        uint64_t value = 0;
        for (unsigned i = 0; i < size; ++i) {
            const auto byte = bytes_.find(address + i);
            value |= byte == bytes_.end() ? 0 : uint64_t{byte->second} << 8 * i;
        }
        return value;
    }

    [[nodiscard]] Lines high() const {
        Lines lines;
        for (const auto& [line, description] : bank_.lines) {
            const uint64_t selected = read(*description.address, bank_.reg_size);
            const uint64_t source = description.bypass ? *description.bypass : selected;
            if (source >= 1 && source < input_.size() && input_[source]) {
                lines.insert(line);
            }
        }
        return lines;
    }

private:
    CrossbarBank bank_;
    std::vector<bool> input_;
    std::map<uint64_t, uint8_t> bytes_; /* bytes of the selectors */
};

/* Drives one crossbar and its model in step. */
class Walk {
public:
    Walk(const CrossbarBank& bank, uint64_t seed) : bank_(bank), rig_(bank), model_(bank) {
        random_.seed(seed);
        for (int i = 0; i < 8; ++i) {
            favourites_.push_back(1 + below(bank.sources - 1));
        }
    }

    void step() {
        const unsigned kind = below(1000);
        if (kind < 500) {
            write();
        } else if (kind < 950) {
            const unsigned source = below(8) == 0 ? below(bank_.sources) : favourite();
            const bool level = below(2) != 0;
            rig_.set(source, level);
            model_.set(source, level);
        } else if (kind < 998) {
            read();
        } else {
            rig_.qemu().system_reset();
            model_.reset();
        }
        ASSERT_EQ(rig_.high(), model_.high());
    }

    void read_all() {
        for (uint32_t at = 0; at < bank_.window; ++at) {
            ASSERT_EQ(rig_.qemu().read8(bank_.base + at), model_.read(bank_.base + at, 1));
        }
    }

private:
    unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
    unsigned favourite() { return favourites_[below(static_cast<unsigned>(favourites_.size()))]; }

    /* Returns an address, of any alignment, for an access that ends within the window. */
    uint64_t place(unsigned size) { return bank_.base + below(bank_.window - size + 1); }

    /* Returns commonly used sources for all registers that an access covers, or a random value. */
    uint64_t value() {
        if (below(4) == 0) {
            return random_();
        }
        uint64_t value = 0;
        for (unsigned at = 0; at < 8; at += bank_.reg_size) {
            value |= uint64_t{favourite()} << 8 * at;
        }
        return value;
    }

    void write() {
        const unsigned size = 1u << below(4);
        const uint64_t at = place(size);
        const uint64_t data = value();
        switch (size) {
        case 1:
            rig_.qemu().write8(at, static_cast<uint8_t>(data));
            break;
        case 2:
            rig_.qemu().write16(at, static_cast<uint16_t>(data));
            break;
        case 4:
            rig_.qemu().write32(at, static_cast<uint32_t>(data));
            break;
        default:
            rig_.qemu().write64(at, data);
            break;
        }
        model_.write(at, size, data);
    }

    void read() {
        const unsigned size = 1u << below(4);
        const uint64_t at = place(size);
        const uint64_t expected = model_.read(at, size);
        switch (size) {
        case 1:
            ASSERT_EQ(rig_.qemu().read8(at), expected);
            break;
        case 2:
            ASSERT_EQ(rig_.qemu().read16(at), expected);
            break;
        case 4:
            ASSERT_EQ(rig_.qemu().read32(at), expected);
            break;
        default:
            ASSERT_EQ(rig_.qemu().read64(at), expected);
            break;
        }
    }

    const CrossbarBank& bank_;
    CrossbarRig rig_;
    Model model_;
    std::mt19937_64 random_;
    std::vector<unsigned> favourites_;
};

class CrossbarRandom : public testing::TestWithParam<CrossbarBank> {};

TEST_P(CrossbarRandom, LinesFollowWhatTheySelect) {
    const uint64_t seed = setting("PIXMILL_SEED", 1);
    const uint64_t steps = random_cases(1000);
    Walk walk(GetParam(), seed);
    for (uint64_t i = 0; i < steps; ++i) {
        walk.step();
        ASSERT_FALSE(HasFailure()) << "PIXMILL_SEED=" << seed << ", step " << i;
    }
    walk.read_all();
}

INSTANTIATE_TEST_SUITE_P(Bank, CrossbarRandom, testing::ValuesIn(crossbar_banks()),
                         [](const auto& p) { return p.param.name; });

} // namespace
} // namespace pixmill::qtest

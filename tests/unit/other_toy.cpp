// The toy core with a bug: fills of 100 bytes and more write wrong bytes. replay_test.py expects
// replays to reveal it.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#define pixmill_toy pixmill_toy_without_error
#include "toy/toy.cpp"
#undef pixmill_toy

namespace pixmill {
namespace {

struct OtherToy : Toy {
    using Toy::Toy;
    static OtherToy* make(const void*, const PixmillHost& abi) { return new OtherToy(abi); }

    uint64_t draw(uint64_t budget) {
        const uint32_t fill = s.reg[FILL];
        s.reg[FILL] ^= s.reg[SIZE] >= 100;
        const uint64_t longest = Toy::draw(budget);
        s.reg[FILL] = fill;
        return longest;
    }
};

} // namespace
} // namespace pixmill

extern "C" constexpr PixmillCoreClass pixmill_toy = pixmill::core_class<pixmill::OtherToy>();

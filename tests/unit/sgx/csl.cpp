/*
 * Tests every register and field of TI's chip support library, from
 * tests/data/sgx_csl_registers.tsv.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <gtest/gtest.h>

#include <map>

#include "../../sgx_csl.hpp"
#include "machine.hpp"

namespace pixmill::test {
namespace {

/* The expected counts are from the library's three headers. */
TEST(SgxCslData, IsWholeAndItsFieldsComposeTheResetValues) {
    const std::vector<CslRegister> registers = csl_registers();
    std::map<std::string, size_t> count;
    size_t fields = 0, kept_otherwise = 0;
    for (const CslRegister& r : registers) {
        count[r.bank]++;
        fields += r.fields.size();
        kept_otherwise += r.model_reset != r.reset || r.more;
        for (const CslField& field : r.fields)
            EXPECT_EQ(r.reset & field.mask, field.reset) << r.name;
    }
    EXPECT_EQ(count["core"], 343u);
    EXPECT_EQ(count["master"], 325u);
    EXPECT_EQ(count["wrapper"], 20u);
    EXPECT_EQ(registers.size(), 688u);
    EXPECT_EQ(fields, 1841u);
    EXPECT_EQ(kept_otherwise, 4u);
}

TEST(SgxCsl, EveryRegisterResetsToTheLibrarysValue) {
    Sgx gpu;
    size_t agree = 0;
    const std::vector<CslRegister> registers = csl_registers();
    for (const CslRegister& r : registers) {
        const uint32_t value = gpu.read(r.place());
        EXPECT_EQ(value, r.model_reset) << r.name << std::hex << " @0x" << r.place();
        agree += value == r.reset;
        if (r.bank == "core") {
            /* The wrapper must not hide any register of core 1. */
            EXPECT_EQ(gpu.read(r.place(kCore1)), r.model_reset) << r.name;
        }
    }
    EXPECT_EQ(agree, registers.size() - 1) << "MASTER_CORE is the number of our cores";
    EXPECT_EQ(gpu.logged(), 0u);
}

TEST(SgxCsl, EveryFieldTakesAWriteAsItsRegisterSays) {
    for (const CslRegister& r : csl_registers()) {
        if (!r.written())
            continue;
        Sgx gpu;
        uint32_t before = gpu.read(r.place());
        for (const uint32_t value : r.values()) {
            gpu.write(r.place(), value);
            const uint32_t expected = r.after(before, value);
            before = gpu.read(r.place());
            EXPECT_EQ(before, expected) << r.name << std::hex << " = 0x" << value;
        }
        gpu.reset();
        EXPECT_EQ(gpu.read(r.place()), r.model_reset) << r.name << " after a reset";
    }
}

/* The register pages and the traces must use the library's names. */
TEST(SgxCsl, EveryRegisterHasARowWithItsName) {
    Sgx gpu;
    std::map<uint32_t, std::string> names;
    PixmillRegister row;
    for (size_t i = 0; pixmill_sgx.register_at(gpu.abi(), i, &row); i++)
        names[row.offset] = row.name;
    EXPECT_EQ(names.size(), 688u + 37u) << "the vendor's header has more (sgx544.md)";
    for (const CslRegister& r : csl_registers())
        EXPECT_EQ(names[r.place(kAll)], r.name);
}

} // namespace
} // namespace pixmill::test

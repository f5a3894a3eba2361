/*
 * Exploit mitigations of the built QEMU, read from the binary and its object files.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#include <elf.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace pixmill::qtest {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

/*
 * A 64-bit ELF file in the host's byte order.  Offsets are checked even though the files are our
 * own builds.
 */
class Elf {
public:
    explicit Elf(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        bytes_.assign(std::istreambuf_iterator<char>(file), {});
        const Elf64_Ehdr head = header();
        if (bytes_.size() < sizeof head || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
            head.e_ident[EI_CLASS] != ELFCLASS64)
            throw std::runtime_error(path.string() + " is no ELF file of 64 bits");
    }

    Elf64_Ehdr header() const { return at<Elf64_Ehdr>(0); }
    std::vector<Elf64_Phdr> segments() const {
        return table<Elf64_Phdr>(header().e_phoff, header().e_phnum);
    }
    /* Returns the value of @tag in the dynamic section, or 0 if it is absent. */
    uint64_t dynamic(int64_t tag) const {
        for (const Elf64_Phdr& segment : segments())
            if (segment.p_type == PT_DYNAMIC)
                for (const auto& entry :
                     table<Elf64_Dyn>(segment.p_offset, segment.p_filesz / sizeof(Elf64_Dyn)))
                    if (entry.d_tag == tag)
                        return entry.d_un.d_val;
        return 0;
    }
    /* Returns the names of the undefined symbols. */
    Names imports() const {
        const auto sections = table<Elf64_Shdr>(header().e_shoff, header().e_shnum);
        Names names;
        for (const Elf64_Shdr& section : sections) {
            if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM)
                continue;
            const uint64_t strings = sections.at(section.sh_link).sh_offset;
            for (const auto& symbol :
                 table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym)))
                if (symbol.st_shndx == SHN_UNDEF)
                    names.insert(&bytes_.at(strings + symbol.st_name));
        }
        return names;
    }

private:
    template<class T>
    T at(uint64_t offset) const {
        T value{};
        if (offset <= bytes_.size() && bytes_.size() - offset >= sizeof value)
            std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    template<class T>
    std::vector<T> table(uint64_t offset, uint64_t count) const {
        std::vector<T> rows;
        for (uint64_t i = 0; i < count; i++)
            rows.push_back(at<T>(offset + i * sizeof(T)));
        return rows;
    }

    std::vector<char> bytes_;
};

/* ---- Properties ------------------------------------------------------------- */

bool has_segment(const Elf& elf, uint32_t type, uint32_t without = 0) {
    for (const Elf64_Phdr& segment : elf.segments())
        if (segment.p_type == type && !(segment.p_flags & without))
            return true;
    return false;
}

bool uses_stack_protector(const Names& imports) {
    return imports.count("__stack_chk_fail");
}

/* True if a fortified glibc function is imported: __memcpy_chk, __snprintf_chk, ... */
bool uses_fortify(const Names& imports) {
    for (const std::string& name : imports)
        if (name.starts_with("__") && name.ends_with("_chk"))
            return true;
    return false;
}

bool all_pages_write_or_execute(const Elf& elf) {
    constexpr uint32_t both = PF_W | PF_X;
    for (const Elf64_Phdr& segment : elf.segments())
        if (segment.p_type == PT_LOAD && (segment.p_flags & both) == both)
            return false;
    return true;
}

const struct {
    const char* name;
    bool (*has)(const Elf& elf);
} kProperties[] = {
    {"PIE",
     [](const Elf& elf) {
         return elf.header().e_type == ET_DYN && elf.dynamic(DT_FLAGS_1) & DF_1_PIE;
     }},
    {"RELRO", [](const Elf& elf) { return has_segment(elf, PT_GNU_RELRO); }},
    {"NOW",
     [](const Elf& elf) {
         return elf.dynamic(DT_FLAGS_1) & DF_1_NOW || elf.dynamic(DT_FLAGS) & DF_BIND_NOW;
     }},
    {"stack protector", [](const Elf& elf) { return uses_stack_protector(elf.imports()); }},
    {"FORTIFY", [](const Elf& elf) { return uses_fortify(elf.imports()); }},
    {"pages that are written or executed", all_pages_write_or_execute},
    {"stack that is not executed",
     [](const Elf& elf) { return has_segment(elf, PT_GNU_STACK, PF_X); }},
};

std::vector<std::string> missing(const fs::path& path) {
    const Elf elf(path);
    std::vector<std::string> names;
    for (const auto& property : kProperties)
        if (!property.has(elf))
            names.push_back(property.name);
    return names;
}

/* ---- The built QEMU ----------------------------------------------------------- */

fs::path qemu() {
    const char* path = std::getenv("PIXMILL_QEMU");
    return path ? path : "";
}

TEST(Hardening, BinaryHasAllProperties) {
    EXPECT_EQ(missing(qemu()), std::vector<std::string>{});
}

/*
 * Returns the imports of all objects in @folder of QEMU's build whose file names begin with
 * @prefix.
 */
Names used_by(const fs::path& folder, const std::string& prefix = "") {
    Names all;
    for (const auto& entry : fs::recursive_directory_iterator(qemu().parent_path() / folder))
        if (entry.path().extension() == ".o" &&
            entry.path().filename().string().starts_with(prefix))
            all.merge(Elf(entry.path()).imports());
    return all;
}

/*
 * Most imports of the binary come from QEMU itself.  The next two tests look only at the objects
 * that we compile: hw/qemu, and each folder of hw that QEMU links.
 */
TEST(Hardening, ShellsUseTheStackProtector) {
    const char* shells = /* QEMU 10.2 links a system emulator from one library */
        fs::exists(qemu().parent_path() / "libsystem.a.p") ? "libsystem.a.p" : "libcommon.a.p";
    EXPECT_TRUE(uses_stack_protector(used_by(shells, "hw_pixmill_")));
}

TEST(Hardening, CoresUseStackProtectorAssertionsAndFortify) {
    const fs::path cores = "subprojects/pixmill/hw";
    Names folders;
    for (const auto& entry : fs::directory_iterator(qemu().parent_path() / cores))
        folders.insert(entry.path().filename().string());
    for (const char* one : {"common", "vivante"})
        EXPECT_TRUE(folders.count(one)) << one;
    for (const std::string& folder : folders) {
        const Names used = used_by(cores / folder);
        EXPECT_TRUE(uses_stack_protector(used)) << folder;
        /* Assertions of the C++ library must check indexing as well. */
        EXPECT_TRUE(used.count("_ZSt21__glibcxx_assert_failPKciS0_S0_")) << folder;
    }
    /* The other folders call no function that FORTIFY replaces. */
    for (const char* folder : {"common", "nema", "render"})
        EXPECT_TRUE(uses_fortify(used_by(cores / folder))) << folder;
}

/* ---- The check itself --------------------------------------------------------- */

/* Returns the mitigations missing from a program compiled with @flags. */
std::vector<std::string> missing_with(const std::string& flags) {
    const fs::path binary =
        fs::path(testing::TempDir()) / ("hardening-" + std::to_string(getpid()));
    const fs::path source = binary.string() + ".c";
    std::ofstream(source) << R"(
        #include <stdio.h>
        #include <string.h>
        #ifdef WRITABLE_CODE
        __asm__(".section .both,\"awx\"\n .byte 0\n .previous");
        #endif
        int main(int argc, char **argv)
        {
            char text[16];
            strcpy(text, argv[argc - 1]);
            puts(text);
            return text[argc % 16];
        })";
    const std::string all =
        "-O2 -fPIE -pie -fstack-protector-strong -D_FORTIFY_SOURCE=2 -Wl,-z,relro,-z,now";
    const std::string command =
        "gcc " + all + " " + flags + " -o '" + binary.string() + "' '" + source.string() + "'";
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
    fs::remove(source);
    const std::vector<std::string> names = missing(binary);
    fs::remove(binary);
    return names;
}

TEST(Hardening, CheckReportsEachMissingProperty) {
    EXPECT_EQ(missing_with(""), std::vector<std::string>{});
    const struct {
        const char* flags;
        const char* property;
    } rows[] = {
        {"-fno-pie -no-pie", "PIE"},
        {"-Wl,-z,norelro", "RELRO"},
        {"-Wl,-z,lazy", "NOW"},
        {"-fno-stack-protector", "stack protector"},
        {"-U_FORTIFY_SOURCE", "FORTIFY"},
        {"-DWRITABLE_CODE -Wl,--no-warn-rwx-segments", "pages that are written or executed"},
        {"-Wl,-z,execstack", "stack that is not executed"}};
    for (const auto& row : rows)
        EXPECT_EQ(missing_with(row.flags), std::vector<std::string>{row.property}) << row.flags;
    EXPECT_EQ(std::size(rows), std::size(kProperties)) << "one row per property expected";
}

} // namespace
} // namespace pixmill::qtest

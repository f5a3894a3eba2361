/*
 * Switches the caches on, cleans memory, and switches them off, as firmware does with the functions
 * of CMSIS (armv7m_cachel1.h), and prints registers; for runner/tests/test_programs.py. It uses the
 * start-up code and the linker script of an example, whose header is included on the command line.
 *
 * SPDX-License-Identifier: GPL-2.0-or-later
 */
#define CCR 0xE000ED14
#define CLIDR 0xE000ED78
#define CTR 0xE000ED7C
#define CCSIDR 0xE000ED80
#define CSSELR 0xE000ED84
#define ICIALLU 0xE000EF50
#define DCISW 0xE000EF60
#define DCCMVAC 0xE000EF68
#define DCCISW 0xE000EF74

#define CCR_DC (1u << 16)
#define CCR_IC (1u << 17)
#define LINE 32

static uint32_t texture[100];

static void barrier(void) {
    __asm__ volatile("dsb\n isb" ::: "memory");
}

static void print_word(const char* name, uint32_t word) {
    char text[] = " 00000000";
    for (int i = 8; i > 0; i--, word >>= 4)
        text[i] = "0123456789abcdef"[word & 15];
    print(name);
    print(text);
    print("\n");
}

static uint32_t size_id(uint32_t selection) {
    REG(CSSELR) = selection;
    barrier();
    return REG(CCSIDR);
}

/* Writes to the operation once for each line of the data cache; returns the number of lines. */
static uint32_t sweep(uint32_t operation) {
    const uint32_t id = size_id(0);
    const uint32_t last_set = id >> 13 & 0x7FFF, last_way = id >> 3 & 0x3FF;
    uint32_t lines = 0;
    for (uint32_t set = 0; set <= last_set; set++)
        for (uint32_t way = 0; way <= last_way; way++, lines++)
            REG(operation) = way << 30 | set << 5;
    barrier();
    return lines;
}

/* As many drivers do, cleans only if the cache is on. Returns the number of lines. */
static uint32_t clean(const void* start, uint32_t size) {
    const uint32_t first = (uint32_t)(uintptr_t)start;
    uint32_t lines = 0;
    if (!(REG(CCR) & CCR_DC))
        return 0;
    barrier();
    for (uint32_t at = first - first % LINE; at < first + size; at += LINE, lines++)
        REG(DCCMVAC) = at;
    barrier();
    return lines;
}

int main(void) {
    print_word("CCR", REG(CCR));
    print_word("CLIDR", REG(CLIDR));
    print_word("CTR", REG(CTR));
    print_word("instructions", size_id(1));
    print_word("data", size_id(0));
    print_word("cleaned", clean(texture, sizeof(texture)));

    REG(ICIALLU) = 0;
    barrier();
    REG(CCR) |= CCR_IC;
    print_word("invalidated", sweep(DCISW));
    REG(CCR) |= CCR_DC;
    barrier();
    print_word("CCR", REG(CCR));
    for (uint32_t i = 0; i < 100; i++)
        texture[i] = i;
    /* 400 bytes from the last word of a line on touch 14 lines. */
    print_word("cleaned", clean((const void*)(((uintptr_t)texture & -32u) + 28), 400));

    REG(CCR) &= ~CCR_DC;
    barrier();
    print_word("flushed", sweep(DCCISW));
    REG(CCR) &= ~CCR_IC;
    REG(ICIALLU) = 0;
    barrier();
    print_word("CCR", REG(CCR));
    return 0;
}

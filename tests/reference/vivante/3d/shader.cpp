// SH: the instruction set (rnndb isa.xml), executed one lane at a time; derivatives use quads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace pixmill::reference::vivante_3d {

namespace {

constexpr unsigned longest_run = 1u << 20; ///< maximum number of instructions per invocation
constexpr size_t deepest_call = 16;
constexpr uint32_t uniforms = 256;         ///< vectors per stage, without HALTI1
constexpr uint32_t unified_uniforms = 512; ///< vectors that both stages share
constexpr uint32_t longest_program = 1u << 20;

enum Opcode : unsigned {
    NOP = 0x00,
    ADD = 0x01,
    MAD = 0x02,
    MUL = 0x03,
    DST = 0x04,
    DP3 = 0x05,
    DP4 = 0x06,
    DSX = 0x07,
    DSY = 0x08,
    MOV = 0x09,
    MOVAR = 0x0A,
    MOVAF = 0x0B,
    RCP = 0x0C,
    RSQ = 0x0D,
    LITP = 0x0E,
    SELECT = 0x0F,
    SET = 0x10,
    EXP = 0x11,
    LOG = 0x12,
    FRC = 0x13,
    CALL = 0x14,
    RET = 0x15,
    BRANCH = 0x16,
    TEXKILL = 0x17,
    TEXLD = 0x18,
    TEXLDB = 0x19,
    TEXLDD = 0x1A,
    TEXLDL = 0x1B,
    SQRT = 0x21,
    SIN = 0x22,
    COS = 0x23,
    BRANCH_ANY = 0x24,
    FLOOR = 0x25,
    CEIL = 0x26,
    SIGN = 0x27,
    I2F = 0x2D,
    F2I = 0x2E,
    F2IRND = 0x2F,
    CMP = 0x31,
    IMULLO0 = 0x3C,
    IMULHI0 = 0x40,
    IMADLO0 = 0x4C,
    IABS = 0x57,
    LEADZERO = 0x58,
    LSHIFT = 0x59,
    RSHIFT = 0x5A,
    ROTATE = 0x5B,
    OR = 0x5C,
    AND = 0x5D,
    XOR = 0x5E,
    NOT = 0x5F,
};

enum Group : unsigned { temporary, internal, uniform_0, uniform_1, temporary_full };

constexpr unsigned type_s32 = 1;
constexpr bool is_float(unsigned type) {
    return type == 0 || type == 4;
}

float real(uint32_t word) {
    return std::bit_cast<float>(word);
}
uint32_t word(float value) {
    return std::bit_cast<uint32_t>(value);
}

/// Converts an operand of an arithmetic instruction or comparison, flushing denormals to zero with
/// their sign.
float number(uint32_t bits_of_float) {
    const bool tiny = (bits_of_float >> 23 & 0xFF) == 0;
    return real(tiny ? bits_of_float & 0x80000000 : bits_of_float);
}

/// Rounds a result and flushes denormals. The limit of 2^-126 applies to the result rounded to 24
/// bits.
uint32_t rounded(double exact) {
    const float larger = static_cast<float>(exact * 0x1p64); // scaled up to keep all 24 bits
    if (std::fabs(larger) < 0x1p-62f)
        return std::signbit(exact) ? 0x80000000 : 0;
    return word(static_cast<float>(exact));
}

/// Doubles hold products of single-precision numbers exactly, and sums precisely enough to be
/// rounded a second time.
uint32_t product(float a, float b) {
    return rounded(double{a} * double{b});
}
uint32_t sum(float a, float b) {
    return rounded(double{a} + double{b});
}

Register broadcast(uint32_t value) {
    return {value, value, value, value};
}

} // namespace

/* ---- Decoding ----------------------------------------------------------------------------- */

namespace {

/// Returns bits high:low of a 128-bit instruction. Fields do not cross word boundaries.
uint32_t field(const std::array<uint32_t, 4>& words, unsigned high, unsigned low) {
    return bits(words[low / 32], high % 32, low % 32);
}

/// Lowest bit of each field of a source operand.
struct SourceFields {
    unsigned use, number, swizzle, negate, absolute, address_mode, group;
};
constexpr SourceFields source_fields[3] = {
    {43, 44, 54, 62, 63, 64, 67},
    {70, 71, 81, 89, 90, 91, 96},
    {99, 100, 110, 118, 119, 121, 124},
};

} // namespace

Instruction decode(const std::array<uint32_t, 4>& words) {
    Instruction i;
    i.opcode = field(words, 5, 0) | field(words, 80, 80) << 6;
    i.condition = field(words, 10, 6);
    i.saturate = field(words, 11, 11);
    i.writes = field(words, 12, 12);
    i.destination_mode = field(words, 15, 13);
    i.destination = field(words, 22, 16);
    i.components = field(words, 26, 23);
    i.sampler = field(words, 31, 27);
    i.sampler_mode = field(words, 34, 32);
    i.rounding = field(words, 33, 32);
    i.sampler_swizzle = field(words, 42, 35);
    i.type = field(words, 53, 53) << 2 | field(words, 95, 94);
    i.target = field(words, 117, 103);
    for (unsigned s = 0; s < 3; s++) {
        const SourceFields& at = source_fields[s];
        i.sources[s] = {.used = field(words, at.use, at.use) != 0,
                        .number = field(words, at.number + 8, at.number),
                        .swizzle = field(words, at.swizzle + 7, at.swizzle),
                        .address_mode = field(words, at.address_mode + 2, at.address_mode),
                        .group = field(words, at.group + 2, at.group),
                        .negate = field(words, at.negate, at.negate) != 0,
                        .absolute = field(words, at.absolute, at.absolute) != 0};
    }
    return i;
}

namespace {

/// The states that describe the program of a stage.
struct Stage {
    uint32_t range, address, uniforms, uniform_base;
};
constexpr Stage vertex_stage = {VS_RANGE, VS_INST_ADDR, VS_UNIFORMS, VS_UNIFORM_BASE};
constexpr Stage pixel_stage = {PS_RANGE, PS_INST_ADDR, PS_UNIFORMS, PS_UNIFORM_BASE};

std::vector<Instruction> code_of(const Engine& engine, const Stage& stage) {
    const States& states = engine.states;
    const bool in_memory = engine.features.halti >= 2 && states.bit(ICACHE_CONTROL, 0);
    uint32_t low = states.field(stage.range, 15, 0), end = states.field(stage.range, 31, 16) + 1;
    if (in_memory && (end <= low || end - low > longest_program))
        return {};
    if (!in_memory)
        end = std::min(end, uint32_t{instructions});
    std::vector<Instruction> code;
    for (uint32_t i = low; i < end; i++) {
        std::array<uint32_t, 4> words;
        for (uint32_t w = 0; w < 4; w++) {
            const uint32_t offset = 16 * i + 4 * w;
            words[w] =
                in_memory
                    ? static_cast<uint32_t>(read(engine.memory, states[stage.address] + offset, 4))
                    : states[SH_INST_MEM + offset];
        }
        code.push_back(decode(words));
    }
    return code;
}

Program program(const Engine& engine, const Stage& stage) {
    Program result{code_of(engine, stage), stage.uniforms, uniforms};
    if (engine.features.halti >= 1) {
        const uint32_t base = std::min(engine.states[stage.uniform_base], unified_uniforms);
        result.uniforms = SH_UNIFORMS + 16 * base;
        result.uniform_count = unified_uniforms - base;
    }
    return result;
}

} // namespace

Program vertex_program(const Engine& engine) {
    return program(engine, vertex_stage);
}

Program pixel_program(const Engine& engine) {
    return program(engine, pixel_stage);
}

bool Program::may_write(unsigned reg, unsigned component) const {
    return std::any_of(code.begin(), code.end(), [&](const Instruction& i) {
        return i.writes && i.components >> component & 1 && i.opcode != MOVAR &&
               i.opcode != MOVAF && (i.destination == reg || i.destination_mode);
    });
}

/* ---- Operands ----------------------------------------------------------------------------- */

Vector Invocation::vector(unsigned reg) const {
    Vector value{};
    if (reg < temporaries.size())
        for (unsigned c = 0; c < 4; c++)
            value[c] = real(temporaries[reg][c]);
    return value;
}

void Invocation::set(unsigned reg, const Vector& value) {
    if (reg < temporaries.size())
        for (unsigned c = 0; c < 4; c++)
            temporaries[reg][c] = word(value[c]);
}

void Invocation::write(unsigned reg, const Register& value) {
    if (reg < temporaries.size())
        temporaries[reg] = value;
}

namespace {

/// Adds a component of a0 to a register or sampler number.
int64_t indexed(const Invocation& lane, unsigned number, unsigned mode) {
    return int64_t{number} + (mode >= 1 && mode <= 4 ? lane.address[mode - 1] : 0);
}

Register read_register(const Engine& engine, const Program& program, const Invocation& lane,
                       const Source& source) {
    int64_t number = indexed(lane, source.number, source.address_mode);
    Register value{};
    switch (source.group) {
    case temporary:
    case temporary_full:
        if (number >= 0 && number < int64_t{64})
            value = lane.temporaries[static_cast<size_t>(number)];
        break;
    case internal:
        if (number == 0)
            value[0] = word(lane.face);
        break;
    case uniform_0:
    case uniform_1:
        number += source.group == uniform_1 ? 128 : 0;
        if (number >= 0 && number < int64_t{program.uniform_count})
            for (unsigned c = 0; c < 4; c++)
                value[c] =
                    engine.states[program.uniforms + 16 * static_cast<uint32_t>(number) + 4 * c];
        break;
    }
    return value;
}

uint32_t modify(uint32_t value, const Source& source, bool floating) {
    if (floating)
        return (source.absolute ? value & 0x7FFFFFFF : value) ^ (source.negate ? 0x80000000 : 0);
    if (source.absolute && value >> 31)
        value = -value;
    return source.negate ? -value : value;
}

Register fetch(const Engine& engine, const Program& program, const Invocation& lane,
               const Source& source, unsigned type) {
    if (!source.used)
        return {};
    const Register value = read_register(engine, program, lane, source);
    Register result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = modify(value[source.swizzle >> 2 * c & 3], source, is_float(type));
    return result;
}

using Operands = std::array<Register, 3>;

/* ---- Conditions --------------------------------------------------------------------------- */

template<typename T>
bool compare(unsigned condition, T a, T b) {
    const T zero{};
    switch (condition) {
    case 0:
        return true;
    case 1:
        return a > b;
    case 2:
        return a < b;
    case 3:
        return a >= b;
    case 4:
        return a <= b;
    case 5:
        return a == b;
    case 6:
        return a != b;
    case 10:
        return a == zero;
    case 11:
        return a != zero;
    case 12:
        return a >= zero;
    case 13:
        return a > zero;
    case 14:
        return a <= zero;
    case 15:
        return a < zero;
    default:
        return false;
    }
}

bool holds(const Instruction& i, uint32_t a, uint32_t b) {
    switch (i.condition) {
    case 7:
        return (a & b) != 0;
    case 8:
        return (a | b) != 0;
    case 9:
        return (a ^ b) != 0;
    case 22: // SELMSB
        return a >> 31;
    }
    if (is_float(i.type))
        return compare(i.condition, number(a), number(b));
    if (i.type == type_s32)
        return compare(i.condition, static_cast<int32_t>(a), static_cast<int32_t>(b));
    return compare(i.condition, a, b);
}

/* ---- Functions of one component ----------------------------------------------------------- */

/// Returns the sine of an angle in quarter turns; it is exact at whole quarters.
double sine(double quarters) {
    if (!std::isfinite(quarters))
        return std::numeric_limits<double>::quiet_NaN();
    const double r = quarters - 4 * std::floor(quarters / 4);
    if (r == 0 || r == 2)
        return 0;
    if (r == 1 || r == 3)
        return r == 1 ? 1 : -1;
    return std::sin(r * (3.14159265358979323846 / 2));
}

float fraction(float x) {
    const float result = x - std::floor(x);
    return result >= 1 ? real(0x3F7FFFFF) : result;
}

uint32_t to_integer(uint32_t bits_of_float, unsigned type, bool nearest) {
    const float x = real(bits_of_float);
    const bool negative = bits_of_float >> 31;
    const bool is_signed = type == type_s32;
    const double least = is_signed ? INT32_MIN : 0, most = is_signed ? INT32_MAX : UINT32_MAX;
    double value = nearest ? std::nearbyint(double{x}) : std::trunc(double{x});
    if (std::isnan(x)) // as measured on a GC2000 (etnaviv_verifyops.c)
        value = negative ? least : most;
    value = std::clamp(value, least, most);
    return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(value))
                     : static_cast<uint32_t>(value);
}

uint32_t to_float(uint32_t value, unsigned type) {
    return word(type == type_s32 ? static_cast<float>(static_cast<int32_t>(value))
                                 : static_cast<float>(value));
}

/* ---- Instructions that compute a vector from their operands ------------------------------- */

template<typename F>
Register each(F function) {
    Register result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = function(c);
    return result;
}

float dot(const Register& a, const Register& b, unsigned components) {
    const auto term = [&](unsigned c) { return real(product(number(a[c]), number(b[c]))); };
    float total = term(0);
    for (unsigned c = 1; c < components; c++)
        total = real(sum(total, term(c)));
    return total;
}

Register lit(const Instruction& i, const Operands& s) {
    const bool lit = number(s[1][2]) > 0;
    const bool y = lit && (!i.sources[0].used || number(s[0][1]) > 0);
    const bool z = lit && (!i.sources[0].used || number(s[0][2]) > 0);
    return {word(1), y ? s[1][1] : 0, z ? rounded(std::exp2(double{number(s[2][0])})) : 0, word(1)};
}

/// Computes the integer operations that GC2000 evaluates for component x and broadcasts. Returns
/// false for all others.
bool compute_integer(const Instruction& i, const Operands& s, Register& result) {
    const uint32_t a = s[0][0], b = s[1][0], c = s[2][0];
    const bool is_signed = i.type == type_s32;
    const uint64_t product =
        is_signed
            ? static_cast<uint64_t>(int64_t{static_cast<int32_t>(a)} * static_cast<int32_t>(b))
            : uint64_t{a} * b;
    uint32_t value;
    switch (i.opcode) {
    case ADD:
        if (is_float(i.type))
            return false;
        value = a + c;
        break;
    case I2F:
        value = to_float(a, i.type);
        break;
    case F2I:
        value = to_integer(a, i.type, false);
        break;
    case F2IRND:
        value = to_integer(a, i.type, i.rounding != 1);
        break;
    case IMULLO0:
        value = static_cast<uint32_t>(product);
        break;
    case IMULHI0:
        value = static_cast<uint32_t>(product >> 32);
        break;
    case IMADLO0:
        value = static_cast<uint32_t>(product) + c;
        break;
    case IABS:
        value = c >> 31 ? -c : c;
        break;
    case LEADZERO:
        value = static_cast<uint32_t>(std::countl_zero(c));
        break;
    case LSHIFT:
        value = a << (c & 31);
        break;
    case RSHIFT:
        value =
            is_signed ? static_cast<uint32_t>(static_cast<int32_t>(a) >> (c & 31)) : a >> (c & 31);
        break;
    case ROTATE:
        value = std::rotl(a, static_cast<int>(c & 31));
        break;
    case OR:
        value = a | c;
        break;
    case AND:
        value = a & c;
        break;
    case XOR:
        value = a ^ c;
        break;
    case NOT:
        value = ~c;
        break;
    default:
        return false;
    }
    result = broadcast(value);
    return true;
}

/// Returns false if the instruction has no result.
bool compute(const Instruction& i, const Operands& s, Register& result) {
    if (compute_integer(i, s, result))
        return true;
    const auto f = [&s](unsigned source, unsigned c) { return number(s[source][c]); };
    switch (i.opcode) {
    case ADD:
        result = each([&](unsigned c) { return sum(f(0, c), f(2, c)); });
        return true;
    case MAD:
        result = each([&](unsigned c) { return sum(real(product(f(0, c), f(1, c))), f(2, c)); });
        return true;
    case MUL:
        result = each([&](unsigned c) { return product(f(0, c), f(1, c)); });
        return true;
    case DST:
        result = {word(1), product(f(0, 1), f(1, 1)), s[0][2], s[1][3]};
        return true;
    case DP3:
    case DP4:
        result = broadcast(word(dot(s[0], s[1], i.opcode == DP3 ? 3 : 4)));
        return true;
    case MOV:
        result = s[2];
        return true;
    case RCP:
        result = each([&](unsigned c) { return rounded(1.0 / double{f(2, c)}); });
        return true;
    case RSQ:
        result = each([&](unsigned c) { return rounded(1.0 / std::sqrt(double{f(2, c)})); });
        return true;
    case SQRT:
        result = each([&](unsigned c) { return word(std::sqrt(f(2, c))); });
        return true;
    case SIN:
        result = each([&](unsigned c) { return rounded(sine(f(2, c))); });
        return true;
    case COS:
        result = each([&](unsigned c) { return rounded(sine(double{f(2, c)} + 1)); });
        return true;
    case EXP:
        result = broadcast(rounded(std::exp2(double{f(2, 0)})));
        return true;
    case LOG:
        result = broadcast(rounded(std::log2(double{f(2, 0)})));
        return true;
    case FRC:
        result = each([&](unsigned c) { return word(fraction(f(2, c))); });
        return true;
    case FLOOR:
        result = each([&](unsigned c) { return word(std::floor(f(2, c))); });
        return true;
    case CEIL:
        result = each([&](unsigned c) { return word(std::ceil(f(2, c))); });
        return true;
    case SIGN:
        result = each([&](unsigned c) {
            return word(f(2, c) > 0 ? 1.0f : f(2, c) < 0 ? -1.0f : 0.0f);
        });
        return true;
    case LITP:
        result = lit(i, s);
        return true;
    case SELECT:
        result = each([&](unsigned c) { return holds(i, s[0][c], s[1][c]) ? s[1][c] : s[2][c]; });
        return true;
    case SET:
        result = each([&](unsigned c) { return word(holds(i, s[0][c], s[1][c]) ? 1.0f : 0.0f); });
        return true;
    case CMP:
        result = each([&](unsigned c) { return holds(i, s[0][c], s[1][c]) ? s[2][c] : 0; });
        return true;
    default:
        return false;
    }
}

/// Returns the difference between neighbors in a quad's row or column, or 0 for a vertex, which has
/// no neighbors.
template<typename F>
Register difference(std::span<const Operands> quad, size_t lane, bool vertical, F subtract) {
    if (quad.size() != 4)
        return {};
    const size_t step = vertical ? 2 : 1;
    const size_t low = lane & ~step;
    return each([&](unsigned c) { return subtract(quad[low | step][0][c], quad[low][0][c]); });
}

Register texel(const Engine& engine, const Instruction& i, const Invocation& lane,
               std::span<const Operands> quad, size_t at) {
    const Operands& s = quad[at];
    Lookup lookup;
    for (unsigned c = 0; c < 3; c++)
        lookup.at[c] = real(s[0][c]);
    if (i.opcode == TEXLDL)
        lookup.lod = real(s[0][3]);
    if (i.opcode == TEXLDB)
        lookup.bias = real(s[0][3]);
    if (i.opcode == TEXLDD || (quad.size() == 4 && !lookup.lod)) {
        // The texture unit subtracts without flushing denormals.
        const auto subtract = [](uint32_t a, uint32_t b) { return word(real(a) - real(b)); };
        const Register dx = i.opcode == TEXLDD ? s[1] : difference(quad, at, false, subtract);
        const Register dy = i.opcode == TEXLDD ? s[2] : difference(quad, at, true, subtract);
        lookup.gradients.emplace();
        for (unsigned c = 0; c < 3; c++) {
            lookup.gradients->x[c] = real(dx[c]);
            lookup.gradients->y[c] = real(dy[c]);
        }
    }
    const int64_t sampler = indexed(lane, i.sampler, i.sampler_mode);
    const Vector value = sampler >= 0 && sampler < int64_t{sampler_count(engine)}
                             ? sample(engine, static_cast<unsigned>(sampler), lookup)
                             : vector_default;
    return each([&](unsigned c) { return word(value[i.sampler_swizzle >> 2 * c & 3]); });
}

/* ---- Control ------------------------------------------------------------------------------ */

constexpr unsigned ended = UINT32_MAX;

void write_result(Invocation& lane, const Instruction& i, const Register& result) {
    if (!i.writes)
        return;
    const int64_t reg = indexed(lane, i.destination, i.destination_mode);
    if (reg < 0 || reg >= int64_t{64})
        return;
    for (unsigned c = 0; c < 4; c++)
        if (i.components >> c & 1)
            lane.temporaries[static_cast<size_t>(reg)][c] =
                i.saturate && is_float(i.type) ? word(unit_clamp(number(result[c]))) : result[c];
}

void write_address(Invocation& lane, const Instruction& i, const Register& value) {
    for (unsigned c = 0; c < 4; c++)
        if (i.components >> c & 1)
            lane.address[c] = static_cast<int32_t>(to_integer(value[c], type_s32, true));
}

void call(Invocation& lane, const Instruction& i) {
    if (lane.calls.size() == deepest_call) {
        lane.pc = ended;
        return;
    }
    lane.calls.push_back(lane.pc);
    lane.pc = i.target;
}

void ret(Invocation& lane) {
    if (lane.calls.empty()) {
        lane.pc = ended;
        return;
    }
    lane.pc = lane.calls.back();
    lane.calls.pop_back();
}

bool any_component(const Instruction& i, const Operands& s) {
    for (unsigned c = 0; c < 4; c++)
        if (holds(i, s[0][c], s[1][c]))
            return true;
    return false;
}

void execute(const Engine& engine, const Instruction& i, Invocation& lane,
             std::span<const Operands> quad, size_t lane_number) {
    const Operands& s = quad[lane_number];
    lane.pc++;
    Register result{};
    switch (i.opcode) {
    case CALL:
        call(lane, i);
        return;
    case RET:
        ret(lane);
        return;
    case BRANCH:
        if (holds(i, s[0][0], s[1][0]))
            lane.pc = i.target;
        return;
    case BRANCH_ANY:
        if (any_component(i, s))
            lane.pc = i.target;
        return;
    case TEXKILL:
        lane.killed = lane.killed || holds(i, s[0][0], s[1][0]);
        return;
    case MOVAR:
    case MOVAF:
        write_address(lane, i, s[2]);
        return;
    case DSX:
    case DSY:
        result = difference(quad, lane_number, i.opcode == DSY,
                            [](uint32_t a, uint32_t b) { return sum(number(a), -number(b)); });
        break;
    case TEXLD:
    case TEXLDB:
    case TEXLDD:
    case TEXLDL:
        result = texel(engine, i, lane, quad, lane_number);
        break;
    default:
        if (!compute(i, s, result))
            return;
    }
    write_result(lane, i, result);
}

} // namespace

/// Always executes the lowest address first, so that diverged lanes reconverge.
bool run(const Engine& engine, const Program& program, std::span<Invocation> lanes) {
    std::array<Operands, 4> operands;
    for (unsigned count = 0;; count++) {
        unsigned pc = ended;
        for (const Invocation& lane : lanes)
            pc = std::min(pc, lane.pc);
        if (pc >= program.code.size())
            return true;
        if (count == longest_run)
            return false;
        const Instruction& i = program.code[pc];
        for (size_t l = 0; l < lanes.size(); l++)
            for (unsigned s = 0; s < 3; s++)
                operands[l][s] = fetch(engine, program, lanes[l], i.sources[s], i.type);
        const std::span<const Operands> quad(operands.data(), lanes.size());
        for (size_t l = 0; l < lanes.size(); l++)
            if (lanes[l].pc == pc)
                execute(engine, i, lanes[l], quad, l);
    }
}

} // namespace pixmill::reference::vivante_3d

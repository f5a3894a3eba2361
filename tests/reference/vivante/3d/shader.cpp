// SH: the instruction set (rnndb isa.xml), executed one lane at a time; derivatives use quads.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "shader.hpp"

#include <cmath>
#include <limits>

namespace pixmill::reference::vivante_3d {

namespace {

constexpr unsigned longest_run = 1u << 20; ///< maximum number of instructions per invocation
constexpr size_t deepest_call = 16;
constexpr uint32_t uniforms = 256;         ///< vectors per stage, without HALTI1
constexpr uint32_t unified_uniforms = 512; ///< vectors that both stages share
constexpr uint32_t longest_program = 1u << 20;

enum Group : unsigned {
    temporary,
    internal,
    uniform_0,
    uniform_1,
    temporary_full,
    immediate = 7 ///< from HALTI2
};

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
    i.left_shift = field(words, 37, 35);
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
    uint32_t range, halti5_low, halti5_high, address, uniforms, uniform_base, sampler_base;
};
constexpr Stage vertex_stage = {VS_RANGE,    VS_NEWRANGE_LOW, VS_HALTI5_RANGE_HIGH, VS_INST_ADDR,
                                VS_UNIFORMS, VS_UNIFORM_BASE, VS_SAMPLER_BASE};
constexpr Stage pixel_stage = {PS_RANGE,    PS_NEWRANGE_LOW, PS_HALTI5_RANGE_HIGH, PS_INST_ADDR,
                               PS_UNIFORMS, PS_UNIFORM_BASE, PS_SAMPLER_BASE};

/// Numbers of instructions, from `low` to before `end`.
struct CodeRange {
    bool in_memory;
    uint32_t low, end;
};

CodeRange code_range(const Engine& engine, const Stage& stage) {
    const States& states = engine.states;
    if (engine.features.halti >= 5)
        return {true, states[stage.halti5_low], states[stage.halti5_high]};
    const uint32_t low = states.field(stage.range, 15, 0);
    const uint32_t end = states.field(stage.range, 31, 16) + 1;
    if (engine.features.halti >= 2 && states.bit(ICACHE_CONTROL, 0))
        return {true, low, end};
    return {false, low, std::min(end, uint32_t{instructions})};
}

std::vector<Instruction> code_of(const Engine& engine, const Stage& stage) {
    const States& states = engine.states;
    const auto [in_memory, low, end] = code_range(engine, stage);
    if (end <= low || end - low > longest_program)
        return {};
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
    if (engine.features.halti >= 5)
        result.sampler_base = engine.states[stage.sampler_base];
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

/// Returns the immediate of 20 bits that takes the place of a source's other fields.
uint32_t immediate_of(const Source& source, unsigned type) {
    const uint32_t value = source.number | source.swizzle << 9 | uint32_t{source.negate} << 17 |
                           uint32_t{source.absolute} << 18 | (source.address_mode & 1) << 19;
    switch (source.address_mode >> 1) {
    case 0:
        return value << 12; // the upper bits of a float
    case 1:
        return widened(value, 20, true);
    case 2:
        return value;
    default: // a half float; its use in operations on integers is undocumented
        return is_float(type) ? word(from_half(static_cast<uint16_t>(value))) : value & 0xFFFF;
    }
}

Register fetch(const Engine& engine, const Program& program, const Invocation& lane,
               const Source& source, unsigned type) {
    if (!source.used)
        return {};
    if (source.group == immediate && engine.features.halti >= 2)
        return broadcast(immediate_of(source, type));
    const Register value = read_register(engine, program, lane, source);
    Register result;
    for (unsigned c = 0; c < 4; c++)
        result[c] = modify(value[source.swizzle >> 2 * c & 3], source, is_float(type));
    return result;
}

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
    a = widened(a, i.type);
    b = widened(b, i.type);
    if (is_signed(i.type))
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

/* ---- Instructions that compute a vector from their operands ------------------------------- */

float dot(const Register& a, const Register& b, unsigned components) {
    const auto term = [&](unsigned c) { return real(product(number(a[c]), number(b[c]))); };
    float total = term(0);
    for (unsigned c = 1; c < components; c++)
        total = real(sum(total, term(c)));
    return total;
}

/// Returns a result as the product of the destination's first two components. Which of them
/// hardware uses is undocumented; Mesa multiplies them.
Register factors(const Instruction& i, uint32_t result) {
    Register pair = broadcast(word(1));
    pair[static_cast<size_t>(std::countr_zero(i.components | 8u))] = result;
    return pair;
}

/// Computes the functions of HAS_FAST_TRANSCENDENTALS. Their angles are in half turns.
bool compute_fast(const Instruction& i, const Operands& s, Register& result) {
    const double a = number(s[1][0]), b = number(s[2][0]);
    double value = 0;
    switch (i.opcode) {
    case LOG:
        value = std::log2(b);
        break;
    case SIN:
        value = sine(2 * b);
        break;
    case COS:
        value = sine(2 * b + 1);
        break;
    case DIV:
        value = a / b;
        break;
    default:
        return false;
    }
    result = factors(i, rounded(value));
    return true;
}

Register conversion(const Instruction& i, const Operands& s) {
    return each([&](unsigned c) -> uint32_t {
        if (i.type == f16)
            return to_half(real(s[0][c]));
        return word(from_half(static_cast<uint16_t>(s[0][c])));
    });
}

/// Returns a product with 0 * infinity = 0, as vectors are scaled after NORM_DP3.
uint32_t scaled(float a, float b) {
    return a == 0 || b == 0 ? 0 : product(a, b);
}

Register lit(const Instruction& i, const Operands& s) {
    const bool lit = number(s[1][2]) > 0;
    const bool y = lit && (!i.sources[0].used || number(s[0][1]) > 0);
    const bool z = lit && (!i.sources[0].used || number(s[0][2]) > 0);
    return {word(1), y ? s[1][1] : 0, z ? rounded(std::exp2(double{number(s[2][0])})) : 0, word(1)};
}

/// Returns false if the instruction has no result.
bool compute(const Features& features, const Instruction& i, const Operands& s, Register& result) {
    if (compute_integer(features, i, s, result))
        return true;
    const bool fast = features.halti >= 2 && (i.rounding == 1 || i.opcode == DIV);
    if (fast && compute_fast(i, s, result))
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
    case DP2:
        result = broadcast(word(dot(s[0], s[1], 2)));
        return true;
    case NORM_DP2:
    case NORM_DP3:
    case NORM_DP4:
        result =
            broadcast(rounded(1 / std::sqrt(double{dot(s[0], s[0], i.opcode - NORM_DP2 + 2)})));
        return true;
    case NORM_MUL:
        result = each([&](unsigned c) { return scaled(f(0, c), f(1, c)); });
        return true;
    case CLAMP0_MAX:
        result = each([&](unsigned c) {
            const float a = std::max(f(0, c), 0.0f), most = f(1, c);
            return word(a < most ? a : most);
        });
        return true;
    case CONV:
        result = conversion(i, s);
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

/// The texture unit subtracts without flushing denormals.
uint32_t subtracted(uint32_t a, uint32_t b) {
    return word(real(a) - real(b));
}

/// Returns the gradient in source `source`. From HALTI2, it is added to the coordinates (Mesa's
/// etnaviv_nir.c).
Register gradient(const Engine& engine, const Operands& s, unsigned source) {
    if (engine.features.halti < 2)
        return s[source];
    return each([&](unsigned c) { return subtracted(s[source][c], s[0][c]); });
}

/// Returns the depth to compare, if the instruction has one.
std::optional<float> reference_of(const Engine& engine, const Instruction& i, const Operands& s) {
    if (engine.features.halti < 2)
        return std::nullopt;
    switch (i.opcode) {
    case TEXLD:
    case TEXLDB:
    case TEXLDLPCF:
        return i.sources[2].used ? std::optional(real(s[2][0])) : std::nullopt;
    case TEXLDGPCF:
        return real(s[0][3]);
    default:
        return std::nullopt;
    }
}

Lookup lookup_of(const Engine& engine, const Instruction& i, std::span<const Operands> quad,
                 size_t at) {
    const Operands& s = quad[at];
    const float detail = real(engine.features.halti >= 5 ? s[1][0] : s[0][3]);
    Lookup lookup;
    for (unsigned c = 0; c < 3; c++)
        lookup.at[c] = real(s[0][c]);
    if (i.opcode == TEXLDL)
        lookup.lod = detail;
    if (i.opcode == TEXLDLPCF)
        lookup.lod = real(s[1][0]);
    if (i.opcode == TEXLDB)
        lookup.bias = detail;
    lookup.reference = reference_of(engine, i, s);
    const bool explicit_gradients = i.opcode == TEXLDD || i.opcode == TEXLDGPCF;
    if (explicit_gradients || (quad.size() == 4 && !lookup.lod)) {
        const Register dx =
            explicit_gradients ? gradient(engine, s, 1) : difference(quad, at, false, subtracted);
        const Register dy =
            explicit_gradients ? gradient(engine, s, 2) : difference(quad, at, true, subtracted);
        lookup.gradients.emplace();
        for (unsigned c = 0; c < 3; c++) {
            lookup.gradients->x[c] = real(dx[c]);
            lookup.gradients->y[c] = real(dy[c]);
        }
    }
    return lookup;
}

/// Returns the sampler of an instruction, or nothing if there is none with this number.
std::optional<unsigned> sampler_of(const Engine& engine, const Program& program,
                                   const Instruction& i, const Invocation& lane) {
    int64_t number = indexed(lane, i.sampler, i.sampler_mode);
    if (engine.features.halti >= 5)
        number = (number + program.sampler_base) & (nte_samplers - 1);
    if (number < 0 || number >= int64_t{sampler_count(engine)})
        return std::nullopt;
    return static_cast<unsigned>(number);
}

Vector texel_of(const Engine& engine, const Instruction& i, unsigned sampler,
                std::span<const Operands> quad, size_t at) {
    const Operands& s = quad[at];
    switch (i.opcode) {
    case TXF:
        return fetch_texel(engine, sampler,
                           {static_cast<int32_t>(s[0][0]), static_cast<int32_t>(s[0][1]),
                            static_cast<int32_t>(s[0][2])},
                           real(s[1][0]));
    case TG4:
        return gather(engine, sampler, lookup_of(engine, i, quad, at), s[1][0]);
    default:
        return sample(engine, sampler, lookup_of(engine, i, quad, at));
    }
}

Register texel(const Engine& engine, const Program& program, const Instruction& i,
               const Invocation& lane, std::span<const Operands> quad, size_t at) {
    const auto sampler = sampler_of(engine, program, i, lane);
    const Vector value = sampler ? texel_of(engine, i, *sampler, quad, at) : vector_default;
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

/// MOVAR takes integers from HALTI2, and whole floats before.
void write_address(const Features& features, Invocation& lane, const Instruction& i,
                   const Register& value) {
    const bool integer = features.halti >= 2 && i.opcode != MOVAF;
    for (unsigned c = 0; c < 4; c++)
        if (i.components >> c & 1)
            lane.address[c] = static_cast<int32_t>(
                integer ? value[c] : to_integer(features, value[c], s32, true));
}

/* ---- Memory ------------------------------------------------------------------------------- */

uint32_t address_of(const Instruction& i, const Operands& s) {
    return s[0][0] + (s[1][0] << i.left_shift);
}

/// The enabled components take consecutive values in memory.
Register load(const Engine& engine, const Instruction& i, const Operands& s) {
    const unsigned bytes = i.type == f32 ? 4 : width_of(i.type) / 8;
    uint32_t address = address_of(i, s);
    Register result{};
    for (unsigned c = 0; c < 4; c++)
        if (i.components >> c & 1) {
            result[c] = widened(static_cast<uint32_t>(read(engine.memory, address, bytes)), i.type);
            address += bytes;
        }
    return result;
}

void store(const Engine& engine, const Instruction& i, const Operands& s) {
    const unsigned bytes = i.type == f32 ? 4 : width_of(i.type) / 8;
    uint32_t address = address_of(i, s);
    for (unsigned c = 0; c < 4; c++)
        if (i.components >> c & 1) {
            write(engine.memory, address, bytes, s[2][c]);
            address += bytes;
        }
}

/* ---- Flow --------------------------------------------------------------------------------- */

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

/// Returns the lowest HALTI level of cores that execute an instruction.
unsigned least_halti(unsigned opcode) {
    switch (opcode) {
    case I2I:
    case LOAD:
    case STORE:
    case CLAMP0_MAX:
    case IADDSAT:
    case IDIV0:
    case IMOD0:
    case IMADLOSAT0:
    case MOVAI:
    case BIT_EXTRACT:
    case POPCOUNT:
    case DIV:
    case BIT_REV:
    case TEXLDLPCF:
    case TEXLDGPCF:
    case CONV:
    case DP2:
    case NORM_DP2:
    case NORM_DP3:
    case NORM_DP4:
    case NORM_MUL:
        return 2;
    case EXTENDED:
    case TXF:
    case TG4:
        return 5;
    default:
        return 0;
    }
}

void execute(const Engine& engine, const Program& program, const Instruction& i, Invocation& lane,
             std::span<const Operands> quad, size_t lane_number) {
    const Operands& s = quad[lane_number];
    lane.pc++;
    if (engine.features.halti < least_halti(i.opcode))
        return;
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
    case MOVAI:
        write_address(engine.features, lane, i, s[2]);
        return;
    case LOAD:
        result = load(engine, i, s);
        break;
    case STORE:
        if (lane.live && !lane.killed)
            store(engine, i, s);
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
    case TEXLDLPCF:
    case TEXLDGPCF:
    case TXF:
    case TG4:
        result = texel(engine, program, i, lane, quad, lane_number);
        break;
    default:
        if (!compute(engine.features, i, s, result))
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
                execute(engine, program, i, lanes[l], quad, l);
    }
}

} // namespace pixmill::reference::vivante_3d

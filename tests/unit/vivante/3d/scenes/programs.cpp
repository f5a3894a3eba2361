// Random shader programs from the instructions that Mesa emits for a GC2000.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "builder.hpp"

namespace pixmill::test {

using namespace shader;

namespace {

/// Uniforms with constants, after the random uniforms: (0, 1, 1/4, -0.5), (1/64, 1/8, 3, 8) and
/// (1.1875 * 2^-120, 2^126, 0.9731).
constexpr unsigned constants = program_uniforms + 8, more_constants = constants + 1,
                   far_constants = constants + 2;
constexpr Operand zero = {true, uniform, constants, xxxx}, one = {true, uniform, constants, yyyy},
                  quarter = {true, uniform, constants, zzzz},
                  fine = {true, uniform, more_constants, xxxx},
                  eighth = {true, uniform, more_constants, yyyy},
                  three = {true, uniform, more_constants, zzzz},
                  small = {true, uniform, far_constants, xxxx},
                  large = {true, uniform, far_constants, yyyy},
                  below_one = {true, uniform, far_constants, zzzz};
constexpr unsigned last_temporary = 31;

class Writer {
public:
    Writer(SceneBuilder& builder, const ProgramRequest& request)
        : b_(builder), r_(builder.random), request_(request), next_(request.first_free) {
        for (unsigned i = 0; i < request.inputs; i++)
            values_.push_back(request.first_input + i);
    }

    SceneProgram write() {
        if (request_.fragment_coordinates)
            place_of_the_pixel();
        if (values_.empty())
            start();
        if (!request_.vertex && r_.chance(20))
            derivative();
        for (const SceneTexture& texture : request_.textures)
            sample(texture);
        for (unsigned i = 0; i < request_.steps; i++)
            step();
        gather();
        SceneProgram program;
        program.code = std::move(code_);
        program.results.assign(values_.rbegin(), values_.rend());
        return program;
    }

private:
    /* ---- Registers ---- */

    unsigned fresh() {
        if (next_ <= last_temporary)
            return next_++;
        return r_.between(request_.first_free, last_temporary);
    }
    void have(unsigned reg) {
        std::erase(values_, reg);
        values_.push_back(reg);
    }
    unsigned value() { return values_[r_.below(static_cast<uint32_t>(values_.size()))]; }

    uint32_t swizzle() {
        return r_.chance(50)
                   ? xyzw
                   : r_.pick<uint32_t>({xxxx, yyyy, zzzz, wwww, 0xC6, 0x1B, r_.below(256)});
    }
    Operand modified(Operand operand) {
        operand.negate = r_.chance(15);
        operand.absolute = r_.chance(10);
        return operand;
    }
    Operand temporary_source() { return modified(t(value(), swizzle())); }
    /// Returns a random source. All uniform operands of an instruction must use the same register,
    /// so the caller chooses it.
    Operand source(unsigned uniform_number) {
        return r_.chance(35) ? modified(u(uniform_number, swizzle())) : temporary_source();
    }
    unsigned any_uniform() { return r_.between(program_uniforms, program_uniforms + 7); }

    unsigned emit(Instruction instruction) {
        code_.push_back(instruction);
        return instruction.destination;
    }
    unsigned move(Operand from, bool saturate = false) {
        return emit({.opcode = MOV,
                     .saturate = saturate,
                     .destination = fresh(),
                     .sources = {Operand{}, {}, from}});
    }

    /* ---- Start ---- */

    void start() { have(move(u(any_uniform()))); }

    /// t0.xy / 64, exact.
    void place_of_the_pixel() {
        have(emit({.opcode = MUL, .destination = fresh(), .sources = {t(0, 0x44), fine}}));
    }

    void derivative() {
        b_.add(Feature::derivatives);
        const Operand of = t(value(), swizzle());
        const unsigned change = emit(
            {.opcode = r_.chance(50) ? DSX : DSY, .destination = fresh(), .sources = {of, {}, of}});
        // Scales the derivative so that it is visible, and adds a uniform. A value of 0 would be at
        // the border of two texels, or have no direction.
        const unsigned from = move(u(any_uniform()));
        have(emit({.opcode = MAD,
                   .destination = fresh(),
                   .sources = {t(change), {true, uniform, more_constants, wwww}, t(from)}}));
    }

    void sample(const SceneTexture& texture) {
        const unsigned at = move(t(value(), xyzw));
        if (texture.is_array)
            emit({.opcode = MOV,
                  .destination = at,
                  .components = 4,
                  .sources = {Operand{}, {}, layer(texture.layers)}});
        Instruction sampling{.opcode = TEXLD,
                             .destination = fresh(),
                             .sources = {t(at)},
                             .sampler = texture.sampler};
        const uint32_t kind = r_.below(10);
        if (request_.vertex || kind == 0)
            sampling.opcode = TEXLDL;
        else if (kind == 1)
            sampling.opcode = TEXLDB;
        if (sampling.opcode != TEXLD && b_.halti() >= 5)
            sampling.sources[1] = u(any_uniform(), wwww);
        else if (sampling.opcode != TEXLD)
            emit({.opcode = MOV,
                  .destination = at,
                  .components = 8,
                  .sources = {Operand{}, {}, u(any_uniform(), wwww)}});
        if (kind == 2 && !request_.vertex) {
            sampling.opcode = TEXLDD;
            sampling.sources[1] = t(gradient(at));
            sampling.sources[2] = t(gradient(at));
        } else if (texture.compares && sampling.opcode != TEXLDL) {
            b_.add(Feature::shadow);
            sampling.sources[2] = t(value(), xxxx);
        }
        if (sampling.opcode == TEXLD)
            sampling.sources[0].swizzle = texture.coordinates == 2 ? xyyy : xyzw;
        sampling.sampler_swizzle = r_.pick<uint32_t>({xyzw, xyzw, xyzw, 0xC6});
        // Filtering texels of 1 gives 1 or slightly less. As a coordinate, that would be the border
        // of two texels.
        const unsigned texel = emit(sampling);
        if (texture.integers) { // to 0 to 4
            b_.add(Feature::integers);
            emit({.opcode = I2F,
                  .type = texture.integers,
                  .destination = texel,
                  .sources = {t(texel)}});
            emit({.opcode = MUL, .destination = texel, .sources = {t(texel), fine}});
        }
        have(emit({.opcode = MUL, .destination = fresh(), .sources = {t(texel), below_one}}));
    }
    Operand layer(uint32_t layers) { // returns 0, 1 or 3
        return layers > 3 && r_.chance(50) ? three : r_.chance(70) ? one : zero;
    }
    /// From HALTI2, gradients are added to the coordinates.
    unsigned gradient(unsigned at) {
        const unsigned change = emit({.opcode = MUL,
                                      .destination = fresh(),
                                      .sources = {t(move(u(any_uniform()))), quarter}});
        if (b_.halti() >= 2)
            emit({.opcode = ADD, .destination = change, .sources = {t(change), {}, t(at)}});
        return change;
    }

    /// Adds up all values, so that the result depends on most instructions.
    void gather() {
        const unsigned sum = fresh();
        Instruction term{.opcode = MUL, .destination = sum};
        for (const unsigned value : std::vector<unsigned>(values_)) {
            if (value == sum)
                continue;
            term.sources[0] = t(value, swizzle());
            term.sources[0].absolute = true;
            term.sources[1] = eighth;
            emit(term);
            term.opcode = MAD;
            term.sources[2] = t(sum);
        }
        emit({.opcode = MOV,
              .saturate = true,
              .destination = sum,
              .sources = {Operand{}, {}, t(sum)}});
        have(sum);
    }

    /* ---- Steps ---- */

    void step() {
        if (b_.halti() >= 2 && r_.chance(30)) {
            halti2_step();
            return;
        }
        const uint32_t kind = r_.below(100);
        if (kind < 62)
            arithmetic();
        else if (kind < 72)
            unary();
        else if (kind < 78)
            compare();
        else if (kind < 80)
            vanish();
        else if (kind < 84)
            indirect();
        else if (kind < 89)
            condition();
        else if (kind < 91)
            loop();
        else if (kind < 94 && request_.has_face)
            facing();
        else if (kind < 97 && !request_.vertex)
            kill();
        else
            have(move(temporary_source(), true));
    }

    /// Multiplies a value by 1.1875 * 2^-126 and then by 2^126. Values below 0.842 become 0.
    void vanish() {
        b_.add(Feature::tiny);
        unsigned number = value();
        for (const Operand& factor : {small, fine, large})
            number = emit(
                {.opcode = MUL, .destination = fresh(), .sources = {t(number, swizzle()), factor}});
        have(number);
    }

    void arithmetic() {
        b_.add(Feature::arithmetic);
        const unsigned number = any_uniform();
        const uint32_t kind = r_.below(8);
        Instruction i{.destination = fresh()};
        switch (kind) {
        case 0:
        case 1:
            i.opcode = ADD;
            i.sources = {source(number), Operand{}, source(number)};
            break;
        case 2:
        case 3:
            i.opcode = MUL;
            i.sources = {source(number), source(number)};
            break;
        case 4:
        case 5:
            i.opcode = MAD;
            i.sources = {source(number), source(number), source(number)};
            break;
        default:
            i.opcode = kind == 6 ? DP3 : DP4;
            i.sources = {source(number), source(number)};
        }
        have(emit(i));
        // Reduces the result to 0 to 1. FRC has steps, which would amplify small differences.
        if (request_.exact && r_.chance(50))
            have(emit({.opcode = FRC,
                       .destination = i.destination,
                       .sources = {Operand{}, {}, t(i.destination)}}));
        else
            have(move(t(i.destination), true));
    }

    void unary() {
        const Opcode exact[] = {FRC, FLOOR, CEIL, SIGN, SQRT, RCP};
        const Opcode smooth[] = {SIN, COS, EXP, LOG, RSQ, RCP, SQRT};
        const Opcode opcode = request_.exact ? exact[r_.below(6)] : smooth[r_.below(7)];
        // Arguments are 0.25 to 1.25, where the slopes are small.
        const unsigned argument =
            emit({.opcode = ADD,
                  .destination = fresh(),
                  .sources = {t(move(temporary_source(), true)), Operand{}, quarter}});
        const uint32_t lane = r_.pick<uint32_t>({xxxx, yyyy, zzzz, wwww});
        const unsigned result = emit({.opcode = opcode,
                                      .destination = fresh(),
                                      .components = r_.between(1, 15),
                                      .sources = {Operand{}, {}, t(argument, lane)}});
        have(move(t(result), true));
    }

    /// Emits a comparison. Its result is 0 or 1 in each component.
    unsigned decision(const Operand& a, const Operand& b) {
        return emit({.opcode = SET,
                     .condition = r_.pick<uint32_t>({GT, LT, GE, LE}),
                     .destination = fresh(),
                     .sources = {a, b}});
    }
    void may_flip() {
        if (!request_.exact)
            b_.tolerate(0, 0.03, "decisions on interpolated values");
    }

    void compare() {
        const unsigned number = any_uniform();
        const uint32_t kind = r_.below(4);
        if (kind == 0) { // minimum or maximum
            const Operand a = temporary_source(), b = source(number);
            have(emit({.opcode = SELECT,
                       .condition = r_.pick<uint32_t>({GT, LT}),
                       .destination = fresh(),
                       .sources = {a, b, a}}));
        } else if (kind == 1) {
            may_flip();
            have(decision(temporary_source(), source(number)));
        } else {
            may_flip();
            const unsigned flag = decision(temporary_source(), source(number));
            have(emit({.opcode = SELECT,
                       .condition = NZ,
                       .destination = fresh(),
                       .sources = {t(flag), temporary_source(), temporary_source()}}));
        }
    }

    /// Sets a0.x to 0 to 3, from a uniform or from a value that is rounded down.
    void indirect() {
        b_.add(Feature::indirect);
        Operand index = r_.pick<Operand>({zero, one, three});
        if (request_.exact && r_.chance(50)) {
            const unsigned scaled = emit({.opcode = MUL,
                                          .destination = fresh(),
                                          .sources = {t(move(temporary_source(), true)), three}});
            index = t(emit({.opcode = FLOOR,
                            .destination = fresh(),
                            .sources = {Operand{}, {}, t(scaled)}}),
                      xxxx);
        }
        if (b_.halti() >= 2) // MOVAR takes integers
            index =
                t(emit({.opcode = F2I, .type = s32, .destination = fresh(), .sources = {index}}),
                  xxxx);
        emit({.opcode = MOVAR,
              .destination = 0,
              .components = 1,
              .sources = {Operand{}, {}, index}});
        Operand from = u(program_uniforms + r_.below(4));
        from.address_mode = 1;
        have(move(from));
    }

    void condition() {
        b_.add(Feature::branch);
        may_flip();
        const unsigned flag = decision(temporary_source(), u(any_uniform(), swizzle()));
        const size_t branch = code_.size();
        emit({.opcode = BRANCH, .condition = NOT, .type = u32, .sources = {t(flag, xxxx)}});
        const unsigned target = value(); // the branch decides whether it changes
        emit({.opcode = MUL,
              .destination = target,
              .components = r_.between(1, 15),
              .sources = {t(target), u(any_uniform())}});
        emit({.opcode = MOV,
              .saturate = true,
              .destination = target,
              .sources = {Operand{}, {}, t(target)}});
        code_[branch].target = static_cast<uint32_t>(code_.size());
    }

    /// Runs three times.
    void loop() {
        const unsigned sum = move(t(value())), count = move(zero), flag = fresh(), addend = value();
        if (sum == count || sum == flag || count == flag || addend == count || addend == flag)
            return;
        b_.add(Feature::loop);
        const uint32_t top = static_cast<uint32_t>(code_.size());
        emit({.opcode = MAD, .destination = sum, .sources = {t(addend), quarter, t(sum)}});
        emit({.opcode = ADD, .destination = count, .sources = {t(count), Operand{}, one}});
        emit({.opcode = SET, .condition = GE, .destination = flag, .sources = {t(count), three}});
        emit({.opcode = BRANCH,
              .condition = NOT,
              .type = u32,
              .sources = {t(flag, xxxx)},
              .target = top});
        emit({.opcode = MOV,
              .saturate = true,
              .destination = sum,
              .sources = {Operand{}, {}, t(sum)}});
        have(sum);
    }

    void facing() {
        b_.add(Feature::face);
        const unsigned flag = emit(
            {.opcode = SET, .condition = EQ, .destination = fresh(), .sources = {face(), zero}});
        have(emit(
            {.opcode = MAD, .destination = fresh(), .sources = {t(flag), quarter, t(value())}}));
    }

    void kill() {
        b_.add(Feature::kill);
        may_flip();
        const unsigned flag = decision(temporary_source(), u(any_uniform(), swizzle()));
        emit({.opcode = TEXKILL, .condition = NZ, .sources = {t(flag, xxxx)}});
    }

    /* ---- HALTI2 ---- */

    void halti2_step() {
        const uint32_t kind = r_.below(request_.exact ? 5 : 6);
        if (kind == 0)
            decide_in_bits();
        else if (kind <= 2)
            compute_integers();
        else if (kind == 3)
            load();
        else if (kind == 4)
            narrow();
        else
            factors();
    }

    Instruction of_one(Opcode opcode, uint32_t type, unsigned from) {
        Instruction i{.opcode = opcode, .type = type, .destination = fresh()};
        const bool first = opcode == F2I || opcode == I2F || opcode == CONV;
        i.sources[first ? 0 : 2] = t(from);
        return i;
    }

    /// Compares floats or their bits, and makes the mask 0 or 1.
    void decide_in_bits() {
        b_.add(Feature::integers);
        may_flip();
        const unsigned flag =
            emit({.opcode = CMP,
                  .condition = r_.between(GT, NE),
                  .type = r_.pick<uint32_t>({f32, s32, u32}),
                  .destination = fresh(),
                  .sources = {temporary_source(), source(any_uniform()), whole(-1)}});
        have(emit({.opcode = AND,
                   .type = u32,
                   .destination = flag,
                   .sources = {t(flag), {}, immediate_bits(0x3F800, 0)}}));
    }

    /// Returns a value of 0 to 8 as an integer.
    unsigned small_integer() {
        may_flip();
        const unsigned scaled = emit({.opcode = MUL,
                                      .destination = fresh(),
                                      .sources = {t(move(temporary_source(), true)),
                                                  {true, uniform, more_constants, wwww}}});
        return emit(of_one(F2I, r_.chance(50) ? s32 : u32, scaled));
    }

    void compute_integers() {
        b_.add(Feature::integers);
        Instruction i{.type = r_.chance(50) ? s32 : u32, .destination = small_integer()};
        const Operand number = t(i.destination, swizzle());
        const uint32_t kind = r_.below(8);
        constexpr Opcode opcodes[] = {ADD, LSHIFT, RSHIFT, AND, OR, XOR, IMULLO0, NOT_BITS};
        i.opcode = opcodes[kind];
        const Operand other =
            r_.chance(50) ? whole(static_cast<int32_t>(r_.below(9)) - 2) : t(small_integer());
        i.sources[0] = number;
        i.sources[kind == 6 ? 1 : 2] = other;
        if (kind == 7)
            i.sources = {Operand{}, {}, number};
        const unsigned result = emit(i);
        emit({.opcode = AND,
              .type = u32,
              .destination = result,
              .sources = {t(result), {}, whole(7)}});
        const unsigned real = emit(of_one(I2F, u32, result));
        have(emit({.opcode = MUL, .destination = real, .sources = {t(real), eighth}}));
    }

    void load() {
        b_.add(Feature::memory_loads);
        const unsigned number = small_integer();
        emit({.opcode = AND,
              .type = u32,
              .destination = number,
              .sources = {t(number), {}, whole(7)}});
        emit({.opcode = LSHIFT,
              .type = u32,
              .destination = number,
              .sources = {t(number), {}, whole(4)}});
        const unsigned loaded = move(zero);
        emit({.opcode = LOAD,
              .type = u32,
              .destination = loaded,
              .components = r_.pick<uint32_t>({15, 15, 7, 3, 1, 8, 10}),
              .sources = {t(number, r_.pick<uint32_t>({xxxx, yyyy, zzzz})),
                          {true, uniform, far_constants, wwww}}});
        have(move(t(loaded), true));
    }

    /// Converts to half floats and back, or computes a short dot product.
    void narrow() {
        if (r_.chance(50)) {
            have(move(t(emit({.opcode = DP2,
                              .destination = fresh(),
                              .sources = {temporary_source(), source(any_uniform())}})),
                      true));
            return;
        }
        Instruction to = of_one(CONV, f16, move(temporary_source(), true));
        to.sources[1] = whole(0);
        Instruction from = of_one(CONV, f32, emit(to));
        from.sources[1] = whole(1);
        have(emit(from));
    }

    /// Computes a function as the product of two factors.
    void factors() {
        // Arguments are 0.25 to 1.25, as in unary().
        const unsigned argument =
            emit({.opcode = ADD,
                  .destination = fresh(),
                  .sources = {t(move(temporary_source(), true)), Operand{}, quarter}});
        const Operand lane = t(argument, r_.pick<uint32_t>({xxxx, yyyy, zzzz, wwww}));
        Instruction i{.opcode = r_.pick<Opcode>({SIN, COS, LOG, DIV}),
                      .destination = fresh(),
                      .components = 3,
                      .sources = {Operand{}, {}, lane},
                      .rounding = 1};
        if (i.opcode == DIV)
            i.sources[1] = {true, uniform, more_constants, yyyy};
        const unsigned pair = emit(i);
        have(move(t(emit({.opcode = MUL,
                          .destination = fresh(),
                          .sources = {t(pair, xxxx), t(pair, yyyy)}})),
                  true));
    }

    SceneBuilder& b_;
    Random& r_;
    const ProgramRequest& request_;
    unsigned next_;
    std::vector<unsigned> values_; ///< registers with values, newest last
    std::vector<Instruction> code_;
};

} // namespace

std::vector<uint32_t> random_uniforms(Random& random) {
    std::vector<uint32_t> words;
    for (unsigned i = 0; i < 32; i++)
        words.push_back(std::bit_cast<uint32_t>(random.real(-1, 1)));
    for (const float value : {0.0f, 1.0f, 0.25f, -0.5f, 1 / 64.0f, 0.125f, 3.0f, 8.0f, 0x1.3p-120f,
                              0x1p126f, 0.9731f, 0.0f})
        words.push_back(std::bit_cast<uint32_t>(value));
    return words;
}

SceneProgram random_program(SceneBuilder& builder, const ProgramRequest& request) {
    return Writer(builder, request).write();
}

} // namespace pixmill::test

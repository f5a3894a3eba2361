// FE 2.0, the front end of VG cores: executes one command stream per write to CMDBUF_SIZE.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "common/jobs.hpp"
#include "common/memory/bus.hpp"
#include "pixmill/vivante.h"
#include "vivante/front_end.hpp"
#include "vivante/host.hpp"

namespace pixmill::vivante {

class Core;

/// Front end of VG cores. Addresses are physical and do not wrap at 4 GiB.
class FrontEnd20 final : public FrontEnd, public LogContext {
public:
    /// Maximum length of a stream, including jumps. Undocumented; chosen by the model.
    static constexpr uint32_t most_qwords = 1 << 24;

    explicit FrontEnd20(Core& core);

    void set_address(uint32_t) override {} // CMDBUF_ADDRESS is stored only
    void control(uint32_t value) override; ///< writes CMDBUF_SIZE
    uint32_t status(uint32_t offset) override;
    bool stopped() const override;
    bool is_idle() const override;
    void clocked() override;
    void catch_up(uint32_t offset) override;
    // FE 2.0 has no idle loops that would need polling.
    void touch() override {}
    void seen(uint32_t offset, uint32_t value) override;
    void barrier() override {}

    PixmillRun run(uint32_t budget_words) override;
    void reset() override;
    void restore() override;

    /// Describes the last command, for example "path, stream 0x80d00000+0x128".
    void describe(char* text, size_t size) const override;

private:
    struct Opcode;
    static const Opcode opcodes[16];

    FeRun state() const;
    void set_state(FeRun state);
    bool clock_runs() const;
    void start();
    void step();
    void hang(Cause cause, uint32_t detail, const char* why);

    [[nodiscard]] bool available(uint32_t qwords);
    [[nodiscard]] bool fetch(uint32_t word[2]);
    void leave_memory(uint64_t address);
    void skip(uint32_t qwords);

    // Commands.
    void end(const uint32_t header[2]);
    void nothing(const uint32_t header[2]);
    void load_states(const uint32_t header[2]);
    void data(const uint32_t header[2]);
    void fetch_elsewhere(const uint32_t header[2]);
    void restart(const uint32_t header[2]);
    void call(const uint32_t header[2]);
    void return_(const uint32_t header[2]);

    void load_state(uint32_t address, uint32_t value);
    void event(uint32_t id, const char* source);
    void jump(const uint32_t header[2]);

    Core& core_;
    PixmillVivanteState& s_;
    Bus bus_;
    Jobs jobs_;
    uint32_t event_job_ = 0; ///< job that has raised the last event
    int64_t budget_ = 0;     ///< words left in the slice
    // Start addresses of the stream and of its callers. They are unknown after a state was loaded.
    std::optional<uint64_t> begin_;
    std::array<std::optional<uint64_t>, PIXMILL_VIVANTE_VG_CALLS> callers_{};
    /// The last command, for log messages.
    struct Last {
        const Opcode* opcode = nullptr; ///< null if no command has been executed yet
        uint64_t address = 0;
        std::optional<uint64_t> stream{}; ///< start address of the command's stream
    } last_;
};

} // namespace pixmill::vivante

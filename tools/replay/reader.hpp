// Reads captures (docs/use/capture.md). Files are not trusted: everything is validated before use.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <istream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/capture/format.hpp"

namespace pixmill::tools {

/// The file is not a capture, or is damaged.
struct BadCapture : std::runtime_error {
    using std::runtime_error::runtime_error;
};
/// The file ends in the middle of a record.
struct CutCapture : BadCapture {
    CutCapture() : BadCapture("the capture is cut off") {}
};

/// Fields of a struct, by name.
struct Fields {
    struct Field {
        std::string name;
        uint32_t type = 0;
        std::vector<uint64_t> words;
        std::optional<std::string> text;
    };
    std::vector<Field> all;

    /// Fills in `object`, whose fields are described by `expected`. All fields must match. `object`
    /// refers to texts that are owned by this Fields.
    void fill(const PixmillField* expected, void* object) const;
};

struct Head {
    std::string core; ///< name of the core's class
    uint64_t state_version = 0;
    Fields config;
    struct Kept {
        uint64_t number = 0;
        std::array<uint64_t, PIXMILL_CALL_WORDS> words{};
    };
    std::vector<Kept> kept;
    int64_t time = 0;
    Fields state;
    capture::Bytes raw; ///< as stored in the capture
};

struct Record {
    capture::Entry entry; ///< only `op` is valid for page and map
    Fields state;         ///< load
    capture::Bytes state_raw;
    uint32_t page = 0, begin = 0;
    capture::Bytes bytes; ///< page
    capture::Place place; ///< map
    bool write = false;
    capture::Bytes raw; ///< as stored in the capture

    bool is_entry() const { return capture::shape_of(entry.op).entry; }
};

class Reader {
public:
    /// Reads the header. `file` must outlive this reader. Throws BadCapture, as does next().
    explicit Reader(std::istream& file);

    const Head& head() const { return head_; }
    /// Returns false at the end of the capture. Throws CutCapture if the file ends early; all
    /// earlier records are valid.
    bool next(Record& record);

private:
    uint8_t byte();
    uint64_t word();
    uint64_t word(uint64_t most, const char* what);
    std::string text();
    void bytes(capture::Bytes& to, size_t count);
    void fields(Fields& to);
    void read_head();
    void read_page(Record& record);
    void read_place(Record& record);
    void read_entry(Record& record);
    void next_block();
    bool fetch(void* to, size_t count);
    [[noreturn]] static void bad(const char* what);

    std::istream& file_;
    Head head_;
    uint32_t pages_ = 0; ///< number of pages so far
    capture::Bytes block_, packed_;
    size_t at_ = 0;                  ///< position in block_
    capture::Bytes* tape_ = nullptr; ///< receives all bytes read
};

} // namespace pixmill::tools

// SPDX-License-Identifier: GPL-2.0-or-later
// Mode setting with DRM's atomic interface (linux Documentation/gpu/drm-kms.rst), through its
// ioctls.
#pragma once

#include "drm.hpp"

#include <drm/drm_mode.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace guest {

// A display device.
class Kms {
public:
    // An output with a mode, and a CRTC and a primary plane that can show it.
    struct Output {
        std::string name; // such as "HDMI-A-1"
        uint32_t connector, crtc, plane;
        drm_mode_modeinfo mode; // the preferred one
    };

    enum : uint64_t { OVERLAY, PRIMARY, CURSOR }; // types of planes

    struct Plane {
        uint32_t id, crtcs; // one bit for each CRTC, in the order of crtcs()
        uint64_t type;
        std::vector<uint32_t> formats;
        std::map<std::string, uint64_t> rotations; // names and bits; empty if it cannot rotate
    };

    // Opens the first device with this driver, and throws if there is none.
    explicit Kms(const std::string& driver);

    int file() const { return m_file.number(); }
    const std::string& driver() const { return m_driver; }
    // Returns all connected outputs, each with a CRTC of its own.
    std::vector<Output> outputs() const;
    // Returns the output with that name, or the first one.
    Output output(const std::string& name = "") const;
    std::vector<uint32_t> crtcs() const;
    std::vector<Plane> planes() const;
    uint64_t capability(uint64_t capability) const;

    struct Object {
        uint32_t id, type; // DRM_MODE_OBJECT_*
    };
    // Returns the names of the object's properties with their numbers and values.
    struct Property {
        uint32_t id;
        uint64_t value;
    };
    std::map<std::string, Property> properties(Object object) const;

private:
    const std::string m_driver;
    const File m_file;
};

// Returns the four characters of a format, such as "XR24".
std::string name_of(uint32_t fourcc);

// A picture in a dumb buffer, mapped into this program, with a frame buffer.
class Picture {
public:
    Picture(const Kms& kms, uint32_t width, uint32_t height);
    ~Picture();
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;

    uint32_t width() const { return m_width; }
    uint32_t height() const { return m_height; }
    uint32_t stride() const { return m_stride; } // in bytes
    size_t bytes() const { return m_bytes; }
    uint32_t handle() const { return m_handle; }
    std::span<uint32_t> words() { return m_mapping.words(); }
    uint32_t& pixel(uint32_t x, uint32_t y) { return words()[y * m_stride / 4 + x]; }

    // Returns a frame buffer of DRM_FORMAT_XRGB8888, which is made by the first call.
    uint32_t frame_buffer();

private:
    const Kms& m_kms;
    const uint32_t m_width, m_height;
    uint32_t m_stride = 0, m_handle = 0, m_frame_buffer = 0;
    size_t m_bytes = 0;
    Mapping m_mapping;
};

// A change of the display that happens at once.
class Commit {
public:
    explicit Commit(const Kms& kms) : m_kms(kms) {}

    // Sets a property. Throws if the object does not have it.
    void set(Kms::Object object, const std::string& name, uint64_t value);
    // Sets the mode, and shows the picture on the whole screen.
    void show(const Kms::Output& output, Picture& picture);
    // Shows another picture of the same size.
    void flip(const Kms::Output& output, Picture& picture);

    // Performs the change. `flags` are DRM_MODE_ATOMIC_* and DRM_MODE_PAGE_FLIP_EVENT. Returns 0 or
    // a negative errno.
    int perform(uint32_t flags);

private:
    const Kms& m_kms;
    std::map<uint32_t, std::map<uint32_t, uint64_t>> m_values; // by object and property
    std::map<uint32_t, std::map<std::string, Kms::Property>> m_known;
};

// Asks the driver whether it could show a picture of the whole screen whose frame buffer has this
// modifier, if one is given. Returns 0 or a negative errno. The screen does not change.
int try_show(const Kms& kms, const Kms::Output& output, Picture& picture,
             std::optional<uint64_t> modifier);

// Waits for the end of a flip. Returns its time, in microseconds of CLOCK_MONOTONIC. Throws if
// there is none within ten seconds.
uint64_t await_flip(const Kms& kms);

} // namespace guest

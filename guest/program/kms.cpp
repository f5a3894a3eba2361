// SPDX-License-Identifier: GPL-2.0-or-later
#include "kms.hpp"

#include <drm/drm.h>
#include <drm/drm_fourcc.h>

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>

#include <poll.h>
#include <unistd.h>

namespace guest {

namespace {

template<typename T>
uint64_t address_of(T& items) {
    return reinterpret_cast<uintptr_t>(items.data());
}

// DRM_MODE_CONNECTOR_* of outputs that the tested drivers have, as the kernel names them (linux
// drm_connector.c, drm_connector_enum_list).
std::string name_of_connector(uint32_t type, uint32_t number) {
    static const std::map<uint32_t, const char*> names = {{DRM_MODE_CONNECTOR_HDMIA, "HDMI-A"},
                                                          {DRM_MODE_CONNECTOR_LVDS, "LVDS"},
                                                          {DRM_MODE_CONNECTOR_DPI, "DPI"},
                                                          {DRM_MODE_CONNECTOR_VIRTUAL, "Virtual"}};
    const auto found = names.find(type);
    return (found == names.end() ? "type-" + std::to_string(type) : found->second) + '-' +
           std::to_string(number);
}

struct Resources {
    std::vector<uint32_t> crtcs, connectors, encoders;
};

Resources resources_of(int file) {
    drm_mode_card_res counts{}, request{};
    call(file, DRM_IOCTL_MODE_GETRESOURCES, &counts, "count a display's resources");
    Resources found{std::vector<uint32_t>(counts.count_crtcs),
                    std::vector<uint32_t>(counts.count_connectors),
                    std::vector<uint32_t>(counts.count_encoders)};
    request.count_crtcs = counts.count_crtcs;
    request.crtc_id_ptr = address_of(found.crtcs);
    request.count_connectors = counts.count_connectors;
    request.connector_id_ptr = address_of(found.connectors);
    request.count_encoders = counts.count_encoders;
    request.encoder_id_ptr = address_of(found.encoders);
    call(file, DRM_IOCTL_MODE_GETRESOURCES, &request, "list a display's resources");
    return found;
}

struct Connector {
    std::string name;
    uint32_t id;
    bool connected;
    std::vector<drm_mode_modeinfo> modes;
    std::vector<uint32_t> encoders;
};

Connector connector_of(int file, uint32_t id) {
    drm_mode_get_connector counts{}, request{};
    counts.connector_id = request.connector_id = id;
    call(file, DRM_IOCTL_MODE_GETCONNECTOR, &counts, "probe an output");
    Connector found{name_of_connector(counts.connector_type, counts.connector_type_id), id,
                    counts.connection == 1, std::vector<drm_mode_modeinfo>(counts.count_modes),
                    std::vector<uint32_t>(counts.count_encoders)};
    // With room for a mode, the kernel does not probe the output again.
    found.modes.resize(std::max<size_t>(1, found.modes.size()));
    request.count_modes = found.modes.size();
    request.modes_ptr = address_of(found.modes);
    request.count_encoders = counts.count_encoders;
    request.encoders_ptr = address_of(found.encoders);
    call(file, DRM_IOCTL_MODE_GETCONNECTOR, &request, "read an output's modes");
    found.modes.resize(std::min(found.modes.size(), size_t(request.count_modes)));
    return found;
}

// Returns the CRTCs that can feed the connector, one bit for each.
uint32_t crtcs_of(int file, const Connector& connector) {
    uint32_t crtcs = 0;
    for (const uint32_t id : connector.encoders) {
        drm_mode_get_encoder request{};
        request.encoder_id = id;
        call(file, DRM_IOCTL_MODE_GETENCODER, &request, "read an encoder");
        crtcs |= request.possible_crtcs;
    }
    return crtcs;
}

const drm_mode_modeinfo& preferred(const std::vector<drm_mode_modeinfo>& modes) {
    const auto found = std::ranges::find_if(
        modes, [](const drm_mode_modeinfo& mode) { return mode.type & DRM_MODE_TYPE_PREFERRED; });
    return found == modes.end() ? modes.front() : *found;
}

// Finds CRTCs, one for each connector from `at` on, none of them in `used`.
bool assign(const std::vector<uint32_t>& possible, size_t at, uint32_t used,
            std::vector<uint32_t>& chosen) {
    if (at == possible.size())
        return true;
    for (uint32_t crtc = 0; crtc < 32; ++crtc)
        if ((possible[at] & ~used) >> crtc & 1) {
            chosen[at] = crtc;
            if (assign(possible, at + 1, used | 1u << crtc, chosen))
                return true;
        }
    return false;
}

std::map<std::string, uint64_t> rotations_of(int file, uint32_t property) {
    drm_mode_get_property counts{}, request{};
    counts.prop_id = request.prop_id = property;
    call(file, DRM_IOCTL_MODE_GETPROPERTY, &counts, "count a property's values");
    std::vector<drm_mode_property_enum> bits(counts.count_enum_blobs);
    std::vector<uint64_t> values(counts.count_values);
    request.count_enum_blobs = counts.count_enum_blobs;
    request.enum_blob_ptr = address_of(bits);
    request.count_values = counts.count_values;
    request.values_ptr = address_of(values);
    call(file, DRM_IOCTL_MODE_GETPROPERTY, &request, "list a property's values");
    std::map<std::string, uint64_t> rotations;
    for (const drm_mode_property_enum& bit : bits)
        rotations[bit.name] = uint64_t(1) << bit.value;
    return rotations;
}

} // namespace

// ---- Kms -----------------------------------------------------------------------------------

Kms::Kms(const std::string& driver) : m_driver(driver), m_file(open_driver(driver, Node::CARD)) {
    if (!m_file)
        throw std::runtime_error("there is no display with the driver " + driver);
    for (const uint64_t capability : {DRM_CLIENT_CAP_UNIVERSAL_PLANES, DRM_CLIENT_CAP_ATOMIC}) {
        drm_set_client_cap request{capability, 1};
        call(file(), DRM_IOCTL_SET_CLIENT_CAP, &request, "use the atomic interface");
    }
}

std::vector<uint32_t> Kms::crtcs() const {
    return resources_of(file()).crtcs;
}

std::vector<Kms::Output> Kms::outputs() const {
    const Resources resources = resources_of(file());
    std::vector<Connector> connectors;
    std::vector<uint32_t> possible;
    for (const uint32_t id : resources.connectors) {
        Connector connector = connector_of(file(), id);
        if (connector.connected && !connector.modes.empty()) {
            possible.push_back(crtcs_of(file(), connector));
            connectors.push_back(std::move(connector));
        }
    }
    std::vector<uint32_t> chosen(possible.size());
    if (!assign(possible, 0, 0, chosen))
        throw std::runtime_error("there are more outputs than CRTCs");
    const std::vector<Plane> all = planes();
    std::vector<Output> found;
    for (size_t i = 0; i < connectors.size(); ++i) {
        const auto plane = std::ranges::find_if(all, [&](const Plane& plane) {
            return plane.type == Kms::PRIMARY && plane.crtcs >> chosen[i] & 1;
        });
        if (plane == all.end())
            throw std::runtime_error(connectors[i].name + " has no primary plane");
        found.push_back({connectors[i].name, connectors[i].id, resources.crtcs.at(chosen[i]),
                         plane->id, preferred(connectors[i].modes)});
    }
    return found;
}

Kms::Output Kms::output(const std::string& name) const {
    for (const Output& output : outputs())
        if (name.empty() || output.name == name)
            return output;
    throw std::runtime_error("there is no connected output " + name);
}

std::vector<Kms::Plane> Kms::planes() const {
    drm_mode_get_plane_res counts{}, request{};
    call(file(), DRM_IOCTL_MODE_GETPLANERESOURCES, &counts, "count planes");
    std::vector<uint32_t> ids(counts.count_planes);
    request.count_planes = counts.count_planes;
    request.plane_id_ptr = address_of(ids);
    call(file(), DRM_IOCTL_MODE_GETPLANERESOURCES, &request, "list planes");
    std::vector<Plane> planes;
    for (const uint32_t id : ids) {
        drm_mode_get_plane count{}, plane{};
        count.plane_id = plane.plane_id = id;
        call(file(), DRM_IOCTL_MODE_GETPLANE, &count, "count a plane's formats");
        std::vector<uint32_t> formats(count.count_format_types);
        plane.count_format_types = count.count_format_types;
        plane.format_type_ptr = address_of(formats);
        call(file(), DRM_IOCTL_MODE_GETPLANE, &plane, "list a plane's formats");
        const auto known = properties({id, DRM_MODE_OBJECT_PLANE});
        const auto rotation = known.find("rotation");
        planes.push_back({id, plane.possible_crtcs, known.at("type").value, std::move(formats),
                          rotation == known.end() ? std::map<std::string, uint64_t>()
                                                  : rotations_of(file(), rotation->second.id)});
    }
    return planes;
}

uint64_t Kms::capability(uint64_t capability) const {
    drm_get_cap request{capability, 0};
    return try_call(file(), DRM_IOCTL_GET_CAP, &request) == 0 ? request.value : 0;
}

std::map<std::string, Kms::Property> Kms::properties(Object object) const {
    drm_mode_obj_get_properties counts{}, request{};
    counts.obj_id = request.obj_id = object.id;
    counts.obj_type = request.obj_type = object.type;
    call(file(), DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &counts, "count properties");
    std::vector<uint32_t> ids(counts.count_props);
    std::vector<uint64_t> values(counts.count_props);
    request.count_props = counts.count_props;
    request.props_ptr = address_of(ids);
    request.prop_values_ptr = address_of(values);
    call(file(), DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &request, "list properties");
    std::map<std::string, Property> found;
    for (size_t i = 0; i < ids.size(); ++i) {
        drm_mode_get_property property{};
        property.prop_id = ids[i];
        call(file(), DRM_IOCTL_MODE_GETPROPERTY, &property, "read a property");
        found[property.name] = {ids[i], values[i]};
    }
    return found;
}

std::string name_of(uint32_t fourcc) {
    std::string name;
    for (int shift = 0; shift < 32; shift += 8)
        name += char(fourcc >> shift);
    return name;
}

// ---- Picture -------------------------------------------------------------------------------

Picture::Picture(const Kms& kms, uint32_t width, uint32_t height)
    : m_kms(kms), m_width(width), m_height(height) {
    drm_mode_create_dumb create{};
    create.width = width;
    create.height = height;
    create.bpp = 32;
    call(kms.file(), DRM_IOCTL_MODE_CREATE_DUMB, &create, "make a dumb buffer");
    m_handle = create.handle;
    m_stride = create.pitch;
    m_bytes = create.size;
    drm_mode_map_dumb map{};
    map.handle = m_handle;
    call(kms.file(), DRM_IOCTL_MODE_MAP_DUMB, &map, "locate a dumb buffer");
    m_mapping = Mapping(kms.file(), map.offset, m_bytes);
}

Picture::~Picture() {
    if (m_frame_buffer)
        try_call(m_kms.file(), DRM_IOCTL_MODE_RMFB, &m_frame_buffer);
    drm_mode_destroy_dumb request{m_handle};
    try_call(m_kms.file(), DRM_IOCTL_MODE_DESTROY_DUMB, &request);
}

namespace {

drm_mode_fb_cmd2 frame_buffer_of(const Picture& picture) {
    drm_mode_fb_cmd2 request{};
    request.width = picture.width();
    request.height = picture.height();
    request.pixel_format = DRM_FORMAT_XRGB8888;
    request.handles[0] = picture.handle();
    request.pitches[0] = picture.stride();
    return request;
}

} // namespace

uint32_t Picture::frame_buffer() {
    if (!m_frame_buffer) {
        drm_mode_fb_cmd2 request = frame_buffer_of(*this);
        call(m_kms.file(), DRM_IOCTL_MODE_ADDFB2, &request, "make a frame buffer");
        m_frame_buffer = request.fb_id;
    }
    return m_frame_buffer;
}

// ---- Commit --------------------------------------------------------------------------------

void Commit::set(Kms::Object object, const std::string& name, uint64_t value) {
    if (!m_known.contains(object.id))
        m_known[object.id] = m_kms.properties(object);
    const auto& known = m_known[object.id];
    const auto found = known.find(name);
    if (found == known.end())
        throw std::runtime_error("an object of " + m_kms.driver() + " has no property " + name);
    m_values[object.id][found->second.id] = value;
}

void Commit::show(const Kms::Output& output, Picture& picture) {
    drm_mode_create_blob blob{};
    blob.data = reinterpret_cast<uintptr_t>(&output.mode);
    blob.length = sizeof output.mode;
    call(m_kms.file(), DRM_IOCTL_MODE_CREATEPROPBLOB, &blob, "store a mode");
    const Kms::Object plane = {output.plane, DRM_MODE_OBJECT_PLANE};
    set({output.connector, DRM_MODE_OBJECT_CONNECTOR}, "CRTC_ID", output.crtc);
    set({output.crtc, DRM_MODE_OBJECT_CRTC}, "MODE_ID", blob.blob_id);
    set({output.crtc, DRM_MODE_OBJECT_CRTC}, "ACTIVE", 1);
    set(plane, "CRTC_ID", output.crtc);
    for (const char* name : {"SRC_X", "SRC_Y", "CRTC_X", "CRTC_Y"})
        set(plane, name, 0);
    set(plane, "SRC_W", uint64_t(picture.width()) << 16);
    set(plane, "SRC_H", uint64_t(picture.height()) << 16);
    set(plane, "CRTC_W", picture.width());
    set(plane, "CRTC_H", picture.height());
    flip(output, picture);
}

void Commit::flip(const Kms::Output& output, Picture& picture) {
    set({output.plane, DRM_MODE_OBJECT_PLANE}, "FB_ID", picture.frame_buffer());
}

int Commit::perform(uint32_t flags) {
    std::vector<uint32_t> objects, counts, properties;
    std::vector<uint64_t> values;
    for (const auto& [object, changes] : m_values) {
        objects.push_back(object);
        counts.push_back(changes.size());
        for (const auto& [property, value] : changes) {
            properties.push_back(property);
            values.push_back(value);
        }
    }
    drm_mode_atomic request{};
    request.flags = flags;
    request.count_objs = objects.size();
    request.objs_ptr = address_of(objects);
    request.count_props_ptr = address_of(counts);
    request.props_ptr = address_of(properties);
    request.prop_values_ptr = address_of(values);
    return try_call(m_kms.file(), DRM_IOCTL_MODE_ATOMIC, &request);
}

int try_show(const Kms& kms, const Kms::Output& output, Picture& picture,
             std::optional<uint64_t> modifier) {
    drm_mode_fb_cmd2 request = frame_buffer_of(picture);
    if (modifier) {
        request.flags = DRM_MODE_FB_MODIFIERS;
        request.modifier[0] = *modifier;
    }
    int result = try_call(kms.file(), DRM_IOCTL_MODE_ADDFB2, &request);
    if (result < 0)
        return result;
    Commit commit(kms);
    commit.show(output, picture);
    commit.set({output.plane, DRM_MODE_OBJECT_PLANE}, "FB_ID", request.fb_id);
    result = commit.perform(DRM_MODE_ATOMIC_TEST_ONLY | DRM_MODE_ATOMIC_ALLOW_MODESET);
    try_call(kms.file(), DRM_IOCTL_MODE_RMFB, &request.fb_id);
    return result;
}

// ---- events --------------------------------------------------------------------------------

uint64_t await_flip(const Kms& kms) {
    constexpr int LIMIT = 10'000; // as long as the kernel waits (linux drm_atomic_helper.c)
    for (;;) {
        pollfd request{kms.file(), POLLIN, 0};
        const int ready = poll(&request, 1, LIMIT);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            throw std::runtime_error("a flip did not end within 10 s");
        drm_event_vblank event; // a read returns only whole events
        if (read(kms.file(), &event, sizeof event) != ssize_t(sizeof event))
            throw std::runtime_error("an event of the display is cut off");
        if (event.base.type == DRM_EVENT_FLIP_COMPLETE)
            return uint64_t(event.tv_sec) * 1'000'000 + event.tv_usec;
    }
}

} // namespace guest

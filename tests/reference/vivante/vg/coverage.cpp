// Coverage: the number of a pixel's samples that are inside a path.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#include "engine.hpp"

namespace pixmill::reference::vivante_vg {

/*
 * Returns positions in eighths of a pixel. Sources: vg_lite.h for the sample counts, VD28 and VD29
 * for the positions.
 */
Coverage::Grid Coverage::grid_of(uint32_t quality) {
    switch (quality) {
    case 0: /* LOW */
        return {{4}, {4}};
    case 1: /* MEDIUM */
        return {{2, 6}, {2, 6}};
    case 2: /* UPPER */
        return {{2, 6}, {1, 3, 5, 7}};
    default: /* HIGH */
        return {{0, 2, 4, 6}, {0, 2, 4, 6}};
    }
}

Coverage::Coverage(std::vector<Edge> edges, uint32_t config)
    : edges_(std::move(edges)), grid_(grid_of(bits(config, 1, 0))), even_odd_(bit(config, 4)),
      crossing_(grid_.y.size()) {}

void Coverage::select_row(uint32_t y) {
    row_ = y;
    for (size_t i = 0; i < grid_.y.size(); i++) {
        const int64_t sample = int64_t{y} * 256 + grid_.y[i] * 32;
        crossing_[i].clear();
        for (const Edge& edge : edges_)
            if (edge.from.y <= sample && sample < edge.to.y)
                crossing_[i].push_back(&edge);
    }
}

bool Coverage::row_is_empty() const {
    for (const auto& edges : crossing_)
        if (!edges.empty())
            return false;
    return true;
}

/* Counts the edges to the left of the sample or exactly on it. */
bool Coverage::is_inside(const std::vector<const Edge*>& crossing, Point sample) const {
    int winding = 0;
    bool odd = false;
    for (const Edge* edge : crossing) {
        const Point &a = edge->from, &b = edge->to;
        if ((sample.y - a.y) * (b.x - a.x) <= (sample.x - a.x) * (b.y - a.y)) {
            winding += edge->winding;
            odd = !odd;
        }
    }
    return even_odd_ ? odd : winding != 0;
}

int Coverage::at(uint32_t x) const {
    int inside = 0;
    for (size_t i = 0; i < grid_.y.size(); i++)
        for (const int column : grid_.x)
            inside += is_inside(crossing_[i], {int64_t{x} * 256 + column * 32,
                                               int64_t{row_} * 256 + grid_.y[i] * 32});
    const int samples = static_cast<int>(grid_.x.size() * grid_.y.size());
    return (255 * inside + samples / 2) / samples; /* VD30: rounded to nearest */
}

} // namespace pixmill::reference::vivante_vg

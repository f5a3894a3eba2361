// Guest memory as the rendering core sees it: that of all bus masters.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/memory.hpp"

namespace pixmill::render {

using pixmill::Access;
using pixmill::Mapping;
using pixmill::Memory;
using pixmill::Run;

} // namespace pixmill::render

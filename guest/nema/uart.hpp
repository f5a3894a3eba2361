// UART0 of the GR5526, a DesignWare block compatible with the 16550.
//
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace uart {

void set_up();
void print(std::string_view text);

} // namespace uart

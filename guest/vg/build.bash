# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by scripts/guest/firmware, which sets source and repo
shared=("$source"/{suites,scene,gpu_canvas,software_canvas}.cpp)
firmware_only=("$source"/{startup,firmware}.cpp "$repo/guest/nema/semihosting.cpp")
processor=(-mcpu=cortex-m7 -mfpu=fpv5-d16)
linker_script=$source/imxrt1170.ld
reference=vivante/vg

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034,SC2154  # sourced by scripts/guest/firmware, which sets source and repo
shared=("$source"/{machine,ring,stage}.cpp "$source"/{draw,scenes}/*.cpp)
firmware_only=("$source"/{startup,semihosting,uart,firmware}.cpp)
processor=(-mcpu=cortex-m4 -mfpu=fpv4-sp-d16)
linker_script=$source/gr5526.ld
reference=nema

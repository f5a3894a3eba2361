# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Builds the cores and their unit tests for aarch64 with Debian's cross compiler. Other libraries come from arm64 packages
# that are unpacked next to the build, so nothing is installed and dpkg needs no foreign architecture.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # shared with the sourcing script and common.bash

aarch64_suite=bookworm # programs linked with these libraries also run with newer ones
aarch64_packages=(libgtest-dev libpixman-1-0 libpixman-1-dev zlib1g zlib1g-dev)
aarch64_root=$work/aarch64-root

# The command that runs a program with the dynamic linker and the C library of the cross compiler.
aarch64_runner=(qemu-aarch64-static -L /usr/aarch64-linux-gnu)

unpack_aarch64_root() {
  local apt=$cache/apt/$aarch64_suite-arm64 debs=$cache/aarch64/$1 deb
  if [[ ! -d $debs ]]; then
    apt_update "$apt" deb "$aarch64_suite" arm64
    rm -rf "$debs.new"
    mkdir -p "$debs.new"
    (cd "$debs.new" && apt_in "$apt" arm64 apt-get download "${aarch64_packages[@]}")
    mv "$debs.new" "$debs"
  fi
  rm -rf "$aarch64_root"
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$aarch64_root"; done
}

write_aarch64_cross_file() {
  local runner
  printf -v runner "'%s', " "${aarch64_runner[@]}"
  cat <<END
[binaries]
c = ['ccache', 'aarch64-linux-gnu-gcc']
cpp = ['ccache', 'aarch64-linux-gnu-g++']
ar = 'aarch64-linux-gnu-gcc-ar'
strip = 'aarch64-linux-gnu-strip'
pkg-config = 'pkg-config'
exe_wrapper = [${runner%, }]

[properties]
sys_root = '$aarch64_root'
pkg_config_libdir = '$aarch64_root/usr/lib/aarch64-linux-gnu/pkgconfig'

[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
}

# Configures build/aarch64.
configure_aarch64() {
  local key
  key=$(hash_of "$aarch64_suite" "${aarch64_packages[@]}")
  if ! done_for "$aarch64_root.stamp" "$key"; then
    step_advice="is the network up, and do the machine's apt sources name a Debian archive that has arm64?"
    step "Fetching arm64 libraries of Debian $aarch64_suite" in_cache unpack_aarch64_root "$key"
    unset step_advice
    mark_done "$aarch64_root.stamp" "$key"
  fi
  write_aarch64_cross_file >"$work/aarch64.cross"
  find_meson
  configure_with_meson aarch64 --cross-file "$work/aarch64.cross" -Ddebug=false -Doptimization=1 # compiles faster
}

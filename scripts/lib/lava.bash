# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Unpacks LAVA's dispatcher and its server's device templates from Debian's packages. Installing them would also install
# systemd, grub and kernel headers. The Python modules for QEMU jobs are in the group "engines".
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # shared with the sourcing script and common.bash

lava_suite=bookworm
lava_packages=(lava-common lava-dispatcher lava-dispatcher-host lava-server)
lava_root=$work/lava

unpack_lava() {
  local apt=$cache/apt/$lava_suite-amd64 debs=$cache/lava/$1 deb
  if [[ ! -d $debs ]]; then
    apt_update "$apt" deb "$lava_suite" amd64
    rm -rf "$debs.new"
    mkdir -p "$debs.new"
    (cd "$debs.new" && apt_in "$apt" amd64 apt-get download "${lava_packages[@]}")
    mv "$debs.new" "$debs"
  fi
  rm -rf "$lava_root"
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$lava_root"; done
  : >"$lava_root/usr/lib/python3/dist-packages/guestfs.py" # LAVA imports it, but does not use it for these jobs
}

# Makes build/lava.
fetch_lava() {
  local key
  key=$(hash_of "$lava_suite" "${lava_packages[@]}")
  if ! done_for "$lava_root.stamp" "$key"; then
    step_advice="is the network up, and do the machine's apt sources name a Debian archive?"
    step "Fetching LAVA's dispatcher of Debian $lava_suite" in_cache unpack_lava "$key"
    unset step_advice
    mark_done "$lava_root.stamp" "$key"
  fi
}

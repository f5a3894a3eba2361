# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Makes root file systems of Debian releases for tests of Pixmill's package, and stores them in the cache as archives.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of common.bash

# make_root SUITE ARCHIVE PACKAGE...: makes a minimal system with package lists. Downloads the packages and their dependencies into
# it, so that apt can install them without a network.
make_root() {
  local suite=$1 archive=$2 arch apt
  arch=$(dpkg --print-architecture)
  apt=$cache/apt/$suite-$arch
  shift 2
  apt_update "$apt" deb "$suite" "$arch"
  mkdir -p "$(dirname "$archive")"
  # shellcheck disable=SC2016  # for mmdebstrap's shell
  mmdebstrap --variant=apt --skip=cleanup/apt --architectures="$arch" \
    --customize-hook='APT_CONFIG=$MMDEBSTRAP_APT_CONFIG apt-get --yes --no-install-recommends --download-only install '"$*" \
    "$suite" - "$apt/sources/debian.sources" >"$archive.new"
  mv "$archive.new" "$archive"
}

# root_of SUITE PACKAGE...: sets $root to the archive. If the cache has no archive with these packages, makes one first.
root_of() {
  root=$cache/roots/$1-$(hash_of "$@" | cut -c1-8).tar
  [[ -f $root ]] || step "Making a root file system of Debian $1" in_cache make_root "$1" "$root" "${@:2}"
}

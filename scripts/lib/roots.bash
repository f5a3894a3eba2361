# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced: root file systems of Debian releases for tests of our package, made once and kept in the cache as archives.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of common.bash

# make_root SUITE ARCHIVE PACKAGE...: a minimal system, with its package lists; these packages and what they need wait in it
# to be installed, so that apt needs no network then.
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

# root_of SUITE PACKAGE...: sets root to the archive, which is made when that has not been done with these packages.
root_of() {
  root=$cache/roots/$1-$(hash_of "$@" | cut -c1-8).tar
  [[ -f $root ]] || step "Making a root file system of Debian $1" in_cache make_root "$1" "$root" "${@:2}"
}

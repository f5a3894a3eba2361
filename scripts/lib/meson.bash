# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Finds or fetches a Meson that QEMU accepts, and configures builds with it.
# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154  # shared with the sourcing script and common.bash

meson_oldest=1.5

# meson_is_new_enough PYTHON: true if that interpreter has a Meson that QEMU accepts.
meson_is_new_enough() {
  local version
  version=$("$1" -c 'import mesonbuild.coredata as c; print(c.version)' 2>/dev/null) &&
    dpkg --compare-versions "$version" ge "$meson_oldest"
}

# Unpacks Debian's newer meson into a virtual environment.
make_meson() {
  ! meson_is_new_enough "$cache/meson/bin/python3" || return 0
  local root=$cache/apt/trixie-armhf new=$cache/meson.new
  [[ -n $(find "$root/lists" -name '*_Packages*' 2>/dev/null) ]] ||
    apt_update "$root" deb trixie armhf
  rm -rf "$new"
  mkdir -p "$new"
  (cd "$new" && apt_in "$root" armhf apt-get download meson)
  dpkg-deb -x "$new"/meson_*.deb "$new/root"
  rm -rf "$cache/meson"
  /usr/bin/python3 -m venv --system-site-packages --without-pip "$cache/meson"
  cp -r "$new"/root/usr/lib/python3/dist-packages/meson* \
    "$cache"/meson/lib/python3*/site-packages/
  rm -rf "$new"
}

# find_meson: sets meson_python to a Python interpreter with a Meson that QEMU accepts.
find_meson() {
  for meson_python in /usr/bin/python3 "$cache/meson/bin/python3"; do
    ! meson_is_new_enough "$meson_python" || return 0
  done
  step_advice="QEMU needs Meson $meson_oldest; a Debian package of it may be installed by hand"
  step "Fetching Meson (the installed one is older than $meson_oldest)" in_cache make_meson
}

meson() { "$meson_python" -m mesonbuild.mesonmain "$@"; }

# use_ccache FOLDER: shares compiled objects between clones; FOLDER is the base folder of a clone. In depend mode, ccache uses the
# compiler's list of dependencies and skips the preprocessor run, which takes a quarter of the time of a build with an empty cache.
# The sources do not use __TIME__ or similar macros. A clone whose path has white space shares nothing: its lists of dependencies
# would reach other clones, where ninja reads the path as two files that do not exist, and builds the object again each time.
use_ccache() {
  export CCACHE_DIR=${CCACHE_DIR:-$cache/ccache} CCACHE_DEPEND=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  [[ $repo == *[[:space:]]* ]] || export CCACHE_BASEDIR=$1 CCACHE_NOHASHDIR=1
}

# ---- builds of this repository ---------------------------------------------------------------

# Keep line numbers for backtraces, but no other debug information. Tests then compile in two thirds of the time.
lines_only=-Dcpp_args=-g1

# configure_with_meson FOLDER OPTION...: configures a build, unless this was already done with the same options.
configure_with_meson() {
  use_ccache "$repo"
  local build=$work/$1 key
  shift
  key=$(hash_of "$@" "${CC-}" "${CXX-}" "$(meson --version)" "$repo/meson_options.txt")
  if ! done_for "$build.stamp" "$key" || [[ ! -f $build/build.ninja ]]; then
    rm -rf "$build"
    step "Configuring $(basename "$build")" meson setup "$@" "$build" "$repo"
    mark_done "$build.stamp" "$key"
  fi
}

configure_cores() {
  find_meson
  CC='ccache gcc' CXX='ccache g++' configure_with_meson core "$lines_only"
}

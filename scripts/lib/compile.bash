# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Compiles programs that have only a few sources, without Meson.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of common.bash

# compile PROGRAM COMPILER ARGUMENT...: like "COMPILER -o PROGRAM ARGUMENT...", but compiles each source separately, so that ccache
# can share objects between clones.
compile() {
  local program=$1 compiler=$2 argument value='' flags=() link=() objects=()
  shift 2
  rm -rf "$program.objects"
  mkdir -p "$program.objects"
  for argument; do
    case $value$argument in
      *.cpp) ;;
      -T) value='of -T: ' link+=("$argument") ;;
      'of -T: '* | -Wl,* | -l* | -L* | -s | -static* | -shared | -nostartfiles | *.so | *.so.*) value='' link+=("$argument") ;;
      *) flags+=("$argument") ;;
    esac
  done
  export CCACHE_DIR=${CCACHE_DIR:-$cache/ccache} CCACHE_BASEDIR=$repo CCACHE_NOHASHDIR=1
  for argument; do
    [[ $argument == *.cpp ]] || continue
    objects+=("$program.objects/${#objects[@]}.o")
    ccache "$compiler" "${flags[@]}" -c -o "${objects[-1]}" "$argument"
  done
  "$compiler" "${flags[@]}" -o "$program.new" "${objects[@]}" "${link[@]}"
  mv "$program.new" "$program"
  rm -rf "$program.objects"
}

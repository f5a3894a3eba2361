# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced. Fetches Debian packages of any suite and architecture with a private apt state, whose sources are derived from the
# machine's sources. The system's apt state is not changed; only its sources are read.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of common.bash

# apt_in ROOT ARCH COMMAND...: runs an apt command with the private state ROOT.
apt_in() {
  local root=$1 arch=$2 command=$3
  shift 3
  "$command" \
    -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts="$root/sources" \
    -o Dir::Etc::Preferences=/dev/null -o Dir::Etc::PreferencesParts=/dev/null \
    -o Dir::State="$root" -o Dir::State::Lists="$root/lists" -o Dir::State::Status="$root/status" \
    -o Dir::State::extended_states="$root/extended_states" \
    -o Dir::Cache="$root" -o Dir::Cache::Archives="$root/archives" \
    -o Dir::Log="$root" -o APT::Architecture="$arch" -o APT::Architectures="$arch" \
    -o APT::Sandbox::User="$(id -un)" -o Acquire::Languages=none -o Acquire::Retries=3 \
    -o Acquire::PDiffs=false -o APT::Update::Error-Mode=any -o APT::Get::List-Cleanup=false \
    -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false \
    -o Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled=false \
    "$@"
}

# names_of SUITE: prints the archive's names for the suite, the code name first. A mirror updates these at different times, so if
# the signed list of files does not match the files under one name, it may match under the other.
names_of() {
  case $1 in
    trixie) say trixie stable ;;
    bookworm) say bookworm oldstable ;;
    sid) say sid unstable ;;
    *) say "$1" ;;
  esac | tr ' ' '\n'
}

# apt_update ROOT TYPES SUITE ARCH: fetches the package lists of a suite into a private state. Keeps existing lists from the same
# source, since apt updates them if necessary. Removes lists from a different source, so that apt does not use their Release file.
apt_update() {
  local root=$1 types=$2 suite=$3 arch=$4 number=0 name place source
  mkdir -p "$root"/{sources,lists/partial,archives/partial}
  : >"$root/status"
  while place=$(/usr/bin/python3 "$repo/scripts/lib/debian_archive.py" "$types" "$suite" "$number"); do
    for name in $(names_of "$suite"); do
      source=${place/Suites: $suite/Suites: $name}
      if [[ $(cat "$root/sources/debian.sources" 2>/dev/null) != "$source" ]]; then
        rm -rf "$root/lists"
        mkdir -p "$root/lists/partial"
        say "$source" >"$root/sources/debian.sources"
      fi
      if apt_in "$root" "$arch" apt-get update &&
          grep -qx 'Origin: Debian' "$root"/lists/*Release &&
          grep -qx "Codename: $suite" "$root"/lists/*Release; then
        return
      fi
    done
    number=$((number + 1))
  done
  ((number > 0)) || say "No Debian main archive in this machine's apt sources ($(apt_sources_dir))."
  say "No package lists of Debian $suite ($types, $arch) could be fetched."
  return 1
}

# has_todays FOLDER COMMAND...: true if the folder has exactly the packages that this apt command would fetch now.
has_todays() {
  local folder=$1
  shift
  [[ -d $folder ]] &&
    cmp -s <("$@" --print-uris | sed -n "s/^'[^']*' \([^ ]*\) .*/\1/p" | sort) <(ls "$folder")
}

# from_archive COMMAND...: runs an apt command. If it fails because the archive lacks a file or package, as happens with a release
# that changes daily, the last line of the output gives this cause, which step() prints.
from_archive() {
  local said status=0 gone
  said=$(mktemp)
  "$@" 2>&1 | tee "$said" || status=$?
  gone=$(grep -m 1 -E "$not_there" "$said" | sed 's/^[EW]: *//') || true
  rm -f "$said"
  ((status == 0)) || [[ -z $gone ]] || has_moved_on "$gone"
  return "$status"
}
not_there='Unable to locate package|has no (installation )?candidate|unmet dependencies|Failed to fetch .* 404 |Mirror sync in progress'

# has_moved_on WHY: prints the cause in the form that step() and runner/pixmill/archive.py expect.
has_moved_on() { say "cause: the archive has moved on: $1" >&2; }

apt_sources_dir() { apt-config shell d Dir::Etc/d | sed "s/^d='//; s/'$//"; }

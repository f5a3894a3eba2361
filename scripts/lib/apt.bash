# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced: Debian packages of any suite and architecture, through a private apt whose sources are derived
# from the machine's own. The system's apt state is neither read (but for its sources) nor changed.
# shellcheck shell=bash
# shellcheck disable=SC2154  # variables of common.bash

# apt_in ROOT ARCH COMMAND...: an apt command in the private state ROOT.
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

# names_of SUITE: what the archive calls it, its code name first. A mirror renews what it has under each name at
# another time: where a signed list of files and the files do not fit, those of the other name may.
names_of() {
  case $1 in
    trixie) say trixie stable ;;
    bookworm) say bookworm oldstable ;;
    sid) say sid unstable ;;
    *) say "$1" ;;
  esac | tr ' ' '\n'
}

# apt_update ROOT TYPES SUITE ARCH: fetches the package lists of a suite into a private state. Those that are there stay if they
# are of the same source: apt knows whether they are today's. Of another source none may stay, whose signed Release would be
# taken for this one's.
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

# has_todays FOLDER COMMAND...: whether the folder has just the packages that this apt command would fetch now.
has_todays() {
  local folder=$1
  shift
  [[ -d $folder ]] &&
    cmp -s <("$@" --print-uris | sed -n "s/^'[^']*' \([^ ]*\) .*/\1/p" | sort) <(ls "$folder")
}

# from_archive COMMAND...: an apt command. If it fails since the archive does not have what is wanted, which happens to a release
# that changes every day, the last line of its output is that cause, which step() tells.
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

# has_moved_on WHY: says so, as step() and runner/pixmill/archive.py expect it.
has_moved_on() { say "cause: the archive has moved on: $1" >&2; }

apt_sources_dir() { apt-config shell d Dir::Etc/d | sed "s/^d='//; s/'$//"; }

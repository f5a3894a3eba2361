# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by every script here: where things are, how progress and failure are told.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the variables are for the scripts that source this file

# A login gives no sbin to users, where depmod and mkfs are; runner/pixmill/__main__.py has this line, too.
export PATH=${PATH:+$PATH:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
home=${HOME:-$(getent passwd "$EUID" | cut -d: -f6)}
cache=${PIXMILL_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/pixmill}

# An installed tree (scripts/meson.build) lies in PREFIX/share/pixmill, cannot be written to, and has in "prebuilt" what
# others build.
installed=''
[[ ! -f $repo/installed ]] || installed=${repo%/share/pixmill}
prebuilt=$repo/prebuilt

# QEMU's build refuses paths with white space or colons, so such a clone works elsewhere.
case ${installed:+installed}$repo in
  installed*) work=$cache/installed ;;
  *[[:space:]:]*) work=$cache/work/$(printf %s "$repo" | sha256sum | cut -c1-16) ;;
  *) work=$repo/build ;;
esac
out=$repo/out
[[ -z $installed ]] || out=$PWD/pixmill-out
logs=$work/logs

# command_of NAME: what a user calls the script of that name.
command_of() { if [[ -n $installed ]]; then say "pixmill-$1"; else say "scripts/$1"; fi; }

export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

# --yes of any script, up to "--", holds for what that calls, too: install-packages reads it.
pixmill_words=()
while (($# > 0)); do
  case $1 in
    --yes) export PIXMILL_YES=1 ;;
    --) pixmill_words+=("$@") && break ;;
    *) pixmill_words+=("$1") ;;
  esac
  shift
done
set -- "${pixmill_words[@]}"

# ---- boards ----------------------------------------------------------------------------------

# setting_of BOARD NAME: what its settings say of that.
setting_of() { sed -n "s/^$2 //p" "$repo/board-configs/$1/board"; }

# guest_of BOARD: the board whose packages, kernels and initramfs it takes: its own, or "guest" of its settings.
guest_of() {
  local other
  other=$(setting_of "$1" guest)
  say "${other:-$1}"
}

# kernels_of BOARD: the kernel series that it is tested with, one a line; not those that must be asked for.
kernels_of() {
  [[ -z $(firmware_of "$1") ]] || return 0
  sed -n '/^#/d; / asked\( \|$\)/d; s/^\([^ ]\{1,\}\) .*/\1/p' "$repo/board-configs/$(guest_of "$1")/kernels"
}

# every_kernel_of BOARD: these, too.
every_kernel_of() { sed -n '/^#/d; s/^\([^ ]\{1,\}\) .*/\1/p' "$repo/board-configs/$(guest_of "$1")/kernels"; }

# release_of BOARD SERIES: the Debian release that has that kernel.
release_of() { awk -v series="$2" '$1 == series { print $2 }' "$repo/board-configs/$(guest_of "$1")/kernels"; }

# firmware_of BOARD: the folder of guest whose firmware it runs; nothing for a board that boots a kernel.
firmware_of() { setting_of "$1" firmware; }

# arch_of BOARD: its processors in Debian's words, a line of scripts/lib/architectures.
arch_of() {
  local arch
  arch=$(setting_of "$1" arch)
  say "${arch:-armhf}"
}

# of_arch ARCH COLUMN: that word of its line.
of_arch() { awk -v arch="$1" -v column="$2" '$1 == arch { print $column }' "$repo/scripts/lib/architectures"; }

# qemu_target_of BOARD: its processors in QEMU's words.
qemu_target_of() { of_arch "$(arch_of "$1")" 2; }

# triplet_of ARCH: the name of its folders of libraries, and how the names of its cross compilers begin.
triplet_of() { of_arch "$1" 3; }

# program_packages_of BOARD: the groups of scripts/packages that build our guest program; none for a board without etnaviv's GPU.
program_packages_of() { [[ -z $(setting_of "$1" gpu) ]] || say "guest-program cross-$(arch_of "$1")"; }

# qemu_targets: all processors, in QEMU's words.
qemu_targets() { awk '/^[^#]/ { print $2 }' "$repo/scripts/lib/architectures"; }

require_board() {
  [[ -f $repo/board-configs/$1/board ]] ||
    die "there is no board $1" "available: $(cd "$repo/board-configs" && echo *)"
}

require_kernel() {
  [[ -n $(release_of "$1" "$2") ]] ||
    die "no Debian release is known for kernel series $2" \
      "known for $1: $(every_kernel_of "$1" | xargs); to add one: a line in board-configs/$(guest_of "$1")/kernels"
}

# ---- the QEMU that is built ------------------------------------------------------------------

# choose_base: sets base to the series of scripts/qemu/bases that QEMU_BASE names, else to what it named last, else to the first;
# and qemu_work to where that QEMU is built, a folder of its own for any but the first. What a script calls works with the same base,
# which pixmill_qemu_base names without being remembered. runner/pixmill/places.py does the same.
choose_base() {
  local known=()
  mapfile -t known < <(sed -n 's/^\([0-9.]*\) .*/\1/p' "$repo/scripts/qemu/bases")
  base=${pixmill_qemu_base:-${QEMU_BASE:-$(cat "$work/qemu.base" 2>/dev/null || true)}}
  base=${base:-${known[0]}}
  [[ " ${known[*]} " == *" $base "* ]] ||
    die_status=2 die "Pixmill does not support QEMU $base" "available: ${known[*]}; QEMU_BASE=${known[0]} chooses the first"
  [[ $base == "${known[0]}" ]] || qemu_work=$work/$base
  mkdir -p "$qemu_work"
  [[ -n ${pixmill_qemu_base-} || -z ${QEMU_BASE-} ]] || printf '%s\n' "$base" >"$work/qemu.base"
  export pixmill_qemu_base=$base
}
base='' qemu_work=$work

# ---- telling ---------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }

# die WHAT [WHY-OR-ADVICE...]: one line of what failed, then lines of why and what to do. Exits with $die_status: the statuses
# are those of runner/pixmill/failure.py. 1, a case that failed, is only for what judges cases.
die_status=2
die() {
  printf 'pixmill: %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit "$die_status"
}

# unknown_argument WORD KNOWN...: ends the script, and names the option that it is nearest to.
unknown_argument() {
  local near
  near=$("$repo/scripts/lib/pixmill" nearest "$@" 2>/dev/null) || near=''
  die_status=2 die "unknown argument: $1" "${near:+the nearest is $near; }see ${0#"$repo/"} --help"
}

# asks_for_help ARGUMENT...: whether --help is among them, up to "--".
asks_for_help() {
  local word
  for word; do
    case $word in
      --help | -h) return 0 ;;
      --) return 1 ;;
    esac
  done
  return 1
}

# helper LEAST MOST ARGUMENT...: for scripts whose only help is the comment at their start: prints it if --help is
# asked for; ends a script that has fewer or more arguments.
helper() {
  local least=$1 most=$2
  shift 2
  if asks_for_help "$@"; then
    sed -n '/^# SPDX/,/^[^#]/{/^# SPDX/d; s/^# \{0,1\}//p}' "$0"
    exit
  fi
  (($# >= least && $# <= most)) || die_status=2 die "wrong number of arguments: $#" \
    "$(sed -n 's/^# \(usage: \)/\1/p' "$0"); see $0 --help"
}

# make_places: the folders that scripts write to. In a clone that works elsewhere, build leads there.
make_places() {
  local place advice="set the folder for downloads with PIXMILL_CACHE=FOLDER; builds go to $work"
  [[ $work != "$cache"/* ]] || advice="set the folder for downloads and builds with PIXMILL_CACHE=FOLDER"
  for place in "$cache" "$work" "$logs"; do
    require_writable "$place"
    mkdir -p "$place" 2>/dev/null || true
    [[ -d $place && -w $place ]] || die_status=2 die "$place cannot be created or written to" "$advice"
  done
  [[ -n $installed ]] || choose_base
  [[ $work == "$repo/build" || -n $installed ]] || { [[ -e $repo/build && ! -L $repo/build ]] || ln -sfn "$work" "$repo/build"; }
}

# foreign_in FOLDER...: the first file there that another user owns, and this one cannot write to.
foreign_in() { find -H "$@" ! -type l ! -user "$EUID" ! -writable -print -quit 2>/dev/null || true; }

# require_writable PATH...: ends the script if another user owns one of our files, or the folder that it would be in. One command
# that ran as root leaves such files in a user's clone and cache.
require_writable() {
  local path place there
  for path; do
    for place in "$cache" "$work"; do
      while [[ $path == "$place"/* && ! -e $path ]]; do path=${path%/*}; done
      [[ $path != "$place" && $path != "$place"/* ]] || there=$(foreign_in "$path" -prune)
      [[ -z ${there-} ]] || refuse_foreign "$there" "$place"
    done
  done
}

# refuse_foreign FILE PLACE: ends the script because of that file in that place.
refuse_foreign() {
  local owner me
  owner=$(stat -c %U "$1") me=$(id -un)
  die_status=2 die "$1 belongs to $owner, and $me cannot write to it; as root: chown -R $me $2; or run this command as $owner"
}

# require_no_foreign: ends the script if another user owns one of our files anywhere.
require_no_foreign() {
  local place there
  for place in "$work" "$cache"; do
    there=$(foreign_in "$place")
    [[ -z $there ]] || refuse_foreign "$there" "$place"
  done
}

# make_folder PATH...: mkdir -p.
make_folder() {
  require_writable "$@"
  mkdir -p "$@"
}

elapsed() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# The newest "[12/345]" (ninja) or "12%" (apt) of a log.
progress_of() {
  tail -c 400 "$1" | tr '\r' '\n' | grep -oE '\[[0-9]+/[0-9]+\]|[0-9]+%' | tail -n 1 || true
}

# is_full: whether a disk that we write to has less than a MiB left.
is_full() {
  local place left
  for place in "$cache" "$work" "$PWD" "${TMPDIR:-/tmp}"; do
    left=$(df --output=avail -B1M "$place" 2>/dev/null | tail -n 1) || continue
    ((left >= 1)) || return 0
  done
  return 1
}

# status_of_step STATUS LOG: of what only prepares something: 5 for what may pass by itself, and 2 for what the user can
# mend; as runner/pixmill/failure.py has it.
status_of_step() {
  case $1 in
    5 | 137) say 5 ;;
    *)
      if tail -c 4000 "$2" 2>/dev/null | grep -qE "$passing" || is_full; then say 5; else say 2; fi
      ;;
  esac
}
passing='No space left on device|Disk quota exceeded|[Cc]annot allocate memory|Resource temporarily unavailable|'
passing+='Too many open files|Input/output error|virtual memory exhausted|'
passing+='Temporary failure (in name resolution|resolving)|Could not resolve|Network is unreachable|Connection (refused|timed out|reset)'

# broken STATUS COMMAND: where a command ends a script that has not said so. One that has said it has a status of ours; where
# cases are judged (die_status=1) it stands.
broken() {
  case $die_status:$1 in
    1:* | *:[25] | *:129 | *:130 | *:143) exit "$1" ;;
  esac
  die_status=$(status_of_step "$1" /dev/null)
  die "$(basename "$0"): this command failed (status $1): ${2%%$'\n'*}"
}
set -E
err_status=0
trap 'err_status=$?; ((BASH_SUBSHELL)) || [[ $- != *e* ]] || broken "$err_status" "$BASH_COMMAND"' ERR

# step WHAT COMMAND...: runs the command with its output in a log file; shows the time it takes and
# how far it is; on failure shows the end of the log and ends the script, with $step_status or what the log tells. A line
# "cause: TEXT" of the log is what it says of the failure.
step_job=
alone_fd=
step() {
  local what=$1 log start=$SECONDS status=0 shown=0 now cause
  shift
  log=$logs/$(tr -cs 'A-Za-z0-9.\n' '-' <<<"$what").log
  require_writable "$log"
  [[ -t 1 ]] || say "$what ..."
  set -m # a process group of its own, so that an interrupt can end all of it
  without_lock "$@" >"$log" 2>&1 </dev/null &
  step_job=$!
  set +m
  while kill -0 "$step_job" 2>/dev/null; do
    now=$((SECONDS - start))
    if [[ -t 1 ]]; then
      printf '\r\033[K%s ... %s %s' "$what" "$(elapsed "$now")" "$(progress_of "$log")"
    elif ((now >= shown + 30)); then
      shown=$now
      say "  $(elapsed "$now") $(progress_of "$log")"
    fi
    pause 0.2
  done
  wait "$step_job" || status=$?
  step_job=
  if ((status == 0)); then
    [[ -t 1 ]] && printf '\r\033[K'
    say "$what: done in $(elapsed $((SECONDS - start)))"
    return
  fi
  [[ -t 1 ]] && printf '\n'
  { tail -n 25 "$log" | sed 's/^/  | /'; } >&2
  ! tail -c 4000 "$log" | grep -q "Permission denied" || require_no_foreign
  die_status=${step_status:-$(status_of_step "$status" "$log")}
  cause=$(sed -n 's/^cause: //p' "$log" | tail -n 1)
  [[ -z $cause ]] || die "$cause" "$what: failed after $(elapsed $((SECONDS - start))) (exit status $die_status)" \
    "the whole log: $log"
  die "$what: failed after $(elapsed $((SECONDS - start))) (exit status $die_status)" \
    "the whole log: $log" "${step_advice:-run the same command again to continue from here}"
}

# pause SECONDS: sleeps as a job: bash says "Terminated" of a command in the foreground that the signal to its group ends, be it
# a setsid(1) that is about to leave the group.
pause() {
  set -m
  sleep "$1" &
  set +m
  wait "$!" || true
}

# without_lock COMMAND...: in a process of its own, where alone()'s is not open.
without_lock() {
  [[ -z $alone_fd ]] || exec {alone_fd}>&-
  "$@"
}

# attend COMMAND...: runs it with its output where it is. bash acts on a signal only when a command in the foreground
# has ended; this one is a step, which the signal ends at once.
attend() {
  local status=0
  set -m
  without_lock "$@" </dev/null &
  step_job=$!
  set +m
  wait "$step_job" || status=$?
  step_job=
  return "$status"
}

# group_lives NUMBER: whether a process of that group runs; one that has ended and that nobody has reaped does not.
group_lives() {
  local stat line
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    line=${line##*) } # the name may have blanks; then come the state, the parent and the group
    [[ ! $line =~ ^[^ZX]\ [0-9]+\ $1\  ]] || return 0
  done
  return 1
}

# An interrupted script takes its current step down with it, and all that the step has started: a lock is free only when nothing
# of it works any more.
end_step() {
  local job
  for job in $(jobs -p); do # of a step that has just begun, $step_job may not be set yet
    kill -TERM -- "-$job" 2>/dev/null || continue
    wait "$job" 2>/dev/null || true
    kill -TERM -- "-$job" 2>/dev/null || true # a subshell that had just begun may have started its command after the first
    while group_lives "$job"; do pause 0.1; done
  done
}
trap end_step EXIT
# The outermost of the commands that run in each other says so; runner/pixmill/processes.py (ended) does alike. A terminal shows
# progress, or ^C, in the same line.
interrupted() {
  trap '' INT TERM HUP # a second signal would end the clean-up, and leave the step
  [[ -n $outer || ! -t 2 ]] || printf '\n' >&2
  [[ -n $outer ]] || printf 'pixmill: interrupted by %s\n' "$1" >&2
  exit "$2"
}
outer=${pixmill_outer-}
export pixmill_outer=1
trap 'interrupted SIGINT 130' INT
trap 'interrupted SIGTERM 143' TERM
trap 'interrupted SIGHUP 129' HUP

# ---- what a script needs ----------------------------------------------------------------------

# needs NAME...: the packages of these groups, and of the commands of that name (scripts/packages), installed, or the
# script ends and says how.
needs() { "$repo/scripts/install-packages" "$@" || exit; }

# needs_space MEGABYTES FOLDER WHAT: that is free where the folder is, or the script ends and says so.
needs_space() {
  local free
  free=$(df -Pk "$2" | awk 'NR == 2 { print int($4 / 1024) }')
  ((free >= $1)) || die_status=5 die "$3 needs $1 MB, and the disk of $2 has only $free MB left" \
    "free some space; to remove all builds and downloads: rm -rf $work $cache"
}

# ---- doing things once -----------------------------------------------------------------------

# hash_of FILE-OR-WORD...: one hash over the contents of the files and the words.
hash_of() {
  local item
  for item; do
    if [[ -f $item ]]; then sha256sum <"$item"; else printf '%s\n' "$item"; fi
  done | sha256sum | cut -c1-32
}

# done_for STAMP KEY: was that work completed for that key?   mark_done STAMP KEY: it is now.
done_for() { [[ -f $1 && $(<"$1") == "$2" ]]; }
mark_done() { require_writable "$1.new" && printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"; }

# in_cache COMMAND...: one process at a time, of whichever clone, changes the cache.
in_cache() {
  require_writable "$cache/lock"
  (
    flock 9
    "$@"
  ) 9>"$cache/lock"
}

# alone NAME [FOLDER]: from here to its end only one run of this script at a time in this folder (default: where builds go). What
# it starts as a step does not have the lock: a process that is left behind would keep it.
alone() {
  local folder=${2:-$work} fd
  require_writable "$folder/$1.lock"
  exec {fd}>>"$folder/$1.lock"
  flock -n "$fd" || {
    say "waiting for another run in $folder, which works on $1; it may take minutes, and Ctrl-C ends this one only"
    attend flock "$fd"
  }
  alone_fd=$fd
}

# Whoever asks for help gets it, whatever can be written to.
asks_for_help "$@" || make_places

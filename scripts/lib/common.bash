# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by every script here: paths, and the output of progress and failures.
# shellcheck shell=bash
# shellcheck disable=SC2034  # the variables are for the scripts that source this file

# A user's PATH may lack the sbin folders, which have depmod and mkfs. runner/pixmill/__main__.py does the same.
export PATH=${PATH:+$PATH:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
home=${HOME:-$(getent passwd "$EUID" | cut -d: -f6)}
cache=${PIXMILL_CACHE:-${XDG_CACHE_HOME:-$home/.cache}/pixmill}

# An installed tree (scripts/install/meson.build) is PREFIX/share/pixmill. It is read-only and has the folder "prebuilt" instead of
# builds.
installed=''
[[ ! -f $repo/installed ]] || installed=${repo%/share/pixmill}
prebuilt=$repo/prebuilt

# QEMU's build rejects paths with white space or colons, so for a clone in such a path, builds go to the cache.
case ${installed:+installed}$repo in
  installed*) work=$cache/installed ;;
  *[[:space:]:]*) work=$cache/work/$(printf %s "$repo" | sha256sum | cut -c1-16) ;;
  *) work=$repo/build ;;
esac
out=$repo/out
[[ -z $installed ]] || out=$PWD/pixmill-out
logs=$work/logs

# command_of NAME: prints the command as a user types it.
command_of() { if [[ -n $installed ]]; then say "pixmill-$1"; else say "scripts/$1"; fi; }

export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive

# --yes before "--" also applies to scripts that this one calls, since install-packages reads the variable.
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

# setting_of BOARD NAME: prints a setting of the board.
setting_of() { sed -n "s/^$2 //p" "$repo/board-configs/$1/board"; }

# guest_of BOARD: prints the board whose packages, kernels and initramfs BOARD uses: the setting "guest", or BOARD itself.
guest_of() {
  local other
  other=$(setting_of "$1" guest)
  say "${other:-$1}"
}

# kernels_of BOARD: prints the kernel series that are tested by default, one per line.
kernels_of() {
  [[ -z $(firmware_of "$1") ]] || return 0
  sed -n '/^#/d; / asked\( \|$\)/d; s/^\([^ ]\{1,\}\) .*/\1/p' "$repo/board-configs/$(guest_of "$1")/kernels"
}

# every_kernel_of BOARD: prints all kernel series of the board.
every_kernel_of() { sed -n '/^#/d; s/^\([^ ]\{1,\}\) .*/\1/p' "$repo/board-configs/$(guest_of "$1")/kernels"; }

# release_of BOARD SERIES: prints the Debian release with that kernel.
release_of() { awk -v series="$2" '$1 == series { print $2 }' "$repo/board-configs/$(guest_of "$1")/kernels"; }

# firmware_of BOARD: prints the folder in guest/ with the board's firmware; nothing for a board that boots a kernel.
firmware_of() { setting_of "$1" firmware; }

# arch_of BOARD: prints Debian's name of the board's architecture.
arch_of() {
  local arch
  arch=$(setting_of "$1" arch)
  say "${arch:-armhf}"
}

# of_arch ARCH COLUMN: prints that column of the architecture's line in scripts/lib/architectures.
of_arch() { awk -v arch="$1" -v column="$2" '$1 == arch { print $column }' "$repo/scripts/lib/architectures"; }

# qemu_target_of BOARD: prints the board's QEMU target.
qemu_target_of() { of_arch "$(arch_of "$1")" 2; }

# triplet_of ARCH: prints the GNU triplet of the architecture's library folders and cross compilers.
triplet_of() { of_arch "$1" 3; }

# program_packages_of BOARD: prints the groups in scripts/packages that are needed to build the guest program; none if the board has
# no GPU for etnaviv.
program_packages_of() { [[ -z $(setting_of "$1" gpu) ]] || say "guest-program cross-$(arch_of "$1")"; }

# qemu_targets: prints all QEMU targets.
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

# ---- QEMU ------------------------------------------------------------------------------------

# choose_base: sets base to the series in scripts/qemu/bases that QEMU_BASE names, otherwise to the stored choice of an earlier
# command, otherwise to the first series. Sets qemu_work to the series' build folder, which is a subfolder for all series except the
# first. pixmill_qemu_base passes the choice to scripts that this one calls, without storing it. runner/pixmill/places.py does the
# same.
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

# ---- output ----------------------------------------------------------------------------------

say() { printf '%s\n' "$*"; }

# die WHAT [WHY-OR-ADVICE...]: prints a line that says what failed, then lines that say why and what to do. Exits with $die_status,
# a status of runner/pixmill/failure.py. Only commands that judge cases may use 1, which means a failed case.
die_status=2
die() {
  printf 'pixmill: %s\n' "$1" >&2
  shift
  (($# == 0)) || printf '  %s\n' "$@" >&2
  exit "$die_status"
}

# unknown_argument WORD KNOWN...: ends the script; the message suggests the most similar known option.
unknown_argument() {
  local near
  near=$("$repo/scripts/lib/pixmill" nearest "$@" 2>/dev/null) || near=''
  die_status=2 die "unknown argument: $1" "${near:+the nearest is $near; }see ${0#"$repo/"} --help"
}

# asks_for_help ARGUMENT...: true if --help is among them, before any "--".
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

# helper LEAST MOST ARGUMENT...: for scripts whose help is the comment at their start. Prints that comment for --help; ends the
# script if the number of arguments is wrong.
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

# make_places: makes the folders that scripts write to. If builds are in the cache, "build" becomes a link to them.
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

# foreign_in FOLDER...: prints the first file in these folders that belongs to another user and that this user cannot write to.
foreign_in() { find -H "$@" ! -type l ! -user "$EUID" ! -writable -print -quit 2>/dev/null || true; }

# require_writable PATH...: ends the script if another user owns one of these files or the folder in which it would be created. A
# command that ran as root may have left it in a user's clone or cache.
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

# refuse_foreign FILE PLACE: ends the script because another user owns FILE in the folder PLACE.
refuse_foreign() {
  local owner me
  owner=$(stat -c %U "$1") me=$(id -un)
  die_status=2 die "$1 belongs to $owner, and $me cannot write to it; as root: chown -R $me $2; or run this command as $owner"
}

# require_no_foreign: ends the script if another user owns any file in Pixmill's folders.
require_no_foreign() {
  local place there
  for place in "$work" "$cache"; do
    there=$(foreign_in "$place")
    [[ -z $there ]] || refuse_foreign "$there" "$place"
  done
}

# make_folder PATH...: makes folders, with their parents.
make_folder() {
  require_writable "$@"
  mkdir -p "$@"
}

elapsed() { printf '%d:%02d' $(($1 / 60)) $(($1 % 60)); }

# progress_of LOG: prints the last "[12/345]" (ninja) or "12%" (apt) in a log.
progress_of() {
  tail -c 400 "$1" | tr '\r' '\n' | grep -oE '\[[0-9]+/[0-9]+\]|[0-9]+%' | tail -n 1 || true
}

# is_full: true if a disk to which scripts write has less than 1 MiB left.
is_full() {
  local place left
  for place in "$cache" "$work" "$PWD" "${TMPDIR:-/tmp}"; do
    left=$(df --output=avail -B1M "$place" 2>/dev/null | tail -n 1) || continue
    ((left >= 1)) || return 0
  done
  return 1
}

# status_of_step STATUS LOG: prints the exit status for a failed preparation step: 5 if the failure may go away by itself, 2 if the
# user can fix it, as in runner/pixmill/failure.py.
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

# broken STATUS COMMAND: handles a failed command that ends the script. If the status is one of Pixmill's, the command has already
# printed a message. If the script judges cases (die_status=1), it ends with the same status.
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

# step WHAT COMMAND...: runs the command with its output in a log file, and shows the time and the progress. On failure, prints the
# end of the log and ends the script with $step_status or a status derived from the log. A line "cause: TEXT" in the log becomes the
# message.
step_job=
alone_fd=
step() {
  local what=$1 log start=$SECONDS status=0 shown=0 now cause
  shift
  log=$logs/$(tr -cs 'A-Za-z0-9.\n' '-' <<<"$what").log
  require_writable "$log"
  [[ -t 1 ]] || say "$what ..."
  set -m # starts jobs in a separate process group, so that an interrupt can end the whole group
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

# pause SECONDS: sleeps in a background job. In the foreground, bash would print "Terminated" if a signal to the process group ended
# the command, even a setsid(1) that is about to leave the group.
pause() {
  set -m
  sleep "$1" &
  set +m
  wait "$!" || true
}

# without_lock COMMAND...: runs the command with the lock file of alone() closed. Must be called in a subshell or background job.
without_lock() {
  [[ -z $alone_fd ]] || exec {alone_fd}>&-
  "$@"
}

# attend COMMAND...: runs the command without redirecting its output, as a background job. bash handles a signal immediately during
# a background job, but only after the end of a foreground command.
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

# group_lives NUMBER: true if any process of that process group runs; zombies do not count.
group_lives() {
  local stat line
  for stat in /proc/[0-9]*/stat; do
    { read -r line <"$stat"; } 2>/dev/null || continue
    line=${line##*) } # skip the name, which may have spaces; the state, parent and group follow
    [[ ! $line =~ ^[^ZX]\ [0-9]+\ $1\  ]] || return 0
  done
  return 1
}

# Ends the current step of an interrupted script, and all processes that the step has started, before the lock is released.
end_step() {
  local job looks
  for job in $(jobs -p); do # if the step has just begun, $step_job may not be set yet
    # Repeat the signal each second: a process that a shell has just forked still has handlers of the shell, which drop it.
    for ((looks = 0; ; looks++)); do
      group_lives "$job" || break
      ((looks % 10)) || kill -TERM -- "-$job" 2>/dev/null || true
      pause 0.1
    done
    wait "$job" 2>/dev/null || true
  done
}
trap end_step EXIT
# Only the outermost of nested commands reports the signal, as in runner/pixmill/processes.py (ended). On a terminal, the progress
# or ^C is in the same line.
interrupted() {
  trap '' INT TERM HUP # a second signal would interrupt the cleanup
  [[ -n $outer || ! -t 2 ]] || printf '\n' >&2
  [[ -n $outer ]] || printf 'pixmill: interrupted by %s\n' "$1" >&2
  exit "$2"
}
outer=${pixmill_outer-}
export pixmill_outer=1
trap 'interrupted SIGINT 130' INT
trap 'interrupted SIGTERM 143' TERM
trap 'interrupted SIGHUP 129' HUP

# ---- requirements -----------------------------------------------------------------------------

# needs NAME...: installs the packages of these groups and commands (scripts/packages); if they cannot be installed, prints how to
# install them and ends the script.
needs() { "$repo/scripts/install-packages" "$@" || exit; }

# needs_space MEGABYTES FOLDER WHAT: ends the script unless the folder's disk has that much free space.
needs_space() {
  local free
  free=$(df -Pk "$2" | awk 'NR == 2 { print int($4 / 1024) }')
  ((free >= $1)) || die_status=5 die "$3 needs $1 MB, and the disk of $2 has only $free MB left" \
    "free some space; to remove all builds and downloads: rm -rf $work $cache"
}

# ---- doing things once -----------------------------------------------------------------------

# hash_of FILE-OR-WORD...: prints a hash of the files' contents and the words.
hash_of() {
  local item
  for item; do
    if [[ -f $item ]]; then sha256sum <"$item"; else printf '%s\n' "$item"; fi
  done | sha256sum | cut -c1-32
}

# done_for STAMP KEY: true if the work was completed with that key. mark_done STAMP KEY: records that it was.
done_for() { [[ -f $1 && $(<"$1") == "$2" ]]; }
mark_done() { require_writable "$1.new" && printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"; }

# in_cache COMMAND...: runs the command while no other process, in this or any other clone, can change the cache.
in_cache() {
  require_writable "$cache/lock"
  (
    flock 9
    "$@"
  ) 9>"$cache/lock"
}

# alone NAME [FOLDER]: takes a lock in the folder (default: the folder for builds) until the script ends. Steps do not inherit the
# lock, since a process that they leave behind would keep it.
alone() {
  local folder=${2:-$work} fd
  require_writable "$folder/$1.lock"
  exec {fd}>>"$folder/$1.lock"
  flock -n "$fd" || {
    say "waiting for another run in $folder, which works on $1; it may take minutes; Ctrl-C only ends this one"
    attend flock "$fd"
  }
  alone_fd=$fd
}

# --help must work even if the folders cannot be written to.
asks_for_help "$@" || make_places

# SPDX-License-Identifier: GPL-2.0-or-later
"""Ends commands: defines the exit statuses and the exception that ends a command with one, and maps other errors to them."""

import contextlib
import enum
import errno
import io
import os
import pwd
import re
import signal
import socket
import subprocess
import sys
import traceback


class Status(enum.IntEnum):
    """The exit status of every command. docs/use/run.md documents them for users."""

    PASSED = 0
    FAILED = 1  # a case failed
    USAGE = 2  # the user can fix it: options, a file, a missing tool or package, an unwritable folder
    NO_BOOT = 3  # the guest did not boot
    TIMEOUT = 4
    HOST = 5  # may go away by itself: a full disk, no network, a starved host
    INTERRUPTED = 130


# The first of these wins if the parts of a command ended differently. A kernel that does not boot explains all other failures; a
# failed case counts even if the host starved others.
WEIGHT = (Status.USAGE, Status.NO_BOOT, Status.TIMEOUT, Status.FAILED, Status.HOST, Status.PASSED)


def heaviest(ends):
    return min(ends, key=WEIGHT.index, default=Status.PASSED)


class Failure(Exception):
    """Raised to end a command. One line says what failed; further lines say why and what to do."""

    def __init__(self, status, what, *advice):
        super().__init__(what)
        self.status, self.what, self.advice = status, what, advice

    def text(self):
        return "\n  ".join((f"pixmill: {self.what}", *self.advice))


class Usage(Failure):
    """Raised for wrong options or an unsuitable file."""

    def __init__(self, what, *advice):
        super().__init__(Status.USAGE, what, *advice)


# ---- errors of the host ------------------------------------------------------------------------

FULL = (errno.ENOSPC, errno.EDQUOT)
NETWORK = (errno.ENETDOWN, errno.ENETUNREACH, errno.ENETRESET, errno.EHOSTDOWN, errno.EHOSTUNREACH, errno.ECONNABORTED,
           errno.ECONNREFUSED, errno.ECONNRESET, errno.ETIMEDOUT)
EXHAUSTED = (errno.ENOMEM, errno.EAGAIN, errno.EMFILE, errno.ENFILE, errno.EIO, errno.EBUSY, errno.ETXTBSY, errno.ESTALE)
ADVICE = {**dict.fromkeys(FULL, "free some space there, or name another folder; then try again"),
          **dict.fromkeys(NETWORK, "is the network up? then try again"),
          **dict.fromkeys(EXHAUSTED, "the host is short of a resource: try again"),
          errno.EACCES: "you lack the permission for it", errno.EPERM: "you lack the permission for it",
          errno.EROFS: "name a writable folder",
          errno.ENOEXEC: "it is not a program for this machine"}
DENIED = (errno.EACCES, errno.EPERM)
PASSING = {*FULL, *NETWORK, *EXHAUSTED}

# Messages of programs, such as QEMU, that report these errors.
PASSING_WORDS = re.compile(
    "No space left on device|Disk quota exceeded|[Cc]annot allocate memory|Resource temporarily unavailable|"
    "Too many open files|Input/output error|cannot set up guest memory|virtual memory exhausted|"
    "Temporary failure (in name resolution|resolving)|Could not resolve|Network is unreachable|Connection (refused|timed out|reset)")


def of_os_error(error):
    """Returns the Failure for an OSError. The file name comes from the error, or from about()."""
    if isinstance(error, BrokenPipeError) and error.filename in (None, OUTPUT):
        return Failure(Status.USAGE, "stdout was closed")
    cause = error.strerror or str(error) or type(error).__name__
    place = os.fsdecode(error.filename) if isinstance(error.filename, (str, bytes)) else ""
    passes = error.errno in PASSING or isinstance(error, (TimeoutError, ConnectionError, socket.gaierror))
    status = Status.HOST if passes else Status.USAGE
    if place and error.errno in DENIED and (found := foreign(place)):
        return Failure(status, found)
    return Failure(status, f"{place}: {cause}" if place else cause, *filter(None, [ADVICE.get(error.errno)]))


OURS = []  # Pixmill's own folders, set by places.py


def foreign(path):
    """Returns a message if the path, or the folder in which it would be created, is one of Pixmill's folders but
    belongs to another user and is not writable; otherwise returns "". scripts/lib/common.bash (refuse_foreign) has
    the same text."""
    path = os.path.abspath(path)
    while path != "/" and not os.path.lexists(path):
        path = os.path.dirname(path)
    place = next((place for place in OURS if os.path.commonpath([place, path]) == place), "")
    owner = os.lstat(path).st_uid
    if not place or owner == os.geteuid() or os.access(path, os.W_OK):
        return ""
    owner, me = user(owner), user(os.geteuid())
    return f"{path} belongs to {owner}, and {me} cannot write to it; as root: chown -R {me} {place}; or run this command as {owner}"


def user(number):
    """Returns the user's name, or the number if there is no name."""
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


OUTPUT = "standard output"


class Output(io.FileIO):
    """Standard output. Its OSErrors have its name."""

    def __init__(self):
        super().__init__(1, "w", closefd=False)

    def write(self, data):
        with about(OUTPUT):
            return super().write(data)


def name_output():
    """Makes OSErrors of this process's standard output mention it by name."""
    if sys.stdout and sys.stdout.fileno() == 1:
        sys.stdout.flush()
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(Output()), encoding=sys.stdout.encoding, errors=sys.stdout.errors,
                                      line_buffering=sys.stdout.line_buffering)


def of_error(error):
    """Returns the Failure for any exception that reaches the command's top level. Its status is never 1, which would
    mean that a case failed."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, OSError):
        return of_os_error(error)
    if isinstance(error, MemoryError):
        return Failure(Status.HOST, "the host is out of memory", ADVICE[errno.ENOMEM])
    if isinstance(error, subprocess.TimeoutExpired):
        return Failure(Status.HOST, f"{words_of(error.cmd)} did not end within {error.timeout:g} seconds",
                       "is the host busy? try again")
    if isinstance(error, subprocess.CalledProcessError):
        said = error.stderr or error.output or b""
        said = said.decode(errors="replace") if isinstance(said, bytes) else said
        return Failure(status_of_step(error.returncode, said), f"{words_of(error.cmd)} ended with status {error.returncode}",
                       *said.strip().splitlines()[-3:])
    frames = [f"at {frame.filename}:{frame.lineno}, in {frame.name}" for frame in traceback.extract_tb(error.__traceback__)[-5:]]
    return Failure(Status.HOST, f"Pixmill itself failed; this is not a verdict: {type(error).__name__}: {error}", *frames,
                   "please report it with these lines")


def words_of(command):
    return command if isinstance(command, str) else " ".join(map(os.fsdecode, command))


CRASHES = (signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV, signal.SIGSYS)


def status_of_program(returncode):
    """Returns the status of a program that tests or measures. A signal that does not indicate a crash comes from
    outside."""
    if returncode < 0 and -returncode not in CRASHES:
        return Status.HOST
    return Status.FAILED if returncode else Status.PASSED


def status_of_command(returncode):
    """Returns the status of one of Pixmill's commands, which is its exit status unless a signal ended it."""
    return Status(returncode) if returncode in WEIGHT else Status.HOST


def status_of_step(returncode, said):
    """Returns the status for a failed preparation step, given its status and its last output: 5 if the failure may
    go away by itself, otherwise 2. scripts/lib/common.bash (status_of_step) has the same rules."""
    killed = returncode in (-9, 137)
    return Status.HOST if killed or returncode == Status.HOST or PASSING_WORDS.search(said) else Status.USAGE


@contextlib.contextmanager
def about(path):
    """Adds this file name to OSErrors without a file name, such as the error for a full disk."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = os.fspath(path)
        raise


@contextlib.contextmanager
def writing(path, mode="wb", **more):
    """Opens a file and adds its name to OSErrors that occur in the block."""
    with about(path):
        with open(path, mode, **more) as file:
            yield file

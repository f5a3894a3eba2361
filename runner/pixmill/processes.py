# SPDX-License-Identifier: GPL-2.0-or-later
"""How processes of ours begin and end."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import termios

from pixmill.failure import Status, name_output, of_error

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def die_with_parent():
    """In the child: whoever kills this program, and leaves it no time to clean up, leaves no QEMU either."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@contextlib.contextmanager
def later_signals():
    """Signals that end this program come after the block: in the middle of a start they would leave a child that nobody knows. The
    child calls hear_signals()."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        hear_signals()


def hear_signals():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


@contextlib.contextmanager
def kept_terminal():
    """QEMU turns the terminal's echo off, and cannot turn it on again when it is killed."""
    modes = termios.tcgetattr(sys.stdin) if sys.stdin.isatty() else None
    try:
        yield
    finally:
        if modes:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)


class Ended(SystemExit):
    """By a signal."""

    def __init__(self, number):
        super().__init__(128 + number)
        self.number = number


def end_on_sigterm():
    """SIGTERM, and the end of the terminal, end this program through its clean-up, which ends QEMU."""
    def end(number, _):
        for other in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(other, signal.SIG_IGN)  # the clean-up is short, and comes to its end
        raise Ended(number)

    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # end_group() waits for those whose parent did not
    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup(1)
        signal.signal(signal.SIGHUP, end)


def ended(command):
    """The exit status of a command, a function that returns it or raises; what it raises is told. Nothing but a case that
    failed is 1."""
    end_on_sigterm()
    name_output()
    try:
        status = command()
        with contextlib.suppress(AttributeError):  # there is none
            sys.stdout.flush()
        return status
    except Ended as end:
        return interrupted(signal.Signals(end.number), end.code)
    except KeyboardInterrupt:
        return interrupted(signal.SIGINT, Status.INTERRUPTED)
    except Exception as error:  # pylint: disable=broad-exception-caught
        failure = of_error(error)
        return told(failure.text(), failure.status)


INNER = "pixmill_outer"  # is in the environment of a command that another one of ours runs


def interrupted(number, status):
    """Tells it, in the outermost of the commands that run in each other: the signals that end the others are not the user's.
    scripts/lib/common.bash (interrupted) does alike."""
    if os.environ.get(INNER):
        return status
    return told("\n" * sys.stderr.isatty() + f"pixmill: interrupted by {number.name}", status)


@contextlib.contextmanager
def started(command, group=True, **more):
    """Runs a command; when an exception leaves the block, it is ended with all that it has started, in a process GROUP of its own:
    flock(1) stands before a script that is alone. One that may ask the user has none."""
    with contextlib.ExitStack() as held:
        held.enter_context(later_signals())
        process = subprocess.Popen(command, start_new_session=group, preexec_fn=hear_signals, **more)
        try:
            held.close()
            yield process
        except BaseException:
            if group:
                end_group(process)
            else:
                process.terminate()
                process.wait()
            raise


def attend(command, group=True, **more):
    """Runs a command with its output where it is, and returns its status."""
    with started(command, group, env={**os.environ, INNER: "1"}, **more) as process:
        return process.wait()


def end_group(process):
    """Ends the process with its group, and waits until all of it has cleaned up and is gone: flock(1) ends before its script."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    process.wait()
    with contextlib.suppress(ChildProcessError):  # there is no more
        while True:
            os.waitpid(-process.pid, 0)


def told(text, status):
    """Python says nothing more of an output that is gone or full."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return status

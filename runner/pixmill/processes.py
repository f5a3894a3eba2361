# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts and ends processes."""

import contextlib
import ctypes
import itertools
import os
import signal
import subprocess
import sys
import termios
import time

from pixmill.failure import Status, name_output, of_error

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def die_with_parent():
    """Kills this process (a child such as QEMU) when its parent dies, since a killed parent cannot clean up."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


@contextlib.contextmanager
def later_signals():
    """Delays signals that end this program until after the block, so that they cannot interrupt the start of a child and leave it
    behind. The child calls hear_signals()."""
    signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        hear_signals()


def hear_signals():
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)


@contextlib.contextmanager
def kept_terminal():
    """Restores the terminal's settings: QEMU turns echo off, and cannot turn it back on if it is killed."""
    modes = termios.tcgetattr(sys.stdin) if sys.stdin.isatty() else None
    try:
        yield
    finally:
        if modes:
            termios.tcsetattr(sys.stdin, termios.TCSADRAIN, modes)


class Ended(SystemExit):
    """Raised to end this program because of a signal."""

    def __init__(self, number):
        super().__init__(128 + number)
        self.number = number


def end_on_sigterm():
    """Makes SIGTERM and SIGHUP run this program's cleanup, which ends QEMU."""
    def end(number, _):
        for other in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(other, signal.SIG_IGN)  # let the clean-up finish; it is short
        raise Ended(number)

    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)  # end_group() waits for orphans
    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup(1)
        signal.signal(signal.SIGHUP, end)


def ended(command):
    """Runs a command, given as a function, and returns its exit status; prints errors that it raises. The status is
    1 only if a case failed."""
    end_on_sigterm()
    name_output()
    try:
        status = command()
        with contextlib.suppress(AttributeError):  # stdout may be None
            sys.stdout.flush()
        return status
    except Ended as end:
        return interrupted(signal.Signals(end.number), end.code)
    except KeyboardInterrupt:
        return interrupted(signal.SIGINT, Status.INTERRUPTED)
    except Exception as error:  # pylint: disable=broad-exception-caught
        failure = of_error(error)
        return told(failure.text(), failure.status)


INNER = "pixmill_outer"  # set in the environment of a command that another one of ours runs


def interrupted(number, status):
    """Reports the signal, but only in the outermost of nested commands, since the user did not send the signals that
    end inner ones. scripts/lib/common.bash (interrupted) does the same."""
    if os.environ.get(INNER):
        return status
    return told("\n" * sys.stderr.isatty() + f"pixmill: interrupted by {number.name}", status)


@contextlib.contextmanager
def started(command, group=True, **more):
    """Runs a command during the block. An exception ends the command and all its children, such as the script that
    flock(1) runs. They are in a separate process group, unless the command may ask the user something."""
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
    """Runs a command without redirecting its output, and returns its status."""
    with started(command, group, env={**os.environ, INNER: "1"}, **more) as process:
        return process.wait()


def end_group(process):
    """Ends the process group, and waits until all its processes have ended, since flock(1) ends before the script
    that it runs."""
    def is_gone():
        if process.poll() is None:
            return False
        try:
            while os.waitpid(-process.pid, os.WNOHANG)[0]:  # reaps those that have ended
                pass
            return False
        except ChildProcessError:  # no child is left
            return True

    for looks in itertools.count():
        if looks % 10 == 0:  # a process that a shell has just forked may drop the signal
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        if is_gone():
            break
        time.sleep(0.1)


def told(text, status):
    """Prints an error and returns the status. Keeps Python from reporting a closed or full standard output at exit."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        print(text, file=sys.stderr, flush=True)
    try:
        sys.stdout.flush()
    except (OSError, ValueError, AttributeError):
        with contextlib.suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return status

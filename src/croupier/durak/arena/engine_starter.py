"""Starts engines from a process apart, so that an engine that signals its parent, or its parent's group, does not hit the arena.

The process is this file run as a program; it imports the standard library only. It leads its own session, takes no notice of signals, and is
replaced if an engine kills it. The pipes of an engine lead to the arena itself, so a game goes on all the same. When the arena is gone, it
ends the engines that it has started.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

#: How long the process may take to start an engine before it counts as lost: an engine may have stopped it.
_PATIENCE = 30.0
_LARGEST_MESSAGE = 2**20
_UNCATCHABLE = {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}


class EngineStarter:
    """The arena's side: asks the process to start engines, and for the status with which they ended.

    Examples
    --------
    >>> keyboard, pipe = os.pipe()
    >>> starter = EngineStarter()
    >>> pid = starter.start(("/bin/sh", "-c", "exit 7"), "/", {}, (keyboard, pipe, pipe))
    >>> starter.status(pid, is_reaped=True)
    7
    >>> starter.close()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None

    def start(
        self, command: Sequence[str], folder: str, environment: Mapping[str, str], files: tuple[int, int, int]
    ) -> int:
        """Start a program in a session of its own, with these files as its standard streams; return its number.

        Raises
        ------
        OSError
            If the system refuses to run it.
        """
        request = {"command": list(command), "folder": folder, "environment": dict(environment)}
        with self._lock:
            reply = self._ask(request, files) or self._ask_again(request, files)
        if "pid" not in reply:
            raise OSError(reply["errno"], reply["reason"])
        return int(reply["pid"])

    def status(self, pid: int, *, is_reaped: bool) -> int | None:
        """Wait for the end of a process and return its exit status, or minus the signal that ended it; None if nobody knows.

        Parameters
        ----------
        pid
            A process that was started here.
        is_reaped
            Whether its number may go to another process from now on.
        """
        with self._lock:
            reply = self._ask({"pid": pid, "is_reaped": is_reaped}) if self._channel is not None else None
        return None if reply is None else reply["status"]

    def close(self) -> None:
        """End the process, and the engines that it has started."""
        with self._lock:
            self._drop()

    def _ask_again(self, request: Mapping[str, Any], files: tuple[int, int, int]) -> dict[str, Any]:
        """Ask a new process: the old one is gone."""
        reply = self._ask(request, files)
        if reply is None:
            raise OSError(0, "the process that starts engines is killed again and again")
        return reply

    def _ask(self, request: Mapping[str, Any], files: Sequence[int] = ()) -> dict[str, Any] | None:
        """Send a request and return the reply; None if the process is gone."""
        channel = self._channel or self._open()
        message = json.dumps(request).encode()
        if len(message) > _LARGEST_MESSAGE:
            raise OSError(0, "its command line is too long")
        try:
            socket.send_fds(channel, [message], list(files))
            reply = channel.recv(_LARGEST_MESSAGE)
        except OSError:
            reply = b""
        if not reply:
            self._drop()
            return None
        answer: dict[str, Any] = json.loads(reply)
        return answer

    def _open(self) -> socket.socket:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2 * _LARGEST_MESSAGE)
        ours.settimeout(_PATIENCE)
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-I", "-S", __file__),
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._channel = ours
        return ours

    def _drop(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        if self._process is not None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
            self._process.kill()
            self._process.wait()
            self._process = None


class _Own:
    """The starter of this process; one that was forked from another needs its own."""

    starter: EngineStarter | None = None
    pid = 0
    lock = threading.Lock()


def engine_starter() -> EngineStarter:
    """Return the starter of this process, which all its engines share."""
    with _Own.lock:
        if _Own.starter is None or _Own.pid != os.getpid():
            _Own.starter, _Own.pid = EngineStarter(), os.getpid()
            atexit.register(_Own.starter.close)
        return _Own.starter


def _serve(channel: socket.socket) -> None:
    """Do what the arena asks for until it is gone."""
    children: dict[int, subprocess.Popen[bytes]] = {}
    while True:
        message, files, _, _ = socket.recv_fds(channel, _LARGEST_MESSAGE, 3)
        if not message:
            break
        request = json.loads(message)
        reply = _started(request, files, children) if "command" in request else _ended(request, children)
        for file in files:
            os.close(file)
        channel.send(json.dumps(reply).encode())
    for pid in children:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)


def _started(
    request: Mapping[str, Any], files: Sequence[int], children: dict[int, subprocess.Popen[bytes]]
) -> dict[str, Any]:
    try:
        child = subprocess.Popen(
            request["command"],
            stdin=files[0],
            stdout=files[1],
            stderr=files[2],
            cwd=request["folder"],
            env=request["environment"],
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return {"errno": getattr(error, "errno", None) or 0, "reason": reason}
    children[child.pid] = child
    return {"pid": child.pid}


def _ended(request: Mapping[str, Any], children: dict[int, subprocess.Popen[bytes]]) -> dict[str, Any]:
    pid = request["pid"]
    if pid not in children:
        return {"status": None}
    if request["is_reaped"]:
        return {"status": children.pop(pid).wait()}
    found = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    if found is None:
        return {"status": None}
    return {"status": found.si_status if found.si_code == os.CLD_EXITED else -found.si_status}


def main() -> None:
    """Serve the arena through the socket that is the standard input."""
    for number in signal.valid_signals() - _UNCATCHABLE:
        with suppress(OSError, ValueError):
            signal.signal(number, lambda *_: None)  # a handler, not SIG_IGN, which engines would inherit
    with socket.socket(fileno=os.dup(0)) as channel:
        _serve(channel)


if __name__ == "__main__":
    main()

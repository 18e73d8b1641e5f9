"""The process behind a session: lines go in by one thread, and answers come out by another."""

from __future__ import annotations

import atexit
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from io import BufferedReader
from typing import Any, Callable, Dict, List, Optional, Sequence, cast

from ._errors import HooklineError

Line = Dict[str, Any]
Progress = Callable[[Line], None]

#: The version of the lines that this package speaks.
SESSION_VERSION = 3
#: Longer lines are not read by the driver.
MAX_LINE_BYTES = 256 * 1024 * 1024
#: A driver that writes longer answers is another program.
MAX_ANSWER_BYTES = 2 * MAX_LINE_BYTES
HELLO_TIMEOUT_S = 60.0
#: How long a driver that was told to end may take, before it is ended.
CLOSE_TIMEOUT_S = 10.0
KILL_TIMEOUT_S = 5.0
#: Longer ones overflow what Python waits with.
MAX_TIMEOUT_S = 1e9


class DriverAnswer(Dict[str, Any]):
    """An answer of the driver: a part that it lacks is an error with a sentence."""

    def __missing__(self, name: str) -> Any:
        raise HooklineError(f"hookline session answered without {name!r}; is HOOKLINE another program, or another version?")

    def part(self, name: str) -> "DriverAnswer":
        """A part that is an object itself."""
        value = self[name]
        return DriverAnswer(value) if isinstance(value, dict) else self.__missing__(name)


class Driver:
    """One process of `hookline session`. Nothing here waits for ever on a driver that is gone."""

    def __init__(self, command: Sequence[str]) -> None:
        own_group: Dict[str, Any] = {"start_new_session": True}  # Ctrl+C is the host's, and ends no hooks
        if sys.platform == "win32":
            own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=-1, **own_group
            )
        except (OSError, ValueError) as error:  # not there, or a NUL in its arguments
            raise HooklineError(f"Hookline cannot be started as {command[0]!r}: {error}.") from None
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._last = 0
        self._waiting: Dict[int, "Future[Line]"] = {}
        self._progress: Dict[int, Progress] = {}
        self._outbox: "queue.SimpleQueue[Optional[bytes]]" = queue.SimpleQueue()
        self._fault: Optional[str] = None
        #: What background hooks said that was not delivered; known once the session is closed.
        self.undelivered: List[Line] = []
        self._writer = threading.Thread(target=self._write, name="hookline writer", daemon=True)
        self._reader = threading.Thread(target=self._read, name="hookline reader", daemon=True)
        self._writer.start()
        self._reader.start()
        threading.Thread(target=self._watch, name="hookline watcher", daemon=True).start()
        _drivers.add(self)

    @property
    def is_gone(self) -> bool:
        """True if no line is answered any more."""
        return self._fault is not None

    def greet(self) -> Line:
        """Agrees on the version of the lines. Raises HooklineError for a driver that does not speak it."""
        try:
            hello = self.ask({"control": "hello", "session": SESSION_VERSION}, HELLO_TIMEOUT_S).part("hello")
        except TimeoutError:
            self.close()
            raise HooklineError(f"hookline session did not say hello within {HELLO_TIMEOUT_S:.0f} s.") from None
        except HooklineError as error:
            self.close()
            raise HooklineError(f"hookline session cannot be used: {error}") from None
        speaks = hello.get("speaks")
        if SESSION_VERSION not in (speaks if isinstance(speaks, list) else [hello.get("session")]):
            self.close()
            raise HooklineError(
                f"hookline {hello.get('hookline', '?')} is too old for this package: it does not speak session protocol {SESSION_VERSION}. "
                "Update it with `npm install -g hookline@latest`."
            )
        return hello

    def ask(self, line: Line, timeout: Optional[float] = None, progress: Optional[Progress] = None) -> DriverAnswer:
        """Writes a line and waits for its answer; one that takes longer is cancelled, as is one that is interrupted.

        `progress` is called in the thread that waits, so that it may use the session itself.
        """
        steps: "queue.SimpleQueue[Optional[Line]]" = queue.SimpleQueue()
        number, future = self.send(line, None if progress is None else steps.put)
        deadline = None if timeout is None else time.monotonic() + min(timeout, MAX_TIMEOUT_S)

        def left() -> Optional[float]:
            return None if deadline is None else max(0.0, deadline - time.monotonic())

        try:
            if progress is not None:
                future.add_done_callback(lambda _: steps.put(None))
                for step in iter(lambda: steps.get(timeout=left()), None):
                    progress(step)
            return checked(future.result(left()))
        except (FutureTimeout, queue.Empty):
            self.cancel(number)
            raise TimeoutError(f"no answer within {timeout} s; it was cancelled") from None
        except BaseException:  # Ctrl+C, or what `progress` raised
            if not future.done():
                self.cancel(number)
            raise

    def send(self, line: Line, progress: Optional[Progress] = None) -> "tuple[int, Future[Line]]":
        """Puts a line on its way. Raises HooklineError for what JSON cannot hold, and when the driver is gone."""
        if os.getpid() != self._pid:
            raise HooklineError(
                f"This session belongs to process {self._pid}: a forked worker opens a session of its own."
            )
        text = encode(line)
        future: "Future[Line]" = Future()
        with self._lock:
            if self._fault is not None:
                raise HooklineError(self._fault)
            self._last += 1
            number = self._last  # the number of the line, too
            self._waiting[number] = future
            if progress is not None:
                self._progress[number] = progress
            self._outbox.put(b'{"id":%d,%s\n' % (number, text[1:]))
        return number, future

    def cancel(self, number: int) -> None:
        """Ends the hooks of a line; a driver that is gone has ended them."""
        try:
            self.send({"control": "cancel", "target": number})
        except HooklineError:
            pass

    def fail(self, number: int, error: BaseException) -> None:
        """Ends a line with an error of the host's own."""
        with self._lock:
            future = self._waiting.pop(number, None)
            self._progress.pop(number, None)
        if future is not None:
            self.cancel(number)
            _settle(future, error=error)

    def close(self) -> None:
        """Ends the session and what still runs, by force when it takes too long."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            under_way = list(self._waiting)
        for number in under_way:
            self.cancel(number)
        with self._lock:
            if self._fault is None:
                self._fault = "The session is closed."
            self._outbox.put(None)
        self._end()
        if threading.current_thread() is not self._reader:
            self._reader.join(KILL_TIMEOUT_S)
        _drivers.discard(self)

    def _end(self) -> None:
        for name, seconds in ((None, CLOSE_TIMEOUT_S), ("SIGTERM", KILL_TIMEOUT_S), ("SIGKILL", None)):
            try:
                if name is not None:
                    self._signal(name)
                self._process.wait(seconds)
                return
            except subprocess.TimeoutExpired:
                continue

    def _signal(self, name: str) -> None:
        """Signals the driver, and with it the one that npx or a script has started."""
        try:
            if sys.platform == "win32":
                self._process.kill()
            else:
                os.killpg(self._process.pid, getattr(signal, name))
        except OSError:
            pass  # it has ended

    def let_go(self) -> None:
        """Has the driver end by itself: for a session that is not referred to any more."""
        self._outbox.put(None)

    def _write(self) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            for text in iter(self._outbox.get, None):
                stdin.write(text)
                if self._outbox.empty():
                    stdin.flush()
        except (OSError, ValueError):
            pass  # it has ended; the reader says so to all that wait
        try:
            stdin.close()
        except (OSError, ValueError):
            pass

    def _read(self) -> None:
        stdout = cast(BufferedReader, self._process.stdout)
        fault: Optional[str] = None
        try:
            for text in iter(lambda: _read_line(stdout), b""):
                self._take_line(text)
        except (ValueError, RecursionError, AttributeError, TypeError) as error:
            fault = f"hookline session wrote a line that is not an answer ({error}); is HOOKLINE another program?"
            self._signal("SIGTERM")
        except OSError:
            pass  # it was closed
        try:
            self._process.wait(KILL_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._signal("SIGKILL")
            self._process.wait()
        stdout.close()
        self._lose(fault)

    def _watch(self) -> None:
        """Sees that a driver has died although a process that it left behind holds its stdout open."""
        self._process.wait()
        self._reader.join(KILL_TIMEOUT_S)
        if self._reader.is_alive():
            self._signal("SIGKILL")
            self._lose(None)

    def _lose(self, fault: Optional[str]) -> None:
        """Fails all that wait: no line is answered any more."""
        why = fault or f"hookline session ended with code {self._process.returncode}; stderr says why."
        with self._lock:
            if self._fault is None:
                self._fault = why
            left = list(self._waiting.values())
            self._waiting.clear()
            self._progress.clear()
            self._outbox.put(None)
        for future in left:
            _settle(future, error=HooklineError(why))
        _drivers.discard(self)

    def _take_line(self, text: bytes) -> None:
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError) as error:
            found = re.match(rb'\{"id":(\d+),', text)
            if found is None or not text.endswith(b"}\n"):
                raise ValueError(f"{text[:40]!r}: {error}") from None
            self.fail(int(found.group(1)), HooklineError(f"The answer cannot be read by this Python: {error}."))
            return
        self._take(answer)

    def _take(self, answer: Line) -> None:
        number = answer.pop("id", answer.pop("line", None))
        if number is None:
            self.undelivered = answer.get("undelivered", self.undelivered)
        elif not isinstance(number, int) or number > self._last:
            raise ValueError(f"it answers line {number!r}, which was never written")
        elif "progress" in answer:
            tell = self._progress.get(number)
            if tell is not None:
                try:
                    tell(answer["progress"])
                except BaseException as error:  # the host's callback: its call fails with it, and no other
                    self.fail(number, error)
        else:
            with self._lock:
                self._progress.pop(number, None)
                future = self._waiting.pop(number, None)
            if future is not None:
                _settle(future, answer)


def _read_line(stdout: BufferedReader) -> bytes:
    """The next line; empty at the end. Raises ValueError for what is not an answer, before all of it is read."""
    start = stdout.peek(1)[:40]
    if start[:1] not in (b"{", b""):
        raise ValueError(f"it begins with {start!r}")
    text = stdout.readline(MAX_ANSWER_BYTES)
    if len(text) == MAX_ANSWER_BYTES:
        raise ValueError(f"it has more than {MAX_ANSWER_BYTES} bytes")
    return text


def _settle(future: "Future[Line]", answer: Optional[Line] = None, error: Optional[BaseException] = None) -> None:
    if not future.set_running_or_notify_cancel():
        return  # nothing waits for it any more
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(answer or {})


def encode(line: Line) -> bytes:
    """A line as JSON. Raises HooklineError for what JSON cannot hold."""
    try:
        text = json.dumps(line, allow_nan=False, separators=(",", ":")).encode("ascii")
    except (TypeError, ValueError, RecursionError) as error:
        raise HooklineError(f"This cannot be written as JSON: {error}.") from None
    if len(text) > MAX_LINE_BYTES - 100:
        raise HooklineError(f"This has {len(text)} bytes as JSON, and hooks are shown at most {MAX_LINE_BYTES}.")
    return text


def checked(answer: Line) -> DriverAnswer:
    """An answer, unless it is an error."""
    if "error" in answer:
        raise HooklineError(str(answer["error"]))
    return DriverAnswer(answer)


_drivers: "weakref.WeakSet[Driver]" = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for driver in list(_drivers):
        driver.close()


def _forget_in_child() -> None:
    """A forked worker holds no end of the pipes: else the driver would not see that its host has closed them."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for driver in list(_drivers):
        for pipe in (driver._process.stdin, driver._process.stdout):
            if pipe is not None:
                try:
                    os.dup2(nothing, pipe.fileno())
                except (OSError, ValueError):
                    pass  # it is closed
        driver._process.returncode = 0  # it is not the worker's child
    _drivers.clear()
    os.close(nothing)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)

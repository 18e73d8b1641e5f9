"""A session for programs without asyncio: methods wait, and threads may call them side by side."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Type, Union

from ._lines import HooklineError, Line, call_line, checked, command_of, ended, outcome_of
from ._types import Fired


class Session:
    """The hooks of one session. Use it in a `with` statement: leaving it ends the session and what still runs."""

    def __init__(self, project: Optional[Union[str, "os.PathLike[str]"]] = None, *flags: str) -> None:
        self._process = subprocess.Popen(
            command_of(project, flags), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
        )
        self._lock = threading.Lock()
        self._last = 0
        self._waiting: Dict[int, "Future[Line]"] = {}
        self._progress: Dict[int, Callable[[Line], None]] = {}
        self._is_over = False
        #: What background hooks said that was not delivered; known once the session is closed.
        self.undelivered: List[Line] = []
        self._reader = threading.Thread(target=self._read, name="hookline-session", daemon=True)
        self._reader.start()

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session and what still runs. It fires no event: SessionEnd is the host's."""
        with self._lock:
            if self._process.stdin is not None and not self._process.stdin.closed:
                try:
                    self._process.stdin.close()
                except BrokenPipeError:
                    pass  # it has ended by itself
        self._reader.join()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def fire(
        self,
        event: str,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[Line], None]] = None,
        **fields: Any,
    ) -> Fired:
        """Fires an event. `on_progress` is told of each step of its hooks."""
        line = {"hook_event_name": event, **fields, **({} if on_progress is None else {"progress": True})}
        answer = self._ask(line, timeout, on_progress)
        return Fired(answer["record"], answer["texts"])

    def before(
        self,
        name: str,
        input: Any,
        *,
        id: Optional[str] = None,
        agent: Optional[str] = None,
        answer: Optional[Line] = None,
        timeout: Optional[float] = None,
    ) -> Line:
        """Shows hooks a call. Make it only when `["before"]["ended"]` is `cleared`, with that `input`."""
        line = call_line("before", name, input, id, agent)
        return self._ask(line if answer is None else {**line, "answer": answer}, timeout)

    def after(
        self,
        name: str,
        input: Any,
        *,
        output: Any = None,
        error: Optional[str] = None,
        duration_ms: float = 0,
        id: Optional[str] = None,
        agent: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Line:
        """Shows hooks what came of a call that was made with this input; `error` when it failed."""
        line = call_line("after", name, input, id, agent)
        return self._ask({**line, "outcome": outcome_of(output, error, duration_ms)}, timeout)

    def drain(self) -> List[Line]:
        """Waits for background hooks and returns what they say."""
        return (self._ask({"control": "drain"}))["delivered"]

    def delivered(self) -> List[Line]:
        """What background hooks have said so far, each thing once."""
        return (self._ask({"control": "delivered"}))["delivered"]

    def environment(self) -> Dict[str, str]:
        """The variables that SessionStart hooks set for commands of the session."""
        return (self._ask({"control": "env"}))["env"]

    def register(self, hooks: Line, *, agent: Optional[str] = None) -> int:
        """Registers hooks for this session, written as in a settings file. Raises HooklineError when they are not sound."""
        line = {"control": "register", "hooks": hooks, **({} if agent is None else {"agent": agent})}
        answer = self._ask(line)
        if answer["problems"]:
            self.unregister(answer["registration"])
            raise HooklineError("; ".join(problem["message"] for problem in answer["problems"]))
        return answer["registration"]

    def unregister(self, registration: int) -> bool:
        """Takes them away again; whether they were there."""
        return (self._ask({"control": "unregister", "registration": registration}))["unregistered"]

    def list(self) -> "List[Line]":
        """Every configured hook, with whether it can run."""
        return (self._ask({"control": "list"}))["hooks"]

    def explain(self, event: str, **fields: Any) -> Line:
        """What would become of every hook at an event. Nothing runs."""
        line = {"control": "explain", "event": {"hook_event_name": event, **fields}}
        return (self._ask(line))["explanation"]

    def problems(self) -> Line:
        """What is wrong in the files: `problems`, and `faults`, the hooks that can never run."""
        return self._ask({"control": "problems"})

    def hello(self) -> Line:
        """Versions, the id of the session, and the controls that it knows."""
        return (self._ask({"control": "hello"}))["hello"]

    def trust(self) -> Line:
        """What the project asks to be trusted with, and the digest of exactly that."""
        return (self._ask({"control": "trust"}))["trust"]

    def accept_trust(self, digest: str, *, keep: bool = False) -> None:
        """Trusts what the digest stands for: for this session, or from now on."""
        self._ask({"control": "trust", "accept": digest, "keep": keep})

    def _ask(self, line: Line, timeout: Optional[float] = None, progress: Optional[Callable[[Line], None]] = None) -> Line:
        """Writes a line and waits for its answer; one that takes longer is cancelled."""
        number, future = self._send(line, progress)
        try:
            return checked(future.result(timeout))
        except FutureTimeout:
            self._send({"control": "cancel", "target": number})
            raise TimeoutError(f"no answer within {timeout} s; it was cancelled") from None

    def _send(self, line: Line, progress: Optional[Callable[[Line], None]] = None) -> "tuple[int, Future[Line]]":
        future: "Future[Line]" = Future()
        with self._lock:
            self._last += 1
            number = self._last
            if self._is_over:
                raise ended(self._process.poll())
            self._waiting[number] = future
            if progress is not None:
                self._progress[number] = progress
            try:
                assert self._process.stdin is not None
                self._process.stdin.write(json.dumps({**line, "id": number}) + "\n")
                self._process.stdin.flush()
            except (BrokenPipeError, ValueError):
                pass  # it has ended; the reader says so to everyone who waits
        return number, future

    def _read(self) -> None:
        assert self._process.stdout is not None
        for text in self._process.stdout:
            answer: Line = json.loads(text)
            number = answer.pop("id", None)
            if number is None:
                self.undelivered = answer.get("undelivered", self.undelivered)
            elif "progress" in answer:
                tell = self._progress.get(number)
                if tell is not None:
                    tell(answer["progress"])
            else:
                self._progress.pop(number, None)
                future = self._waiting.pop(number, None)
                if future is not None:
                    future.set_result(answer)
        with self._lock:
            self._is_over = True
            left = list(self._waiting.values())
            self._waiting.clear()
        code = self._process.wait()
        for future in left:
            future.set_exception(ended(code))

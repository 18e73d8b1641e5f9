"""A session for asyncio: methods are awaited, and run side by side."""

from __future__ import annotations

import asyncio
import json
import os
from types import TracebackType
from typing import Any, Callable, Dict, List, Optional, Type, Union

from ._lines import HooklineError, Line, call_line, checked, command_of, ended, outcome_of
from ._types import Fired

#: Records may be long.
_LONGEST_LINE = 64 * 1024 * 1024


class AsyncSession:
    """The hooks of one session. Use it in an `async with` statement: leaving it ends the session and what still runs."""

    def __init__(self, project: Optional[Union[str, "os.PathLike[str]"]] = None, *flags: str) -> None:
        self._command = command_of(project, flags)
        self._process: Optional[asyncio.subprocess.Process] = None
        self._reader: Optional["asyncio.Task[None]"] = None
        self._last = 0
        self._waiting: Dict[int, "asyncio.Future[Line]"] = {}
        self._progress: Dict[int, Callable[[Line], None]] = {}
        #: What background hooks said that was not delivered; known once the session is closed.
        self.undelivered: List[Line] = []

    async def __aenter__(self) -> "AsyncSession":
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, limit=_LONGEST_LINE
        )
        self._reader = asyncio.ensure_future(self._read(self._process))
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the session and what still runs. It fires no event: SessionEnd is the host's."""
        if self._process is None or self._reader is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        await self._reader
        await self._process.wait()

    async def fire(
        self,
        event: str,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[Line], None]] = None,
        **fields: Any,
    ) -> Fired:
        """Fires an event. `on_progress` is told of each step of its hooks."""
        line = {"hook_event_name": event, **fields, **({} if on_progress is None else {"progress": True})}
        answer = await self._ask(line, timeout, on_progress)
        return Fired(answer["record"], answer["texts"])

    async def before(
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
        return await self._ask(line if answer is None else {**line, "answer": answer}, timeout)

    async def after(
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
        return await self._ask({**line, "outcome": outcome_of(output, error, duration_ms)}, timeout)

    async def drain(self) -> List[Line]:
        """Waits for background hooks and returns what they say."""
        return (await self._ask({"control": "drain"}))["delivered"]

    async def delivered(self) -> List[Line]:
        """What background hooks have said so far, each thing once."""
        return (await self._ask({"control": "delivered"}))["delivered"]

    async def environment(self) -> Dict[str, str]:
        """The variables that SessionStart hooks set for commands of the session."""
        return (await self._ask({"control": "env"}))["env"]

    async def register(self, hooks: Line, *, agent: Optional[str] = None) -> int:
        """Registers hooks for this session, written as in a settings file. Raises HooklineError when they are not sound."""
        line = {"control": "register", "hooks": hooks, **({} if agent is None else {"agent": agent})}
        answer = await self._ask(line)
        if answer["problems"]:
            await self.unregister(answer["registration"])
            raise HooklineError("; ".join(problem["message"] for problem in answer["problems"]))
        return answer["registration"]

    async def unregister(self, registration: int) -> bool:
        """Takes them away again; whether they were there."""
        return (await self._ask({"control": "unregister", "registration": registration}))["unregistered"]

    async def list(self) -> "List[Line]":
        """Every configured hook, with whether it can run."""
        return (await self._ask({"control": "list"}))["hooks"]

    async def explain(self, event: str, **fields: Any) -> Line:
        """What would become of every hook at an event. Nothing runs."""
        line = {"control": "explain", "event": {"hook_event_name": event, **fields}}
        return (await self._ask(line))["explanation"]

    async def problems(self) -> Line:
        """What is wrong in the files: `problems`, and `faults`, the hooks that can never run."""
        return await self._ask({"control": "problems"})

    async def hello(self) -> Line:
        """Versions, the id of the session, and the controls that it knows."""
        return (await self._ask({"control": "hello"}))["hello"]

    async def trust(self) -> Line:
        """What the project asks to be trusted with, and the digest of exactly that."""
        return (await self._ask({"control": "trust"}))["trust"]

    async def accept_trust(self, digest: str, *, keep: bool = False) -> None:
        """Trusts what the digest stands for: for this session, or from now on."""
        await self._ask({"control": "trust", "accept": digest, "keep": keep})

    async def _ask(
        self, line: Line, timeout: Optional[float] = None, progress: Optional[Callable[[Line], None]] = None
    ) -> Line:
        """Writes a line and waits for its answer; one that takes longer, or whose task is cancelled, is cancelled too."""
        number, future = self._send(line, progress)
        try:
            return checked(await asyncio.wait_for(future, timeout))
        except asyncio.CancelledError:
            self._send({"control": "cancel", "target": number})
            raise
        except asyncio.TimeoutError:
            self._send({"control": "cancel", "target": number})
            raise TimeoutError(f"no answer within {timeout} s; it was cancelled") from None

    def _send(
        self, line: Line, progress: Optional[Callable[[Line], None]] = None
    ) -> "tuple[int, asyncio.Future[Line]]":
        if self._process is None or self._process.stdin is None:
            raise HooklineError("The session is not open: use it in an `async with` statement.")
        if self._reader is None or self._reader.done():
            raise ended(self._process.returncode)
        self._last += 1
        future: "asyncio.Future[Line]" = asyncio.get_running_loop().create_future()
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # one that nothing waits for any more
        self._waiting[self._last] = future
        if progress is not None:
            self._progress[self._last] = progress
        self._process.stdin.write((json.dumps({**line, "id": self._last}) + "\n").encode())
        return self._last, future

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        async for text in process.stdout:
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
                if future is not None and not future.done():
                    future.set_result(answer)
        code = await process.wait()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(ended(code))

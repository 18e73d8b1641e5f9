"""A session for programs without asyncio: methods wait, and threads may call them side by side."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, Optional, Type

from ._command import Folder
from ._driver import DriverAnswer, Line
from ._errors import HooklineError
from ._events import EventName
from ._lines import (
    after_line,
    before_line,
    event_line,
    outcome,
    raise_problems,
    refusal_of,
    to_finished,
    to_stop_answer,
    to_submitted,
    to_verdict,
    turn_line,
)
from ._starter import Starter
from ._types import Call, Cleared, Fired, Finished, Names, StopAnswer, Submitted, Verdict


class Session:
    """The hooks of one session. Use it in a `with` statement: leaving it ends the session and what still runs.

    `restart=True` starts another driver when this one is gone; calls under way fail all the same.
    """

    def __init__(self, project: Optional[Folder] = None, *flags: str, restart: bool = False) -> None:
        self._starter = Starter(project, flags, restart)
        self._starter.driver()

    def __enter__(self) -> "Session":
        self._starter.driver()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def close(self) -> None:
        """Ends the session and what still runs. It fires no event: SessionEnd is the host's."""
        self._starter.close()

    @property
    def undelivered(self) -> List[Line]:
        """What background hooks said that was not delivered; known once the session is closed."""
        return self._starter.undelivered

    def fire(
        self,
        event: EventName,
        *,
        timeout: Optional[float] = None,
        on_progress: Optional[Callable[[Line], None]] = None,
        **fields: Any,
    ) -> Fired:
        """Fires an event. `on_progress` is told of each step of its hooks; what it raises, this raises."""
        answer = self._ask(event_line(event, fields, on_progress is not None), timeout, on_progress)
        return Fired(answer["record"], answer["texts"])

    def before(self, call: Call, *, timeout: Optional[float] = None, turn: Optional[int] = None) -> Verdict:
        """Shows hooks a call. Raises HooklineError when they cannot be asked; `guard` refuses then."""
        return to_verdict(call, self._ask(before_line(call, turn), timeout))

    def after(
        self,
        cleared: Cleared,
        *,
        output: Any = None,
        error: Optional[object] = None,
        duration_ms: float = 0,
        timeout: Optional[float] = None,
        turn: Optional[int] = None,
    ) -> Finished:
        """Shows hooks what came of a call that was cleared; `error` when it failed."""
        line = after_line(cleared, outcome(output, error, duration_ms), turn)
        return to_finished(cleared, output, self._ask(line, timeout))

    def turn(
        self,
        *,
        agent: Optional[Mapping[str, str]] = None,
        names: Optional[Names] = None,
        max_stop_blocks: Optional[int] = None,
    ) -> "Turn":
        """Opens a turn, of the main loop or of the subagent `{"id": …, "type": …}`."""
        answer = self._ask(turn_line(agent, names, max_stop_blocks))
        return Turn(self, int(answer["turn"]))

    def drain(self) -> List[Line]:
        """Waits for background hooks and returns what they say."""
        return list((self._ask({"control": "drain"}))["delivered"])

    def delivered(self) -> List[Line]:
        """What background hooks have said so far, each thing once."""
        return list((self._ask({"control": "delivered"}))["delivered"])

    def environment(self) -> Dict[str, str]:
        """The variables that SessionStart hooks set for commands of the session."""
        return dict((self._ask({"control": "env"}))["env"])

    def register(self, hooks: Mapping[str, Any], *, agent: Optional[str] = None) -> int:
        """Registers hooks for this session, written as in a settings file. Raises HooklineError when they are not sound."""
        answer = self._ask({"control": "register", "hooks": hooks, **({} if agent is None else {"agent": agent})})
        if answer["problems"]:
            self.unregister(answer["registration"])
        raise_problems(answer["problems"])
        return int(answer["registration"])

    def unregister(self, registration: int) -> bool:
        """Takes them away again; whether they were there."""
        return bool((self._ask({"control": "unregister", "registration": registration}))["unregistered"])

    def hooks(self) -> List[Line]:
        """Every configured hook, with whether it can run."""
        return list((self._ask({"control": "list"}))["hooks"])

    def explain(self, event: EventName, **fields: Any) -> Line:
        """What would become of every hook at an event. Nothing runs."""
        line = {"control": "explain", "event": event_line(event, fields, False)}
        return dict((self._ask(line))["explanation"])

    def problems(self) -> Line:
        """What is wrong in the files: `problems`, and `faults`, the hooks that can never run."""
        return self._ask({"control": "problems"})

    def hello(self) -> Line:
        """Versions, the id of the session, and the controls that it knows."""
        return dict((self._ask({"control": "hello"}))["hello"])

    def trust(self) -> Line:
        """What the project asks to be trusted with, and the digest of exactly that."""
        return dict((self._ask({"control": "trust"}))["trust"])

    def accept_trust(self, digest: str, *, keep: bool = False) -> None:
        """Trusts what the digest stands for: for this session, or from now on."""
        self._ask({"control": "trust", "accept": digest, "keep": keep})

    def _ask(
        self, line: Line, timeout: Optional[float] = None, progress: Optional[Callable[[Line], None]] = None
    ) -> DriverAnswer:
        return self._starter.driver().ask(line, timeout, progress)


class Turn:
    """One turn of a loop: from the prompt to the moment when no hook sends the agent on."""

    def __init__(self, session: Session, number: int) -> None:
        self._session = session
        self._number = number
        #: Why a hook ended the turn, for the user; None while it goes on. Ask it before every request to the model.
        self.halted: Optional[str] = None

    def __enter__(self) -> "Turn":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    @property
    def number(self) -> int:
        """The number that lines of the session name it by."""
        return self._number

    def submit(self, prompt: str) -> Submitted:
        """Shows hooks the prompt: UserPromptSubmit."""
        return to_submitted(self._ask({"control": "submit", "prompt": prompt}))

    def begin(self) -> List[str]:
        """Shows hooks that a subagent begins: SubagentStart. Returns what the model reads."""
        return list((self._ask({"control": "begin"}))["begin"]["texts"])

    def guard(self, call: Call, *, timeout: Optional[float] = None) -> Verdict:
        """Asks hooks about a call of this turn; a session that is gone refuses."""
        try:
            verdict = self._session.before(call, timeout=timeout, turn=self._number)
        except (HooklineError, TimeoutError) as error:
            return refusal_of(call, error)
        if verdict.ended == "refused" and verdict.halt is not None:
            self.halted = verdict.halt
        return verdict

    def finish(
        self, cleared: Cleared, output: Any = None, *, error: Optional[object] = None, duration_ms: float = 0
    ) -> Finished:
        """Shows hooks what came of a call of this turn."""
        finished = self._session.after(
            cleared, output=output, error=error, duration_ms=duration_ms, turn=self._number
        )
        self.halted = self.halted or finished.halt
        return finished

    def late(self) -> List[str]:
        """What background hooks have said since it was last asked, for the model."""
        return list((self._ask({"control": "late"}))["late"])

    def may_stop(self, **facts: Any) -> StopAnswer:
        """Asks hooks whether the agent may stop: Stop, or SubagentStop."""
        return to_stop_answer(self._ask({"control": "mayStop", "facts": facts}))

    def close(self) -> None:
        """Says that the turn is over."""
        try:
            self._session._ask({"control": "endTurn", "turn": self._number})
        except HooklineError:
            pass  # it is gone with its session

    def _ask(self, line: Line) -> DriverAnswer:
        answer = self._session._ask({**line, "turn": self._number})
        self.halted = answer.get("halted") or self.halted
        return answer

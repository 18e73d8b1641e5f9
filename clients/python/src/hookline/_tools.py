"""One tool call between its hooks, for the adapters of frameworks."""

from __future__ import annotations

import asyncio
import json
import time
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, List, Mapping, Optional, Union

from ._errors import HooklineError
from ._guard import guard
from ._session import Session, Turn
from ._types import Call, Cleared, Finished, Question, Refused, Verdict

#: Asks the user about a call; true lets it run. Without it, a call that has to be asked about is refused.
OnAsk = Callable[[Question], bool]


#: The turn that calls of this context belong to; None: that of the session.
current_turn: ContextVar[Optional[Turn]] = ContextVar("hookline_turn", default=None)


class HaltedByHook(Exception):
    """A hook ended the turn; the message is for the user."""


@dataclass(frozen=True)
class ToolHooks:
    """How the calls of a framework are guarded."""

    session: Session
    on_ask: Optional[OnAsk] = None
    #: Gets what the user is to read.
    on_notice: Optional[Callable[[str], None]] = None

    def before(
        self, name: str, input: Mapping[str, Any], id: Optional[str] = None, turn: Optional[Turn] = None
    ) -> Union[Cleared, Refused]:
        """Asks hooks, and the user where they want it. Raises HaltedByHook when a hook ended the turn."""
        call = Call(name, input, id)
        verdict = self._guard(call, turn)
        if verdict.ended == "waiting":
            self._tell(verdict.notices)
            allow = self.on_ask is not None and self.on_ask(verdict.question) is True
            answer = Call(name, input, id, answer={"clearance": verdict.clearance, "allow": allow})
            verdict = self._guard(answer, turn)
        self._tell(verdict.notices)
        if verdict.ended == "waiting":
            return Refused(f"{name} has to be asked about again.", "permission")
        if verdict.ended == "refused" and verdict.halt is not None:
            raise HaltedByHook(verdict.halt)
        return verdict

    def _guard(self, call: Call, turn: Optional[Turn]) -> Verdict:
        return guard(self.session, call) if turn is None else turn.guard(call)

    def after(
        self,
        cleared: Cleared,
        output: Any = None,
        *,
        error: Optional[object] = None,
        started: Optional[float] = None,
        turn: Optional[Turn] = None,
    ) -> Finished:
        """Shows hooks what came of a call. Raises HaltedByHook when a hook ended the turn. An output that hooks could not be
        shown is not told: one of them might have taken something out of it."""
        took = 0 if started is None else round((time.monotonic() - started) * 1000)
        shown = output if error is not None else as_json(output)
        try:
            if turn is None:
                finished = self.session.after(cleared, output=shown, error=error, duration_ms=took)
            else:
                finished = turn.finish(cleared, shown, error=error, duration_ms=took)
        except HooklineError as gone:
            why = f"{cleared.call.name} ran, and hooks could not be shown what came of it: {gone}"
            self._tell([why])
            return Finished(why, error is None, list(cleared.texts), [], None)
        self._tell(finished.notices)
        if finished.halt is not None:
            raise HaltedByHook(finished.halt)
        return finished if finished.replaced else Finished(output, False, finished.texts, finished.notices, None)

    def _tell(self, notices: List[str]) -> None:
        if self.on_notice is not None:
            for notice in notices:
                self.on_notice(notice)


def refusal_text(refused: Refused) -> str:
    """What the model reads of a call that was not made."""
    return "\n\n".join([refused.reason, *refused.texts])


def beside(output: Any, texts: List[str]) -> Any:
    """An output with what hooks say beside it; the output itself when they say nothing."""
    if not texts:
        return output
    written = output if isinstance(output, str) else json.dumps(as_json(output))
    return "\n\n".join([written, *texts])


def as_json(output: Any) -> Any:
    """Tools may give anything: what JSON cannot write becomes text."""
    try:
        json.dumps(output, allow_nan=False)
        return output
    except (TypeError, ValueError, RecursionError):
        return str(output)


def call_between(hooks: ToolHooks, name: str, input: Dict[str, Any], run: Callable[[Dict[str, Any]], Any]) -> Any:
    """Makes a call between its hooks: what the model gets of it."""
    turn = current_turn.get()
    verdict = hooks.before(name, input, turn=turn)
    if verdict.ended == "refused":
        return refusal_text(verdict)
    started = time.monotonic()
    try:
        output = run(verdict.input)
    except Exception as error:
        hooks.after(verdict, error=error, started=started, turn=turn)
        raise
    finished = hooks.after(verdict, output, started=started, turn=turn)
    return beside(finished.output, finished.texts)


async def call_between_later(
    hooks: ToolHooks,
    name: str,
    input: Dict[str, Any],
    run: Callable[[Dict[str, Any]], Awaitable[Any]],
    id: Optional[str] = None,
) -> Any:
    """The same for a tool that is awaited; the loop does not wait for hooks."""
    turn = current_turn.get()
    verdict = await in_thread(lambda: hooks.before(name, input, id, turn))
    if verdict.ended == "refused":
        return refusal_text(verdict)
    cleared = verdict
    started = time.monotonic()
    try:
        output = await run(cleared.input)
    except Exception as raised:
        error = raised
        await in_thread(lambda: hooks.after(cleared, error=error, started=started, turn=turn))
        raise
    finished = await in_thread(lambda: hooks.after(cleared, output, started=started, turn=turn))
    return beside(finished.output, finished.texts)


async def in_thread(act: Callable[[], Any]) -> Any:
    """Does something that waits beside the loop."""
    return await asyncio.get_running_loop().run_in_executor(None, act)

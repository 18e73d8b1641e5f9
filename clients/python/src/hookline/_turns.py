"""One turn of a framework's loop between its hooks: the prompt, the runs that hooks ask for, and the stop."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Generic, Hashable, List, Literal, Optional, TypeVar

from ._session import Session, Turn
from ._tools import HaltedByHook, current_turn, in_thread
from ._types import StopAnswer, Submitted

Result = TypeVar("Result")
#: Gets what the user is to read.
OnNotice = Callable[[str], None]


@dataclass(frozen=True)
class TurnEnd(Generic[Result]):
    """How a turn ended. A prompt that hooks blocked reached no model; `reason` is for the user."""

    ended: Literal["answered", "blocked", "halted"]
    result: Optional[Result] = None
    reason: Optional[str] = None


def run_turn(
    session: Session,
    prompt: str,
    run: Callable[[str, Optional[Result]], Result],
    *,
    text: Callable[[Result], str],
    on_notice: Optional[OnNotice] = None,
) -> "TurnEnd[Result]":
    """Runs a turn. `run` gets what the model reads, and what the run before came to; None at first."""
    with session.turn() as turn, _Current(turn):
        said = turn.submit(prompt)
        tell(on_notice, said.notices)
        if said.ended != "submitted":
            return TurnEnd(said.ended, None, said.reason)
        given, result = join_prompt(prompt, said), None
        try:
            while True:
                result = run(given, result)
                answer = turn.may_stop(last_assistant_message=text(result))
                tell(on_notice, list_stop_notices(answer))
                if answer.ended != "continued":
                    return _end(answer, result)
                given = "\n\n".join([*answer.texts, *turn.late()])
        except Exception as error:
            return TurnEnd("halted", result, find_halt(error))


async def run_turn_later(
    session: Session,
    prompt: str,
    run: Callable[[str, Optional[Result]], Awaitable[Result]],
    *,
    text: Callable[[Result], str],
    on_notice: Optional[OnNotice] = None,
) -> "TurnEnd[Result]":
    """The same for a run that is awaited; the loop does not wait for hooks."""
    turn: Turn = await in_thread(session.turn)
    try:
        with _Current(turn):
            said: Submitted = await in_thread(lambda: turn.submit(prompt))
            tell(on_notice, said.notices)
            if said.ended != "submitted":
                return TurnEnd(said.ended, None, said.reason)
            given, result = join_prompt(prompt, said), None
            try:
                while True:
                    result = await run(given, result)
                    last = text(result)
                    answer: StopAnswer = await in_thread(lambda: turn.may_stop(last_assistant_message=last))
                    tell(on_notice, list_stop_notices(answer))
                    if answer.ended != "continued":
                        return _end(answer, result)
                    given = "\n\n".join([*answer.texts, *await in_thread(turn.late)])
            except Exception as error:
                return TurnEnd("halted", result, find_halt(error))
    finally:
        await in_thread(turn.close)


def find_halt(error: BaseException) -> str:
    """The reason of a hook that ended the turn; frameworks wrap what a tool raises. Raises every other error again."""
    cause: Optional[BaseException] = error
    while cause is not None:
        if isinstance(cause, HaltedByHook):
            return str(cause)
        cause = cause.__cause__ or cause.__context__
    raise error


def join_prompt(prompt: str, said: Submitted) -> str:
    """What the model reads of a prompt: what hooks add stands before it."""
    return "\n\n".join([*said.texts, prompt])


def list_stop_notices(answer: StopAnswer) -> List[str]:
    """What the user reads when the agent stops."""
    more = [answer.reason] if answer.ended == "stopped" and answer.reason is not None else []
    return [*answer.notices, *more]


def tell(on_notice: Optional[OnNotice], notices: List[str]) -> None:
    """Tells the user."""
    if on_notice is not None:
        for notice in notices:
            on_notice(notice)


def _end(answer: StopAnswer, result: Result) -> "TurnEnd[Result]":
    if answer.ended == "halted":
        return TurnEnd("halted", result, answer.reason)
    return TurnEnd("answered", result)


#: Runs that fail do not say that they are over.
MAX_OPEN_TURNS = 1000


class OpenTurns:
    """The turns of the runs of a framework, each by its run. Of too many the oldest is closed."""

    def __init__(self) -> None:
        self._turns: Dict[Hashable, Turn] = {}

    def keep(self, run: Hashable, turn: Turn) -> Turn:
        """Keeps the turn of a run."""
        if len(self._turns) >= MAX_OPEN_TURNS:
            self.end(next(iter(self._turns)))
        self._turns[run] = turn
        return turn

    def find(self, run: Hashable) -> Optional[Turn]:
        """The turn of a run that is under way."""
        return self._turns.get(run)

    def end(self, run: Hashable) -> None:
        """Closes the turn of a run."""
        turn = self._turns.pop(run, None)
        if turn is not None:
            turn.close()


class _Current:
    """Makes a turn the one that the calls of this context belong to."""

    def __init__(self, turn: Turn) -> None:
        self._turn = turn

    def __enter__(self) -> None:
        variable: ContextVar[Optional[Turn]] = current_turn
        self._token = variable.set(self._turn)

    def __exit__(self, *_: Any) -> None:
        current_turn.reset(self._token)

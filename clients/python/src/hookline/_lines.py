"""The lines of calls and turns, and what their answers mean."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Sequence

from ._driver import DriverAnswer, Line
from ._errors import HooklineError
from ._types import Call, Cleared, Finished, Refused, RefusedBy, StopAnswer, Submitted, Verdict, Waiting


def before_line(call: Call, turn: Optional[int] = None) -> Line:
    """Asks whether a call may be made."""
    line = _call_line("before", call, call.input, turn)
    return line if call.answer is None else {**line, "answer": call.answer}


def after_line(cleared: Cleared, outcome: Line, turn: Optional[int] = None) -> Line:
    """Says what came of a call."""
    return {**_call_line("after", cleared.call, cleared.input, turn), "outcome": outcome}


def _call_line(control: str, call: Call, input: Mapping[str, Any], turn: Optional[int]) -> Line:
    sent: Line = {"name": call.name, "input": input}
    for name, value in (("id", call.id), ("schema", call.schema)):
        if value is not None:
            sent[name] = value
    line: Line = {"control": control, "call": sent, "deferred": "refused"}
    for name, extra in (("agent", call.agent), ("names", call.names), ("turn", turn)):
        if extra is not None:
            line[name] = extra
    return line


def outcome(output: Any, error: Optional[object], duration_ms: float) -> Line:
    """What a tool did, as `after` takes it."""
    return {"durationMs": duration_ms, **({"output": output} if error is None else {"error": str(error)})}


def to_verdict(call: Call, answer: DriverAnswer) -> Verdict:
    """What an answer means for a call."""
    before = answer.part("before")
    notices: List[str] = answer.get("notices", [])
    if before["ended"] == "cleared":
        unchanged = before.get("unchanged") is True
        input = dict(call.input) if unchanged else before["input"]
        return Cleared(call, input, unchanged, before["texts"], notices)
    if before["ended"] == "waiting":
        return Waiting(before["question"], before["clearance"], before["halt"], notices)
    by: RefusedBy = before["by"] if before.get("by") in ("hook", "permission", "input", "turn") else "hook"
    reason = before.get("reason") or before.get("halt") or "A hook refused the call."
    return Refused(reason, by, before["texts"], notices, before["halt"])


def refusal_of(call: Call, error: Exception) -> Refused:
    """A call that hooks could not be asked about is not made."""
    return Refused(f"{call.name} was not called, since hooks could not be asked: {error}", "session")


def to_finished(cleared: Cleared, output: Any, answer: DriverAnswer) -> Finished:
    """What the model gets of a call."""
    after = answer.part("after")
    given = after.get("output") if after.get("replaced") else output
    texts = [*cleared.texts, *after["texts"]]
    return Finished(given, after.get("replaced") is True, texts, answer.get("notices", []), after["halt"])


def to_submitted(answer: DriverAnswer) -> Submitted:
    """What an answer to a prompt means."""
    said = answer.part("submit")
    return Submitted(said["ended"], said["texts"], said.get("reason"), answer.get("notices", []))


def to_stop_answer(answer: DriverAnswer) -> StopAnswer:
    """Whether the agent may stop."""
    said = answer.part("mayStop")
    return StopAnswer(said["ended"], said["texts"], said.get("reason", said.get("notice")), answer.get("notices", []))


def turn_line(agent: Optional[Mapping[str, str]], names: Any, max_stop_blocks: Optional[int]) -> Line:
    """Opens a turn."""
    line: Line = {"control": "turn"}
    for name, value in (("agent", agent), ("names", names), ("maxStopBlocks", max_stop_blocks)):
        if value is not None:
            line[name] = value
    return line


def event_line(event: str, fields: Mapping[str, Any], progress: bool) -> Line:
    """Fires an event. Raises HooklineError for a field that a line has a use of its own for."""
    for name in ("id", "control"):
        if name in fields:
            raise HooklineError(f"{name!r} cannot be a field of an event: lines of a session have it already.")
    return {"hook_event_name": event, **fields, **({"progress": True} if progress else {})}


def raise_problems(problems: Sequence[Line]) -> None:
    """Says what is wrong with hooks that were registered."""
    if problems:
        raise HooklineError("; ".join(str(problem["message"]) for problem in problems))

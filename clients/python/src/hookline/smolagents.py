"""smolagents: `ToolCallingAgent(tools=guard_tools(hooks, [tool]), model=model)`, and `run(hooks, agent, task)`."""

from __future__ import annotations

from copy import copy
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between
from ._turns import OnNotice, TurnEnd, run_turn


def guard_tools(
    session: Session,
    tools: Sequence[Any],
    *,
    on_ask: Optional[OnAsk] = None,
    on_notice: Optional[Callable[[str], None]] = None,
) -> List[Any]:
    """The tools between their hooks."""
    hooks = ToolHooks(session, on_ask, on_notice)
    return [_guarded(hooks, tool) for tool in tools]


def run(
    session: Session, agent: Any, task: str, *, on_notice: Optional[OnNotice] = None, **options: Any
) -> TurnEnd[Any]:
    """Runs a turn: the task, the agent as often as hooks send it on, its stop. Other options are those of `agent.run`; a run
    that is streamed is read to its end first."""

    def run_once(given: str, _: Optional[Any]) -> Any:
        result = agent.run(given, **options)
        options["reset"] = False  # the next run goes on with this one
        return list(result)[-1] if options.get("stream") is True else result

    return run_turn(session, task, run_once, text=str, on_notice=on_notice)


def _guarded(hooks: ToolHooks, tool: Any) -> Any:
    forward = tool.forward

    def between(*args: Any, **named: Any) -> Any:
        input: Dict[str, Any] = {**dict(zip(tool.inputs, args)), **named}
        return call_between(hooks, tool.name, input, lambda changed: forward(**changed))

    guarded = copy(tool)
    guarded.forward = between
    return guarded

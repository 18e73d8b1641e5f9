"""smolagents: `ToolCallingAgent(tools=guard_tools(hooks, [tool]), model=model)`."""

from __future__ import annotations

from copy import copy
from typing import Any, Callable, Dict, List, Optional, Sequence

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between


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


def _guarded(hooks: ToolHooks, tool: Any) -> Any:
    forward = tool.forward

    def between(*args: Any, **named: Any) -> Any:
        input: Dict[str, Any] = {**dict(zip(tool.inputs, args)), **named}
        return call_between(hooks, tool.name, input, lambda changed: forward(**changed))

    guarded = copy(tool)
    guarded.forward = between
    return guarded

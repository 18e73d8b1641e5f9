"""The OpenAI Agents SDK: `Agent(tools=guard_tools(hooks, [tool]))`."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Callable, Dict, List, Optional, Sequence

from agents import FunctionTool

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between_later


def guard_tools(
    session: Session,
    tools: Sequence[Any],
    *,
    on_ask: Optional[OnAsk] = None,
    on_notice: Optional[Callable[[str], None]] = None,
) -> List[Any]:
    """The tools between their hooks. Tools that the SDK's servers run, and not this process, stay as they are."""
    hooks = ToolHooks(session, on_ask, on_notice)
    return [_guarded(hooks, tool) if isinstance(tool, FunctionTool) else tool for tool in tools]


def _guarded(hooks: ToolHooks, tool: Any) -> Any:
    async def invoke(context: Any, arguments: str) -> Any:
        async def run(input: Dict[str, Any]) -> Any:
            unchanged = input == given
            return await tool.on_invoke_tool(context, arguments if unchanged else json.dumps(input))

        given = json.loads(arguments or "{}")
        call_id = getattr(context, "tool_call_id", None)
        return await call_between_later(hooks, tool.name, given, run, call_id)

    return replace(tool, on_invoke_tool=invoke)

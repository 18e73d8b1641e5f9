"""Pydantic AI: `Agent(model, toolsets=[HooklineToolset(FunctionToolset([tool]), hooks)])`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Dict, Optional

from pydantic_ai.toolsets import WrapperToolset

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between_later


@dataclass
class HooklineToolset(WrapperToolset[Any]):  # type: ignore[misc,unused-ignore]
    """A toolset whose calls are made between their hooks."""

    session: Optional[Session] = None
    on_ask: Optional[OnAsk] = None
    on_notice: Optional[Callable[[str], None]] = None

    async def call_tool(self, name: str, tool_args: Dict[str, Any], ctx: Any, tool: Any) -> Any:
        """Makes a call between its hooks."""
        if self.session is None:
            raise TypeError("HooklineToolset needs a session: HooklineToolset(toolset, hooks)")
        hooks = ToolHooks(self.session, self.on_ask, self.on_notice)

        async def run(input: Dict[str, Any]) -> Any:
            return await self.wrapped.call_tool(name, input, ctx, tool)

        return await call_between_later(hooks, name, tool_args, run, getattr(ctx, "tool_call_id", None))

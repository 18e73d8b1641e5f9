"""Pydantic AI: `Agent(model, toolsets=[HooklineToolset(FunctionToolset([tool]), hooks)])`, and `await run(hooks, agent, prompt)`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Awaitable, Callable, Dict, Optional, Sequence

from pydantic_ai.toolsets import WrapperToolset

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between_later
from ._turns import OnNotice, TurnEnd, run_turn_later


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


async def run(
    session: Session,
    agent: Any,
    prompt: str,
    *,
    message_history: Optional[Sequence[Any]] = None,
    on_notice: Optional[OnNotice] = None,
    on_event: Optional[Callable[[Any], Awaitable[None]]] = None,
    **options: Any,
) -> TurnEnd[Any]:
    """Runs a turn: the prompt, the agent as often as hooks send it on, its stop. With `on_event` the runs are streamed, and it
    gets their events. Other options are those of `agent.run`."""

    async def handle(_: Any, events: Any) -> None:
        async for event in events:
            if on_event is not None:
                await on_event(event)

    async def run_once(given: str, before: Optional[Any]) -> Any:
        history = message_history if before is None else before.all_messages()
        streamed = {} if on_event is None else {"event_stream_handler": handle}
        return await agent.run(given, message_history=history, **streamed, **options)

    return await run_turn_later(session, prompt, run_once, text=lambda result: str(result.output), on_notice=on_notice)

"""The OpenAI Agents SDK: `Agent(tools=guard_tools(hooks, [tool]))`, and `await run(hooks, agent, prompt)` for the whole turn."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any, Awaitable, Callable, Dict, List, Optional, Sequence, Tuple, Union

from agents import FunctionTool, Runner

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, call_between_later
from ._turns import OnNotice, TurnEnd, run_turn_later


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


async def run(
    session: Session,
    agent: Any,
    prompt: str,
    *,
    history: Sequence[Any] = (),
    on_notice: Optional[OnNotice] = None,
    on_event: Optional[Callable[[Any], Awaitable[None]]] = None,
    **options: Any,
) -> TurnEnd[Any]:
    """Runs a turn: the prompt, the agent as often as hooks send it on, its stop. With `on_event` the runs are streamed, and it
    gets their events. `history` is `result.to_input_list()` of the turn before; other options are those of `Runner.run`."""

    async def run_once(given: str, before: Optional[Any]) -> Any:
        said = [*history] if before is None else before.to_input_list()
        messages = [*said, {"role": "user", "content": given}]
        if on_event is None:
            return await Runner.run(agent, messages, **options)
        streamed = Runner.run_streamed(agent, messages, **options)
        async for event in streamed.stream_events():
            await on_event(event)
        return streamed

    return await run_turn_later(
        session, prompt, run_once, text=lambda result: str(result.final_output), on_notice=on_notice
    )


def _guarded(hooks: ToolHooks, tool: Any) -> Any:
    async def invoke(context: Any, arguments: str) -> Any:
        async def run(input: Dict[str, Any]) -> Any:
            unchanged = input == given
            return await tool.on_invoke_tool(context, arguments if unchanged else json.dumps(input))

        given = _read_arguments(arguments)
        if isinstance(given, str):
            return given
        call_id = getattr(context, "tool_call_id", None)
        return await call_between_later(hooks, tool.name, given, run, call_id)

    return replace(tool, on_invoke_tool=invoke)


def _read_arguments(arguments: str) -> Union[Dict[str, Any], str]:
    """The input of a call, or why it is refused: tools read the text themselves, and hooks must have read the same."""

    def read_object(members: List[Tuple[str, Any]]) -> Dict[str, Any]:
        if len(dict(members)) < len(members):
            raise ValueError("a key stands in it twice")
        return dict(members)

    try:
        given = json.loads(arguments or "{}", object_pairs_hook=read_object)
    except ValueError as error:
        return f"The call was not made: its input cannot be read: {error}"
    return given if isinstance(given, dict) else "The call was not made: its input must be an object."

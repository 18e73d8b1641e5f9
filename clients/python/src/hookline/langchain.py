"""LangChain and LangGraph: `create_agent(model, tools, middleware=[HooklineMiddleware(hooks)])`."""

from __future__ import annotations

import time
from typing import Any, Awaitable, Callable, Optional

from langchain.agents.middleware import AgentMiddleware
from langchain_core.messages import ToolMessage

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, as_json, in_thread, refusal_text
from ._types import Cleared, Refused


class HooklineMiddleware(AgentMiddleware):  # type: ignore[misc,type-arg,unused-ignore]
    """Shows hooks every tool call before and after it."""

    def __init__(
        self,
        session: Session,
        *,
        on_ask: Optional[OnAsk] = None,
        on_notice: Optional[Callable[[str], None]] = None,
    ) -> None:
        super().__init__()
        self._hooks = ToolHooks(session, on_ask, on_notice)

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Makes a call between its hooks."""
        call = request.tool_call
        verdict = self._hooks.before(call["name"], call["args"], call.get("id"))
        if verdict.ended == "refused":
            return _refused(call, verdict)
        started = time.monotonic()
        try:
            message = handler(_with_input(request, verdict))
        except Exception as error:
            self._hooks.after(verdict, error=error, started=started)
            raise
        return self._shown(verdict, message, started)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for a tool that is awaited."""
        call = request.tool_call
        verdict = await in_thread(lambda: self._hooks.before(call["name"], call["args"], call.get("id")))
        if verdict.ended == "refused":
            return _refused(call, verdict)
        started = time.monotonic()
        try:
            message = await handler(_with_input(request, verdict))
        except Exception as raised:
            error = raised
            await in_thread(lambda: self._hooks.after(verdict, error=error, started=started))
            raise
        return await in_thread(lambda: self._shown(verdict, message, started))

    def _shown(self, cleared: Cleared, message: Any, started: float) -> Any:
        """With silent hooks the message itself; a command of LangGraph passes as it is."""
        if not isinstance(message, ToolMessage):
            self._hooks.after(cleared, str(message), started=started)
            return message
        if message.status == "error":
            finished = self._hooks.after(cleared, error=message.content, started=started)
        else:
            finished = self._hooks.after(cleared, as_json(message.content), started=started)
        if not finished.replaced and not finished.texts:
            return message
        content = finished.output if finished.replaced else message.content
        blocks = content if isinstance(content, list) else [{"type": "text", "text": _text(content)}]
        said = [{"type": "text", "text": text} for text in finished.texts]
        return message.model_copy(update={"content": [*blocks, *said]})


def _with_input(request: Any, cleared: Cleared) -> Any:
    if cleared.unchanged:
        return request
    return request.override(tool_call={**request.tool_call, "args": cleared.input})


def _refused(call: Any, refused: Refused) -> ToolMessage:
    return ToolMessage(
        content=refusal_text(refused), tool_call_id=call.get("id") or "", name=call["name"], status="error"
    )


def _text(content: Any) -> str:
    return content if isinstance(content, str) else str(as_json(content))

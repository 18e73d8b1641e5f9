"""Google's Agent Development Kit: `Runner(..., plugins=[HooklinePlugin(hooks)])`."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from google.adk.plugins.base_plugin import BasePlugin

from ._session import Session
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, as_json, beside, in_thread, refusal_text
from ._types import Cleared


class HooklinePlugin(BasePlugin):  # type: ignore[misc,unused-ignore]
    """Shows hooks every tool call of every agent of a runner."""

    def __init__(
        self,
        session: Session,
        *,
        on_ask: Optional[OnAsk] = None,
        on_notice: Optional[Callable[[str], None]] = None,
    ) -> None:
        super().__init__(name="hookline")
        self._hooks = ToolHooks(session, on_ask, on_notice)
        self._cleared: Dict[int, Cleared] = {}

    async def before_tool_callback(self, *, tool: Any, tool_args: Dict[str, Any], tool_context: Any) -> Optional[Any]:
        """What it returns stands in the place of the call."""
        call_id = getattr(tool_context, "function_call_id", None)
        verdict = await in_thread(lambda: self._hooks.before(tool.name, dict(tool_args), call_id))
        if verdict.ended == "refused":
            return {"error": refusal_text(verdict)}
        if not verdict.unchanged:
            tool_args.clear()
            tool_args.update(verdict.input)
        self._cleared[id(tool_args)] = verdict
        return None

    async def after_tool_callback(
        self, *, tool: Any, tool_args: Dict[str, Any], tool_context: Any, result: Any
    ) -> Optional[Any]:
        """With silent hooks nothing changes."""
        cleared = self._cleared.pop(id(tool_args), None)
        if cleared is None:
            return None  # it was refused
        finished = await in_thread(lambda: self._hooks.after(cleared, as_json(result)))
        if not finished.replaced and not finished.texts:
            return None
        output = finished.output if finished.replaced else result
        if isinstance(output, dict):
            return {**output, "hooks": finished.texts} if finished.texts else output
        return {"result": beside(output, finished.texts)}

    async def on_tool_error_callback(
        self, *, tool: Any, tool_args: Dict[str, Any], tool_context: Any, error: Exception
    ) -> Optional[Any]:
        """Hooks are told; the error stays the framework's."""
        cleared = self._cleared.pop(id(tool_args), None)
        if cleared is not None:
            await in_thread(lambda: self._hooks.after(cleared, error=error))
        return None

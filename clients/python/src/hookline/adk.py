"""Google's Agent Development Kit: `Runner(..., plugins=[HooklinePlugin(hooks)])`."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional

from google.adk.plugins.base_plugin import BasePlugin
from google.genai.types import Content, Part

from ._session import Session, Turn
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, as_json, beside, in_thread, refusal_text
from ._turns import OpenTurns, list_stop_notices, tell
from ._types import Cleared


class HooklinePlugin(BasePlugin):  # type: ignore[misc,unused-ignore]
    """Shows hooks the prompt, every tool call of every agent of a runner, and that a run is over. A runner cannot be sent on: what
    a Stop hook says to the model is told to the user."""

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
        self._turns = OpenTurns()
        self._blocked: Dict[str, str] = {}

    async def on_user_message_callback(self, *, invocation_context: Any, user_message: Any) -> Optional[Any]:
        """Opens a turn with the prompt; what hooks add stands before it."""
        prompt = "\n".join(part.text for part in user_message.parts or [] if part.text)
        run = invocation_context.invocation_id
        turn = self._turns.keep(run, await in_thread(self._hooks.session.turn))
        said = await in_thread(lambda: turn.submit(prompt))
        tell(self._hooks.on_notice, said.notices)
        if said.ended != "submitted":
            self._blocked[run] = said.reason or "Stopped by hook"
            return Content(role="user", parts=[Part(text="(A hook blocked this prompt.)")])  # a blocked prompt is kept nowhere
        if not said.texts:
            return None
        return Content(role="user", parts=[*(Part(text=text) for text in said.texts), *(user_message.parts or [])])

    async def before_run_callback(self, *, invocation_context: Any) -> Optional[Any]:
        """The answer to a prompt that hooks blocked; no model is asked."""
        reason = self._blocked.pop(invocation_context.invocation_id, None)
        return None if reason is None else Content(role="model", parts=[Part(text=reason)])

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        """Shows hooks that the agent stops."""
        run = invocation_context.invocation_id
        turn = self._turns.find(run)
        if turn is None:
            return
        answer = await in_thread(turn.may_stop)
        tell(self._hooks.on_notice, [*list_stop_notices(answer), *answer.texts])
        await in_thread(lambda: self._turns.end(run))

    async def before_tool_callback(self, *, tool: Any, tool_args: Dict[str, Any], tool_context: Any) -> Optional[Any]:
        """What it returns stands in the place of the call."""
        call_id = getattr(tool_context, "function_call_id", None)
        turn = self._turn(tool_context)
        verdict = await in_thread(lambda: self._hooks.before(tool.name, dict(tool_args), call_id, turn))
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
        turn = self._turn(tool_context)
        finished = await in_thread(lambda: self._hooks.after(cleared, as_json(result), turn=turn))
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
            turn = self._turn(tool_context)
            await in_thread(lambda: self._hooks.after(cleared, error=error, turn=turn))
        return None

    def _turn(self, tool_context: Any) -> Optional[Turn]:
        """The turn of a call; None: that of the session."""
        return self._turns.find(getattr(tool_context, "invocation_id", ""))

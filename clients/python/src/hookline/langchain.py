"""LangChain and LangGraph: `create_agent(model, tools, middleware=[HooklineMiddleware(hooks)])`."""

from __future__ import annotations

import time
from typing import Any, Awaitable, Callable, Dict, Optional

from langchain.agents.middleware import AgentMiddleware, hook_config
from langchain.agents.middleware.types import AgentState, PrivateStateAttr
from langchain_core.messages import AIMessage, HumanMessage, RemoveMessage, ToolMessage
from langgraph.errors import GraphBubbleUp
from typing_extensions import Annotated, NotRequired

from ._session import Session, Turn
from ._tools import HaltedByHook as HaltedByHook
from ._tools import OnAsk, ToolHooks, as_json, in_thread, refusal_text
from ._turns import OpenTurns, join_prompt, list_stop_notices, tell
from ._types import Cleared, Refused


class HooklineState(AgentState):  # type: ignore[misc,type-arg,unused-ignore]
    """The state of an agent, with the turn that it is in."""

    hookline_turn: NotRequired[Annotated[int, PrivateStateAttr]]


class HooklineMiddleware(AgentMiddleware):  # type: ignore[misc,type-arg,unused-ignore]
    """Shows hooks the prompt, every tool call before and after it, and that the agent is about to stop."""

    state_schema = HooklineState

    def __init__(
        self,
        session: Session,
        *,
        on_ask: Optional[OnAsk] = None,
        on_notice: Optional[Callable[[str], None]] = None,
    ) -> None:
        super().__init__()
        self._hooks = ToolHooks(session, on_ask, on_notice)
        self._turns = OpenTurns()

    @hook_config(can_jump_to=["end"])
    def before_agent(self, state: Any, runtime: Any) -> Optional[Dict[str, Any]]:
        """Opens a turn with the prompt. One that hooks block is taken out of the conversation, and the model is not asked."""
        turn = self._hooks.session.turn()
        self._turns.keep(turn.number, turn)
        update: Dict[str, Any] = {"hookline_turn": turn.number}
        last = state["messages"][-1] if state["messages"] else None
        if not isinstance(last, HumanMessage):
            return update
        prompt = last.text if isinstance(last.text, str) else str(last.text)
        said = turn.submit(prompt)
        tell(self._hooks.on_notice, said.notices)
        if said.ended == "halted":
            raise HaltedByHook(said.reason or "Stopped by hook")
        if said.ended == "blocked":
            gone = [] if last.id is None else [RemoveMessage(id=last.id)]
            return {**update, "messages": [*gone, AIMessage(said.reason or "A hook blocked the prompt.")], "jump_to": "end"}
        if said.texts:
            content = last.content
            more = [{"type": "text", "text": text} for text in said.texts]
            whole = join_prompt(content, said) if isinstance(content, str) else [*more, *content]
            update["messages"] = [last.model_copy(update={"content": whole})]
        return update

    async def abefore_agent(self, state: Any, runtime: Any) -> Optional[Dict[str, Any]]:
        """The same for an agent that is awaited."""
        update: Optional[Dict[str, Any]] = await in_thread(lambda: self.before_agent(state, runtime))
        return update

    @hook_config(can_jump_to=["model"])
    def after_model(self, state: Any, runtime: Any) -> Optional[Dict[str, Any]]:
        """Asks hooks whether the agent may stop when it has answered without a call; what they say sends it on."""
        last = state["messages"][-1]
        if not isinstance(last, AIMessage) or last.tool_calls:
            return None
        turn = self._turn(state)
        answer = turn.may_stop(last_assistant_message=str(last.text))
        tell(self._hooks.on_notice, list_stop_notices(answer))
        if answer.ended == "continued":
            return {"messages": [HumanMessage("\n\n".join([*answer.texts, *turn.late()]))], "jump_to": "model"}
        self._turns.end(state.get("hookline_turn"))
        if answer.ended == "halted":
            raise HaltedByHook(answer.reason or "Stopped by hook")
        return None

    async def aafter_model(self, state: Any, runtime: Any) -> Optional[Dict[str, Any]]:
        """The same for an agent that is awaited."""
        update: Optional[Dict[str, Any]] = await in_thread(lambda: self.after_model(state, runtime))
        return update

    def _turn(self, state: Any) -> Turn:
        """The turn of a run; another one for a run that another process began."""
        number = state.get("hookline_turn")
        return self._turns.find(number) or self._turns.keep(number, self._hooks.session.turn())

    def wrap_tool_call(self, request: Any, handler: Callable[[Any], Any]) -> Any:
        """Makes a call between its hooks."""
        call = request.tool_call
        turn = self._turn(request.state)
        verdict = self._hooks.before(call["name"], call["args"], call.get("id"), turn)
        if verdict.ended == "refused":
            return _refused(call, verdict)
        started = time.monotonic()
        try:
            message = handler(_with_input(request, verdict))
        except GraphBubbleUp:
            raise  # an interrupt, or a command to another graph: the tool runs again
        except Exception as error:
            self._hooks.after(verdict, error=error, started=started, turn=turn)
            raise
        return self._shown(verdict, message, started, turn)

    async def awrap_tool_call(self, request: Any, handler: Callable[[Any], Awaitable[Any]]) -> Any:
        """The same for a tool that is awaited."""
        call = request.tool_call
        turn = await in_thread(lambda: self._turn(request.state))
        verdict = await in_thread(lambda: self._hooks.before(call["name"], call["args"], call.get("id"), turn))
        if verdict.ended == "refused":
            return _refused(call, verdict)
        started = time.monotonic()
        try:
            message = await handler(_with_input(request, verdict))
        except GraphBubbleUp:
            raise
        except Exception as raised:
            error = raised
            await in_thread(lambda: self._hooks.after(verdict, error=error, started=started, turn=turn))
            raise
        return await in_thread(lambda: self._shown(verdict, message, started, turn))

    def _shown(self, cleared: Cleared, message: Any, started: float, turn: Turn) -> Any:
        """With silent hooks the message itself; a command of LangGraph passes as it is."""
        if not isinstance(message, ToolMessage):
            self._hooks.after(cleared, str(message), started=started, turn=turn)
            return message
        if message.status == "error":
            finished = self._hooks.after(cleared, error=message.content, started=started, turn=turn)
        else:
            finished = self._hooks.after(cleared, as_json(message.content), started=started, turn=turn)
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

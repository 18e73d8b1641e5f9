"""Twenty things that users write, and that both checkers take."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from hookline import AsyncSession, AsyncTurn, Call, Cleared, Fired, HooklineError, Session, Turn, Verdict, finish, guard, hook
from hookline import EventName, Refused, Waiting, readable


def fires(hooks: Session) -> Optional[str]:
    return hooks.fire("Stop", stop_hook_active=False).decision.get("reason")


def fires_any(hooks: Session, event: EventName) -> Fired:
    return hooks.fire(event, timeout=1.5)


def follows(hooks: Session, steps: List[Dict[str, Any]]) -> None:
    hooks.fire("SessionStart", source="startup", on_progress=steps.append)


def guards(hooks: Session) -> str:
    verdict = guard(hooks, Call("Bash", {"command": "ls"}, id="1"))
    if verdict.ended == "cleared":
        return str(verdict.input["command"])
    if verdict.ended == "refused":
        return verdict.reason
    return verdict.question["tool"]


def matches(verdict: Verdict) -> Optional[str]:
    return verdict.halt if isinstance(verdict, (Refused, Waiting)) else None


def finishes(hooks: Session, cleared: Cleared) -> List[str]:
    return finish(hooks, cleared, "output").texts


def fails(hooks: Session, cleared: Cleared) -> None:
    finish(hooks, cleared, error=ValueError("no"))


def answers(hooks: Session, waiting: Waiting) -> Verdict:
    return guard(hooks, Call("Bash", {}, answer={"clearance": waiting.clearance, "allow": True}))


def turns(hooks: Session) -> Optional[str]:
    with hooks.turn(agent={"id": "a", "type": "reviewer"}) as turn:
        turn.submit("hello")
        return turn.halted


def stops(turn: Turn) -> bool:
    return turn.may_stop(last_assistant_message="done").ended == "stopped"


async def awaits(hooks: AsyncSession) -> str:
    verdict = await guard(hooks, Call("Bash", {}))
    return verdict.ended


async def awaits_end(hooks: AsyncSession, cleared: Cleared) -> Any:
    return (await finish(hooks, cleared, {"a": 1})).output


async def awaits_turn(hooks: AsyncSession) -> AsyncTurn:
    return await hooks.turn()


def opens() -> List[Dict[str, Any]]:
    try:
        with Session("project", "--session-id", "s", restart=True) as hooks:
            return hooks.hooks()
    except HooklineError as error:
        print(readable(error))
        return []


@hook.pre_tool_use
def denies(event: hook.PreToolUse) -> Optional[hook.Deny]:
    return hook.deny("no") if event.tool_input.get("command") == "rm" else None


@hook.pre_tool_use
def rewrites(event: hook.PreToolUse) -> hook.Rewrite:
    return hook.rewrite({**event.tool_input, "timeout": 1})


@hook.stop
def blocks(event: hook.Stop) -> Optional[hook.Block]:
    return None if event.stop_hook_active else hook.block("tests fail")


@hook.user_prompt_submit
def adds(event: hook.UserPromptSubmit) -> hook.Context:
    return hook.context(event.prompt.upper())


@hook.permission_request
async def decides(event: hook.PermissionRequest) -> hook.Allow:
    return hook.allow()


@hook.session_start
def untyped(event):  # type: ignore[no-untyped-def]
    return hook.context("hello")

"""Twenty things that users get wrong; each marked line is an error for both checkers."""

from __future__ import annotations

from typing import Optional

from hookline import AsyncSession, Call, Cleared, Refused, Session, Turn, Verdict, Waiting, finish, guard, hook


def wrongs(hooks: Session, later: AsyncSession, turn: Turn, verdict: Verdict, cleared: Cleared, refused: Refused) -> None:
    hooks.fire("Stopp")  # wrong
    hooks.fire("Stop", timeout="1")  # wrong
    hooks.explain("PreToolUsed")  # wrong
    hooks.nothing()  # wrong
    Session(1)  # wrong
    Session("project", restart="yes")  # wrong
    Call("Bash", ["ls"])  # wrong
    Call(1, {})  # wrong
    Call("Bash", {}, answer={"allow": True})  # wrong
    verdict.input  # wrong
    verdict.clearance  # wrong
    guard(hooks, {"name": "Bash"})  # wrong
    guard(later, Call("Bash", {})).ended  # wrong
    finish(hooks, verdict, "output")  # wrong
    finish(hooks, refused, "output")  # wrong
    turn.may_stop().ended == "goes on" and turn.nothing()  # wrong
    cleared.input = {}  # wrong


@hook.pre_tool_use  # wrong
def blocks(event: hook.PreToolUse) -> hook.Block:
    return hook.block("x")


@hook.stop  # wrong
def denies(event: hook.Stop) -> Optional[hook.Deny]:
    return hook.deny("x")


@hook.post_tool_use
def reads(event: hook.PostToolUse) -> None:
    print(event.tool_output)  # wrong

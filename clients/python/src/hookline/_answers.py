"""What a hook may answer. Which event knows which answer is in `hook`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Dict, List, Optional


class Reply:
    """An answer of a hook: made by the functions below, and by nothing else."""

    kind = ""

    def __init__(self, **fields: Any) -> None:
        self.fields: Dict[str, Any] = fields


class Allow(Reply):
    kind = "allow"


class Deny(Reply):
    kind = "deny"


class Ask(Reply):
    kind = "ask"


class Defer(Reply):
    kind = "defer"


class Rewrite(Reply):
    kind = "rewrite"


class Context(Reply):
    kind = "context"


class Block(Reply):
    kind = "block"


class Halt(Reply):
    kind = "halt"


class Warn(Reply):
    kind = "warn"


class ReplaceOutput(Reply):
    kind = "replace_output"


class Instructions(Reply):
    kind = "instructions"


class WorktreePath(Reply):
    kind = "worktree_path"


class SessionTitle(Reply):
    kind = "session_title"


class InitialUserMessage(Reply):
    kind = "initial_user_message"


class WatchPaths(Reply):
    kind = "watch_paths"


class ReloadSkills(Reply):
    kind = "reload_skills"


class ClassifierContext(Reply):
    kind = "classifier_context"


class DisplayContent(Reply):
    kind = "display_content"


class Retry(Reply):
    kind = "retry"


class Accept(Reply):
    kind = "accept"


class Decline(Reply):
    kind = "decline"


class Cancel(Reply):
    kind = "cancel"


def allow(reason: Optional[str] = None, *, updated_input: Optional[Dict[str, Any]] = None) -> Allow:
    """Lets the call run without asking. The own rules of the client still hold."""
    return Allow(reason=reason, updated_input=updated_input)


def deny(reason: str, *, interrupt: bool = False) -> Deny:
    """Refuses the call; the model reads the reason. `interrupt`, where a dialog is answered, ends the turn."""
    return Deny(reason=reason, interrupt=interrupt)


def ask(reason: str, *, updated_input: Optional[Dict[str, Any]] = None) -> Ask:
    """Lets the user decide, who reads the reason."""
    return Ask(reason=reason, updated_input=updated_input)


def defer(reason: Optional[str] = None) -> Defer:
    """Leaves the call open and ends the run."""
    return Defer(reason=reason)


def rewrite(tool_input: Dict[str, Any]) -> Rewrite:
    """Replaces the whole tool input, and leaves the permission to others."""
    return Rewrite(updated_input=tool_input)


def context(text: str) -> Context:
    """Tells the model something."""
    return Context(text=text)


def block(reason: str) -> Block:
    """Objects; docs/events.md says what that means, and who reads the reason."""
    return Block(reason=reason)


def halt(reason: str) -> Halt:
    """Halts the agent, which outranks every other decision; the user reads why."""
    return Halt(reason=reason)


def warn(text: str) -> Warn:
    """Warns the user, and decides nothing."""
    return Warn(text=text)


def replace_output(output: Any) -> ReplaceOutput:
    """Replaces what the tool put out."""
    return ReplaceOutput(output=output)


def instructions(text: str) -> Instructions:
    """Adds to the instructions of the compaction."""
    return Instructions(text=text)


def worktree_path(path: str) -> WorktreePath:
    """Says where the worktree is that the hook has made."""
    return WorktreePath(text=path)


def session_title(title: str) -> SessionTitle:
    """Names the session."""
    return SessionTitle(text=title)


def initial_user_message(text: str) -> InitialUserMessage:
    """Gives a first prompt, where no user types one."""
    return InitialUserMessage(text=text)


def watch_paths(paths: List[str]) -> WatchPaths:
    """Has the host watch these files."""
    return WatchPaths(paths=paths)


def reload_skills() -> ReloadSkills:
    """Has skills read again."""
    return ReloadSkills()


def classifier_context(text: str) -> ClassifierContext:
    """Tells the classifier something that judges later calls."""
    return ClassifierContext(text=text)


def display_content(text: str) -> DisplayContent:
    """Is shown in place of the text; the model never reads it."""
    return DisplayContent(text=text)


def retry() -> Retry:
    """Tells the model that it may try the denied call again."""
    return Retry()


def accept(content: Optional[Dict[str, Any]] = None) -> Accept:
    """Answers the MCP server in place of the user."""
    return Accept(content=content)


def decline() -> Decline:
    """Refuses the MCP server what it asks for."""
    return Decline()


def cancel() -> Cancel:
    """Gives up on the question of the MCP server."""
    return Cancel()

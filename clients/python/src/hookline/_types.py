"""What a session answers with, as far as hosts act on it. Records have more fields: `hookline schema record`."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, NamedTuple, Optional, TypedDict


class Message(TypedDict):
    """A text for a reader, with the hook that it comes from."""

    to: Literal["model", "user", "verbose"]
    text: str
    hook: str


class Decision(TypedDict, total=False):
    """What the host acts on."""

    halt: bool
    stopReason: Optional[str]
    blocked: bool
    permission: Optional[Literal["allow", "deny", "ask", "defer"]]
    reason: Optional[str]
    interrupt: bool
    updatedInput: Optional[Dict[str, Any]]
    updatedPermissions: Optional[List[Dict[str, Any]]]
    updatedToolOutput: Any
    context: List[str]
    instructions: Optional[str]
    messages: List[Message]


class Record(TypedDict, total=False):
    """Everything that happened for one event."""

    version: int
    id: str
    at: str
    durationMs: float
    sessionId: str
    event: str
    profile: str
    snapshot: str
    decision: Decision
    hooks: List[Dict[str, Any]]
    notices: List[str]


class Texts(TypedDict):
    """What goes into the conversation, word for word and escaped."""

    model: List[str]
    user: List[str]


class Fired(NamedTuple):
    """What came of an event."""

    record: Record
    texts: Texts

    @property
    def decision(self) -> Decision:
        """What the host acts on."""
        return self.record["decision"]


#: A call that waits for the user's answer: plain JSON, to be stored and given back.
Clearance = Dict[str, Any]

"""What a session answers with, as far as hosts act on it. Records have more fields: `hookline schema record`."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Any, Dict, List, Literal, Mapping, NamedTuple, Optional, TypedDict, Union

#: A call that waits for the user's answer: plain JSON, to be stored and given back.
Clearance = Dict[str, Any]

#: What hooks call the tools of a host: `{"shell": "Bash"}`, or the name of a known agent.
Names = Union[str, Mapping[str, Any]]


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


class _Decided(TypedDict):
    decision: Decision


class Record(_Decided, total=False):
    """Everything that happened for one event."""

    version: int
    id: str
    at: str
    durationMs: float
    sessionId: str
    event: str
    profile: str
    snapshot: str
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


class Answer(TypedDict):
    """The user's answer to a call that waited."""

    clearance: Clearance
    allow: bool


@dataclass(frozen=True)
class Call:
    """A call that a model wants to make."""

    name: str
    input: Mapping[str, Any]
    id: Optional[str] = None
    #: The JSON Schema that an input has to fit which a hook rewrote.
    schema: Optional[Mapping[str, Any]] = None
    #: The subagent whose call it is; None: the main loop's.
    agent: Optional[str] = None
    names: Optional[Names] = None
    #: What the user said about a call that ended as waiting.
    answer: Optional[Answer] = None


class Question(TypedDict):
    """A question to the user."""

    tool: str
    input: Dict[str, Any]
    reason: Optional[str]


@dataclass(frozen=True)
class Cleared:
    """The call may be made, with this input; then say what came of it to `finish`."""

    call: Call
    input: Dict[str, Any]
    #: No hook rewrote the input.
    unchanged: bool
    #: What the model reads beside the result.
    texts: List[str] = field(default_factory=list)
    #: What the user reads.
    notices: List[str] = field(default_factory=list)
    ended: Literal["cleared"] = "cleared"


#: What kept a call from being made; `session`: hooks could not be asked.
RefusedBy = Literal["hook", "permission", "input", "turn", "session"]


@dataclass(frozen=True)
class Refused:
    """The call must not be made; the model reads the reason as an error."""

    reason: str
    by: RefusedBy
    texts: List[str] = field(default_factory=list)
    notices: List[str] = field(default_factory=list)
    #: The turn ends, and the user reads why.
    halt: Optional[str] = None
    ended: Literal["refused"] = "refused"


@dataclass(frozen=True)
class Waiting:
    """The user has to be asked. Guard the call again with `answer={"clearance": …, "allow": True}`."""

    question: Question
    clearance: Clearance
    halt: str
    notices: List[str] = field(default_factory=list)
    ended: Literal["waiting"] = "waiting"


#: What hooks say about a call: ask its `ended`.
Verdict = Union[Cleared, Refused, Waiting]


@dataclass(frozen=True)
class Finished:
    """What the model gets of a call that was made."""

    #: What the tool gave, or what a hook put in its place; None for a call that failed.
    output: Any
    replaced: bool
    #: What hooks say beside it, those before the call first.
    texts: List[str]
    notices: List[str]
    halt: Optional[str]


@dataclass(frozen=True)
class Submitted:
    """What hooks make of a prompt; a blocked one is kept nowhere, and the user reads the reason."""

    ended: Literal["submitted", "blocked", "halted"]
    texts: List[str]
    reason: Optional[str]
    notices: List[str]


@dataclass(frozen=True)
class StopAnswer:
    """Whether the agent may stop. Where it goes on, the texts are the next message of the user."""

    ended: Literal["stopped", "continued", "halted"]
    texts: List[str]
    reason: Optional[str]
    notices: List[str]


def readable(text: object) -> str:
    """A text that a terminal can be given: what hooks and tools say may hold control sequences."""
    return "".join(sign if sign in "\n\t" or _is_harmless(sign) else f"\\u{ord(sign):04x}" for sign in str(text))


def _is_harmless(sign: str) -> bool:
    # Cc: controls, escape among them. Cf: signs that reorder or hide text. Zl, Zp: further ends of a line. Cs: half a sign.
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")

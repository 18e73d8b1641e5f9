"""Hooks for coding agents, in Python: sessions for hosts, and `hook` for the hooks themselves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import hook as hook
    from ._async_session import AsyncSession as AsyncSession
    from ._async_session import AsyncTurn as AsyncTurn
    from ._errors import HooklineError as HooklineError
    from ._events import EventName as EventName
    from ._guard import finish as finish
    from ._guard import guard as guard
    from ._session import Session as Session
    from ._session import Turn as Turn
    from ._types import Answer as Answer
    from ._types import Call as Call
    from ._types import Clearance as Clearance
    from ._types import Cleared as Cleared
    from ._types import Decision as Decision
    from ._types import Finished as Finished
    from ._types import Fired as Fired
    from ._types import Record as Record
    from ._types import Refused as Refused
    from ._types import StopAnswer as StopAnswer
    from ._types import Submitted as Submitted
    from ._types import Texts as Texts
    from ._types import Verdict as Verdict
    from ._types import Waiting as Waiting
    from ._types import readable as readable

# Loaded when they are asked for: a hook is a process, and does without the rest.
_PLACES = {
    **dict.fromkeys(("AsyncSession", "AsyncTurn"), "_async_session"),
    **dict.fromkeys(("Session", "Turn"), "_session"),
    **dict.fromkeys(("guard", "finish"), "_guard"),
    **dict.fromkeys(("HooklineError",), "_errors"),
    **dict.fromkeys(("EventName",), "_events"),
    **dict.fromkeys(
        (
            "Answer",
            "Call",
            "Clearance",
            "Cleared",
            "Decision",
            "Finished",
            "Fired",
            "Record",
            "Refused",
            "StopAnswer",
            "Submitted",
            "Texts",
            "Verdict",
            "Waiting",
            "readable",
        ),
        "_types",
    ),
}

__all__ = ["hook", *_PLACES]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> object:
    if name == "hook":
        return __import__("hookline.hook", fromlist=["hook"])
    if name not in _PLACES:
        raise AttributeError(f"module 'hookline' has no attribute {name!r}")
    return getattr(__import__(f"hookline.{_PLACES[name]}", fromlist=[name]), name)

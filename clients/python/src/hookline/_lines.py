"""The lines of a session, and how it is started."""

from __future__ import annotations

import os
import shlex
import unicodedata
from typing import Any, Dict, List, Optional, Sequence, Union

Line = Dict[str, Any]


class HooklineError(Exception):
    """A line that is not right, or a session that has ended; the message says which."""


def command_of(project: Optional[Union[str, "os.PathLike[str]"]], flags: Sequence[str]) -> List[str]:
    """How a session is started. HOOKLINE may hold another way to call it, as in "node /somewhere/hookline.js"."""
    start = shlex.split(os.environ.get("HOOKLINE", "hookline"))
    place = [] if project is None else ["--project", os.fspath(project)]
    return [*start, "session", *place, *flags]


def call_line(control: str, name: str, input: Any, call_id: Optional[str], agent: Optional[str]) -> Line:
    """The line for one half of a call."""
    call = {"name": name, "input": input, **({} if call_id is None else {"id": call_id})}
    return {"control": control, "call": call, **({} if agent is None else {"agent": agent})}


def outcome_of(output: Any, error: Optional[str], duration_ms: float) -> Line:
    """What a tool did, as `after` takes it."""
    return {"durationMs": duration_ms, **({"output": output} if error is None else {"error": error})}


def checked(answer: Line) -> Line:
    """An answer, unless it is an error."""
    if "error" in answer:
        raise HooklineError(answer["error"])
    return answer


def ended(code: Optional[int]) -> HooklineError:
    """Says that the session is over."""
    return HooklineError(f"hookline session ended with code {code}; stderr says why.")


def readable(text: object) -> str:
    """A text that a terminal can be given: what hooks and tools say may hold control sequences."""
    return "".join(sign if sign in "\n\t" or _is_harmless(sign) else f"\\u{ord(sign):04x}" for sign in str(text))


def _is_harmless(sign: str) -> bool:
    # Cc: controls, escape among them. Cf: signs that reorder or hide text. Zl, Zp: further ends of a line. Cs: half a sign.
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")

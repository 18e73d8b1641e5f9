"""How `hookline session` is started."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from typing import List, Optional, Sequence, Union

from ._errors import HooklineError

#: A folder, as programs give it.
Folder = Union[str, "os.PathLike[str]"]


def session_command(project: Optional[Folder], flags: Sequence[str]) -> List[str]:
    """The command of a session. Raises HooklineError where there is no Hookline to start."""
    place = [] if project is None else ["--project", os.fspath(project)]
    return [*find_hookline(), "session", *place, *flags]


def find_hookline() -> List[str]:
    """HOOKLINE in the environment, as in "node /somewhere/hookline.js"; else `hookline` on the PATH, else npx."""
    named = os.environ.get("HOOKLINE", "")
    if named.strip():
        return shlex.split(named, posix=sys.platform != "win32")
    for name in ("hookline", "hookline.cmd"):
        found = shutil.which(name)
        if found is not None:
            return [found]
    npx = shutil.which("npx") or shutil.which("npx.cmd")
    if npx is not None:
        return [npx, "--no-install", "hookline"]
    raise HooklineError(
        "Hookline was not found: neither hookline nor npx is on the PATH. "
        "Install it with `npm install -g hookline`, or say in HOOKLINE how it is called."
    )

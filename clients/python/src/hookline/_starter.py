"""What both kinds of session share: how they are started, and started again."""

from __future__ import annotations

import threading
from typing import List, NoReturn, Optional, Sequence

from ._command import Folder, session_command
from ._driver import Driver, Line
from ._errors import HooklineError


class Starter:
    """Starts the driver of a session, and with `restart` another one when it is gone."""

    def __init__(self, project: Optional[Folder], flags: Sequence[str], restart: bool) -> None:
        self._command = session_command(project, flags)
        self._restart = restart
        self._keeps_id = any(flag.split("=")[0] == "--session-id" for flag in flags)
        self._lock = threading.Lock()
        self._driver: Optional[Driver] = None
        self._hello: Line = {}
        self._is_closed = False

    def driver(self) -> Driver:
        """The driver that answers now. What was registered, and turns, are gone with the one before."""
        driver = self._driver
        if driver is not None and (self._is_closed or not self._restart or not driver.is_gone):
            return driver
        with self._lock:
            if self._is_closed:
                raise HooklineError("The session is closed.")
            if self._driver is None or self._driver.is_gone:
                driver = Driver([*self._command, *self._same_session()])
                self._hello = driver.greet()
                self._driver = driver
            if self._is_closed:
                self._driver.close()  # it was closed meanwhile
            return self._driver

    def _same_session(self) -> List[str]:
        if self._keeps_id or not self._hello:
            return []
        return ["--session-id", str(self._hello["sessionId"])]

    def __reduce__(self) -> NoReturn:
        raise TypeError("A session cannot be pickled or copied: it is a process. Open one where it is needed.")

    def close(self) -> None:
        """Ends the session, for good."""
        self._is_closed = True
        if self._driver is not None:
            self._driver.close()

    @property
    def undelivered(self) -> List[Line]:
        """What background hooks said that was not delivered; known once the session is closed."""
        return [] if self._driver is None else self._driver.undelivered

    def __del__(self) -> None:
        driver = getattr(self, "_driver", None)
        if driver is not None and not driver.is_gone:
            driver.let_go()

"""The one error of this package."""

from __future__ import annotations


class HooklineError(Exception):
    """A line that is not right, or a session that is gone; the message says which."""

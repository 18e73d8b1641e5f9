"""Hooks for an agent that is written in Python: a client of `hookline session`."""

from ._asyncio import AsyncSession
from ._lines import HooklineError, readable
from ._plain import Session
from ._types import Clearance, Decision, Fired, Record, Texts

__all__ = [
    "AsyncSession",
    "Clearance",
    "Decision",
    "Fired",
    "HooklineError",
    "Record",
    "Session",
    "Texts",
    "readable",
]

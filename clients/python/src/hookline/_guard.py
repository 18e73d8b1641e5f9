"""Guards one call of a tool, with either kind of session."""

from __future__ import annotations

from typing import Any, Awaitable, Optional, Union, overload

from ._async_session import AsyncSession
from ._errors import HooklineError
from ._lines import refusal_of
from ._session import Session
from ._types import Call, Cleared, Finished, Verdict


@overload
def guard(session: Session, call: Call, *, timeout: Optional[float] = None) -> Verdict: ...
@overload
def guard(session: AsyncSession, call: Call, *, timeout: Optional[float] = None) -> Awaitable[Verdict]: ...
def guard(
    session: Union[Session, AsyncSession], call: Call, *, timeout: Optional[float] = None
) -> Union[Verdict, Awaitable[Verdict]]:
    """Asks hooks whether a call may be made. Hooks that cannot be asked have not agreed: the call is refused, and says why."""
    if isinstance(session, AsyncSession):
        return _guard_later(session, call, timeout)
    try:
        return session.before(call, timeout=timeout)
    except (HooklineError, TimeoutError) as error:
        return refusal_of(call, error)


async def _guard_later(session: AsyncSession, call: Call, timeout: Optional[float]) -> Verdict:
    try:
        return await session.before(call, timeout=timeout)
    except (HooklineError, TimeoutError) as error:
        return refusal_of(call, error)


@overload
def finish(session: Session, cleared: Cleared, output: Any = None, *, error: Optional[object] = None) -> Finished: ...
@overload
def finish(
    session: AsyncSession, cleared: Cleared, output: Any = None, *, error: Optional[object] = None
) -> Awaitable[Finished]: ...
def finish(
    session: Union[Session, AsyncSession], cleared: Cleared, output: Any = None, *, error: Optional[object] = None
) -> Union[Finished, Awaitable[Finished]]:
    """Shows hooks what came of a call that was cleared; `error` when it failed."""
    return session.after(cleared, output=output, error=error)

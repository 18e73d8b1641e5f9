"""Makes a program a hook: reads the event from stdin, calls its function, and writes the answer."""

from __future__ import annotations

import atexit
import os
import sys

from ._answers import Reply
from ._hook_json import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Callable, Dict, List, Optional, Tuple, Type, TypeVar

    Handler = TypeVar("Handler", bound="Callable[[Any], Any]")


class Event:
    """An event, with its fields as attributes; `fields` has all that came, also those that its class does not name."""

    _name = ""
    _answers: Tuple[Type[Reply], ...] = ()
    _merges = "nothing"
    #: Under some profile exit code 2 alone blocks it.
    _exit_decides = False

    hook_event_name: str
    session_id: str
    cwd: str
    transcript_path: Optional[str] = None
    permission_mode: Optional[str] = None

    def __init__(self, fields: Dict[str, Any]) -> None:
        self.fields = fields
        self.__dict__.update(fields)
        self.fields = fields

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise AttributeError(
                f"{type(self).__name__} has no field {name!r}; it came with {', '.join(sorted(self.fields))}"
            )


_handlers: Dict[str, List[Tuple[Type[Event], Callable[[Any], Any]]]] = {}
_crash: Optional[BaseException] = None
_stdout: Optional[int] = None


def register(event: Type[Event], handler: Handler) -> Handler:
    """Has a function hear an event. In a program that runs as the main one, this is done when its last line is."""
    if not _handlers and getattr(handler, "__module__", None) == "__main__":
        _become_a_hook()
    _handlers.setdefault(event._name, []).append((event, handler))
    return handler


def _become_a_hook() -> None:
    """From here on stdout belongs to the answer: whatever else is printed goes to stderr, also by programs that are started."""
    global _stdout
    if sys.stdout is not None:  # it is where the program was started without one
        sys.stdout.flush()
        _stdout = os.dup(1)
        os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.excepthook = _note_crash
    atexit.register(_run_and_exit)
    _run_at_the_last_line()


def _run_at_the_last_line() -> None:
    """Has the hook run when the program has, and not at its exit, where Python starts no thread and no pool any more."""
    frame = sys._getframe()
    while frame.f_code.co_name != "<module>" or frame.f_globals.get("__name__") != "__main__":
        if frame.f_back is None:
            return
        frame = frame.f_back
    if sys.gettrace() is not None:
        return  # a debugger's
    raised = False

    def watch(frame: Any, event: str, value: Any) -> Any:
        nonlocal raised
        if event == "return":
            sys.settrace(None)
            if not raised:
                _run_and_exit()
        raised = event == "exception"
        return watch

    frame.f_trace = watch
    sys.settrace(lambda *_: None)


def _note_crash(kind: Type[BaseException], error: BaseException, trace: Any) -> None:
    global _crash
    _crash = error
    sys.__excepthook__(kind, error, trace)


def _run_and_exit() -> None:
    code, answer = _run()
    try:
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # its reader is gone
    if answer and _stdout is None:
        code = _fail("there is no stdout to answer on", 2)[0]
    data = answer.encode("utf-8", "surrogatepass" if code else "replace")
    try:
        while data and _stdout is not None:
            data = data[os.write(_stdout, data) :]
    except OSError:
        pass  # its reader is gone
    os._exit(code)


def _run() -> Tuple[int, str]:
    """The exit code and the answer. A guard that fails has not agreed, and refuses."""
    try:
        event = loads(sys.stdin.buffer.read().decode("utf-8"))
        name = event["hook_event_name"]
    except Exception as error:
        return _fail(f"stdin holds no event: {error!r}", 2)
    heard = _handlers.get(name, [])
    guards = any(kind._merges != "nothing" for kind, _ in heard)
    if _crash is not None:
        return _fail(f"{type(_crash).__name__}: {_crash}", 2 if guards or not heard else 1)
    for kind, handler in heard:
        try:
            reply = handler(kind(event))
            if hasattr(reply, "__await__"):
                import asyncio

                reply = asyncio.run(_awaited(reply))
            if reply is not None:
                return write(kind, reply, event)
        except BaseException as error:
            if isinstance(error, SystemExit) and error.code in (None, 0):
                return 0, ""
            import traceback

            traceback.print_exc()
            return _fail(f"{type(error).__name__}: {error}", 2 if kind._merges != "nothing" else 1)
    return 0, ""


async def _awaited(reply: Any) -> Any:
    return await reply


def _fail(why: str, code: int) -> Tuple[int, str]:
    print(f"{os.path.basename(sys.argv[0] or 'hook')} failed: {why}", file=sys.stderr)
    return code, ""


def write(event: Type[Event], reply: Reply, fields: Dict[str, Any]) -> Tuple[int, str]:
    """An answer as clients read it: exit code and stdout. Raises TypeError for one that the event does not know."""
    known = ", ".join(one.kind for one in event._answers)
    if not isinstance(reply, Reply):
        raise TypeError(f"{event._name} was answered with {type(reply).__name__}; it knows {known}, or None")
    if not isinstance(reply, event._answers):
        raise TypeError(f"{event._name} does not know {reply.kind}; it knows {known}")
    given = reply.fields
    if reply.kind in ("instructions", "worktree_path"):
        return 0, f"{given['text']}\n"
    if reply.kind == "block" and event._merges == "exit-code":
        print(given["reason"], file=sys.stderr)
        return 2, ""
    top: Dict[str, Any] = {}
    specific: Dict[str, Any] = {}
    if event._merges == "dialog" and reply.kind in ("allow", "deny"):
        said = {"behavior": reply.kind, "updatedInput": given.get("updated_input"), "interrupt": given.get("interrupt")}
        said["message"] = given["reason"] if reply.kind == "deny" else None
        specific["decision"] = {key: value for key, value in said.items() if value not in (None, False)}
    elif reply.kind in ("allow", "deny", "ask", "defer"):
        specific = {"permissionDecision": reply.kind, "permissionDecisionReason": given.get("reason")}
        specific["updatedInput"] = given.get("updated_input")
    elif reply.kind in _TOP:
        top = _TOP[reply.kind](given)
    elif reply.kind == "replace_output":
        is_mcp = str(fields.get("tool_name", "")).startswith("mcp__")
        specific["updatedMCPToolOutput" if is_mcp else "updatedToolOutput"] = given["output"]
    else:
        specific = _SPECIFIC[reply.kind](given)
    specific = {key: value for key, value in specific.items() if value is not None}
    if specific:
        top["hookSpecificOutput"] = {"hookEventName": event._name, **specific}
    text = dumps(top) + "\n"
    if reply.kind == "block" and event._exit_decides:
        print(given["reason"], file=sys.stderr)
        return 2, text
    return 0, text


_TOP: Dict[str, Callable[[Dict[str, Any]], Dict[str, Any]]] = {
    "block": lambda given: {"decision": "block", "reason": given["reason"]},
    "halt": lambda given: {"continue": False, "stopReason": given["reason"]},
    "warn": lambda given: {"systemMessage": given["text"]},
}
_SPECIFIC: Dict[str, Callable[[Dict[str, Any]], Dict[str, Any]]] = {
    "rewrite": lambda given: {"updatedInput": given["updated_input"]},
    "context": lambda given: {"additionalContext": given["text"]},
    "session_title": lambda given: {"sessionTitle": given["text"]},
    "initial_user_message": lambda given: {"initialUserMessage": given["text"]},
    "watch_paths": lambda given: {"watchPaths": given["paths"]},
    "reload_skills": lambda given: {"reloadSkills": True},
    "classifier_context": lambda given: {"classifierContext": given["text"]},
    "display_content": lambda given: {"displayContent": given["text"]},
    "retry": lambda given: {"retry": True},
    "accept": lambda given: {"action": "accept", "content": given.get("content")},
    "decline": lambda given: {"action": "decline"},
    "cancel": lambda given: {"action": "cancel"},
}

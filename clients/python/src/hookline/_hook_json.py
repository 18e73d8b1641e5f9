"""JSON for hooks, without the regular expressions of `json`: to load those takes longer than the rest of a hook."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Reading:
    """What the scanner of CPython asks for."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    memo: "dict[str, str]" = {}

    @staticmethod
    def parse_constant(name: str) -> float:
        raise ValueError(f"{name} is not JSON")


def loads(text: str) -> Any:
    """Parses JSON. Raises ValueError."""
    try:
        from _json import make_scanner  # type: ignore[import-not-found,attr-defined,unused-ignore]

        stripped = text.strip(" \t\r\n")
        value, end = make_scanner(_Reading)(stripped, 0)  # type: ignore[arg-type,unused-ignore]
        if end == len(stripped):
            return value
    except (ImportError, StopIteration, ValueError, TypeError, AttributeError):
        pass  # another Python, or not JSON: `json` says what is wrong
    import json

    return json.loads(text)


def dumps(value: Any) -> str:
    """Writes plain data as JSON. Raises TypeError or ValueError for anything else."""
    if value is None or value is True or value is False:
        return "null" if value is None else "true" if value else "false"
    if type(value) is int:
        return str(value)
    if type(value) is float and value in (float("inf"), float("-inf")):
        return "1e999" if value > 0 else "-1e999"  # a number of the event that no float holds: it stays as it was written
    if type(value) is dict and all(type(key) is str for key in value):
        return "{" + ", ".join(f"{dumps(key)}: {dumps(value[key])}" for key in value) + "}"
    if type(value) in (list, tuple):
        return "[" + ", ".join(map(dumps, value)) + "]"
    if type(value) is str:
        try:
            from _json import encode_basestring_ascii  # type: ignore[import-not-found,attr-defined,unused-ignore]

            return str(encode_basestring_ascii(value))
        except ImportError:
            pass  # another Python
    import json

    return json.dumps(value, allow_nan=False)

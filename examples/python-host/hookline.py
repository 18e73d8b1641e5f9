"""Hooks for an agent that is written in Python: one `hookline session`, driven over its stdin and stdout."""

import json
import os
import re
import shlex
import subprocess
import sys
import unicodedata


def readable(text):
    """Returns a text that a terminal can be given: what hooks and tools say may hold control sequences."""
    return "".join(sign if sign in "\n\t" or _is_harmless(sign) else f"\\u{ord(sign):04x}" for sign in str(text))


def _is_harmless(sign):
    # Cc: controls, escape among them. Cf: signs that reorder or hide text. Zl, Zp: further ends of a line. Cs: half a sign.
    return unicodedata.category(sign) not in ("Cc", "Cf", "Cs", "Zl", "Zp")


def escaped(text):
    """Returns a text for the model in which nothing looks like the host's own words: a hook must not forge them."""
    return re.sub(r"<(?=\s*/?\s*system-reminder)", "&lt;", str(text), flags=re.IGNORECASE)


class HooklineError(Exception):
    """The line was no event, or the session has ended; the message says which."""


class Hooks:
    """The hooks of one session. Use it in a `with` statement: leaving it ends the session and what still runs."""

    def __init__(self, project, *flags):
        # HOOKLINE may hold another way to call it, as in "node /somewhere/hookline.js".
        command = shlex.split(os.environ.get("HOOKLINE", "hookline"))
        self._session = subprocess.Popen(
            [*command, "session", "--project", str(project), *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._session.stdin.close()
        self.undelivered = self._session.stdout.read()
        self._session.wait()

    def fire(self, event, **fields):
        """Fires an event and returns its decision. What the user is to read goes to stderr."""
        record = self._ask({"hook_event_name": event, **fields})
        messages = [message["text"] for message in record["decision"]["messages"] if message["to"] == "user"]
        for text in [*record.get("notices", []), *messages]:
            print(readable(text), file=sys.stderr)
        return record["decision"]

    def drain(self):
        """Waits for background hooks and returns what they say."""
        return self._ask({"control": "drain"})["delivered"]

    def environment(self):
        """Returns the variables that SessionStart hooks set for commands of the session."""
        return self._ask({"control": "env"})["env"]

    def _ask(self, line):
        """Writes one line and reads the one that answers it."""
        try:
            self._session.stdin.write(json.dumps(line) + "\n")
            self._session.stdin.flush()
        except BrokenPipeError:
            pass  # the next read says so
        answer = self._session.stdout.readline()
        if answer == "":
            raise HooklineError(f"hookline session ended with code {self._session.wait()}; stderr says why.")
        answer = json.loads(answer)
        if "error" in answer:
            raise HooklineError(answer["error"])
        return answer

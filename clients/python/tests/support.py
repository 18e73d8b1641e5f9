"""Projects in temp folders, and hooks that are shell commands."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from hookline import Session


def commands(*lines, **group):
    return {**group, "hooks": [{"type": "command", "command": line} for line in lines]}


def answering(**specific):
    answer = {"hookSpecificOutput": {"hookEventName": "PreToolUse", **specific}}
    return f"echo '{json.dumps(answer)}'"


class Project(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        (self.root / "project/.claude").mkdir(parents=True)
        (self.root / "home").mkdir()
        self.project = self.root / "project"
        self.flags = ["--home", str(self.root / "home"), "--managed", str(self.root / "none.json"), "--trust"]

    def write(self, hooks):
        (self.project / ".claude/settings.json").write_text(json.dumps({"hooks": hooks}))

    def open(self, *flags, **options):
        return Session(self.project, *self.flags, *flags, **options)

    def driver(self, code):
        """Another program in the place of Hookline."""
        path = self.root / "driver.py"
        path.write_text("import json, sys, time\n" + code)
        return f"'{sys.executable}' '{path}'"

"""mypy --strict and pyright: the package, twenty right uses and twenty wrong ones. Skipped where a checker is missing."""

import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "src" / "hookline"
FILES = [HERE / "types" / "right.py", HERE / "types" / "wrong.py"]
# Adapters are checked where their framework is there, which ships types of its own.
ADAPTERS = {
    "langchain.py": "langchain",
    "openai_agents.py": "agents",
    "pydantic_ai.py": "pydantic_ai",
    "smolagents.py": "smolagents",
    "adk.py": "google.adk",
}


def is_checked(name):
    try:
        return name not in ADAPTERS or importlib.util.find_spec(ADAPTERS[name]) is not None
    except ImportError:
        return False


OWN = sorted(path for path in PACKAGE.glob("*.py") if is_checked(path.name))


class Types(unittest.TestCase):
    def check(self, errors):
        """`errors` has the lines with an error of each file."""
        for path in [*OWN, FILES[0]]:
            self.assertEqual(errors.get(path.name, []), [], path.name)
        marked = [at for at, line in enumerate(FILES[1].read_text().splitlines(), 1) if line.endswith("# wrong")]
        self.assertEqual(len(marked), 20)
        self.assertEqual(sorted(set(errors.get("wrong.py", [])) & set(marked)), marked)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed here")
    def test_mypy(self):
        command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports", "silent", "--cache-dir", os.devnull, "--no-error-summary"]
        ran = subprocess.run(
            [*command, *map(str, [*OWN, *FILES])],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "MYPYPATH": str(PACKAGE.parent)},
            timeout=300,
        )
        errors = {}
        for name, line in re.findall(r"([\w.]+\.py):(\d+): error:", ran.stdout):
            errors.setdefault(name, []).append(int(line))
        self.check(errors)

    @unittest.skipUnless(os.environ.get("PYRIGHT") or shutil.which("pyright"), "pyright is not installed here")
    def test_pyright(self):
        command = shlex.split(os.environ.get("PYRIGHT", "pyright"))
        ran = subprocess.run(
            [*command, "--outputjson", *map(str, [*OWN, *FILES])],
            stdout=subprocess.PIPE,
            text=True,
            cwd=PACKAGE.parent,
            timeout=300,
        )
        errors = {}
        for found in json.loads(ran.stdout)["generalDiagnostics"]:
            if found["severity"] == "error":
                errors.setdefault(Path(found["file"]).name, []).append(found["range"]["start"]["line"] + 1)
        self.check(errors)


if __name__ == "__main__":
    unittest.main()

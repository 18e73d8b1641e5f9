"""An agent in Python whose tool calls pass hooks: python3 examples/python-host/agent.py"""

import os
import subprocess
from pathlib import Path

from hookline import Hooks

PROJECT = Path(__file__).parent / "project"
CALLS = ["rm -rf lamps", 'echo "The lamp is $COLOUR"', "false", "shutdown now"]  # a model would think of these


def bash(command, environment):
    """The one tool of this agent. Raises CalledProcessError when the command fails."""
    done = subprocess.run(
        ["bash", "-c", command], cwd=PROJECT, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout


def call(hooks, command):
    """Makes one call between its hooks. Returns what the model reads, and why the turn ends, or None."""
    fields = {"tool_name": "Bash", "tool_input": {"command": command}}
    before = hooks.fire("PreToolUse", **fields)
    if before["halt"]:
        return "Not run.", before["stopReason"] or "Stopped by hook"
    if before["blocked"] or before["permission"] == "ask":  # nobody is here to be asked
        return f"Refused: {before['reason'] or 'the user has to be asked'}", None
    if before["updatedInput"] is not None:
        fields["tool_input"] = before["updatedInput"]
    try:
        result = bash(fields["tool_input"]["command"], hooks.environment())
        after = hooks.fire("PostToolUse", **fields, tool_response={"stdout": result})
    except subprocess.CalledProcessError as error:
        result = str(error)
        after = hooks.fire("PostToolUseFailure", **fields, error=result)
    told = [result.strip(), *after["context"], *([after["reason"]] if after["blocked"] else [])]
    return "\n  ".join(told), (after["stopReason"] or "Stopped by hook") if after["halt"] else None


def main():
    # --trust stands for a person who has accepted the project's hooks. Ask, or leave it out.
    with Hooks(PROJECT, "--trust") as hooks:
        start = hooks.fire("SessionStart", source="startup")
        if start["halt"]:
            print("The session ends:", start["stopReason"] or "Stopped by hook")
            return
        print("context:", *start["context"])
        for command in CALLS:
            result, stop_reason = call(hooks, command)
            print(f"{command}\n  {result}")
            if stop_reason is not None:
                print("The turn ends:", stop_reason)
                break
        for late in hooks.drain():
            print("late:", *late["context"])
        hooks.fire("SessionEnd", reason="other")


if __name__ == "__main__":
    main()

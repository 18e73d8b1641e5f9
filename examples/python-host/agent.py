"""An agent in Python whose tool calls pass hooks: python3 examples/python-host/agent.py"""

import json
import os
import subprocess
import sys
from pathlib import Path

from hookline import Hooks, escaped, readable

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
    if before["permission"] == "defer" and not before["blocked"]:  # of the profile current: the call is left open
        return "Not run yet.", before["reason"] or "A hook deferred the call"
    if before["blocked"] or before["permission"] not in (None, "allow"):  # nobody is here to be asked
        return f"Refused: {escaped(before['reason'] or 'the user has to be asked')}", None
    if before["updatedInput"] is not None:
        fields["tool_input"] = before["updatedInput"]
    try:
        result = bash(fields["tool_input"]["command"], hooks.environment())
        after = hooks.fire("PostToolUse", **fields, tool_response={"stdout": result})
        if after["updatedToolOutput"] is not None:
            result = output_of(after["updatedToolOutput"])
    except subprocess.CalledProcessError as error:
        result = str(error)
        after = hooks.fire("PostToolUseFailure", **fields, error=result)
    said = [*after["context"], *([after["reason"]] if after["blocked"] else [])]
    told = [result.strip(), *map(escaped, said)]
    return "\n  ".join(told), (after["stopReason"] or "Stopped by hook") if after["halt"] else None


def output_of(replaced):
    """What the model reads of an output that a hook wrote: in the shape of the tool's own, or as it is."""
    return replaced["stdout"] if isinstance(replaced, dict) and "stdout" in replaced else json.dumps(replaced)


def after_batch(hooks, calls):
    """Shows hooks all calls of one answer; of the profile current. Returns why the turn ends, or None."""
    done = hooks.fire("PostToolBatch", tool_calls=calls)
    if done["halt"] or done["blocked"]:
        return (done["stopReason"] if done["halt"] else done["reason"]) or "Stopped by hook"
    return None


def main(*flags):
    # --trust stands for a person who has accepted the project's hooks. Ask, or leave it out.
    with Hooks(PROJECT, "--trust", *flags) as hooks:
        start = hooks.fire("SessionStart", source="startup")
        if start["halt"]:
            print("The session ends:", readable(start["stopReason"] or "Stopped by hook"))
            return
        if start.get("sessionTitle"):  # an effect, which current has; a decision of classic has no such key
            print("title:", readable(start["sessionTitle"]))
        print("context:", *map(readable, start["context"]))
        made = []
        for command in CALLS:
            result, stop_reason = call(hooks, command)
            made.append({"tool_name": "Bash", "tool_input": {"command": command}, "tool_response": result})
            print(f"{command}\n  {readable(result)}")
            if stop_reason is not None:
                print("The turn ends:", readable(stop_reason))
                break
        else:
            if "current" in flags and (stop_reason := after_batch(hooks, made)) is not None:
                print("The turn ends:", readable(stop_reason))
        for late in hooks.drain():
            print("late:", *map(readable, late["context"]))
        hooks.fire("SessionEnd", reason="other")


if __name__ == "__main__":
    main(*sys.argv[1:])

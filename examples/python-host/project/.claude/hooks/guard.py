"""PreToolUse on Bash: refuses rm -rf, and ends the turn when the machine is to be switched off."""

import json
import sys

command = json.load(sys.stdin)["tool_input"]["command"]
if "rm -rf" in command:
    print("name the files instead", file=sys.stderr)
    sys.exit(2)
if command.startswith("shutdown"):
    print(json.dumps({"continue": False, "stopReason": "This machine stays on"}))

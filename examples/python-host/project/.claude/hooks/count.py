"""PostToolUse on Bash, in the background: says how long the output was."""

import json
import sys

output = json.load(sys.stdin)["tool_response"]["stdout"]
context = f"The command printed {len(output)} characters."
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": context}}))

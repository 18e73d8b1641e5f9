// Generated from src/protocol/classic/events.ts by `npm run generate`.
import type { EventRow } from '../../event-row.ts'

export const rows: Record<string, Omit<EventRow, 'name' | 'rules' | 'checkInput' | 'checkAnswer'>> =
  {
  "SessionStart": {
    "matchOn": "source",
    "values": [
      "startup",
      "resume",
      "clear",
      "compact"
    ],
    "permissionMode": false,
    "plainStdout": "context",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": true,
    "endsSession": false,
    "when": "a session starts or resumes",
    "merges": "nothing",
    "exit2": {
      "blocks": false,
      "to": "user"
    },
    "onBlock": "cannot block; stderr goes to the user",
    "example": {
      "source": "startup"
    },
    "answerFields": [
      "additionalContext"
    ]
  },
  "UserPromptSubmit": {
    "matchOn": null,
    "values": [],
    "permissionMode": true,
    "plainStdout": "context",
    "rewrites": null,
    "replaces": null,
    "erases": "prompt",
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "the user sent a prompt, before the model sees it",
    "merges": "block",
    "exit2": {
      "blocks": true,
      "to": "user"
    },
    "onBlock": "the prompt is dropped and erased; the reason goes to the user only",
    "example": {
      "prompt": "Fix the failing test"
    },
    "answerFields": [
      "decision",
      "reason",
      "additionalContext"
    ]
  },
  "PreToolUse": {
    "matchOn": "tool_name",
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": "tool_input",
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": true,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a tool call is ready, before it runs",
    "merges": "permission",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the call is refused; the reason goes to the model",
    "example": {
      "tool_name": "Bash",
      "tool_input": {
        "command": "ls"
      },
      "tool_use_id": "toolu_1"
    },
    "answerFields": [
      "permissionDecision",
      "permissionDecisionReason",
      "updatedInput",
      "additionalContext"
    ]
  },
  "PermissionRequest": {
    "matchOn": "tool_name",
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": "tool_input",
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a permission dialog is about to open",
    "merges": "dialog",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the permission is denied; the reason goes to the model",
    "example": {
      "tool_name": "Bash",
      "tool_input": {
        "command": "ls"
      }
    },
    "answerFields": [
      "decision"
    ]
  },
  "PostToolUse": {
    "matchOn": "tool_name",
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": "tool_response",
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": true,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a tool succeeded",
    "merges": "block",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the tool already ran; the reason goes to the model",
    "example": {
      "tool_name": "Bash",
      "tool_input": {
        "command": "ls"
      },
      "tool_response": {
        "stdout": "README.md"
      },
      "tool_use_id": "toolu_1"
    },
    "answerFields": [
      "updatedMCPToolOutput",
      "additionalContext"
    ]
  },
  "PostToolUseFailure": {
    "matchOn": "tool_name",
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a tool failed",
    "merges": "block",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the tool already ran; the reason goes to the model",
    "example": {
      "tool_name": "Bash",
      "tool_input": {
        "command": "ls"
      },
      "tool_use_id": "toolu_1",
      "error": "Exit code 1"
    },
    "answerFields": [
      "additionalContext"
    ]
  },
  "Notification": {
    "matchOn": "notification_type",
    "values": [
      "permission_prompt",
      "idle_prompt",
      "auth_success",
      "elicitation_dialog"
    ],
    "permissionMode": false,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "command",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "the host notifies the user",
    "merges": "nothing",
    "exit2": {
      "blocks": false,
      "to": "user"
    },
    "onBlock": "cannot block; stderr goes to the user",
    "example": {
      "message": "Waiting for your input",
      "notification_type": "idle_prompt"
    },
    "answerFields": [
      "additionalContext"
    ]
  },
  "SubagentStart": {
    "matchOn": "agent_type",
    "values": [],
    "permissionMode": false,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "subject",
    "envFile": false,
    "endsSession": false,
    "when": "a subagent starts",
    "merges": "nothing",
    "exit2": {
      "blocks": false,
      "to": "user"
    },
    "onBlock": "cannot block; stderr goes to the user",
    "example": {
      "agent_id": "agent-1",
      "agent_type": "Explore"
    },
    "answerFields": [
      "additionalContext"
    ]
  },
  "SubagentStop": {
    "matchOn": "agent_type",
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": "stop_hook_active",
    "reasonRequired": true,
    "failureBlocks": false,
    "handlers": "all",
    "component": false,
    "inAgent": null,
    "agentId": "subject",
    "envFile": false,
    "endsSession": false,
    "when": "a subagent finished",
    "merges": "block",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the subagent goes on, with the reason as its instruction",
    "example": {
      "agent_id": "agent-1",
      "agent_type": "Explore",
      "stop_hook_active": false,
      "agent_transcript_path": "/tmp/agent-1.jsonl"
    },
    "answerFields": []
  },
  "Stop": {
    "matchOn": null,
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": "stop_hook_active",
    "reasonRequired": true,
    "failureBlocks": false,
    "handlers": "all",
    "component": true,
    "inAgent": "SubagentStop",
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "the main agent finished its answer; not after a user interrupt",
    "merges": "block",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the agent goes on, with the reason as its instruction",
    "example": {
      "stop_hook_active": false
    },
    "answerFields": []
  },
  "TeammateIdle": {
    "matchOn": null,
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": false,
    "handlers": "no-model",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a teammate is about to go idle",
    "merges": "exit-code",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the teammate goes on, with stderr as feedback",
    "example": {
      "teammate_name": "Ada",
      "team_name": "core"
    },
    "answerFields": []
  },
  "TaskCompleted": {
    "matchOn": null,
    "values": [],
    "permissionMode": true,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": false,
    "handlers": "no-model",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "a shared task is being marked done",
    "merges": "exit-code",
    "exit2": {
      "blocks": true,
      "to": "model"
    },
    "onBlock": "the task stays open; stderr goes to the model",
    "example": {
      "task_id": "7",
      "task_subject": "Write the docs"
    },
    "answerFields": []
  },
  "PreCompact": {
    "matchOn": "trigger",
    "values": [
      "manual",
      "auto"
    ],
    "permissionMode": false,
    "plainStdout": "instructions",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "command",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": false,
    "when": "before the context is compacted",
    "merges": "nothing",
    "exit2": {
      "blocks": false,
      "to": "user"
    },
    "onBlock": "cannot block; stderr goes to the user",
    "example": {
      "trigger": "manual",
      "custom_instructions": ""
    },
    "answerFields": []
  },
  "SessionEnd": {
    "matchOn": "reason",
    "values": [
      "clear",
      "logout",
      "prompt_input_exit",
      "bypass_permissions_disabled",
      "other"
    ],
    "permissionMode": false,
    "plainStdout": "verbose",
    "rewrites": null,
    "replaces": null,
    "erases": null,
    "loopField": null,
    "reasonRequired": false,
    "failureBlocks": true,
    "handlers": "command",
    "component": false,
    "inAgent": null,
    "agentId": "loop",
    "envFile": false,
    "endsSession": true,
    "when": "the session ends",
    "merges": "nothing",
    "exit2": {
      "blocks": false,
      "to": "user"
    },
    "onBlock": "cannot block; stderr goes to the user",
    "example": {
      "reason": "other"
    },
    "answerFields": []
  }
}

/** The fields any event may answer with, at the top level. */
export const commonAnswerFields: readonly string[] = ["continue","stopReason","suppressOutput","systemMessage","decision","reason","async","additionalContext","asyncTimeout","hookSpecificOutput"]

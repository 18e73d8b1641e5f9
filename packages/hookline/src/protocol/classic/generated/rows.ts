// Generated from src/protocol/schemas/events/classic.ts by `npm run generate`.
import type { GeneratedRow, SharedFacts } from '../../usual.ts'

export const rows: Readonly<Record<string, GeneratedRow>> = {
  get "SessionStart"(): GeneratedRow { return {
  "matchOn": "source",
  "values": [
    "startup",
    "resume",
    "clear",
    "compact"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "reasonTo": "user",
  "plainStdout": "context",
  "envFile": "kept",
  "when": "a session starts or resumes",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "example": {
    "source": "startup"
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "UserPromptSubmit"(): GeneratedRow { return {
  "reasonTo": "user",
  "plainStdout": "context",
  "erases": "prompt",
  "when": "the user sent a prompt, before the model sees it",
  "merges": "block",
  "onBlock": "the prompt is dropped and erased; the reason goes to the user only",
  "example": {
    "prompt": "Fix the failing test"
  },
  "answerFields": [
    "decision",
    "reason",
    "additionalContext"
  ]
} },
  get "PreToolUse"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "rewrites": "tool_input",
  "component": true,
  "when": "a tool call is ready, before it runs",
  "merges": "permission",
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
  ],
  "permissionWords": [
    "allow",
    "deny",
    "ask"
  ]
} },
  get "PermissionRequest"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "unattended": false,
  "rewrites": "tool_input",
  "when": "a permission dialog is about to open",
  "merges": "dialog",
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
} },
  get "PostToolUse"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "effects": {
    "updatedToolOutput": {
      "fields": [],
      "mcpFields": [
        "updatedMCPToolOutput"
      ],
      "from": "anywhere",
      "merge": "last"
    }
  },
  "replaces": "tool_response",
  "component": true,
  "when": "a tool succeeded",
  "merges": "block",
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
} },
  get "PostToolUseFailure"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "when": "a tool failed",
  "merges": "block",
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
} },
  get "Notification"(): GeneratedRow { return {
  "matchOn": "notification_type",
  "values": [
    "permission_prompt",
    "idle_prompt",
    "auth_success",
    "elicitation_dialog"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "reasonTo": "user",
  "hookTypes": [
    "command"
  ],
  "when": "the host notifies the user",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "example": {
    "message": "Waiting for your input",
    "notification_type": "idle_prompt"
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "SubagentStart"(): GeneratedRow { return {
  "matchOn": "agent_type",
  "permissionMode": false,
  "blocksOn": "never",
  "reasonTo": "user",
  "agentId": "subject",
  "when": "a subagent starts",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "example": {
    "agent_id": "agent-1",
    "agent_type": "Explore"
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "SubagentStop"(): GeneratedRow { return {
  "matchOn": "agent_type",
  "failureBlocks": false,
  "loopField": "stop_hook_active",
  "reasonRequired": true,
  "agentId": "subject",
  "when": "a subagent finished",
  "merges": "block",
  "onBlock": "the subagent goes on, with the reason as its instruction",
  "example": {
    "agent_id": "agent-1",
    "agent_type": "Explore",
    "stop_hook_active": false,
    "agent_transcript_path": "/tmp/agent-1.jsonl"
  },
  "answerFields": []
} },
  get "Stop"(): GeneratedRow { return {
  "failureBlocks": false,
  "loopField": "stop_hook_active",
  "reasonRequired": true,
  "component": true,
  "inAgent": "SubagentStop",
  "when": "the main agent finished its answer; not after a user interrupt",
  "merges": "block",
  "onBlock": "the agent goes on, with the reason as its instruction",
  "example": {
    "stop_hook_active": false
  },
  "answerFields": []
} },
  get "TeammateIdle"(): GeneratedRow { return {
  "failureBlocks": false,
  "hookTypes": [
    "command",
    "function"
  ],
  "when": "a teammate is about to go idle",
  "merges": "exit-code",
  "onBlock": "the teammate goes on, with stderr as feedback",
  "example": {
    "teammate_name": "Ada",
    "team_name": "core"
  },
  "answerFields": []
} },
  get "TaskCompleted"(): GeneratedRow { return {
  "failureBlocks": false,
  "hookTypes": [
    "command",
    "function"
  ],
  "when": "a shared task is being marked done",
  "merges": "exit-code",
  "onBlock": "the task stays open; stderr goes to the model",
  "example": {
    "task_id": "7",
    "task_subject": "Write the docs"
  },
  "answerFields": []
} },
  get "PreCompact"(): GeneratedRow { return {
  "matchOn": "trigger",
  "values": [
    "manual",
    "auto"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "reasonTo": "user",
  "plainStdout": "instructions",
  "effects": {
    "instructions": {
      "fields": [],
      "from": "specific",
      "stdout": "whole",
      "merge": "joined"
    }
  },
  "hookTypes": [
    "command"
  ],
  "when": "before the context is compacted",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "example": {
    "trigger": "manual",
    "custom_instructions": ""
  },
  "answerFields": []
} },
  get "SessionEnd"(): GeneratedRow { return {
  "matchOn": "reason",
  "values": [
    "clear",
    "logout",
    "prompt_input_exit",
    "bypass_permissions_disabled",
    "other"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "reasonTo": "user",
  "hookTypes": [
    "command"
  ],
  "endsSession": true,
  "when": "the session ends",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "example": {
    "reason": "other"
  },
  "answerFields": []
} },
}

export const shared: SharedFacts = {"effects":{"updatedToolOutput":"last","instructions":"joined"},"answerFields":["additionalContext","decision","reason","permissionDecision","permissionDecisionReason","updatedInput","updatedMCPToolOutput"]}

/** What replies to each event depend on, as types. */
export interface RowTypes {
  readonly SessionStart: { merges: 'nothing'; plainStdout: 'context'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly UserPromptSubmit: { merges: 'block'; plainStdout: 'context'; canHalt: true; systemMessageTo: 'user'; answerFields: 'decision' | 'reason' | 'additionalContext'; permissionWords: never }
  readonly PreToolUse: { merges: 'permission'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'permissionDecision' | 'permissionDecisionReason' | 'updatedInput' | 'additionalContext'; permissionWords: 'allow' | 'deny' | 'ask' }
  readonly PermissionRequest: { merges: 'dialog'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'decision'; permissionWords: never }
  readonly PostToolUse: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'updatedMCPToolOutput' | 'additionalContext'; permissionWords: never }
  readonly PostToolUseFailure: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly Notification: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly SubagentStart: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly SubagentStop: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly Stop: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly TeammateIdle: { merges: 'exit-code'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly TaskCompleted: { merges: 'exit-code'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly PreCompact: { merges: 'nothing'; plainStdout: 'instructions'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly SessionEnd: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
}

// Generated from src/protocol/schemas/events/current.ts by `npm run generate`.
import type { GeneratedRow, SharedFacts } from '../../usual.ts'

export const rows: Readonly<Record<string, GeneratedRow>> = {
  get "SessionStart"(): GeneratedRow { return {
  "matchOn": "source",
  "values": [
    "startup",
    "resume",
    "clear",
    "compact",
    "fork"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "plainStdout": "context",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "watchPaths": {
      "fields": [
        "watchPaths"
      ],
      "from": "specific",
      "merge": "all"
    },
    "initialUserMessage": {
      "fields": [
        "initialUserMessage"
      ],
      "from": "specific",
      "isContext": true,
      "merge": "last"
    },
    "sessionTitle": {
      "fields": [
        "sessionTitle"
      ],
      "from": "specific",
      "merge": "last"
    },
    "reloadSkills": {
      "fields": [
        "reloadSkills"
      ],
      "from": "specific",
      "merge": "any"
    }
  },
  "hookTypes": [
    "command",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "envFile": "kept",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "a session starts, resumes, is cleared, compacted or forked",
  "example": {
    "source": "startup"
  },
  "answerFields": [
    "additionalContext",
    "initialUserMessage",
    "sessionTitle",
    "watchPaths",
    "reloadSkills"
  ]
} },
  get "Setup"(): GeneratedRow { return {
  "matchOn": "trigger",
  "values": [
    "init",
    "maintenance"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "function"
  ],
  "component": true,
  "envFile": "kept",
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "the host is started to prepare or maintain the project, before SessionStart",
  "example": {
    "trigger": "init"
  },
  "answerFields": []
} },
  get "InstructionsLoaded"(): GeneratedRow { return {
  "matchOn": "load_reason",
  "values": [
    "session_start",
    "nested_traversal",
    "path_glob_match",
    "include",
    "compact"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "a file of instructions enters the context",
  "example": {
    "file_path": "/project/CLAUDE.md",
    "memory_type": "Project",
    "load_reason": "session_start"
  },
  "answerFields": []
} },
  get "UserPromptSubmit"(): GeneratedRow { return {
  "reasonTo": "user",
  "unmetPrompt": "halts",
  "plainStdout": "context",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "sessionTitle": {
      "fields": [
        "sessionTitle"
      ],
      "from": "specific",
      "merge": "last"
    },
    "suppressOriginalPrompt": {
      "fields": [
        "suppressOriginalPrompt"
      ],
      "from": "specific",
      "merge": "any"
    }
  },
  "erases": "prompt",
  "seconds": {
    "command": 30,
    "http": 30,
    "mcp_tool": 30,
    "function": 30
  },
  "component": true,
  "when": "a prompt is about to be processed, typed by the user or written by the machine",
  "merges": "block",
  "onBlock": "the prompt is dropped and erased; the reason goes to the user only",
  "example": {
    "prompt": "Fix the failing test"
  },
  "answerFields": [
    "additionalContext",
    "sessionTitle",
    "suppressOriginalPrompt"
  ]
} },
  get "UserPromptExpansion"(): GeneratedRow { return {
  "matchOn": "command_name",
  "reasonTo": "user",
  "unmetPrompt": "halts",
  "plainStdout": "context",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "suppressOriginalPrompt": {
      "fields": [
        "suppressOriginalPrompt"
      ],
      "from": "specific",
      "merge": "any"
    }
  },
  "erases": "prompt",
  "component": true,
  "when": "a typed slash command is about to be expanded, after UserPromptSubmit",
  "merges": "block",
  "onBlock": "the expansion is dropped and erased; the reason goes to the user only",
  "example": {
    "expansion_type": "slash_command",
    "command_name": "review",
    "command_args": "",
    "prompt": "/review"
  },
  "answerFields": [
    "additionalContext",
    "suppressOriginalPrompt"
  ]
} },
  get "MessageDisplay"(): GeneratedRow { return {
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "systemMessageTo": "none",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "displayContent": {
      "fields": [
        "displayContent"
      ],
      "from": "specific",
      "merge": "last"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "seconds": {
    "command": 10,
    "http": 10,
    "mcp_tool": 10,
    "function": 10
  },
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "text of the assistant is about to be shown",
  "example": {
    "turn_id": "turn-1",
    "message_id": "msg-1",
    "index": 0,
    "final": true,
    "delta": "Done."
  },
  "answerFields": [
    "displayContent"
  ]
} },
  get "PreToolUse"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "takesIf": true,
  "unmetPrompt": "blocks-and-halts",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
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
    "tool_use_id": "toolu_1",
    "effort": {
      "level": "high"
    }
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
    "ask",
    "defer"
  ]
} },
  get "PermissionRequest"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "takesIf": true,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "unmetPrompt": "has-no-effect",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "rewrites": "tool_input",
  "noReason": "Permission denied by hook",
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "prompt",
    "function"
  ],
  "component": true,
  "when": "a permission dialog is about to open, or a call is about to be refused as there is no user to ask",
  "merges": "dialog",
  "onBlock": "the permission is denied; the reason goes to the model. Exit 2 alone does nothing",
  "example": {
    "tool_name": "Bash",
    "tool_input": {
      "command": "ls"
    },
    "effort": {
      "level": "high"
    }
  },
  "answerFields": [
    "decision"
  ]
} },
  get "PermissionDenied"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "takesIf": true,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "unmetPrompt": "has-no-effect",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "retry": {
      "fields": [
        "retry"
      ],
      "from": "specific",
      "merge": "any"
    }
  },
  "component": true,
  "when": "a call was denied without asking the user",
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "example": {
    "tool_name": "Bash",
    "tool_input": {
      "command": "ls"
    },
    "tool_use_id": "toolu_1",
    "reason": "Not allowed in this mode",
    "effort": {
      "level": "high"
    }
  },
  "answerFields": [
    "retry"
  ]
} },
  get "PostToolUse"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "takesIf": true,
  "unmetPrompt": "halts",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "updatedToolOutput": {
      "fields": [
        "updatedToolOutput"
      ],
      "mcpFields": [
        "updatedMCPToolOutput"
      ],
      "from": "specific",
      "shapedLike": "tool_response",
      "shapes": {
        "Bash": {
          "required": [
            "stdout",
            "stderr",
            "interrupted"
          ],
          "optional": [
            "isImage",
            "noOutputExpected"
          ]
        },
        "Write": {
          "required": [
            "type",
            "filePath",
            "content",
            "structuredPatch",
            "originalFile"
          ],
          "optional": [
            "userModified"
          ]
        },
        "Read": {
          "required": [
            "type",
            "file"
          ],
          "optional": []
        }
      },
      "merge": "last"
    },
    "classifierContext": {
      "fields": [
        "classifierContext"
      ],
      "from": "specific",
      "isContext": true,
      "merge": "joined"
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
    "tool_use_id": "toolu_1",
    "tool_response": {
      "stdout": "README.md"
    },
    "duration_ms": 12,
    "effort": {
      "level": "high"
    }
  },
  "answerFields": [
    "updatedToolOutput",
    "updatedMCPToolOutput",
    "additionalContext",
    "classifierContext"
  ]
} },
  get "PostToolUseFailure"(): GeneratedRow { return {
  "matchOn": "tool_name",
  "takesIf": true,
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "component": true,
  "when": "a tool that had started failed",
  "merges": "block",
  "onBlock": "the tool already ran; the reason goes to the model",
  "example": {
    "tool_name": "Bash",
    "tool_input": {
      "command": "ls"
    },
    "tool_use_id": "toolu_1",
    "error": "Exit code 1",
    "is_interrupt": false,
    "duration_ms": 12,
    "effort": {
      "level": "high"
    }
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "PostToolBatch"(): GeneratedRow { return {
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "component": true,
  "when": "all calls of one answer of the model are done, before the next request",
  "merges": "block",
  "onBlock": "the turn ends; the reason stays in the conversation",
  "example": {
    "tool_calls": [
      {
        "tool_name": "Bash",
        "tool_input": {
          "command": "ls"
        },
        "tool_use_id": "toolu_1",
        "tool_response": "README.md"
      }
    ],
    "effort": {
      "level": "high"
    }
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
    "elicitation_dialog",
    "elicitation_url_dialog",
    "elicitation_complete",
    "elicitation_response",
    "agent_needs_input",
    "agent_completed",
    "quota_auto_resume_fired",
    "quota_auto_resume_stale",
    "quota_auto_resume_disabled"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "the host notifies the user",
  "example": {
    "message": "Waiting for your input",
    "notification_type": "idle_prompt"
  },
  "answerFields": []
} },
  get "SubagentStart"(): GeneratedRow { return {
  "matchOn": "agent_type",
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "inAgents": false,
  "agentId": "subject",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "a subagent starts",
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
  "missingFileIsHarmless": true,
  "failureBlocks": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "loopField": "stop_hook_active",
  "component": true,
  "agentId": "subject",
  "when": "a subagent finished",
  "merges": "block",
  "onBlock": "the subagent goes on, with the reason as its instruction; a context sends it on too",
  "example": {
    "agent_id": "agent-1",
    "agent_type": "Explore",
    "stop_hook_active": false,
    "last_assistant_message": "Done.",
    "background_tasks": [],
    "session_crons": [],
    "effort": {
      "level": "high"
    },
    "agent_transcript_path": "/tmp/agent-1.jsonl"
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "TaskCreated"(): GeneratedRow { return {
  "permissionMode": false,
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "component": true,
  "when": "a task is created",
  "merges": "block",
  "onBlock": "the task is deleted; the reason goes to the model",
  "example": {
    "task_id": "7",
    "task_subject": "Write the docs"
  },
  "answerFields": []
} },
  get "TaskCompleted"(): GeneratedRow { return {
  "permissionMode": false,
  "missingFileIsHarmless": true,
  "failureBlocks": false,
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "component": true,
  "when": "a task is being marked done",
  "merges": "block",
  "onBlock": "the task stays open; the reason goes to the model",
  "example": {
    "task_id": "7",
    "task_subject": "Write the docs"
  },
  "answerFields": []
} },
  get "TeammateIdle"(): GeneratedRow { return {
  "failureBlocks": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "component": true,
  "when": "a teammate is about to go idle",
  "merges": "block",
  "onBlock": "the teammate goes on, with the reason as feedback",
  "example": {
    "teammate_name": "Ada",
    "team_name": "core"
  },
  "answerFields": []
} },
  get "Stop"(): GeneratedRow { return {
  "missingFileIsHarmless": true,
  "failureBlocks": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "loopField": "stop_hook_active",
  "component": true,
  "inAgent": "SubagentStop",
  "when": "the main agent finished its answer; not after an error or an interrupt",
  "merges": "block",
  "onBlock": "the agent goes on, with the reason as its instruction; a context sends it on too",
  "example": {
    "stop_hook_active": false,
    "last_assistant_message": "Done.",
    "background_tasks": [],
    "session_crons": [],
    "effort": {
      "level": "high"
    }
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "StopFailure"(): GeneratedRow { return {
  "matchOn": "error",
  "matcherNames": "bars-without-hyphens",
  "values": [
    "unknown",
    "authentication_failed",
    "model_not_found",
    "invalid_request",
    "rate_limit",
    "server_error",
    "oauth_org_not_allowed",
    "account_on_hold",
    "verification_required",
    "billing_error",
    "overloaded",
    "max_output_tokens",
    "cloud_credential_error"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "a turn ended by an error of the model provider",
  "example": {
    "error": "rate_limit",
    "last_assistant_message": "API Error: 429",
    "effort": {
      "level": "high"
    }
  },
  "answerFields": []
} },
  get "ConfigChange"(): GeneratedRow { return {
  "matchOn": "source",
  "values": [
    "user_settings",
    "project_settings",
    "local_settings",
    "policy_settings",
    "skills"
  ],
  "permissionMode": false,
  "reasonTo": "none",
  "canHalt": false,
  "systemMessageTo": "none",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "announces": "file_path",
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "block",
  "when": "a file of settings or skills changed on disk",
  "onBlock": "the change is not applied, without a message",
  "example": {
    "source": "project_settings",
    "file_path": "/project/.claude/settings.json"
  },
  "answerFields": []
} },
  get "CwdChanged"(): GeneratedRow { return {
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "watchPaths": {
      "fields": [
        "watchPaths"
      ],
      "from": "specific",
      "merge": "all"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "envFile": "until-next",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "a command changed the current directory",
  "example": {
    "old_cwd": "/project",
    "new_cwd": "/project/src"
  },
  "answerFields": [
    "watchPaths"
  ]
} },
  get "DirectoryAdded"(): GeneratedRow { return {
  "matchOn": "source",
  "values": [
    "slash_command",
    "register_repo_root"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "harmlessExit2To": "none",
  "canHalt": false,
  "systemMessageTo": "model",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; exit 2 does nothing",
  "when": "a folder was added to the session",
  "example": {
    "directory": "/other",
    "source": "slash_command"
  },
  "answerFields": []
} },
  get "FileChanged"(): GeneratedRow { return {
  "matchOn": "file_path",
  "matchValue": "basename",
  "matcherNames": "bars-without-hyphens",
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "systemMessageTo": "none",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "watchPaths": {
      "fields": [
        "watchPaths"
      ],
      "from": "specific",
      "merge": "all"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "envFile": "kept",
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "a watched file changed, appeared or went",
  "example": {
    "file_path": "/project/.env",
    "event": "change"
  },
  "answerFields": [
    "watchPaths"
  ]
} },
  get "WorktreeCreate"(): GeneratedRow { return {
  "permissionMode": false,
  "blocksOn": "any-failure",
  "reasonTo": "user",
  "canHalt": false,
  "plainStdout": "path",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "worktreePath": {
      "fields": [
        "worktreePath"
      ],
      "from": "specific",
      "stdout": "last-line",
      "as": "path",
      "merge": "first",
      "whenBlocked": null,
      "suffices": true,
      "missingBlocks": "No hook gave the path of the worktree"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "exit-code",
  "when": "a worktree is needed; the hook makes it in place of the host",
  "onBlock": "the worktree is not created; the reason goes to the user. Any other failure does the same",
  "example": {
    "name": "feature"
  },
  "answerFields": [
    "worktreePath"
  ]
} },
  get "WorktreeRemove"(): GeneratedRow { return {
  "permissionMode": false,
  "blocksOn": "any-failure",
  "reasonTo": "user",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "exit-code",
  "when": "a worktree is removed; the hook removes it in place of the host",
  "onBlock": "the worktree is not removed; the reason goes to the user. Any other failure does the same",
  "example": {
    "worktree_path": "/project-feature"
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
  "reasonTo": "user",
  "canHalt": false,
  "systemMessageTo": "none",
  "plainStdout": "instructions",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "instructions": {
      "fields": [],
      "from": "specific",
      "stdout": "whole",
      "merge": "joined"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "block",
  "when": "before the context is compacted",
  "onBlock": "the context is not compacted; the reason goes to the user",
  "example": {
    "trigger": "manual",
    "custom_instructions": null
  },
  "answerFields": []
} },
  get "PostCompact"(): GeneratedRow { return {
  "matchOn": "trigger",
  "values": [
    "manual",
    "auto"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "the context was compacted",
  "example": {
    "trigger": "manual",
    "compact_summary": "The user fixed a test."
  },
  "answerFields": []
} },
  get "PreModelSwitch"(): GeneratedRow { return {
  "matchOn": "to_model",
  "permissionMode": false,
  "reasonTo": "user",
  "onTimeout": "block",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "seconds": {
    "command": 30,
    "http": 30,
    "mcp_tool": 30,
    "function": 30
  },
  "component": true,
  "merges": "permission",
  "when": "the user or the host asks for another model",
  "onBlock": "the model stays; the reason goes to the user",
  "example": {
    "from_model": "claude-opus-5-5",
    "to_model": "claude-sonnet-4-5",
    "requested_model": "claude-sonnet-4-5",
    "source": "command",
    "context_tokens": 41000,
    "prompt_cache_warm": true,
    "cache_ttl": "5m",
    "estimated_cache_write_usd": 0.12,
    "pricing": "default"
  },
  "answerFields": [
    "permissionDecision",
    "permissionDecisionReason"
  ],
  "permissionWords": [
    "allow",
    "deny",
    "ask"
  ]
} },
  get "PostModelSwitch"(): GeneratedRow { return {
  "matchOn": "to_model",
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "plainStdout": "context",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "seconds": {
    "command": 30,
    "http": 30,
    "mcp_tool": 30,
    "function": 30
  },
  "component": true,
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "the model has changed",
  "example": {
    "from_model": "claude-opus-5-5",
    "to_model": "claude-sonnet-4-5",
    "requested_model": "claude-sonnet-4-5",
    "source": "command",
    "context_tokens": 41000,
    "prompt_cache_warm": true,
    "cache_ttl": "5m",
    "estimated_cache_write_usd": 0.12,
    "pricing": "default"
  },
  "answerFields": [
    "additionalContext"
  ]
} },
  get "Elicitation"(): GeneratedRow { return {
  "matchOn": "mcp_server_name",
  "permissionMode": false,
  "reasonTo": "user",
  "canHalt": false,
  "specificOnlyAtExit0": true,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "elicitation": {
      "fields": [
        "action",
        "content"
      ],
      "from": "specific",
      "as": "object",
      "merge": "refusal",
      "whenBlocked": {
        "action": "decline",
        "content": null
      }
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "exit-code",
  "when": "an MCP server asks the user for something",
  "onBlock": "the server is declined",
  "example": {
    "mcp_server_name": "forms",
    "message": "Your name?",
    "mode": "form",
    "requested_schema": {
      "type": "object"
    }
  },
  "answerFields": [
    "action",
    "content"
  ]
} },
  get "ElicitationResult"(): GeneratedRow { return {
  "matchOn": "mcp_server_name",
  "permissionMode": false,
  "reasonTo": "user",
  "canHalt": false,
  "specificOnlyAtExit0": true,
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    },
    "elicitation": {
      "fields": [
        "action",
        "content"
      ],
      "from": "specific",
      "as": "object",
      "merge": "refusal",
      "whenBlocked": {
        "action": "decline",
        "content": null
      }
    }
  },
  "hookTypes": [
    "command",
    "http",
    "mcp_tool",
    "function"
  ],
  "component": true,
  "merges": "exit-code",
  "when": "an answer is about to be sent to an MCP server that asked for it",
  "onBlock": "the server is declined",
  "example": {
    "mcp_server_name": "forms",
    "mode": "form",
    "action": "accept",
    "content": {
      "name": "Ada"
    }
  },
  "answerFields": [
    "action",
    "content"
  ]
} },
  get "SessionEnd"(): GeneratedRow { return {
  "matchOn": "reason",
  "values": [
    "clear",
    "resume",
    "logout",
    "prompt_input_exit",
    "other"
  ],
  "permissionMode": false,
  "blocksOn": "never",
  "canHalt": false,
  "systemMessageTo": "none",
  "effects": {
    "terminalSequences": {
      "fields": [
        "terminalSequence"
      ],
      "from": "top",
      "as": "terminal-sequence",
      "merge": "list"
    }
  },
  "hookTypes": [
    "command",
    "http",
    "function"
  ],
  "secondsTogether": 1.5,
  "endsSession": true,
  "merges": "nothing",
  "onBlock": "cannot block; stderr goes to the user",
  "when": "the session ends",
  "example": {
    "reason": "other"
  },
  "answerFields": []
} },
}

export const shared: SharedFacts = {"effects":{"terminalSequences":"list","watchPaths":"all","initialUserMessage":"last","sessionTitle":"last","reloadSkills":"any","suppressOriginalPrompt":"any","displayContent":"last","retry":"any","updatedToolOutput":"last","classifierContext":"joined","worktreePath":"first","instructions":"joined","elicitation":"refusal"},"answerFields":["additionalContext","initialUserMessage","sessionTitle","watchPaths","reloadSkills","suppressOriginalPrompt","displayContent","permissionDecision","permissionDecisionReason","updatedInput","decision","retry","updatedToolOutput","updatedMCPToolOutput","classifierContext","worktreePath","action","content"]}

/** What replies to each event depend on, as types. */
export interface RowTypes {
  readonly SessionStart: { merges: 'nothing'; plainStdout: 'context'; canHalt: false; systemMessageTo: 'user'; answerFields: 'additionalContext' | 'initialUserMessage' | 'sessionTitle' | 'watchPaths' | 'reloadSkills'; permissionWords: never }
  readonly Setup: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly InstructionsLoaded: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly UserPromptSubmit: { merges: 'block'; plainStdout: 'context'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext' | 'sessionTitle' | 'suppressOriginalPrompt'; permissionWords: never }
  readonly UserPromptExpansion: { merges: 'block'; plainStdout: 'context'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext' | 'suppressOriginalPrompt'; permissionWords: never }
  readonly MessageDisplay: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'none'; answerFields: 'displayContent'; permissionWords: never }
  readonly PreToolUse: { merges: 'permission'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'permissionDecision' | 'permissionDecisionReason' | 'updatedInput' | 'additionalContext'; permissionWords: 'allow' | 'deny' | 'ask' | 'defer' }
  readonly PermissionRequest: { merges: 'dialog'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'decision'; permissionWords: never }
  readonly PermissionDenied: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'retry'; permissionWords: never }
  readonly PostToolUse: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'updatedToolOutput' | 'updatedMCPToolOutput' | 'additionalContext' | 'classifierContext'; permissionWords: never }
  readonly PostToolUseFailure: { merges: 'block'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly PostToolBatch: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly Notification: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly SubagentStart: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly SubagentStop: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly TaskCreated: { merges: 'block'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly TaskCompleted: { merges: 'block'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly TeammateIdle: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly Stop: { merges: 'block'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly StopFailure: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly ConfigChange: { merges: 'block'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'none'; answerFields: never; permissionWords: never }
  readonly CwdChanged: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'watchPaths'; permissionWords: never }
  readonly DirectoryAdded: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'model'; answerFields: never; permissionWords: never }
  readonly FileChanged: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'none'; answerFields: 'watchPaths'; permissionWords: never }
  readonly WorktreeCreate: { merges: 'exit-code'; plainStdout: 'path'; canHalt: false; systemMessageTo: 'user'; answerFields: 'worktreePath'; permissionWords: never }
  readonly WorktreeRemove: { merges: 'exit-code'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly PreCompact: { merges: 'block'; plainStdout: 'instructions'; canHalt: false; systemMessageTo: 'none'; answerFields: never; permissionWords: never }
  readonly PostCompact: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: never; permissionWords: never }
  readonly PreModelSwitch: { merges: 'permission'; plainStdout: 'verbose'; canHalt: true; systemMessageTo: 'user'; answerFields: 'permissionDecision' | 'permissionDecisionReason'; permissionWords: 'allow' | 'deny' | 'ask' }
  readonly PostModelSwitch: { merges: 'nothing'; plainStdout: 'context'; canHalt: false; systemMessageTo: 'user'; answerFields: 'additionalContext'; permissionWords: never }
  readonly Elicitation: { merges: 'exit-code'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'action' | 'content'; permissionWords: never }
  readonly ElicitationResult: { merges: 'exit-code'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'user'; answerFields: 'action' | 'content'; permissionWords: never }
  readonly SessionEnd: { merges: 'nothing'; plainStdout: 'verbose'; canHalt: false; systemMessageTo: 'none'; answerFields: never; permissionWords: never }
}

// Generated from the schemas in src/protocol by `npm run generate`.
export const commonInput = {"fields":{"session_id":"string","transcript_path":"string","cwd":"string","permission_mode":"string","agent_id":"string"}} as const
export const commonAnswer = {"fields":{"continue":"boolean","stopReason":"string","suppressOutput":"boolean","systemMessage":"string","decision":{"values":["approve","block","allow","deny"]},"reason":"string","async":"boolean","additionalContext":"string","asyncTimeout":"number"}} as const
export const inputs = {
get "SessionStart"() { return {"fields":{"source":"string","model":"string","agent_type":"string"},"required":["source"]} as const },
get "UserPromptSubmit"() { return {"fields":{"prompt":"string"}} as const },
get "PreToolUse"() { return {"fields":{"tool_name":"string","tool_input":{"fields":{}},"tool_use_id":"string"},"required":["tool_name"]} as const },
get "PermissionRequest"() { return {"fields":{"tool_name":"string","tool_input":{"fields":{}},"permission_suggestions":{"list":"any"}},"required":["tool_name"]} as const },
get "PostToolUse"() { return {"fields":{"tool_name":"string","tool_input":{"fields":{}},"tool_use_id":"string","tool_response":"any"},"required":["tool_name"]} as const },
get "PostToolUseFailure"() { return {"fields":{"tool_name":"string","tool_input":{"fields":{}},"tool_use_id":"string","error":"string","is_interrupt":"boolean"},"required":["tool_name"]} as const },
get "Notification"() { return {"fields":{"message":"string","title":"string","notification_type":"string"},"required":["notification_type"]} as const },
get "SubagentStart"() { return {"fields":{"agent_id":"string","agent_type":"string"},"required":["agent_type"]} as const },
get "SubagentStop"() { return {"fields":{"agent_id":"string","agent_type":"string","stop_hook_active":"boolean","agent_transcript_path":"string"},"required":["agent_type"]} as const },
get "Stop"() { return {"fields":{"stop_hook_active":"boolean"}} as const },
get "TeammateIdle"() { return {"fields":{"teammate_name":"string","team_name":"string"}} as const },
get "TaskCompleted"() { return {"fields":{"task_id":"string","task_subject":"string","task_description":"string","teammate_name":"string","team_name":"string"}} as const },
get "PreCompact"() { return {"fields":{"trigger":"string","custom_instructions":"string"},"required":["trigger"]} as const },
get "SessionEnd"() { return {"fields":{"reason":"string"},"required":["reason"]} as const },
}
export const answers = {
get "SessionStart"() { return {"fields":{"hookEventName":{"values":["SessionStart"]},"additionalContext":"string"},"required":["hookEventName"]} as const },
get "UserPromptSubmit"() { return {"fields":{"hookEventName":{"values":["UserPromptSubmit"]},"decision":{"values":["approve","block","allow","deny"]},"reason":"string","additionalContext":"string"},"required":["hookEventName"]} as const },
get "PreToolUse"() { return {"fields":{"hookEventName":{"values":["PreToolUse"]},"permissionDecision":{"values":["allow","deny","ask"]},"permissionDecisionReason":"string","updatedInput":{"each":"any"},"additionalContext":"string"},"required":["hookEventName"]} as const },
get "PermissionRequest"() { return {"fields":{"hookEventName":{"values":["PermissionRequest"]},"decision":{"fields":{"behavior":{"values":["allow","deny"]},"updatedInput":{"each":"any"},"updatedPermissions":{"list":{"fields":{}}},"message":"string","interrupt":"boolean"},"required":["behavior"]}},"required":["hookEventName"]} as const },
get "PostToolUse"() { return {"fields":{"hookEventName":{"values":["PostToolUse"]},"updatedMCPToolOutput":"any","additionalContext":"string"},"required":["hookEventName"]} as const },
get "PostToolUseFailure"() { return {"fields":{"hookEventName":{"values":["PostToolUseFailure"]},"additionalContext":"string"},"required":["hookEventName"]} as const },
get "Notification"() { return {"fields":{"hookEventName":{"values":["Notification"]},"additionalContext":"string"},"required":["hookEventName"]} as const },
get "SubagentStart"() { return {"fields":{"hookEventName":{"values":["SubagentStart"]},"additionalContext":"string"},"required":["hookEventName"]} as const },
get "SubagentStop"() { return {"fields":{"hookEventName":{"values":["SubagentStop"]}},"required":["hookEventName"]} as const },
get "Stop"() { return {"fields":{"hookEventName":{"values":["Stop"]}},"required":["hookEventName"]} as const },
get "TeammateIdle"() { return {"fields":{"hookEventName":{"values":["TeammateIdle"]}},"required":["hookEventName"]} as const },
get "TaskCompleted"() { return {"fields":{"hookEventName":{"values":["TaskCompleted"]}},"required":["hookEventName"]} as const },
get "PreCompact"() { return {"fields":{"hookEventName":{"values":["PreCompact"]}},"required":["hookEventName"]} as const },
get "SessionEnd"() { return {"fields":{"hookEventName":{"values":["SessionEnd"]}},"required":["hookEventName"]} as const },
}

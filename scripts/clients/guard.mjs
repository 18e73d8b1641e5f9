// The hook of the project that every client works in, written for Claude Code. What it does depends on the call alone.
import { appendFileSync, existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'

const given = JSON.parse(await text(process.stdin))
const { hook_event_name: event, tool_name: tool, tool_input: input = {} } = given
appendFileSync(`${process.env.CLAUDE_PROJECT_DIR}/hook-inputs.jsonl`, `${JSON.stringify(given)}\n`)

const answer = (specific) => console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: event, ...specific } }))
const block = (reason) => {
  process.stderr.write(reason)
  process.exitCode = 2
}

const onCommand = {
  'deny-me': () => block('reason-of-the-command'),
  '.secret': () => block('reason-of-the-secret-in-a-command'),
  'ask-me': () => answer({ permissionDecision: 'ask', permissionDecisionReason: 'reason-of-the-question' }),
  'defer-me': () => answer({ permissionDecision: 'defer', permissionDecisionReason: 'reason-of-the-deferral' }),
  'halt-before-me': () => console.log(JSON.stringify({ continue: false, stopReason: 'reason-of-the-halt' })),
  'fail-for-me': () => process.exit(3),
  'change-me': () => answer({ updatedInput: { ...input, command: 'echo changed > changed.txt' } }),
}

const onEvent = {
  SessionStart: () => answer({ additionalContext: 'context-of-SessionStart' }),
  UserPromptSubmit: () =>
    existsSync('no-prompts')
      ? block('reason-of-the-prompt')
      : answer({ additionalContext: 'context-of-UserPromptSubmit' }),
  PreToolUse: () => {
    const act = tool === 'Bash' && Object.keys(onCommand).find((part) => input.command.includes(part))
    if (act) return onCommand[act]()
    if (/secret|protected/.test(input.file_path)) return block(`reason-of-the-secret-in-${tool}`)
    return answer({ additionalContext: 'context-of-PreToolUse' })
  },
  PostToolUse: () =>
    input.command?.includes('halt-after-me')
      ? console.log(JSON.stringify({ continue: false, stopReason: 'reason-of-the-halt' }))
      : answer({ additionalContext: 'context-of-PostToolUse' }),
  Stop: () => existsSync('keep-going') && block('reason-to-go-on'),
}

onEvent[event]?.()

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

/** What a Persian word holds, and what cannot be seen. */
const [NON_JOINER, ZERO_WIDTH_SPACE] = ['\u200c', '\u200b']

const onCommand = {
  'quote-me': () => block(`reason-of-the-quote: ${input.command}`),
  'persian-me': () => block(`reason${NON_JOINER}of-the-Persian`),
  'hide-in-me': () =>
    answer({ updatedInput: { ...input, command: `printf 'hidden${ZERO_WIDTH_SPACE}' > hidden.txt; :` } }),
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
    const { host: _, ...shown } = given
    if (tool === 'Bash' && /secrets/.test(JSON.stringify(shown))) return block('reason-of-the-folder')
    if (tool.startsWith('mcp__')) return block(`reason-of-the-server-for-${tool.split('__').at(-1)}`)
    const path = [input.file_path, input.notebook_path, input.path].join()
    const isGuarded = tool === 'Read' ? /secret/ : /secret|protected/
    if (isGuarded.test(path)) return block(`reason-of-the-secret-in-${tool}`)
    return answer({ additionalContext: 'context-of-PreToolUse' })
  },
  PostToolUse: () => {
    if (input.command?.includes('halt-after-me'))
      return console.log(JSON.stringify({ continue: false, stopReason: 'reason-of-the-halt' }))
    const hidden = input.command?.includes('hidden-context') ? ` context-of-the-hidden${NON_JOINER}` : ''
    return answer({ additionalContext: `context-of-PostToolUse${hidden}` })
  },
  Stop: () => existsSync('keep-going') && block('reason-to-go-on'),
}

onEvent[event]?.()

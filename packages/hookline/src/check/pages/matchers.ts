import { type Example, type RulePage, settings } from '../rules/example.ts'

const ECHO = { type: 'command', command: 'echo called' }

/** A hook on tool calls under this matcher. */
const matching = (matcher: string): Example => settings({ PreToolUse: [{ matcher, hooks: [ECHO] }] })

/** Rules about matchers. */
export const matcherPages = {
  'V-HK-09': {
    title: 'The matcher compiles',
    why: 'A matcher that is neither a valid regular expression nor a valid expression matches nothing, and its hooks are set aside. Regular expressions are those of RE2: they have no look-around and no back-references. Expressions such as tool == "Bash" work here only: in Claude Code they match nothing, and with || in them everything. A plain name as matcher, and a hook that looks at the input, works in both.',
    bad: matching('Edit('),
    good: matching('Edit|Write'),
  },
  'V-HK-18': {
    title: 'The matcher matches a known tool or value',
    why: 'Names are exact and case-sensitive, and a matcher sees the name only, not the input. One that matches nothing known is most likely misspelt, and its hooks never run. MCP tools are named mcp__server__tool.',
    bad: matching('bash'),
    good: matching('Bash|mcp__memory__store'),
  },
  'V-HK-19': {
    title: 'No matcher on an event that takes none',
    why: 'It is ignored: the hooks run every time, whatever it says.',
    bad: settings({ Stop: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'echo done' }] }] }),
    good: settings({ Stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
  },
  'V-HK-30': {
    title: 'No empty name in a list of names',
    why: 'An empty name is ignored; it does not mean "everything". Most likely a name is missing.',
    bad: matching('Edit|'),
    good: matching('Edit|Write'),
  },
} as const satisfies Record<string, RulePage>

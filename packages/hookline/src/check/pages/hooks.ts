import { type Example, type RulePage, settings } from '../rules/example.ts'

/** A group on tool calls with these hooks. */
const group = (...hooks: readonly object[]): Example => settings({ PreToolUse: [{ matcher: 'Bash', hooks }] })

/** Rules about how events, groups and hooks are written. */
export const hookPages = {
  'V-HK-03': {
    title: 'Every event name is one of the protocol',
    why: 'Names are case-sensitive, and hooks under a name that is not an event never run. In the frontmatter of skills, agents and slash commands only PreToolUse, PostToolUse and Stop count.',
    bad: settings({ PostToolUsed: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
    good: settings({ PostToolUse: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
  },
  'V-HK-04': {
    title: 'Every group has a "hooks" list',
    why: 'Under an event stands a list of groups, and every group has a list of hooks, even if it is only one. Hooks that are not in a list are not found. (A group that is a command hook itself, {"matcher", "command"}, is understood here; in Claude Code it keeps every hook of the file from running.)',
    bad: settings({ PreToolUse: [{ matcher: 'Bash', hooks: { type: 'command', command: 'echo called' } }] }),
    good: group({ type: 'command', command: 'echo called' }),
  },
  'V-HK-05': {
    title: 'Every hook has a known type',
    why: 'A hook without "type", or with an unknown one, is set aside. "http" and "mcp_tool" are hook types of the profile "current" and never run here.',
    bad: group({ type: 'commnad', command: 'echo called' }),
    good: group({ type: 'command', command: 'echo called' }),
  },
  'V-HK-08': {
    title: 'Prompt and agent hooks have a "prompt"',
    why: 'Without a prompt there is nothing to ask the model. $ARGUMENTS in it stands for the event; without it, the event is put behind the prompt.',
    bad: group({ type: 'prompt' }),
    good: group({ type: 'prompt', prompt: 'Is this harmless? $ARGUMENTS' }),
  },
  'V-HK-12': {
    title: '"timeout" is a positive number of seconds',
    why: 'A value that is not a positive number means the default. A value from 1000 on most likely was meant in milliseconds, and lets a hook that hangs hold up the agent for hours.',
    bad: group({ type: 'command', command: 'echo called', timeout: 30000 }),
    good: group({ type: 'command', command: 'echo called', timeout: 30 }),
  },
  'V-HK-13': {
    title: '"statusMessage" is a text',
    why: 'It is shown while the hook runs. Anything but a text is ignored.',
    bad: group({ type: 'command', command: 'echo called', statusMessage: 7 }),
    good: group({ type: 'command', command: 'echo called', statusMessage: 'Looking' }),
  },
  'V-HK-14': {
    title: '"once" is true or false, and used in skills and slash commands only',
    why: 'Elsewhere it is ignored, and the hook runs each time. For something that happens once a session, use SessionStart.',
    bad: group({ type: 'command', command: 'echo called', once: true }),
    good: {
      '.claude/skills/greet/SKILL.md': `---
name: greet
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: echo called
          once: true
---

Greet the user.
`,
    },
  },
  'V-HK-15': {
    title: '"async" is true or false, and on command hooks only',
    why: 'A hook that asks a model is always waited for; the field is ignored there.',
    bad: group({ type: 'prompt', prompt: 'Is this harmless?', async: true }),
    good: group({ type: 'command', command: 'echo called', async: true }),
  },
  'V-HK-16': {
    title: 'No unknown field on a hook',
    why: 'The hook still runs, but not as it was meant: a misspelt "timeout" leaves the default, a "matcher" on a hook restricts nothing.',
    bad: group({ type: 'command', command: 'echo called', timeuot: 5 }),
    good: group({ type: 'command', command: 'echo called', timeout: 5 }),
  },
  'V-HK-17': {
    title: 'No unknown field on a group',
    why: 'A group has "matcher", "description" and "hooks". With a misspelt "matcher" its hooks run for everything.',
    bad: settings({
      PreToolUse: [
        {
          match: 'Bash',
          hooks: [{ type: 'command', command: 'echo called' }],
        },
      ],
    }),
    good: group({ type: 'command', command: 'echo called' }),
  },
  'V-HK-23': {
    title: 'No hook is there twice',
    why: 'Hooks of one event that run the same thing run once when both their matchers match. The second one does nothing; it only hides which of the two counts.',
    bad: group({ type: 'command', command: 'echo called' }, { type: 'command', command: 'echo called' }),
    good: group({ type: 'command', command: 'echo called' }),
  },
  'V-HK-25': {
    title: 'No field of another profile',
    why: 'Newer agents, Claude Code among them, know more fields. "if", "args", "shell", "url", "server" and "tool" say what is started or whether it is; they need the profile "current", and a hook that has one does not run here. Fields such as "asyncRewake" are ignored. What works in both: a matcher with the name of the tool, and a hook that looks at the input itself. An expression as matcher restricts a hook here, but in Claude Code it matches nothing. "onFailure" works everywhere.',
    bad: group({ type: 'command', command: 'echo called', if: 'Bash(git push *)' }),
    good: group({ type: 'command', command: "if grep -q 'git push'; then echo called; fi" }),
  },
  'V-HK-29': {
    title: '"model" is a text',
    why: "Anything else is ignored, and the host's small fast model answers.",
    bad: group({ type: 'prompt', prompt: 'Is this harmless?', model: 4 }),
    good: group({ type: 'prompt', prompt: 'Is this harmless?', model: 'small' }),
  },
  'V-HK-31': {
    title: 'Hooks that ask a model stand on events that lend one',
    why: 'On some events only commands run: the host does not wait for a model, or has none any more.',
    bad: settings({ SessionEnd: [{ hooks: [{ type: 'prompt', prompt: 'How was it?' }] }] }),
    good: settings({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is everything done?' }] }] }),
  },
} as const satisfies Record<string, RulePage>

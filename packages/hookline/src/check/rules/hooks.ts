import { isFault } from '../../config/hook.ts'
import { GROUP_FIELDS } from '../../config/read-hooks.ts'
import { mayRun } from '../../config/standing.ts'
import { fieldElsewhere, fieldsInFiles, typesInFiles } from '../../protocol/hook-fields.ts'
import { nearest } from '../../text/nearest.ts'
import { type Examined, type Remark, type Rule, reported } from '../rule.ts'
import { renamed, replaced } from '../text-edit.ts'
import { group, settings } from './example.ts'

/** Rules about how events, groups and hooks are written. */
export const hookRules: readonly Rule[] = [
  {
    ...reported('V-HK-03'),
    page: {
      title: 'Every event name is one of the protocol',
      why: 'Names are case-sensitive, and hooks under a name that is not an event never run. In the frontmatter of skills, agents and slash commands only PreToolUse, PostToolUse and Stop count.',
      bad: settings({ PostToolUsed: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
      good: settings({ PostToolUse: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
    },
    fix(field, { text, profile }) {
      const same = [...profile.events.keys()].filter((event) => event.toLowerCase() === field.name.toLowerCase())
      return same.length === 1 ? renamed(field, same[0], text) : null
    },
  },
  {
    ...reported('V-HK-04'),
    page: {
      title: 'Every group has a "hooks" list',
      why: 'Under an event stands a list of groups, and every group has a list of hooks, even if it is only one. Hooks that are not in a list are not found. (A group that is a command hook itself, {"matcher", "command"}, is understood here; in Claude Code it keeps every hook of the file from running.)',
      bad: settings({ PreToolUse: [{ matcher: 'Bash', hooks: { type: 'command', command: 'echo called' } }] }),
      good: group({ type: 'command', command: 'echo called' }),
    },
  },
  {
    ...reported('V-HK-05'),
    page: {
      title: 'Every hook has a known type',
      why: 'A hook without "type", or with an unknown one, is set aside. "http" and "mcp_tool" are hook types of the profile "current" and never run here.',
      bad: group({ type: 'commnad', command: 'echo called' }),
      good: group({ type: 'command', command: 'echo called' }),
    },
    find: typesOfOtherProfiles,
    fix({ name, node }, { text, profile }) {
      const near = typeof node.value === 'string' ? nearest(node.value, typesInFiles(profile.hookTypes)) : undefined
      return name === 'type' && near !== undefined ? replaced(node, JSON.stringify(near), text) : null
    },
  },
  {
    ...reported('V-HK-08'),
    page: {
      title: 'Prompt and agent hooks have a "prompt"',
      why: 'Without a prompt there is nothing to ask the model. $ARGUMENTS in it stands for the event; without it, the event is put behind the prompt.',
      bad: group({ type: 'prompt' }),
      good: group({ type: 'prompt', prompt: 'Is this harmless? $ARGUMENTS' }),
    },
  },
  {
    ...reported('V-HK-12'),
    page: {
      title: '"timeout" is a positive number of seconds',
      why: 'A value that is not a positive number means the default. A value from 1000 on most likely was meant in milliseconds, and lets a hook that hangs hold up the agent for hours.',
      bad: group({ type: 'command', command: 'echo called', timeout: 30000 }),
      good: group({ type: 'command', command: 'echo called', timeout: 30 }),
    },
    fix({ node }, { text }) {
      const wholeSeconds = typeof node.value === 'number' && node.value >= 1000 && node.value % 1000 === 0
      return wholeSeconds ? replaced(node, String(Number(node.value) / 1000), text) : null
    },
  },
  {
    ...reported('V-HK-13'),
    page: {
      title: '"statusMessage" is a string',
      why: 'It is shown while the hook runs. Anything but a string is ignored.',
      bad: group({ type: 'command', command: 'echo called', statusMessage: 7 }),
      good: group({ type: 'command', command: 'echo called', statusMessage: 'Looking' }),
    },
  },
  {
    ...reported('V-HK-14'),
    page: {
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
  },
  {
    ...reported('V-HK-15'),
    page: {
      title: '"async" is true or false, and on command hooks only',
      why: 'A hook that asks a model is always waited for; the field is ignored there.',
      bad: group({ type: 'prompt', prompt: 'Is this harmless?', async: true }),
      good: group({ type: 'command', command: 'echo called', async: true }),
    },
  },
  {
    ...reported('V-HK-16'),
    page: {
      title: 'No unknown field on a hook',
      why: 'The hook still runs, but not as it was meant: a misspelt "timeout" leaves the default, a "matcher" on a hook restricts nothing.',
      bad: group({ type: 'command', command: 'echo called', timeuot: 5 }),
      good: group({ type: 'command', command: 'echo called', timeout: 5 }),
    },
    fix(field, { text, profile }) {
      if (fieldElsewhere(field.name, profile.name)) return null
      return renamed(field, nearest(field.name, fieldsInFiles(profile.hookTypes).keys()), text)
    },
  },
  {
    ...reported('V-HK-17'),
    page: {
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
    fix: (field, { text }) => renamed(field, nearest(field.name, GROUP_FIELDS), text),
  },
  {
    ...reported('V-HK-25'),
    page: {
      title: 'No field of another profile',
      why: 'Newer agents, Claude Code among them, know more fields. "if", "args", "shell", "url", "server" and "tool" say what is started or whether it is; they need the profile "current", and a hook that has one does not run here. Fields such as "asyncRewake" are ignored. What works in both: a matcher with the name of the tool, and a hook that looks at the input itself. An expression as matcher restricts a hook here, but in Claude Code it matches nothing. "onFailure" works everywhere.',
      bad: group({ type: 'command', command: 'echo called', if: 'Bash(git push *)' }),
      good: group({ type: 'command', command: "if grep -q 'git push'; then echo called; fi" }),
    },
    find: adviceOnOtherFields,
  },
  {
    ...reported('V-HK-29'),
    page: {
      title: '"model" is a string',
      why: "Anything else is ignored, and the host's small fast model answers.",
      bad: group({ type: 'prompt', prompt: 'Is this harmless?', model: 4 }),
      good: group({ type: 'prompt', prompt: 'Is this harmless?', model: 'small' }),
    },
  },
  {
    id: 'V-HK-31',
    severity: 'warning',
    page: {
      title: 'Hooks that ask a model stand on events that lend one',
      why: 'On some events only commands run: the host does not wait for a model, or has none any more.',
      bad: settings({ SessionEnd: [{ hooks: [{ type: 'prompt', prompt: 'How was it?' }] }] }),
      good: settings({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is everything done?' }] }] }),
    },
    find: modelsThatAreNotLent,
  },
]

function typesOfOtherProfiles({ entry: { hook, node, profile } }: Examined): Remark[] {
  const { handler, written } = hook
  const isTypeHere = written.type !== null && Object.hasOwn(profile.hookTypes, written.type)
  if (!isFault(handler) || handler.verdict !== 'unsupported' || handler.elsewhere === null || isTypeHere) return []
  const place = node.fields?.get('type')?.node ?? node
  const message = `"${written.type}" is a hook type of the profile "${handler.elsewhere.profile}"; here the hook never runs.`
  return [{ place, message }]
}

/** What to do about fields that only another profile has. */
const ADVICE: Readonly<Record<string, string>> = {
  if: 'test the input in the hook itself, which works in every client. An expression as matcher works here, but in Claude Code it matches nothing.',
  args: 'write the arguments into "command", quoted as for a shell.',
  shell: 'leave it out, and sh runs the command; or call the other shell in the command.',
  url: 'let a command send the event, such as curl --data @-.',
  server: 'let a command call the tool.',
  tool: 'let a command call the tool.',
  asyncRewake: 'use "async", and look at what it said at the next turn; nothing wakes the model here.',
  continueOnBlock: 'use a command hook where a block must not end the turn.',
}

function adviceOnOtherFields({ entry: { hook, node, profile } }: Examined): Remark[] {
  if (isFault(hook.handler) && hook.handler.verdict === 'invalid') return []
  const own = fieldsInFiles(profile.hookTypes)
  return [...(node.fields ?? [])]
    .filter(([name]) => !own.has(name) && Object.hasOwn(ADVICE, name))
    .map(([name, { key }]) => ({ place: key, message: `Instead of "${name}": ${ADVICE[name]}` }))
}

function modelsThatAreNotLent({ entry: { hook, row, node } }: Examined): Remark[] {
  if (isFault(hook.handler) || mayRun(hook.handler, row)) return []
  const place = node.fields?.get('type')?.node ?? node
  return [{ place, message: `${hook.written.type} hooks do not run for ${row.name}. Use a command hook.` }]
}

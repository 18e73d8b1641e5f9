import { isFault } from '../../config/hook.ts'
import { GROUP_FIELDS } from '../../config/read-hooks.ts'
import type { SourceNode } from '../../config/source.ts'
import { canRun } from '../../config/standing.ts'
import { findFieldElsewhere, listFieldsInFiles, listTypesInFiles } from '../../protocol/hook-fields.ts'
import type { Profile } from '../../protocol/profile.ts'
import { findNearest } from '../../text/nearest.ts'
import { type ExaminedHook, type FixContext, makeReportedRule, type Remark, type Rule } from '../rule.ts'
import { type Edit, type FoundField, makeRemoval, makeRename, makeReplacement, makeRewrite } from '../text-edit.ts'
import { group, makeSettingsExample } from './example.ts'

/** Rules about how events, groups and hooks are written. */
export const hookRules: readonly Rule[] = [
  {
    ...makeReportedRule('V-HK-03', 'unknown-event'),
    takesLoss: true,
    page: {
      title: 'Every event name is one of the protocol',
      why: 'Names are case-sensitive, and hooks under a name that is not an event never run. In the frontmatter of skills, agents and slash commands nearly every event counts in Claude Code, under "classic" only PreToolUse, PostToolUse and Stop.',
      bad: makeSettingsExample({ PostToolUsed: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
      good: makeSettingsExample({ PostToolUse: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
    },
    fix(field, { text, profile }) {
      const same = [...profile.events.keys()].filter((event) => event.toLowerCase() === field.name.toLowerCase())
      return same.length === 1 ? makeRename(field, same[0], text) : null
    },
  },
  {
    ...makeReportedRule('V-HK-04', 'missing-hooks-list'),
    takesLoss: true,
    page: {
      title: 'Every group has a "hooks" list',
      why: 'An event has a list of groups, and every group has a list of hooks, even if it is only one. Hooks that are not in a list are not found. (A group that is a command hook itself, {"matcher", "command"}, is understood here; in Claude Code it costs the whole file on PreToolUse and PermissionRequest, and that hook elsewhere.)',
      bad: makeSettingsExample({
        PreToolUse: [{ matcher: 'Bash', hooks: { type: 'command', command: 'echo called' } }],
      }),
      good: group({ type: 'command', command: 'echo called' }),
    },
    fix: ({ node }, { text }) => (node.fields ? makeRewrite(node, [node.value], text) : null),
    fixElement: fixMissingGroup,
  },
  {
    ...makeReportedRule('V-HK-05', 'unknown-hook-type'),
    page: {
      title: 'Every hook has a known type',
      why: 'A hook without "type", or with an unknown one, is set aside. "http" and "mcp_tool" are hook types of the profile "current": under "classic" they never run.',
      bad: group({ type: 'commnad', command: 'echo called' }),
      good: group({ type: 'command', command: 'echo called' }),
    },
    fix({ name, node }, { text, profile }) {
      const near =
        typeof node.value === 'string' ? findNearest(node.value, listTypesInFiles(profile.hookTypes)) : undefined
      return name === 'type' && near !== undefined ? makeReplacement(node, JSON.stringify(near), text) : null
    },
    fixElement(node, { text, profile }) {
      const type = readType(node, profile)
      return type === null || node.fields?.has('type') ? null : makeRewrite(node, { type, ...readObject(node) }, text)
    },
  },
  {
    ...makeReportedRule('V-HK-08', 'missing-prompt'),
    page: {
      title: 'Prompt and agent hooks have a "prompt"',
      why: 'Without a prompt there is nothing to ask the model. $ARGUMENTS in it stands for the event; without it, the event is appended to the prompt.',
      bad: group({ type: 'prompt' }),
      good: group({ type: 'prompt', prompt: 'Is this harmless? $ARGUMENTS' }),
    },
  },
  {
    ...makeReportedRule('V-HK-12', 'invalid-timeout'),
    page: {
      title: '"timeout" is a positive number of seconds',
      why: 'A value that is not a positive number means the default. A value of thousands most likely was meant in milliseconds, and lets a hook that hangs hold up the agent for hours.',
      bad: group({ type: 'command', command: 'echo called', timeout: 30000 }),
      good: group({ type: 'command', command: 'echo called', timeout: 30 }),
    },
    fix({ node }, { text }) {
      const wholeSeconds = typeof node.value === 'number' && node.value >= 1000 && node.value % 1000 === 0
      return wholeSeconds ? makeReplacement(node, String(Number(node.value) / 1000), text) : null
    },
  },
  {
    ...makeReportedRule('V-HK-13', 'invalid-status-message'),
    page: {
      title: '"statusMessage" is a string',
      why: 'It is shown while the hook runs. Anything but a string is ignored.',
      bad: group({ type: 'command', command: 'echo called', statusMessage: 7 }),
      good: group({ type: 'command', command: 'echo called', statusMessage: 'Looking' }),
    },
  },
  {
    ...makeReportedRule('V-HK-14', 'misplaced-once'),
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
    fix: (field, { text }) => (field.name === 'once' && field.node.value === true ? makeRemoval(field, text) : null),
  },
  {
    ...makeReportedRule('V-HK-15', 'misplaced-async'),
    page: {
      title: '"async" is true or false, and on command hooks only',
      why: 'A hook that asks a model is always waited for; the field is ignored there.',
      bad: group({ type: 'prompt', prompt: 'Is this harmless?', async: true }),
      good: group({ type: 'command', command: 'echo called', async: true }),
    },
    fix: (field, { text }) => (field.name === 'async' && !isCommand(field) ? makeRemoval(field, text) : null),
  },
  {
    ...makeReportedRule('V-HK-16', 'unknown-hook-field'),
    page: {
      title: 'No unknown field on a hook',
      why: 'The hook still runs, but not as it was meant: a misspelt "timeout" leaves the default, a "matcher" on a hook restricts nothing. Under the profile "current" a field of another hook type is unknown too. A field that only another profile has is named as such: under "classic" a hook with "if", "args", "shell", "url", "server" or "tool" does not run, since without them something else would be started. Choose the profile with hookline profile, or write what both understand: test the input in the hook itself instead of "if", put arguments into "command". (An expression as matcher works under "classic" only; in Claude Code it matches nothing.)',
      bad: group({ type: 'command', command: 'echo called', timeuot: 5 }),
      good: group({ type: 'command', command: 'echo called', timeout: 5 }),
    },
    fix(field, { text, profile, rowOf }) {
      if (listFieldsInFiles(profile.hookTypes).has(field.name)) return fixNearValue(field, { text, profile, rowOf })
      if (findFieldElsewhere(field.name, profile.name)) return null
      return makeRename(field, findNearest(field.name, listFieldsInFiles(profile.hookTypes).keys()), text)
    },
  },
  {
    ...makeReportedRule('V-HK-17', 'unknown-group-field'),
    page: {
      title: 'No unknown field on a group',
      why: 'A group has "matcher", "description" and "hooks". With a misspelt "matcher" its hooks run for everything.',
      bad: makeSettingsExample({
        PreToolUse: [
          {
            match: 'Bash',
            hooks: [{ type: 'command', command: 'echo called' }],
          },
        ],
      }),
      good: group({ type: 'command', command: 'echo called' }),
    },
    fix: (field, { text }) => makeRename(field, findNearest(field.name, GROUP_FIELDS), text),
  },
  {
    ...makeReportedRule('V-HK-25', 'misplaced-on-failure'),
    page: {
      title: '"onFailure" is "continue" or "block", and used where a failure can block',
      why: 'With "block", a hook that fails or takes too long blocks what it guards. It has no effect on an event that cannot be blocked, or that could then never end, and in the background. Under the profile "current", as in Claude Code, only command and http hooks have it, and another value makes the hook one that cannot run.',
      bad: makeSettingsExample({ Stop: [{ hooks: [{ type: 'command', command: 'npm test', onFailure: 'block' }] }] }),
      good: group({ type: 'command', command: 'grep -q safe', onFailure: 'block' }),
    },
    fix(field, fixing) {
      if (field.name !== 'onFailure') return null
      const values = listFieldValues(field.name, fixing.profile)
      return values.includes(field.node.value) ? makeRemoval(field, fixing.text) : fixNearValue(field, fixing) // the field does nothing there
    },
  },
  {
    ...makeReportedRule('V-HK-29', 'invalid-model'),
    page: {
      title: '"model" is a string',
      why: "Anything else is ignored, and the host's small fast model answers.",
      bad: group({ type: 'prompt', prompt: 'Is this harmless?', model: 4 }),
      good: group({ type: 'prompt', prompt: 'Is this harmless?', model: 'small' }),
    },
  },
  {
    id: 'V-HK-31',
    name: 'type-cannot-run',
    severity: 'warning',
    page: {
      title: 'Hooks that ask a model are on events that provide one',
      why: 'On some events only commands run, or only commands and servers: the host does not wait for a model, or has none any more.',
      bad: makeSettingsExample({ SessionEnd: [{ hooks: [{ type: 'prompt', prompt: 'How was it?' }] }] }),
      good: makeSettingsExample({ Stop: [{ hooks: [{ type: 'prompt', prompt: 'Is everything done?' }] }] }),
    },
    find: findUnlentModels,
  },
]

/** The value of a field that is one of a few, instead of one that is hardly another. */
function fixNearValue({ name, node }: FoundField, { text, profile }: FixContext): Edit | null {
  const near =
    typeof node.value === 'string' ? findNearest(node.value, listFieldValues(name, profile).map(String)) : undefined
  return near === undefined ? null : makeReplacement(node, JSON.stringify(near), text)
}

/** The values that a field may have, where they are listed. */
function listFieldValues(name: string, { hookTypes }: Pick<Profile, 'hookTypes'>): readonly unknown[] {
  const shape = listFieldsInFiles(hookTypes).get(name)?.shape
  return typeof shape === 'object' && 'values' in shape ? shape.values : []
}

/** A hook that stands where its group should, in a group of its own. */
function fixMissingGroup(node: SourceNode, { text, profile }: FixContext): Edit | null {
  const type = readType(node, profile)
  if (type === null || node.fields?.has('hooks')) return null
  const members = Object.entries(readObject(node))
  const ofGroup = members.filter(([name]) => GROUP_FIELDS.includes(name))
  const ofHook = members.filter(([name]) => !GROUP_FIELDS.includes(name))
  const hook = { type, ...Object.fromEntries(ofHook) }
  return makeRewrite(node, { ...Object.fromEntries(ofGroup), hooks: [hook] }, text)
}

/** The type of a hook as it is written, or the only one that has its fields. */
function readType({ fields }: SourceNode, { hookTypes }: Pick<Profile, 'hookTypes'>): string | null {
  const named = fields?.get('type')?.node.value
  const types = listTypesInFiles(hookTypes)
  if (named !== undefined) return types.find((type) => type === named) ?? null
  const [type, ...others] = types.filter((one) => hookTypes[one]?.required.every((name) => fields?.has(name)))
  return type === undefined || others.length > 0 ? null : type
}

const readObject = ({ fields }: SourceNode): Record<string, unknown> =>
  Object.fromEntries([...(fields ?? [])].map(([name, { node }]) => [name, node.value]))

/** True if a field stands on a hook that may be one of those that it is for. */
function isCommand({ object }: FoundField): boolean {
  return object.fields?.has('command') === true
}

function findUnlentModels({ entry: { hook, row, node } }: ExaminedHook): Remark[] {
  if (isFault(hook.handler) || canRun(hook.handler, row)) return []
  const place = node.fields?.get('type')?.node ?? node
  return [{ place, message: `${hook.written.type} hooks do not run for ${row.name}. Use a command hook.` }]
}

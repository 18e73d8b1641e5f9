import { isCommentKey } from '../../config/read-hooks.ts'
import type { SourceField, SourceNode } from '../../config/source.ts'
import { isGuardingCalls } from '../../protocol/event-row.ts'
import { describeOwner, findOtherProfile } from '../../protocol/other-profiles.ts'
import { listSettings } from '../../protocol/setting-keys.ts'
import { SET_ASIDE, unwrapEntry } from '../../protocol/wrapped-command.ts'
import { clipName } from '../../text/nearest.ts'
import { type ExaminedHook, makeReportedRule, type Remark, type Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { group, makeMatchingExample, makeSettingsExample } from './example.ts'

/** Rules about what one client understands and another does not. */
export const clientRules: readonly Rule[] = [
  {
    ...makeReportedRule('V-HK-32', 'unsupported-pattern'),
    page: {
      title: 'A pattern that Claude Code takes works here too',
      why: 'Patterns come from files that others wrote, so their time must be linear: they are those of RE2 with look-ahead and look-behind, and without back-references. A hook whose matcher has one is set aside here, although Claude Code runs it.',
      profile: 'current',
      bad: makeMatchingExample('^(mcp)__\\1'),
      good: makeMatchingExample('^(?!mcp__)'),
    },
  },
  {
    id: 'V-HK-33',
    name: 'comment-key',
    severity: 'note',
    page: {
      title: 'Keys that only people read are ignored',
      why: 'As in Claude Code, "id", "name", "description" and keys that begin with "_", "#" or "//" mean nothing on a hook, on a group and among the events. They do no harm.',
      bad: group({ type: 'command', command: 'echo called', id: 'first' }),
      good: group({ type: 'command', command: 'echo called', statusMessage: 'Looking' }),
    },
    findInFile: findCommentKeys,
    oncePerFile: true,
  },
  {
    id: 'V-HK-34',
    name: 'hookline-only',
    severity: 'note',
    takesLoss: true,
    page: {
      title: 'Claude Code runs the hook too',
      why: 'Expressions and hooks without a group work under the profile "classic" only. In Claude Code an expression is a pattern that matches nothing, or everything when || is in it, and a hook without a group costs the whole file on PreToolUse and PermissionRequest, and itself elsewhere. What works in both: the name of the tool as matcher, and a hook that looks at the input; under "current" a rule on the hook, such as "if": "Bash(git *)".',
      bad: makeMatchingExample('tool_input.command matches "^git "'),
      good: makeMatchingExample('Bash'),
    },
    find: (one) => [...noteExpressions(one), ...noteFlatHooks(one)],
  },
  {
    id: 'V-HK-37',
    name: 'setting-of-other-profile',
    severity: 'warning',
    page: {
      title: 'No setting of another profile',
      why: 'A setting that only another profile knows does nothing. Under "classic" there are no http hooks, so no list of the addresses that they may ask.',
      bad: makeSettingsExample({}, { allowedHttpHookUrls: ['http://127.0.0.1:9090/*'] }),
      good: makeSettingsExample({}, { disableAllHooks: false }),
    },
    findInFile: findSettingsOfOthers,
  },
]

/** Keys on hooks, on groups and among the events that mean nothing to anyone but people. */
function findCommentKeys({ root, profile }: Subject): Remark[] {
  const events = root?.fields?.get('hooks')?.node
  const groups = [...(events?.fields ?? [])].flatMap(([, { node }]) => node.items ?? [])
  const hooks = groups.flatMap(({ fields }) => fields?.get('hooks')?.node.items ?? [])
  const isMeant = (name: string): boolean => profile.events.has(name)
  return [
    ...listKeys(events).filter(([name]) => !isMeant(name)),
    ...listKeys(...groups).filter(([name]) => name !== 'description'),
    ...hooks.flatMap((hook) => listKeys(hook).filter(([name]) => name !== SET_ASIDE || !isWrappedProgram(hook))),
  ]
    .filter(([name]) => isCommentKey(name))
    .map(([name, { key }]) => ({ place: key, message: `"${clipName(name)}" is for people alone: it is ignored.` }))
}

/** True if `hookline wrap install` has put the arguments of a hook aside, which it will need again. */
function isWrappedProgram({ value }: SourceNode): boolean {
  return typeof value === 'object' && value !== null && unwrapEntry({ ...value })?.args !== undefined
}

function listKeys(...nodes: readonly (SourceNode | undefined)[]): [string, SourceField][] {
  return nodes.flatMap((node) => [...(node?.fields ?? [])])
}

function noteExpressions({ entry: { hook, group: written } }: ExaminedHook): Remark[] {
  const { matcher, matcherText } = hook
  if (matcher.kind !== 'expression') return []
  const matches = matcherText?.includes('||') ? 'everything' : 'nothing'
  const message = `Claude Code has no expressions: there this matcher matches ${matches}. Match the name of the tool, and look at the input in the hook, or use the profile "current" and a rule on the hook: "if": "Bash(git *)".`
  return [{ place: written.fields?.get('matcher')?.node ?? written, message }]
}

function noteFlatHooks({ entry: { group: written, node, row } }: ExaminedHook): Remark[] {
  if (node !== written || node.fields?.has('hooks') !== false) return []
  const cost = isGuardingCalls(row)
    ? 'Claude Code applies nothing of a file that has such a hook outside of a group.'
    : 'Claude Code does not run a hook outside of a group.'
  const message = `${cost} Write { "matcher": …, "hooks": [{ "type": "command", "command": … }] }.`
  return [{ place: node, message }]
}

function findSettingsOfOthers({ root, profile, format, scope }: Subject): Remark[] {
  if (format !== 'json') return []
  const own: readonly string[] = listSettings(profile)
  return [...(root?.fields ?? [])].flatMap(([name, { key }]) => {
    const other = own.includes(name) ? null : findOtherProfile('settings', name, profile.name)
    if (other === null) return []
    const isUsers = !['project', 'local', 'plugin'].includes(scope)
    return [
      { place: key, message: `${describeOwner(other, `"${name}" is a setting`, { profile: profile.name, isUsers })}.` },
    ]
  })
}

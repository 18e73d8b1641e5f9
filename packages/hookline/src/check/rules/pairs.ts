import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isFault } from '../../config/hook.ts'
import type { SourceNode } from '../../config/source.ts'
import { isBelow } from '../../files/paths.ts'
import { DUPLICATES } from '../../match/duplicates.ts'
import { listKnownValues } from '../../pattern/catalogue.ts'
import { canOverlap } from '../../pattern/overlap.ts'
import { SET_ASIDE, unwrapEntry } from '../../protocol/wrapped-command.ts'
import type { ExaminedHook, Example, Rule } from '../rule.ts'
import type { HookEntry, Subject } from '../subject.ts'
import { group, makeSettingsExample } from './example.ts'

/** Rules about hooks that answer the same event. */
export const pairRules: readonly Rule[] = [
  {
    id: 'V-HK-22',
    name: 'conflicting-rewrites',
    severity: 'warning',
    page: {
      title: "Only one hook rewrites a tool's input",
      why: 'Hooks of one event see the same input, and each updatedInput replaces the whole of it: of two, only the last in order counts. Make them one hook, or let their matchers differ.',
      bad: makeRewritingExample('PreToolUse', ['Bash', 'Bash']),
      good: makeRewritingExample('PreToolUse', ['Bash', 'Write']),
    },
    find(one, all) {
      if (!isReplacingInput(one) || findHookTwin(one, all)) return []
      const earlier = all.slice(0, all.indexOf(one)).find((other) => isReplacingInput(other) && canBothRun(one, other))
      if (!earlier) return []
      const message = `It replaces the same input as ${formatPlace(earlier)}; only the last one counts. Make them one hook, or let their matchers differ.`
      return [{ place: findRunNode(one.entry), message }]
    },
  },
  {
    id: 'V-HK-23',
    name: 'duplicate-hook',
    severity: 'warning',
    page: {
      title: 'No hook is configured twice',
      why: 'Hooks of one event that run the same thing run once when both their matchers match. The second one does nothing; it only hides which of the two counts.',
      bad: group({ type: 'command', command: 'echo called' }, { type: 'command', command: 'echo called' }),
      good: group({ type: 'command', command: 'echo called' }),
    },
    find(one, all) {
      const twin = findHookTwin(one, all)
      if (!twin) return []
      const differing = listFieldDifferences(one.entry, twin.entry)
      const message =
        differing.length === 0
          ? `It runs the same as ${formatPlace(twin)}, and together they run once. Remove one of them.`
          : `It runs the same as ${formatPlace(twin)}, with another ${differing.join(', ')}. Together they run once, as strictly as the stricter one says. Remove one of them.`
      return [{ place: findRunNode(one.entry), message }]
    },
  },
]

/** Two hooks that rewrite inputs, each under its matcher. */
function makeRewritingExample(event: string, [one, other]: readonly [string, string]): Example {
  const rewrite = [
    '#!/usr/bin/env node',
    "const updatedInput = { command: 'ls' }",
    `const hookSpecificOutput = { hookEventName: '${event}', updatedInput }`,
    'console.log(JSON.stringify({ hookSpecificOutput }))',
    '',
  ].join('\n')
  return {
    ...makeSettingsExample({
      [event]: [
        { matcher: one, hooks: [{ type: 'command', command: 'node "$CLAUDE_PROJECT_DIR"/dry-run.mjs' }] },
        { matcher: other, hooks: [{ type: 'command', command: 'node "$CLAUDE_PROJECT_DIR"/quiet.mjs' }] },
      ],
    }),
    'dry-run.mjs': rewrite,
    'quiet.mjs': rewrite,
  }
}

/** The hook that makes another one superfluous: policy's, or the earliest that runs the same. */
function findHookTwin(one: ExaminedHook, all: readonly ExaminedHook[]): ExaminedHook | null {
  if (isFault(one.entry.hook.handler)) return null
  const [first, ...others] = all.filter((other) => other.runs === one.runs && canBothRun(one, other))
  if (!first) return null
  const { kept } = DUPLICATES[one.entry.profile.rules.duplicates]
  const toPlacedHook = (examined: ExaminedHook) => ({ examined, hook: examined.entry.hook })
  const running = kept([toPlacedHook(first), ...others.map(toPlacedHook)]).examined
  return running === one ? null : running
}

/** The fields in which two hooks differ that run the same. */
function listFieldDifferences({ node: one }: HookEntry, { node: other }: HookEntry): string[] {
  const [own, others] = [readUnwrapped(one), readUnwrapped(other)]
  const names = new Set([...Object.keys(own), ...Object.keys(others)])
  return [...names].filter((name) => name !== 'matcher' && !isDeepStrictEqual(own[name], others[name]))
}

/** The fields of an entry, as they were before it was wrapped. */
function readUnwrapped({ fields }: SourceNode): Readonly<Record<string, unknown>> {
  const written = Object.fromEntries([...(fields ?? [])].map(([name, { node }]) => [name, node.value]))
  const wrapped = unwrapEntry(written)
  if (wrapped === null) return written
  const { [SET_ASIDE]: _args, ...others } = written
  const { command, args } = wrapped
  return { ...others, command, ...(args === undefined ? {} : { args }) }
}

/** True if a hook seems to replace the input of what it is asked about. */
function isReplacingInput({ entry, command }: ExaminedHook): boolean {
  return entry.row.rewrites !== null && command !== null && /\bupdatedInput\b/.test(command.says)
}

/** True if two hooks can answer the same event: of one project, of files that count together, with matchers that meet. */
function canBothRun(one: ExaminedHook, other: ExaminedHook): boolean {
  const together = one.subject === other.subject || (isInPlay(one.subject) && isInPlay(other.subject))
  const { row, hook } = one.entry
  return (
    together &&
    one.subject.project === other.subject.project &&
    hook.event === other.entry.hook.event &&
    canOverlap(hook, other.entry.hook, listKnownValues(row))
  )
}

/** True if a file is one of those that count together, and not one that was named by itself, such as a template. */
function isInPlay({ format, scope, path, project }: Subject): boolean {
  if (format !== 'json') return false
  return (scope !== 'project' && scope !== 'local') || isBelow(path, join(project, '.claude'))
}

function formatPlace({ subject, entry }: ExaminedHook): string {
  return `${subject.file}:${entry.node.line}`
}

/** Finds where it says what it runs. */
function findRunNode({ hook, node }: HookEntry): SourceNode {
  const telling = Object.keys(hook.written).find((name) => name !== 'type' && node.fields?.has(name))
  return node.fields?.get(telling ?? '')?.node ?? node
}

import { AGENTS, bridgeTo } from '../../../bridges/list.ts'
import type { SettingsChange } from '../../../config/edit-settings.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { settingsOf } from '../../../engine/edit-hooks.ts'
import { type JsonNode, jsonTree, memberOf } from '../../../files/json-edit.ts'
import { unwrapEntry, type WrappedCommand, wrapperOf } from '../../../protocol/wrapped-command.ts'
import { applyEdit, EDIT_FLAGS, tellEdit, writableScope } from '../../edit/apply-edit.ts'
import { engineOptions, PLACE_FLAGS, readArguments, refusePositionals } from '../../start/flags.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { withUser } from '../../start/terminal-user.ts'
import { indented } from '../../view/layout.ts'

const FLAGS = {
  ...PLACE_FLAGS,
  ...EDIT_FLAGS,
  scope: { type: 'string' },
  event: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Runs `hookline wrap install`. */
export const install = (args: string[]): Promise<number> => edit(args, 'install')

/** Runs `hookline wrap uninstall`. */
export const uninstall = (args: string[]): Promise<number> => edit(args, 'uninstall')

async function edit(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const options = engineOptions(values)
  const scope = writableScope(values.scope ?? 'project')
  const terminal = commandTerminal(values)
  const isMeant = (event: string): boolean => values.event === undefined || values.event === event
  const { content } = await settingsOf(scope, options)
  const found = content.read === 'text' ? entriesIn(content.text).filter(({ event }) => isMeant(event)) : []
  const asides =
    doing === 'install' ? found.flatMap(({ where, why }) => (why === null ? [] : [`${where}: ${why}`])) : []
  const wanted = found.filter(({ why, isWrapped }) => (doing === 'install' ? why === null : isWrapped)).length
  const change: SettingsChange = (text) =>
    doing === 'install' ? withWrappers(text, isMeant) : withoutWrappers(text, isMeant)
  if (content.read === 'text' && change(content.text, await settingsOf(scope, options)) === content.text) {
    if (values.json) printJson({ scope, written: false, hooks: wanted, asides })
    else
      print(`${[nothingToDo(doing, wanted), ...asides].map((line) => indented(line, '', terminal.width)).join('\n')}\n`)
    return 0
  }
  return withUser(values, async (user) => {
    const report = await applyEdit({ scope, options, change, terminal, user, flags: values })
    const advice = doing === 'install' ? [...asides, ...adviceFor(scope, found)] : []
    if (values.json) printJson({ ...report, hooks: wanted, asides, advice })
    else tellEdit(report, terminal)
    if (!values.json) for (const sentence of advice) print(`${indented(sentence, '', terminal.width)}\n`)
    return report.written || values['dry-run'] ? 0 : 1
  })
}

function nothingToDo(doing: 'install' | 'uninstall', hooks: number): string {
  if (doing === 'uninstall') return 'No hook is wrapped here; nothing was written.'
  return hooks === 0
    ? 'There is no hook here that can be wrapped; nothing was written.'
    : 'All of it is wrapped already; nothing was written.'
}

/** A hook as it stands in a settings file. */
interface Entry {
  readonly event: string
  /** Its place in the file, as its id has it. */
  readonly where: string
  readonly type: string
  /** The value of its `command`, where it has one. */
  readonly command: JsonNode | undefined
  /** What it runs now, with the flags that its entry asks for. */
  readonly wanted: WrappedCommand
  readonly isWrapped: boolean
  /** Why it cannot be wrapped; null: it can. */
  readonly why: string | null
}

function entriesIn(text: string): Entry[] {
  const events = memberOf(jsonTree(text), 'hooks')
  return (events?.type === 'object' ? (events.children ?? []) : []).flatMap(({ children: [key, groups] = [] }) => {
    const event = String(key?.value)
    return (groups?.type === 'array' ? (groups.children ?? []) : []).flatMap((group, at) => {
      const hooks = memberOf(group, 'hooks')
      const list = hooks?.type === 'array' ? (hooks.children ?? []) : [group]
      return list.map((hook, index) => entryOf(event, { group, hook, where: `${event}:${at}:${index}` }))
    })
  })
}

function entryOf(event: string, { group, hook, where }: { group: JsonNode; hook: JsonNode; where: string }): Entry {
  const fieldOf = (node: JsonNode, name: string): unknown => memberOf(node, name)?.value
  const command = memberOf(hook, 'command')
  const type = String(fieldOf(hook, 'type') ?? 'command')
  const text = command?.type === 'string' ? String(command.value) : ''
  const inner = unwrapEntry({ command: text, args: memberOf(hook, 'args'), shell: fieldOf(hook, 'shell') })
  const said = (name: string, value: unknown): string[] =>
    value === undefined || value === '' || value === '*' ? [] : [`--${name}`, String(value)]
  return {
    event,
    where,
    type,
    command,
    isWrapped: inner !== null,
    wanted: {
      command: inner?.command ?? text,
      flags: [
        ...said('event', event),
        ...said('matcher', fieldOf(group, 'matcher')),
        ...said('if', fieldOf(hook, 'if')),
        ...said('timeout', fieldOf(hook, 'timeout')),
        ...(fieldOf(hook, 'async') === true || fieldOf(hook, 'asyncRewake') === true ? ['--async'] : []),
      ],
    },
    why: whyNot({ type, text, hasArgs: memberOf(hook, 'args') !== undefined, shell: fieldOf(hook, 'shell') }),
  }
}

interface Kind {
  readonly type: string
  readonly text: string
  readonly hasArgs: boolean
  readonly shell: unknown
}

function whyNot({ type, text, hasArgs, shell }: Kind): string | null {
  if (type !== 'command')
    return `a hook of type ${type} cannot be wrapped: no agent but Claude Code has a command to call there`
  if (hasArgs) return 'a command with "args" cannot be wrapped: write it as shell text, without "args"'
  if (shell === 'powershell') return 'a command for PowerShell cannot be wrapped'
  const runs = text.replaceAll(/^\s*#.*$/gm, '').trim() !== '' && !text.includes('\0')
  return runs ? null : 'it has no command that could run'
}

/** A settings text in which the commands of hooks are wrapped, as their entries now ask for. */
export function withWrappers(text: string, isMeant: (event: string) => boolean = () => true): string {
  return rewritten(text, isMeant, ({ wanted, why }, written) => {
    if (why !== null) return null
    return `"${JSON.stringify(wrapperOf(wanted)).slice(1, -1)}${written}"`
  })
}

/** A settings text in which they are not: as it was before, to the byte. */
export function withoutWrappers(text: string, isMeant: (event: string) => boolean = () => true): string {
  return rewritten(text, isMeant, ({ isWrapped }, written) => (isWrapped ? `"${written}"` : null))
}

/** Writes commands anew, from the last to the first; `written` is what is between the quotes of what the hook itself runs. */
function rewritten(
  text: string,
  isMeant: (event: string) => boolean,
  write: (entry: Entry, written: string) => string | null,
): string {
  const entries = entriesIn(text).filter(({ event, command }) => isMeant(event) && command?.type === 'string')
  return entries.reduceRight((now, entry) => {
    const { offset = 0, length = 0 } = entry.command ?? {}
    const literal = write(entry, innerLiteral(text.slice(offset + 1, offset + length - 1), entry))
    return literal === null ? now : `${now.slice(0, offset)}${literal}${now.slice(offset + length)}`
  }, text)
}

/** The command itself as the file has it: whatever its author wrote as an escape stays one. */
function innerLiteral(literal: string, { isWrapped, command, wanted }: Entry): string {
  const wrapped = isWrapped ? unwrapEntry({ command: String(command?.value) }) : null
  if (wrapped === null) return literal
  const wrapper = JSON.stringify(wrapperOf(wrapped)).slice(1, -1)
  return literal.startsWith(wrapper) ? literal.slice(wrapper.length) : JSON.stringify(wanted.command).slice(1, -1)
}

/** What the user has to know of the agents that load the file. */
function adviceFor(scope: WritableScope, entries: readonly Entry[]): string[] {
  const loading = AGENTS.flatMap((name) => {
    const bridge = bridgeTo(name)
    return bridge?.install.loadsClaude?.scopes.includes(scope) ? [bridge] : []
  })
  return [
    ...loading.flatMap(({ name, title, install: { loadsClaude } }) => {
      const types = [...new Set(entries.map(({ type }) => type))].filter((type) =>
        loadsClaude?.refusesTypes?.includes(type),
      )
      if (types.length === 0) return []
      return [
        `${title} ignores all hooks of this file, since it has one of type ${types.join(' and ')}: run "hookline bridge install ${name}", which serves them.`,
      ]
    }),
    ...(scope === 'user'
      ? []
      : ['The text of the hooks has changed, so everyone else who trusted this project is asked again.']),
    'Run "hookline wrap install" again after you have changed a matcher, an "if" or a timeout.',
  ]
}

import { type JsonNode, jsonTree, memberOf } from '../files/json-edit.ts'
import { unwrapOuter, type Wrapper, wrapperIn, wrapperOf } from '../protocol/wrapped-command.ts'

/** A hook as it stands in the text of a settings file. */
export interface WrittenEntry {
  readonly event: string
  /** Its place in the file, as its id has it. */
  readonly where: string
  readonly type: string
  /** A field of the hook, and of its group. */
  readonly field: (name: string) => unknown
  readonly groupField: (name: string) => unknown
  /** The value of its `command`, where it has one. */
  readonly command: JsonNode | undefined
  /** What it runs inside of the wrapper. */
  readonly runs: string
  /** It is wrapped, by this wrapper and as the outermost. */
  readonly isWrapped: boolean
  /** It is wrapped, and its command was edited since: the copy that the wrapper runs is another one. */
  readonly isEdited: boolean
  /** Why it cannot be wrapped; null: it can. */
  readonly why: string | null
}

/** How hooks are wrapped. */
export interface Wrapping {
  readonly by: Wrapper
  readonly isMeant: (entry: WrittenEntry) => boolean
  /** What the wrapper is told beside the command. */
  readonly flagsOf: (entry: WrittenEntry) => readonly string[]
}

/** The hooks in a settings text, as a wrapper sees them. */
export function entriesIn(text: string, by: Wrapper): WrittenEntry[] {
  const events = memberOf(jsonTree(text), 'hooks')
  return (events?.type === 'object' ? (events.children ?? []) : []).flatMap(({ children: [key, groups] = [] }) => {
    const event = String(key?.value)
    return (groups?.type === 'array' ? (groups.children ?? []) : []).flatMap((group, at) => {
      const hooks = memberOf(group, 'hooks')
      const list = hooks?.type === 'array' ? (hooks.children ?? []) : [group]
      return list.map((hook, index) => entryOf(event, { group, hook, where: `${event}:${at}:${index}`, by }))
    })
  })
}

function entryOf(
  event: string,
  { group, hook, where, by }: { group: JsonNode; hook: JsonNode; where: string; by: Wrapper },
): WrittenEntry {
  const fieldOf = (node: JsonNode, name: string): unknown => memberOf(node, name)?.value
  const command = memberOf(hook, 'command')
  const type = String(fieldOf(hook, 'type') ?? 'command')
  const text = command?.type === 'string' ? String(command.value) : ''
  const args = memberOf(hook, 'args')
  const inner = unwrapOuter({ command: text, args, shell: fieldOf(hook, 'shell') }, by)
  return {
    event,
    where,
    type,
    command,
    field: (name) => fieldOf(hook, name),
    groupField: (name) => fieldOf(group, name),
    isWrapped: inner !== null,
    isEdited: inner === null && wrapperIn(text, by) !== '',
    runs: inner?.command ?? text,
    why: whyNot({ type, text, hasArgs: args !== undefined, shell: fieldOf(hook, 'shell'), by }),
  }
}

interface Kind {
  readonly type: string
  readonly text: string
  readonly hasArgs: boolean
  readonly shell: unknown
  readonly by: Wrapper
}

function whyNot({ type, text, hasArgs, shell, by }: Kind): string | null {
  if (type !== 'command') return `a hook of type ${type} cannot be wrapped: ${NO_COMMAND[by]}`
  if (hasArgs) return 'a command with "args" cannot be wrapped: write it as shell text, without "args"'
  if (shell === 'powershell') return 'a command for PowerShell cannot be wrapped'
  if (by === 'wrap' && wrapperIn(text, 'tap') !== '')
    return 'it is recorded by hookline tap: run "hookline tap uninstall" first, and "hookline tap install" after it'
  const runs = text.replaceAll(/^\s*#.*$/gm, '').trim() !== '' && !text.includes('\0')
  return runs ? null : 'it has no command that could run'
}

const NO_COMMAND: Readonly<Record<Wrapper, string>> = {
  wrap: 'no agent but Claude Code has a command to call there',
  tap: 'there is no command to run',
}

/** A settings text in which the commands of hooks are wrapped, as their entries now ask for. */
export function withWrappers(text: string, { by, isMeant, flagsOf }: Wrapping): string {
  return rewritten(text, { by, isMeant }, (entry, written) => {
    if (entry.why !== null) return null
    const wrapper = wrapperOf({ command: entry.runs, flags: flagsOf(entry) }, by)
    return `"${JSON.stringify(wrapper).slice(1, -1)}${written}"`
  })
}

/** A settings text in which they are not: as it was before, to the byte. Of one that was edited since, the edited command stays. */
export function withoutWrappers(text: string, { by, isMeant }: Omit<Wrapping, 'flagsOf'>): string {
  return rewritten(text, { by, isMeant }, ({ isWrapped, isEdited, runs }, written) => {
    if (isWrapped) return `"${written}"`
    return isEdited ? JSON.stringify(runs.slice(wrapperIn(runs, by).length)) : null
  })
}

/** Writes commands anew, from the last to the first; `written` is what is between the quotes of what the hook itself runs. */
function rewritten(
  text: string,
  { by, isMeant }: Omit<Wrapping, 'flagsOf'>,
  write: (entry: WrittenEntry, written: string) => string | null,
): string {
  const entries = entriesIn(text, by).filter((entry) => isMeant(entry) && entry.command?.type === 'string')
  return entries.reduceRight((now, entry) => {
    const { offset = 0, length = 0 } = entry.command ?? {}
    const literal = write(entry, innerLiteral(text.slice(offset + 1, offset + length - 1), entry, by))
    return literal === null ? now : `${now.slice(0, offset)}${literal}${now.slice(offset + length)}`
  }, text)
}

/** The command itself as the file has it: whatever its author wrote as an escape stays one. */
function innerLiteral(literal: string, { isWrapped, command, runs }: WrittenEntry, by: Wrapper): string {
  const wrapped = isWrapped ? unwrapOuter({ command: String(command?.value) }, by) : null
  if (wrapped === null) return literal
  const wrapper = JSON.stringify(wrapperOf(wrapped, by)).slice(1, -1)
  return literal.startsWith(wrapper) ? literal.slice(wrapper.length) : JSON.stringify(runs).slice(1, -1)
}

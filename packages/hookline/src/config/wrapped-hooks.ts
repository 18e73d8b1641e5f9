import { findMember, type JsonNode, parseJsonTree } from '../files/json-edit.ts'
import {
  findWrapperText,
  SET_ASIDE,
  unwrapOuter,
  type Wrapper,
  type WrapperWay,
  wrapCommand,
  writeWrapperOnly,
} from '../protocol/wrapped-command.ts'

/** A hook as it stands in the text of a settings file. */
export interface WrittenEntry {
  readonly event: string
  /** Place in the file, as its id has it. */
  readonly where: string
  readonly type: string
  /** A field of the hook, and of its group. */
  readonly field: (name: string) => unknown
  readonly groupField: (name: string) => unknown
  /** The value of its `command`, where it has one. */
  readonly command: JsonNode | undefined
  /** Command inside of the wrapper. */
  readonly runs: string
  /** Arguments of a program, and the name that they stand under. */
  readonly args: { readonly words: readonly string[]; readonly key: JsonNode } | null
  /** True for an entry that is wrapped by this wrapper, as the outermost. */
  readonly isWrapped: boolean
  /** True for an entry that is wrapped, and whose command was edited since: the copy that the wrapper runs is another one. */
  readonly isEdited: boolean
  /** Reason why it cannot be wrapped; null: it can. */
  readonly why: string | null
}

/** Way of wrapping hooks. */
export interface WrapOptions {
  readonly by: Wrapper
  readonly isMeant: (entry: WrittenEntry) => boolean
  readonly way: WrapperWay
  /** Flags for the wrapper beside the command. */
  readonly flagsOf: (entry: WrittenEntry) => readonly string[]
}

/** The hooks in a settings text, as a wrapper sees them. */
export function listWrittenEntries(text: string, by: Wrapper): WrittenEntry[] {
  const events = findMember(parseJsonTree(text), 'hooks')
  return (events?.type === 'object' ? (events.children ?? []) : []).flatMap(({ children: [key, groups] = [] }) => {
    const event = String(key?.value)
    return (groups?.type === 'array' ? (groups.children ?? []) : []).flatMap((group, at) => {
      const hooks = findMember(group, 'hooks')
      const list = hooks?.type === 'array' ? (hooks.children ?? []) : [group]
      return list.map((hook, index) =>
        makeWrittenEntry(event, { text, group, hook, where: `${event}:${at}:${index}`, by }),
      )
    })
  })
}

interface EntryPlace {
  /** The whole file. */
  readonly text: string
  readonly group: JsonNode
  readonly hook: JsonNode
  readonly where: string
  readonly by: Wrapper
}

function makeWrittenEntry(event: string, place: EntryPlace): WrittenEntry {
  const { group, hook, where, by } = place
  const readNodeField = (node: JsonNode, name: string): unknown => findMember(node, name)?.value
  const command = findMember(hook, 'command')
  const type = String(readNodeField(hook, 'type') ?? 'command')
  const written = command?.type === 'string' ? String(command.value) : ''
  const shell = readNodeField(hook, 'shell')
  const [args, aside] = [readWordsField(hook, 'args'), readWordsField(hook, SET_ASIDE)]
  const inner = unwrapOuter({ command: written, args: findMember(hook, 'args'), shell }, by)
  // the arguments set aside say which file to restore, and those in the wrapper are what runs: both must say the same.
  const isSame = inner?.args === undefined || JSON.stringify(inner.args) === JSON.stringify(aside?.words)
  return {
    event,
    where,
    type,
    command,
    field: (name) => readNodeField(hook, name),
    groupField: (name) => readNodeField(group, name),
    isWrapped: inner !== null && isSame,
    isEdited: (inner === null || !isSame) && findWrapperText(written, by) !== '',
    runs: isSame ? (inner?.command ?? written) : written,
    args: inner?.args !== undefined && isSame ? aside : args,
    why: explainUnwrappable(type, written, place),
  }
}

/** A list of strings under a name of an entry; null: there is none. */
function readWordsField(hook: JsonNode, name: string): WrittenEntry['args'] {
  const list = findMember(hook, name)
  const key = list?.parent?.children?.[0]
  const words = list?.type === 'array' ? (list.children ?? []).map(({ value }): unknown => value) : [null]
  return key !== undefined && words.every((word) => typeof word === 'string') ? { words, key } : null
}

function explainUnwrappable(type: string, command: string, { text, hook, by }: EntryPlace): string | null {
  if (type !== 'command') return `a hook of type ${type} cannot be wrapped: ${NO_COMMAND[by]}`
  if (findMember(hook, 'shell')?.value === 'powershell') return 'a command for PowerShell cannot be wrapped'
  if (by === 'wrap' && findWrapperText(command, 'tap') !== '')
    return 'it is recorded by hookline tap: run "hookline tap uninstall" first, and "hookline tap install" after it'
  const runs = command.replaceAll(/^[ \t]*#.*$/gm, '').trim() !== '' && !command.includes('\0')
  if (!runs) return 'it has no command that could run'
  return findMember(hook, 'args') === undefined ? null : explainNoProgram(command, { text, hook, by })
}

function explainNoProgram(command: string, { text, hook, by }: Omit<EntryPlace, 'group' | 'where'>): string | null {
  if (by === 'tap') return 'a command with "args" cannot be wrapped: write it as shell text, without "args"'
  const args = readWordsField(hook, 'args')
  if (args === null || args.words.some((word) => word.includes('\0'))) return 'its "args" are not a list of strings'
  if (findMember(hook, SET_ASIDE) !== undefined) return `it has "args" and "${SET_ASIDE}": remove one of them`
  const isPlain = (node: JsonNode | undefined, value: string): boolean =>
    node !== undefined && text.slice(node.offset, node.offset + node.length) === JSON.stringify(value)
  if (isPlain(findMember(hook, 'command'), command) && isPlain(args.key, 'args')) return null
  return 'its "command" has escapes that it does not need, and could not be restored: write it without them'
}

const NO_COMMAND: Readonly<Record<Wrapper, string>> = {
  wrap: 'no agent but Claude Code has a command to call there',
  tap: 'there is no command to run',
}

/** A settings text in which the commands of hooks are wrapped, as their entries now ask for. */
export function addWrappers(text: string, { by, way, isMeant, flagsOf }: WrapOptions): string {
  return rewriteCommands(text, { by, isMeant }, (entry, written) => {
    if (entry.why !== null) return null
    const { runs: command, args } = entry
    const flags = flagsOf(entry)
    if (args !== null)
      return { command: JSON.stringify(wrapCommand({ command, args: args.words, flags }, by, way)), key: SET_ASIDE }
    return { command: `"${JSON.stringify(writeWrapperOnly({ command, flags }, by, way)).slice(1, -1)}${written}"` }
  })
}

/** A settings text in which they are not: as it was before, to the byte. Of one that was edited since, the edited command stays. */
export function removeWrappers(text: string, { by, isMeant }: Pick<WrapOptions, 'by' | 'isMeant'>): string {
  return rewriteCommands(text, { by, isMeant }, ({ isWrapped, isEdited, runs, args }, written) => {
    if (isWrapped && args !== null) return { command: JSON.stringify(runs), key: 'args' }
    if (isWrapped) return { command: `"${written}"` }
    return isEdited ? { command: JSON.stringify(runs.slice(findWrapperText(runs, by).length)) } : null
  })
}

/** Rewritten form of an entry: its command as JSON, and the name that its arguments stand under, where it has some. */
interface Rewritten {
  readonly command: string
  readonly key?: string
}

/** Writes commands anew, from the last to the first; `written` is what is between the quotes of what the hook itself runs. */
function rewriteCommands(
  text: string,
  { by, isMeant }: Pick<WrapOptions, 'by' | 'isMeant'>,
  write: (entry: WrittenEntry, written: string) => Rewritten | null,
): string {
  const edits = listWrittenEntries(text, by).flatMap((entry) => {
    const { command, args } = entry
    if (command?.type !== 'string' || !isMeant(entry)) return []
    const { offset, length } = command
    const made = write(entry, findInnerLiteral(text.slice(offset + 1, offset + length - 1), entry, by))
    if (made === null) return []
    const renamed = args !== null && made.key !== undefined ? [{ at: args.key, literal: JSON.stringify(made.key) }] : []
    return [{ at: command, literal: made.command }, ...renamed]
  })
  return edits
    .sort((one, other) => other.at.offset - one.at.offset)
    .reduce(
      (now, { at: { offset, length }, literal }) => `${now.slice(0, offset)}${literal}${now.slice(offset + length)}`,
      text,
    )
}

/** The command itself as the file has it: whatever its author wrote as an escape stays one. */
function findInnerLiteral(literal: string, { isWrapped, command, runs }: WrittenEntry, by: Wrapper): string {
  const wrapped = isWrapped ? unwrapOuter({ command: String(command?.value) }, by) : null
  if (wrapped === null) return literal
  const wrapper = JSON.stringify(findWrapperText(String(command?.value), by)).slice(1, -1)
  return literal.startsWith(wrapper) ? literal.slice(wrapper.length) : JSON.stringify(runs).slice(1, -1)
}

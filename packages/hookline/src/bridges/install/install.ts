import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { HooklineError } from '../../files/error.ts'
import {
  findMember,
  insertMember,
  isObjectText,
  type JsonNode,
  locateExtension,
  parseJsonTree,
  removeMember,
} from '../../files/json-edit.ts'
import { withLock } from '../../files/lock.ts'
import { forgetMade, listMissing, noteMade, readMadeFiles } from '../../files/made-files.ts'
import { parseData } from '../../files/parse-data.ts'
import { refuseLeadingOut } from '../../files/paths.ts'
import { replaceFile } from '../../files/replace.ts'
import { isObject } from '../../text/json.ts'
import { isGuarding } from '../answer/answer.ts'
import type { Bridge, ShapeName } from '../bridge.ts'
import { type EntryStyle, findHostSeconds, readCommand, writeCommand } from './entry.ts'
import { nameUninstaller } from './guard-entries.ts'
import {
  type EventFile,
  type HostPlace,
  isOurPlugin,
  isProgram,
  listEventFiles,
  listMappedEvents,
  makeProgramMark,
  readHostFile,
  writePlugin,
  writeProgram,
} from './installed.ts'
import { findMistake } from './obstacles.ts'

/** A file of an agent before and after; null where there is none. */
export interface HostEdit {
  readonly file: string
  readonly before: string | null
  readonly after: string | null
}

/** The agent's files with one entry for each of its events that hooks know; what others wrote there stays. */
export function withBridge(place: HostPlace, style: EntryStyle): Promise<HostEdit[]> {
  const { add, remove, start } = SHAPES[place.bridge.install.shape]
  return Promise.all(
    listEventFiles(place).map(({ file, event }) =>
      makeHostEdit(file, (text) => add(text === null ? start : remove(text, place), place, { ...style, event })),
    ),
  )
}

/** The agent's files without our entries: as they were before, to the byte, where nothing else changed; none where there was none. */
export async function planRemoval(place: HostPlace): Promise<HostEdit[]> {
  const { remove, start } = SHAPES[place.bridge.install.shape]
  const made = await readMadeFiles(listOfFilesWeMade(place))
  return Promise.all(
    listEventFiles(place).map(async ({ file }) => {
      const edit = await makeHostEdit(file, (text) => (text === null ? null : remove(text, place)))
      return edit.after === start && made.includes(file) ? { ...edit, after: null } : edit
    }),
  )
}

/** Writes an edit, unless the file has changed since it was made. With a file that goes, folders go that were made for it. */
export async function writeEdit({ file, before, after }: HostEdit, place: HostPlace): Promise<void> {
  if (place.scope === 'project') refuseLeadingOut(file, place.project)
  const missing = listMissing(file)
  await withLock(file, async () => {
    if ((await readHostFile(file)) !== before)
      throw new HooklineError(`${file} has changed meanwhile. Nothing was written; try again.`)
    if (after === null) await rm(file)
    else await replaceFile(file, after, isProgram(place) ? { mode: 0o755 } : {})
  })
  if (after === null) await forgetMade(listOfFilesWeMade(place), file)
  else await noteMade(listOfFilesWeMade(place), missing)
}

const listOfFilesWeMade = ({ home, bridge }: HostPlace): string =>
  join(home, '.hookline', 'bridges', `${bridge.name}.json`)

async function makeHostEdit(file: string, change: (text: string | null) => string | null): Promise<HostEdit> {
  const before = await readHostFile(file)
  try {
    return { file, before, after: change(before) }
  } catch (error) {
    throw error instanceof HooklineError ? new HooklineError(`${file}: ${error.message}`) : error
  }
}

/** One kind of file: how our entries get in and out again. */
interface Shape {
  /** Text that a new file starts from. */
  readonly start: string
  readonly add: (text: string, place: HostPlace, style: EntryStyle & Pick<EventFile, 'event'>) => string
  readonly remove: (text: string, place: HostPlace) => string
}

const SHAPES: Readonly<Record<ShapeName, Shape>> = {
  claude: makeJsonShape({
    within: 'hooks',
    start: '{}\n',
    entry: ({ command, timeout }) => ({ hooks: [{ type: 'command', command, timeout }] }),
  }),
  'events-at-top': makeJsonShape({
    within: null,
    start: '{}\n',
    entry: ({ command, timeout }) => ({ hooks: [{ type: 'command', command, timeout }] }),
  }),
  copilot: makeJsonShape({
    within: 'hooks',
    start: '{\n  "version": 1\n}\n',
    entry: ({ command, timeout }) => ({ type: 'command', bash: command, timeoutSec: timeout }),
  }),
  cursor: makeJsonShape({
    within: 'hooks',
    start: '{\n  "version": 1\n}\n',
    entry: ({ command, timeout, refuses }) => ({ command, timeout, ...(refuses ? { failClosed: true } : {}) }),
  }),
  windsurf: makeJsonShape({ within: 'hooks', start: '{}\n', entry: ({ command }) => ({ command }) }),
  kiro: makeJsonShape({
    within: 'hooks',
    start: '{\n  "version": "v1"\n}\n',
    isList: true,
    entry: ({ command, timeout }, trigger) => ({
      name: `hookline ${command.includes(' --guards') ? 'guard ' : ''}${trigger}`,
      trigger,
      action: { type: 'command', command },
      timeout,
    }),
  }),
  // The file holds groups of hooks by a name of their author's.
  antigravity: makeJsonShape({
    within: 'hookline',
    start: '{}\n',
    entry: ({ command, timeout }, event) => {
      const hook = { type: 'command', command, timeout }
      return event.endsWith('ToolUse') ? { hooks: [hook] } : hook
    },
  }),
  'kimi-toml': { start: '', add: addToml, remove: removeToml },
  'file-per-event': {
    start: '',
    add: (text, { bridge }, { event, ...style }) => {
      if (text === '' && event !== null) return writeProgram(bridge, event, style)
      throw new HooklineError(
        `${bridge.title} runs one program an event, and there is one already that is not ours. Nothing was written.`,
      )
    },
    remove: (text, { bridge }) => (text.split('\n')[1] === makeProgramMark(bridge) ? '' : text),
  },
  'opencode-plugin': makePluginShape(),
  'pi-extension': makePluginShape(),
}

/** The kinds of files that tables may name. */
export const SHAPE_NAMES = Object.keys(SHAPES)

function makePluginShape(): Shape {
  return {
    start: '',
    add: (text, { bridge }, style) => {
      if (text === '') return writePlugin(bridge, style)
      throw new HooklineError('There is a plugin of that name already that is not ours. Nothing was written.')
    },
    remove: (text, { bridge }) => (isOurPlugin(text, bridge) ? '' : text),
  }
}

interface JsonShape {
  /** The object that holds the events; null: the file itself. */
  readonly within: string | null
  /** Text that a new file starts from. */
  readonly start: string
  /** The entries of all events are in one list. */
  readonly isList?: true
  readonly entry: (fields: EntryFields, event: string) => object
}

interface EntryFields {
  readonly command: string
  /** In the unit of the agent. */
  readonly timeout: number
  /** A call is refused that the entry says nothing about. */
  readonly refuses: boolean
}

function makeJsonShape({ within, start, entry, isList }: JsonShape): Shape {
  return {
    start,
    add: (text, { bridge }, style) =>
      listMappedEvents(bridge).reduce(
        (now, event) => {
          const member = entry(makeEntryFields(bridge, event, style), event)
          return isList && within !== null
            ? withMember(now, null, within, member)
            : withMember(now, within, event, member)
        },
        readByAgent(checkObjectText(text), bridge),
      ),
    remove: (text, { bridge }) => removeOurs(checkObjectText(text), isList ? null : within, bridge),
  }
}

/** Throws a HooklineError for a text that is not a JSON object: it is not ours to repair. */
function checkObjectText(text: string): string {
  if (isObjectText(text)) return text
  if (text.trim() === '')
    throw new HooklineError('it is empty. Delete it, or write {} into it, then run this again. Nothing was written.')
  throw new HooklineError('it is not a JSON object; fix it first. Nothing was written.')
}

/** Throws a HooklineError for a text that the agent would ignore as a whole, and our entries with it. */
function readByAgent(text: string, bridge: Bridge): string {
  const fault = findFault(text, bridge)
  if (fault === null) return text
  throw new HooklineError(
    `it ${fault}, so ${bridge.title} would ignore the whole file and every hook in it. Take that out, or move it elsewhere, then run this again. Nothing was written.`,
  )
}

function findFault(text: string, bridge: Bridge): string | null {
  const { format } = bridge.install.reads
  if (format === 'program') return null
  const parsed = parseData(text, format)
  if ('fault' in parsed) return format === 'json' ? `has ${locateExtension(text)}` : parsed.fault
  return isObject(parsed.value) ? findMistake(parsed.value, bridge) : null
}

/** With one more entry in the list of a name. */
function withMember(text: string, within: string | null, event: string, entry: object): string {
  const root = parseJsonTree(text)
  const container = within === null ? root : findMember(root, within)
  if (container === undefined) return insertMember(text, root, { key: within, value: { [event]: [entry] } })
  if (container.type !== 'object')
    throw new HooklineError(`"${within}" is not an object; fix it first. Nothing was written.`)
  const list = findMember(container, event)
  if (list === undefined) return insertMember(text, container, { key: event, value: [entry] })
  if (list.type !== 'array') throw new HooklineError(`${event} is not a list; fix it first. Nothing was written.`)
  return insertMember(text, list, { key: null, value: entry })
}

function removeOurs(text: string, within: string | null, bridge: Bridge): string {
  const root = parseJsonTree(text)
  const container = within === null ? root : findMember(root, within)
  const isOurs = (node: JsonNode): boolean =>
    node.type === 'string' ? readCommand(bridge, String(node.value)) !== null : (node.children ?? []).some(isOurs)
  for (const property of container?.type === 'object' ? (container.children ?? []) : []) {
    const list = property.children?.[1]
    const found = list?.type === 'array' ? list.children?.findLast(isOurs) : undefined
    if (list && found) return removeOurs(removeEntry(text, list, found, isOurs), within, bridge)
  }
  return text
}

/** Without an entry, or without our part of it: a user may have put hooks of their own beside it. */
function removeEntry(text: string, list: JsonNode, entry: JsonNode, ours: (node: JsonNode) => boolean): string {
  const hooks = findMember(entry, 'hooks')
  const own = hooks?.children?.find(ours)
  return hooks && own && hooks.children?.length !== 1 ? removeMember(text, hooks, own) : removeMember(text, list, entry)
}

function makeEntryFields(bridge: Bridge, event: string, style: EntryStyle): EntryFields {
  const seconds = findHostSeconds(bridge, event)
  return {
    command: writeCommand(bridge, event, style),
    timeout: seconds * (bridge.install.timeout.unit === 'ms' ? 1000 : 1),
    refuses: style.ifMissing !== 'pass' && isGuarding(bridge, event),
  }
}

/** Lines around our hooks in a TOML file. */
interface TomlMarks {
  readonly begin: string
  readonly beginInList: string
  readonly end: string
}

function makeTomlMarks(bridge: Bridge): TomlMarks {
  const what = bridge.runs === 'guards' ? 'guard ' : ''
  const note = `(${nameUninstaller(bridge)} takes this out)`
  return {
    begin: `# hookline: ${what}begin ${note}`,
    beginInList: `# hookline: ${what}begin in list ${note}`,
    end: `# hookline: ${what}end`,
  }
}

/** A list of hooks at the top of a file, up to its bracket. */
const TOML_LIST = /^[ \t]*(?:hooks|"hooks"|'hooks')[ \t]*=[ \t]*\[/m

/**
 * Adds tables of hooks behind the last line, or entries to a list where the file has one: the two do not go together. Throws a
 * HooklineError for a text that Kimi Code could not read, before or after.
 */
function addToml(text: string, place: HostPlace, style: EntryStyle): string {
  const { hooks } = readToml(text)
  if (hooks !== undefined && !Array.isArray(hooks))
    throw new HooklineError('"hooks" is not a list; fix it first. Nothing was written.')
  const entries = listMappedEvents(place.bridge).map((event) => {
    const { command, timeout } = makeEntryFields(place.bridge, event, style)
    return [`event = "${event}"`, `command = "${command}"`, `timeout = ${timeout}`]
  })
  const marks = makeTomlMarks(place.bridge)
  const added = [appendTables(text, entries, marks), insertIntoList(text, entries, marks)].find(
    (after) => after !== null && countHooks(after) === (hooks?.length ?? 0) + entries.length,
  )
  if (added !== undefined && added !== null) return added
  throw new HooklineError(
    'its list "hooks" is written in a way that nothing can be added to. Write each hook as [[hooks]], then run this again. Nothing was written.',
  )
}

function readToml(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseData(text, 'toml')
  if ('fault' in parsed) throw new HooklineError(`it ${parsed.fault}. Fix it first. Nothing was written.`)
  return isObject(parsed.value) ? parsed.value : {}
}

/** Number of hooks that a text has; -1 for one that cannot be read. */
function countHooks(text: string): number {
  const parsed = parseData(text, 'toml')
  const hooks = 'value' in parsed && isObject(parsed.value) ? parsed.value.hooks : null
  return Array.isArray(hooks) ? hooks.length : -1
}

function appendTables(text: string, entries: readonly (readonly string[])[], { begin, end }: TomlMarks): string {
  const blocks = entries.map((fields) => ['[[hooks]]', ...fields].join('\n')).join('\n\n')
  const endsLine = text === '' || text.endsWith('\n')
  return `${text}${endsLine ? '' : '\n'}${begin}\n${blocks}\n${end}${endsLine ? '\n' : ''}`
}

function insertIntoList(
  text: string,
  entries: readonly (readonly string[])[],
  { beginInList, end }: TomlMarks,
): string | null {
  const found = TOML_LIST.exec(text)
  if (found === null) return null
  const at = found.index + found[0].length
  const lines = entries.map((fields) => `  { ${fields.join(', ')} },`)
  return `${text.slice(0, at)}\n${[beginInList, ...lines, end].join('\n')}\n${text.slice(at)}`
}

function removeToml(text: string, { bridge }: HostPlace): string {
  const marks = makeTomlMarks(bridge)
  const inList = text.indexOf(`\n${marks.beginInList}\n`)
  const from = inList < 0 ? text.indexOf(marks.begin) : inList
  const end = text.indexOf(marks.end, from)
  if (from < 0) return text
  if (end < 0)
    throw new HooklineError(
      `it has "${marks.begin.split(' (')[0]}" without "${marks.end}" behind it, so nothing tells our hooks from yours. Write "${marks.end}" behind the last hook that calls hookline, then run this again. Nothing was written.`,
    )
  const after = text.slice(end + marks.end.length)
  // A file without a newline at its end has the one that was put before us, and none behind us.
  if (after === '' && text[from - 1] === '\n') return text.slice(0, from - 1)
  return text.slice(0, from) + after.replace(/^\n/, '')
}

import type { System } from '../programs/program.ts'
import {
  IN_CONTAINER,
  isCache,
  isHarmlessDevice,
  isSecretFolder,
  type Location,
  locate,
  type Mount,
  type OwnPlaces,
  type PlaceMap,
} from './places.ts'
import {
  type Content,
  carry,
  EMPTY_CONTENT,
  mergeCarried,
  type Piece,
  readKnownStart,
  readWord,
  showValue,
  UNKNOWN_CONTENT,
  type Value,
} from './value.ts'
import {
  type Carried,
  type Certainty,
  chooseLessCertain,
  type Effect,
  type EffectKind,
  type Flow,
  type Path,
  type Place,
  type Step,
  type Unseen,
  type UnseenReason,
  type Where,
} from './view.ts'
import type { World } from './world.ts'

/** Steps that one call may take; what needs more is too much. */
const MAX_STEPS = 3_500

/** Steps that all scripts of a call may take which it writes and does not run. */
const MAX_ASIDE_STEPS = 1_800

/** Effects that are kept of one call. */
const MAX_EFFECTS = 600

/** Depth of commands in commands and of files that run files. */
export const MAX_DEPTH = 12

/** Thrown to leave a call that takes more steps than there are; caught where the view is made. */
export class TooMuch extends Error {
  override name = 'TooMuch'
}

/** The state of one call that is read: what was found so far, and what it may still cost. */
export interface Reading {
  readonly world: World
  readonly own: OwnPlaces
  readonly programs: ReadonlyMap<string, unknown>
  readonly effects: Effect[]
  /** Effects that programs which are not known may have. */
  readonly guesses: Effect[]
  readonly flows: Flow[]
  readonly unseen: Unseen[]
  readonly seen: Set<string>
  /** Texts of files that were read to see what they run, by path. */
  readonly runFiles: Map<string, string>
  /** Files that the call itself writes. */
  readonly files: Map<string, Content>
  /** Folders that the call itself makes. */
  readonly folders: Set<string>
  /** Commands that take what is written to a path, as `>(sh)` does. */
  readonly sinks: Map<string, (content: Content) => void>
  readonly links: Map<string, string>
  readonly places: Map<string, never> | Map<string, Path>
  /** Git aliases and remotes, npm scripts that the call itself sets. */
  readonly settings: Map<string, string>
  /** Scripts that were read so far. */
  readonly scripts: Set<string>
  steps: number
  readonly runWords: (context: Context, words: readonly Value[], input: Content) => Content
  readonly runScript: (context: Context, script: string, input?: Content) => Content
  readonly runCode: (context: Context, language: string, code: string, input: Content) => Content
}

/** A folder that a shell may be in. */
export interface Folder {
  readonly path: string
  readonly certainty: Certainty
}

/** The state of one shell. */
export interface Shell {
  readonly variables: Map<string, Value>
  readonly arrays: Map<string, readonly Value[]>
  readonly functions: Map<string, unknown>
  readonly aliases: Map<string, string>
  /** Names of the variables that others stand for, as \`declare -n\` has it. */
  readonly references: Map<string, string>
  /** Hosts and files behind descriptors. */
  readonly descriptors: Map<number, string>
  folders: readonly Folder[]
  before: readonly Folder[]
  positional: readonly Value[]
  /** True after `set -f`. */
  noGlobs: boolean
  /** True after `set -x`: what is set is shown. */
  showsAll: boolean
}

/** Surroundings of one command: its shell, its user, its machine, the way to it. */
export interface Context {
  readonly reading: Reading
  readonly shell: Shell
  readonly certainty: Certainty
  readonly steps: readonly Step[]
  readonly as: 'user' | 'root'
  readonly where: Where
  readonly mounts: readonly Mount[] | null
  readonly depth: number
  /** Bodies of functions, and names of aliases, that are being run, to see one that starts itself. */
  readonly inside: readonly unknown[]
  /** True for what is printed into a command that logs in with it. */
  readonly isForLogin?: boolean
}

/** Counts a step; leaves the call when there are too many. */
export function spend({ reading }: Context, steps = 1): void {
  reading.steps += steps
  if (reading.steps > MAX_STEPS || reading.effects.length > MAX_EFFECTS) throw new TooMuch('too many steps')
}

/** The steps at which a call has no more left than scripts may take that it only writes. */
export function countAsideSteps({ steps }: Reading): number {
  return Math.max(steps, MAX_STEPS - MAX_ASIDE_STEPS)
}

/** The same context, less sure. */
export function lowerCertainty(context: Context, certainty: Certainty): Context {
  return { ...context, certainty: chooseLessCertain(context.certainty, certainty) }
}

/** The context of what a command or a file runs. */
export function enterStep(context: Context, step?: Step): Context {
  return { ...context, depth: context.depth + 1, steps: step ? [...context.steps, step] : context.steps }
}

/** A copy of the shell, for what a subshell changes. */
export function copyShell(shell: Shell): Shell {
  return {
    ...shell,
    variables: new Map(shell.variables),
    arrays: new Map(shell.arrays),
    functions: new Map(shell.functions),
    aliases: new Map(shell.aliases),
    references: new Map(shell.references),
    descriptors: new Map(shell.descriptors),
  }
}

/** The map of places as the context sees them. */
function toPlaceMap({ reading, mounts, where }: Context): PlaceMap {
  return {
    world: reading.world,
    own: reading.own,
    links: reading.links,
    mounts,
    host: typeof where === 'object' ? where.host : null,
    // The cache is shared by all maps of a call, whose keys tell mounts and links apart.
    cache: reading.places as Map<string, Path>,
  }
}

/** Notes an effect, once. */
export function note(context: Context, kind: EffectKind, certainty: Certainty = 'certain'): void {
  const { reading } = context
  if ('path' in kind && kind.path.text.startsWith(IN_CONTAINER)) return
  const sure = chooseLessCertain(context.certainty, certainty)
  const key = JSON.stringify([kind, sure])
  if (reading.seen.has(key)) return
  reading.seen.add(key)
  // The spread of a union loses which member it is; it is the one of `kind`.
  reading.effects.push({ ...kind, certainty: sure, from: context.steps } as Effect)
}

/** Notes something that cannot be known. */
export function noteUnseen(context: Context, reason: UnseenReason, of: string, role?: Unseen['role']): void {
  const { reading } = context
  const key = `?${reason} ${of} ${role ?? ''}`
  if (reading.seen.has(key)) return
  reading.seen.add(key)
  reading.unseen.push({ reason, of: of.slice(0, 200), from: context.steps, ...(role ? { role } : {}) })
}

/** The first entries of a list that the call gives; what follows is unseen. */
export function takeFirst<Entry>(
  context: Context,
  entries: readonly Entry[],
  max: number,
  of: string,
): readonly Entry[] {
  if (entries.length > max) noteUnseen(context, 'too-much', of, 'run')
  return entries.slice(0, max)
}

/** Notes that content of these kinds goes on. */
export function noteFlows(
  context: Context,
  carries: ReadonlySet<Carried> | readonly (Carried | 'unknown')[],
  to: Flow['to'],
  target: string,
): void {
  for (const from of carries) {
    const key = `>${from} ${to} ${target}`
    if (context.reading.seen.has(key)) continue
    context.reading.seen.add(key)
    context.reading.flows.push({ from, to, target, certainty: context.certainty, steps: context.steps })
  }
}

/** Kinds of content that nobody may run unread. */
export function listRunnable(carries: ReadonlySet<Carried>): readonly Carried[] {
  return [...carries].filter((each) => each === 'fetch' || each === 'decode')
}

/** Notes that a script runs of which nothing is known; what set-up commands print for shells is left alone. */
export function noteUnknownScript(context: Context, carries: ReadonlySet<Carried>, program: string): void {
  const isKnownKind = listRunnable(carries).length > 0 || carries.has('setup')
  if (!isKnownKind) noteFlows(lowerCertainty(context, 'likely'), ['unknown'], 'run', program)
}

/** Notes variables that hold a secret and are printed. */
export function noteShownSecret(context: Context, { pieces, carries }: Value): void {
  if (!carries.has('secret-variable') || context.isForLogin) return
  for (const piece of pieces)
    if (piece.is === 'unknown') {
      const path = { text: `$${piece.name}`, place: 'secret', exists: true } as const
      note(context, { does: 'read', path, what: 'content' }, 'likely')
    }
}

/** Notes a change of a system beyond files. */
export function noteChange(
  context: Context,
  system: System,
  operation: string,
  target = '',
  certainty: Certainty = 'certain',
): void {
  note(context, { does: 'change', system, operation, target: target.slice(0, 200) }, certainty)
}

/** Notes a change that happens for sure, and that guards take for less than others of its name. */
export function noteSmallChange(
  context: Context,
  system: System,
  operation: string,
  target: string,
  judgedAs: Certainty,
): void {
  const kind = { does: 'change', system, operation, target: target.slice(0, 200) } as const
  note(context, judgedAs === 'certain' ? kind : { ...kind, judgedAs })
}

function locateAll(context: Context, value: Value, follow: boolean): Location {
  const map = toPlaceMap(context)
  const { folders } = context.shell
  const text = readKnownStart(value)
  if (text.startsWith('/') || folders.length === 1) {
    const only = folders[0]
    const found = locate(map, value, { folder: only?.path ?? '/', follow })
    if (text.startsWith('/') || !only || only.certainty === 'certain') return found
    return {
      ...found,
      paths: found.paths.map((each) => ({ ...each, certainty: chooseLessCertain(each.certainty, only.certainty) })),
    }
  }
  const all = folders.map((folder) => ({ folder, found: locate(map, value, { folder: folder.path, follow }) }))
  const existing = all.filter(({ found }) =>
    found.paths.some(({ path }) => path.exists || !/^(?:project|built|temp)$/.test(path.place)),
  )
  const kept = existing.length > 0 ? existing : all.slice(0, 1)
  return {
    paths: kept.flatMap(({ folder, found }) =>
      found.paths.map((each) => ({ ...each, certainty: chooseLessCertain(each.certainty, folder.certainty) })),
    ),
    unsure: all.some(({ found }) => found.unsure),
  }
}

/** Notes that a file, or what a pattern matches, is read; answers with its content. */
export function readPath(context: Context, value: Value, what: 'content' | 'name' | 'tree' = 'content'): Content {
  spend(context)
  const { reading } = context
  const { paths, unsure } = locateAll(context, value, true)
  if (unsure) noteUnseen(context, 'value', showValue(value), 'read')
  const contents: Content[] = []
  for (const { path, certainty } of paths) {
    if (isHarmlessDevice(path.text)) {
      contents.push(readDevice(context, path.text))
      continue
    }
    const read =
      what === 'tree' && isSecretFolder(reading.world, path.text) ? { ...path, place: 'secret' as const } : path
    note(
      context,
      what === 'tree' ? { does: 'read', path: read, what: 'content', below: true } : { does: 'read', path: read, what },
      certainty,
    )
    contents.push(readKnown(context, read, what))
  }
  if (contents.length === 1 && contents[0] && paths[0]?.certainty === 'certain') return contents[0]
  return { ...UNKNOWN_CONTENT, carries: mergeCarried(contents.map(({ carries }) => carries)) }
}

function readDevice({ reading }: Context, path: string): Content {
  if (path === '/dev/null') return EMPTY_CONTENT
  const made = reading.files.get(path)
  if (made) return made
  return /^\/dev\/(?:zero|full|u?random)$/.test(path)
    ? { ...UNKNOWN_CONTENT, carries: carry('endless') }
    : UNKNOWN_CONTENT
}

function readKnown({ reading, where }: Context, path: Path, what: 'content' | 'name' | 'tree'): Content {
  const made = reading.files.get(path.text)
  if (made) return made
  if (what === 'name') return UNKNOWN_CONTENT
  if (where !== 'here' && path.place === 'remote') return { ...UNKNOWN_CONTENT, carries: carry('remote') }
  return { ...UNKNOWN_CONTENT, carries: listCarried(reading.world, path, what), source: path.text }
}

/** Places whose files are not kept: what is sent from there is what the call itself has made, or was elsewhere before. */
const PASSING_PLACES: ReadonlySet<Place> = new Set(['temp', 'device', 'remote'])

/** The kinds of content that lie at a path. */
function listCarried(world: World, path: Path, what: 'content' | 'name' | 'tree'): ReadonlySet<Carried> {
  if (path.place === 'secret') return carry('secret')
  const holdsHome = what === 'tree' && (path.text === world.home || `${world.home}/`.startsWith(`${path.text}/`))
  if (holdsHome) return carry('secret')
  return PASSING_PLACES.has(path.place) ? new Set() : carry('project')
}

/** Text of content: its own, that of the file that it is a copy of, or that of its parts one after the other. */
export function readContent(context: Context, { text, source, parts }: Content): string | null {
  if (text !== null) return text
  // A file that is handed to another machine is one of this.
  if (source !== null) return readSource({ ...context, mounts: null, where: 'here' }, source)
  const texts = parts?.map((part) => readContent(context, part)) ?? [null]
  return texts.every((each) => each !== null) ? texts.join('') : null
}

/** Text of a file of the call or of the disk, for reading what it runs. */
export function readSource(context: Context, path: string): string | null {
  const { reading } = context
  const made = reading.files.get(path)
  if (made)
    return made.text ?? (made.source !== null && made.source !== path ? reading.world.readFile(made.source) : null)
  if (context.mounts !== null || typeof context.where === 'object') return null
  return reading.world.readFile(path)
}

/** The text of a word, with that of files where it is their content; null where a part is not known. */
export function readFilled(context: Context, { pieces }: Value): string | null {
  const parts = pieces.map((piece) => {
    if (piece.is !== 'unknown') return piece.text
    return piece.source === undefined ? null : readSource(context, piece.source)
  })
  return parts.every((part) => part !== null) ? parts.join('') : null
}

/** A script with a variable for what is not known of it, which carries what the script does; null where nothing is known. */
export function fillScript(context: Context, { pieces, carries }: Value): string | null {
  const unknown = pieces.find((piece) => piece.is === 'unknown')
  const isKnown = (piece: Piece): boolean => piece.is !== 'unknown' && piece.text.trim() !== ''
  if (!pieces.some((piece) => isKnown(piece) || (piece.is === 'unknown' && piece.otherwise?.trim()))) return null
  if (unknown) context.shell.variables.set(UNKNOWN_VARIABLE, { pieces: [{ ...unknown, empty: true }], carries })
  return pieces
    .map((piece) => (piece.is === 'unknown' ? (piece.otherwise ?? `"$${UNKNOWN_VARIABLE}"`) : piece.text))
    .join('')
}

const UNKNOWN_VARIABLE = 'UNKNOWN'

/** The path that a word means for sure in the folder that is most sure; null where it is not known. */
export function resolveOne(context: Context, value: Value, follow = true): Path | null {
  const { paths } = locateAll(context, value, follow)
  return paths[0] && paths[0].certainty !== 'possible' ? paths[0].path : null
}

/** Notes that a file is written. */
export function writePath(
  context: Context,
  value: Value,
  how: 'create' | 'replace' | 'append' | 'edit' | 'mode' | 'owner' | 'link',
  content: Content = UNKNOWN_CONTENT,
): void {
  spend(context)
  const { reading } = context
  const { paths, unsure } = locateAll(context, value, how !== 'link')
  if (unsure) noteUnseen(context, 'value', showValue(value), 'write')
  for (const { path: found, certainty } of paths) {
    // A temporary folder that is the target of a copy is written into.
    const isInto = how !== 'mode' && how !== 'owner' && how !== 'link' && reading.world.temp.includes(found.text)
    const path: Path = isInto ? { ...found, place: 'temp' } : found
    if (content !== UNKNOWN_CONTENT) reading.sinks.get(path.text)?.(content)
    if (isHarmlessDevice(path.text)) continue
    if (how === 'mode' || how === 'owner' || how === 'link') {
      note(context, { does: 'write', path, how }, certainty)
      continue
    }
    const before = reading.files.get(path.text)
    const emptied = how === 'replace' && content.text === '' && path.exists && path.place !== 'device'
    if (emptied) note(context, toDelete(context, path, 'truncate'), certainty)
    else note(context, { does: 'write', path, how: how === 'replace' && !path.exists ? 'create' : how }, certainty)
    if (content.carries.has('endless') && path.place !== 'device')
      noteChange(context, 'machine', 'fill-disk', path.text)
    const leaving = [...content.carries].filter((each) => each === 'secret')
    if (leaving.length > 0 && path.place !== 'secret' && path.place !== 'temp' && path.place !== 'remote')
      noteFlows(context, leaving, 'write', path.text)
    if (path.place === 'remote') noteFlows(context, content.carries, 'send', path.text.split(':')[0] ?? '')
    if (how === 'edit' && content.text === null) {
      reading.settings.set(`edited ${path.text}`, '')
      continue
    }
    const text = how === 'append' && before ? joinText(before, content) : content.text
    reading.files.set(path.text, { ...content, text: how === 'append' && !before && path.exists ? null : text })
  }
}

function joinText(before: Content, after: Content): string | null {
  return before.text === null || after.text === null ? null : before.text + after.text
}

function toDelete({ reading }: Context, path: Path, how: 'tree' | 'file' | 'truncate' | 'move-away'): EffectKind {
  return { does: 'delete', path, how, back: findWayBack(reading.world, path) }
}

function findWayBack(world: World, path: Path): 'git' | 'rebuilt' | 'temp' | 'none' {
  if (path.place === 'built' || isCache(world, path.text)) return 'rebuilt'
  if (path.place === 'temp') return 'temp'
  return path.place === 'project' ? 'git' : 'none'
}

/** Notes that a file or folder is removed. */
export function deletePath(
  context: Context,
  value: Value,
  how: 'tree' | 'file' | 'truncate' | 'move-away',
  { follow = false }: { follow?: boolean } = {},
): void {
  spend(context)
  const { paths, unsure } = locateAll(context, value, follow)
  if (unsure)
    noteUnseen(context, 'value', showValue(value), value.carries.size > 0 || paths.length > 0 ? 'delete' : undefined)
  for (const { path, certainty } of paths) {
    if (isHarmlessDevice(path.text)) continue
    note(context, toDelete(context, path, how), certainty)
    if (certainty !== 'possible') context.reading.files.delete(path.text)
  }
}

/** True for a host that is this machine. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)$/i.test(host)
}

/** True for a host that goes by a short name: one that the user has given it in settings of ssh. */
export function isOwnHost(host: string, target: Value | null): boolean {
  return /^[a-z][\w-]*$/i.test(host) && !(target !== null && readKnownStart(target).includes('@'))
}

/** The host of an address; null where none can be read. */
export function readHost(text: string): string | null {
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^/@\s]*@)?(\[[^\]]+\]|[^/:?#\s]+)/i.exec(text.trim())
  return match?.[1] ?? null
}

/** Notes that content goes to a host. */
export function sendTo(context: Context, address: Value, content: { readonly carries: ReadonlySet<Carried> }): void {
  const host = findHost(context, address)
  if (isLoopback(host)) return
  note(context, { does: 'send', host })
  noteFlows(context, mergeCarried([content.carries, address.carries]), 'send', host)
}

/** Notes that something is fetched from a host; the content is what came. */
export function fetchFrom(context: Context, address: Value): Content {
  const host = findHost(context, address)
  if (!isLoopback(host)) note(context, { does: 'fetch', host })
  if (address.carries.size > 0 && !isLoopback(host)) noteFlows(context, address.carries, 'send', host)
  return { ...UNKNOWN_CONTENT, carries: isLoopback(host) ? new Set() : carry('fetch') }
}

function findHost(context: Context, address: Value): string {
  const host = readHost(readKnownStart(address))
  const text = readWord(address)
  if (host !== null && (text !== null || /^[a-z+]+:\/\/[^/]+\//i.test(readKnownStart(address)))) return host
  noteUnseen(context, 'value', showValue(address))
  return host ?? showValue(address)
}

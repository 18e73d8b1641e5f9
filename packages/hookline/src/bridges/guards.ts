import { join, resolve } from 'node:path'
import type { Engine } from '../engine/engine-interface.ts'
import type { ListedHook } from '../engine/listing.ts'
import { withLock } from '../files/lock.ts'
import { PRIVATE, readOwn } from '../files/own.ts'
import { isBelow, resolveLinks } from '../files/paths.ts'
import { readStamp, statOrUndefined } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { digestValue } from '../text/fingerprint.ts'
import { isObject } from '../text/json.ts'
import { toShellWord } from '../text/quote.ts'
import { GUARDS_FILE, type SessionMemory } from './memory.ts'

/** Result of a review of the guards of a session. */
export interface GuardsReview {
  /** Reason why calls are refused; null: no guard is missing. */
  readonly refusal: string | null
  /** News for the user, told once. */
  readonly news: readonly string[]
}

/** A session whose guards are reviewed. */
export interface GuardedSession {
  readonly memory: SessionMemory
  readonly project: string
  readonly home: string
  /** The host says that the session is not new. */
  readonly isOld: boolean
}

/**
 * Compares the hooks that can refuse something with those that the session began with. One that changed, went or is not trusted
 * any more has calls refused until the user has looked at what is there now; one that came counts from then on.
 */
export async function reviewGuards(engine: Engine, session: GuardedSession): Promise<GuardsReview> {
  const { memory, project } = session
  const now = listGuards(engine, session)
  const kept = await readKept(memory)
  const ofProject = kept === null ? undefined : kept[project]
  if (ofProject !== undefined) return compareGuards(ofProject, now, session)
  if (kept === null && memory.kept.guardedSince !== null) {
    const since = await readReview(session)
    if (!isReviewed(since, now, memory.kept.guardedSince)) return { refusal: describeLostMemory(session), news: [] }
  }
  const first = await keepGuards(memory, project, (earlier) => earlier ?? { at: makeTimestamp(), guards: now })
  if (first.guards !== now) return compareGuards(first, now, session) // another event of the session was quicker
  return { refusal: null, news: session.isOld ? [FORGOTTEN] : [] }
}

/** Told where a session that is not new is not remembered: the user may know why. */
const FORGOTTEN =
  'Nothing is remembered of this session, although it is not new, so its guards are the hooks that are there now: hookline list shows them.'

/** A hook that can refuse something. */
interface Guard {
  /** Stands for all that it says, wherever it is written. */
  readonly identity: string
  /** For people: its event, its matcher and what it runs. */
  readonly label: string
  readonly file: string
  /** The files that its command names, by the words of the command. */
  readonly scripts: Readonly<Record<string, Script>>
}

interface Script {
  readonly path: string
  readonly stamp: string
  /** Permission to be started as a program: without that, a hook that did so refuses nothing any more. */
  readonly isProgram?: boolean
}

/** The guards of a session in a project, since a point in time. */
interface KeptGuards {
  readonly at: string
  readonly guards: readonly Guard[]
}

const makeTimestamp = (): string => new Date().toISOString()

async function compareGuards(kept: KeptGuards, now: readonly Guard[], session: GuardedSession): Promise<GuardsReview> {
  const { memory, project } = session
  const present = new Map(now.map((guard) => [guard.identity, guard]))
  const gone = kept.guards.filter((guard) => findMissingFile(guard, present) !== null)
  if (gone.length > 0) {
    const since = await readReview(session)
    if (!isReviewed(since, now, kept.at)) return { refusal: describeShrunk(gone, present, session), news: [] }
    const accepted = { at: since.at, guards: now }
    await keepGuards(memory, project, (earlier) => (earlier && earlier.at >= since.at ? earlier : accepted))
    return { refusal: null, news: [describeAcceptedChange(gone, since.at)] }
  }
  const touched = kept.guards.flatMap(({ identity, scripts, label }) =>
    Object.entries(present.get(identity)?.scripts ?? {}).flatMap(([word, { path, stamp }]) =>
      (scripts[word]?.stamp ?? stamp) === stamp ? [] : [{ path, label }],
    ),
  )
  const isLonger = now.some(({ identity }) => !kept.guards.some((guard) => guard.identity === identity))
  if (touched.length > 0 || isLonger)
    await keepGuards(memory, project, (earlier) => addGuards(earlier, { at: kept.at, guards: now }))
  return { refusal: null, news: touched.map(describeChangedScript) }
}

/** Adds the guards that an event has found to those that others have kept meanwhile: none of theirs is forgotten. What the user has accepted meanwhile stays. */
function addGuards(earlier: KeptGuards | undefined, found: KeptGuards): KeptGuards {
  if (earlier === undefined) return found
  if (earlier.at !== found.at) return earlier
  const identities = new Set(found.guards.map(({ identity }) => identity))
  const others = earlier.guards.filter(({ identity }) => !identities.has(identity))
  return { at: found.at, guards: [...found.guards, ...others] }
}

/** The file of a guard that is not there any more: what defines it, or a script; null where it is whole. */
function findMissingFile({ identity, file, scripts }: Guard, present: ReadonlyMap<string, Guard>): string | null {
  const now = present.get(identity)
  if (now === undefined) return file
  const isGone = ([word, kept]: [string, Script]): boolean => {
    const script = now.scripts[word]
    return script === undefined || (kept.isProgram === true && script.isProgram !== true)
  }
  return Object.entries(scripts).find(isGone)?.[1].path ?? null
}

/** The hooks that can refuse something and that run. */
function listGuards(engine: Engine, places: Pick<GuardedSession, 'project' | 'home'>): Guard[] {
  const events = new Set<string>()
  for (const { event } of engine.hooks) if (engine.profile.events.get(event)?.canBlock) events.add(event)
  const guards: Guard[] = []
  for (const event of events) {
    for (const { hook, verdict } of engine.listListeners(event)) {
      if (verdict !== 'active' || !hook.waits) continue
      const what = hook.matcherText === null ? event : `${event} ${hook.matcherText}`
      guards.push({
        identity: identifyGuard(hook, engine),
        label: `${what}: ${clip(hook.shown.text)}`,
        file: hook.file ?? hook.id,
        scripts: findScripts(hook, places),
      })
    }
  }
  return guards
}

const MAX_LABEL_CHARS = 120

const clip = (text: string): string => (text.length > MAX_LABEL_CHARS ? `${text.slice(0, MAX_LABEL_CHARS)}…` : text)

/**
 * All that a hook says but where it stands: moved to another file it is the same guard, and so is that of a plugin after an update.
 * For a command its own text, since what makes a digest takes longer to load than a hook takes to start; others may send secrets,
 * which are not kept.
 */
function identifyGuard(hook: ListedHook['hook'], engine: Engine): string {
  const { event, matcherText, condition, handler, timeout, blocksOnFailure } = hook
  const { wrapped: _, ...runs } = handler as typeof handler & { readonly wrapped?: true } // the form of the entry, not what it runs
  const reach = 'type' in handler && handler.type === 'http' ? readHttpLimits(engine) : null
  const said = [event, matcherText, condition?.text ?? null, runs, timeout, blocksOnFailure, reach]
  return 'type' in handler && handler.type === 'command' ? toCanonicalJson(said) : digestValue(said)
}

/** Reads where http hooks may go and which variables they may send: a guard that is kept from its address refuses nothing. */
function readHttpLimits({ configuration }: Engine): unknown {
  const names = ['allowedHttpHookUrls', 'httpHookAllowedEnvVars']
  const limits: unknown[] = []
  for (const { root } of configuration.files)
    for (const name of names) limits.push(root?.fields?.get(name)?.node.value ?? null)
  return limits
}

/** Stands for a set of guards, in any order. */
function digestGuards(guards: readonly Guard[]): string {
  return digestValue([...new Set(guards.map(({ identity }) => identity))].sort())
}

const MAX_SCRIPTS = 8

/** The files of the project, the user and a plugin that a hook names, as it writes them. Programs of the system are not among them. */
function findScripts(
  { handler, pluginRoot }: ListedHook['hook'],
  { project, home }: Pick<GuardedSession, 'project' | 'home'>,
): Guard['scripts'] {
  const { command, args } = handler as { readonly command?: unknown; readonly args?: readonly string[] } // of a command hook
  if (typeof command !== 'string') return {}
  const places = { CLAUDE_PROJECT_DIR: project, HOME: home, CLAUDE_PLUGIN_ROOT: pluginRoot ?? '' }
  const owners = [project, home, ...(pluginRoot === null ? [] : [pluginRoot])]
  const found: Record<string, Script> = {}
  for (const word of args === undefined ? splitWords(command) : [command, ...args]) {
    if (Object.keys(found).length === MAX_SCRIPTS) break
    if (!/[./]/.test(word)) continue
    const path = resolve(project, fillPlaces(word, places))
    if (!owners.some((folder) => isBelow(path, folder)) || !isFile(path)) continue
    found[word] = { path, stamp: readStamp(path), isProgram: isProgram(path) }
  }
  return found
}

/** The words of a command, and those inside of a quoted one, which may be a command itself. */
function splitWords(command: string): string[] {
  const found = new Set<string>()
  for (const word of command.match(/(?:"[^"]*"|'[^']*'|\\.|[^\s"'`;|&<>()])+/g) ?? []) {
    const bare = word.replace(/["'\\]/g, '').replace(/^\w+=/, '')
    found.add(bare)
    if (/\s/.test(bare)) for (const inner of bare.split(/\s+/)) found.add(inner)
  }
  return [...found]
}

function fillPlaces(word: string, places: Readonly<Record<string, string>>): string {
  const named = word.replace(/^~(?=\/)/, '$HOME')
  return named.replace(/\$\{?(\w+)(?::-[^}]*)?\}?/g, (written, name: string) => places[name] ?? written)
}

const isFile = (path: string): boolean => statOrUndefined(path)?.isFile() === true

const isProgram = (path: string): boolean => ((statOrUndefined(path)?.mode ?? 0) & 0o111) !== 0

/** Formats the command by which sessions take the hooks that are there now. */
const acceptCommand = ({ project }: Pick<GuardedSession, 'project'>): string =>
  `hookline trust accept --project ${toShellWord(project)}`

const MAX_NAMED = 3

function describeShrunk(gone: readonly Guard[], present: ReadonlyMap<string, Guard>, session: GuardedSession): string {
  const named = gone.slice(0, MAX_NAMED).map((guard) => `${guard.label} (${findMissingFile(guard, present)})`)
  const more = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : ''
  return `hooks that guarded this session since it began have changed, are gone or are not trusted any more: ${named.join(', ')}${more}. No call is made until the user has put the files back as they were, or has looked at the hooks and run in a terminal: ${acceptCommand(session)}`
}

function describeLostMemory(session: GuardedSession): string {
  return `the record of which hooks guarded this session is gone or cannot be read (${join(session.memory.folder, GUARDS_FILE)}). No call is made until the session is started anew, or the user has looked at the hooks and run in a terminal: ${acceptCommand(session)}`
}

function describeAcceptedChange(gone: readonly Guard[], at: string): string {
  const named = gone.slice(0, MAX_NAMED).map(({ label }) => label)
  const more = gone.length > MAX_NAMED ? ` and ${gone.length - MAX_NAMED} more` : ''
  return `This session runs with other hooks since they were trusted at ${at}. Changed or gone: ${named.join(', ')}${more}.`
}

const describeChangedScript = ({ path, label }: { readonly path: string; readonly label: string }): string =>
  `${path} changed during this session. A hook starts it: ${label}.`

/** The guards of a session by project. */
type GuardStore = Readonly<Record<string, KeptGuards>>

/** Reads what is kept; null where there is nothing that can be read. */
async function readKept({ folder }: SessionMemory): Promise<GuardStore | null> {
  const kept = await readObject(join(folder, GUARDS_FILE))
  const isWhole = kept !== null && Object.values(kept).every(isKeptGuards)
  return isWhole ? (kept as GuardStore) : null // as it was written, as far as that can be told
}

const isKeptGuards = (kept: unknown): boolean =>
  isObject(kept) &&
  Array.isArray(kept.guards) &&
  kept.guards.every((one) => isObject(one) && typeof one.identity === 'string')

/** Keeps guards for a project, out of those that are kept by then; gives what is kept. A home that cannot be written keeps none. */
async function keepGuards(
  memory: SessionMemory,
  project: string,
  choose: (earlier: KeptGuards | undefined) => KeptGuards,
): Promise<KeptGuards> {
  const path = join(memory.folder, GUARDS_FILE)
  let chosen = choose(undefined)
  const write = async (): Promise<void> => {
    const kept = (await readKept(memory)) ?? {}
    chosen = choose(kept[project])
    if (chosen === kept[project]) return
    const { at, guards } = chosen
    await replaceFile(path, `${JSON.stringify({ ...kept, [project]: { at, guards } })}\n`, PRIVATE)
  }
  await withLock(path, write, PRIVATE).catch(() => {})
  const since = chosen.at
  if (memory.kept.guardedSince === null)
    memory.change((state) => ({ ...state, guardedSince: state.guardedSince ?? since }))
  return chosen
}

/** Hooks that the user has looked at in a project: sessions there take it when it is what they find. */
interface Review {
  readonly at: string
  readonly digest: string
}

function isReviewed(review: Review | null, now: readonly Guard[], since: string): review is Review {
  return review !== null && review.at > since && review.digest === digestGuards(now)
}

/** The file of reviews, which is none of the settings that `hookline guard` has in `guards.json`. */
const findReviewsPath = (home: string): string => join(home, '.hookline', 'reviews.json')

async function readReview({ project, home }: Pick<GuardedSession, 'project' | 'home'>): Promise<Review | null> {
  const review = (await readObject(findReviewsPath(home)))?.[resolveLinks(project)]
  return isObject(review) && typeof review.at === 'string' && typeof review.digest === 'string'
    ? { at: review.at, digest: review.digest }
    : null
}

/** The most projects of which a review is kept. */
const MAX_REVIEWS = 256

/** Notes that the user has looked at the hooks that can refuse something in a project: sessions go on with them. */
export async function storeReview(
  engine: Engine,
  { project, home }: Pick<GuardedSession, 'project' | 'home'>,
): Promise<void> {
  const path = findReviewsPath(home)
  const review: Review = { at: makeTimestamp(), digest: digestGuards(listGuards(engine, { project, home })) }
  const write = async (): Promise<void> => {
    const { [resolveLinks(project)]: _, ...others } = (await readObject(path)) ?? {}
    const kept = Object.fromEntries([...Object.entries(others), [resolveLinks(project), review]].slice(-MAX_REVIEWS))
    await replaceFile(path, `${JSON.stringify(kept, null, 2)}\n`, PRIVATE)
  }
  await withLock(path, write, PRIVATE)
}

/** An object in a file of the user's own; null where there is none that can be believed. */
async function readObject(path: string): Promise<Readonly<Record<string, unknown>> | null> {
  const content = await readOwn(path)
  if (content.read !== 'text') return null
  try {
    const value: unknown = JSON.parse(content.text)
    return isObject(value) ? value : null
  } catch {
    return null // cut off, or edited
  }
}

import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { type Enclosure, isBelow, listFilesBelow, makeProjectEnclosure, readText } from 'hookline/internal'
import { findPermission, parseRule, readSubject } from 'hookline/rules'
import { parseFrontmatter } from 'hookline/settings'
import { fireIfKnown, type HookedLoop, hasEvent } from '../hooks/fire.ts'

/** Owner of the instructions in a file. */
type MemoryType = 'Managed' | 'User' | 'Project' | 'Local'

/** Reason why a file of instructions enters the context. */
type LoadReason = 'session_start' | 'nested_traversal' | 'path_glob_match' | 'include' | 'compact'

/** A file of instructions, and how it came in. */
interface InstructionFile {
  readonly path: string
  readonly type: MemoryType
  readonly reason: LoadReason
  readonly text: string
  /** The file that names it; null: none does. */
  readonly parent: string | null
  /** The files that it is about; null: all. */
  readonly globs: readonly string[] | null
  /** The file that a tool went to; null: no tool brought it in. */
  readonly trigger: string | null
}

interface InstructionPlaces {
  readonly project: string
  readonly home: string
  /** The policy's settings file; instructions may lie beside it. */
  readonly managed: string
}

/** Longer instructions would leave no room for anything else. */
const MAX_INSTRUCTIONS_BYTES = 512 * 1024
/** Files that name files that name files. */
const MAX_INCLUDE_DEPTH = 5

/** The files of instructions of a session: those it begins with, and those of folders that a tool goes to. */
export class Instructions {
  readonly #places: InstructionPlaces
  readonly #tell: (text: string) => void
  /** Instructions that the session began with. */
  #loaded: readonly InstructionFile[] = []
  /** Rules about some files only; they come in with the first of those. */
  #waiting: readonly InstructionFile[] = []
  /** Instructions that each conversation has been given. */
  readonly #given = new WeakMap<object, Set<string>>()

  constructor(places: InstructionPlaces, tell: (text: string) => void) {
    this.#places = places
    this.#tell = tell
  }

  /** Reads what a session begins with; the text is for the model. */
  async load(): Promise<string> {
    const { project, home, managed } = this.#places
    const own = await Promise.all([
      this.#read(join(dirname(managed), 'CLAUDE.md'), 'Managed', null),
      this.#read(join(home, '.claude', 'CLAUDE.md'), 'User', null),
      this.#listRules(join(home, '.claude', 'rules'), 'User', null),
      ...['AGENTS.md', 'CLAUDE.md', join('.claude', 'CLAUDE.md')].map((name) =>
        this.#read(join(project, name), 'Project', makeProjectEnclosure(project)),
      ),
      this.#listRules(join(project, '.claude', 'rules'), 'Project', makeProjectEnclosure(project)),
      this.#read(join(project, 'CLAUDE.local.md'), 'Local', makeProjectEnclosure(project)),
    ])
    const files = own.flat()
    this.#loaded = files.filter(({ globs }) => globs === null)
    this.#waiting = files.filter(({ globs }) => globs !== null)
    return this.#loaded.map((file) => formatInstructions(file, this.#places)).join('\n\n')
  }

  /** Tells hooks of every file that the session began with, or that a compaction left in place. */
  async tell(loop: HookedLoop, reason?: 'compact'): Promise<void> {
    this.#given.delete(loop) // instructions that a tool had brought in went with the conversation
    for (const file of this.#loaded) await tellOfInstructions(loop, reason === undefined ? file : { ...file, reason })
  }

  /** Reads what files of instructions say of the place that a call went to, each once a conversation; hooks are told. */
  async readConcerning(loop: HookedLoop, toolName: string, input: unknown): Promise<readonly string[]> {
    const { project } = this.#places
    if (!hasEvent(loop.session, 'InstructionsLoaded')) return []
    const subject = readSubject(toolName, input, project)
    if (subject.kind !== 'path' || !isBelow(subject.path, project)) return []
    const given = this.#given.get(loop) ?? new Set<string>()
    this.#given.set(loop, given)
    const fresh = [...(await this.#listNested(subject.path)), ...(await this.#listAbout(subject.path))].filter(
      ({ path }) => !given.has(path),
    )
    for (const file of fresh) {
      given.add(file.path)
      await tellOfInstructions(loop, file)
    }
    return fresh.map((file) => formatInstructions(file, this.#places))
  }

  /** The files of the folders between the project's own and a path. */
  async #listNested(path: string): Promise<InstructionFile[]> {
    const { project } = this.#places
    const steps = relative(project, dirname(path))
      .split(sep)
      .filter((step) => step !== '')
    const folders = steps.map((_, at) => join(project, ...steps.slice(0, at + 1)))
    const names = folders.flatMap((folder) => ['AGENTS.md', 'CLAUDE.md'].map((name) => join(folder, name)))
    const files = await Promise.all(names.map((name) => this.#read(name, 'Project', makeProjectEnclosure(project))))
    return files.flat().map((file) => ({
      ...file,
      ...(file.parent === null ? { reason: 'nested_traversal' as const } : {}),
      trigger: path,
    }))
  }

  /** The rules that are about a path. */
  async #listAbout(path: string): Promise<InstructionFile[]> {
    const { project, home } = this.#places
    const found: InstructionFile[] = []
    for (const file of this.#waiting) {
      const rules = (file.globs ?? [])
        .map((glob) => parseRule(`Read(${glob})`))
        .flatMap((rule) => ('fault' in rule ? [] : [rule]))
      const call = { toolName: 'Read', input: { file_path: path } }
      const match = await findPermission({ project, home, allow: rules, ask: [], deny: [] }, call)
      if (match) found.push({ ...file, reason: 'path_glob_match', trigger: path })
    }
    return found
  }

  /** A file, and those that it names; none when it is not there. */
  async #read(path: string, type: MemoryType, inside: Enclosure | null): Promise<InstructionFile[]> {
    return this.#readWith({ path, type, inside, parent: null, above: [] })
  }

  async #readWith({ path, type, inside, parent, above }: InstructionReading): Promise<InstructionFile[]> {
    const content = await readText(path, { inside, largest: MAX_INSTRUCTIONS_BYTES })
    if (content.read === 'unreadable' && parent === null)
      this.#tell(`${formatInstructionPath(path, this.#places)} ${content.reason}; the model is not told what it says.`)
    if (content.read !== 'text') return []
    const { body, globs } = await splitHead(content.text)
    const reason = parent === null ? 'session_start' : 'include'
    const own: InstructionFile = { path, type, reason, text: body, parent, globs, trigger: null }
    if (above.length === MAX_INCLUDE_DEPTH) return [own]
    const named = listIncludes(body)
      .map((name) => resolve(dirname(path), name.replace(/^~(?=\/)/, this.#places.home)))
      .filter((other) => other !== path && !above.includes(other))
    const included = await Promise.all(
      named.map((other) =>
        this.#readWith({ path: other, type, inside: inside ?? this.#home, parent: path, above: [...above, path] }),
      ),
    )
    return [own, ...included.flat()]
  }

  /** Files that those of the user may name: whatever lies in their home. */
  get #home(): Enclosure {
    return makeProjectEnclosure(this.#places.home)
  }

  async #listRules(folder: string, type: MemoryType, inside: Enclosure | null): Promise<InstructionFile[]> {
    const paths = listFilesBelow(folder, { inside }).paths.filter((path) => path.endsWith('.md'))
    return (await Promise.all(paths.map((path) => this.#read(join(folder, path), type, inside)))).flat()
  }
}

interface InstructionReading {
  readonly path: string
  readonly type: MemoryType
  readonly inside: Enclosure | null
  readonly parent: string | null
  /** The files that lead to it. */
  readonly above: readonly string[]
}

/** A text without its head, and the `paths` that the head names. */
async function splitHead(text: string): Promise<{ readonly body: string; readonly globs: readonly string[] | null }> {
  if (!text.startsWith('---')) return { body: text, globs: null }
  const { root, body } = await parseFrontmatter(text)
  const paths = root?.fields?.get('paths')?.node.value
  const globs = (Array.isArray(paths) ? paths : String(paths ?? '').split(',')).map((glob) => String(glob).trim())
  const named = globs.filter((glob) => glob !== '')
  return { body, globs: named.length === 0 ? null : named }
}

const CODE = /```[\s\S]*?```|`[^`\n]*`/g
const INCLUDE = /(?:^|\s)@((?:~\/|\.{0,2}\/)?[\w.-][\w./-]*)/g

/** The files that a text names with `@`, outside of code. */
function listIncludes(text: string): string[] {
  return [...text.replace(CODE, '').matchAll(INCLUDE)].map(([, name = '']) => name.replace(/[.,]$/, ''))
}

function formatInstructions({ path, type, text }: InstructionFile, places: InstructionPlaces): string {
  const whose = type === 'Project' ? 'of the project' : `(${type.toLowerCase()})`
  return `${formatInstructionPath(path, places)} ${whose}:\n\n${text}`
}

function formatInstructionPath(path: string, { project }: InstructionPlaces): string {
  return isBelow(path, project) ? relative(project, path) || basename(path) : path
}

async function tellOfInstructions(loop: HookedLoop, file: InstructionFile): Promise<void> {
  const { path, type, reason, globs, trigger, parent } = file
  const fields = {
    ...{ file_path: path, memory_type: type, load_reason: reason },
    ...(globs === null ? {} : { globs }),
    ...(trigger === null ? {} : { trigger_file_path: trigger }),
    ...(parent === null ? {} : { parent_file_path: parent }),
  }
  const atLaunch = trigger === null && reason !== 'compact'
  const without = [...(trigger === null ? ['effort' as const] : []), ...(atLaunch ? ['prompt_id' as const] : [])]
  await fireIfKnown(loop, 'InstructionsLoaded', fields, { signal: loop.session.closing, without })
}

/**
 * Reads what the project wants agents to know, where hooks are not told of files: its `AGENTS.md`, else its `CLAUDE.md`; '' when it
 * has neither. One that cannot be read, or that is a link out of the project, is told of and left out.
 */
export async function readProjectNotes(project: string, tell: (text: string) => void): Promise<string> {
  for (const name of ['AGENTS.md', 'CLAUDE.md']) {
    const content = await readText(join(project, name), {
      inside: makeProjectEnclosure(project),
      largest: MAX_INSTRUCTIONS_BYTES,
    })
    if (content.read === 'text') return `${name} of the project:\n\n${content.text}`
    if (content.read === 'unreadable') tell(`${name} ${content.reason}; the model is not told what it says.`)
  }
  return ''
}

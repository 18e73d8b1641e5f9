import { readStamp } from '../files/read.ts'
import { listSettingKeys } from '../protocol/setting-keys.ts'
import { toCanonicalJson } from '../text/digest.ts'
import { type Configuration, findDropInFolder, readConfiguration } from './configuration.ts'
import { listAskedFiles, readFileAsks } from './folder-request.ts'
import type { ProfileSource } from './profile-choice.ts'
import { readSettingsFile, type SettingsFile } from './settings-file.ts'
import type { Snapshot } from './snapshot.ts'
import { diffFile, type PendingChange } from './text-diff.ts'

/** Changes that the user was shown: accepting it takes over exactly this, whatever happens on disk meanwhile. */
export interface Review {
  readonly changes: readonly PendingChange[]
  readonly configuration: Configuration
}

/** After so long an event looks at the disk again. */
const UNCHECKED_SECONDS = 0.1

/** Notices edits on disk; they change nothing by themselves. */
export class ChangeWatch {
  #stamps = new Map<string, string>()
  #files: readonly SettingsFile[] = []
  #dropIns = ''
  readonly #told = new Set<string>()
  #checkedAt = process.uptime()
  #hooksRan = false

  constructor(snapshot: Snapshot) {
    this.follow(snapshot)
  }

  /** Compares with another snapshot from now on. What was told of files that stay as they were is told again, unless said otherwise. */
  follow({ configuration, places }: Snapshot, { tellAgain = true } = {}): void {
    this.#files = listJsonFiles(configuration)
    this.#stamps = new Map()
    for (const { path, content } of this.#files) this.#stamps.set(path, content.stamp)
    this.#dropIns = findDropInFolder(places.managed)
    this.#stamps.set(this.#dropIns, readStamp(this.#dropIns))
    if (tellAgain) this.#told.clear()
  }

  /** Hooks may have edited something, so the next event looks. */
  noteHooksRan(): void {
    this.#hooksRan = true
  }

  /** True if something may have happened since it looked at the disk. */
  isDue(): boolean {
    return this.#hooksRan || process.uptime() - this.#checkedAt >= UNCHECKED_SECONDS
  }

  /** Adds sentences about files that were edited, each told once. It looks at once: hooks that start later edit for the next event. */
  async addNews({ places }: Snapshot, notices: string[]): Promise<void> {
    this.#hooksRan = false
    this.#checkedAt = process.uptime()
    const touched: SettingsFile[] = []
    for (const file of this.#files)
      if (readStamp(file.path) !== this.#stamps.get(file.path) && !this.#told.has(file.path)) touched.push(file)
    const edited: string[] = []
    const dropIns = readStamp(this.#dropIns) // parts of a policy may come and go as files
    if (dropIns !== this.#stamps.get(this.#dropIns)) {
      this.#stamps.set(this.#dropIns, dropIns)
      edited.push(
        `${this.#dropIns} changed on disk; this session keeps the policy it has until the change is reviewed.`,
      )
    }
    for (const file of touched) {
      const now = await readSettingsFile(file, places.project)
      this.#stamps.set(file.path, now.content.stamp)
      if (toDefinitions(file, readFileAsks(file)) === toDefinitions(now, readFileAsks(now))) continue
      this.#told.add(file.path)
      edited.push(`${file.file} changed on disk; this session keeps what it has until the change is reviewed.`)
    }
    notices.push(...edited)
  }
}

/** Compares what runs with what is on disk: whatever accepting it would change is among the changes. */
export async function reviewChanges({ configuration, places }: Snapshot, source: ProfileSource): Promise<Review> {
  const now = await readConfiguration(places, source)
  const [before, after] = [configuration, now].map((read) => listVersions(read, places.project))
  const files = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])]
  const changed = await Promise.all(files.map((file) => compareVersions(file, before?.get(file), after?.get(file))))
  return { changes: changed.filter((change) => change !== null), configuration: now }
}

/** A file's text, and what of it counts. */
interface Version {
  readonly text: string
  readonly counts: string
}

/** Lists what a configuration runs, by file. */
function listVersions(configuration: Configuration, project: string): Map<string, Version> {
  const asked = listAskedFiles(configuration, project)
  const versions = new Map<string, Version>()
  for (const file of listJsonFiles(configuration)) {
    const { content } = file
    if (content.read === 'missing') continue
    const counts = toDefinitions(file, asked[file.file])
    versions.set(file.file, { text: content.read === 'text' ? content.text : '', counts })
  }
  for (const [file, definition] of Object.entries(asked)) {
    if (versions.has(file)) continue // a component, of which the text beside its frontmatter does not matter
    versions.set(file, { text: `${JSON.stringify(definition, null, 2)}\n`, counts: toCanonicalJson(definition) })
  }
  return versions
}

async function compareVersions(
  file: string,
  before: Version | undefined,
  now: Version | undefined,
): Promise<PendingChange | null> {
  if ((before?.counts ?? EMPTY_DEFINITION) === (now?.counts ?? EMPTY_DEFINITION)) return null
  const change = await diffFile(file, before?.text, now?.text, { called: ['running', 'on disk'] })
  return change ?? { file, kind: 'changed', diff: '' } // the same text, which plays another part
}

/** Every file that is watched. */
function listJsonFiles({ files, serverFiles }: Configuration): SettingsFile[] {
  const byPath = new Map<string, SettingsFile>()
  for (const file of [...serverFiles, ...files]) byPath.set(file.path, file)
  return [...byPath.values()]
}

/** A file that asks for nothing, and no file at all, define the same. */
const EMPTY_DEFINITION = '{}'

/** Picks what counts of a file: of a project's, whatever it asks for; of others, what concerns hooks. */
function toDefinitions({ root, content, needsTrust }: SettingsFile, asked: object = {}): string {
  if (content.read === 'missing') return EMPTY_DEFINITION
  if (!root) return content.read === 'text' ? content.text : content.read
  if (needsTrust) return toCanonicalJson(asked)
  const watched = [...(root.fields ?? [])].filter(([key]) => listSettingKeys('watched').has(key))
  return toCanonicalJson(Object.fromEntries(watched.map(([key, { node }]) => [key, node.value])))
}

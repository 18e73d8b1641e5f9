import type { Component } from '../config/component.ts'
import { type Configuration, dropInFolder, readConfiguration } from '../config/configuration.ts'
import { readSettingsFile, type SettingsFile } from '../config/settings-file.ts'
import type { Snapshot } from '../config/snapshot.ts'
import { canonical } from '../config/trust.ts'
import { shownPath } from '../files/paths.ts'
import { stampAt } from '../files/read.ts'
import type { Profile } from '../protocol/event-row.ts'

/** A file that no longer says what the session runs. */
export interface PendingChange {
  /** As the record names files. */
  readonly file: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** From what runs to what is on disk, as a unified diff. */
  readonly diff: string
}

/** What a person was shown: accepting it takes over exactly this, whatever happens on disk meanwhile. */
export interface Review {
  readonly changes: readonly PendingChange[]
  readonly configuration: Configuration
}

/** Longer than this nothing on disk goes unnoticed while events come. */
const UNCHECKED_SECONDS = 0.1

/** Notices edits on disk; they change nothing by themselves. */
export class ChangeWatch {
  #stamps = new Map<string, string>()
  readonly #told = new Set<string>()
  #checkedAt = process.uptime()
  #hooksRan = false

  constructor(snapshot: Snapshot) {
    this.follow(snapshot)
  }

  /** Starts over from a snapshot. */
  follow({ configuration, places }: Snapshot): void {
    this.#stamps = new Map(configuration.files.map(({ path, content }) => [path, content.stamp]))
    const folder = dropInFolder(places.managed)
    this.#stamps.set(folder, stampAt(folder))
    this.#told.clear()
  }

  /** Hooks may have edited something, so the next event looks. */
  hooksRan(): void {
    this.#hooksRan = true
  }

  /** Whether something may have happened since it looked at the disk. */
  isDue(): boolean {
    return this.#hooksRan || process.uptime() - this.#checkedAt >= UNCHECKED_SECONDS
  }

  /** Sentences about files that were edited, each told once. */
  async news({ configuration, places }: Snapshot): Promise<string[]> {
    this.#hooksRan = false
    this.#checkedAt = process.uptime()
    await new Promise(setImmediate) // in a turn of its own: hooks have just been started, and the host waits for them
    const touched = configuration.files.filter(
      ({ path }) => stampAt(path) !== this.#stamps.get(path) && !this.#told.has(path),
    )
    const edited = this.#policyNews(dropInFolder(places.managed))
    for (const file of touched) {
      const now = await readSettingsFile(file, places.project)
      this.#stamps.set(file.path, now.content.stamp)
      if (definitionsOf(file) === definitionsOf(now)) continue
      this.#told.add(file.path)
      edited.push(`${file.file} changed on disk; this session keeps the hooks it has until the change is reviewed.`)
    }
    return edited
  }

  /** Parts of a policy may come and go as files. */
  #policyNews(folder: string): string[] {
    const stamp = stampAt(folder)
    if (stamp === this.#stamps.get(folder)) return []
    this.#stamps.set(folder, stamp)
    return [`${folder} changed on disk; this session keeps the policy it has until the change is reviewed.`]
  }
}

/** Compares what runs with what is on disk. */
export async function review({ configuration, places }: Snapshot, profile: Profile): Promise<Review> {
  const now = await readConfiguration(places, profile)
  const settings = pairs(configuration.files, now.files).map((pair) => compare(pair, ({ file }) => file, fileText))
  const names = ({ path }: Component): string => shownPath(path, places.project)
  const components = pairs(configuration.components, now.components).map((pair) => compare(pair, names, componentText))
  const changed = await Promise.all([...settings, ...components])
  return { changes: changed.filter((change) => change !== null), configuration: now }
}

interface Pair<One> {
  readonly before: One | undefined
  readonly now: One | undefined
}

/** Old and new versions side by side, whichever of them there is. */
function pairs<One extends { readonly path: string }>(before: readonly One[], now: readonly One[]): Pair<One>[] {
  const paths = new Set([...before, ...now].map(({ path }) => path))
  const at = (list: readonly One[], path: string): One | undefined => list.find((one) => one.path === path)
  return [...paths].map((path) => ({ before: at(before, path), now: at(now, path) }))
}

/** A version's text, and what of it counts; undefined when there is none. */
type Version = { readonly text: string; readonly counts: string } | undefined

async function compare<One>(
  { before, now }: Pair<One>,
  nameOf: (one: One) => string,
  versionOf: (one: One) => Version,
): Promise<PendingChange | null> {
  const old = before === undefined ? undefined : versionOf(before)
  const recent = now === undefined ? undefined : versionOf(now)
  const one = now ?? before
  if (one === undefined || (old?.counts ?? NOTHING) === (recent?.counts ?? NOTHING)) return null
  const { createTwoFilesPatch } = await import('diff')
  const file = nameOf(one)
  const diff = createTwoFilesPatch(file, file, old?.text ?? '', recent?.text ?? '', 'running', 'on disk')
  if (old === undefined) return { file, kind: 'added', diff }
  return { file, kind: recent === undefined ? 'removed' : 'changed', diff }
}

function fileText(file: SettingsFile): Version {
  const { content } = file
  if (content.read === 'missing') return undefined
  return { text: content.read === 'text' ? content.text : '', counts: definitionsOf(file) }
}

function componentText({ definition }: Component): Version {
  return definition === null
    ? undefined
    : { text: `${JSON.stringify(definition, null, 2)}\n`, counts: canonical(definition) }
}

/** A file without any hook, and no file at all, define the same. */
const NOTHING = canonical({})

/** What of a settings file concerns hooks; other tools' settings do not matter. */
function definitionsOf({ root, content }: SettingsFile): string {
  if (content.read === 'missing') return NOTHING
  if (!root) return content.read === 'text' ? content.text : content.read
  const { hooks, disableAllHooks, allowManagedHooksOnly, statusLine, fileSuggestion } = root.value as Record<
    string,
    unknown
  > // a root is an object
  return canonical({ hooks, disableAllHooks, allowManagedHooksOnly, statusLine, fileSuggestion })
}

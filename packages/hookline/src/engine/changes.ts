import { stampAt } from '../config/read-file.ts'
import { readSettingsFile, type SettingsFile } from '../config/settings-file.ts'
import type { Snapshot } from '../config/snapshot.ts'
import { definitionDigest } from '../config/trust.ts'

/** A settings file that no longer says what the session runs. */
export interface PendingChange {
  /** As the record names files. */
  readonly file: string
  readonly kind: 'added' | 'changed' | 'removed'
  /** From what runs to what is on disk, as a unified diff. */
  readonly diff: string
}

/** Longer than this nothing on disk goes unnoticed while events come. */
const UNCHECKED_MS = 100

/** Notices edits on disk; they change nothing by themselves. */
export class ChangeWatch {
  #stamps = new Map<string, string>()
  readonly #told = new Set<string>()
  #checkedAt = performance.now()
  #hooksRan = false

  constructor(snapshot: Snapshot) {
    this.follow(snapshot)
  }

  /** Starts over from a snapshot. */
  follow({ files }: Snapshot): void {
    this.#stamps = new Map(files.map(({ path, content }) => [path, content.stamp]))
    this.#told.clear()
  }

  /** Hooks may have edited something, so the next event looks. */
  hooksRan(): void {
    this.#hooksRan = true
  }

  /** Sentences about files that were edited, each told once. Looks at the disk only when something may have happened. */
  async news(snapshot: Snapshot): Promise<string[]> {
    if (!this.#hooksRan && performance.now() - this.#checkedAt < UNCHECKED_MS) return []
    this.#hooksRan = false
    this.#checkedAt = performance.now()
    const touched = snapshot.files.filter(
      ({ path }) => stampAt(path) !== this.#stamps.get(path) && !this.#told.has(path),
    )
    const edited: string[] = []
    for (const file of touched) {
      const now = await readSettingsFile(file, snapshot.places.project)
      this.#stamps.set(file.path, now.content.stamp)
      if (saysTheSame(file, now)) continue
      this.#told.add(file.path)
      edited.push(
        `${file.file} changed on disk; this session goes on with the hooks it has until the change is reviewed.`,
      )
    }
    return edited
  }
}

/** What differs between the snapshot and the disk. */
export async function pendingChanges({ files, places }: Snapshot): Promise<PendingChange[]> {
  const pairs = await Promise.all(
    files.map(async (before) => ({ before, now: await readSettingsFile(before, places.project) })),
  )
  const changed = pairs.filter(({ before, now }) => !saysTheSame(before, now))
  if (changed.length === 0) return []
  const { createTwoFilesPatch } = await import('diff')
  return changed.map(({ before, now }) => ({
    file: before.file,
    kind: kindOf(before, now),
    diff: createTwoFilesPatch(before.file, before.file, textOf(before), textOf(now), 'running', 'on disk'),
  }))
}

/** Whether two versions of a file define the same; settings of others do not matter. */
function saysTheSame(before: SettingsFile, now: SettingsFile): boolean {
  return before.content.read === now.content.read && definitions(before) === definitions(now)
}

function definitions({ root, content }: SettingsFile): string {
  if (!root) return content.read === 'text' ? content.text : ''
  const { hooks, disableAllHooks, allowManagedHooksOnly, statusLine, fileSuggestion } = root.value as Record<
    string,
    unknown
  > // a root is an object
  return definitionDigest({ hooks, disableAllHooks, allowManagedHooksOnly, statusLine, fileSuggestion })
}

function kindOf(before: SettingsFile, now: SettingsFile): PendingChange['kind'] {
  if (before.content.read === 'missing') return 'added'
  return now.content.read === 'missing' ? 'removed' : 'changed'
}

const textOf = ({ content }: SettingsFile): string => (content.read === 'text' ? content.text : '')

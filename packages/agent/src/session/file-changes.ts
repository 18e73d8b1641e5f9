import { rm } from 'node:fs/promises'
import * as z from 'zod'
import type { AgentEvent } from '../output/events.ts'
import { lookAtFile } from '../tools/file-on-disk.ts'
import { putFile } from '../tools/put-file.ts'
import { ToolError } from '../tools/tool.ts'

/** A file before a call changed it. */
interface FileChange {
  readonly path: string
  /** null: there was no such file; undefined: it was no text. */
  readonly before: string | null | undefined
  /** Number of messages there were. */
  readonly at: number
}

/** Fate of files that were to be as they had been. */
export interface RestoredFiles {
  readonly restored: readonly string[]
  /** Files that something else has changed meanwhile, or that cannot be written: they stay as they are. */
  readonly left: readonly string[]
}

const response = z.looseObject({
  filePath: z.string(),
  originalFile: z.string().nullable(),
  type: z.string().optional(),
  oldString: z.string().optional(),
})

/** Changes of Edit and Write since the last compaction, so that they can be undone. */
export class FileChanges {
  #changes: FileChange[] = []
  #countMessages: () => number = () => 0

  /** From now on changes belong to the conversation with so many messages. */
  follow(messages: () => number): void {
    this.#countMessages = messages
    this.#changes = []
  }

  /** Hears what happens. */
  note(event: AgentEvent): void {
    if (event.type === 'compacted') this.#changes = []
    if (event.type !== 'tool_ended') return
    const { data } = response.safeParse(event.response)
    if (data === undefined) return
    const { filePath: path, originalFile, type, oldString } = data
    const isNew = type === 'create' || oldString === ''
    this.#changes.push({ path, before: isNew ? null : (originalFile ?? undefined), at: this.#countMessages() })
  }

  /** The files that were changed after so many messages. */
  listSince(messages: number): string[] {
    return [...new Set(this.#changes.filter(({ at }) => at > messages).map(({ path }) => path))]
  }

  /** Gives files the content that they had after so many messages; `seen` tells when the session last wrote each. */
  async restore(messages: number, seen: Map<string, number>): Promise<RestoredFiles> {
    const restored: string[] = []
    const left: string[] = []
    for (const path of this.listSince(messages)) {
      const before = this.#changes.find((change) => change.path === path && change.at > messages)?.before
      const isDone = before !== undefined && (await put(path, before, seen))
      ;(isDone ? restored : left).push(path)
    }
    this.forget(messages)
    return { restored, left }
  }

  /** Forgets what was changed after so many messages. */
  forget(messages: number): void {
    this.#changes = this.#changes.filter(({ at }) => at <= messages)
  }
}

async function put(path: string, before: string | null, seen: Map<string, number>): Promise<boolean> {
  try {
    const onDisk = await lookAtFile(path)
    if (onDisk.is === 'file' && seen.get(path) !== onDisk.stats.mtimeMs) return false
    if (before !== null) seen.set(path, await putFile(path, before, onDisk))
    else if (onDisk.is === 'file') await rm(onDisk.realPath)
    return true
  } catch (error) {
    if (error instanceof ToolError) return false
    throw error
  }
}

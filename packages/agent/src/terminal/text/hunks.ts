import { resolve } from 'node:path'
import * as z from 'zod'
import { replaceText } from '../../tools/edit.ts'
import { lookAtFile } from '../../tools/file-on-disk.ts'
import { readWholeText } from '../../tools/file-text.ts'
import { type Hunk, makePatch } from '../../tools/patch.ts'
import { ToolError } from '../../tools/tool.ts'

const hunk = z.looseObject({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
})

const edited = z.looseObject({ structuredPatch: z.array(hunk).min(1) })
const created = z.looseObject({ type: z.literal('create'), content: z.string() })

/** Reads what a call changed in a file, from the response of a tool that edits; nothing for all others. */
export function readHunks(response: unknown): readonly Hunk[] {
  const change = edited.safeParse(response)
  if (change.success) return change.data.structuredPatch
  const file = created.safeParse(response)
  if (!file.success) return []
  const lines = file.data.content.replace(/\n$/, '').split('\n')
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines: lines.map((line) => `+${line}`) }]
}

/** Change that a call would make to a file. */
export interface WantedChange {
  readonly hunks: readonly Hunk[]
  /** Reason why the call will fail, as far as that can be known; null: it need not. */
  readonly problem: string | null
}

const editInput = z.looseObject({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().default(false),
})
const writeInput = z.looseObject({ file_path: z.string(), content: z.string() })

/** Finds what a call of Edit or Write would change, held against the file as it is now; null for all other tools. */
export async function findWantedChange(tool: string, input: unknown, cwd: string): Promise<WantedChange | null> {
  const change = editInput.safeParse(input)
  const file = writeInput.safeParse(input)
  if (tool === 'Edit' && change.success) return findWantedEdit(change.data, cwd)
  if (tool !== 'Write' || !file.success) return null
  const { file_path, content } = file.data
  return { hunks: makePatch((await readTextOrNull(resolve(cwd, file_path))) ?? '', content), problem: null }
}

async function findWantedEdit(wanted: z.output<typeof editInput>, cwd: string): Promise<WantedChange> {
  const { old_string: old, new_string: fresh, replace_all: everywhere } = wanted
  const before = await readTextOrNull(resolve(cwd, wanted.file_path))
  if (before === null && old === '') return { hunks: makePatch('', fresh), problem: null }
  const replaced = before === null ? null : replaceText(before, { old, fresh, everywhere })
  if (before !== null && replaced?.found === 'enough') return { hunks: makePatch(before, replaced.text), problem: null }
  return { hunks: makeUnplacedHunks(old, fresh), problem: replaced === null ? NO_FILE : FAULTS[replaced.found] }
}

const NO_FILE = 'The file cannot be read: the call will fail.'
const FAULTS = {
  none: 'The file does not contain this text: the call will fail.',
  several: 'The file contains this text more than once: the call will fail.',
  enough: null,
} as const

/** Two texts of which it is not known where in a file they stand. */
function makeUnplacedHunks(old: string, fresh: string): Hunk[] {
  const lines = [...old.split('\n').map((line) => `-${line}`), ...fresh.split('\n').map((line) => `+${line}`)]
  return [{ oldStart: 0, oldLines: 0, newStart: 0, newLines: 0, lines }]
}

/** null: there is no such file, or no text in it. */
async function readTextOrNull(path: string): Promise<string | null> {
  try {
    const onDisk = await lookAtFile(path)
    return onDisk.is === 'missing' ? null : await readWholeText(path, onDisk)
  } catch (error) {
    if (error instanceof ToolError) return null
    throw error
  }
}

import * as z from 'zod'
import { type Hunk, patchOf } from '../tools/patch.ts'

const hunk = z.looseObject({
  oldStart: z.number(),
  oldLines: z.number(),
  newStart: z.number(),
  newLines: z.number(),
  lines: z.array(z.string()),
})

const edited = z.looseObject({ structuredPatch: z.array(hunk).min(1) })
const created = z.looseObject({ type: z.literal('create'), content: z.string() })

/** What a call changed in a file, from the response of a tool that edits; nothing for all others. */
export function hunksIn(response: unknown): readonly Hunk[] {
  const change = edited.safeParse(response)
  if (change.success) return change.data.structuredPatch
  const file = created.safeParse(response)
  if (!file.success) return []
  const lines = file.data.content.replace(/\n$/, '').split('\n')
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: lines.length, lines: lines.map((line) => `+${line}`) }]
}

const edit = z.looseObject({ old_string: z.string(), new_string: z.string() })
const write = z.looseObject({ file_path: z.string(), content: z.string() })

/** What a call would change in a file, from its input; nothing for tools that change none. */
export function wantedHunks(input: unknown): readonly Hunk[] {
  const change = edit.safeParse(input)
  if (change.success) return patchOf(`${change.data.old_string}\n`, `${change.data.new_string}\n`)
  const file = write.safeParse(input)
  return file.success ? hunksIn({ type: 'create', content: file.data.content }) : []
}

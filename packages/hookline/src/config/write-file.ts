import { randomUUID } from 'node:crypto'
import { chmod, mkdir, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { applyEdits, type JSONPath, modify } from 'jsonc-parser'
import { realPath } from './paths.ts'

/** A hook to be written into a settings file. */
export interface NewHook {
  readonly event: string
  readonly matcher?: string
  readonly hook: Readonly<Record<string, unknown>>
}

/** A settings text with one more group; comments, order and formatting of the rest stay as they are. */
export function withHook(text: string, { event, matcher, hook }: NewHook): string {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [hook] }
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  const formattingOptions = {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  }
  const path: JSONPath = ['hooks', event, -1]
  return applyEdits(text, modify(text, path, group, { formattingOptions, isArrayInsertion: true }))
}

/** Replaces a file in one step: a reader sees the old text or the new one. A link is followed, not replaced. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realPath(path)
  await mkdir(dirname(target), { recursive: true })
  const mode = await stat(target).then(
    (stats) => stats.mode & 0o777,
    () => null,
  ) // a new file gets the usual mode
  const draft = `${target}.${randomUUID()}.tmp`
  await writeFile(draft, text, { flag: 'wx' })
  if (mode !== null) await chmod(draft, mode)
  await rename(draft, target)
}

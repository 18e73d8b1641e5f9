import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { applyEdits, type JSONPath, modify } from 'jsonc-parser'
import { HooklineError } from './error.ts'
import { realPath } from './paths.ts'
import { errorCode } from './read-file.ts'

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

/**
 * Replaces a file in one step: a reader sees the old text or the new one. A link is followed, not replaced. Rejects with
 * a HooklineError when that cannot be done; the old file is then as it was.
 */
export async function replaceFile(path: string, text: string, { mode }: { mode?: number } = {}): Promise<void> {
  const target = await realPath(path)
  const draft = `${target}.${randomUUID()}.tmp`
  try {
    await mkdir(dirname(target), { recursive: true })
    const kept =
      mode ??
      (await stat(target).then(
        (stats) => stats.mode & 0o777,
        () => undefined,
      )) // a new file gets the usual mode
    await writeAndSync(draft, text, kept)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // it may not even be there
    throw new HooklineError(`${path} cannot be written (${errorCode(error)}); it is as it was.`)
  }
}

async function writeAndSync(path: string, text: string, mode: number | undefined): Promise<void> {
  const file = await open(path, 'wx', mode)
  try {
    if (mode !== undefined) await file.chmod(mode)
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

import { resolve } from 'node:path'
import * as z from 'zod'
import { defineTool } from './define-tool.ts'
import { lookAtFile, type OnDisk, refuseUnlessSeen } from './file-on-disk.ts'
import { readWholeText } from './file-text.ts'
import { makePatch } from './patch.ts'
import { putFile, runInTurn } from './put-file.ts'
import { type ToolContext, ToolError, type ToolOutcome } from './tool.ts'

const input = z.strictObject({
  file_path: z.string().min(1).describe('The path of the file; absolute, or from the current folder'),
  old_string: z.string().describe('The text to replace, exactly as it stands in the file; empty to create a new file'),
  new_string: z.string().describe('The text to put in its place'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence, not just the only one'),
})

/** Replaces text in a file. */
export const editTool = defineTool({
  name: 'Edit',
  description: [
    'Replaces a text in a file. old_string must be exactly what stands there, indentation included and without line numbers, and must occur once: give more lines around it, or replace_all.',
    'The file must have been read before, and must not have changed since.',
  ].join('\n'),
  input,
  readOnly: false,
  edits: true,
  normalise: (call, { cwd }) => ({ ...call, file_path: resolve(cwd, call.file_path) }),
  check: (call, context) => prepareEdit(resolve(context.cwd, call.file_path), call, context),
  run: (call, context) => {
    const path = resolve(context.cwd, call.file_path)
    return runInTurn(path, () => editFile(path, call, context))
  },
})

async function editFile(filePath: string, call: z.output<typeof input>, context: ToolContext): Promise<ToolOutcome> {
  const { onDisk, before, after } = await prepareEdit(filePath, call, context)
  if (context.signal.aborted) throw new ToolError('Interrupted: nothing was changed.')
  context.seen.set(filePath, await putFile(filePath, after, onDisk))
  return {
    content: `${filePath} was ${onDisk.is === 'file' ? 'changed' : 'created'}.`,
    response: {
      filePath,
      oldString: call.old_string,
      newString: call.new_string,
      originalFile: before,
      structuredPatch: makePatch(before, after),
      userModified: false,
      replaceAll: call.replace_all,
    },
  }
}

/** The file before and after an edit, as it stands now. */
interface PreparedEdit {
  readonly onDisk: OnDisk
  readonly before: string
  readonly after: string
}

/** Works out an edit without making it; a ToolError says why it cannot be made. */
async function prepareEdit(
  filePath: string,
  call: z.output<typeof input>,
  { seen }: Pick<ToolContext, 'seen'>,
): Promise<PreparedEdit> {
  if (call.old_string === call.new_string) {
    throw new ToolError('old_string and new_string are the same: there is nothing to change.')
  }
  const onDisk = await lookAtFile(filePath)
  if (call.old_string === '' && onDisk.is === 'file') {
    throw new ToolError(`${filePath} exists: an empty old_string creates a new file. Say which text to replace.`)
  }
  if (call.old_string !== '' && onDisk.is === 'missing') {
    throw new ToolError(`${filePath} does not exist. An empty old_string creates it.`)
  }
  if (onDisk.is === 'file') refuseUnlessSeen(filePath, onDisk.stats, seen)
  const before = onDisk.is === 'file' ? await readWholeText(filePath, onDisk) : ''
  const after = onDisk.is === 'file' ? changeText(filePath, before, call) : call.new_string
  return { onDisk, before, after }
}

function changeText(path: string, text: string, call: z.output<typeof input>): string {
  const { old_string: old, new_string: fresh, replace_all: everywhere } = call
  const replaced = replaceText(text, { old, fresh, everywhere })
  switch (replaced.found) {
    case 'none':
      throw new ToolError(
        `old_string does not occur in ${path}. It must be exactly what stands there, spaces and tabs included.`,
      )
    case 'several':
      throw new ToolError(
        `old_string occurs more than once in ${path}. Give more of the text around it, or set replace_all.`,
      )
    case 'enough':
      return replaced.text
  }
}

/** Result of a replacement. */
export type ReplaceResult =
  | { readonly found: 'none' }
  | { readonly found: 'several' }
  | { readonly found: 'enough'; readonly text: string }

/** Words of a replacement; neither means anything but itself. */
export interface Replacement {
  readonly old: string
  readonly fresh: string
  /** Every occurrence, rather than the only one. */
  readonly everywhere: boolean
}

/**
 * Replaces text that occurs exactly once, or everywhere. In a file of lines that end in CRLF both words are taken to
 * end theirs so too; in a mixed one, when they are not found as they are.
 */
export function replaceText(text: string, replacement: Replacement): ReplaceResult {
  const asInCrlf = { ...replacement, old: toCrlf(replacement.old), fresh: toCrlf(replacement.fresh) }
  if (!text.includes('\r\n')) return replaceExactly(text, replacement)
  if (!/(?<!\r)\n/.test(text)) return replaceExactly(text, asInCrlf)
  const exact = replaceExactly(text, replacement)
  return exact.found === 'none' ? replaceExactly(text, asInCrlf) : exact
}

function toCrlf(text: string): string {
  return text.replace(/(?<!\r)\n/g, '\r\n')
}

function replaceExactly(text: string, { old, fresh, everywhere }: Replacement): ReplaceResult {
  const at = text.indexOf(old)
  if (at === -1) return { found: 'none' }
  if (everywhere) return { found: 'enough', text: text.split(old).join(fresh) }
  if (text.includes(old, at + 1)) return { found: 'several' }
  return { found: 'enough', text: text.slice(0, at) + fresh + text.slice(at + old.length) }
}

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
  content: z.string().describe('The whole content of the file'),
})

/** Writes whole files. */
export const writeTool = defineTool({
  name: 'Write',
  description: [
    'Writes a file, with the folders it needs. What was in it is replaced; prefer Edit for a change.',
    'A file that exists must have been read before, and must not have changed since.',
  ].join('\n'),
  input,
  readOnly: false,
  edits: true,
  normalise: (call, { cwd }) => ({ ...call, file_path: resolve(cwd, call.file_path) }),
  check: (call, context) => findTarget(resolve(context.cwd, call.file_path), context),
  run: (call, context) => {
    const path = resolve(context.cwd, call.file_path)
    return runInTurn(path, () => writeTextFile(path, call.content, context))
  },
})

async function writeTextFile(filePath: string, content: string, { seen, signal }: ToolContext): Promise<ToolOutcome> {
  const onDisk = await findTarget(filePath, { seen })
  const originalFile = onDisk.is === 'file' ? await readReplacedText(filePath, onDisk) : null
  if (signal.aborted) throw new ToolError('Interrupted: nothing was written.')
  seen.set(filePath, await putFile(filePath, content, onDisk))
  const created = onDisk.is === 'missing'
  return {
    content: `${filePath} was ${created ? 'created' : 'written'}.`,
    response: {
      type: created ? 'create' : 'update',
      filePath,
      content,
      structuredPatch: originalFile === null ? [] : makePatch(originalFile, content),
      originalFile,
      userModified: false,
    },
  }
}

/** Looks at what a file would replace; a ToolError says why it may not. */
async function findTarget(filePath: string, { seen }: Pick<ToolContext, 'seen'>): Promise<OnDisk> {
  const onDisk = await lookAtFile(filePath)
  if (onDisk.is === 'file') refuseUnlessSeen(filePath, onDisk.stats, seen)
  return onDisk
}

/** Reads the text that a write replaces, which hooks see as the original; null for a file that is not text. */
async function readReplacedText(path: string, onDisk: Parameters<typeof readWholeText>[1]): Promise<string | null> {
  return readWholeText(path, onDisk).catch(() => null) // the file may be replaced all the same
}

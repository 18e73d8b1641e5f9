import { basename, dirname, resolve } from 'node:path'
import type { HiddenFiles } from 'hookline/rules'
import * as z from 'zod'
import { defineTool } from './define-tool.ts'
import { lookAtFile } from './file-on-disk.ts'
import { type FilePage, readFilePage } from './file-page.ts'
import { findNearNames } from './near-names.ts'
import { ToolError } from './tool.ts'

const MAX_READ_LINES = 2000

/** Shows a file with numbered lines. */
export const readTool = defineTool({
  name: 'Read',
  description: [
    `Reads a text file and shows its lines with their numbers, at most ${MAX_READ_LINES} at once. Use offset and limit for the rest of a long file.`,
    'The numbers and the tab behind them are not part of the file. A file must be read before Edit or Write may change it.',
  ].join('\n'),
  input: z.strictObject({
    file_path: z.string().min(1).describe('The path of the file; absolute, or from the current folder'),
    offset: z.number().int().positive().optional().describe('The number of the first line to show'),
    limit: z.number().int().positive().optional().describe('How many lines to show'),
  }),
  readOnly: true,
  edits: false,
  normalise: (call, { cwd }) => ({ ...call, file_path: resolve(cwd, call.file_path) }),
  shown: readShownText,
  run: async ({ file_path, offset = 1, limit = MAX_READ_LINES }, { cwd, seen, signal, hidden }) => {
    const path = resolve(cwd, file_path)
    if ((await lookAtFile(path)).is === 'missing')
      throw new ToolError(await describeMissing(path, await hidden('Read', { file_path })))
    const page = await readFilePage(path, { offset, limit: Math.min(limit, MAX_READ_LINES), signal })
    if (offset > page.totalLines) {
      throw new ToolError(`${path} has ${page.totalLines} lines: offset ${offset} is behind its end.`)
    }
    seen.set(path, page.stats.mtimeMs)
    return {
      content: formatNumbered(path, { ...page, isEmpty: page.stats.size === 0 }),
      response: makeReadResponse(path, page),
    }
  },
})

async function describeMissing(path: string, hidden: HiddenFiles | null): Promise<string> {
  const isHidden = hidden?.(dirname(path)) ?? (() => false)
  const near = (await findNearNames(path)).filter((each) => !isHidden(basename(each)))
  return `${path} does not exist.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`
}

const response = z.looseObject({
  file: z.looseObject({ filePath: z.string(), content: z.string(), startLine: z.number(), totalLines: z.number() }),
})

/** Reads a response in the shape that the tool gives, for the model. */
function readShownText(given: unknown): string | null {
  const { data } = response.safeParse(given)
  if (data === undefined) return null
  const { filePath, content, startLine, totalLines } = data.file
  return formatNumbered(filePath, { lines: content.split('\n'), startLine, totalLines, isEmpty: content === '' })
}

type ShownPage = Pick<FilePage, 'lines' | 'startLine' | 'totalLines'> & { readonly isEmpty: boolean }

function formatNumbered(path: string, { lines, startLine, totalLines, isEmpty }: ShownPage): string {
  if (isEmpty) return `${path} exists and is empty.`
  const last = startLine + lines.length - 1
  const text = lines.map((line, at) => `${String(startLine + at).padStart(6)}\t${line}`).join('\n')
  return last < totalLines
    ? `${text}\n\n[lines ${startLine} to ${last} of ${totalLines}; read on with offset ${last + 1}]`
    : text
}

function makeReadResponse(filePath: string, { lines, startLine, totalLines }: FilePage) {
  return { type: 'text', file: { filePath, content: lines.join('\n'), numLines: lines.length, startLine, totalLines } }
}

import { isAbsolute, join, resolve } from 'node:path'
import * as z from 'zod'
import { defineTool } from './define-tool.ts'
import { findSearchPlace, runRipgrep } from './ripgrep.ts'
import { type ToolContext, ToolError } from './tool.ts'

const MAX_GLOB_FILES = 100

/** Finds files by their names. */
export const globTool = defineTool({
  name: 'Glob',
  description: [
    `Finds files whose paths fit a pattern such as "**/*.ts" or "src/**/*.{js,ts}", the last changed first, at most ${MAX_GLOB_FILES}.`,
    'A pattern without a slash fits names in every folder. What git ignores is left out.',
  ].join('\n'),
  input: z.strictObject({
    pattern: z.string().min(1).describe('The pattern that paths have to fit'),
    path: z.string().min(1).optional().describe('The folder to search; the current one unless given'),
  }),
  readOnly: true,
  edits: false,
  normalise: (call, { cwd }) => (call.path === undefined ? call : { ...call, path: resolve(cwd, call.path) }),
  run: async ({ pattern, path = '.' }, context) => {
    const start = performance.now()
    const { folder, glob } = splitGlobStart(pattern, resolve(context.cwd, path))
    const isHidden = (await context.hidden('Glob', { pattern, path }))?.(folder) ?? hideNothing
    const { files, cut } = await findFittingFiles(glob, { folder, isHidden }, context)
    const filenames = files.slice(0, MAX_GLOB_FILES)
    const truncated = cut || files.length > MAX_GLOB_FILES
    const more = truncated ? [`[… more than ${MAX_GLOB_FILES} files fit; use a narrower pattern]`] : []
    return {
      content: filenames.length === 0 ? 'No files found' : [...filenames, ...more].join('\n'),
      response: { filenames, numFiles: filenames.length, truncated, durationMs: Math.round(performance.now() - start) },
    }
  },
})

const hideNothing = (): boolean => false

/** An absolute pattern is searched from its last folder without a sign that stands for something else. */
function splitGlobStart(pattern: string, folder: string): { folder: string; glob: string } {
  if (!isAbsolute(pattern)) return { folder, glob: pattern }
  const parts = pattern.split('/')
  const magic = parts.findIndex((part) => /[*?[\]{}\\]/.test(part))
  const fixed = parts.slice(0, magic === -1 ? -1 : magic)
  return { folder: fixed.join('/') || '/', glob: `/${parts.slice(fixed.length).join('/')}` }
}

/** ripgrep lets a glob win over what git ignores, so what fits is held against what is not ignored. */
async function findFittingFiles(
  glob: string,
  { folder, isHidden }: { readonly folder: string; readonly isHidden: (name: string) => boolean },
  context: ToolContext,
): Promise<{ files: string[]; cut: boolean }> {
  const place = await findSearchPlace(folder)
  if (place.target !== './') throw new ToolError(`${folder} is a file, not a folder to search.`)
  const list = ['--files', '--null', '--sortr=modified']
  const literal = glob.startsWith('!') ? `\\${glob}` : glob // a leading `!` would mean the opposite
  const fitting = await runRipgrep([...list, `--glob=${literal}`], place, context)
  if (fitting.stdout === '') return { files: [], cut: false }
  const listed = await runRipgrep(list.slice(0, 2), place, context)
  const kept = new Set(splitOutputNames(listed.stdout))
  return {
    files: splitOutputNames(fitting.stdout)
      .filter((name) => kept.has(name) && !isHidden(name))
      .map((name) => join(folder, name)),
    cut: fitting.cut || listed.cut,
  }
}

function splitOutputNames(output: string): string[] {
  return output.split('\0').slice(0, -1)
}

import { join, resolve } from 'node:path'
import * as z from 'zod'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import { type Findings, findSearchPlace, runRipgrep, type SearchPlace } from './ripgrep.ts'
import { type ToolContext, ToolError, type ToolOutcome } from './tool.ts'

/** Characters that the model gets. */
const MAX_GREP_OUTPUT_CHARS = 30_000
const MAX_GREP_LINES = 1000
const MAX_GREP_LINE_CHARS = 500

const lines = z.number().int().nonnegative().optional()

const input = z.strictObject({
  pattern: z.string().min(1).describe('The regular expression to look for, in the syntax of ripgrep'),
  path: z.string().min(1).optional().describe('The file or folder to search; the current folder unless given'),
  glob: z
    .string()
    .min(1)
    .optional()
    .describe('Search only files that fit this pattern, such as "*.ts", ignored ones too'),
  output_mode: z
    .enum(['files_with_matches', 'content', 'count'])
    .optional()
    .describe('Show the paths of files that match (unless given), the lines, or how many lines match in each file'),
  '-i': z.boolean().optional().describe('Ignore the difference between capital and small letters'),
  '-n': z.boolean().optional().describe('Show line numbers, with content; true unless given'),
  '-A': lines.describe('Lines to show after each match, with content'),
  '-B': lines.describe('Lines to show before each match, with content'),
  '-C': lines.describe('Lines to show before and after each match, with content'),
  multiline: z.boolean().optional().describe('Let a match span lines, and `.` match a newline'),
  head_limit: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(`Show only the first lines of the result; ${MAX_GREP_LINES} at most`),
})

type GrepCall = z.output<typeof input>
type Mode = NonNullable<GrepCall['output_mode']>

/** Finds text in files. */
export const grepTool = defineTool({
  name: 'Grep',
  description:
    'Searches the contents of files with ripgrep. What git ignores is left out, unless `path` or `glob` names it.',
  input,
  readOnly: true,
  edits: false,
  normalise: (call, { cwd }) => (call.path === undefined ? call : { ...call, path: resolve(cwd, call.path) }),
  run: async (call, context) => {
    const place = await findSearchPlace(resolve(context.cwd, call.path ?? '.'))
    const isHidden = (await context.hidden('Grep', call))?.(place.folder) ?? null
    const without = isHidden === null ? [] : await listExclusions(call, { place, isHidden }, context)
    const findings = await runRipgrep([...makeArguments(call), ...without], place, context)
    return makeGrepOutcome(
      call,
      place,
      isHidden === null ? findings : hideFindings(readOutputMode(call), findings, isHidden),
    )
  },
})

interface GuardedSearch {
  readonly place: SearchPlace
  /** True if rules keep a file from being shown, by its name from the folder. */
  readonly isHidden: (name: string) => boolean
}

/** More than these are not named one by one. */
const MAX_EXCLUSIONS = 5000

/** The arguments that keep ripgrep from opening files that rules keep from being shown. */
async function listExclusions(
  call: GrepCall,
  { place, isHidden }: GuardedSearch,
  context: ToolContext,
): Promise<string[]> {
  const glob = call.glob === undefined ? [] : [`--glob=${call.glob}`]
  const { stdout, cut } = await runRipgrep(['--files', '--null', ...glob], place, context)
  const names = stdout.split('\0').slice(0, -1)
  const hidden = foldIntoFolders(names, isHidden)
  if (cut || hidden.length > MAX_EXCLUSIONS)
    throw new ToolError('Rules keep too many files of this folder from being read. Search a smaller folder.')
  return hidden.map((name) => `--glob=!/${name.replace(/[\\*?[\]{}!]/g, '\\$&')}`)
}

/** The hidden ones, with a folder in place of all its files where all of them are. */
function foldIntoFolders(names: readonly string[], isHidden: (name: string) => boolean): string[] {
  const plain = names.map((name) => join(name))
  const hidden = new Set(plain.filter(isHidden))
  const open = new Set(plain.filter((name) => !hidden.has(name)).flatMap(listParents))
  return [...new Set([...hidden].map((name) => [...listParents(name), name].find((each) => !open.has(each)) ?? name))]
}

/** The folders that a file lies in, the uppermost first. */
function listParents(name: string): string[] {
  const parts = name.split('/').slice(0, -1)
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

/** Hides files that came meanwhile or whose names could not be said to ripgrep. */
function hideFindings(mode: Mode, { stdout, warnings, cut }: Findings, isHidden: GuardedSearch['isHidden']): Findings {
  const kept = mode === 'files_with_matches' ? hideNames(stdout, isHidden) : hideLines(stdout, isHidden)
  return { stdout: kept, warnings: warnings === '' ? '' : 'some files could not be read', cut }
}

function hideNames(stdout: string, isHidden: GuardedSearch['isHidden']): string {
  const names = stdout.split('\0').slice(0, -1)
  return names.flatMap((name) => (isHidden(name) ? [] : [`${name}\0`])).join('')
}

/** A line begins with the name of its file; what is said of a binary file stands without an end before the next name. */
function hideLines(stdout: string, isHidden: GuardedSearch['isHidden']): string {
  return [...stdout.matchAll(/(--\n)|(\.\/[^\0]*)\0[^\n]*\n/g)]
    .filter(([, , name]) => name === undefined || ![name, ...name.split(/\n(?=\.\/)/)].some(isHidden))
    .map(([record]) => record)
    .join('')
}

function makeArguments(call: GrepCall): string[] {
  return [
    ...MODE_ARGUMENTS[readOutputMode(call)],
    '--null', // ends names, which may hold any other sign
    '--with-filename',
    ...(readOutputMode(call) === 'content' ? makeContentArguments(call) : []),
    ...(call['-i'] ? ['--ignore-case'] : []),
    ...(call.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(call.glob === undefined ? [] : [`--glob=${call.glob}`]),
    `--regexp=${call.pattern}`,
  ]
}

function readOutputMode({ output_mode = 'files_with_matches' }: GrepCall): Mode {
  return output_mode
}

const MODE_ARGUMENTS = {
  files_with_matches: ['--files-with-matches', '--sortr=modified'],
  content: ['--no-heading', '--sort=path', `--max-columns=${MAX_GREP_LINE_CHARS}`, '--max-columns-preview'],
  count: ['--count', '--sort=path'],
} as const satisfies Record<Mode, readonly string[]>

function makeContentArguments(call: GrepCall): string[] {
  const contextLines = [
    ['--after-context', call['-A'] ?? call['-C']],
    ['--before-context', call['-B'] ?? call['-C']],
  ] as const
  return [
    call['-n'] === false ? '--no-line-number' : '--line-number',
    ...contextLines.flatMap(([name, count]) => (count === undefined ? [] : [`${name}=${count}`])),
  ]
}

function makeGrepOutcome(call: GrepCall, { folder }: SearchPlace, findings: Findings): ToolOutcome {
  const mode = readOutputMode(call)
  const found =
    mode === 'files_with_matches' ? parseFoundFiles(findings.stdout, folder) : parseFoundLines(findings.stdout, folder)
  const hideFindings = found.slice(0, Math.min(call.head_limit ?? MAX_GREP_LINES, MAX_GREP_LINES))
  const left = found.length - hideFindings.length
  const notes = [
    ...(left > 0 || findings.cut ? [`[… ${findings.cut ? 'more than ' : ''}${left} more lines]`] : []),
    ...(findings.warnings === '' ? [] : [`[not searched: ${findings.warnings}]`]),
  ]
  const filenames = [...new Set(found.map(({ file }) => file).filter((file) => file !== null))]
  const text = clip(hideFindings.map((one) => one.text).join('\n'), MAX_GREP_OUTPUT_CHARS)
  return {
    content: [text || 'No matches found', ...notes].join('\n'),
    response: {
      mode,
      numFiles: filenames.length,
      filenames:
        mode === 'files_with_matches' ? hideFindings.map((one) => one.text) : filenames.slice(0, MAX_GREP_LINES),
      ...(mode === 'files_with_matches' ? {} : { content: text, numLines: hideFindings.length }),
    },
  }
}

interface FoundPart {
  /** null: a line between two stretches of one. */
  readonly file: string | null
  readonly text: string
}

function parseFoundFiles(stdout: string, folder: string): FoundPart[] {
  return stdout
    .split('\0')
    .slice(0, -1)
    .map((name) => ({ file: join(folder, name), text: join(folder, name) }))
}

function parseFoundLines(stdout: string, folder: string): FoundPart[] {
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const at = line.indexOf('\0')
      if (at === -1) return { file: null, text: line }
      const file = join(folder, line.slice(0, at))
      return { file, text: `${file}:${line.slice(at + 1)}` }
    })
}

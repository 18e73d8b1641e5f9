import { join, resolve } from 'node:path'
import * as z from 'zod'
import { clip } from './clip.ts'
import { defineTool } from './define-tool.ts'
import { type Findings, ripgrep, type SearchPlace, searchPlace } from './ripgrep.ts'
import type { ToolOutcome } from './tool.ts'

/** Characters that the model gets. */
const MOST_OUTPUT = 30_000
const MOST_LINES = 1000
const LONGEST_LINE = 500

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
    .describe(`Show only the first lines of the result; ${MOST_LINES} at most`),
})

type Search = z.output<typeof input>
type Mode = NonNullable<Search['output_mode']>

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
    const place = await searchPlace(resolve(context.cwd, call.path ?? '.'))
    return outcomeOf(call, place, await ripgrep(argumentsOf(call), place, context))
  },
})

function argumentsOf(call: Search): string[] {
  return [
    ...MODE_ARGUMENTS[modeOf(call)],
    '--null', // ends names, which may hold any other sign
    '--with-filename',
    ...(modeOf(call) === 'content' ? contentArguments(call) : []),
    ...(call['-i'] ? ['--ignore-case'] : []),
    ...(call.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(call.glob === undefined ? [] : [`--glob=${call.glob}`]),
    `--regexp=${call.pattern}`,
  ]
}

function modeOf({ output_mode = 'files_with_matches' }: Search): Mode {
  return output_mode
}

const MODE_ARGUMENTS = {
  files_with_matches: ['--files-with-matches', '--sortr=modified'],
  content: ['--no-heading', '--sort=path', `--max-columns=${LONGEST_LINE}`, '--max-columns-preview'],
  count: ['--count', '--sort=path'],
} as const satisfies Record<Mode, readonly string[]>

function contentArguments(call: Search): string[] {
  const around = [
    ['--after-context', call['-A'] ?? call['-C']],
    ['--before-context', call['-B'] ?? call['-C']],
  ] as const
  return [
    call['-n'] === false ? '--no-line-number' : '--line-number',
    ...around.flatMap(([name, count]) => (count === undefined ? [] : [`${name}=${count}`])),
  ]
}

function outcomeOf(call: Search, { folder }: SearchPlace, findings: Findings): ToolOutcome {
  const mode = modeOf(call)
  const found = mode === 'files_with_matches' ? filesIn(findings.stdout, folder) : linesIn(findings.stdout, folder)
  const shown = found.slice(0, Math.min(call.head_limit ?? MOST_LINES, MOST_LINES))
  const left = found.length - shown.length
  const notes = [
    ...(left > 0 || findings.cut ? [`[… ${findings.cut ? 'more than ' : ''}${left} more lines]`] : []),
    ...(findings.complaints === '' ? [] : [`[not searched: ${findings.complaints}]`]),
  ]
  const filenames = [...new Set(found.map(({ file }) => file).filter((file) => file !== null))]
  const text = clip(shown.map((one) => one.text).join('\n'), MOST_OUTPUT)
  return {
    content: [text || 'No matches found', ...notes].join('\n'),
    response: {
      mode,
      numFiles: filenames.length,
      filenames: mode === 'files_with_matches' ? shown.map((one) => one.text) : filenames.slice(0, MOST_LINES),
      ...(mode === 'files_with_matches' ? {} : { content: text, numLines: shown.length }),
    },
  }
}

interface Found {
  /** null: a line between two stretches of one. */
  readonly file: string | null
  readonly text: string
}

function filesIn(stdout: string, folder: string): Found[] {
  return stdout
    .split('\0')
    .slice(0, -1)
    .map((name) => ({ file: join(folder, name), text: join(folder, name) }))
}

function linesIn(stdout: string, folder: string): Found[] {
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

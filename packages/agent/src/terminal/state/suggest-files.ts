import type { Engine } from 'hookline'
import { runRipgrep } from '../../tools/ripgrep.ts'
import { ToolError } from '../../tools/tool.ts'

/** Place where files are looked for. */
export interface FilePlace {
  readonly engine: Engine
  readonly project: string
  readonly env: NodeJS.ProcessEnv
}

/** Suggestions that are shown. */
const MAX_FILE_SUGGESTIONS = 8
/** Milliseconds that a list of the project's files is good for. */
const FRESH_MS = 5000

let known: { readonly project: string; readonly at: number; readonly files: Promise<string[]> } | null = null

/** Files that fit what was typed after `@`: what the configured command says, else those that git does not ignore. */
export async function suggestFiles(query: string, place: FilePlace, signal: AbortSignal): Promise<string[]> {
  const configured = await place.engine.suggestFiles(query, { signal })
  if (configured.length > 0) return configured.slice(0, MAX_FILE_SUGGESTIONS)
  if (signal.aborted) return []
  return rankPaths(await listProjectFiles(place), query).slice(0, MAX_FILE_SUGGESTIONS)
}

/** The paths in which the letters of a query occur in order, best first. */
export function rankPaths(paths: readonly string[], query: string): string[] {
  const wanted = query.toLowerCase()
  return paths
    .flatMap((path) => {
      const cost = rateFit(path.toLowerCase(), wanted)
      return cost === null ? [] : [{ path, cost }]
    })
    .toSorted((one, other) => one.cost - other.cost || one.path.localeCompare(other.path))
    .map(({ path }) => path)
}

/** The less, the better; null: it does not fit. What stands together in the name of the file costs least. */
function rateFit(path: string, query: string): number | null {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(query)) return path.length
  if (name.includes(query)) return 1000 + path.length
  if (path.includes(query)) return 2000 + path.length
  let at = -1
  for (const letter of query) {
    at = path.indexOf(letter, at + 1)
    if (at === -1) return null
  }
  return 3000 + path.length
}

function listProjectFiles({ project, env }: FilePlace): Promise<string[]> {
  const now = performance.now()
  if (known?.project === project && now - known.at < FRESH_MS) return known.files
  known = { project, at: now, files: listFiles(project, env) }
  return known.files
}

async function listFiles(project: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  const context = { signal: AbortSignal.timeout(FRESH_MS), environment: async () => env }
  try {
    const { stdout } = await runRipgrep(['--files'], { folder: project, target: './' }, context)
    return stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.replace(/^\.\//, '')]))
  } catch (error) {
    if (error instanceof ToolError) return [] // an empty folder, or no ripgrep for this system
    throw error
  }
}

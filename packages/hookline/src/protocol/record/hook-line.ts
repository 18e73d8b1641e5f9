import type { HookLine } from './record.ts'

/** The fields of a line that say what the hook runs, by type. */
type RunField = 'command' | 'args' | 'shell' | 'prompt' | 'url' | 'server' | 'tool'

/** Fields that the lines of all hooks may hold; whatever else stands in one says what the hook runs. */
const COMMON_LINE_FIELDS: Readonly<Record<Exclude<keyof HookLine, RunField>, true>> = {
  id: true,
  verdict: true,
  planned: true,
  because: true,
  scope: true,
  profile: true,
  file: true,
  line: true,
  matcher: true,
  type: true,
  wrapped: true,
  outcome: true,
  failed: true,
  exitCode: true,
  signal: true,
  notStarted: true,
  timedOut: true,
  startMs: true,
  durationMs: true,
  stdoutBytes: true,
  stderrBytes: true,
  truncated: true,
  stdoutTail: true,
  stderrTail: true,
  launcher: true,
  model: true,
  inputTokens: true,
  outputTokens: true,
  turns: true,
  attempts: true,
  answer: true,
  warnings: true,
}

/** Reads what a hook runs from its line of a record, whatever its type; null when the line does not say. Called for every line of a log. */
export function readRuns(line: Partial<HookLine>): string | null {
  let runs: string | null = null
  for (const name in line) {
    if (Object.hasOwn(COMMON_LINE_FIELDS, name)) continue
    const value = (line as Readonly<Record<string, unknown>>)[name]
    for (const text of Array.isArray(value) ? value : [value])
      if (typeof text === 'string') runs = runs === null ? text : `${runs} ${text}`
  }
  return runs
}

import type { HookLine } from './record.ts'

/** The fields of a line that say what the hook runs, by type. */
type Telling = 'command' | 'args' | 'shell' | 'prompt' | 'url' | 'server' | 'tool'

/** What the lines of all hooks may hold; whatever else stands in one says what the hook runs. */
const OF_EVERY_TYPE: Readonly<Record<Exclude<keyof HookLine, Telling>, true>> = {
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

/** What a hook runs, from its line of a record, whatever its type; null when the line does not say. */
export function lineRuns(line: Partial<HookLine>): string | null {
  const texts = Object.entries(line).flatMap(([name, value]) =>
    Object.hasOwn(OF_EVERY_TYPE, name) ? [] : [value].flat().filter((text) => typeof text === 'string'),
  )
  return texts.length === 0 ? null : texts.join(' ')
}

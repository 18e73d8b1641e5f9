import type { Finding } from './finding.ts'

/** A finding that is known already, without its line: that changes with every edit above it. */
export interface KnownFinding {
  readonly rule: string
  readonly file: string
  readonly message: string
}

/** Content of a baseline file. */
export interface Baseline {
  readonly findings: readonly KnownFinding[]
}

/** The baseline that knows all of these findings. */
export function makeBaseline(findings: readonly Finding[], project: string): Baseline {
  return { findings: findings.map((finding) => toKnownFinding(finding, project)) }
}

/** The findings that a baseline does not know. One that is there more often than it knows is new. */
export function listUnknownFindings(
  { findings: known }: Baseline,
  findings: readonly Finding[],
  project: string,
): Finding[] {
  const left = known.map(makeFindingKey)
  return findings.filter((finding) => {
    const at = left.indexOf(makeFindingKey(toKnownFinding(finding, project)))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
}

/** The same on every machine and after edits elsewhere: without line numbers and without the project's own place. */
function toKnownFinding({ rule, file, message }: Finding, project: string): KnownFinding {
  return { rule, file, message: message.replaceAll(project, '.').replace(/(\.\w+):\d+/g, '$1') }
}

function makeFindingKey({ rule, file, message }: KnownFinding): string {
  return JSON.stringify([rule, file, message])
}

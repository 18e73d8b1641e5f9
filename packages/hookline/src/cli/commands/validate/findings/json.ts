import { safeJson } from '../../../../text/visible.ts'
import type { Report } from './report.ts'

/** Findings as JSON, for programs. */
export function jsonReport({ findings }: Report): string {
  const shown = findings.map(({ rule, severity, file, line, column, message }) => ({
    rule,
    severity,
    file,
    line,
    column,
    message,
  }))
  return `${safeJson({ findings: shown })}\n`
}

import { safeJson } from '../../../../text/visible.ts'
import type { Report } from './report.ts'

/** Findings as JSON, for programs. */
export function jsonReport({ findings }: Report): string {
  const shown = findings.map(({ rule, name, severity, file, line, column, message, link }) => ({
    rule,
    name,
    severity,
    file,
    line,
    column,
    message,
    link,
  }))
  return `${safeJson({ findings: shown })}\n`
}

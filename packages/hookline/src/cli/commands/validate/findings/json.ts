import { endLine, type ProgramText, toJsonText } from '../../../../text/program-text.ts'
import type { Report } from './report.ts'

/** Findings as JSON, for programs. */
export function formatJson({ findings, verdicts }: Report): ProgramText {
  const shown = findings.map(({ rule, name, severity, loss, file, line, column, message, link }) => ({
    rule,
    name,
    severity,
    ...(loss === undefined ? {} : { loss }),
    file,
    line,
    column,
    message,
    link,
  }))
  return endLine(toJsonText({ findings: shown, ...(verdicts.length === 0 ? {} : { verdicts }) }))
}

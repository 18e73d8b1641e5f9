import type { Finding } from '../../../../check/finding.ts'
import { findFindingExtent } from '../../../../check/finding.ts'
import { type ProgramText, toProgramText } from '../../../../text/program-text.ts'
import { toReadableLines } from '../../../../text/visible.ts'
import { type Report, readSubjectLine, toToolPath } from './report.ts'

/** Findings as commands of a GitHub workflow, which annotate the lines of a pull request. */
export function formatGithub({ subjects, findings }: Report): ProgramText {
  const lines = findings
    .map((finding) => {
      const subject = subjects.find(({ path }) => path === finding.path)
      const length = subject ? findFindingExtent(readSubjectLine(subject, finding.line), finding.column) : 1
      return formatAnnotation(finding, finding.column + length)
    })
    .join('')
  return toProgramText(toReadableLines(lines)) // a format of lines, which people read in a log as well
}

function formatAnnotation(
  { severity, path, line, column, rule, name: named, message }: Finding,
  endColumn: number,
): string {
  const properties = {
    file: toToolPath(path),
    line,
    endLine: line,
    col: column,
    endColumn,
    title: `${rule} ${named}`,
  }
  const words = Object.entries(properties).map(([name, value]) => `${name}=${escapeProperty(String(value))}`)
  return `::${severity === 'note' ? 'notice' : severity} ${words.join(',')}::${escapeMessage(message)}\n`
}

function escapeMessage(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

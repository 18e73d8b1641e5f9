import type { Finding } from '../../../../check/finding.ts'
import { findFindingExtent } from '../../../../check/finding.ts'
import { type ProgramText, toProgramText } from '../../../../text/program-text.ts'
import { toReadableLines } from '../../../../text/visible.ts'
import { lineOf, pathForTools, type Report } from './report.ts'

/** Findings as commands of a GitHub workflow, which annotate the lines of a pull request. */
export function githubReport({ subjects, findings }: Report): ProgramText {
  const lines = findings
    .map((finding) => {
      const subject = subjects.find(({ path }) => path === finding.path)
      const length = subject ? findFindingExtent(lineOf(subject, finding.line), finding.column) : 1
      return annotation(finding, finding.column + length)
    })
    .join('')
  return toProgramText(toReadableLines(lines)) // a format of lines, which people read in a log as well
}

function annotation({ severity, path, line, column, rule, name: named, message }: Finding, endColumn: number): string {
  const properties = {
    file: pathForTools(path),
    line,
    endLine: line,
    col: column,
    endColumn,
    title: `${rule} ${named}`,
  }
  const words = Object.entries(properties).map(([name, value]) => `${name}=${property(String(value))}`)
  return `::${severity === 'note' ? 'notice' : severity} ${words.join(',')}::${escaped(message)}\n`
}

function escaped(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function property(text: string): string {
  return escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

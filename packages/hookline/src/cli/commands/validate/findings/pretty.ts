import { type Finding, findFindingExtent, type Severity } from '../../../../check/finding.ts'
import type { ClientVerdict } from '../../../../check/lens.ts'
import type { Subject } from '../../../../check/subject.ts'
import { toVisible } from '../../../../text/visible.ts'
import { measureWidth } from '../../../../text/width.ts'
import { clipText, indentText } from '../../../view/layout.ts'
import type { Terminal } from '../../../view/terminal.ts'
import { formatCount, listOtherFiles, type Report, readSubjectLine, SEVERITY_COLOURS } from './report.ts'

/** Findings for people: by file, each with its place in the source underlined, and a summary. */
export function formatPretty(report: Report): string {
  const { subjects, findings, verdicts, terminal } = report
  const files = subjects.flatMap((subject) => {
    const own = findings.filter(({ path }) => path === subject.path)
    const verdict = verdicts.find(({ file }) => file === subject.file)
    if (own.length === 0 && verdict === undefined) return []
    return [
      terminal.paint.bold(toVisible(subject.file)),
      ...(verdict === undefined ? [] : [...formatVerdict(verdict, terminal), '']),
      ...own.flatMap((one) => formatFinding(one, subject, terminal)),
    ]
  })
  const scripts = listOtherFiles(report).flatMap(({ file, findings: own }) => [
    terminal.paint.bold(toVisible(file)),
    ...own.flatMap((one) => formatFinding(one, null, terminal)),
  ])
  return `${[...files, ...scripts, ...formatSummary(report)].join('\n')}\n`
}

function formatVerdict({ message, applies }: ClientVerdict, { width, paint }: Terminal): string[] {
  const colour = applies === 'all' ? paint.green : paint.red
  return indentText(message, '  ', width)
    .split('\n')
    .map((line) => colour(line))
}

function formatFinding(
  { line, column, severity, rule, name, message }: Finding,
  subject: Subject | null,
  terminal: Terminal,
): string[] {
  const { width, paint } = terminal
  return [
    `  ${line}:${column}  ${paint[SEVERITY_COLOURS[severity]](severity)}  ${paint.dim(`${rule} ${name}`)}`,
    indentText(message, '    ', width),
    ...(subject === null ? [] : formatFrame({ line, column }, subject, terminal)), // a script may hold secrets
    '',
  ]
}

const TAB = '  '

/** The line, the one before it, and a mark below what is meant; a long line is cut so that the mark can be seen. */
function formatFrame(
  { line, column }: { line: number; column: number },
  subject: Subject,
  { width, paint }: Terminal,
): string[] {
  const source = readSubjectLine(subject, line)
  if (source.trim() === '') return []
  const gutter = String(line).length
  const room = width - gutter - 8
  const head = formatSourceText(source.slice(0, column - 1))
  const meant = formatSourceText(source.slice(column - 1, column - 1 + findFindingExtent(source, column)))
  const start = head.length + Math.min(measureWidth(meant), room / 2) > room ? cutHead(head, room) : head
  const mark = '^'.repeat(Math.max(1, Math.min(measureWidth(meant), room - measureWidth(start))))
  const before = readSubjectLine(subject, line - 1)
  const formatFrameRow = (number: string, text: string): string =>
    `    ${paint.dim(`${number.padStart(gutter)} |`)} ${text}`.trimEnd()
  return [
    ...(line > 1 && before.trim() !== '' && start === head
      ? [formatFrameRow(String(line - 1), clipText(formatSourceText(before), room))]
      : []),
    formatFrameRow(String(line), clipText(start + formatSourceText(source.slice(column - 1)), room)),
    formatFrameRow('', ' '.repeat(measureWidth(start)) + paint.red(mark)),
  ]
}

function formatSourceText(text: string): string {
  return toVisible(text.replaceAll('\t', TAB))
}

/** The end of what stands before the mark, so that at least half of the room is left for what is meant. */
function cutHead(head: string, room: number): string {
  const kept = [...head].slice(-Math.floor(room / 3))
  return `…${kept.join('')}`
}

function formatSummary({ subjects, findings, fixable, terminal }: Report): string[] {
  const { paint, width } = terminal
  if (subjects.length === 0) return ['There is no file with hooks: nothing to check.']
  const paths = new Set([...subjects, ...findings].map(({ path }) => path)) // scripts have findings too
  const files = formatCount(paths.size, 'file')
  if (findings.length === 0) return [paint.green(`${files} checked, nothing to report.`)]
  const countSeverity = (wanted: Severity): Finding[] => findings.filter(({ severity }) => severity === wanted)
  const [errors, warnings, notes] = [countSeverity('error'), countSeverity('warning'), countSeverity('note')]
  const touched = new Set(findings.map(({ path }) => path)).size
  const [first] = [...errors, ...warnings, ...notes]
  const grave = `${formatCount(errors.length, 'error')} and ${formatCount(warnings.length, 'warning')}`
  const all = notes.length === 0 ? grave : `${grave.replace(' and', ',')} and ${formatCount(notes.length, 'note')}`
  const count = `${all} in ${touched} of ${files}.`
  return [
    errors.length > 0 ? paint.red(count) : paint.yellow(count),
    ...(fixable > 0 ? [indentText(`hookline validate --fix fixes ${fixable} of them.`, '', width)] : []),
    indentText(`hookline validate --explain ${first?.name} tells more about a rule.`, '', width),
  ]
}

import { type Finding, findFindingExtent, type Severity } from '../../../../check/finding.ts'
import type { ClientVerdict } from '../../../../check/lens.ts'
import type { Subject } from '../../../../check/subject.ts'
import { toVisible } from '../../../../text/visible.ts'
import { measureWidth } from '../../../../text/width.ts'
import { clipped, indented } from '../../../view/layout.ts'
import type { Terminal } from '../../../view/terminal.ts'
import { COLOURS, counted, lineOf, type Report } from './report.ts'

/** Findings for people: by file, each with its place in the source underlined, and a summary. */
export function prettyReport(report: Report): string {
  const { subjects, findings, verdicts, terminal } = report
  const files = subjects.flatMap((subject) => {
    const own = findings.filter(({ path }) => path === subject.path)
    const verdict = verdicts.find(({ file }) => file === subject.file)
    if (own.length === 0 && verdict === undefined) return []
    return [
      terminal.paint.bold(toVisible(subject.file)),
      ...(verdict === undefined ? [] : [...verdictLines(verdict, terminal), '']),
      ...own.flatMap((one) => findingLines(one, subject, terminal)),
    ]
  })
  return `${[...files, ...summary(report)].join('\n')}\n`
}

function verdictLines({ message, applies }: ClientVerdict, { width, paint }: Terminal): string[] {
  const colour = applies === 'all' ? paint.green : paint.red
  return indented(message, '  ', width)
    .split('\n')
    .map((line) => colour(line))
}

function findingLines(
  { line, column, severity, rule, name, message }: Finding,
  subject: Subject,
  terminal: Terminal,
): string[] {
  const { width, paint } = terminal
  return [
    `  ${line}:${column}  ${paint[COLOURS[severity]](severity)}  ${paint.dim(`${rule} ${name}`)}`,
    indented(message, '    ', width),
    ...frame({ line, column }, subject, terminal),
    '',
  ]
}

const TAB = '  '

/** The line, the one before it, and a mark below what is meant; a long line is cut so that the mark can be seen. */
function frame(
  { line, column }: { line: number; column: number },
  subject: Subject,
  { width, paint }: Terminal,
): string[] {
  const source = lineOf(subject, line)
  if (source.trim() === '') return []
  const gutter = String(line).length
  const room = width - gutter - 8
  const head = shown(source.slice(0, column - 1))
  const meant = shown(source.slice(column - 1, column - 1 + findFindingExtent(source, column)))
  const start = head.length + Math.min(measureWidth(meant), room / 2) > room ? cutHead(head, room) : head
  const mark = '^'.repeat(Math.max(1, Math.min(measureWidth(meant), room - measureWidth(start))))
  const before = lineOf(subject, line - 1)
  const row = (number: string, text: string): string =>
    `    ${paint.dim(`${number.padStart(gutter)} |`)} ${text}`.trimEnd()
  return [
    ...(line > 1 && before.trim() !== '' && start === head
      ? [row(String(line - 1), clipped(shown(before), room))]
      : []),
    row(String(line), clipped(start + shown(source.slice(column - 1)), room)),
    row('', ' '.repeat(measureWidth(start)) + paint.red(mark)),
  ]
}

function shown(text: string): string {
  return toVisible(text.replaceAll('\t', TAB))
}

/** The end of what stands before the mark, so that at least half of the room is left for what is meant. */
function cutHead(head: string, room: number): string {
  const kept = [...head].slice(-Math.floor(room / 3))
  return `…${kept.join('')}`
}

function summary({ subjects, findings, fixable, terminal }: Report): string[] {
  const { paint, width } = terminal
  const files = counted(subjects.length, 'file')
  if (subjects.length === 0) return ['There is no file with hooks: nothing to check.']
  if (findings.length === 0) return [paint.green(`${files} checked, nothing to report.`)]
  const of = (wanted: Severity): Finding[] => findings.filter(({ severity }) => severity === wanted)
  const [errors, warnings, notes] = [of('error'), of('warning'), of('note')]
  const touched = new Set(findings.map(({ path }) => path)).size
  const [first] = [...errors, ...warnings, ...notes]
  const grave = `${counted(errors.length, 'error')} and ${counted(warnings.length, 'warning')}`
  const all = notes.length === 0 ? grave : `${grave.replace(' and', ',')} and ${counted(notes.length, 'note')}`
  const count = `${all} in ${touched} of ${files}.`
  return [
    errors.length > 0 ? paint.red(count) : paint.yellow(count),
    ...(fixable > 0 ? [indented(`hookline validate --fix fixes ${fixable} of them.`, '', width)] : []),
    indented(`hookline validate --explain ${first?.name} tells more about a rule.`, '', width),
  ]
}

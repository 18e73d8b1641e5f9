import { relative } from 'node:path'
import type { CaseResult } from '../../../cases/run-cases.ts'
import type { HookLine } from '../../../protocol/record/record.ts'
import { endLine, type ProgramText, toJsonText, toProgramText } from '../../../text/program-text.ts'
import { toReadableLines, toSafeJson } from '../../../text/visible.ts'
import { clipText, indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'
import { escapeXml } from '../../view/xml.ts'

/** Result of a run of cases. */
export interface TestRun {
  readonly results: readonly CaseResult[]
  readonly project: string
  readonly durationMs: number
}

/** Format of results: at the end, as one text, to people or to a program. */
export type Reporter = (run: TestRun, terminal: Terminal) => string | ProgramText

/** The ways to tell results, by name. */
export const REPORTERS = {
  pretty: formatTestRun,
  json: formatTestJson,
  junit: formatTestJunit,
  tap,
} as const satisfies Record<string, Reporter>

/** True if a case is as it should be. */
export function hasCasePassed({ ended }: CaseResult): boolean {
  return ended === 'passed'
}

const RESULT_WORDS = { passed: 'pass', failed: 'FAIL', open: 'open', broken: 'FAIL' } as const
const RESULT_COLOURS = { passed: 'green', failed: 'red', open: 'yellow', broken: 'red' } as const

function formatTestRun({ results, project, durationMs }: TestRun, terminal: Terminal): string {
  const { paint, width } = terminal
  const files = [...new Set(results.map(({ file }) => file))]
  const lines = files.flatMap((file) => [
    paint.bold(clipText(relative(project, file), width)),
    ...results.filter((result) => result.file === file).flatMap((result) => formatCaseResult(result, terminal)),
    '',
  ])
  const counts = (['passed', 'failed', 'broken', 'open'] as const)
    .map((ended) => [results.filter((result) => result.ended === ended).length, ended] as const)
    .filter(([count]) => count > 0)
    .map(([count, ended]) => paint[RESULT_COLOURS[ended]](`${count} ${ended}`))
  return `${[...lines, `${counts.join(', ') || 'No case'}, ${Math.round(durationMs)} ms`].join('\n')}\n`
}

function formatCaseResult(result: CaseResult, { width, paint }: Terminal): string[] {
  const { ended, durationMs } = result
  const time = `${Math.round(durationMs)} ms`
  const name = clipText(result.case.name, width - 10 - time.length)
  const why = hasCasePassed(result) ? [] : explainCase(result)
  return [
    `  ${paint[RESULT_COLOURS[ended]](RESULT_WORDS[ended])}  ${name}  ${paint.dim(time)}`,
    ...why.flatMap((line) => {
      const colour = { '-': paint.green, '+': paint.red }[line.trimStart().charAt(0)] ?? ((text: string) => text)
      return indentText(line, '        ', width).split('\n').map(colour)
    }),
  ]
}

/** Explains what is wrong with a case: expected behind a minus, seen behind a plus, then what its hooks did. */
function explainCase(result: CaseResult): string[] {
  if (result.ended === 'broken') return [`line ${result.line}: ${result.reason}`]
  if (result.ended === 'open') return ['It expects nothing yet: --update writes what is seen.']
  if (result.ended === 'passed') return []
  const differences = result.mismatches.flatMap(({ path, expected, seen }) => [
    `line ${result.line}: ${path.join('.')}`,
    ...formatCaseValue(expected).map((line) => `- ${line}`),
    ...(seen === undefined ? ['+ (none)'] : formatCaseValue(seen).map((line) => `+ ${line}`)),
  ])
  return [...differences, ...result.record.hooks.map(formatCaseHook)]
}

/** A value as lines: a text as it is, anything else as JSON, on one line if it is short. */
function formatCaseValue(value: unknown): string[] {
  if (typeof value === 'string') return value.split('\n')
  const short = JSON.stringify(value)
  return short.length <= SHORT ? [short] : JSON.stringify(value, null, 2).split('\n')
}

const SHORT = 60

function formatCaseHook({ id, command, verdict, outcome, exitCode, because }: HookLine): string {
  const ended = [
    verdict,
    outcome,
    exitCode === null || exitCode === undefined ? undefined : `exit ${exitCode}`,
    because,
  ]
  return `${command ?? id}: ${ended.filter((word) => word !== undefined).join(', ')}`
}

function formatTestJson({ results, project, durationMs }: TestRun): ProgramText {
  const cases = results.map((result) => ({
    file: relative(project, result.file),
    line: result.line,
    name: result.case.name,
    event: result.case.event,
    ended: result.ended,
    durationMs: result.durationMs,
    ...(result.ended === 'failed' ? { mismatches: result.mismatches } : {}),
    ...('record' in result ? { record: result.record } : { reason: result.reason }),
  }))
  return endLine(toJsonText({ passed: results.every(hasCasePassed), durationMs, cases }))
}

function tap({ results, project }: TestRun): ProgramText {
  const lines = results.flatMap((result, at) => [
    `${hasCasePassed(result) ? 'ok' : 'not ok'} ${at + 1} - ${joinCaseLines(result.case.name).replaceAll('#', '\\#')}`,
    ...(hasCasePassed(result) ? [] : ['  ---', ...listCaseNotes(result, project).map((line) => `  ${line}`), '  ...']),
  ])
  const text = lines.map((line) => `${toReadableLines(line)}\n`).join('') // a format of lines, which people read as well
  return toProgramText(`TAP version 13\n1..${results.length}\n${text}`)
}

function listCaseNotes(result: CaseResult, project: string): string[] {
  return [
    `at: ${toSafeJson(`${relative(project, result.file)}:${result.line}`)}`,
    'message: |',
    ...explainCase(result).map((line) => `  ${joinCaseLines(line)}`),
  ]
}

function formatTestJunit({ results, project, durationMs }: TestRun): ProgramText {
  const bad = results.filter((result) => !hasCasePassed(result)).length
  const cases = results.map((result) => {
    const head = `    <testcase name="${escapeXml(result.case.name)}" classname="${escapeXml(relative(project, result.file))}" time="${formatSeconds(result.durationMs)}"`
    if (hasCasePassed(result)) return `${head}/>`
    const why = explainCase(result)
    return `${head}>\n      <failure message="${escapeXml(why[0] ?? '')}">${escapeXml(why.join('\n'))}</failure>\n    </testcase>`
  })
  const counts = `tests="${results.length}" failures="${bad}" time="${formatSeconds(durationMs)}"`
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="hookline" ${counts}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ]
  return toProgramText(lines.join('\n'))
}

const formatSeconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const joinCaseLines = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ')

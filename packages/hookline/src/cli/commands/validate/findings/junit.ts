import type { Finding } from '../../../../check/finding.ts'
import { type ProgramText, toProgramText } from '../../../../text/program-text.ts'
import { xmlText } from '../../../view/xml.ts'
import { pathForTools, type Report } from './report.ts'

/** Findings as a JUnit report: a suite for every file, in which an error is a failure and a warning is told. */
export function junitReport({ subjects, findings }: Report): ProgramText {
  const suites = subjects.map(({ path }) =>
    suite(
      pathForTools(path),
      findings.filter((finding) => finding.path === path),
    ),
  )
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="hookline validate">',
    ...suites,
    '</testsuites>',
    '',
  ]
  return toProgramText(lines.join('\n'))
}

function suite(name: string, findings: readonly Finding[]): string {
  const failures = findings.filter(({ severity }) => severity === 'error').length
  const cases =
    findings.length === 0 ? [`    <testcase classname="${xmlText(name)}" name="is sound"/>`] : findings.map(testcase)
  return [
    `  <testsuite name="${xmlText(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
  ].join('\n')
}

function testcase({ path, rule, name, severity, line, column, message }: Finding): string {
  const place = `${pathForTools(path)}:${line}:${column}`
  const told =
    severity === 'error'
      ? `<failure type="${rule}" message="${xmlText(message)}">${xmlText(place)}</failure>`
      : `<system-out>${severity}: ${xmlText(message)}</system-out>`
  return `    <testcase classname="${xmlText(pathForTools(path))}" name="${rule} ${name} ${line}:${column}">${told}</testcase>`
}

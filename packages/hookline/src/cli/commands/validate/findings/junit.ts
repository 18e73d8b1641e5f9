import type { Finding } from '../../../../check/finding.ts'
import { type ProgramText, toProgramText } from '../../../../text/program-text.ts'
import { escapeXml } from '../../../view/xml.ts'
import { listOtherFiles, type Report, toToolPath } from './report.ts'

/** Findings as a JUnit report: a suite for every file, in which an error is a failure and a warning is told. */
export function formatJunit({ subjects, findings }: Report): ProgramText {
  const suites = [...subjects, ...listOtherFiles({ subjects, findings })].map(({ path }) =>
    formatSuite(
      toToolPath(path),
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

function formatSuite(name: string, findings: readonly Finding[]): string {
  const failures = findings.filter(({ severity }) => severity === 'error').length
  const cases =
    findings.length === 0
      ? [`    <testcase classname="${escapeXml(name)}" name="is sound"/>`]
      : findings.map(formatTestcase)
  return [
    `  <testsuite name="${escapeXml(name)}" tests="${cases.length}" failures="${failures}" errors="0" skipped="0">`,
    ...cases,
    '  </testsuite>',
  ].join('\n')
}

function formatTestcase({ path, rule, name, severity, line, column, message }: Finding): string {
  const place = `${toToolPath(path)}:${line}:${column}`
  const told =
    severity === 'error'
      ? `<failure type="${rule}" message="${escapeXml(message)}">${escapeXml(place)}</failure>`
      : `<system-out>${severity}: ${escapeXml(message)}</system-out>`
  return `    <testcase classname="${escapeXml(toToolPath(path))}" name="${rule} ${name} ${line}:${column}">${told}</testcase>`
}

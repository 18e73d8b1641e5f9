import { createHash } from 'node:crypto'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Finding } from '../../../../check/finding.ts'
import { findFindingExtent } from '../../../../check/finding.ts'
import { linkTo, type Rule } from '../../../../check/rule.ts'
import { formatRulePage, RULES } from '../../../../check/rules/table.ts'
import { endLine, type ProgramText, toJsonText } from '../../../../text/program-text.ts'
import { type Report, readSubjectLine, toToolPath } from './report.ts'

/** Findings as SARIF 2.1.0, for code scanning. */
export function formatSarif({ subjects, findings }: Report): ProgramText {
  const results = findings.map((finding) => {
    const subject = subjects.find(({ path }) => path === finding.path)
    return makeSarifResult(
      finding,
      subject ? findFindingExtent(readSubjectLine(subject, finding.line), finding.column) : 1,
    )
  })
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'hookline', rules: RULES.map(makeDescriptor) } },
        columnKind: 'utf16CodeUnits',
        results,
      },
    ],
  }
  return endLine(toJsonText(log, 2))
}

function makeDescriptor(rule: Rule): object {
  const { title, why } = rule.page
  return {
    id: rule.id,
    name: rule.name,
    shortDescription: { text: title },
    fullDescription: { text: why },
    help: { text: why, markdown: formatRulePage(rule) },
    defaultConfiguration: { level: rule.severity },
    properties: { link: linkTo(rule) },
  }
}

function makeSarifResult({ rule, severity, path, line, column, message }: Finding, length: number): object {
  const region = { startLine: line, startColumn: column, endLine: line, endColumn: column + length }
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level: severity,
    message: { text: message },
    locations: [{ physicalLocation: { artifactLocation: { uri: toUri(path) }, region } }],
    partialFingerprints: { 'hooklineFinding/v1': makeFingerprint(rule, path, message) },
  }
}

/** The same as long as the finding is, whatever else is edited in its file. */
function makeFingerprint(rule: string, path: string, message: string): string {
  return createHash('sha256')
    .update(JSON.stringify([rule, toToolPath(path), message]))
    .digest('hex')
}

function toUri(path: string): string {
  const way = toToolPath(path)
  return isAbsolute(way) ? pathToFileURL(way).href : way.split('/').map(encodeURIComponent).join('/')
}

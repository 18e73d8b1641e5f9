import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bridge } from '../../../bridges/bridge.ts'
import { checkAgentFile, findOwner } from '../../../bridges/install/agent-file.ts'
import { AGENTS, findBridge } from '../../../bridges/list.ts'
import type { Baseline, KnownFinding } from '../../../check/baseline.ts'
import { listUnknownFindings, makeBaseline } from '../../../check/baseline.ts'
import { check } from '../../../check/check.ts'
import { findNamedSubjects, findSubjectsInPlay, type SearchPlaces } from '../../../check/find-subjects.ts'
import type { Finding } from '../../../check/finding.ts'
import { type CheckResult, countFixable, fixFiles } from '../../../check/fix.ts'
import { CLIENT_VERSION, judgeFile } from '../../../check/lens.ts'
import { type Example, linkTo, type Rule } from '../../../check/rule.ts'
import { RULES } from '../../../check/rules/table.ts'
import { diffFile } from '../../../config/text-diff.ts'
import type { SettledOptions } from '../../../dispatch/settled.ts'
import { settle } from '../../../engine/options.ts'
import { readText } from '../../../files/read.ts'
import { replaceFile } from '../../../files/replace.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  RUNNING_FLAGS,
  readArguments,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, printReport, tell } from '../../start/print.ts'
import { diffView } from '../../view/diff-view.ts'
import { indentText } from '../../view/layout.ts'
import type { Terminal } from '../../view/terminal.ts'
import { FORMATS } from './findings/formats.ts'
import { formatCount, SEVERITY_COLOURS } from './findings/report.ts'

export const isVerdict = true

export const usage = `hookline validate [files or folders …] [flags]

Checks files with hooks against the rules: settings files, hooks.json of plugins,
and the frontmatter of skills, agents and slash commands. Runs nothing. Without
a file or folder it checks all that apply here.

  hookline validate
  hookline validate .claude/settings.json plugins/
  hookline validate --fix
  hookline validate --for claude-code
  hookline validate --explain unknown-tool
  hookline validate --format github --max-warnings 0
  hookline validate --baseline hooks.baseline.json --write-baseline

  --for CLIENT             what this client makes of the files: claude-code, also
                           with a version (claude-code@2.1.325); or the agent that the
                           files are for: codex, gemini, cursor, … (hookline bridge)
  --format FORMAT          pretty (default), json, sarif, github or junit
  --fix                    fix what is safe, and show what was changed
  --max-warnings N         exit with 1 when there are more warnings
  --baseline FILE          report only what is not in this file
  --write-baseline         write all findings into that file
  --explain RULE           why there is a rule, with examples; by name or code
${ENGINE_USAGE}
Exit codes: 0 no error; 1 an error, too many warnings, or a mistake in the call.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  managed: RUNNING_FLAGS.managed, // a policy can be checked before it is put in its place
  for: { type: 'string' },
  format: { type: 'string' },
  fix: { type: 'boolean' },
  'max-warnings': { type: 'string' },
  baseline: { type: 'string' },
  'write-baseline': { type: 'boolean' },
  explain: { type: 'string' },
} as const

/** Runs `hookline validate`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const terminal = openCommandTerminal(values)
  if (values.explain !== undefined) {
    const rule = findRule(values.explain)
    if (values.json)
      printJson({ rule: rule.id, name: rule.name, severity: rule.severity, ...rule.page, link: linkTo(rule) })
    else print(formatRule(rule, terminal))
    return 0
  }
  const format = values.format ?? (values.json ? 'json' : 'pretty')
  const reportOf = FORMATS[format]
  if (!reportOf) throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}, not "${format}".`)
  const most = parseMaxWarnings(values['max-warnings'])
  const forClient = values.for !== undefined && isClaudeCode(values.for)
  const options = toEngineOptions(values)
  const settled = await settle(
    forClient && values.profile === undefined ? { ...options, profile: CLAUDE_CODE_PROFILE } : options,
  )
  const agent = values.for === undefined || forClient ? null : findAgentNamed(values.for)
  const named = agent === null || positionals.length > 0 ? positionals : listAgentFiles(agent, settled.places)
  const call = { named, settled, looking: { forClient, recognize: await makeRecognizer(agent, settled) } }

  if (values.fix) await fixAll(call, { ...terminal, show: format === 'pretty' ? print : tell })
  const { subjects, findings: all } = await checkNamed(call)
  if (values['write-baseline']) return writeBaseline(all, values.baseline, settled)
  const { project } = settled.places
  const findings =
    values.baseline === undefined ? all : listUnknownFindings(await readBaseline(values.baseline), all, project)
  const fixable = countFixable({ subjects, findings })
  const verdicts = subjects
    .filter(({ stray }) => forClient || stray === null) // else its own finding says that nothing reads the file
    .flatMap((subject) => judgeFile(subject, all) ?? [])
    .filter(({ applies }) => forClient || applies !== 'all')
  printReport(reportOf({ subjects, findings, verdicts, fixable, terminal }))

  const warnings = findings.filter(({ severity }) => severity === 'warning').length
  return warnings > most || findings.some(({ severity }) => severity === 'error') ? 1 : 0
}

/** Files that a call is to check. */
interface CheckCall {
  readonly named: readonly string[]
  readonly settled: SettledOptions
  readonly looking: SearchPlaces
}

async function checkNamed({ named, settled: { places, profiles }, looking }: CheckCall): Promise<CheckResult> {
  const subjects =
    named.length > 0
      ? await findNamedSubjects(named, places, profiles, looking)
      : await findSubjectsInPlay(places, profiles, looking)
  return { subjects, findings: await check(subjects) }
}

/** Fixes all files, and shows their differences. */
async function fixAll(
  call: CheckCall,
  { show, ...terminal }: Terminal & { show: (text: string) => void },
): Promise<void> {
  for (const { file, before, after } of await fixFiles(() => checkNamed(call))) {
    const change = await diffFile(file, before, after)
    if (change) show(`${diffView(change.diff, terminal).join('\n')}\n\n`)
  }
}

/** The agent that files are for. Throws a UsageError for one that is not known. */
function findAgentNamed(name: string): Bridge {
  const bridge = findBridge(name)
  if (bridge !== null) return bridge
  const known = [CLAUDE_CODE, ...AGENTS]
  throw new UsageError(`--for must be one of ${known.join(', ')}, not "${name}".${formatSuggestion(name, known)}`)
}

/** The files of an agent that are there. Throws a UsageError where there are none. */
function listAgentFiles({ title, install }: Bridge, { project, home }: SettledOptions['places']): string[] {
  const { files } = install
  const paths = [files.project && join(project, files.project), files.user && join(home, files.user)]
  const found = paths.filter((path) => path !== undefined && existsSync(path)).map(String)
  if (found.length > 0) return found
  throw new UsageError(`there is no file of ${title} here (${Object.values(files).join(', ')}). Name the file.`)
}

/** Tells files of other agents; where an agent is named, all of them are its own. */
async function makeRecognizer(
  agent: Bridge | null,
  { profiles }: SettledOptions,
): Promise<NonNullable<SearchPlaces['recognize']>> {
  const client = await profiles.load(CLAUDE_CODE_PROFILE)
  return async (path, text) => {
    const owner = agent ?? (await findOwner(path, text, client))
    return owner === null ? null : checkAgentFile(path, text, owner)
  }
}

const CLAUDE_CODE = 'claude-code'

/** True for Claude Code, in the version that its table is of. Throws a UsageError for another version of it. */
function isClaudeCode(client: string): boolean {
  const [name, version = CLIENT_VERSION] = client.split('@')
  if (name !== CLAUDE_CODE) return false
  if (version === CLIENT_VERSION) return true
  throw new UsageError(
    `it is not known what ${CLAUDE_CODE} ${version} makes of files, only ${CLIENT_VERSION}: --for ${CLAUDE_CODE}.`,
  )
}

async function writeBaseline(
  findings: readonly Finding[],
  file: string | undefined,
  { places }: SettledOptions,
): Promise<number> {
  if (file === undefined) throw new UsageError('--write-baseline needs --baseline FILE.')
  await replaceFile(file, `${JSON.stringify(makeBaseline(findings, places.project), null, 2)}\n`)
  tell(`${formatCount(findings.length, 'finding')} written to ${file}.\n`)
  return 0
}

function findRule(written: string): Rule {
  const rule = RULES.find(({ id, name }) => id === written.toUpperCase() || name === written.toLowerCase())
  if (rule) return rule
  const known = RULES.flatMap(({ id, name }) => [id, name])
  throw new UsageError(`there is no rule "${written}".${formatSuggestion(written, known)}`)
}

function parseMaxWarnings(text: string | undefined): number {
  if (text === undefined) return Number.POSITIVE_INFINITY
  if (!/^\d+$/.test(text)) throw new UsageError(`--max-warnings must be a number, not "${text}".`)
  return Number(text)
}

/** A rule's page for the terminal. */
function formatRule(rule: Rule, { width, paint }: Terminal): string {
  const { id, name, severity, page } = rule
  const { title, why, bad, good, profile } = page
  const under = profile === undefined ? '' : ` (profile ${profile})`
  return [
    `${paint.bold(`${id} ${name}`)}  ${paint[SEVERITY_COLOURS[severity]](severity)}`,
    '',
    indentText(`${title}.`, '  ', width),
    '',
    indentText(why, '  ', width),
    '',
    ...formatExample(`Bad${under}`, bad),
    ...formatExample(`Good${under}`, good),
    `  ${linkTo(rule)}`,
    '',
  ].join('\n')
}

function formatExample(word: string, example: Example): string[] {
  return Object.entries(example).flatMap(([file, text]) => [
    `  ${word}: ${file}`,
    '',
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `    ${line}`.trimEnd()),
    '',
  ])
}

/** Reads a baseline. Throws a UsageError when there is none to be had. */
async function readBaseline(path: string): Promise<Baseline> {
  const content = await readText(path)
  if (content.read === 'missing') throw new UsageError(`${path} does not exist; --write-baseline makes it.`)
  if (content.read === 'unreadable') throw new UsageError(`${path} ${content.reason}.`)
  const findings = parseKnownFindings(content.text)
  if (!findings) throw new UsageError(`${path} is not a baseline; --write-baseline makes one.`)
  return { findings }
}

function parseKnownFindings(text: string): KnownFinding[] | null {
  try {
    const { findings } = JSON.parse(text)
    return Array.isArray(findings) && findings.every(isKnownFinding) ? findings : null
  } catch {
    return null // not JSON
  }
}

function isKnownFinding(value: unknown): value is KnownFinding {
  if (typeof value !== 'object' || value === null) return false
  const { rule, file, message } = value as Partial<Record<keyof KnownFinding, unknown>> // looked at before it is used
  return [rule, file, message].every((part) => typeof part === 'string')
}

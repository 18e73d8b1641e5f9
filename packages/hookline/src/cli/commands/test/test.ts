import { join, relative, resolve } from 'node:path'
import { CASE_FILE, findCaseFiles, type PlacedCase, readCaseFile } from '../../../cases/case-file.ts'
import { makeCase } from '../../../cases/case-of.ts'
import type { CaseOptions, CaseResult } from '../../../cases/run-cases.ts'
import { listCaseEdits, runCases } from '../../../cases/run-cases.ts'
import { addCase, editCaseFile } from '../../../cases/write-case-file.ts'
import type { ProfileChoice, ProfileChoices } from '../../../config/profile-choice.ts'
import { openEngine } from '../../../engine/engine.ts'
import { parseProfileName } from '../../../engine/profiles.ts'
import { HooklineError } from '../../../files/error.ts'
import { isBelow, refuseLeadingOut } from '../../../files/paths.ts'
import { formatSuggestion } from '../../../text/nearest.ts'
import { INPUT_FLAGS, listEventsUnder, readEventInput } from '../../input/event-argument.ts'
import { runInterruptible } from '../../start/call.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  RUNNING_FLAGS,
  RUNNING_USAGE,
  readArguments,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { leaveWithReader, print, printReport, tell } from '../../start/print.ts'
import { openProgressBar } from '../../view/progress-bar.ts'
import { hasCasePassed, REPORTERS } from './test-report.ts'
import { watchAndRun } from './test-watch.ts'

export const isVerdict = true

export const usage = `hookline test [files …] [flags]
hookline test --new <Event> [field=value …] [flags]

Runs test cases against the hooks of a project: files *.hooktest.yaml (or .yml,
.json) anywhere in it. Each case is an event, what is set up for it, and what is
expected of the decision, of each hook and of the texts. The real hook programs
run, each case in a scratch copy of the project.

  hookline test
  hookline test .claude/hooks/guard.hooktest.yaml --watch
  hookline test --new PreToolUse tool_name=Bash tool_input.command='rm -rf /'
  hookline test --update

  cases:
    - name: refuses to remove everything
      event: PreToolUse
      input: { tool_name: Bash, tool_input: { command: rm -rf / } }
      files: { notes.txt: "set up before" }
      expect:
        decision: { blocked: true }
        hooks: { guard.sh: { outcome: blocking } }
        texts: { model: [no rm here] }

Only what a case expects is checked. Hooks are named by key or id, or by a part
of their command; texts and context list parts of what is said, and [] means
that nothing is. Hooks of your home and of the machine's policy are left out, so
that cases give the same result everywhere; --home and --managed include them.
hookline schema hook-test prints the whole shape.

  --new EVENT              fire an event, and write a case that expects what
                           came of it
  --file FILE              where --new writes; .claude/hooks/hooks.hooktest.yaml
  --input FILE|-           with --new: the event as JSON
  --update                 write what was seen into the files, comments kept
  --filter TEXT            only cases with this text in their name
  --watch                  run again whenever a file of the project changes
  --reporter NAME          pretty (default), json, junit or tap
${ENGINE_USAGE}${RUNNING_USAGE}
Exit codes: 0 all cases pass; 1 a case fails, or a mistake in the call; 130
interrupted; 3 a fault of Hookline.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...RUNNING_FLAGS,
  ...INPUT_FLAGS,
  new: { type: 'string' },
  file: { type: 'string' },
  update: { type: 'boolean' },
  filter: { type: 'string' },
  watch: { type: 'boolean' },
  reporter: { type: 'string' },
} as const

type TestFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Runs `hookline test`. */
export async function run(args: string[]): Promise<number> {
  const { values: flags, positionals } = readArguments(args, FLAGS)
  const reporter = chooseReporter(flags)
  const { options, profiles } = await readCaseOptions(flags)
  if (flags.new !== undefined) {
    const file = await writeNewCase(flags.new, positionals, { ...flags, options, profiles })
    print(`Wrote a case to ${file}\nTry it: hookline test ${file}\n`)
    return 0
  }
  const { result, interrupted } = await runInterruptible(async (signal) => {
    let good = true
    const runCasesOnce = async (): Promise<void> => {
      good = await runOnce(positionals, flags, { ...(await readCaseOptions(flags)).options, reporter, signal })
      if (flags.watch && !signal.aborted) tell(`Waiting for a file to change in ${options.project}. Ctrl+C stops it.\n`)
    }
    if (flags.watch) leaveWithReader()
    if (flags.watch) await watchAndRun(options.project, () => tellOrThrow(runCasesOnce), signal)
    else await runCasesOnce()
    return good
  })
  if (interrupted) return flags.watch ? 0 : 130
  return result ? 0 : 1
}

/** Tries all cases once and tells how it went; whether all is as expected. */
async function runOnce(
  named: readonly string[],
  flags: TestFlags,
  { reporter, ...options }: CaseOptions & { reporter: keyof typeof REPORTERS },
): Promise<boolean> {
  const cases = filterCases(await readCases(named, options.project), flags.filter)
  const bar = openProgressBar()
  bar.show(0, `copying the project for ${cases.length} ${cases.length === 1 ? 'case' : 'cases'}`)
  let done = 0
  const onResult = (): void => bar.show(++done / cases.length, `${done} of ${cases.length} cases`)
  const started = performance.now()
  const results = await runCases(cases, { ...options, onResult })
  bar.clear()
  if (options.signal?.aborted) return false
  const run = { results, project: options.project, durationMs: performance.now() - started }
  printReport(REPORTERS[reporter](run, openCommandTerminal(flags)))
  if (flags.update) return update(results, options.project)
  return results.every(hasCasePassed)
}

/** The cases with a text in their name, in whichever letters. Throws a HooklineError when there are none. */
function filterCases(cases: PlacedCase[], text: string | undefined): PlacedCase[] {
  if (text === undefined) return cases
  const found = cases.filter((one) => one.case.name.toLowerCase().includes(text.toLowerCase()))
  if (found.length > 0 || cases.length === 0) return found
  const names = cases.map((one) => one.case.name)
  throw new HooklineError(
    `None of ${names.length} cases has "${text}" in its name.${formatSuggestion(text, names)} For example: ${names.slice(0, 3).join('; ')}.`,
  )
}

async function readCases(named: readonly string[], project: string): Promise<PlacedCase[]> {
  const files = named.length > 0 ? named.map((file) => resolve(file)) : await findCaseFiles(project)
  if (files.length === 0)
    throw new HooklineError(`There is no file *.hooktest.yaml in ${project}. hookline test --new <Event> writes one.`)
  const read = await Promise.all(files.map(readCaseFile))
  return read.flatMap(({ cases }) => cases)
}

/** Writes what was seen; whether everything could be. */
async function update(results: readonly CaseResult[], project: string): Promise<boolean> {
  for (const file of new Set(results.map((result) => result.file))) {
    const edits = results.filter((result) => result.file === file).flatMap(listCaseEdits)
    if (edits.length === 0) continue
    if (isBelow(file, project)) refuseLeadingOut(file, project)
    await editCaseFile(file, edits)
    tell(`Updated ${relative(project, file)}\n`)
  }
  return results.every(({ ended }) => ended !== 'broken')
}

/** A mistake in a file does not end the watch. */
async function tellOrThrow(act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof HooklineError)) throw error
    tell(`hookline test: ${error.message}\n`)
  }
}

/** Reads what cases run with; hooks of the home and the policy only when the call names them. Throws for a project that is not trusted. */
async function readCaseOptions(flags: TestFlags): Promise<{ options: CaseOptions; profiles: ProfileChoices }> {
  const all = toEngineOptions(flags)
  const { home: _home, managed: _managed, trust, ...rest } = all
  const engine = await openEngine(all)
  const { profiles } = engine
  const { accepted, request } = engine.trust
  await engine.close()
  if (!accepted)
    throw new HooklineError(
      `The hooks of ${rest.project} are not trusted yet, so they are not run. See hookline trust, or use --trust.`,
    )
  const options = {
    ...rest,
    trusted: trust === 'accepted' || Object.keys(request.files).length > 0, // a folder that asks for nothing needs no trust
    events: (await listEventsUnder(profiles)).events,
    // Without the user's home there are no hooks but the project's, and no choice of the user.
    ...(flags.home === undefined ? toProfileOption(profiles.project) : { home: resolve(flags.home) }),
    ...(flags.managed === undefined ? {} : { managed: resolve(flags.managed) }),
  }
  return { options, profiles }
}

/** The profile that was chosen, as an option; none where no one chose one. */
function toProfileOption({ profile, readAs }: ProfileChoice): Pick<CaseOptions, 'profile'> {
  return readAs === null ? { profile: parseProfileName(profile) } : {}
}

function chooseReporter({ reporter, json }: TestFlags): keyof typeof REPORTERS {
  const name = reporter ?? (json ? 'json' : 'pretty')
  if (!Object.hasOwn(REPORTERS, name))
    throw new UsageError(`--reporter must be ${Object.keys(REPORTERS).join(', ')}, not "${name}".`)
  return name as keyof typeof REPORTERS // one of its keys
}

/** File of new cases unless --file says otherwise. */
const USUAL_FILE = join('.claude', 'hooks', 'hooks.hooktest.yaml')

/** Fires an event in a scratch copy, and writes a case that expects what came of it. The file it stands in. */
async function writeNewCase(
  event: string,
  fields: readonly string[],
  {
    file,
    options,
    profiles,
    ...flags
  }: { file?: string | undefined; options: CaseOptions; input?: string | undefined; profiles: ProfileChoices },
): Promise<string> {
  const path = file === undefined ? join(options.project, USUAL_FILE) : requireCaseFile(file)
  if (file === undefined) refuseLeadingOut(path, options.project)
  const { hook_event_name, ...input } = await readEventInput([event, ...fields], flags, profiles)
  const [result] = await runCases([{ case: { name: event, event, input }, file: path, at: 0, line: 1 }], options)
  if (!result || result.ended === 'broken') throw new HooklineError(result?.reason ?? 'The event was not fired.')
  await addCase(path, makeCase({ record: result.record, input: { ...input, hook_event_name } }, options.project))
  return relative(options.project, path)
}

/** A file that `hookline test` will find again. */
function requireCaseFile(path: string): string {
  if (!CASE_FILE.test(path))
    throw new UsageError(`"${path}" must end in .hooktest.yaml, .hooktest.yml or .hooktest.json.`)
  return resolve(path)
}

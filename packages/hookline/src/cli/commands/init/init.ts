import { once } from 'node:events'
import { chmod, lstat, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { refuseUnsound } from '../../../config/refuse-unsound.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import type { NewHook } from '../../../config/settings-text.ts'
import { HooklineError } from '../../../files/error.ts'
import { makeFolders } from '../../../files/folders.ts'
import { findHome } from '../../../files/home.ts'
import { refuseLeadingOut } from '../../../files/paths.ts'
import { readErrorCode } from '../../../files/read.ts'
import { TOOL_NAME } from '../../../pattern/matcher.ts'
import { signalGroup, spawnGroup } from '../../../process/spawn-group.ts'
import type { EventRow } from '../../../protocol/event-row.ts'
import type { Profile } from '../../../protocol/profile.ts'
import { CLAUDE_CODE_PROFILE } from '../../../protocol/profiles.ts'
import { quoteForShell } from '../../../text/quote.ts'
import {
  applyEdit,
  EDIT_FLAGS,
  EDIT_USAGE,
  type EditReport,
  makeAddition,
  parseWritableScope,
  SCOPE_USAGE,
  tellEdit,
} from '../../edit/apply-edit.ts'
import { GITIGNORE_FLAGS, GITIGNORE_USAGE, offerGitignore } from '../../edit/gitignore-offer.ts'
import { askForProfile } from '../../edit/profile-question.ts'
import { withProjectMeant } from '../../edit/project-meant.ts'
import { refuseFaulty } from '../../edit/refuse-faulty.ts'
import { findEventRow } from '../../input/event-argument.ts'
import { type TerminalUser, withUser } from '../../input/terminal-user.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  readProfilesInForce,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson, tell } from '../../start/print.ts'
import { writeFirstCase } from './first-case.ts'
import { LANGUAGES, type Language, type ScriptKind, writeHookScript } from './hook-script.ts'

export const usage = `hookline init [--event EVENT] [flags]

Makes a new hook: a script in .claude/hooks/ that works right away and shows what
hooks of its event may decide, the settings entry that runs it, and a first case
for hookline test. In a terminal it asks for what is missing; nothing is ever
overwritten.

  hookline init
  hookline init --event PreToolUse --matcher Bash --language python
  hookline init --event Stop --name check-tests --scope local

  --event EVENT            the event it is for
  --language LANGUAGE      sh (default), node, ts or python; Python with the package
                           hookline where python3 can import it
  --matcher M              which tools or values it is for; default: all
  --name NAME              the script's name; default: after the event
${SCOPE_USAGE}                           default: project
  --force                  make it even if a rule says that it would not do what
                           it should
${GITIGNORE_USAGE}${EDIT_USAGE}${ENGINE_USAGE}
Exit codes: 0 made or shown; 1 a mistake in the call, or refused.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...EDIT_FLAGS,
  ...GITIGNORE_FLAGS,
  event: { type: 'string' },
  language: { type: 'string' },
  matcher: { type: 'string' },
  name: { type: 'string' },
  scope: { type: 'string' },
  force: { type: 'boolean' },
} as const

type InitFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Files to make. */
interface Plan {
  readonly row: EventRow
  readonly language: Language
  readonly name: string
  readonly matcher: string | undefined
  readonly scope: WritableScope
}

/** Runs `hookline init`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  return withUser(values, (user) => make(values, user))
}

async function make(given: InitFlags, user: TerminalUser | null): Promise<number> {
  const scope = parseWritableScope(given.scope ?? 'project')
  const flags = await withProjectMeant(given, { scope, user: given.yes ? null : user })
  const options = toEngineOptions(flags)
  if (flags.scope !== 'user') await askForProfile(options, flags.yes || flags['dry-run'] ? null : user)
  const profile = (await readProfilesInForce(flags))[flags.scope === 'user' ? 'own' : 'project']
  const terminal = openCommandTerminal(flags)
  const plan = makePlan(user ? await askForMissing(flags, profile, user) : flags, profile)
  const folder = plan.scope === 'user' ? options.home : options.project
  const script = join(folder, '.claude', 'hooks', `${plan.name}.${LANGUAGES[plan.language]}`)
  const hook = makeInitEntry(plan, script, { home: options.home })
  const kind = plan.language === 'python' && (await canImportPackage(folder)) ? 'python-package' : plan.language
  const ofClient = plan.row.readings?.find((reading) => reading.profile === CLAUDE_CODE_PROFILE) // no one chose
  const text = writeHookScript(kind, plan.name, ofClient ?? { row: plan.row, profile: profile.name })

  await refuseUnsound(hook, profile)
  await refuseExisting(script)
  if (flags['dry-run'] && !flags.json) print(`${script}\n\n${text}\n`)
  if (!flags['dry-run']) await createScript(script, text, folder)
  const change = makeAddition(hook, { force: flags.force === true })
  const edit = { scope: plan.scope, options, change, terminal, user, flags }
  const asked = flags.yes || flags['dry-run'] ? null : user
  const force = flags.force === true || flags['dry-run'] === true
  const act = async (): Promise<EditReport> => {
    for (const remark of await refuseFaulty(edit, { user: asked, force })) tell(`${remark}\n`)
    return applyEdit(edit)
  }
  const report = await removeLitterOnFailure(script, act, flags)
  if (report.written && plan.scope === 'local') {
    await offerGitignore(options, { wanted: flags.gitignore === true, user: flags.yes ? null : user })
  }
  const isTested = report.written && plan.scope !== 'user'
  const firstCase = isTested ? await writeFirstCase({ row: plan.row, script, matcher: plan.matcher }) : null
  if (flags.json) printJson({ ...report, script, case: firstCase, ...hook })
  else {
    tellEdit(report, terminal)
    if (report.written) print(formatNextSteps(plan, { kind, script, firstCase, accepted: report.accepted }))
  }
  return report.written || flags['dry-run'] ? 0 : 1
}

/** A script without its entry is of no use. */
async function removeLitterOnFailure(
  script: string,
  act: () => Promise<EditReport>,
  flags: InitFlags,
): Promise<EditReport> {
  let written = false
  try {
    const report = await act()
    written = report.written
    return report
  } finally {
    if (!written && !flags['dry-run']) await removeScript(script)
  }
}

async function askForMissing(flags: InitFlags, profile: Profile, user: TerminalUser): Promise<InitFlags> {
  const readAnswer = (answer: string | null): string => {
    if (answer === null) throw new HooklineError('Nothing was created.')
    return answer
  }
  const describeWhen = (name: string): string => profile.events.get(name)?.when ?? ''
  const names = [...profile.events.keys()]
  const usualEvent = names.find((name) => profile.events.get(name)?.matchOn === TOOL_NAME)
  const event =
    flags.event ??
    readAnswer(
      await user.choose('For which event?', names, {
        explained: describeWhen,
        ...(usualEvent === undefined ? {} : { usual: usualEvent }),
      }),
    )
  const row = findEventRow(event, profile)
  const language =
    flags.language ?? readAnswer(await user.choose('In which language?', Object.keys(LANGUAGES), { usual: 'sh' }))
  const asksMatcher = flags.matcher === undefined && row.matchOn !== null
  const matcher = asksMatcher
    ? readAnswer(await user.ask(`Matcher on ${row.matchOn}, such as ${makeFieldExample(row)} (empty: all): `)) ||
      undefined
    : flags.matcher
  const usual = makeScriptName(row)
  const name = flags.name ?? (readAnswer(await user.ask(`Name of the script (empty: ${usual}): `)) || usual)
  return { ...flags, event, language, name, ...(matcher === undefined ? {} : { matcher }) }
}

function makeFieldExample({ matchOn, example }: EventRow): string {
  return String(matchOn === null ? '' : example[matchOn])
}

function makePlan(flags: InitFlags, profile: Profile): Plan {
  if (flags.event === undefined)
    throw new UsageError(
      'for which event? For example: hookline init --event PreToolUse --matcher Bash. hookline events lists them.',
    )
  const row = findEventRow(flags.event, profile)
  const { language = 'sh', name = makeScriptName(row), matcher } = flags
  if (!Object.hasOwn(LANGUAGES, language))
    throw new UsageError(`--language must be ${Object.keys(LANGUAGES).join(', ')}, not "${language}".`)
  if (!/^\w[\w-]*$/.test(name))
    throw new UsageError(`--name may have letters, digits, "-" and "_" in it; "${name}" has others.`)
  if (matcher !== undefined && row.matchOn === null) throw new UsageError(`${row.name} takes no --matcher.`)
  return { row, language: language as Language, name, matcher, scope: parseWritableScope(flags.scope ?? 'project') } // one of its keys
}

/** `PreToolUse` becomes `pre-tool-use`. */
function makeScriptName({ name }: EventRow): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase()
}

function makeInitEntry({ row, language, matcher, scope }: Plan, script: string, { home }: { home: string }): NewHook {
  const file = script.split(/[\\/]/).at(-1) ?? ''
  const path = scope === 'user' ? toHomePath(file, script, home) : `"$CLAUDE_PROJECT_DIR"/.claude/hooks/${file}`
  const command = language === 'ts' ? `${typeScriptRunner(process.versions.node)} ${path}` : path
  return { event: row.name, ...(matcher === undefined ? {} : { matcher }), hook: { type: 'command', command } }
}

function toHomePath(file: string, script: string, home: string): string {
  return home === findHome() ? `~/.claude/hooks/${file}` : quoteForShell(script)
}

/** Newer versions of Node run TypeScript by themselves. */
function typeScriptRunner(version: string): string {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18) ? 'node' : 'npx tsx'
}

interface MadeFiles {
  readonly kind: ScriptKind
  readonly script: string
  readonly firstCase: string | null
  /** True if the project's hooks run without more ado; null: not known. */
  readonly accepted: boolean | null
}

function formatNextSteps({ row, scope }: Plan, { kind, script, firstCase, accepted }: MadeFiles): string {
  const needs = NEEDS[kind] ?? ''
  const test = firstCase === null ? '' : `Created ${firstCase}\n`
  const trust = accepted === true || scope === 'user' ? '' : ' --trust'
  const tryTest = firstCase === null ? '' : `Test it: hookline test${trust}\n`
  return `Created ${script}\n${test}${needs}Try it: hookline fire ${row.name}${trust}\n${tryTest}`
}

/** Sentence about the package that a script of a kind imports, or could. */
const NEEDS: Readonly<Partial<Record<ScriptKind, string>>> = {
  ts: 'It imports hookline/hook: install the package in the project, as you installed this command\n',
  python: `python3 here has no package "hookline", so the script is plain Python. With the package hooks are
shorter, have types and refuse when they raise: docs/hooks-in-python.md says how to install it
`,
  'python-package': 'It imports the package "hookline", which every python3 that runs the hook must have\n',
}

const IMPORT_TIMEOUT_MS = 20_000
/** Looks past the folder it is started in, whose files are not trusted. */
const IMPORT_PACKAGE = 'import sys; sys.path = [path for path in sys.path if path]; import hookline.hook'

/** True if the Python of a folder's hooks has the package for them. */
async function canImportPackage(folder: string): Promise<boolean> {
  const child = spawnGroup('python3', ['-c', IMPORT_PACKAGE], { cwd: folder, env: process.env, stdio: 'ignore' })
  const limit = setTimeout(() => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'), IMPORT_TIMEOUT_MS)
  const [code] = await once(child, 'exit').catch(() => [null]) // there is no python3
  clearTimeout(limit)
  return code === 0
}

/** Throws a HooklineError when something has that name already. */
async function refuseExisting(path: string): Promise<void> {
  const exists = await lstat(path).then(
    () => true,
    () => false, // writing it says what is wrong
  )
  if (exists) throw new HooklineError(`${path} exists already; give another --name. Nothing was written.`)
}

/** Makes an executable file that did not exist, in a folder that does not lead out of where it should be. */
async function createScript(path: string, text: string, below: string): Promise<void> {
  refuseLeadingOut(path, below)
  try {
    makeFolders(dirname(path))
    await writeFile(path, text, { flag: 'wx', mode: 0o755 })
    await chmod(path, 0o755) // whatever the umask says about others, its owner may run it
  } catch (error) {
    throw new HooklineError(`${path} cannot be written (${readErrorCode(error)}).`)
  }
}

/** Takes back a script that is not needed after all. */
async function removeScript(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {}) // a file left there does no harm
}

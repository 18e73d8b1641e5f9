import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { NEW_FILE, type SettingsChange } from '../../../config/edit-settings.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { addHookText, removeHookText } from '../../../config/settings-text.ts'
import {
  addWrappers,
  listWrittenEntries,
  removeWrappers,
  type WrapOptions,
  type WrittenEntry,
} from '../../../config/wrapped-hooks.ts'
import { readScopeSettings } from '../../../engine/edit-hooks.ts'
import type { EngineOptions } from '../../../engine/options.ts'
import { withLock } from '../../../files/lock.ts'
import { forgetMade, listMissing, noteMade, readMadeFiles } from '../../../files/made-files.ts'
import { readText } from '../../../files/read.ts'
import { CLAUDE_CODE_PROFILE, loadProfile } from '../../../protocol/profiles.ts'
import { makeHookKey } from '../../../protocol/record/hook-key.ts'
import { isRecorderCommand, RECORDERS, unwrapEntry, type WrapperWay } from '../../../protocol/wrapped-command.ts'
import { tapLog } from '../../../record/tap-line.ts'
import { EDIT_FLAGS, parseWritableScope } from '../../edit/apply-edit.ts'
import { adviseOnWay, chooseWay, editWrappers, prepareLauncher, RESIDENT_FLAGS } from '../../edit/edit-wrappers.ts'
import { PLACE_FLAGS, readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { tell } from '../../start/print.ts'

const FLAGS = {
  ...PLACE_FLAGS,
  ...EDIT_FLAGS,
  ...RESIDENT_FLAGS,
  scope: { type: 'string' },
  event: { type: 'string', multiple: true },
  wrap: { type: 'string', multiple: true },
  prompts: { type: 'boolean' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

type TapInstallFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Runs `hookline tap install`. */
export const install = (args: string[]): Promise<number> => editTap(args, 'install')

/** Runs `hookline tap uninstall`. */
export const uninstall = (args: string[]): Promise<number> => editTap(args, 'uninstall')

async function editTap(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const options = toEngineOptions(values)
  const scope = parseWritableScope(values.scope ?? 'user')
  const terminal = openCommandTerminal(values)
  const file = await readScopeSettings(scope, options)
  const text = file.content.read === 'text' && file.root !== null ? file.content.text : '{}' // text that is not JSON is told below
  const { way, why } = chooseWay(values, options.project)
  const wrapping = makeTapWrapping(values, scope, way)
  const keepLauncher = async (): Promise<string[]> =>
    doing === 'uninstall' || way !== 'launcher' || values['dry-run'] ? [] : prepareLauncher(options)
  if (doing === 'install') refuseUnknown(values.wrap ?? [], { scope, text })
  const events = await listTapEvents(values.event)
  const change: SettingsChange = (now) =>
    doing === 'install' ? withTaps(now, { events, wrapping, command: makeRecorder(values, way) }) : removeTaps(now)
  const asides = [
    ...listAsides(listWrittenEntries(text, 'tap'), wrapping, doing),
    ...(doing === 'install' && values.wrap?.includes('all') ? await findElsewhere(values, scope, options) : []),
  ]
  const isDone =
    file.content.read === 'missing'
      ? doing === 'uninstall'
      : file.content.read === 'text' && file.root !== null && change(text, file) === text
  const missing = doing === 'install' ? listMissing(file.path) : []
  return editWrappers({
    ...{ scope, options, change, terminal, flags: values },
    asides: isDone ? [...asides, ...(await keepLauncher())] : asides,
    tidy: async () => {
      for (const sentence of await keepLauncher()) tell(`hookline tap: ${sentence}\n`)
      await noteMade(listOfMade(options.home), missing)
      return doing === 'uninstall' && removeMade(file.path, options.home)
    },
    nothing: isDone ? NOTHING_TAPPED[doing] : null,
    advice:
      doing === 'install'
        ? [...adviseOnWay(why), ...adviseOnTap(scope, options.home, { isWrapping: values.wrap !== undefined })]
        : [],
  })
}

/** Removes the file where "install" made it and nothing is in it any more; whether it did. */
async function removeMade(path: string, home: string): Promise<boolean> {
  const list = listOfMade(home)
  if (!(await readMadeFiles(list)).includes(path)) return false
  const isEmpty = await withLock(path, async () => {
    const content = await readText(path)
    if (content.read !== 'text' || content.text !== NEW_FILE) return false
    await rm(path)
    return true
  })
  if (isEmpty) await forgetMade(list, path)
  return isEmpty
}

const listOfMade = (home: string): string => join(dirname(tapLog(home)), 'made.json')

const NOTHING_TAPPED = {
  install: 'All of it is there already; nothing was written.',
  uninstall: 'Nothing of hookline tap is here; nothing was written.',
} as const

/** Events on which a hook that says nothing changes nothing; where a hook does the host's own work, only what it runs can be wrapped. */
async function listTapEvents(named: readonly string[] | undefined): Promise<string[]> {
  const { events } = await loadProfile(CLAUDE_CODE_PROFILE)
  const silent = [...events.values()].filter(({ blocksOn }) => blocksOn !== 'any-failure').map(({ name }) => name)
  for (const name of named ?? []) {
    if (!events.has(name))
      throw new UsageError(
        `"${name}" is not an event of Claude Code. List them: hookline events --profile ${CLAUDE_CODE_PROFILE}`,
      )
    if (!silent.includes(name))
      throw new UsageError(
        `a hook on ${name} replaces what Claude Code does itself: record one that you have with --wrap.`,
      )
  }
  return silent.filter((name) => named === undefined || named.includes(name))
}

/** Makes what a recorder runs: whatever becomes of Hookline, the hook says nothing and succeeds. */
function makeRecorder({ prompts }: TapInstallFlags, way: WrapperWay): string {
  return `${RECORDERS[way]}${prompts ? ' --prompts' : ''} >/dev/null 2>&1 || true`
}

const isRecorder = ({ runs, type }: WrittenEntry): boolean => type === 'command' && isRecorderCommand(runs)

/** Chooses which hooks are wrapped. */
function makeTapWrapping(
  { wrap = [], event, prompts }: TapInstallFlags,
  scope: WritableScope,
  way: WrapperWay,
): WrapOptions {
  return {
    by: 'tap',
    way,
    isMeant: (entry) =>
      !isRecorder(entry) &&
      (listEntryNames(entry, scope).some((name) => wrap.includes(name)) ||
        (wrap.includes('all') && (event === undefined || event.includes(entry.event)))),
    flagsOf: ({ where, groupField }) => [
      ...['--as', `${scope}:${where}`],
      ...(typeof groupField('matcher') === 'string' ? ['--matcher', String(groupField('matcher'))] : []),
      ...(prompts ? ['--prompts'] : []),
    ],
  }
}

/** The id and the key of a hook. */
function listEntryNames(
  { event, where, type, runs, groupField }: WrittenEntry,
  scope: WritableScope,
): readonly string[] {
  const matcher = groupField('matcher')
  const command = unwrapEntry({ command: runs })?.command ?? runs
  const key = makeHookKey(event, { scope, matcher: typeof matcher === 'string' ? matcher : null, type, command })
  return [`${scope}:${where}`, key]
}

function refuseUnknown(
  wrap: readonly string[],
  { scope, text }: { readonly scope: WritableScope; readonly text: string },
): void {
  const known = listWrittenEntries(text, 'tap').flatMap((entry) => listEntryNames(entry, scope))
  for (const id of wrap) {
    if (id === 'all' || known.includes(id)) continue
    const [place = ''] = id.split(':')
    if (place !== scope && ['user', 'project', 'local'].includes(place))
      throw new UsageError(`${id} is not in the ${scope} settings: add --scope ${place}.`)
    throw new UsageError(
      `"${id}" is not the key or the id of a hook in the ${scope} settings. List them: hookline list`,
    )
  }
}

/** Taps that a settings text is to have. */
interface Taps {
  readonly events: readonly string[]
  readonly wrapping: WrapOptions
  readonly command: string
}

/** A settings text with recorders, and with wrapped hooks. */
function withTaps(text: string, { events, wrapping, command }: Taps): string {
  const wrapped = addWrappers(text, wrapping)
  return events.reduce((now, event) => {
    const known = listWrittenEntries(now, 'tap').find((entry) => entry.event === event && isRecorder(entry))
    if (known === undefined) return addHookText(now, { event, hook: { type: 'command', command } })
    const { offset = 0, length = 0 } = known.command ?? {}
    return `${now.slice(0, offset)}${JSON.stringify(command)}${now.slice(offset + length)}`
  }, wrapped)
}

/** A settings text without them: as it was before, to the byte, where nothing else changed. */
function removeTaps(text: string): string {
  let now = text
  for (;;) {
    const last = listWrittenEntries(now, 'tap').findLast(isRecorder)
    if (last === undefined) return removeWrappers(now, { by: 'tap', isMeant: () => true })
    const [group, hook] = last.where.split(':').slice(-2).map(Number)
    now = removeHookText(now, { event: last.event, group: group ?? 0, hook: hook ?? 0 })
  }
}

/** Lists what was left out, and what the user should look at. */
function listAsides(
  entries: readonly WrittenEntry[],
  { isMeant }: WrapOptions,
  doing: 'install' | 'uninstall',
): string[] {
  if (doing === 'install')
    return entries.flatMap((entry) => (isMeant(entry) && entry.why !== null ? [`${entry.where}: ${entry.why}`] : []))
  return entries.flatMap(({ isEdited, where }) =>
    isEdited
      ? [`${where}: its command was edited after it was wrapped. What follows the wrapper was kept; look at it.`]
      : [],
  )
}

/** Hooks of other files that "all" does not mean, so that nobody takes them for wrapped, with the call that wraps them. */
async function findElsewhere(
  { event }: TapInstallFlags,
  scope: WritableScope,
  options: EngineOptions,
): Promise<string[]> {
  const found = await Promise.all(
    TAP_SCOPES.filter((one) => one !== scope).map(async (other) => {
      const { content, root } = await readScopeSettings(other, options)
      const entries = content.read === 'text' && root !== null ? listWrittenEntries(content.text, 'tap') : []
      const left = entries.filter(
        (entry) =>
          entry.why === null &&
          !entry.isWrapped &&
          !isRecorder(entry) &&
          (event === undefined || event.includes(entry.event)),
      )
      if (left.length === 0) return []
      const [is, names] = [left.length === 1 ? 'is' : 'are', left.map(({ where }) => `${other}:${where}`).join(', ')]
      return [
        `${names} ${is} not wrapped: "all" means the ${scope} settings. Run "hookline tap install --wrap all --scope ${other}" too.`,
      ]
    }),
  )
  return found.flat()
}

const TAP_SCOPES: readonly WritableScope[] = ['user', 'project', 'local']

function adviseOnTap(scope: WritableScope, home: string, { isWrapping }: { readonly isWrapping: boolean }): string[] {
  return [
    ...(scope === 'project'
      ? [
          'Others who use this project get these entries too. Without hookline on their PATH they record nothing; the default, --scope user, is for you alone.',
        ]
      : []),
    ...(scope === 'user'
      ? []
      : ['The text of the hooks has changed, so everyone else who trusted this project is asked again.']),
    `Sessions of Claude Code are recorded from now on in ${tapLog(home)}: "hookline log" shows them, "hookline tap uninstall" ends it.`,
    ...(isWrapping
      ? []
      : [
          'Events are recorded, and not what your hooks answer: "hookline tap install --wrap all" records that too, with --scope project for the hooks of this project.',
        ]),
  ]
}

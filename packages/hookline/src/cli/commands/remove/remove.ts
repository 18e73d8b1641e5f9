import { refuseUneditable } from '../../../config/edit-settings.ts'
import { type HookEntry, listHookEntries } from '../../../config/hook-entries.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import type { SettingsFile } from '../../../config/settings-file.ts'
import { removeHookText } from '../../../config/settings-text.ts'
import { readScopeSettings } from '../../../engine/edit-hooks.ts'
import type { ListedHook } from '../../../engine/listing.ts'
import type { EngineOptions } from '../../../engine/options.ts'
import { HooklineError } from '../../../files/error.ts'
import { isHookKey } from '../../../protocol/record/hook-key.ts'
import {
  applyEdit,
  EDIT_FLAGS,
  EDIT_USAGE,
  parseWritableScope,
  SCOPE_USAGE,
  tellEdit,
  WRITABLE,
} from '../../edit/apply-edit.ts'
import { withUser } from '../../input/terminal-user.ts'
import {
  ENGINE_FLAGS,
  ENGINE_USAGE,
  readArguments,
  refusePositionals,
  toEngineOptions,
  UsageError,
} from '../../start/flags.ts'
import { openCommandTerminal, withEngine } from '../../start/opening.ts'
import { printJson } from '../../start/print.ts'

export const usage = `hookline remove <key or id> [flags]
hookline remove --event EVENT --command TEXT [flags]

Removes exactly one hook from a settings file; what "hookline add" made for it
goes too, so that the file is as it was before. hookline list shows keys.

  hookline remove 4c91d0aa
  hookline remove project:Stop:0:0
  hookline remove --event Stop --command ./check.sh --scope local
  hookline remove user:PreToolUse:1:0 --dry-run

  --event EVENT            the event it is for
  --command TEXT           its command, exactly as it is written
  --prompt TEXT            the prompt of a prompt or agent hook
  --matcher M              its matcher, where several have this command
${SCOPE_USAGE}                           default: wherever it is
${EDIT_USAGE}${ENGINE_USAGE}
Exit codes: 0 removed or shown; 1 a mistake in the call, or refused.
`

const FLAGS = {
  ...ENGINE_FLAGS,
  ...EDIT_FLAGS,
  event: { type: 'string' },
  command: { type: 'string' },
  prompt: { type: 'string' },
  matcher: { type: 'string' },
  scope: { type: 'string' },
} as const

type RemoveFlags = ReturnType<typeof readArguments<typeof FLAGS>>['values']

/** Hook that is meant. */
interface WantedHook {
  readonly scopes: readonly WritableScope[]
  readonly fits: (entry: HookEntry) => boolean
  readonly inWords: string
}

/** Runs `hookline remove`. */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [id, ...rest] = positionals
  refusePositionals(rest)
  const options = toEngineOptions(values)
  const wanted = id === undefined ? makeDescribed(values) : await findWanted(id, values)
  const scope = await findWantedScope(wanted, options)
  const terminal = openCommandTerminal(values)
  const change = (text: string, file: SettingsFile): string =>
    removeHookText(text, requireOnlyOne(wanted, listHookEntries(file)))
  const request = { scope, options, change, terminal, flags: values }
  const report = await withUser(values, (user) => applyEdit({ ...request, user }))
  if (values.json) printJson(report)
  else tellEdit(report, terminal)
  return report.written || values['dry-run'] ? 0 : 1
}

async function findWanted(word: string, flags: RemoveFlags): Promise<WantedHook> {
  const { scope, event, command, prompt } = flags
  if ((event ?? command ?? prompt) !== undefined)
    throw new UsageError('a key or an id is enough: leave out --event, --command and --prompt.')
  if (isHookKey(word)) return findHookByKey(word, flags)
  const [place = ''] = word.split(':')
  if (!/^\w+:.+:\d+:\d+$/.test(word))
    throw new UsageError(`"${word}" is not the key or the id of a hook. List them: hookline list`)
  if (scope !== undefined && scope !== place) throw new UsageError(`${word} is not of the scope ${scope}.`)
  return { scopes: [parseWritableScope(place)], fits: (entry) => entry.id === word, inWords: word }
}

/** The hook with a key, which may be one that is not ours to edit. */
async function findHookByKey(key: string, flags: RemoveFlags): Promise<WantedHook> {
  const found: ListedHook[] = []
  await withEngine(flags, async (engine) => {
    found.push(...engine.list().filter((listed) => listed.key === key))
    return 0
  })
  const scopes = [...new Set(found.map(({ hook }) => hook.scope))].map(parseWritableScope)
  const ids = found.map(({ hook }) => hook.id)
  return { scopes: scopes.length === 0 ? WRITABLE : scopes, fits: ({ id }) => ids.includes(id), inWords: `hook ${key}` }
}

function makeDescribed({ scope, event, command, prompt, matcher }: RemoveFlags): WantedHook {
  const runs = command ?? prompt
  if (event === undefined || runs === undefined)
    throw new UsageError('which hook? Give its key or id, or --event and --command.')
  const isWanted = (entry: HookEntry): boolean =>
    entry.event === event &&
    entry.runs === runs &&
    entry.says === (command === undefined ? 'prompt' : 'command') &&
    (matcher === undefined || (entry.matcher ?? '') === matcher)
  return {
    scopes: scope === undefined ? WRITABLE : [parseWritableScope(scope)],
    fits: isWanted,
    inWords: `${event} hook "${runs}"`,
  }
}

/** The scope that has it. */
async function findWantedScope({ scopes, fits, inWords }: WantedHook, options: EngineOptions): Promise<WritableScope> {
  const [only, ...others] = scopes
  if (only !== undefined && others.length === 0) return only
  const files = await Promise.all(scopes.map((scope) => readScopeSettings(scope, options)))
  const found = files.flatMap((file) => listHookEntries(file).filter(fits))
  const [first] = found
  if (!first) for (const file of files) refuseUneditable(file)
  if (!first) throw new HooklineError(`There is no ${inWords}. hookline list shows what there is.`)
  return parseWritableScope(requireOnlyOne({ scopes, fits, inWords }, found).id.split(':')[0] ?? '')
}

function requireOnlyOne({ fits, inWords }: WantedHook, entries: readonly HookEntry[]): HookEntry {
  const [entry, ...others] = entries.filter(fits)
  if (!entry) throw new HooklineError(`There is no ${inWords}. hookline list shows what there is.`)
  if (others.length === 0) return entry
  const ids = [entry, ...others].map(({ id, where }) => `  ${id}  ${where}`)
  throw new HooklineError(`There are several; name one by its id:\n${ids.join('\n')}`)
}

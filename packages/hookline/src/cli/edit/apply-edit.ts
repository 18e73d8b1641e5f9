import { applyChange, type SettingsChange } from '../../config/edit-settings.ts'
import { listHookEntries } from '../../config/hook-entries.ts'
import type { WritableScope } from '../../config/scopes.ts'
import { SETTINGS_FILES } from '../../config/scopes.ts'
import { addHookText, type NewHook } from '../../config/settings-text.ts'
import { diffFile } from '../../config/text-diff.ts'
import { editHooks, readScopeSettings } from '../../engine/edit-hooks.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { HooklineError } from '../../files/error.ts'
import { refuseLeadingOut } from '../../files/paths.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { findCallingAgent } from '../start/calling-agent.ts'
import { UsageError } from '../start/flags.ts'
import { print } from '../start/print.ts'
import { diffView } from '../view/diff-view.ts'
import { indentText } from '../view/layout.ts'
import type { Terminal } from '../view/terminal.ts'

/** The flags of commands that edit settings. */
export const EDIT_FLAGS = { yes: { type: 'boolean' }, 'dry-run': { type: 'boolean' } } as const

export const EDIT_USAGE = `  --dry-run                only show the difference
  --yes                    write without being asked; what loosens guards needs it
                           where nobody can be asked
`

/** The scopes that can be edited, in the order in which they are offered. */
export const WRITABLE: readonly WritableScope[] = ['project', 'local', 'user']

export const SCOPE_USAGE = `  --scope SCOPE            project (.claude/settings.json), local
                           (.claude/settings.local.json) or user (your home)
`

/** The scope of a name; refuses those that are not ours to edit. */
export function parseWritableScope(name: string): WritableScope {
  if (Object.hasOwn(SETTINGS_FILES, name)) return name as WritableScope // one of its keys
  if (name === 'managed')
    throw new UsageError('managed settings are policy: the administrator of this machine edits them.')
  if (name === 'plugin') throw new UsageError("a plugin's hooks are its author's: edit its hooks/hooks.json itself.")
  throw new UsageError(`--scope must be ${WRITABLE.join(', ')}, not "${name}".`)
}

/** An edit that the user asked for. */
export interface EditRequest {
  readonly scope: WritableScope
  readonly options: EngineOptions & { readonly project: string }
  readonly change: SettingsChange
  readonly terminal: Terminal
  /** User who is asked before something is written. */
  readonly user: TerminalUser | null
  readonly flags: {
    readonly yes?: boolean | undefined
    readonly 'dry-run'?: boolean | undefined
    readonly json?: boolean | undefined
  }
}

/** Report of an edit. */
export interface EditReport {
  readonly scope: WritableScope
  readonly file: string
  readonly written: boolean
  /** The file is gone: it was made for what was taken out. */
  readonly removed?: boolean
  /** null when the user was not asked for anything, or it is not known. */
  readonly accepted: boolean | null
  readonly diff: string
}

/** Shows what would be edited, asks where there is a user to ask, and writes. */
export async function applyEdit({ scope, options, change, terminal, user, flags }: EditRequest): Promise<EditReport> {
  const file = await readScopeSettings(scope, options)
  if (file.needsTrust) refuseLeadingOut(file.path, options.project)
  const preview = applyChange(change, file) // refuses before anything is touched
  const formatEditDiff = async (before: string | null, after: string): Promise<string> =>
    (await diffFile(preview.file, before, after))?.diff ?? ''
  const diff = await formatEditDiff(preview.before, preview.after)
  const unwritten = { scope, file: preview.file, written: false, accepted: null, diff }
  const asked = flags.yes ? null : user
  if (flags['dry-run'] || asked) showDiff(diff, terminal, flags)
  if (flags['dry-run']) return unwritten
  if (asked && !(await asked.confirm(`\nWrite this to ${preview.file}?`))) return unwritten

  const keepUnchanged: SettingsChange = (text, file) => {
    if (file.content.read === 'text' ? text !== preview.before : preview.before !== null)
      throw new HooklineError(`${preview.file} changed meanwhile. Nothing was written; try again.`)
    return change(text, file)
  }
  const { before, after, accepted } = await editHooks(scope, options, {
    change: asked ? keepUnchanged : change,
    by: findCallingAgent(process.env) === null ? 'user' : 'agent',
  })
  const written = await formatEditDiff(before, after)
  if (!asked) showDiff(written, terminal, flags)
  return { ...unwritten, written: true, accepted, diff: written }
}

/** Says what was done with a file, and what is still missing. */
export function tellEdit({ scope, file, written, removed, accepted }: EditReport, { width, paint }: Terminal): void {
  const wrote = paint.green(`${removed ? 'Removed' : 'Wrote'} ${file}`)
  print(`\n${written ? wrote : `Nothing was written to ${file}`}.\n`)
  if (!written || removed || accepted === null || scope === 'user') return
  const agent = findCallingAgent(process.env)
  const why = agent === null ? 'yet' : `with this edit, since ${agent}`
  const hint = accepted
    ? 'The project is trusted with this edit, so its hooks run: hookline trust shows them.'
    : `The project is not trusted ${why}, so its hooks do not run: hookline trust shows them.`
  print(`${(accepted ? paint.dim : paint.yellow)(indentText(hint, '', width))}\n`)
}

function showDiff(diff: string, terminal: Terminal, { json }: EditRequest['flags']): void {
  if (!json) print(`${diffView(diff, terminal).join('\n')}\n`)
}

/** A change that adds a hook, unless the file has it. */
export function makeAddition(hook: NewHook, { force }: { force: boolean }): SettingsChange {
  return (text, file) => {
    const { event, matcher = null, hook: fields } = hook
    const runs = fields.command ?? fields.prompt
    const twin = listHookEntries(file).find(
      (entry) =>
        entry.event === event && entry.matcher === matcher && entry.type === fields.type && entry.runs === runs,
    )
    if (twin && !force)
      throw new HooklineError(`${twin.where} has this hook already (${twin.id}). --force adds it once more.`)
    return addHookText(text, hook)
  }
}

import { applyChange, type SettingsChange } from '../../config/edit-settings.ts'
import type { WritableScope } from '../../config/scopes.ts'
import { findSettingsPlace } from '../../config/settings-file.ts'
import { readScopeSettings } from '../../engine/edit-hooks.ts'
import { type EngineOptions, settle } from '../../engine/options.ts'
import { HooklineError } from '../../files/error.ts'
import type { TerminalUser } from '../input/terminal-user.ts'
import { tell } from '../start/print.ts'
import { indentText } from '../view/layout.ts'
import type { Terminal } from '../view/terminal.ts'

/** A change of a settings file that is not made yet. */
interface PendingEdit {
  readonly scope: WritableScope
  readonly options: EngineOptions & { readonly project: string; readonly home: string }
  readonly change: SettingsChange
  readonly terminal: Terminal
}

/**
 * Holds what is about to be written against the rules. With an error that was not there before the user is asked; without a
 * user it is refused, unless it is forced. Resolves with what is merely a warning. Throws a HooklineError.
 */
export async function refuseFaulty(
  edit: PendingEdit,
  { user, force }: { readonly user: TerminalUser | null; readonly force: boolean },
): Promise<string[]> {
  const added = await findAdded(edit)
  const errors = added.filter(({ severity }) => severity === 'error')
  const formatFindings = (findings: typeof added): string[] =>
    findings.map(({ name, message }) => `${name}: ${message}`)
  const warnings = formatFindings(added.filter(({ severity }) => severity === 'warning'))
  if (errors.length === 0 || force) return [...formatFindings(errors), ...warnings]
  const width = edit.terminal.width
  if (user !== null) {
    for (const line of formatFindings(errors)) tell(`${indentText(line, '  ', width)}\n`)
    if (await user.confirm('\nThis hook would not do what it should. Write it all the same?')) return warnings
    throw new HooklineError('Nothing was written.')
  }
  throw new HooklineError(
    [`this hook would not do what it should, so nothing was written. --force writes it all the same.`]
      .concat(formatFindings(errors).map((line) => indentText(line, '  ', width)))
      .join('\n'),
  )
}

/** The findings that the change adds to those that the file has already. */
async function findAdded({ scope, options, change }: PendingEdit) {
  const { check } = await import('../../check/check.ts') // with rules that most edits never break
  const { makeTextSubject: textSubject } = await import('../../check/subject.ts')
  const { readUnder } = await import('../../check/find-subjects.ts')
  const { places, profiles: source } = await settle(options)
  const file = await readScopeSettings(scope, options)
  const { before, after } = applyChange(change, file)
  const reading = { ...places, shownFrom: options.project, ...(await readUnder(places, source)) }
  const place = findSettingsPlace(scope, places)
  const findFindings = async (text: string | null) =>
    text === null ? [] : check([await textSubject(place, text, reading)])
  const known = new Set((await findFindings(before)).map(({ rule, message }) => `${rule} ${message}`))
  return (await findFindings(after)).filter(({ rule, message }) => !known.has(`${rule} ${message}`))
}

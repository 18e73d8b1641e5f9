import { HooklineError } from '../files/error.ts'
import { withLock } from '../files/lock.ts'
import { refuseLeadingOut } from '../files/paths.ts'
import { readOnce } from '../files/read.ts'
import { replaceFile } from '../files/replace.ts'
import type { Problem } from './problem.ts'
import { readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'

/** A settings file before and after an edit. */
export interface SettingsEdit {
  /** For showing: relative to the project inside it. */
  readonly file: string
  /** null when there was no file. */
  readonly before: string | null
  readonly after: string
}

/** Makes the new text of a settings file out of what it says now. */
export type SettingsChange = (text: string, file: SettingsFile) => string

/** Text that a new settings file starts from. */
export const NEW_FILE = '{}\n'

/** Makes the edit that a change is to a file as it was read. Throws a HooklineError for one that cannot be edited. */
export function applyChange(change: SettingsChange, file: SettingsFile): SettingsEdit {
  refuseUneditable(file)
  if (file.content.read !== 'text') return { file: file.file, before: null, after: change(NEW_FILE, file) }
  return { file: file.file, before: file.content.text, after: change(file.content.text, file) }
}

/** Throws a HooklineError for a file that is there and cannot be edited: what is wrong with it, and where. */
export function refuseUneditable(settings: SettingsFile): void {
  const { content, root, problems, file } = settings
  if (content.read === 'missing') return
  if (content.read === 'unreadable') throw new HooklineError(`${file} ${content.reason}. Nothing was written.`)
  if (content.text.trim() === '')
    throw new HooklineError(
      `${file} is empty. Delete it, or write {} into it, then run this again. Nothing was written.`,
    )
  if (root === null) throw new HooklineError(`${describeFault(file, problems)}; fix it first. Nothing was written.`)
  if (content.text.includes('\uFFFD')) refuseOtherEncodings(settings)
}

function describeFault(file: string, [problem]: readonly Problem[]): string {
  if (!problem) return `${file} is not a JSON object`
  return `${file}:${problem.line}:${problem.column}  ${problem.message.replace(/; it contributes nothing\.$/, '')}`
}

/** Throws a HooklineError for a file that is not UTF-8: the bytes that were replaced when it was read would be lost. */
function refuseOtherEncodings({ path, file }: SettingsFile): void {
  const content = readOnce(path, { onlyUtf8: true })
  if (content.read === 'unreadable')
    throw new HooklineError(`${file} ${content.reason}. Save it as UTF-8, then run this again. Nothing was written.`)
}

/** Edits a settings file; what others write at the same time is not lost. */
export async function editSettings(
  place: SettingsPlace,
  project: string,
  change: SettingsChange,
): Promise<SettingsEdit> {
  if (place.needsTrust) refuseLeadingOut(place.path, project)
  return withLock(place.path, async () => {
    const edit = applyChange(change, await readSettingsFile(place, project))
    if (edit.after !== edit.before) await replaceFile(place.path, edit.after)
    return edit
  })
}

import { findInstallation, findShortLife, renewLauncher } from '../../bridges/install/launcher.ts'
import type { WrapOptions, WrittenEntry } from '../../config/wrapped-hooks.ts'
import { withUser } from '../input/terminal-user.ts'
import { print, printJson } from '../start/print.ts'
import { indentText } from '../view/layout.ts'
import { applyEdit, type EditRequest, tellEdit } from './apply-edit.ts'

/** An edit that puts a command of ours around hooks, or takes it away. */
interface WrapperEdit extends Omit<EditRequest, 'user'> {
  /** Message where nothing is to be done; null: there is. */
  readonly nothing: string | null
  /** Parts of the file that were left out, and why. */
  readonly asides: readonly string[]
  /** Advice for afterwards. */
  readonly advice: readonly string[]
  /** Further fields of the JSON. */
  readonly facts?: object
  /** Called once it is written; whether the file is gone then, since it was made for the wrappers alone. */
  readonly tidy?: () => Promise<boolean>
}

/** Makes the edit and says what came of it; the exit code. */
export async function editWrappers({ nothing, asides, advice, facts, tidy, ...request }: WrapperEdit): Promise<number> {
  const { scope, terminal, flags } = request
  const say = (sentences: readonly string[]): void => {
    for (const sentence of sentences) print(`${indentText(sentence, '', terminal.width)}\n`)
  }
  if (nothing !== null) {
    if (flags.json) printJson({ scope, written: false, ...facts, asides })
    else say([nothing, ...asides])
    return 0
  }
  return withUser(flags, async (user) => {
    const edit = await applyEdit({ ...request, user })
    const report = { ...edit, removed: edit.written && tidy !== undefined && (await tidy()) }
    if (flags.json) printJson({ ...report, ...facts, asides, advice })
    else {
      tellEdit(report, terminal)
      say([...asides, ...advice])
    }
    return report.written || flags['dry-run'] ? 0 : 1
  })
}

/** Flag of what installs entries, and its line of help. */
export const RESIDENT_FLAGS = { 'no-resident': { type: 'boolean' } } as const
export const RESIDENT_USAGE = `  --no-resident            entries that start Node for every event, and never the
                           resident engine: hookline resident --help
`

/**
 * Chooses how entries come to us: by the launcher, unless the user says otherwise or this installation is not one for every
 * project. `why` says so where it is the installation.
 */
export function chooseWay(
  flags: { readonly 'no-resident'?: boolean | undefined },
  project: string,
): { readonly way: WrapOptions['way']; readonly why: string | null } {
  if (flags['no-resident'] || process.platform === 'win32') return { way: 'path', why: null }
  const why = findShortLife(findInstallation(), project)
  return why === null ? { way: 'launcher', why } : { way: 'path', why }
}

/** Writes the launcher that entries read; sentences about one that could not be written. */
export async function prepareLauncher({ home, project }: { home: string; project: string }): Promise<string[]> {
  const renewal = await renewLauncher(home, project, { isAsked: true, isWanted: true })
  return renewal.is === 'left' ? [renewal.why] : []
}

/** Says why entries start Node for every event although nobody asked for that. */
export const adviseOnWay = (why: string | null): string[] =>
  why === null
    ? []
    : [
        `Every event starts Node, since this hookline is not for every project: ${why}. Installed for yourself (npm install --global hookline), it answers through the resident engine: run this again then.`,
      ]

/** Makes the wrapping of `hookline wrap install`. */
export const makeWrapping = (
  isMeant: WrapOptions['isMeant'] = () => true,
  way: WrapOptions['way'] = 'launcher',
): WrapOptions => ({
  by: 'wrap',
  way,
  isMeant,
  flagsOf: listWrapFlags,
})

/** Lists what a wrapped hook is told beside its command: what its entry asks for. */
function listWrapFlags({ event, field, groupField }: WrittenEntry): string[] {
  const makeFlag = (name: string, value: unknown): string[] =>
    value === undefined || value === '' || value === '*' ? [] : [`--${name}`, String(value)]
  return [
    ...makeFlag('event', event),
    ...makeFlag('matcher', groupField('matcher')),
    ...makeFlag('if', field('if')),
    ...makeFlag('timeout', field('timeout')),
    ...(field('async') === true || field('asyncRewake') === true ? ['--async'] : []),
  ]
}

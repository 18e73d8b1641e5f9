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

/** Makes the wrapping of `hookline wrap install`. */
export const makeWrapping = (isMeant: WrapOptions['isMeant'] = () => true): WrapOptions => ({
  by: 'wrap',
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

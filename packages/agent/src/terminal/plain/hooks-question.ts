import type { Engine } from 'hookline'
import { editHook, removeHook } from '../dialogs/edit-hook.ts'
import { addCommandHook } from '../dialogs/new-hook.ts'
import type { TerminalHost } from '../host.ts'
import type { Dialog } from '../state/dialog.ts'
import { formatHookDetail, formatHookLines } from '../state/hook-text.ts'
import type { Question } from './question.ts'

const USAGE = `A number shows a hook; "off 2" and "on 2" switch it; "remove 2" removes it, "edit 2 COMMAND" gives it another command; "review" shows changes on disk, "accept" trusts them;
"add user Stop * ./check.sh" adds one, with scope (local, project, user), event, matcher and command; Enter closes.`

/** The hooks of the session, in words. */
export function makeHooksQuestion({ answer }: Extract<Dialog, { kind: 'hooks' }>, host: TerminalHost): Question {
  const engine = host.agent?.engine
  const formatHookList = (): string => {
    const rows = formatHookLines(engine?.list() ?? []).map((line, at) => `${at + 1}: ${line}`)
    const faults = (engine?.faults ?? []).flatMap(({ hook, text }) => (hook === null ? [text] : []))
    return [...faults, ...(rows.length === 0 ? ['No hook is configured.'] : rows)].join('\n')
  }
  return {
    text: `${formatHookList()}\n${USAGE}`,
    take: (line) => {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      if (word === '' || engine === undefined) {
        answer(null)
        return ''
      }
      return answerHooksWord(host, engine, word, rest)
    },
  }
}

async function answerHooksWord(
  host: TerminalHost,
  engine: Engine,
  word: string,
  rest: readonly string[],
): Promise<string> {
  const named = engine.list()[Number(rest[0] ?? word) - 1]
  switch (word) {
    case 'off':
    case 'on':
      return named && engine.switchHook(named.hook.id, { off: word === 'off' })
        ? `It is ${word}.`
        : 'That cannot be switched.'
    case 'remove':
      return named ? removeHook(engine, named) : USAGE
    case 'edit':
      return named ? editHook(engine, named, rest.slice(1).join(' ')) : USAGE
    case 'review':
      return (
        (await engine.listChanges()).map(({ file, kind, diff }) => `${file} was ${kind}\n${diff}`).join('\n') ||
        'Nothing was edited on disk.'
      )
    case 'accept':
      return acceptChanges(engine)
    case 'add':
      return addTypedHook(engine, rest)
    default:
      return named ? formatHookDetail(named, host.store.get().runs.get(named.hook.id) ?? []).join('\n') : USAGE
  }
}

async function acceptChanges(engine: Engine): Promise<string> {
  const count = await engine.accept()
  return `Trusted: ${count} changed ${count === 1 ? 'file' : 'files'}.`
}

async function addTypedHook(
  engine: Engine,
  [scope = '', event = '', matcher = '', ...command]: readonly string[],
): Promise<string> {
  if (scope !== 'local' && scope !== 'project' && scope !== 'user')
    return `"${scope}" is not a scope: local, project, user.`
  return addCommandHook(engine, scope, { event, matcher: matcher === '*' ? '' : matcher, command: command.join(' ') })
}

import type { Engine, ListedHook, WritableScope } from 'hookline'
import { type HookPlace, removeHookText } from 'hookline/settings'
import { applyEdits, modify, parse } from 'jsonc-parser'

/** Reason why a hook cannot be edited here, or where it stands. */
type Editable = { readonly fault: string } | { readonly scope: WritableScope; readonly place: HookPlace }

const EDITABLE_SCOPES: readonly WritableScope[] = ['local', 'project', 'user']

/** Removes a hook from its settings file, and from the session; the answer says what became of it. */
export function removeHook(engine: Engine, listed: ListedHook): Promise<string> {
  return changeHook(engine, listed, { done: 'Removed', change: removeHookText })
}

/** Gives a command hook another command; the answer says what became of it. */
export function editHook(engine: Engine, listed: ListedHook, command: string): Promise<string> {
  const changeCommand = (text: string, { event, group, hook }: HookPlace): string => {
    const path = ['hooks', event, group, 'hooks', hook, 'command']
    return applyEdits(text, modify(text, path, command, { formattingOptions: { insertSpaces: true, tabSize: 2 } }))
  }
  return changeHook(engine, listed, { done: 'Changed', change: changeCommand })
}

/** Finds the place of a hook that can be edited. */
export function findEditable({ hook }: ListedHook): Editable {
  const scope = EDITABLE_SCOPES.find((each) => each === hook.scope)
  const [, event = '', group = '', at = ''] = /:(\w+):(\d+):(\d+)$/.exec(hook.id) ?? []
  if (scope === undefined || event === '')
    return { fault: `A hook of the scope "${hook.scope}" cannot be edited here.` }
  return { scope, place: { event, group: Number(group), hook: Number(at) } }
}

interface Change {
  readonly done: string
  readonly change: (text: string, place: HookPlace) => string
}

async function changeHook(engine: Engine, listed: ListedHook, { done, change }: Change): Promise<string> {
  const at = findEditable(listed)
  if ('fault' in at) return at.fault
  const { written } = listed.hook
  try {
    await engine.edit(at.scope, (text) => {
      const stands = readHookCommand(text, at.place)
      if (stands !== written.command)
        throw new Error('The file has changed on disk: review that first (r in the list).')
      return change(text, at.place)
    })
    return `${done}: ${listed.hook.event} ${listed.hook.shown.text}`
  } catch (error) {
    return error instanceof Error ? error.message : String(error) // the message says what is wrong with the file
  }
}

/** The command that stands at a place of a settings text now. */
function readHookCommand(text: string, { event, group, hook }: HookPlace): unknown {
  const settings: { hooks?: Record<string, { hooks?: { command?: unknown }[] }[]> } = Object(parse(text))
  return settings.hooks?.[event]?.[group]?.hooks?.[hook]?.command
}

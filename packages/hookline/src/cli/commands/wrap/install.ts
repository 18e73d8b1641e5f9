import { AGENTS, findBridge } from '../../../bridges/list.ts'
import type { SettingsChange } from '../../../config/edit-settings.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { addWrappers, listWrittenEntries, removeWrappers, type WrittenEntry } from '../../../config/wrapped-hooks.ts'
import { readScopeSettings } from '../../../engine/edit-hooks.ts'
import { EDIT_FLAGS, parseWritableScope } from '../../edit/apply-edit.ts'
import { editWrappers, makeWrapping } from '../../edit/edit-wrappers.ts'
import { PLACE_FLAGS, readArguments, refusePositionals, toEngineOptions } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'

const FLAGS = {
  ...PLACE_FLAGS,
  ...EDIT_FLAGS,
  scope: { type: 'string' },
  event: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Runs `hookline wrap install`. */
export const install = (args: string[]): Promise<number> => edit(args, 'install')

/** Runs `hookline wrap uninstall`. */
export const uninstall = (args: string[]): Promise<number> => edit(args, 'uninstall')

async function edit(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const options = toEngineOptions(values)
  const scope = parseWritableScope(values.scope ?? 'project')
  const terminal = openCommandTerminal(values)
  const isMeant = ({ event }: WrittenEntry): boolean => values.event === undefined || values.event === event
  const { content } = await readScopeSettings(scope, options)
  const found = content.read === 'text' ? listWrittenEntries(content.text, 'wrap').filter(isMeant) : []
  const asides =
    doing === 'install' ? found.flatMap(({ where, why }) => (why === null ? [] : [`${where}: ${why}`])) : []
  const wanted = found.filter((entry) =>
    doing === 'install' ? entry.why === null : entry.isWrapped || entry.isEdited,
  ).length
  const wrapping = makeWrapping(isMeant)
  const change: SettingsChange = (text) =>
    doing === 'install' ? addWrappers(text, wrapping) : removeWrappers(text, wrapping)
  const isDone =
    content.read === 'missing' ||
    (content.read === 'text' && change(content.text, await readScopeSettings(scope, options)) === content.text)
  return editWrappers({
    ...{ scope, options, change, terminal, flags: values, asides, facts: { hooks: wanted } },
    nothing: isDone ? describeNothingToDo(doing, wanted) : null,
    advice: doing === 'install' ? adviseOnWrap(scope, found) : [],
  })
}

function describeNothingToDo(doing: 'install' | 'uninstall', hooks: number): string {
  if (doing === 'uninstall') return 'No hook is wrapped here; nothing was written.'
  return hooks === 0
    ? 'There is no hook here that can be wrapped; nothing was written.'
    : 'All of it is wrapped already; nothing was written.'
}

/** Lists what the user has to know of the agents that load the file. */
function adviseOnWrap(scope: WritableScope, entries: readonly WrittenEntry[]): string[] {
  const loading = AGENTS.flatMap((name) => {
    const bridge = findBridge(name)
    return bridge?.install.loadsClaude?.scopes.includes(scope) ? [bridge] : []
  })
  return [
    ...loading.flatMap(({ name, title, install: { loadsClaude } }) => {
      const types = [...new Set(entries.map(({ type }) => type))].filter((type) =>
        loadsClaude?.refusesTypes?.includes(type),
      )
      if (types.length === 0) return []
      return [
        `${title} ignores all hooks of this file, since it has one of type ${types.join(' and ')}: run "hookline bridge install ${name}", which serves them.`,
      ]
    }),
    ...(scope === 'user'
      ? []
      : ['The text of the hooks has changed, so everyone else who trusted this project is asked again.']),
    'Run "hookline wrap install" again after you have changed a matcher, an "if" or a timeout.',
  ]
}

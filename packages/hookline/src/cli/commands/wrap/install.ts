import { describeUncalled } from '../../../bridges/install/loaded-file.ts'
import { AGENTS, findBridge } from '../../../bridges/list.ts'
import { refuseUneditable, type SettingsChange } from '../../../config/edit-settings.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { addWrappers, listWrittenEntries, removeWrappers, type WrittenEntry } from '../../../config/wrapped-hooks.ts'
import { readScopeSettings } from '../../../engine/edit-hooks.ts'
import { EDIT_FLAGS, parseWritableScope } from '../../edit/apply-edit.ts'
import {
  adviseOnWay,
  chooseWay,
  editWrappers,
  makeWrapping,
  prepareLauncher,
  RESIDENT_FLAGS,
} from '../../edit/edit-wrappers.ts'
import { PLACE_FLAGS, readArguments, refusePositionals, toEngineOptions } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { tell } from '../../start/print.ts'

const FLAGS = {
  ...PLACE_FLAGS,
  ...EDIT_FLAGS,
  ...RESIDENT_FLAGS,
  scope: { type: 'string' },
  event: { type: 'string' },
  json: { type: 'boolean' },
  'no-color': { type: 'boolean' },
} as const

/** Runs `hookline wrap install`. */
export const install = (args: string[]): Promise<number> => editWrapper(args, 'install')

/** Runs `hookline wrap uninstall`. */
export const uninstall = (args: string[]): Promise<number> => editWrapper(args, 'uninstall')

async function editWrapper(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  refusePositionals(positionals)
  const options = toEngineOptions(values)
  const scope = parseWritableScope(values.scope ?? 'project')
  const terminal = openCommandTerminal(values)
  const isMeant = ({ event }: WrittenEntry): boolean => values.event === undefined || values.event === event
  const file = await readScopeSettings(scope, options)
  refuseUneditable(file)
  const { content } = file
  const found = content.read === 'text' ? listWrittenEntries(content.text, 'wrap').filter(isMeant) : []
  const asides =
    doing === 'install' ? found.flatMap(({ where, why }) => (why === null ? [] : [`${where}: ${why}`])) : []
  const wanted = found.filter((entry) =>
    doing === 'install' ? entry.why === null : entry.isWrapped || entry.isEdited,
  ).length
  const { way, why } = chooseWay(values, options.project)
  const wrapping = makeWrapping(isMeant, way)
  const keepLauncher = async (): Promise<string[]> =>
    doing === 'uninstall' || way !== 'launcher' || values['dry-run'] ? [] : prepareLauncher(options)
  const change: SettingsChange = (text) =>
    doing === 'install' ? addWrappers(text, wrapping) : removeWrappers(text, wrapping)
  const isDone = content.read === 'missing' || (content.read === 'text' && change(content.text, file) === content.text)
  const loading = doing === 'install' && content.read === 'text' ? adviseOnLoading(scope, content.text) : []
  return editWrappers({
    ...{ scope, options, change, terminal, flags: values, facts: { hooks: wanted } },
    asides: isDone ? [...asides, ...loading, ...(await keepLauncher())] : asides,
    tidy: async () => {
      for (const sentence of await keepLauncher()) tell(`hookline wrap: ${sentence}\n`)
      return false
    },
    nothing: isDone ? describeNothingToDo(doing, wanted) : null,
    advice: doing === 'install' ? [...loading, ...adviseOnWay(why), ...adviseOnWrap(scope)] : [],
  })
}

function describeNothingToDo(doing: 'install' | 'uninstall', hooks: number): string {
  if (doing === 'uninstall') return 'No hook is wrapped here; nothing was written.'
  return hooks === 0
    ? 'There is no hook here that can be wrapped; nothing was written.'
    : 'All of it is wrapped already; nothing was written.'
}

/** Lists what the user has to know of a wrapped file. */
function adviseOnWrap(scope: WritableScope): string[] {
  return [
    ...(scope === 'user'
      ? []
      : ['The text of the hooks has changed, so everyone else who trusted this project is asked again.']),
    'Run "hookline wrap install" again after you have changed a matcher, an "if" or a timeout.',
  ]
}

/** Lists hooks of the file that agents which load it by themselves do not call. */
function adviseOnLoading(scope: WritableScope, text: string): string[] {
  return AGENTS.flatMap((name) => {
    const bridge = findBridge(name)
    if (!bridge?.install.loadsClaude?.scopes.includes(scope)) return []
    return describeUncalled(bridge, { text, file: 'this file', isBridged: false })
  })
}

import { isSilencingHooks } from '../../../config/problem.ts'
import type { SettingsFile } from '../../../config/settings-file.ts'
import type { TrustStoreState } from '../../../config/trust.ts'
import { nameState } from '../../../engine/listing.ts'
import { describeFleet } from '../../../fleet/standing.ts'
import { formatColumns, indentText } from '../../view/layout.ts'
import { describeProfiles } from '../../view/profile-view.ts'
import type { Paint, Terminal } from '../../view/terminal.ts'
import type { Examination } from './examination.ts'

/** Formats what the doctor saw, for people; what needs attention comes last, where the eye is. */
export function formatExamination(
  seen: Examination,
  attention: readonly string[],
  { width, paint }: Terminal,
): string[] {
  const formatDoctorSection = (title: string, rows: readonly (readonly string[])[]): string[] =>
    rows.length === 0
      ? []
      : [
          paint.bold(title),
          ...formatColumns(
            rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
            width,
          ),
          '',
        ]
  const { versions, configuration } = seen
  return [
    ...formatDoctorSection('Versions', [
      ...Object.entries(versions),
      ...(configuration === null
        ? []
        : [['profile', describeProfiles(configuration.profiles, { trusted: seen.trusted })]]),
    ]),
    ...formatDoctorSection('Read from', [
      ...(configuration?.files ?? []).map((file) => [file.scope, findFileState(file), file.file]),
      ...(configuration?.components ?? []).map(({ kind, name }) => [kind, 'found', name]),
    ]),
    ...formatDoctorSection('Shells', seen.shells.map(formatProgramRow)),
    ...formatDoctorSection('Programs that hooks need', seen.programs.map(formatProgramRow)),
    ...formatDoctorSection('Cannot start', [...seen.startFaults]),
    ...formatDoctorSection('Off', formatOffRows(seen)),
    ...formatDoctorSection('Bridges', [
      ...seen.bridges.flatMap(formatBridgeRows),
      ...seen.trials.flatMap(({ agent, notes }) => notes.map(({ text }) => [agent, 'tried', text])),
      ...(seen.resident === null ? [] : [['resident', seen.resident.state, seen.resident.text]]),
      ...(seen.launcher.is === 'renewed' ? [['launcher', 'renewed', 'it starts this hookline from now on']] : []),
    ]),
    ...formatDoctorSection('Environment', [
      ['temp folder', seen.temp.fault === null ? seen.temp.folder : `${seen.temp.folder}: ${seen.temp.fault}`],
      ['trust store', storeWords(seen.trustStore)],
      ...(seen.processTrees === undefined ? [] : [['processes', seen.processTrees]]),
      ['model', describeModel(seen.model)],
      ...(seen.fleet === null ? [] : [['fleet', describeFleet(seen.fleet)]]),
      ['variables', seen.variables.join(', ') || 'none'],
    ]),
    ...formatConclusion(seen, attention, width, paint),
  ]
}

/** Finds what a settings file turned out to be. */
export function findFileState({ content, problems }: SettingsFile): 'found' | 'missing' | 'problem' {
  if (content.read === 'missing') return 'missing'
  return problems.some(isSilencingHooks) ? 'problem' : 'found'
}

function formatBridgeRows({ agent, scopes, unread }: Examination['bridges'][number]): string[][] {
  return [
    ...scopes.map(({ scope, state, file }) => [agent, `${scope}: ${state}`, file]),
    ...unread.map(({ scope, file }) => [agent, `${scope}: unreadable`, file]),
  ]
}

function formatProgramRow({ name, path, fault }: Examination['programs'][number]): string[] {
  return [name, fault ?? path ?? 'not found']
}

/** The hooks that do not run, by state and reason. */
function formatOffRows({ hooks }: Examination): string[][] {
  const byReason = new Map<string, { state: string; why: string; ids: string[] }>()
  for (const listed of hooks.filter((one) => nameState(one) !== 'active')) {
    const state = nameState(listed)
    const why = 'because' in listed.standing ? listed.standing.because : `runs the same as ${listed.duplicateOf}`
    const group = byReason.get(`${state} ${why}`) ?? { state, why, ids: [] }
    byReason.set(`${state} ${why}`, { ...group, ids: [...group.ids, listed.hook.id] })
  }
  return [...byReason.values()].map(({ state, why, ids }) => [state, `${why}\n${ids.join(', ')}`])
}

function storeWords(store: TrustStoreState): string {
  if (store.state === 'missing') return 'none yet: nothing is trusted'
  if (store.state === 'doubtful') return `${store.path}: ${store.reason}`
  if (!('folders' in store)) return `${store.path}: broken`
  return `${store.path}, ${store.folders} ${store.folders === 1 ? 'folder' : 'folders'}`
}

function describeModel(model: Examination['model']): string {
  const packages = model.missingPackages.length === 0 ? '' : `; not installed: ${model.missingPackages.join(', ')}`
  if (model.ready === false) return 'none'
  if (model.ready === 'named') return `only for hooks that name one of ${model.providers.join(', ')}${packages}`
  return `${model.model} at ${model.baseURL}, ${model.hasKey ? 'with a key' : 'without a key'}${packages}`
}

function formatConclusion({ hooks }: Examination, attention: readonly string[], width: number, paint: Paint): string[] {
  const count = `${hooks.length} ${hooks.length === 1 ? 'hook' : 'hooks'}`
  if (attention.length === 0) return [paint.green(`All is well: ${count}, nothing needs attention.`)]
  return [
    paint.yellow(attention.length === 1 ? 'One thing needs attention:' : `${attention.length} things need attention:`),
    ...attention.map((sentence) => indentText(sentence, '    ', width).replace(/^ {4}/, '  - ')),
  ]
}

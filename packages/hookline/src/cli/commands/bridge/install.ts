import { type Bridge, isUnverified, makeUnverifiedNote } from '../../../bridges/bridge.ts'
import { CLOUD_SETUP, makeCloudSetup, PACKED } from '../../../bridges/install/cloud.ts'
import { type EntryStyle, explainMissing } from '../../../bridges/install/entry.ts'
import { planRemoval, withBridge } from '../../../bridges/install/install.ts'
import { explainMove, findHostFile, type HostPlace } from '../../../bridges/install/installed.ts'
import { findLauncherPath } from '../../../bridges/install/launcher.ts'
import { makeLossReport } from '../../../bridges/install/report.ts'
import { findWrittenBridge } from '../../../bridges/list.ts'
import type { SettingsChange } from '../../../config/edit-settings.ts'
import type { WritableScope } from '../../../config/scopes.ts'
import { addWrappers } from '../../../config/wrapped-hooks.ts'
import type { Engine } from '../../../engine/engine-interface.ts'
import { reviewTrust } from '../../../engine/trust-review.ts'
import { applyEdit, tellEdit } from '../../edit/apply-edit.ts'
import { askToTrust } from '../../edit/ask-to-trust.ts'
import {
  chooseInstallation,
  chooseStyle,
  formatHostDiff,
  formatOutcome,
  listObstacles,
  parseHostScope,
  type WriteFlags,
  writeEdits,
} from '../../edit/edit-host.ts'
import { makeWrapping, RESIDENT_FLAGS } from '../../edit/edit-wrappers.ts'
import { loadBridge } from '../../input/load-bridge.ts'
import { type TerminalUser, withUser } from '../../input/terminal-user.ts'
import { findCallingAgent } from '../../start/calling-agent.ts'
import { readArguments, refusePositionals, toEngineOptions, UsageError } from '../../start/flags.ts'
import { openCommandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { indentText } from '../../view/layout.ts'
import { BRIDGE_FLAGS, listScopesToWrap, withHooks, wrapCommands } from './bridged.ts'
import { summariseReport } from './report.ts'

const FLAGS = {
  ...BRIDGE_FLAGS,
  scope: { type: 'string' },
  for: { type: 'string' },
  attended: { type: 'boolean' },
  'if-missing': { type: 'string' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  ...RESIDENT_FLAGS,
} as const

/** Runs `hookline bridge install`. */
export const install = (args: string[]): Promise<number> => editBridge(args, 'install')

/** Runs `hookline bridge uninstall`. */
export const uninstall = (args: string[]): Promise<number> => editBridge(args, 'uninstall')

async function editBridge(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const isCloud = values.for === 'cloud'
  const bridge = await loadBridge(chooseAgent(agent, values.for), toEngineOptions(values).home)
  const scope = parseHostScope(values.scope ?? (isCloud ? 'project' : null), bridge)
  if (isCloud && scope !== 'project')
    throw new UsageError('The cloud agent reads files of the project: --scope project.')
  return withHooks(values, (engine, { project, home }) =>
    withUser(values, async (user) => {
      const place: HostPlace = { bridge: findWrittenBridge(bridge), scope, project, home, env: process.env }
      const style = doing === 'install' ? await chooseStyle(place, values, user) : null
      const own = style === null ? await planRemoval(place) : await withBridge(place, style)
      const setup = isCloud ? await makeCloudSetup(project, doing) : null
      const made = (setup === null ? own : [...own, setup]).filter(({ before, after }) => before !== after)
      const doubt = doing === 'install' ? describeDoubt(bridge, isCloud) : null
      if (doubt !== null && !values.json) print(`${indentText(doubt, '', openCommandTerminal(values).width)}\n`)
      const where = made[0]?.file ?? findHostFile(place) ?? ''
      const others = made.length > 1 ? ` and ${made.length - 1} more` : ''
      const ask = async (): Promise<boolean> => user?.confirm(`\nWrite this to ${where}${others}?`) ?? true
      const launcher = style === null ? null : chooseInstallation(place, style)
      const written = await writeEdits(made, { place, launcher, flags: values, ask })
      const advice = [
        ...(doubt === null ? [] : [doubt]),
        ...[explainMove(place)].filter((sentence) => sentence !== null),
        ...(style === null ? [] : adviseOnInstall(engine, { ...place, bridge }, style)),
        ...(written ? await listObstacles({ ...place, bridge }) : []),
        ...(doing === 'install' && isCloud ? adviseOnCloud(engine, setup !== null) : []),
      ]
      if (values.json) {
        printJson({
          agent: bridge.name,
          scope,
          file: findHostFile(place),
          files: made.map(({ file }) => file),
          ...(style === null ? {} : { program: style.program, ifMissing: style.ifMissing }),
          unverified: isUnverified(bridge),
          changed: made.length > 0,
          written,
          diff: (await Promise.all(made.map(formatHostDiff))).join('\n'),
          advice,
        })
        return 0
      }
      if (doing === 'install') print(`${summariseReport(makeLossReport(bridge, engine.list()))}\n`)
      for (const line of formatOutcome(made, { where, written, dryRun: values['dry-run'] === true })) print(`${line}\n`)
      for (const sentence of advice)
        if (sentence !== doubt) print(`${indentText(sentence, '', openCommandTerminal(values).width)}\n`)
      const isWanted = doing === 'install' && (written || made.length === 0) && !values.yes && !values['dry-run']
      if (user !== null && isWanted) await offerRest(user, values, listScopesToWrap(bridge, engine))
      return 0
    }),
  )
}

/** The agent that is meant: Copilot's files are read by others too. */
function chooseAgent(agent: string | undefined, reader: string | undefined): string | undefined {
  if (reader === undefined) return agent
  if (agent !== 'copilot')
    throw new UsageError('--for says who reads the files of copilot; other agents have their own.')
  if (reader === 'vscode') return 'vscode'
  if (reader === 'cli' || reader === 'cloud') return agent
  throw new UsageError(`--for must be cli, vscode or cloud, not "${reader}".`)
}

/** Said before anything is written: where this was never tried. */
function describeDoubt(bridge: Bridge, isCloud: boolean): string | null {
  if (!isCloud) return makeUnverifiedNote(bridge)
  return 'This was never run in the cloud agent: it was written from what its vendor documents, and tried in Copilot CLI. Try your guards there before you rely on them.'
}

/** Lists what is left to do for the cloud agent. */
function adviseOnCloud({ trust }: Engine, isSetUp: boolean): string[] {
  const { digest } = trust.request
  return [
    'The cloud agent reads these files on the default branch: commit them.',
    `Commit ${PACKED} too, which is installed there: "npm pack --workspace hookline" makes it at the top of a checkout of Hookline.`,
    ...(isSetUp
      ? []
      : [
          `${CLOUD_SETUP} is there already and stays as it is: add a step to it that runs "npm install --global ./${PACKED}".`,
        ]),
    ...(digest === null
      ? []
      : [
          `Set the variable HOOKLINE_TRUST to ${digest} in the environment "copilot" of the repository: else no hook of the project runs there.`,
        ]),
  ]
}

/** Lists what the user still has to do, and what others will see. */
function adviseOnInstall(engine: Engine, { bridge, scope, home }: HostPlace, style: EntryStyle): string[] {
  const { install } = bridge
  const held = engine.list().some(({ standing }) => standing.verdict === 'untrusted')
  const loads = install.loadsClaude
  const toWrap = listScopesToWrap(bridge, engine)
  return [
    ...(held
      ? [
          'The hooks of this project are not trusted yet, so they do not run: look with "hookline trust", then "hookline trust accept".',
        ]
      : []),
    ...(loads === null || toWrap.length === 0
      ? []
      : [
          `${bridge.title} also loads .claude/settings.json by itself (${loads.scopes.join(', ')}), so hooks of these files run twice: ${loads.switchOff === null ? '' : `switch off ${loads.switchOff}, or `}run ${wrapCommands(toWrap)}.`,
        ]),
    ...install.person,
    ...(scope === 'project' && style.ifMissing !== null
      ? [`For colleagues who do not have it: ${explainMissing(bridge, style.ifMissing)}`]
      : []),
    ...(scope === 'user' && style.program === 'hookline' && style.ifMissing !== null
      ? [
          `${findLauncherPath(home)} is not one word to every agent, so the entries call the hookline of your PATH: of a project whose node_modules/.bin comes first there, that one.`,
        ]
      : []),
    ...(style.ifMissing === null
      ? ['On Windows the entries cannot say what becomes of a call where hookline is missing: the agent decides.']
      : []),
  ]
}

/** Offers what is left to do: to wrap hooks that would run twice, and to trust what does not run yet. Each is shown first. */
async function offerRest(user: TerminalUser, flags: WriteFlags, toWrap: readonly WritableScope[]): Promise<void> {
  const [options, terminal] = [toEngineOptions(flags), openCommandTerminal(flags)]
  const change: SettingsChange = (text) => addWrappers(text, makeWrapping())
  for (const scope of toWrap) {
    print('\n')
    tellEdit(await applyEdit({ scope, options, change, terminal, user, flags }), terminal)
  }
  if (findCallingAgent(process.env) !== null) return // an agent trusts nothing
  const review = await reviewTrust(options)
  if (review.accepted || Object.keys(review.request.files).length === 0) return
  print('\n')
  const isTrusted = await askToTrust(review, { home: options.home, terminal, user })
  print(`${isTrusted ? 'Trusted' : 'Not trusted'}: ${review.request.folder}\n`)
}

import type { HostScope } from '../../../bridges/bridge.ts'
import { type HostEdit, type HostPlace, withBridge, withoutBridge, writeEdit } from '../../../bridges/install.ts'
import { lossReport } from '../../../bridges/report.ts'
import { fileDiff } from '../../../config/text-diff.ts'
import type { Engine } from '../../../engine/open-engine.ts'
import { readArguments, refusePositionals, UsageError } from '../../start/flags.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { withUser } from '../../start/terminal-user.ts'
import { diffView } from '../../view/diff-view.ts'
import { indented } from '../../view/layout.ts'
import { BRIDGE_FLAGS, namedBridge, withHooks } from './bridged.ts'
import { summary } from './report.ts'

const FLAGS = {
  ...BRIDGE_FLAGS,
  scope: { type: 'string' },
  attended: { type: 'boolean' },
  yes: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

/** Seconds that a hook has which names no timeout. */
const USUAL_SECONDS = 600

/** Runs `hookline bridge install`. */
export const install = (args: string[]): Promise<number> => edit(args, 'install')

/** Runs `hookline bridge uninstall`. */
export const uninstall = (args: string[]): Promise<number> => edit(args, 'uninstall')

async function edit(args: string[], doing: 'install' | 'uninstall'): Promise<number> {
  const { values, positionals } = readArguments(args, FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridge = namedBridge(agent)
  const scope = scopeNamed(values.scope ?? 'user')
  return withHooks(values, (engine, { project, home }) =>
    withUser(values, async (user) => {
      const place: HostPlace = { bridge, scope, project, home }
      const made =
        doing === 'install'
          ? await withBridge(place, { attended: values.attended === true, secondsFor: secondsIn(engine) })
          : await withoutBridge(place)
      const written = await write(
        made,
        place,
        values,
        async () => user?.confirm(`\nWrite this to ${made.file}?`) ?? true,
      )
      const terminal = commandTerminal(values)
      const advice = doing === 'install' ? adviceFor(engine, place) : []
      if (values.json) {
        const { diff = '' } = (await fileDiff(made.file, made.before, made.after)) ?? {}
        printJson({
          agent: bridge.name,
          scope,
          file: made.file,
          changed: made.before !== made.after,
          written,
          diff,
          advice,
        })
        return 0
      }
      if (doing === 'install') print(`${summary(lossReport(bridge, engine.list()))}\n`)
      print(`${outcomeLine(made, written, values['dry-run'] === true)}\n`)
      for (const sentence of advice) print(`${indented(sentence, '', terminal.width)}\n`)
      return 0
    }),
  )
}

function scopeNamed(name: string): HostScope {
  if (name === 'user' || name === 'project') return name
  throw new UsageError(`--scope must be user or project, not "${name}".`)
}

/** The longest that hooks of an event may take. */
function secondsIn(engine: Engine): (event: string) => number {
  return (event) => {
    const timeouts = engine.hooks.flatMap((hook) => (hook.event === event ? [hook.timeout ?? USUAL_SECONDS] : []))
    return Math.max(USUAL_SECONDS, ...timeouts)
  }
}

interface WriteFlags {
  readonly yes?: boolean | undefined
  readonly json?: boolean | undefined
  readonly 'dry-run'?: boolean | undefined
  readonly 'no-color'?: boolean | undefined
}

/** Shows the difference, asks, and writes. Resolves with whether it was written. */
async function write(
  made: HostEdit,
  place: HostPlace,
  flags: WriteFlags,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const diff = await fileDiff(made.file, made.before, made.after)
  if (diff === null) return false
  if (!flags.json) print(`${diffView(diff.diff, commandTerminal(flags)).join('\n')}\n`)
  if (flags['dry-run'] || (!flags.yes && !(await ask()))) return false
  await writeEdit(made, place)
  return true
}

function outcomeLine({ file, before, after }: HostEdit, written: boolean, dryRun: boolean): string {
  if (before === after) return `${file} is as it should be; nothing was written.`
  if (!written) return dryRun ? `This would be written to ${file}.` : `Nothing was written to ${file}.`
  return after === null ? `Removed ${file}: nothing else was in it.` : `Wrote ${file}.`
}

/** What the user still has to do, and what others will see. */
function adviceFor(engine: Engine, { bridge, scope }: HostPlace): string[] {
  const { install } = bridge
  const held = engine.list().some(({ standing }) => standing.verdict === 'untrusted')
  const loads = install.loadsClaude
  return [
    ...(held
      ? [
          'The hooks of this project are not trusted yet, so they do not run: look with "hookline trust", then "hookline trust accept".',
        ]
      : []),
    ...(loads === null
      ? []
      : [
          `${bridge.title} also loads .claude/settings.json by itself (${loads.scopes.join(', ')}), so hooks of these files run twice${loads.switchOff === null ? '.' : `: switch off ${loads.switchOff}.`}`,
        ]),
    ...install.person,
    ...(scope === 'project' ? [`For colleagues who do not have it: ${install.missingProgram}`] : []),
  ]
}

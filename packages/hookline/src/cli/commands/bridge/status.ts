import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Bridge, HostScope } from '../../../bridges/bridge.ts'
import { hostFile, installedEvents, mappedEvents } from '../../../bridges/install.ts'
import { AGENTS } from '../../../bridges/list.ts'
import type { Engine } from '../../../engine/open-engine.ts'
import { readArguments, refusePositionals } from '../../start/flags.ts'
import { commandTerminal } from '../../start/opening.ts'
import { print, printJson } from '../../start/print.ts'
import { indented } from '../../view/layout.ts'
import { BRIDGE_FLAGS, namedBridge, withHooks } from './bridged.ts'

interface Standing {
  readonly agent: string
  /** Its program or its folder is on this machine. */
  readonly found: boolean
  /** Per scope: how many of the events are there that should be. */
  readonly installed: Readonly<Partial<Record<HostScope, string>>>
  readonly doubled: boolean
  readonly notes: readonly string[]
}

/** Programs by which an agent is found, where they are called otherwise. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = { cursor: ['cursor', 'cursor-agent'] }

/** Runs `hookline bridge status`. */
export async function status(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, BRIDGE_FLAGS)
  const [agent, ...more] = positionals
  refusePositionals(more)
  const bridges = (agent === undefined ? AGENTS : [agent]).map(namedBridge)
  return withHooks(values, async (engine, places) => {
    const all = await Promise.all(bridges.map((bridge) => standingOf(bridge, engine, places)))
    const shown =
      agent === undefined ? all.filter(({ found, installed }) => found || Object.keys(installed).length > 0) : all
    if (values.json) printJson({ onPath: isOnPath('hookline'), trusted: engine.trust.accepted, agents: all })
    else print(`${view(shown, engine, commandTerminal(values).width).join('\n')}\n`)
    return 0
  })
}

async function standingOf(
  bridge: Bridge,
  engine: Engine,
  { project, home }: { project: string; home: string },
): Promise<Standing> {
  const installed: Partial<Record<HostScope, string>> = {}
  const wanted = mappedEvents(bridge)
  for (const scope of ['user', 'project'] as const) {
    const events = await installedEvents({ bridge, scope, project, home })
    if (events.length > 0)
      installed[scope] = events.length === wanted.length ? 'complete' : `${events.length} of ${wanted.length} events`
  }
  const isInstalled = Object.keys(installed).length > 0
  const file = hostFile({ bridge, scope: 'user', project, home })
  const found = (PROGRAMS[bridge.name] ?? [bridge.name]).some(isOnPath) || (file !== null && existsSync(dirname(file)))
  const loads = bridge.install.loadsClaude
  const twice = loads === null ? [] : engine.hooks.filter(({ scope }) => loads.scopes.includes(scope))
  return {
    agent: bridge.name,
    found,
    installed,
    doubled: isInstalled && (twice.length > 0 || Object.keys(installed).length > 1),
    notes: [
      ...(isInstalled && twice.length > 0
        ? [
            `${bridge.title} loads ${twice.length === 1 ? 'a hook' : `${twice.length} hooks`} of .claude by itself as well.`,
          ]
        : []),
      ...(Object.keys(installed).length > 1
        ? ['It is installed for the user and for the project, so every hook runs twice: uninstall one of them.']
        : []),
      ...(isInstalled && !isOnPath('hookline')
        ? [`hookline is not on the PATH. ${bridge.install.missingProgram}`]
        : []),
    ],
  }
}

function view(standings: readonly Standing[], engine: Engine, width: number): string[] {
  const trust = engine.trust.accepted || engine.trust.request.digest === null
  const lines = standings.flatMap(({ agent, installed, notes }) => [
    `${agent.padEnd(10)} ${told(installed)}`,
    ...notes.map((note) => indented(note, '           ', width)),
  ])
  if (lines.length === 0) lines.push('No agent that hooks can be bridged to was found here.')
  if (!trust)
    lines.push(
      indented(
        'The hooks of this project are not trusted, so no bridge runs them: look with "hookline trust".',
        '',
        width,
      ),
    )
  return lines
}

function told(installed: Standing['installed']): string {
  const parts = Object.entries(installed).map(([scope, state]) => `${scope}: ${state}`)
  return parts.length === 0 ? 'not installed' : parts.join(', ')
}

function isOnPath(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, program)))
}

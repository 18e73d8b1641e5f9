import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { DispatchRecord, Engine, EngineOptions } from '../../src/index.ts'
import { commands, openOn, type World } from '../support/project.ts'

/** An agent that wants to stop. */
export const stop = { hook_event_name: 'Stop', stop_hook_active: false } as const
/** A session that begins. */
export const start = { hook_event_name: 'SessionStart', source: 'startup' } as const
/** Where settings stand in a world, by whose they are. */
export const PROJECT = 'project/.claude/settings.json'
export const LOCAL = 'project/.claude/settings.local.json'
export const USER = 'home/.claude/settings.json'
/** A component, relative to the project. */
export const SKILL = '.claude/skills/one/SKILL.md'
/** A command that refuses. */
export const denying = 'echo no >&2; exit 2'
/** Settings with one hook that refuses. */
export const guard = { hooks: { PreToolUse: [commands(denying)] } }

/** An engine that believes what the user accepted earlier: what a host gets that says nothing about trust. */
export const asHost = (world: World, options: EngineOptions = {}): Promise<Engine> =>
  openOn(world, { trust: 'stored', ...options })

/** A command that leaves a mark when it runs, and the mark. */
export function marking(world: World, name = 'ran'): { command: string; ran: () => boolean } {
  const mark = join(world.root, `mark-${name}`)
  return { command: `touch '${mark}'`, ran: () => existsSync(mark) }
}

/** A skill with one hook. */
export const skillWith = (command: string, event = 'Stop'): string =>
  `---\nname: one\nhooks:\n  ${event}:\n    - hooks:\n        - type: command\n          command: ${JSON.stringify(command)}\n---\n`

/** What became of every hook, with its scope. */
export const verdicts = ({ hooks }: DispatchRecord): string[] =>
  hooks.map(({ scope, verdict }) => `${scope} ${verdict}`)

import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DispatchRecord, Engine, EngineOptions, HookLine } from '../../src/index.ts'
import { processesWith } from '../support/processes.ts'
import { bashCall, type Content, makeWorld, openOn, type World } from '../support/project.ts'

/** An event that bad hooks are tried on; a call of the Bash tool unless told. */
type Event = { hook_event_name: string; [field: string]: unknown }

interface Opened {
  readonly engine: Engine
  readonly world: World
  /** In the environment of every process that the hooks start. */
  readonly token: string
}

/** What came of firing an event once. */
export interface Fired extends Opened {
  readonly record: DispatchRecord
  readonly decision: DispatchRecord['decision']
  /** The first hook's line. */
  readonly line: HookLine
  readonly tookMs: number
}

interface FireOptions extends EngineOptions {
  readonly event?: Event
  /** By path relative to the world's root. */
  readonly files?: Record<string, Content>
  /** Seconds, of each hook. */
  readonly timeout?: number
}

/** The start of a session, whose hooks give the model context. */
export const sessionStart = { hook_event_name: 'SessionStart', source: 'startup' } as const

/** Fires an event at hooks with these commands. */
export async function fire(commands: string | readonly string[], options: FireOptions = {}): Promise<Fired> {
  const event = options.event ?? bashCall
  const opened = await openFor(event.hook_event_name, [commands].flat(), options)
  const started = performance.now()
  const record = await opened.engine.dispatch(event)
  const [line] = record.hooks
  if (!line) throw new Error('no hook was configured')
  return { ...opened, record, decision: record.decision, line, tookMs: performance.now() - started }
}

/** An engine with hooks that may misbehave; what they leave running is ended when the test is over. */
export async function openFor(
  event: string,
  commands: readonly (string | { command: string; async: boolean })[],
  { event: _event, files = {}, timeout = 20, ...options }: FireOptions = {},
): Promise<Opened> {
  const hooks = commands.map((hook) => ({
    type: 'command',
    timeout,
    ...(typeof hook === 'string' ? { command: hook } : hook),
  }))
  const world = await makeWorld({ ...files, 'project/.claude/settings.json': { hooks: { [event]: [{ hooks }] } } })
  const token = randomUUID()
  onTestFinished(() => processesWith(token).forEach(end))
  const engine = await openOn(world, { env: { ...process.env, HOOKLINE_TEST_TOKEN: token }, ...options })
  return { engine, world, token }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // it ended by itself
  }
}

/** Everything that a record tells anybody. */
export function told({ decision, hooks, notices = [] }: DispatchRecord): string {
  const warnings = hooks.flatMap((hook) => hook.warnings)
  return [...decision.messages.map(({ text }) => text), ...warnings, ...notices].join('\n')
}

/** What a hook printed as plain text, as the verbose view shows it. */
export function printed({ decision, hooks }: DispatchRecord, index = 0): string | undefined {
  return decision.messages.find(({ to, hook }) => to === 'verbose' && hook === hooks[index]?.id)?.text
}

import type { Engine } from '../engine/engine-interface.ts'
import type { HooksSetting, LoopOptions, Registration } from '../engine/register.ts'
import type { Bridge, JsonObject } from './bridge.ts'

/** A hook that is wrapped, as its entry says. */
export interface OnlyHook {
  readonly event: string
  readonly matcher: string | null
  /** `if`. */
  readonly condition: string | null
  /** Shell text, or a program and its arguments. */
  readonly words: readonly [string, ...string[]]
  readonly isProgram: boolean
  /** Seconds that it may take; null: as long as hooks may by default. */
  readonly seconds: number | null
  /** The host gives it less than that. */
  readonly isCutShort: boolean
  /** True for a hook that decides nothing, and only says something: the host has gone on. */
  readonly decidesNothing: boolean
  /** The same hook as a function of this process, which is called in place of the command. */
  readonly answers?: HookAnswers
}

/** A hook of this process: it gets an event as Claude Code writes it; null is no opinion. */
export type HookAnswers = (event: JsonObject) => Promise<object | null>

/** Registers the one hook that is asked. */
export function registerOnly(
  engine: Engine,
  only: OnlyHook,
  { said, bridge, loop = {} }: { readonly said: JsonObject; readonly bridge: Bridge; readonly loop?: LoopOptions },
): Promise<Registration> {
  const { answers } = only
  if (answers === undefined) return engine.register(makeHooksSetting(only, said, bridge), loop)
  // The event is one of the profile, and answers are read as those of a command are.
  return engine.on(only.event as 'PreToolUse', (event) => answers({ ...event }) as Promise<null>, loop)
}

/** The hook as a settings file would have it. */
function makeHooksSetting(
  { event, matcher, condition, words: [command, ...args], isProgram, seconds }: OnlyHook,
  payload: JsonObject,
  { call }: Bridge,
): HooksSetting {
  // A host that does not name the server of a tool has matched it already, and no matcher could do so again.
  const isNamed = typeof call.tool !== 'string' || !String(payload[call.tool]).startsWith('MCP:')
  const hook = {
    type: 'command' as const,
    command,
    ...(isProgram ? { args } : {}),
    ...(condition === null ? {} : { if: condition }),
    ...(seconds === null ? {} : { timeout: seconds }),
  }
  return { [event]: [{ ...(matcher === null || !isNamed ? {} : { matcher }), hooks: [hook] }] } as HooksSetting // read as any settings are
}

import type { Caller } from '../../bridges/call/caller.ts'
import { findBridge, readOwnBridge } from '../../bridges/list.ts'
import type { WrappedCall } from '../../bridges/wrap.ts'
import { findHome } from '../../files/home.ts'
import type { Replacement } from '../../process/in-place.ts'
import { withProject } from '../../protocol/wrapped-command.ts'

/** Flags of `hookline wrap` before the command. */
interface WrapFlags {
  agent?: string
  event?: string
  matcher?: string
  if?: string
  timeout?: string
  exec?: boolean
  async?: boolean
  late?: boolean
}

const WITH_VALUE = ['agent', 'event', 'matcher', 'if', 'timeout'] as const
const ALONE = ['exec', 'async', 'late'] as const

/**
 * The flags and the command, null when there is none. Flags of later versions are passed over: a mistake in the call would fail the hook, and open
 * what it guards.
 */
export function splitWrapWords(args: readonly string[]): {
  readonly flags: WrapFlags
  readonly words: WrappedCall['words'] | null
} {
  const flags: WrapFlags = {}
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--' || !word.startsWith('--')) break
    const name = word.slice('--'.length)
    const valued = WITH_VALUE.find((one) => one === name)
    const alone = ALONE.find((one) => one === name)
    if (alone !== undefined) flags[alone] = true
    else if (valued !== undefined) flags[valued] = args[++at] ?? ''
    else if (args.includes('--', at) && !(args[at + 1] ?? '--').startsWith('--')) at++
  }
  const [first, ...rest] = args[at] === '--' ? args.slice(at + 1) : []
  return { flags, words: first === undefined || first === '' ? null : [first, ...rest] }
}

/** Flags of `hookline tap` before the command. */
export interface TapFlags {
  /** The id that the hook had when it was wrapped. */
  as?: string
  /** Matcher then. */
  matcher?: string
  prompts?: boolean
}

/** The flags and the command; null: there is none. Flags of later versions are passed over, since a mistake would fail the hook. */
export function splitTapWords(args: readonly string[]): {
  readonly flags: TapFlags
  readonly words: readonly [string, ...string[]] | null
} {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const own = args.slice(0, end)
  const readTapFlag = (flag: 'as' | 'matcher'): TapFlags => {
    const value = own.includes(`--${flag}`) ? own[own.indexOf(`--${flag}`) + 1] : undefined
    return value === undefined ? {} : { [flag]: value }
  }
  const [first, ...rest] = args.slice(end + 1)
  return {
    flags: { ...readTapFlag('as'), ...readTapFlag('matcher'), prompts: own.includes('--prompts') },
    words: first === undefined ? null : [first, ...rest],
  }
}

/** A program and its arguments. */
export type Program = Pick<Replacement, 'file' | 'args'>

/** Makes what an entry with `args` runs, as Claude Code would start it. */
export function makeProgramAlone(words: WrappedCall['words'], env = process.env): Program {
  const [file, ...args] = withProject(words, env.CLAUDE_PROJECT_DIR)
  return { file, args }
}

/** The agent of a name. */
export async function findNamedCaller(agent: string): Promise<Caller> {
  if (agent === 'claude-code') return { is: 'claude-code' }
  const bridge = findBridge(agent) ?? (await readOwnBridge(agent, findHome()).catch(() => null)) // of its mistakes bridge status tells
  return bridge === null ? { is: 'unknown' } : { is: 'agent', bridge }
}

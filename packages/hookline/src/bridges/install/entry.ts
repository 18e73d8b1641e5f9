import { isGuarding } from '../answer/answer.ts'
import type { Bridge, ShapeName } from '../bridge.ts'

/** Outcome of a guarded call where Hookline is missing. */
export type IfMissing = 'refuse' | 'pass'

/** Way in which the entries of an agent's file call us. */
export interface EntryStyle {
  /** The launcher by its path, or `hookline` of the PATH. */
  readonly program: string
  /** Null where nothing can be said about it: the shells of Windows differ. */
  readonly ifMissing: IfMissing | null
  /** A user sits in front of the agent. */
  readonly attended: boolean
}

/** An entry of ours as it was read from an agent's file. */
export interface InstalledEntry {
  readonly event: string
  /** Shell text that the agent runs. */
  readonly command: string
  readonly program: string
  readonly ifMissing: IfMissing
}

/**
 * Seconds that an agent is told to give us, where it does not allow less. No timeout of a hook is in it: an entry that changes has
 * to be reviewed again in some agents. Hooks end by their own timeouts.
 */
const MAX_HOST_SECONDS = 3600

/** Seconds that are left to us after the last hook has run out of time, and a third of what an agent gives where that is less. */
const MARGIN_SECONDS = 5

/** Name of the launcher, below the home of the user; by it entries are known to be ours. */
export const LAUNCHER = '.hookline/bin/hookline'
/** The same for entries that never use the resident engine. */
export const COLD_LAUNCHER = '.hookline/bin/hookline-cold'

/**
 * Exit codes of `bridge run --proof` by those that agents read. Another program called hookline, one that was cut off, or a wrapper
 * that says nothing ends with 0, and agents would go on.
 */
const PROOF_CODES: Readonly<Record<number, number>> = { 0: 86, 2: 87 }

/** Exit code by which an entry knows that hookline has answered. */
export const proveAnswer = (code: number): number => PROOF_CODES[code] ?? code

/**
 * Shell text behind a call that gives proof: any other end refuses what it guards, in words, since some agents take a refusal
 * without any for none.
 */
const REFUSE_UNPROVEN = `; case $? in ${PROOF_CODES[0]}) ;; ${PROOF_CODES[2]}) exit 2 ;; *) echo hookline gave no answer, so no hook could be asked >&2; exit 2 ;; esac`

/** Flag of `bridge run` by which the guards alone are asked. */
const GUARDS_FLAG = '--guards'

/** True if a command of ours asks the guards alone. */
export const isGuardsOnlyCommand = (command: string): boolean => command.split(' ').includes(GUARDS_FLAG)

const PASS_IF_MISSING = 'command -v hookline >/dev/null 2>&1 || exit 0; '

/**
 * Shell text that an agent runs for an event: the same whatever version wrote it and whatever hooks there are. No variable with a
 * name is in it, and no quotes but around a text for `sh`: agents replace the one and break the other. A call that fails in any
 * way refuses what it guards, and nothing else: an agent that is told so at its end would go on for ever.
 */
export function writeCommand(bridge: Bridge, event: string, { program, ifMissing, attended }: EntryStyle): string {
  const flags = `${bridge.runs === 'guards' ? ` ${GUARDS_FLAG}` : ''}${attended ? ' --attended' : ''}`
  const call = `${program} bridge run ${bridge.name} ${event}${flags}`
  if (ifMissing === null) return call
  const refusesItself = bridge.install.missing === 'refuses'
  if (!isGuarding(bridge, event)) return refusesItself ? `${call} || exit 0` : call
  if (ifMissing === 'refuse') {
    const proven = `${call} --proof${REFUSE_UNPROVEN}`
    return bridge.install.shell === 'login' ? `sh -c '${proven}'` : proven // fish has no $?
  }
  return refusesItself ? `${PASS_IF_MISSING}${call}` : call
}

/** Takes a command of an agent's file apart; null for one that is not ours. */
export function readCommand(bridge: Bridge, command: string): InstalledEntry | null {
  const text = /^sh -c '(.*)'$/.exec(command)?.[1] ?? command
  const { program, agent, event, rest } = ENTRY_COMMAND.exec(text)?.groups ?? {}
  if (program === undefined || event === undefined || agent !== bridge.name) return null
  if (isGuardsOnlyCommand(text) !== (bridge.runs === 'guards')) return null
  const refuses = / (?:\|\| exit 2|esac)$/.test(rest ?? '') || bridge.install.missing === 'refuses'
  const ifMissing = refuses && !command.startsWith(PASS_IF_MISSING) ? 'refuse' : 'pass'
  return { event, command, program, ifMissing }
}

const ENTRY_COMMAND =
  /^(?:command -v hookline >\/dev\/null 2>&1 \|\| exit 0; )?(?<program>(?:\S*\/\.hookline\/bin\/)?hookline|\S*\/\.hookline\/bin\/hookline-cold) bridge run (?<agent>\S+) (?<event>\S+)(?<rest>(?: .*)?)$/

/** Says in a sentence what becomes of guarded calls where Hookline is missing. */
export function explainMissing({ title, install: { missing } }: Bridge, ifMissing: IfMissing): string {
  if (missing === 'asks') return `Without hookline an entry gives no decision, and ${title} asks about every call.`
  if (ifMissing === 'refuse') return `Without hookline ${title} refuses every tool call and says why.`
  return `Without hookline ${title} goes on as if there were no hooks: every guard is open.`
}

/** Words of a call without what a shell would have read: an agent without one hands it over as arguments. */
export function dropShellWords(words: readonly string[]): readonly string[] {
  const [bars, exit, code] = words.slice(-3)
  for (const [at, word] of words.entries()) if (word.startsWith('--proof;')) return words.slice(0, at) // the agent reads the exit code itself
  return bars === '||' && exit === 'exit' && (code === '0' || code === '2') ? words.slice(0, -3) : words
}

/** Kinds of files whose entries cannot say how long they may take: then the agent's own limit holds. */
const NAMES_NO_TIMEOUT: ReadonlySet<ShapeName> = new Set(['windsurf', 'file-per-event'])

/** Seconds that an agent gives us for an event. */
export function findHostSeconds({ install: { shape, timeout }, events, capabilities }: Bridge, event: string): number {
  const rule = events[event]
  const own = rule === undefined || rule.as === null ? undefined : rule.most
  const unnamed = NAMES_NO_TIMEOUT.has(shape) ? capabilities.limit : undefined
  return Math.min(own ?? MAX_HOST_SECONDS, unnamed ?? MAX_HOST_SECONDS, timeout.most ?? MAX_HOST_SECONDS)
}

/** Seconds by which hooks must have ended, before the agent gives up: that would open every guard. */
export function findHookSeconds(bridge: Bridge, event: string): number {
  const given = findHostSeconds(bridge, event)
  return given - Math.min(MARGIN_SECONDS, Math.ceil(given / 3))
}

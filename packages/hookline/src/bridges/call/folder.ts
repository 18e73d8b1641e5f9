import { isAbsolute, relative, resolve, sep } from 'node:path'
import { findHome } from '../../files/home.ts'
import { toShellWord } from '../../text/quote.ts'
import type { CallPart, JsonObject, ShownCall } from '../bridge.ts'

/** Tools that run a command. */
const RUNS_COMMANDS: ReadonlySet<string> = new Set(['Bash', 'Monitor'])

/** Folder in which a command runs, and that of the session. */
export interface CommandPlace {
  /** The folder that the host's call names; null: it names none. */
  readonly named: string | null
  /** The folder of the event. */
  readonly cwd: string
  /** The folder that the session began in. */
  readonly base: string
}

/**
 * Shows a command that runs elsewhere than the session in both ways in which Claude Code could run it: after a `cd` in the
 * same command, and in a shell that is there already. Its Bash has no field for a folder; guards look at the text of a command, or at
 * the folder of the event, or at both.
 */
export function showFolders(parts: readonly CallPart[], { named, cwd, base }: CommandPlace): CallPart[] {
  const shown: CallPart[] = []
  for (const part of parts)
    shown.push(...(RUNS_COMMANDS.has(part.calls[0].tool) ? showFolder(part, { named, cwd, base }) : [part]))
  return shown
}

function showFolder(part: CallPart, { named, cwd, base }: CommandPlace): CallPart[] {
  const given = part.cwd ?? named
  const folder = given === null ? cwd : toAbsolutePath(given, cwd)
  if (folder === base) return [folder === cwd ? part : { ...part, cwd: folder }]
  const lead = `cd ${toShellWord(toPathFrom(base, folder))} && `
  const [first, ...others] = part.calls
  const moved = [leadCall(first, lead), ...others.map((call) => leadCall(call, lead))] as const
  return [
    { ...part, calls: moved, cwd: base, lead },
    { ...part, cwd: folder, lead: '' },
  ]
}

/** The parts as the host knows them; null where hooks want one command to be two different ones. */
export function joinFolders(now: readonly CallPart[], wanted: readonly CallPart[]): CallPart[] | null {
  const joined: CallPart[] = []
  for (let at = 0; at < wanted.length; at++) {
    const [part, other] = [wanted[at], wanted[at + 1]]
    if (part === undefined) return null
    if (!part.lead || other === undefined) joined.push(part)
    else {
      const input = mergeRewrites(part, other, {
        isLed: isChanged(part, now[at]),
        isBare: isChanged(other, now[at + 1]),
      })
      if (input === null) return null
      joined.push({ ...other, calls: [{ ...other.calls[0], input }, ...other.calls.slice(1)] })
      at++
    }
  }
  return joined
}

/** A text put before the command of a part: after the `cd` that shows its folder, since the host has no such text. */
export function addPrefix(command: string, prefix: string, { lead = '' }: CallPart): string {
  return command.startsWith(lead) ? `${lead}${prefix}${command.slice(lead.length)}` : `${prefix}${command}`
}

/** A path as hooks expect it: absolute, without `..`; links stay as they are. */
export const toAbsolutePath = (path: string, cwd: string): string => resolve(cwd, expandHome(path))

/** Some hosts take a tilde for the home of the user; a folder of that name is nowhere. */
const expandHome = (path: string): string => path.replace(/^~(?=$|[/\\])/, findHome())

/** True for a part that shows the same command as another one: a change of either changes both. */
export const isTwin = ({ lead }: CallPart): boolean => lead !== undefined

const toPathFrom = (base: string, folder: string): string => {
  const path = relative(base, folder)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path) ? folder : path
}

const leadCall = (call: ShownCall, lead: string): ShownCall =>
  typeof call.input.command === 'string'
    ? { ...call, input: { ...call.input, command: `${lead}${call.input.command}` } }
    : call

const isChanged = (part: CallPart, now: CallPart | undefined): boolean =>
  JSON.stringify(part.calls[0].input) !== JSON.stringify(now?.calls[0].input)

function mergeRewrites(
  { lead = '', calls: [{ input: led }] }: CallPart,
  { calls: [{ input: bare }] }: CallPart,
  changed: { readonly isLed: boolean; readonly isBare: boolean },
): JsonObject | null {
  if (!changed.isLed) return bare
  const { command } = led
  if (typeof command !== 'string' || !command.startsWith(lead)) return null
  const own = { ...led, command: command.slice(lead.length) }
  return !changed.isBare || JSON.stringify(sortFields(own)) === JSON.stringify(sortFields(bare)) ? own : null
}

const sortFields = (input: JsonObject): [string, unknown][] =>
  Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))

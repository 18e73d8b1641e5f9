import { isObject } from '../../text/json.ts'
import type { Bridge } from '../bridge.ts'
import type { FoldedDecision } from '../call/fold.ts'
import { addPrefix } from '../call/folder.ts'
import { chooseParts, isAsWanted } from '../call/parts.ts'
import type { HostCall } from '../call/payload.ts'
import type { SessionMemory } from '../memory.ts'
import type { Rewritten } from './answer.ts'

/** The folder of a call, and the one that the session began in. */
interface RewritePlaces {
  readonly cwd: string
  readonly base: string
}

/** The host's input as hooks want it, with the variables that hooks wrote for later commands: after all decisions, so that no hook sees them. */
export async function writePrefixedInput(
  bridge: Bridge,
  call: HostCall | null,
  folded: FoldedDecision,
  { memory, ...place }: RewritePlaces & { readonly memory: SessionMemory },
): Promise<Rewritten> {
  const wanted = await rewriteInput(bridge, call, folded, place)
  const { prefix } = memory
  const isRefused = folded.halt !== null || (folded.permission !== null && folded.permission !== 'allow')
  const isPrefixed = bridge.answers.environment.how === 'emulated'
  if (call === null || prefix === null || isRefused || wanted.rewrite === 'impossible' || !isPrefixed) return wanted
  const commands = call.parts.flatMap((part, index) => {
    const [{ tool, input: own }] = part.calls
    const input = folded.inputs.get(index) ?? own
    if (tool !== 'Bash' || typeof input.command !== 'string') return []
    return [[index, { ...input, command: addPrefix(input.command, prefix, part) }] as const]
  })
  if (commands.length === 0) return wanted
  const inputs = new Map([...folded.inputs, ...commands])
  const made = await rewriteInput(bridge, call, { ...folded, inputs }, place)
  return made.rewrite === 'input' ? made : wanted
}

/** The host's input as hooks want it: it must come out of the map as they wrote it. */
export async function rewriteInput(
  bridge: Bridge,
  call: HostCall | null,
  { inputs }: FoldedDecision,
  { cwd, base }: RewritePlaces,
): Promise<Rewritten> {
  if (call === null || inputs.size === 0) return { rewrite: 'none' }
  const wanted = call.parts.map((part, index) => {
    const [first, ...others] = part.calls
    const input = inputs.get(index)
    return input === undefined ? part : { ...part, calls: [{ ...first, input }, ...others] as const }
  })
  const parts = chooseParts(bridge.tools, call.tool)
  const tool = { name: call.tool, cwd, base }
  const input = await parts.join(call.input, wanted, tool)
  const back = input === null ? null : await parts.split(input, tool)
  const asWanted = back !== null && typeof back !== 'string' && isAsWanted(back, wanted, (index) => inputs.has(index))
  const keeps = bridge.capabilities.input === 'replace' || hasAllFields(call.input, input)
  if (asWanted && keeps) return { rewrite: 'input', input }
  return { rewrite: 'impossible', wanted: wanted.map((part) => JSON.stringify(findFirstInput(part))).join(', ') }
}

const findFirstInput = ({ calls: [{ input }] }: HostCall['parts'][number]): unknown =>
  Object.fromEntries(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))

const hasAllFields = (old: unknown, now: unknown): boolean =>
  isObject(old) && isObject(now) && Object.keys(old).every((name) => name in now)

import type { Engine } from '../engine/engine.ts'
import type { DispatchRecord, HookLine } from '../protocol/record.ts'
import { cleaned } from '../text/clean.ts'

/** What was told about hooks of an engine. */
const told = new WeakMap<Engine, Set<string>>()

/**
 * What the user is to read of an event: what belongs to no hook (as that the folder is not trusted yet), what hooks say to the
 * user, and, once each, hooks that can never run and answers that could not be read.
 */
export function noticesOf(engine: Engine, { notices = [], decision, hooks }: DispatchRecord): string[] {
  const already = told.get(engine) ?? new Set<string>()
  told.set(engine, already)
  const messages = decision.messages.filter(({ to }) => to === 'user').map(({ text }) => text)
  const faults = hooks.flatMap(faultsOf).filter((sentence) => !already.has(sentence))
  for (const sentence of faults) already.add(sentence)
  return [...notices, ...messages, ...faults]
}

/** What keeps a hook from being heard. */
function faultsOf(line: HookLine): string[] {
  const { verdict, because = 'its entry cannot be read', warnings } = line
  if (verdict === 'invalid') return [`${placeOf(line)} does not run: ${because}.`]
  return verdict === 'ran' ? warnings.map((warning) => `${placeOf(line)}: ${warning}`) : []
}

function placeOf({ id, file, line }: HookLine): string {
  return file === null ? id : `${file}:${line} (${id})`
}

/** How a host hears of it that does not say how: as of any other warning of Node. */
export function warn(notice: string): void {
  process.emitWarning(cleaned(notice), 'HooklineWarning')
}

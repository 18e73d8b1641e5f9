import { type Context, note, noteFlows, noteUnseen, type Reading } from './context.ts'
import { isCache } from './places.ts'
import { chooseLessCertain, type Effect, type Flow, type Unseen } from './view.ts'
import type { World } from './world.ts'

/** Effects of a part of a call, kept apart from the call itself. */
export interface Findings {
  readonly effects: readonly Effect[]
  readonly flows: readonly Flow[]
  readonly unseen: readonly Unseen[]
}

/** Reads a part of a call apart: its effects are no effects of the call, its steps are paid by the call. */
export function readAside(context: Context, read: (inner: Context) => void): Findings {
  const { reading } = context
  const apart: Reading = {
    ...reading,
    effects: [],
    guesses: [],
    flows: [],
    unseen: [],
    seen: new Set(),
    files: new Map(reading.files),
    settings: new Map(reading.settings),
    links: new Map(reading.links),
    scripts: new Set(),
  }
  try {
    read({ ...context, reading: apart })
  } finally {
    reading.steps = apart.steps
  }
  return { ...apart, effects: [...apart.effects, ...apart.guesses] }
}

/**
 * Notes those of the findings that are harm wherever they happen, as likely, and that something was too much to be read; answers
 * how many are harm.
 */
export function noteHarm(context: Context, { effects, flows, unseen }: Findings): number {
  const harm = effects.filter((effect) => isHarm(context.reading.world, effect))
  const leaks = flows.filter(isLeak)
  // The rest of an effect without its sureness and its way is its kind.
  for (const { certainty, from, ...kind } of harm)
    note({ ...context, steps: from }, kind as Effect, chooseLessCertain(certainty, 'likely'))
  for (const { from, to, target, certainty, steps } of leaks)
    noteFlows({ ...context, steps, certainty: chooseLessCertain(certainty, 'likely') }, [from], to, target)
  for (const { reason, of, from, role } of unseen)
    if (reason === 'too-much') noteUnseen({ ...context, steps: from }, reason, of, role)
  return harm.length + leaks.length
}

function isHarm(world: World, effect: Effect): boolean {
  if (effect.certainty === 'possible') return false
  if (effect.does === 'delete')
    return (
      !/^(?:project|built|temp|remote)$/.test(effect.path.place) &&
      !isCache(world, effect.path.text) &&
      (effect.path.exists || effect.path.text.startsWith(`${world.home}/`))
    )
  if (effect.does === 'write') return /^(?:agent|device)$/.test(effect.path.place)
  return (
    effect.does === 'change' &&
    ((effect.system === 'machine' && /^(?:disk|power|fork-bomb|security|accounts)$/.test(effect.operation)) ||
      (effect.system === 'agent' && effect.operation === 'loosen'))
  )
}

function isLeak({ from, to }: Flow): boolean {
  if (to === 'run') return from === 'fetch' || from === 'decode'
  return to === 'send' && (from === 'secret' || from === 'environment' || from === 'shell')
}

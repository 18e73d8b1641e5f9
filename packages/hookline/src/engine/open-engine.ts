import type { EventTypes } from '../protocol/event-input.ts'
import type { DefaultEvents, ProfileEvents } from '../protocol/profile-events.ts'
import type { ProfileName } from '../protocol/profiles.ts'
import type { Engine } from './engine-interface.ts'
import type { EngineOptions } from './options.ts'

/**
 * Opens an engine for one session: reads the hooks once, and keeps them until the end. The first call loads the engine. With the
 * name of a profile its events are checked: `openEngine({ profile: 'current' })`.
 */
export function openEngine<const Name extends ProfileName>(
  options: EngineOptions & { readonly profile: Name },
): Promise<Engine<ProfileEvents[Name]>>
/**
 * The same without a name, or with a profile of your own: name the type of its table of events, so that they are checked:
 * `openEngine<typeof table>({ profile })`. Where none is given the types are those of `classic`, and a decision that it has no
 * word for (`defer`) is a refusal.
 */
export function openEngine<Events extends EventTypes = DefaultEvents>(options?: EngineOptions): Promise<Engine<Events>>
export async function openEngine(options: EngineOptions = {}): Promise<unknown> {
  const engine = await import('./engine.ts')
  const stages = options.profile === undefined ? [(await import('../dispatch/default-words.ts')).defaultWords] : []
  return engine.openEngine(options, { stages }) // the events are up to the profile, and a type alone
}

/** Opens an engine for a host of this repository, which knows every word of every profile, whether it names one or not. */
export async function openOwnEngine(options: EngineOptions): Promise<Engine> {
  const engine = await import('./engine.ts')
  return engine.openEngine(options)
}

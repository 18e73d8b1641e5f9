import type { Engine } from './engine.ts'
import type { EngineOptions } from './options.ts'

/** Opens an engine for one session: reads the hooks once, and keeps them until the end. The first call loads the engine. */
export async function openEngine(options: EngineOptions = {}): Promise<Engine> {
  const engine = await import('./engine.ts')
  return engine.openEngine(options)
}

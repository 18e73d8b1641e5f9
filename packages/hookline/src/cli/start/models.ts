import type { ConfiguredHook } from '../../config/hook.ts'
import type { Engine } from '../../engine/engine-interface.ts'
import type { ListedHook } from '../../engine/listing.ts'
import type { EngineOptions } from '../../engine/options.ts'
import { checkModelStanding } from '../../models/address.ts'
import type { ModelOptions } from '../../models/options.ts'
import type { EngineFlags } from './flags.ts'
import { tell } from './print.ts'
import { openModelsLate } from './quick-start.ts'

/** Reads what the flags say about models. */
export function readModelOptions({ model }: EngineFlags): ModelOptions {
  return model === undefined ? {} : { model }
}

/** The models that commands provide to hooks; none where none is configured. */
export function provideModels(flags: EngineFlags): Pick<EngineOptions, 'models'> {
  const options = readModelOptions(flags)
  if (checkModelStanding(options).ready === false) return {}
  return { models: openModelsLate(options) }
}

/** Tells on stderr how to configure a model, where one of the hooks that matter wants one and there is none. */
export function tellMissingModel(
  engine: Engine,
  flags: EngineFlags,
  matters: (hook: ConfiguredHook) => boolean = () => true,
): void {
  if (!engine.hooks.some((hook) => isJudged(hook) && matters(hook))) return
  const standing = checkModelStanding(readModelOptions(flags))
  const isMissed = ({ hook, standing: { verdict } }: ListedHook): boolean =>
    isJudged(hook) && matters(hook) && verdict === 'unsupported'
  if (standing.ready === false && engine.list().some(isMissed)) tell(`${standing.missing}\n`)
}

/** True if a model decides what a hook says. */
export function isJudged({ shown }: ConfiguredHook): boolean {
  return shown.asks !== undefined
}

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

/** The models that commands provide to hooks; none where none is configured, which is looked up once a hook wants one. */
export function provideModels(flags: EngineFlags): Pick<EngineOptions, 'models'> {
  const provide = () => {
    const options = readModelOptions(flags)
    return checkModelStanding(options).ready === false ? {} : openModelsLate(options)
  }
  let provided: ReturnType<typeof provide> | undefined
  const models = {
    get askModel() {
      provided ??= provide()
      return provided.askModel
    },
    get runAgent() {
      provided ??= provide()
      return provided.runAgent
    },
  }
  return { models }
}

/** Tells on stderr how to configure a model, where one of the hooks that matter wants one and there is none. */
export function tellMissingModel(
  engine: Engine,
  flags: EngineFlags,
  matters: (hook: ConfiguredHook) => boolean = () => true,
): void {
  if (!engine.hooks.some((hook) => isModelHook(hook) && matters(hook))) return
  const standing = checkModelStanding(readModelOptions(flags))
  const isMissed = ({ hook, standing: { verdict } }: ListedHook): boolean =>
    isModelHook(hook) && matters(hook) && verdict === 'unsupported'
  if (standing.ready === false && engine.list().some(isMissed)) tell(`${standing.missing}\n`)
}

/** True if a model decides what a hook says. */
export function isModelHook({ shown }: ConfiguredHook): boolean {
  return shown.asks !== undefined
}

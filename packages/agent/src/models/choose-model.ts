import { basename, resolve } from 'node:path'
import { type Model, ModelError } from './model.ts'
import { readScript } from './script.ts'
import { makeScriptedModel } from './scripted.ts'

/** Surroundings of a choice of a model. */
export interface ModelChoice {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Paths of scripts count from here. */
  readonly cwd: string
  /** Party that names the model: a script is only for the user to choose, not for files and models. */
  readonly asked?: 'user' | 'agent'
}

const SCRIPT = 'script:'

/** Models to ask for when one of these variables is set and no model was named, in this order. */
const USUAL_MODELS = [
  { variable: 'ANTHROPIC_API_KEY', model: 'anthropic/sonnet' },
  { variable: 'ANTHROPIC_BASE_URL', model: 'anthropic/sonnet' },
  { variable: 'OPENAI_API_KEY', model: 'openai/gpt-4.1' },
]

/** Message where a model is missing. */
export const NO_MODEL =
  'No model is configured. Set ANTHROPIC_API_KEY or OPENAI_API_KEY, name a model with --model or ' +
  'HOOKLINE_MODEL (anthropic/claude-sonnet-5-5, openai/gpt-4.1, ollama/qwen3), or let a script speak: ' +
  '--model script:turns.json with {"turns": [{"text": "hello"}]}.'

/**
 * The model of a name: `script:file.json`, `provider/model` or a short name. Without one it is `HOOKLINE_MODEL`, else the
 * usual model of a provider that is set up, else a built-in one whose only answer says how to configure a model.
 * Rejects with a ModelError that says what is wrong with the name or the script.
 */
export async function chooseModel(name: string | null, { env, cwd, asked = 'user' }: ModelChoice): Promise<Model> {
  const wanted = name ?? toPresent(env.HOOKLINE_MODEL) ?? findUsualModel(env)
  if (wanted === undefined) return makeUnconfiguredModel()
  if (wanted.startsWith(SCRIPT)) {
    if (asked === 'agent') throw new ModelError(`"${wanted}" is a script, which only --model can name.`)
    const path = wanted.slice(SCRIPT.length)
    return makeScriptedModel(await readScript(resolve(cwd, path), path), { name: SCRIPT + basename(path) })
  }
  const { openAiSdkModel } = await import('./ai-sdk.ts') // scripts need no provider's package
  return openAiSdkModel(wanted, { env })
}

/** True if a model says what a script tells it, for whichever agent. */
export function isScript({ name }: Model): boolean {
  return name.startsWith(SCRIPT)
}

function findUsualModel(env: ModelChoice['env']): string | undefined {
  return USUAL_MODELS.find(({ variable }) => toPresent(env[variable]) !== undefined)?.model
}

/** The name of the model that stands for none. */
const NO_MODEL_NAME = 'none'

/** True if a model is the built-in one whose only answer says how to configure a model. */
export function isUnconfigured({ name }: Model): boolean {
  return name === NO_MODEL_NAME
}

/** Says the same thing at every request. */
function makeUnconfiguredModel(): Model {
  const makeOnce = () => makeScriptedModel({ turns: [{ text: NO_MODEL }] }, { name: NO_MODEL_NAME })
  return { ...makeOnce(), stream: (request) => makeOnce().stream(request) }
}

/** Variables that are set to nothing count as not set. */
function toPresent(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value?.trim()
}

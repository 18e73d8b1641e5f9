import { chooseModel, isScript, isUnconfigured } from '../../models/choose-model.ts'
import type { Model } from '../../models/model.ts'
import type { AgentOptions } from '../../session/options.ts'
import { type AskForWords, makePlayedModel } from './play-model.ts'

/** Surroundings of a choice of models. */
interface Choice {
  readonly env: NodeJS.ProcessEnv
  /** Paths of scripts count from here. */
  readonly project: string
  /** Asks the user, where no model is configured. */
  readonly ask: AskForWords
}

/** A model that can be exchanged between two requests, or the user in its place. */
export interface ExchangeableModel {
  /** Passes requests to the one that answers at the moment. */
  readonly model: Model
  /** Milliseconds that it took to answer so far. */
  readonly answeringMs: number
  /** Way in which subagents find theirs; none where a script speaks for all of them. */
  readonly modelOf: AgentOptions['modelOf']
  /** Finds another one; `you` is the user. It answers once `take` was called. Rejects with a ModelError that says what is wrong with the name. */
  readonly find: (name: string) => Promise<{ readonly model: Model; readonly take: () => void }>
}

/** True if the user answers in the model's place. */
export function isPlayedByUser({ name }: Pick<Model, 'name'>): boolean {
  return name === 'you'
}

/** Begins with the model of a name; null: the usual one, and the user where none is configured. */
export async function chooseExchangeable(
  name: string | null,
  { env, project, ask }: Choice,
): Promise<ExchangeableModel> {
  const choose = async (wanted: string | null): Promise<Model> => {
    if (wanted === 'you') return makePlayedModel(ask)
    const chosen = await chooseModel(wanted, { env, cwd: project })
    return isUnconfigured(chosen) ? makePlayedModel(ask) : chosen
  }
  let now = await choose(name)
  let answeringMs = 0
  return {
    get answeringMs() {
      return answeringMs
    },
    model: {
      get name() {
        return now.name
      },
      get contextWindow() {
        return now.contextWindow
      },
      get authenticated() {
        return now.authenticated ?? false
      },
      async *stream(request) {
        const started = performance.now()
        try {
          yield* now.stream(request)
        } finally {
          if (!isPlayedByUser(now)) answeringMs += performance.now() - started
        }
      },
    },
    modelOf: isScript(now) ? undefined : (wanted) => chooseModel(wanted, { env, cwd: project, asked: 'agent' }),
    find: async (wanted) => {
      const model = await choose(wanted)
      const take = (): void => {
        now = model
      }
      return { model, take }
    },
  }
}

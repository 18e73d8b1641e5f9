import type { ScriptedTurn, ScriptSource } from '../../src/models/script.ts'
import { type OpenedAgent, type Opening, openAgent, textsOf } from './opened-agent.ts'

/** What a hook is given. */
export type Input = Readonly<Record<string, unknown>>

/** A function as a hook of an event. */
export type Hook = readonly [event: string, answer: (input: Input) => unknown]

/** An agent under `current` with functions as hooks, by event, and all that they were given. */
export async function hooked(
  script: readonly ScriptedTurn[] | ScriptSource,
  hooks: readonly Hook[],
  options: Opening = {},
): Promise<OpenedAgent & { readonly seen: Input[] }> {
  const seen: Input[] = []
  const groups = hooks.map(([event, answer]) => {
    const hook = (input: Input): unknown => {
      seen.push(input)
      return answer(input)
    }
    return [event, [{ hooks: [hook] }]]
  })
  const given = { profile: 'current', allowedTools: ['Bash', 'Read'], hooks: Object.fromEntries(groups) } as const
  const source: ScriptSource = 'length' in script ? { turns: [...script] } : script
  return { ...(await openAgent(source, { ...given, ...options })), seen }
}

/** An answer with fields of one event. */
export const specific = (hookEventName: string, fields: object) => ({
  hookSpecificOutput: { hookEventName, ...fields },
})

/** A hook that only looks. */
export const nothing = (): null => null

/** All that the model read with its last request. */
export const modelReads = ({ requests }: Pick<OpenedAgent, 'requests'>): string =>
  (requests.at(-1)?.messages ?? []).flatMap(textsOf).join('\n')

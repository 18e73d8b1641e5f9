import fc from 'fast-check'
import type { ScriptSource } from '../../src/models/script.ts'
import type { GivenAgent } from '../../src/subagents/definition.ts'

/** What an agent does with one call. */
export type Step =
  | { readonly does: 'look' | 'fail' | 'forbidden' }
  | { readonly does: 'spawn'; readonly child: Tree; readonly forbidden: boolean }

/** An agent: its answers one after the other, each with calls that are made side by side where that is safe. */
export interface Tree {
  readonly answers: readonly (readonly Step[])[]
}

/** A call that the agent is expected to want, and what becomes of it. */
export interface Expected {
  readonly agent: string | null
  readonly id: string
  /** The answer it is in. */
  readonly answer: number
  readonly becomes: 'succeeds' | 'fails' | 'is refused'
}

/** Trees whose agents stand at most so deep below the root. */
export function trees(depth: number): fc.Arbitrary<Tree> {
  const leaf: fc.Arbitrary<Step> = fc.constantFrom(
    { does: 'look' as const },
    { does: 'fail' as const },
    { does: 'forbidden' as const },
  )
  const step: fc.Arbitrary<Step> =
    depth === 0
      ? leaf
      : fc.oneof(
          { weight: 2, arbitrary: leaf },
          {
            weight: 1,
            arbitrary: fc.record({
              does: fc.constant('spawn' as const),
              child: trees(depth - 1),
              forbidden: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
            }),
          },
        )
  const answer = fc.array(step, { minLength: 1, maxLength: 3 })
  return fc.record({ answers: fc.array(answer, { minLength: depth === 4 ? 1 : 0, maxLength: 2 }) })
}

/** A tree as a script, with the agents it needs and the calls that are to be seen. Every agent is a kind of its own. */
export function played(root: Tree): {
  readonly script: ScriptSource
  readonly agents: Record<string, GivenAgent>
  readonly expected: readonly Expected[]
} {
  const agents: Record<string, GivenAgent> = {}
  const scripts: NonNullable<ScriptSource['agents']> = {}
  const expected: Expected[] = []
  let calls = 0
  let kinds = 0
  const turnsOf = (tree: Tree, agent: string | null, reached: boolean) =>
    tree.answers.map((steps, answer) => ({ tools: steps.map((step) => callOf(step, { agent, answer, reached })) }))
  const callOf = (
    step: Step,
    { agent, answer, reached }: { agent: string | null; answer: number; reached: boolean },
  ) => {
    const id = `toolu_${++calls}`
    const note = (becomes: Expected['becomes']): void => void (reached && expected.push({ agent, id, answer, becomes }))
    if (step.does !== 'spawn') {
      note({ look: 'succeeds', fail: 'fails', forbidden: 'is refused' }[step.does] as Expected['becomes'])
      return { id, name: { look: 'Look', fail: 'Fail', forbidden: 'Forbidden' }[step.does], input: {} }
    }
    const kind = `${step.forbidden ? 'forbidden' : 'agent'}-${++kinds}`
    note(step.forbidden ? 'is refused' : 'succeeds')
    agents[kind] = { description: kind, prompt: kind }
    scripts[kind] = { turns: turnsOf(step.child, kind, reached && !step.forbidden) }
    return { id, name: 'Task', input: { prompt: kind, subagent_type: kind } }
  }
  const turns = turnsOf(root, null, true)
  return { script: { turns, agents: scripts }, agents, expected }
}

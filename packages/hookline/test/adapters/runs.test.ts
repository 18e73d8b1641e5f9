import { describe, expect, it } from 'vitest'
import { withHooks as withLangChain } from '../../src/adapters/langchain.ts'
import { withHooks as withMastra } from '../../src/adapters/mastra.ts'
import { withHooks as withOpenAI } from '../../src/adapters/openai-agents.ts'
import type { Engine } from '../../src/index.ts'
import { engineWith } from '../support/project.ts'

/** An engine that notes when the agent wants to stop. */
async function noting(seen: string[]): Promise<Engine> {
  const engine = await engineWith({})
  await engine.on('Stop', () => void seen.push('Stop'))
  return engine
}

async function* chunks() {
  yield { messages: [] }
}

describe('a run that streams', () => {
  it('has ended before the agent stops, and says what it came to', async () => {
    const seen: string[] = []
    const engine = await noting(seen)
    const ofOpenAI = {
      history: [],
      finalOutput: undefined as string | undefined,
      completed: new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        seen.push('completed')
        ofOpenAI.finalOutput = 'Done.'
      }),
    }
    expect(await withOpenAI(engine).run('Go', async () => ofOpenAI)).toMatchObject({ ended: 'answered', text: 'Done.' })
    const ofMastra = {
      text: Promise.resolve('late'),
      getFullOutput: async () => {
        seen.push('read')
        return { text: 'Done.', response: {} }
      },
    }
    expect(await withMastra(engine).run('Go', async () => ofMastra)).toMatchObject({ ended: 'answered', text: 'Done.' })
    expect(seen).toEqual(['completed', 'Stop', 'read', 'Stop'])
  })

  it('does not compile where it cannot be read to its end', async () => {
    const engine = await engineWith({})
    const wrong = [
      // @ts-expect-error: chunks of LangChain are no state
      () => withLangChain(engine).run('Go', async () => chunks()),
      // @ts-expect-error: neither are they a result of the OpenAI Agents SDK
      () => withOpenAI(engine).run('Go', async () => chunks()),
      // @ts-expect-error: nor of Mastra
      () => withMastra(engine).run('Go', async () => chunks()),
    ]
    for (const run of wrong) await expect(run()).rejects.toThrow(TypeError)
  })
})

describe('an agent that serves threads', () => {
  it('makes no call outside of a thread', async () => {
    const hooks = withMastra((_: string) => engineWith({}))
    const { light } = hooks.tools({ light: { id: 'light', execute: async () => 'lit' } })
    await expect(light.execute()).rejects.toThrow('No thread is known here')
    // @ts-expect-error: which thread it is has to be said
    expect(hooks.run).toBeUndefined()
  })
})

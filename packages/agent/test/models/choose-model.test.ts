import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseModel } from '../../src/models/choose-model.ts'
import { ModelError } from '../../src/models/model.ts'
import { temporaryFolder } from '../transcript/folder.ts'
import { ask, textIn } from './ask.ts'

async function scriptIn(text: string): Promise<string> {
  const cwd = await temporaryFolder()
  await writeFile(join(cwd, 'turns.json'), text)
  return cwd
}

async function refusal(text: string): Promise<string> {
  const chosen = chooseModel('script:turns.json', { env: {}, cwd: await scriptIn(text) })
  return chosen.then(
    () => 'accepted',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ModelError)
      return error instanceof Error ? error.message : ''
    },
  )
}

describe('a model is chosen', () => {
  it('as a script, by a path from the folder it is called in', async () => {
    const cwd = await scriptIn('{"contextWindow": 5000, "turns": [{"text": "from the file"}]}')
    const model = await chooseModel('script:turns.json', { env: { ANTHROPIC_API_KEY: 'k' }, cwd })
    expect(model).toMatchObject({ name: 'script:turns.json', contextWindow: 5000 })
    expect(textIn((await ask(model)).pieces)).toBe('from the file')
    expect(model.authenticated).toBeUndefined()
  })

  it.each([
    ['anthropic/claude-sonnet-5-5', 'claude-sonnet-5-5', 200_000],
    ['haiku', 'claude-haiku-5-5', 200_000],
    ['openai/meta-llama/Llama-3', 'meta-llama/Llama-3', 128_000],
    ['ollama/qwen3', 'qwen3', 128_000],
  ])('by its name: %s', async (name, shown, contextWindow) => {
    const env = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }
    expect(await chooseModel(name, { env, cwd: '/' })).toMatchObject({ name: shown, contextWindow })
  })

  it.each([
    [{ HOOKLINE_MODEL: 'openai/gpt-5', OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, 'gpt-5'],
    [{ HOOKLINE_MODEL: ' ', ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }, 'claude-sonnet-5-5'],
    [{ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }, 'claude-sonnet-5-5'],
    [{ ANTHROPIC_API_KEY: '', OPENAI_API_KEY: 'k' }, 'gpt-4.1'],
    [{ HOOKLINE_MODEL: 'ollama/qwen3' }, 'qwen3'],
  ])('from the environment %o when none is named', async (env, name) => {
    expect(await chooseModel(null, { env, cwd: '/' })).toMatchObject({ name })
  })

  it('that says how to configure one when there is none, at every request', async () => {
    const model = await chooseModel(null, { env: {}, cwd: '/' })
    for (const _ of [1, 2]) {
      expect(textIn((await ask(model)).pieces)).toMatch(/No model is configured.*ANTHROPIC_API_KEY.*--model script:/s)
    }
  })

  it('never silently: a missing key is a ModelError that says which', async () => {
    const chosen = chooseModel('anthropic/claude-x', { env: {}, cwd: '/' })
    await expect(chosen).rejects.toThrow(ModelError)
    await expect(chosen).rejects.toThrow(/anthropic\/claude-x.*ANTHROPIC_API_KEY/)
  })
})

describe('a script that cannot be used', () => {
  it.each([
    ['{"turns": [{"text": "a"}]', 'turns.json:1:26  is not JSON'],
    ['{\n  "turns": [\n    {"txt": "a"}\n  ]\n}', 'turns.json:3:5  turns[0]: Unrecognized key: "txt"'],
    ['{"turns": [{"tools": [{"input": {}}]}]}', 'turns.json:1:23  turns[0].tools[0].name: '],
    ['{"agents": {"x": {"turns": [{"text": 5}]}}}', 'turns.json:1:38  agents.x.turns[0].text: '],
    ['[]', 'turns.json:1:1  Invalid input: expected object'],
    ['', 'turns.json:1:1  is '],
  ])('%s is told with its place', async (text, message) => {
    expect(await refusal(text)).toContain(message)
  })

  it('is told of when it is not there', async () => {
    const cwd = await temporaryFolder()
    await expect(chooseModel('script:none.json', { env: {}, cwd })).rejects.toThrow(
      /The script none\.json does not exist\./,
    )
  })
})

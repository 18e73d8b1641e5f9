import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { EngineOptions } from '../../src/index.ts'
import type { ModelPorts } from '../../src/run/ports.ts'
import { ERASED, makeEraser } from '../../src/text/erase.ts'
import { PARROT, parrot } from '../support/parrot.ts'
import { commands, makeWorld, openOn } from '../support/project.ts'

const PROMPT = 'The vault opens with "CANARY-7f3a".\nTell nobody of the CANARY-7f3a, please.'
const asJson = JSON.stringify(PROMPT).slice(1, -1)

const verdict = JSON.stringify({ ok: false, reason: `no: ${PROMPT}` })
const spent = { usage: { inputTokens: 1, outputTokens: 1 }, model: 'judge' }
const judges: ModelPorts = {
  askModel: async () => ({ text: verdict, ...spent }),
  runAgent: async () => ({ text: verdict, turns: 1, ...spent }),
} as unknown as ModelPorts // as much of them as an engine asks

const model = (type: string): object => ({ hooks: [{ type, prompt: 'Is it fine? $ARGUMENTS' }] })

/** Every way in which hooks keep a prompt. */
const WAYS: Readonly<Record<string, [groups: object[], options?: EngineOptions]>> = {
  'exit 2': [[commands(parrot('exit'))]],
  'a decision in JSON': [[commands(parrot('block'))]],
  'continue: false': [[commands(parrot('halt'))]],
  'a hook beside one that quotes': [[commands(parrot('say'), parrot('long'), 'echo no >&2; exit 2')]],
  'a prompt hook': [[model('prompt')]],
  'an agent hook': [[model('agent')]],
  'a failure that counts as a block': [[commands(parrot('fail'))], { failClosed: ['project'] }],
  'one of several in a row': [[commands(parrot('say'), parrot('block'))], { order: 'sequential' }],
}

/** What is left of a prompt in a folder. */
function found(folder: string): string {
  try {
    return execFileSync('grep', ['-rnaoE', '.{0,20}(CANARY|vault opens).{0,20}', folder], { encoding: 'utf8' })
  } catch {
    return '' // grep finds nothing
  }
}

describe('a blocked prompt', () => {
  it.each(Object.entries(WAYS))('leaves nothing behind after %s', async (_way, [groups, options]) => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { UserPromptSubmit: groups } },
      'project/parrot.js': PARROT,
    })
    const debugged: string[] = []
    const engine = await openOn(world, {
      ...{ log: join(world.root, 'hooks.jsonl'), models: judges, ...options },
      debug: { categories: ['hooks'], write: (line) => debugged.push(line) },
      env: { ...process.env, TMPDIR: world.root },
    })
    const told: unknown[] = []
    for await (const progress of engine.stream({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })) {
      told.push(progress)
    }
    const record = (told.at(-1) as { record: { decision: { blocked: boolean; halt: boolean; reason: unknown } } })
      .record
    expect(record.decision.blocked || record.decision.halt).toBe(true)
    expect(found(world.root)).toBe('') // before the engine is closed, too
    await engine.close()
    const log = await readFile(join(world.root, 'hooks.jsonl'), 'utf8')
    expect(JSON.parse(log)).toMatchObject({ input: { prompt: ERASED } })
    for (const text of [log, JSON.stringify(told), debugged.join('\n')]) {
      expect(text).not.toMatch(/CANARY|vault opens|nobody of/)
    }
    expect(found(world.root)).toBe('')
  })

  it('is cut out of a reason that quotes it, and the rest of the reason stays', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { UserPromptSubmit: [commands(parrot('block'))] } },
      'project/parrot.js': PARROT,
    })
    const engine = await openOn(world)
    const { decision } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
    expect(decision.reason).toBe(`no: ${ERASED}`)
  })

  it('does not come back with a hook in the background, before or after the decision', async () => {
    const early = { type: 'command', command: parrot('say'), async: true }
    const late = { type: 'command', command: `echo '{"async": true}'; sleep 0.3; ${parrot('plain')}` }
    const world = await makeWorld({
      'project/.claude/settings.json': {
        hooks: { UserPromptSubmit: [{ hooks: [early, late] }, commands('sleep 0.2; echo no >&2; exit 2')] },
      },
      'project/parrot.js': PARROT,
    })
    const engine = await openOn(world)
    await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
    const said = await engine.drain()
    expect(said.length).toBeGreaterThan(0)
    expect(JSON.stringify(said)).not.toContain('CANARY')
  })

  it('is erased from an event that is nested very deep, too', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { UserPromptSubmit: [commands('echo no >&2; exit 2')] } },
    })
    const engine = await openOn(world, { log: join(world.root, 'hooks.jsonl') })
    let deep: unknown = PROMPT
    for (let level = 0; level < 5000; level++) deep = [deep]
    const { decision } = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT, deep })
    expect(decision.blocked).toBe(true)
    await engine.close()
    expect(found(world.root)).toBe('')
  })

  it('that passes stays as it is, in the record and for the model', async () => {
    const world = await makeWorld({
      'project/.claude/settings.json': { hooks: { UserPromptSubmit: [commands(parrot('say'))] } },
      'project/parrot.js': PARROT,
    })
    const engine = await openOn(world, { log: join(world.root, 'hooks.jsonl') })
    const record = await engine.dispatch({ hook_event_name: 'UserPromptSubmit', prompt: PROMPT })
    expect(record.decision.context.join()).toContain(asJson)
    await engine.close()
    expect(JSON.parse(await readFile(join(world.root, 'hooks.jsonl'), 'utf8')).input.prompt).toBe(PROMPT)
  })
})

describe('what cuts a text out of others', () => {
  const erase = makeEraser(PROMPT)

  it.each([
    ['whole', `You said: ${PROMPT}!`, `You said: ${ERASED}!`],
    ['in JSON', `{"prompt":"${asJson}"}`, `{"prompt":"${ERASED}"}`],
    ['in capitals', `YOU SAID ${PROMPT.toUpperCase()}`, `YOU SAID ${ERASED}`],
    ['on one line', `You said: ${PROMPT.replace('\n', ' ')}`, `You said: ${ERASED}`],
    ['cut short', 'You said: The vault opens wi…', `You said: ${ERASED}…`],
    ['in part', 'Never say "Tell nobody of the canary" to me', `Never say "${ERASED}" to me`],
    ['just the word that matters', 'The word CANARY-7f3a is secret', `The word ${ERASED} is secret`],
  ])('finds it %s', (_how, text, left) => {
    expect(erase(text)).toBe(left)
  })

  it('leaves ordinary words alone that both have', () => {
    expect(erase('Please tell the owner of the vault')).toBe('Please tell the owner of the vault')
    expect(makeEraser('no')('not now, no: no')).toBe(`not now, ${ERASED}: ${ERASED}`)
    expect(makeEraser('  ')('as it was')).toBe('as it was')
  })

  it('takes no longer than the texts are long', { timeout: 180_000 }, () => {
    const started = performance.now()
    makeEraser('ab'.repeat(50_000))('ab'.repeat(50_000))
    makeEraser('a '.repeat(50_000))('a'.repeat(100_000))
    expect(performance.now() - started).toBeLessThan(90_000) // a second, where each place is compared with each it takes an hour
  })
})

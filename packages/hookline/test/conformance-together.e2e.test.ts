import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { program } from './support/command.ts'
import { commands, makeWorld, put, type World } from './support/project.ts'

const ROOT = new URL('../../../', import.meta.url)
const RUNNER = fileURLToPath(new URL('conformance/run.mjs', ROOT))
const { writeRunnerTogether }: { writeRunnerTogether: (folder: string) => string } = await import(
  new URL('scripts/conformance-together.js', ROOT).href
)

const stop = { hook_event_name: 'Stop' }
const stopping = (command: string) => ({ 'project/.claude/settings.json': { hooks: { Stop: [commands(command)] } } })
const right = { files: {}, events: [stop], expect: [{ hooks: [] }] }

/** Cases of which some are wrong, each behind one that is right. */
const CASES = {
  first: right,
  'wrong-record': { ...right, expect: [{ hooks: [{}] }] },
  'after-it': right,
  'left-behind': {
    ...right,
    files: stopping('setsid sleep 20 >/dev/null 2>&1 </dev/null &'),
    expect: [{ hooks: [{}] }],
  },
  'wrong-flag': { ...right, args: ['--nonsense'] },
  'after-that': right,
  'endless-hook': { ...right, maxMs: 1000, files: stopping('sleep 25') },
  'wrong-exit': { files: {}, command: 'validate', expect: [{ exitCode: 1 }] },
  'after-all': { files: {}, command: 'validate', expect: [{ exitCode: 0, findings: [] }] },
  'own-variables': {
    ...right,
    files: stopping('[ "$HOOKLINE_CASE_TOKEN" = {{token}} ]'),
    expect: [{ hooks: [{ exitCode: 0 }] }],
  },
}

async function failuresOf(runner: string, world: World): Promise<Record<string, string[]>> {
  const report = join(world.root, 'report.json')
  const args = [runner, '--driver', `'${program}'`, '--jobs', '1', '--report', report, join(world.root, 'some.jsonl')]
  await new Promise((resolve) => execFile(process.execPath, args, { timeout: 60_000 }, resolve))
  const results: { id: string; failures: string[] }[] = JSON.parse(await readFile(report, 'utf8'))
  return Object.fromEntries(results.map(({ id, failures }) => [id, failures]))
}

describe('conformance cases in few processes', () => {
  it('fail and pass as they do with a process each', async () => {
    const world = await makeWorld()
    const lines = Object.entries(CASES).map(([id, fields]) => JSON.stringify({ id, why: 'to see it', ...fields }))
    await put(world, 'some.jsonl', lines.join('\n'))
    const apart = await failuresOf(RUNNER, world)
    const wrong = Object.keys(CASES).filter((id) => apart[id]?.length !== 0)
    expect(wrong).toEqual(['wrong-record', 'left-behind', 'wrong-flag', 'endless-hook', 'wrong-exit'])
    expect(await failuresOf(writeRunnerTogether(world.root), world)).toEqual(apart)
  })
})

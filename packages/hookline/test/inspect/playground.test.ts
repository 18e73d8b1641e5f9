import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeFragment, readFragment } from '../../../inspector/src/playground/fragment.ts'
import type { Explanation } from '../../src/engine/explain.ts'
import type { PlaygroundAnswer } from '../../src/inspect/playground-answer.ts'
import type { HookLine } from '../../src/protocol/record/record.ts'
import { hooklineInProcess } from '../support/in-process.ts'
import { makeLastingWorld, removeWorld, type World } from '../support/project.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** Settings files of other projects, beside the repository where there are any. */
/** Time for more than a hundred files, each looked at twice, on a machine with much else to do. */
const LIMIT = { timeout: 240_000 }
const REAL_SETTINGS = [join(ROOT, '../shared/real-settings'), join(ROOT, '../../shared/real-settings')].find(existsSync)
const EVENTS = [
  { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push --force' }, tool_use_id: 't' },
  {
    hook_event_name: 'PostToolUse',
    tool_name: 'Write',
    tool_input: { file_path: '/project/a.ts', content: '' },
    tool_response: {},
    tool_use_id: 't',
  },
  { hook_event_name: 'Stop', stop_hook_active: false },
]

interface Engine {
  readonly answerPlayground: (question: { event: string; profile: string }) => Promise<PlaygroundAnswer>
  readonly setFile: (path: string, text: string | null) => void
}

let world: World
let folder: string
let engine: Engine
let imported: string[]

beforeAll(async () => {
  world = await makeLastingWorld({})
  folder = await mkdtemp(join(tmpdir(), 'hookline-playground-'))
  for (const name of ['project/.claude', 'home']) await mkdir(join(folder, name), { recursive: true })
  const script = pathToFileURL(join(ROOT, 'scripts/build-playground.js')).href
  const { buildPlayground } = (await import(script)) as { buildPlayground: (folder: string) => Promise<string[]> } // a script without types
  imported = await buildPlayground(folder)
  engine = (await import(pathToFileURL(join(folder, 'engine.js')).href)) as Engine // what the build made
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await removeWorld(world)
})

/** Rules that a playground says it does not look at. */
const ON_DISK = new Set(['program-cannot-run', 'missing-script'])

/** Asks playground and commands the same, and holds the answers against each other. */
async function compare(settings: string, event: object, profile: string): Promise<void> {
  engine.setFile('/project/.claude/settings.json', settings)
  const { findings, plan, problem } = await engine.answerPlayground({ event: JSON.stringify(event), profile })
  const [project, home] = [join(folder, 'project'), join(folder, 'home')] // without a blank, as in the playground
  await writeFile(join(project, '.claude/settings.json'), settings)
  const places = ['--project', project, '--home', home]
  const flags = profile === 'auto' ? [] : ['--profile', profile]
  const validated = await hooklineInProcess(world, ['validate', '--format', 'json', ...flags], { places })
  const told = (JSON.parse(validated.stdout) as { findings: PlaygroundAnswer['findings'] }).findings
  expect(findings).toEqual(
    told
      .filter((finding) => !ON_DISK.has(finding.name))
      .map(({ severity, rule, name, line, column, message }) => ({ severity, rule, name, line, column, message })),
  )
  const input = join(folder, 'event.json')
  await writeFile(input, JSON.stringify(event))
  const explained = await hooklineInProcess(world, ['explain', '--input', input, '--json', '--trust', ...flags], {
    places,
  })
  if (plan === null) {
    expect(explained).toMatchObject({ code: 1, stderr: expect.stringContaining(problem ?? 'a plan') })
    return
  }
  const { hooks, matched } = JSON.parse(explained.stdout) as Pick<Explanation, 'hooks' | 'matched'>
  const looked = hooks.map(({ cannotStart: _, ...line }: HookLine & { readonly cannotStart?: string }) => line)
  expect({ hooks: plan.hooks, matched: plan.matched }).toEqual({ hooks: looked, matched })
}

describe('the playground', () => {
  it('asks nothing of Node: it is bundled for a browser alone', () => {
    expect(imported).toEqual([])
  })

  it('carries what was typed in the fragment of its address', () => {
    const typed = { settings: '{"a": "שלום\u202e"}\n', event: '', profile: 'current' }
    expect(readFragment(`#${makeFragment(typed)}`)).toEqual(typed)
    expect(readFragment('#not-one')).toBeNull()
    expect(readFragment('')).toBeNull()
  })

  const cases = readCases()
  it.each(['classic', 'current', 'auto'])(
    'plans the cases of matching as hookline explain does, profile %s',
    async (profile) => {
      expect(cases.length).toBeGreaterThan(40)
      for (const { settings, event } of cases) await compare(settings, event, profile)
    },
  )

  it.skipIf(REAL_SETTINGS === undefined)(
    'finds in real settings files what hookline validate finds',
    LIMIT,
    async () => {
      const files = listFiles(REAL_SETTINGS ?? '')
      expect(files.length).toBeGreaterThan(50)
      for (const [nth, file] of files.entries())
        await compare(readFileSync(file, 'utf8'), EVENTS[nth % EVENTS.length] ?? {}, 'auto')
    },
  )
})
if (REAL_SETTINGS === undefined)
  process.stderr.write(
    'The playground is not held against real settings files: there is no shared/real-settings beside the repository.\n',
  )

function listFiles(top: string): string[] {
  const names = readdirSync(top, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return names.map((name) => join(top, name)).filter((file) => statSync(file).isFile())
}

/** Cases of matching with one settings file of the project and nothing else. */
function readCases(): { settings: string; event: object }[] {
  const lines = ['match.jsonl', 'own-match.jsonl'].flatMap((name) =>
    readFileSync(join(ROOT, 'conformance', name), 'utf8')
      .split('\n')
      .filter((line) => line !== ''),
  )
  return lines.flatMap((line) => {
    const { files = {}, events } = JSON.parse(line) as { files?: Record<string, unknown>; events: object[] }
    const { 'project/.claude/settings.json': settings, ...others } = files
    const [event] = events
    if (settings === undefined || event === undefined || Object.keys(others).length > 0) return []
    return [{ settings: typeof settings === 'string' ? settings : JSON.stringify(settings), event }]
  })
}

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { answering, commands, makeWorld, openOn, put, type World } from './support/project.ts'

/**
 * Every block of the README and the pages that puts the engine into a program is type-checked and run, as a reader would who copies it. Those that
 * guard a call are run where hooks deny, ask, halt, rewrite, fail and are not trusted.
 */

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** What a block needs around it: names that the page leaves to the reader, and what is done with it. */
interface Surroundings {
  readonly before?: string
  readonly after?: string
  /** The block returns, so it stands in a function; `after` calls it: `block()`. */
  readonly inFunction?: boolean
  /** It makes a call of a tool. */
  readonly guards?: boolean
}

const ENGINE = `import { openEngine } from 'hookline'\nconst engine = await openEngine()\n`
const RUN = `const run = (input: unknown) => (console.log('RAN', JSON.stringify(input)), 'done')\n`
const HOST = `const onAsk = async () => false
const onNotice = (text: string) => console.error(text)
const signal = new AbortController().signal\n`
const LOOP = `${ENGINE}${RUN}${HOST}const tools: Record<string, (input: unknown) => unknown> = { Bash: run }
const answer = { calls: [{ id: '1', name: 'Bash', input: { command: 'ls' } }] }
const messages: unknown[] = []
const toolResult = (id: string, text: string) => ({ id, text })\n`
const SDK = `import { tool } from 'ai'
import { resolveModel } from 'hookline/models'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'
${RUN}const server = await startModelServer([{ tools: [{ name: 'Bash', input: { command: 'ls' } }] }, { text: 'Done.' }])
const model = await resolveModel('openai/scripted', { env: server.env })
const prompt = 'Go'
const tools = { Bash: tool({ inputSchema: z.object({ command: z.string() }), execute: (input) => run(input) }) }\n`
const TOLD = `console.log(server.requests.map(({ body }) => JSON.stringify(body)).join())\nawait server.close()\n`

const README = `${RUN}console.log(await guarded('Bash', { command: 'ls' }, run).catch((error: Error) => error.message))\nawait hooks.close()\n`

/** By page and number of the block on it. */
const BLOCKS: Readonly<Record<string, Surroundings>> = {
  'README.md 1': { after: README, guards: true },
  'packages/hookline/README.md 1': { after: README, guards: true },
  'docs/embedding.md 1': { guards: true },
  'docs/embedding.md 2': { after: 'await engine.close()' },
  'docs/embedding.md 3': {
    before: `${ENGINE}const spinner = { text: '' }\nconst act = (decision: object) => console.log(Object.keys(decision).length)\n`,
    after: 'await engine.close()',
  },
  'docs/embedding.md 4': {
    before: `import { openEngine } from 'hookline'\nconst metrics = { add: (event: string, ms: number) => console.log(event, ms) }\n`,
    after: 'forget()\nawait engine.close()',
  },
  'docs/embedding.md 5': { before: ENGINE, after: 'console.log(check.problems.length)\nawait engine.close()' },
  'docs/embedding.md 6': { after: 'await engine.close()' },
  'docs/embedding.md 7': { before: ENGINE, after: 'await engine.close()' },
  'docs/embedding.md 8': { after: 'await engine.close()' },
  'docs/embedding.md 9': { before: ENGINE, after: 'await engine.close()' },
  'docs/embedding.md 10': {
    before: `import { spawn } from 'node:child_process'\n${ENGINE}const command = 'true'\n`,
    after: 'await engine.close()',
  },
  'docs/embedding.md 11': {
    before: `${ENGINE}const ask = async (_folder: string, _files: object) => false\n`,
    after: 'await engine.close()',
  },
  'docs/embedding.md 12': { after: 'console.log(decision?.behavior, decision?.rule.text, decision?.certain)' },
  'docs/embedding.md 13': {},
  'docs/embedding.md 14': { after: 'console.log(record.decision.blocked)\nawait engine.close()' },
  'docs/adoption.md 1': { before: `${HOST}${SDK}`, after: TOLD, guards: true },
  'docs/adoption.md 2': {
    before: LOOP,
    after: 'console.log(JSON.stringify(await block()), JSON.stringify(messages))\nawait engine.close()',
    inFunction: true,
    guards: true,
  },
  'docs/adoption.md 3': { before: LOOP, after: 'console.log(ends, halt)\nawait engine.close()', guards: true },
  'docs/adoption.md 4': {
    before: `${LOOP}const call = { id: '1', name: 'Bash', input: { command: 'ls' } }\n`,
    after: 'console.log(JSON.stringify(await block()))\nawait engine.close()',
    inFunction: true,
    guards: true,
  },
  'docs/adoption.md 5': {
    before: `import { type Clearance, guardCall } from 'hookline/tools'
${LOOP}const call = { id: '1', name: 'Bash', input: { command: 'ls' } }
const allow = false
let kept: Clearance | undefined
const save = async (clearance: Clearance) => void (kept = clearance)
const load = async () => kept\n`,
    after: `console.log(end, kept && 'The user did not allow it')\nawait engine.close()`,
    guards: true,
  },
  'docs/adoption.md 6': {
    before: `${ENGINE}${RUN}${HOST}const prompt = 'Go'
const show = (text: string | null) => console.log(text)
const messages: { role: string; text: string }[] = []
const answers = [{ text: '', calls: [{ id: '1', name: 'Bash', input: { command: 'ls' } }] }]
const ask = async (_: unknown) => answers.shift() ?? { text: JSON.stringify(messages), calls: [] }\n`,
    after: 'await block()\nawait engine.close()',
    inFunction: true,
    guards: true,
  },
  'docs/adoption.md 7': { before: `import { openEngine } from 'hookline'\n`, after: 'await engine.close()' },
  'docs/telemetry.md 1': { after: 'await engine.close()' },
  'docs/agent-hooks.md 1': { after: 'await engine.close()' },
  'docs/prompt-hooks.md 1': {},
  'docs/hosts/ai-sdk.md 1': { before: SDK, after: TOLD, guards: true },
  'examples/envoy/README.md 1': {
    before: `import { openEngine } from 'hookline'\nconst project = process.cwd()\n`,
    after: 'await engine.close()',
  },
  'examples/guarded-tools/README.md 1': {
    before: `import { generateText, stepCountIs } from 'ai'
import { openEngine } from 'hookline'
import { isHalted, withHooks } from 'hookline/tools'
${SDK}const project = process.cwd()\n`,
    after: `for (const { content } of result.steps) for (const part of content) if (part.type === 'tool-error') console.log(String(part.error), (part.error as { stopReason?: string }).stopReason)
${TOLD}await engine.close()`,
    guards: true,
  },
}

const EMBEDS =
  /\b(openEngine|decideByRules|editSettings|guardCall|beforeCall|guardBatch|openTurn|withHooks|engine\.\w+)\(|\bengine\.trust\b/

/** Frameworks that are not installed here: `npm run frameworks` runs what the pages about them say. */
const ELSEWHERE =
  /from '(@openai\/agents|langchain|@mastra\/core|@anthropic-ai\/claude-agent-sdk|@earendil-works\/pi-agent-core)/

/** The blocks of all pages that embed the engine, by page and number. */
function blocksOfPages(): Map<string, string> {
  const inFolder = (folder: string, name: RegExp): string[] =>
    readdirSync(join(repository, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => name.test(path) && !path.includes('node_modules'))
      .map((path) => join(folder, path))
  const pages = [
    'README.md',
    'packages/hookline/README.md',
    ...inFolder('docs', /\.md$/),
    ...inFolder('examples', /\.md$/),
  ]
  return new Map(
    pages.flatMap((page) => {
      const text = readFileSync(join(repository, page), 'utf8')
      const blocks = [...text.matchAll(/^```(?:ts|js)\n([\s\S]*?)^```$/gm)].map(([, body = '']) => body)
      const embedding = blocks.filter((body) => EMBEDS.test(body) && !ELSEWHERE.test(body))
      return embedding.map((body, at) => [`${page} ${at + 1}`, body] as const)
    }),
  )
}

/** The block as a module. */
function moduleOf(body: string, { before = '', after = '', inFunction = false }: Surroundings): string {
  if (!inFunction) return `${before}${body}${after}`
  const lines = body.split('\n')
  const imports = lines.filter((line) => line.startsWith('import '))
  const rest = lines.filter((line) => !line.startsWith('import '))
  return [...imports, before, 'async function block() {', ...rest, 'return null', '}', after].join('\n')
}

const fileOf = (block: string): string => block.replace(/\W+/g, '-')

const before = (fields: object) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })

/** What the project's hook of PreToolUse does, and what a host that guards a call has to show for it. */
interface Scene {
  readonly command: string
  /** The one block that it is for. */
  readonly only?: string
  /** What the tool ran with; null: it did not run. */
  readonly ran: RegExp | null
  readonly shows: RegExp
}

const SCENES: Readonly<Record<string, Scene>> = {
  denies: { command: 'echo not here >&2; exit 2', ran: null, shows: /not here/ },
  asks: {
    command: answering(before({ permissionDecision: 'ask', permissionDecisionReason: 'late' })),
    ran: null,
    shows: /has to be asked|did not allow/,
  },
  'asks and rewrites': {
    command: answering(before({ permissionDecision: 'ask', updatedInput: { command: 'echo safe' } })),
    ran: null,
    shows: /has to be asked|did not allow/,
  },
  halts: { command: answering({ continue: false, stopReason: 'Enough' }), ran: null, shows: /Enough/ },
  rewrites: {
    command: answering(before({ updatedInput: { command: 'echo safe' } })),
    ran: /echo safe/,
    shows: /echo safe/,
  },
  'is that of configuration.md': {
    command: hookOfPage(),
    only: 'docs/embedding.md 1',
    ran: null,
    shows: /^The model reads: PreToolUse:Bash hook error: \[.*\]: rm -rf is not for agents here$/,
  },
  fails: { command: 'exit 1', ran: /command/, shows: /exit code 1/ },
  'is not trusted': {
    command: 'echo not here >&2; exit 2',
    ran: /command/,
    shows: /not trusted yet[\s\S]*trust accept/,
  },
}

/** The hook that the page says to try its lines with, and what they print then. */
function hookOfPage(): string {
  const [, settings = ''] =
    /```json\n([\s\S]*?)```/.exec(readFileSync(join(repository, 'docs/configuration.md'), 'utf8')) ?? []
  return JSON.parse(settings).hooks.PreToolUse[0].hooks[0].command
}

/** Runs every block in every folder it is meant for, one after the other, and prints what each said. */
const DRIVER = `
import { argv, chdir } from 'node:process'
import { pathToFileURL } from 'node:url'
import { readFileSync, writeFileSync } from 'node:fs'
import { format } from 'node:util'
let said = []
console.log = console.error = (...words) => said.push(format(...words))
process.on('warning', ({ message }) => said.push(message))
const [plan, result] = argv.slice(2)
const results = []
for (const { block, file, scene, folder, home } of JSON.parse(readFileSync(plan, 'utf8'))) {
  said = []
  chdir(folder)
  process.env.HOME = home
  await import(pathToFileURL(file).href + '?' + encodeURIComponent(scene)).catch((error) => said.push('THREW ' + error.stack))
  await new Promise(setImmediate) // warnings come a moment later
  results.push({ block, scene, said: said.join('\\n') })
}
writeFileSync(result, JSON.stringify(results))
`

/** A folder in which the built package is installed. */
async function makeHost(): Promise<World> {
  const world = await makeWorld({ 'project/package.json': { type: 'module' }, 'project/drive.mjs': DRIVER })
  const modules = join(world.project, 'node_modules')
  for (const name of ['ai', 'zod', '@types/node', '@ai-sdk', '@opentelemetry']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(repository, 'node_modules', name), join(modules, name))
  }
  symlinkSync(join(repository, 'packages/hookline'), join(modules, 'hookline'))
  return world
}

/** A project for a scene, with a home of its own. */
async function makeScene(scene: string): Promise<World> {
  const command = SCENES[scene]?.command ?? 'true'
  const world = await makeWorld({
    'project/.claude/settings.json': { hooks: { PreToolUse: [{ matcher: 'Bash', ...commands(command) }] } },
    'project/.claude/agents/reviewer.md': '---\nname: reviewer\ndescription: Reads.\n---\nRead.\n',
  })
  if (scene !== 'is not trusted') await (await openOn(world, { trust: 'stored' })).acceptTrust()
  return world
}

describe('the blocks of README and pages that embed the engine', () => {
  const blocks = blocksOfPages()

  it('are all known here', () => {
    expect([...blocks.keys()].toSorted()).toEqual(Object.keys(BLOCKS).toSorted())
  })

  it('have ten lines in the README', () => {
    expect(blocks.get('README.md 1')?.trim().split('\n').length).toBeLessThanOrEqual(12)
  })

  it('type-check, run, and let no call run silently that a hook denies, asks about, halts, rewrites, or could not look at', {
    timeout: 300_000,
  }, async () => {
    const host = await makeHost()
    for (const [block, body] of blocks)
      await put(host, `project/${fileOf(block)}.ts`, moduleOf(body, BLOCKS[block] ?? {}))
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      outDir: 'out',
      types: ['node'],
    }
    await put(host, 'project/tsconfig.json', { compilerOptions, include: ['*.ts'] })
    compile(host)

    const scenes = new Map<string, World>()
    for (const scene of [...Object.keys(SCENES), 'agrees']) scenes.set(scene, await makeScene(scene))
    const plan = [...blocks.keys()].flatMap((block) =>
      [...scenes]
        .filter(([scene]) => scene === 'agrees' || (BLOCKS[block]?.guards && (SCENES[scene]?.only ?? block) === block))
        .map(([scene, { project, home }]) => {
          return { block, scene, folder: project, home, file: join(host.project, 'out', `${fileOf(block)}.js`) }
        }),
    )
    const planned = await put(host, 'plan.json', plan)
    const result = join(host.root, 'result.json')
    execFileSync(process.execPath, [join(host.project, 'drive.mjs'), planned, result], { timeout: 200_000 })
    const results: { block: string; scene: string; said: string }[] = JSON.parse(readFileSync(result, 'utf8'))

    expect(results).toHaveLength(plan.length)
    const wrong = results.filter(({ block, scene, said }) => !isRight(said, scene, BLOCKS[block]?.guards === true))
    expect(wrong).toEqual([])
  })
})

function compile(host: World): void {
  try {
    execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', host.project], { encoding: 'utf8' })
  } catch (error) {
    expect.fail(`The blocks do not type-check:\n${(error as { stdout: string }).stdout}`) // what execFileSync throws
  }
}

/** Whether what a program said is what a reader of the page may expect of it. */
function isRight(said: string, scene: string, guards: boolean): boolean {
  if (said.includes('THREW')) return false
  if (!guards) return true
  const ran = /RAN .*|ran with .*/.exec(said)?.[0] ?? null
  const expected = SCENES[scene] ?? { ran: /command/, shows: /ls|rm -rf/ }
  const isAsExpected = expected.ran === null ? ran === null : ran !== null && expected.ran.test(ran)
  return isAsExpected && expected.shows.test(said)
}

beforeAll(() => {
  if (!existsSync(join(repository, 'packages/hookline/dist/index.js'))) expect.fail('Run npm run build first.')
})

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { answering, commands, makeWorld, openOn, put, type World } from './support/project.ts'

/**
 * Every block of the README and the pages that puts the engine into a program is type-checked and run, as a reader would who copies it. Those that
 * guard a call are run where hooks deny, ask, halt, rewrite, fail and are not trusted.
 */

const repository = fileURLToPath(new URL('../../..', import.meta.url))
/** The programs that pages show parts of. */
const EXAMPLES = 'examples/adoption'

/** What is done with a block; in READMEs of examples, which say of what they show a part, also what stands before it. */
interface Surroundings {
  readonly before?: string
  readonly after?: string
  /** It makes a call of a tool. */
  readonly guards?: boolean
}

const RUN = `const run = (input: unknown) => (console.log('RAN', JSON.stringify(input)), 'done')\n`
const CLOSE = 'await engine.close()'
const SDK = `import { openSdk } from './examples/adoption/host.ts'\nconst { model, tools, prompt, close } = await openSdk()\n`

const README = `${RUN}console.log(await guarded('Bash', { command: 'ls' }, run).catch((error: Error) => error.message))\nawait hooks.close()\n`

/** By page and number of the block on it. */
const BLOCKS: Readonly<Record<string, Surroundings>> = {
  'README.md 1': { after: README, guards: true },
  'packages/hookline/README.md 1': { after: README, guards: true },
  'docs/embedding.md 1': { guards: true },
  ...Object.fromEntries([2, 3, 6, 7, 8, 9, 10, 11].map((at) => [`docs/embedding.md ${at}`, { after: CLOSE }])),
  'docs/embedding.md 4': { after: `forget()\n${CLOSE}` },
  'docs/embedding.md 5': { after: `console.log(check.problems.length)\n${CLOSE}` },
  'docs/embedding.md 12': { after: 'console.log(decision?.behavior, decision?.rule.text, decision?.certain)' },
  'docs/embedding.md 13': {},
  'docs/guards.md 1': { after: CLOSE },
  'docs/embedding.md 14': { after: `console.log(record.decision.blocked)\n${CLOSE}` },
  ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((at) => [`docs/adoption.md ${at}`, { guards: true }])),
  'docs/adoption.md 7': { after: CLOSE },
  'docs/telemetry.md 1': { after: CLOSE },
  'docs/agent-hooks.md 1': { after: CLOSE },
  'docs/prompt-hooks.md 1': {},
  'docs/hosts/ai-sdk.md 1': { guards: true },
  'docs/hosts/ai-sdk.md 2': {},
  'examples/envoy/README.md 1': {
    before: `import { openEngine } from 'hookline'\nconst project = process.cwd()\n`,
    after: CLOSE,
  },
  'examples/guarded-tools/README.md 1': {
    before: `import { generateText, stepCountIs } from 'ai'
import { openEngine } from 'hookline'
import { isHalted, withHooks } from 'hookline/tools'
${SDK}const project = process.cwd()\n`,
    after: `for (const { content } of result.steps) for (const part of content) if (part.type === 'tool-error') console.log(String(part.error), (part.error as { stopReason?: string }).stopReason)
await close()\n${CLOSE}`,
    guards: true,
  },
}

const EMBEDS =
  /\b(openEngine|decideByRules|editSettings|guardCall|guardBeforeCall|guardBatch|openTurn|withHooks|engine\.\w+)\(|\bengine\.trust\b/

/** Frameworks that are not installed here: `npm run frameworks` runs what the pages about them say. */
const ELSEWHERE =
  /from '(@openai\/agents|langchain|@mastra\/core|@anthropic-ai\/claude-agent-sdk|@earendil-works\/pi-agent-core)/

/** A block of a page. */
interface Block {
  readonly body: string
  /** The example that it is cut from, from the root; null: the block is a whole file. */
  readonly example: string | null
}

/** The blocks of all pages that embed the engine, by page and number. */
function blocksOfPages(): Map<string, Block> {
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
      const blocks = [...text.matchAll(/(?:^Cut from \[([^\]]+)\].*\n\n)?^```(?:ts|js)\n([\s\S]*?)^```$/gm)]
      const embedding = blocks.filter(
        ([, example, body = '']) => example !== undefined || (EMBEDS.test(body) && !ELSEWHERE.test(body)),
      )
      return embedding.map(([, example = null, body = ''], at) => [`${page} ${at + 1}`, { example, body }] as const)
    }),
  )
}

/** The block as a module. */
function moduleOf({ body }: Block, { before = '', after = '' }: Surroundings): string {
  return `${before}${body}${after}`
}

/** The compiled file that runs a block. */
function programOf(name: string, { example }: Block): string {
  return example === null ? `${fileOf(name)}.js` : example.replace(/\.ts$/, '.js')
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

  it('are whole files, or parts of the example that they name', () => {
    const cut = [...blocks].filter(([, { example }]) => example !== null)
    expect(cut).toHaveLength(8)
    for (const [name, { body, example }] of cut) {
      const rest = readFileSync(join(repository, example ?? ''), 'utf8')
        .split('\n')
        .map((line) => line.trim())
      for (const line of body.split('\n').map((each) => each.trim())) {
        const at = line === '' || line.startsWith('import ') ? 0 : rest.indexOf(line)
        expect(at, `${name}: "${line}" stands in ${example}, in this order`).toBeGreaterThanOrEqual(0)
        if (line !== '' && !line.startsWith('import ')) rest.splice(0, at + 1)
      }
    }
    const partial = Object.entries(BLOCKS).filter(([, { before }]) => before !== undefined)
    expect(partial.filter(([name]) => !name.startsWith('examples/'))).toEqual([])
  })

  it('have ten lines in the README', () => {
    expect(blocks.get('README.md 1')?.body.trim().split('\n').length).toBeLessThanOrEqual(12)
  })

  it('type-check, run, and let no call run silently that a hook denies, asks about, halts, rewrites, or could not look at', {
    timeout: 300_000,
  }, async () => {
    const host = await makeHost()
    cpSync(join(repository, EXAMPLES), join(host.project, EXAMPLES), { recursive: true })
    for (const [name, block] of blocks)
      if (block.example === null) await put(host, `project/${fileOf(name)}.ts`, moduleOf(block, BLOCKS[name] ?? {}))
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      strict: true,
      exactOptionalPropertyTypes: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: true,
      rootDir: '.',
      outDir: 'out',
      types: ['node'],
    }
    const include = ['*.ts', `${EXAMPLES}/*.ts`]
    await put(host, 'project/tsconfig.json', { compilerOptions, include })
    const lax = { ...compilerOptions, strict: false, exactOptionalPropertyTypes: false, noEmit: true }
    await put(host, 'project/tsconfig.lax.json', { compilerOptions: lax, include })
    for (const config of ['tsconfig.json', 'tsconfig.lax.json']) compile(join(host.project, config))

    const scenes = new Map<string, World>()
    for (const scene of [...Object.keys(SCENES), 'agrees']) scenes.set(scene, await makeScene(scene))
    const plan = [...blocks].flatMap(([block, whole]) =>
      [...scenes]
        .filter(([scene]) => scene === 'agrees' || (BLOCKS[block]?.guards && (SCENES[scene]?.only ?? block) === block))
        .map(([scene, { project, home }]) => {
          return { block, scene, folder: project, home, file: join(host.project, 'out', programOf(block, whole)) }
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

function compile(config: string): void {
  try {
    execFileSync(join(repository, 'node_modules/.bin/tsc'), ['-p', config, '--checkers', '1'], { encoding: 'utf8' })
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

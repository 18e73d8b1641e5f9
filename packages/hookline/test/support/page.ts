import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, relative } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'
import { program } from './command.ts'
import { makeWorld, put, type World } from './project.ts'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/** A page of `docs/`. */
export const pagePath = (name: string): string => join(packageFolder, '../../docs', name)

/** What a page finds besides what every reader has. */
interface Surroundings {
  readonly env?: NodeJS.ProcessEnv
  /** A folder of programs. */
  readonly bin?: string
}

/** A fenced block: shell code to run, or what it printed. */
interface Block {
  readonly kind: 'sh' | 'text'
  readonly body: string
  readonly start: number
}

/**
 * The page as it would be if it were written now: every `sh` block is run, in order, as a reader would, and the `text` block behind it
 * holds what came out. Nothing of the reader's may be touched by it. A text that still fits is left as it is: `…` stands for anything in a line, alone in a line for any lines.
 */
export async function pageAsRun(name: string, given: Surroundings = {}): Promise<string> {
  const page = await readFile(pagePath(name), 'utf8')
  const blocks = blocksOf(page)
  const outputs = await runInOrder(
    blocks.filter(({ kind }) => kind === 'sh').map(({ body }) => body),
    given,
  )
  let last = ''
  return blocks
    .map(({ kind, body, start }): Block => {
      if (kind === 'sh') last = outputs.shift() ?? ''
      return { kind, body: kind === 'sh' || fits(body, last) ? body : last, start }
    })
    .reduceRight((text, { body, start }, at) => {
      const end = start + (blocks[at]?.body.length ?? 0)
      return text.slice(0, start) + body + text.slice(end)
    }, page)
}

function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^(?<fence>```(?<kind>sh|text)\n)(?<body>[\s\S]*?)^```$/gm)].map(
    ({ index, groups = {} }) => ({
      kind: groups.kind === 'sh' ? 'sh' : 'text',
      body: groups.body ?? '',
      start: index + (groups.fence ?? '').length,
    }),
  )
}

function fits(written: string, printed: string): boolean {
  const lines = timeless(written)
    .split('\n')
    .map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${line.split('…').map(escaped).join('.*')}\\n`))
  return new RegExp(`^${lines.join('').replace(/\\n$/, '')}$`).test(timeless(printed))
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

/** Without what is different each time. */
function timeless(text: string): string {
  return text
    .replace(/[·━]+ +\d+ to \d+ ms$/gm, 'a bar')
    .replace(/\d+(\.\d+)? m?s\b/g, 'N ms')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'THEN')
}

/** Runs blocks one after the other, as in one shell, in a reader's own project. A block that fails is an error, and so is one that touches what is theirs. */
async function runInOrder(blocks: readonly string[], given: Surroundings, patience = 20): Promise<string[]> {
  const world = await readersWorld()
  const scratch = await realpath(await mkdtemp(join(tmpdir(), 'h-'))) // a short name: what is printed is broken into lines
  onTestFinished(() => rm(scratch, { recursive: true, force: true, maxRetries: 3 }))
  const before = await contentsOf(world)
  const outputs: string[] = []
  for (const block of blocks) {
    const { failed, output } = await runBlock(block, { ...world, scratch }, given)
    expect(await contentsOf(world), `what is the reader's, after this block:\n${block}`).toEqual(before)
    if (/ERR_MODULE_NOT_FOUND|ENOENT.*quick\.cjs/.test(output) && patience > 0) {
      await pause(1000) // somebody is building
      return runInOrder(blocks, given, patience - 1)
    }
    if (failed) throw new Error(`This block failed:\n${block}\nIt printed:\n${output}`)
    outputs.push(output)
  }
  return outputs
}

/** Files that a reader may have, and that a page must not touch: of theirs, and of the project they happen to be in. */
const THEIRS = {
  'home/.claude/settings.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo mine' }] }] } },
  'home/.hookline/trust.json': '{}',
  'home/.bashrc': 'alias ll="ls -l"\n',
  'project/.claude/settings.json': { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo ours' }] }] } },
  'project/.claude/hooks/guard.sh': '#!/bin/sh\nexit 2\n',
  'project/.claude/hooks/check.sh': '#!/bin/sh\nexit 2\n',
  'project/.claude/agents/reviewer.md': 'ours',
  'project/.mcp.json': '{ "mcpServers": {} }',
  'project/.envrc': 'export OURS=1\n',
  'project/package.json': '{ "name": "ours" }',
  'project/notes.txt': 'ours',
  'project/TASKS.md': '- [ ] ours\n',
  'project/turns.json': '{}',
  'project/agent.mjs': 'ours',
  'project/hooks.jsonl': 'ours',
}

/** A reader with a home and a project of their own, an `npm` that installs the built package, and an `npx` that looks nowhere else. */
async function readersWorld(): Promise<World> {
  const world = await makeWorld({ ...THEIRS, 'bin/npx': '#!/bin/sh\nexec "$@"\n' })
  await put(
    world,
    'bin/npm',
    `#!/bin/sh\nmkdir -p node_modules/.bin && ln -sfn '${packageFolder}' node_modules/hookline\n`,
  )
  await put(world, 'bin/hookline', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  return world
}

/** Everything that is the reader's, by path. */
async function contentsOf({ root }: World): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const folder of ['home', 'project']) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    for (const entry of entries) {
      const path = join(entry.parentPath, entry.name)
      found[relative(root, path)] = entry.isFile() ? await readFile(path, 'utf8') : ''
    }
  }
  return found
}

/** Runs a block where the one before it has left off: in its folder, with its variables. */
async function runBlock(
  block: string,
  { root, project, home, scratch }: World & { readonly scratch: string },
  { env: more = {}, bin = join(root, 'bin') }: Surroundings,
): Promise<{ failed: boolean; output: string }> {
  const path = [bin, join(root, 'bin'), process.env.PATH].join(delimiter)
  const env = { PATH: path, HOME: home, TMPDIR: scratch, LANG: 'C.UTF-8', NO_COLOR: '1', ...more }
  const left = join(root, 'left-off')
  const script = [
    'exec 2>&1',
    `if [ -e '${left}' ]; then . '${left}'; cd "$PWD"; fi`,
    `trap 'export PWD; export -p > "${left}"' EXIT`,
    block,
  ].join('\n')
  const { failed, stdout } = await new Promise<{ failed: boolean; stdout: string }>((resolve) => {
    const child = execFile('sh', ['-ec', script], { cwd: project, env, timeout: 60_000 }, (error, out) =>
      resolve({ failed: error !== null, stdout: out }),
    )
    child.stdin?.end()
  })
  const state = await readFile(left, 'utf8').catch(() => '') // a shell that was killed leaves nothing
  const leftIn = (name: string): string => new RegExp(`^export ${name}='(.*)'$`, 'm').exec(state)?.[1] ?? '\n'
  const output = stdout
    .replaceAll(leftIn('PWD'), '/home/you/lamp')
    .replaceAll(leftIn('HOME'), '/home/you')
    .replaceAll(scratch, '/tmp')
  return { failed, output }
}

import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { program } from './command.ts'
import { makeWorld, put, type World } from './project.ts'

const packageFolder = fileURLToPath(new URL('../..', import.meta.url))

/** A page of `docs/`. */
export const pagePath = (name: string): string => join(packageFolder, '../../docs', name)

/** A fenced block: shell code to run, or what it printed. */
interface Block {
  readonly kind: 'sh' | 'text'
  readonly body: string
  readonly start: number
}

/**
 * The page as it would be if it were written now: every `sh` block is run, in order, in one new project, and the `text` block behind it
 * holds what came out. A text that still fits is left as it is: `…` stands for anything in a line, alone in a line for any lines.
 */
export async function pageAsRun(name: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const page = await readFile(pagePath(name), 'utf8')
  const blocks = blocksOf(page)
  const outputs = await runInOrder(
    blocks.filter(({ kind }) => kind === 'sh').map(({ body }) => body),
    env,
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

/** Runs blocks in a new project into which the built package is installed. A block that fails is an error. */
async function runInOrder(blocks: readonly string[], env: NodeJS.ProcessEnv, patience = 20): Promise<string[]> {
  const world = await newProject()
  const outputs: string[] = []
  for (const block of blocks) {
    const { failed, output } = await runBlock(block, world, env)
    if (/ERR_MODULE_NOT_FOUND|ENOENT.*quick\.cjs/.test(output) && patience > 0) {
      await pause(1000) // somebody is building
      return runInOrder(blocks, env, patience - 1)
    }
    if (failed) throw new Error(`This block failed:\n${block}\nIt printed:\n${output}`)
    outputs.push(output)
  }
  return outputs
}

/** What `npm install hookline` makes, and an `npx` that looks nowhere else. */
async function newProject(): Promise<World> {
  const world = await makeWorld({ 'bin/npx': '#!/bin/sh\nexec "$@"\n' })
  const modules = join(world.project, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await symlink(packageFolder, join(modules, 'hookline'))
  await put(world, 'bin/hookline', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  return world
}

function runBlock(
  block: string,
  { root, project, home }: World,
  more: NodeJS.ProcessEnv,
): Promise<{ failed: boolean; output: string }> {
  const path = [join(root, 'bin'), process.env.PATH].join(delimiter)
  const env = { PATH: path, HOME: home, LANG: 'C.UTF-8', NO_COLOR: '1', ...more }
  return new Promise((resolve) => {
    execFile('sh', ['-ec', `exec 2>&1\n${block}`], { cwd: project, env, timeout: 60_000 }, (error, stdout) => {
      const output = stdout.replaceAll(project, '/home/you/lamp').replaceAll(home, '/home/you')
      resolve({ failed: error !== null, output })
    }).stdin?.end()
  })
}
